// A board file has the form of a configuration file and these sections:
//
//     [board]    name, chip (only `simulated` in this version)
//     [lines]    a part of the panel = the chip's line that it is wired to
//     [crown]    and [button]: the keys of the configuration that describe the board
//
// Invariant: no line and no part is given twice.

/// A part of the panel that has a line of its own.
public enum BoardPart: String, CaseIterable, Sendable {
  /// The crown's line that changes first when it turns clockwise.
  case crownA = "crown-a"
  /// The crown's other line.
  case crownB = "crown-b"
  /// The crown's push switch.
  case crownSwitch = "crown-switch"
  /// The button up.
  case up
  /// The button down.
  case down
  /// The button left.
  case left
  /// The button right.
  case right
  /// The button select.
  case select
  /// The button back.
  case back
  /// The button play.
  case play

  /// The letter by which scenarios write this part's raw levels.
  public var letter: Character {
    switch self {
    case .crownA: "A"
    case .crownB: "B"
    case .crownSwitch: "S"
    case .up: "U"
    case .down: "D"
    case .left: "L"
    case .right: "R"
    case .select: "O"
    case .back: "K"
    case .play: "P"
    }
  }
}

/// A line of a board.
public struct BoardLine: Equatable, Sendable {
  /// What it is wired to.
  public let part: BoardPart
  /// Its name on the chip. The simulated chip names its lines by the letters of scenarios.
  public let name: String
  /// Its level at rest: 1, pulled up.
  public let restLevel: Int
}

/// What a board has and how it is wired.
public struct Board: Equatable, Sendable {
  /// A value that a board file gives to a configuration key.
  struct Setting: Equatable, Sendable {
    var key: ConfigurationKey
    var text: String
    var value: SettingValue
    var place: Place
  }

  /// Its name.
  public let name: String
  /// Its lines, in the order of `BoardPart.allCases`.
  public let lines: [BoardLine]
  let settings: [Setting]

  /// The board that needs no hardware: the crown and all seven buttons, idle at level 1.
  public static let simulated = Board(
    name: "simulated",
    lines: BoardPart.allCases.map {
      BoardLine(part: $0, name: String($0.letter), restLevel: 1)
    }, settings: [])

  private init(name: String, lines: [BoardLine], settings: [Setting]) {
    self.name = name
    self.lines = lines
    self.settings = settings
  }

  /// Reads a board file.
  /// - Parameters:
  ///   - bytes: the file's bytes.
  ///   - file: its name for messages.
  public init(_ bytes: [UInt8], file: String) throws(SettingsProblems) {
    let reader = INIReader(bytes, file: file)
    var contents = BoardContents(problems: reader.problems)
    for section in reader.sections { contents.read(section) }
    contents.finish(file: file)
    guard contents.problems.isEmpty else {
      contents.problems.finish()
      throw contents.problems
    }
    let lines = BoardPart.allCases.compactMap { part in
      contents.wiring.first { $0.part == part }.map {
        BoardLine(part: part, name: $0.entry.value, restLevel: 1)
      }
    }
    self.init(name: contents.name ?? "", lines: lines, settings: contents.settings)
    try Configuration(board: self).check()
  }
}

/// What has been read of a board file so far.
private struct BoardContents {
  var problems: SettingsProblems
  var name: String?
  var chip: String?
  var wiring: [(part: BoardPart, entry: INIEntry)] = []
  var settings: [Board.Setting] = []

  mutating func read(_ section: INISection) {
    let keys = ConfigurationKey.all.filter { $0.isOfBoard && $0.section == section.name }
    switch section.name {
    case "board": section.entries.forEach { readBoard($0) }
    case "lines": section.entries.forEach { readLine($0) }
    case _ where !keys.isEmpty:
      for entry in section.entries { readSetting(entry, keys, section.name) }
    default:
      let sections = ["board", "lines", "crown", "button"]
      problems.add(
        .unknownSection(
          found: section.name, expected: "one of \(listed(sections))",
          nearest: nearest(to: section.name, among: sections)),
        at: section.place)
    }
  }

  /// Reports what is missing and checks the lines, which only the chip gives a meaning.
  mutating func finish(file: String) {
    let start = Place(file: file, line: 1, column: 1)
    if chip == nil { problems.add(.missingKey(expected: "chip in [board]"), at: start) }
    if name == nil { problems.add(.missingKey(expected: "name in [board]"), at: start) }
    guard chip == "simulated" else { return }
    for (index, wire) in wiring.enumerated() {
      guard let expected = whatLineExpects(wire.entry.value, before: wiring[..<index]) else {
        continue
      }
      problems.add(
        .value(found: wire.entry.value, expected: expected, nearest: nil),
        at: wire.entry.valuePlace)
    }
  }

  /// What was expected in place of a line's name; nil if the name is right.
  private func whatLineExpects(
    _ name: String, before: ArraySlice<(part: BoardPart, entry: INIEntry)>
  ) -> String? {
    let letters = BoardPart.allCases.map { String($0.letter) }
    guard letters.contains(name) else {
      return "a line of the simulated chip: \(listed(letters))"
    }
    let other = before.first { $0.entry.value == name }
    return other.map { "another line, for \($0.part.rawValue) has this one" }
  }

  private mutating func readBoard(_ entry: INIEntry) {
    switch entry.key {
    case "name":
      name = entry.value
      do { _ = try SettingKind.name.read(entry.value, at: entry.valuePlace) } catch {
        problems.add(error)
      }
    case "chip":
      chip = entry.value
      if entry.value != "simulated" {
        problems.add(
          .notBuilt(found: entry.value, expected: "the chip simulated"), at: entry.valuePlace)
      }
    default: unknownKey(entry, among: ["name", "chip"])
    }
  }

  private mutating func readLine(_ entry: INIEntry) {
    guard let part = BoardPart(rawValue: entry.key) else {
      unknownKey(entry, among: BoardPart.allCases.map(\.rawValue))
      return
    }
    wiring.append((part, entry))
  }

  private mutating func readSetting(
    _ entry: INIEntry, _ keys: [ConfigurationKey], _ section: String
  ) {
    do {
      let row = try Configuration.key(entry, among: keys, section: section)
      let value = try row.read(entry.value, at: entry.valuePlace)
      settings.append(
        Board.Setting(key: row, text: entry.value, value: value, place: entry.keyPlace))
    } catch {
      problems.add(error)
    }
  }

  private mutating func unknownKey(_ entry: INIEntry, among names: [String]) {
    problems.add(
      .unknownKey(
        found: entry.key, expected: listed(names), nearest: nearest(to: entry.key, among: names)),
      at: entry.keyPlace)
  }
}
