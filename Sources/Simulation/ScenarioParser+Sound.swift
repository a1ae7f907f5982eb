import Appliance
import Bells
import Settings
import Ticks
import TimerMachine

// Statements about the output and what it is told.
extension ScenarioParser {
  func audio(_ words: inout Words) throws(ScenarioError) -> AudioChange {
    let names = ["back", "busy", "drift", "gone", "ok", "refuse", "stall", "swallow"]
    switch try choice(&words, names) {
    case "back": return .back
    case "busy": return .busy
    case "drift": return .drift(millionths: try drift(&words))
    case "gone": return .gone
    case "refuse": return .refuse
    case "stall": return .stall(try span(&words))
    case "swallow": return .swallow(try span(&words))
    default: return .ok
    }
  }

  private func drift(_ words: inout Words) throws(ScenarioError) -> Int64 {
    let expected = "a drift from -10000ppm to 10000ppm"
    let word = try words.take(expected)
    let digits = word.text.hasSuffix("ppm") ? word.text.dropLast(3) : ""
    guard let millionths = Int64(digits), (-10_000...10_000).contains(millionths) else {
      throw words.wrong(word, expected)
    }
    return millionths
  }

  /// `ring` and `ring SOUND`.
  func ring(_ words: inout Words) throws(ScenarioError) -> ApplianceCommand {
    guard let word = words.take() else { return .ring(sound: nil) }
    let names = Sound.catalogue.map(\.name)
    guard let sound = Sound.index(named: word.text) else {
      throw words.wrong(word, oneOf(names) + suggestion(for: word.text, among: names))
    }
    return .ring(sound: sound)
  }

  private static let localChoices = [
    "brightness", "picture", "programme", "rating", "sound.device", "volume",
  ]

  func isLocalChoice(_ key: String) -> Bool {
    Self.localChoices.contains(key) || key.hasPrefix("volume.")
  }

  /// A device-local choice: `set KEY VALUE`, or `unset KEY`, which has no value.
  func localChoice(
    _ words: inout Words, isSet: Bool
  ) throws(ScenarioError) -> ApplianceCommand {
    let key = try words.take("a device-local choice such as volume")
    if key.text.hasPrefix("volume.") {
      let role = try role(key, words)
      return .setRoleVolume(role, isSet ? try number(&words, 0...100) : nil)
    }
    if key.text == "volume" {
      if isSet { return .setVolume(try number(&words, 0...100)) }
      guard case .count(let percent)? = try? LocalChoice.standard(key: key.text) else {
        preconditionFailure("a volume is a whole number")
      }
      return .setVolume(percent)
    }
    if let command = try otherChoice(key, &words, isSet: isSet) { return command }
    if isLocalChoice(key.text) { throw words.notBuilt(key) }
    let hint = suggestion(for: key.text, among: Self.localChoices)
    throw words.wrong(key, "a device-local choice such as volume" + hint)
  }

  /// A choice that is a word; nil for another one.
  private func otherChoice(
    _ key: Word, _ words: inout Words, isSet: Bool
  ) throws(ScenarioError) -> ApplianceCommand? {
    guard ["programme", "picture", "rating"].contains(key.text) else { return nil }
    let word = words.peek
    let text = isSet ? words.rest() : ""
    let value: SettingValue
    do throws(SettingsError) {
      value =
        isSet
        ? try LocalChoice.read(key: key.text, value: text)
        : try LocalChoice.standard(key: key.text)
    } catch {
      guard case .value(_, let expected, let nearest) = error.fault else {
        throw words.wrong(word, "a value of \(key.text)")
      }
      let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
      throw words.wrong(word.map { Word(text: text, column: $0.column) }, expected + hint)
    }
    switch value {
    case .flag(let isOn): return .setRating(isOn)
    case .text(let name) where key.text == "picture":
      return .setPicture(Picture.allCases.first { $0.name.description == name } ?? .fire)
    case .text(let name): return .choose(programme: name)
    default: preconditionFailure("the table gives \(key.text) another kind")
    }
  }

  private func role(_ key: Word, _ words: Words) throws(ScenarioError) -> BellRole {
    let name = String(key.text.dropFirst("volume.".count))
    let names = BellRole.allCases.map(\.name.description)
    guard let role = BellRole.allCases.first(where: { $0.name.description == name }) else {
      throw words.wrong(
        Word(text: name, column: key.column + "volume.".utf8.count),
        oneOf(names) + suggestion(for: name, among: names))
    }
    return role
  }
}
