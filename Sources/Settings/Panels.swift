import Controls
import CrownFront
import RemoteFront
import TimerMachine

/// What the panels of a board are: `[crown panel]` and `[remote panel]`, and whether there is a
/// remote at all.
struct Panels: Equatable, Sendable {
  var crown = CrownMapping()
  var remote = RemoteMapping()
  var hasRemote = true

  /// Takes in one cell of the crown's table: `running.double = none`.
  mutating func readCrown(_ entry: INIEntry) throws(SettingsError) {
    let gestures = CrownGesture.allCases
    let cell = try PanelCell(entry, gestures: gestures.map(\.name.description))
    let gesture = gestures[cell.gesture]
    let meanings = CrownMeaning.allCases.filter { $0.fits(gesture, in: cell.phase) }
    let index = try PanelCell.meaning(entry, among: meanings.map(\.name.description))
    crown.set(cell.phase, gesture, to: index.map { meanings[$0] })
  }

  /// Takes in one cell of the remote's table: `idle.play = start`.
  mutating func readRemote(_ entry: INIEntry) throws(SettingsError) {
    let gestures = RemoteGesture.allCases
    let cell = try PanelCell(entry, gestures: gestures.map(\.name.description))
    let gesture = gestures[cell.gesture]
    let meanings = RemoteMeaning.allCases.filter { $0.fits(gesture, in: cell.phase) }
    let index = try PanelCell.meaning(entry, among: meanings.map(\.name.description))
    remote.set(cell.phase, gesture, to: index.map { meanings[$0] })
  }

  /// The fault of a panel that a sit cannot be begun and ended with.
  static func fault(_ found: String, _ flaw: StaticString) -> SettingsFault {
    .value(found: found, expected: "a way to begin and to end a sit: \(flaw)", nearest: nil)
  }
}

/// The cell of a panel's table that an entry is about, `PHASE.GESTURE`.
private struct PanelCell {
  var phase: Phase
  /// The gesture's place in the list of gestures.
  var gesture: Int

  init(_ entry: INIEntry, gestures: [String]) throws(SettingsError) {
    let phases = Phase.allCases.map(\.name.description)
    let words = entry.key.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    guard words.count == 2 else {
      let expected = "PHASE.GESTURE, such as idle.\(gestures[0])"
      throw SettingsError(
        .unknownKey(found: entry.key, expected: expected, nearest: nil), at: entry.keyPlace)
    }
    let phaseIndex = try PanelCell.index(of: words[0], among: phases, at: entry.keyPlace)
    phase = Phase.allCases[phaseIndex]
    let place = entry.keyPlace.moved(columns: words[0].unicodeScalars.count + 1)
    gesture = try PanelCell.index(of: words[1], among: gestures, at: place)
  }

  /// The place of what an entry's value names among what its cell can mean; nil for `none`.
  static func meaning(_ entry: INIEntry, among names: [String]) throws(SettingsError) -> Int? {
    if entry.value == "none" { return nil }
    guard let index = names.firstIndex(of: entry.value) else {
      let choices = names + ["none"]
      let nearest = nearest(to: entry.value, among: choices)
      throw SettingsError(
        .value(found: entry.value, expected: listed(choices), nearest: nearest),
        at: entry.valuePlace)
    }
    return index
  }

  private static func index(
    of name: String, among names: [String], at place: Place
  ) throws(SettingsError) -> Int {
    guard let index = names.firstIndex(of: name) else {
      let nearest = nearest(to: name, among: names)
      throw SettingsError(
        .unknownKey(found: name, expected: listed(names), nearest: nearest), at: place)
    }
    return index
  }
}
