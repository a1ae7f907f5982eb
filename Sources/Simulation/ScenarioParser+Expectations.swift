import Controls
import Settings
import Ticks
import TimerMachine

extension ScenarioParser {
  private static let expectations = [
    "bells", "degraded", "detents", "elapsed", "inputs", "no", "phase", "record", "records",
    "remaining", "set", "volume",
  ]
  private static let expectationsNotBuilt = ["day-total", "focus", "streak"]

  func expectation(_ words: inout Words) throws(ScenarioError) -> Expectation {
    let word = try words.take(Self.allowed(Self.expectations))
    switch word.text {
    case "phase": return .phase(try name(&words, Phase.allCases.map(\.name.description)))
    case "remaining": return .remaining(try length(&words))
    case "elapsed": return .elapsed(try length(&words))
    case "set": return .set(try length(&words))
    case "volume": return .volume(try number(&words, 0...100))
    case "records": return .records(try number(&words, 0...1_000_000))
    case "degraded": return .degraded(words.rest())
    case "bells": return .bells(try bells(&words))
    case "no":
      let what = try words.take("\"bell\"")
      guard what.text == "bell" else { throw words.wrong(what, "\"bell\"") }
      return .bells([])
    case "inputs": return .inputs(try inputs(&words))
    case "detents":
      return .detents(
        clockwise: try signed(&words, "+"), counterclockwise: try signed(&words, "-"))
    case "record": return try record(&words)
    default:
      if Self.expectationsNotBuilt.contains(word.text) { throw words.notBuilt(word) }
      let hint = suggestion(for: word.text, among: Self.expectations)
      throw words.wrong(word, Self.allowed(Self.expectations) + hint)
    }
  }

  private func name(_ words: inout Words, _ names: [String]) throws(ScenarioError) -> String {
    let word = try words.take(Self.allowed(names))
    guard names.contains(word.text) else {
      let hint = suggestion(for: word.text, among: names)
      throw words.wrong(word, Self.allowed(names) + hint)
    }
    return word.text
  }

  private func bells(
    _ words: inout Words
  ) throws(ScenarioError) -> [(onset: Span, role: String)] {
    var bells: [(onset: Span, role: String)] = []
    let roles = BellRole.allCases.map(\.name.description)
    repeat {
      let word = try words.take("a bell such as 10m:interval")
      let parts = word.text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw words.wrong(word, "a bell such as 10m:interval") }
      let onset = try length(
        Word(text: String(parts[0]), column: word.column), dropping: 0, words)
      let role = String(parts[1])
      guard roles.contains(role) else {
        throw words.wrong(
          Word(text: role, column: word.column + parts[0].utf8.count + 1), Self.allowed(roles))
      }
      bells.append((onset, role))
    } while !words.isEmpty
    return bells
  }

  private func inputs(_ words: inout Words) throws(ScenarioError) -> [String] {
    let kinds = ["press", "release", "click", "double", "long", "repeat"]
    let buttons = Button.allCases.filter { $0 != .crown }.map(\.name.description)
    var inputs: [String] = []
    while let word = words.take() {
      let parts = word.text.split(separator: ".", omittingEmptySubsequences: false)
      let isKnown =
        word.text == "+1" || word.text == "-1" || (parts.count == 1 && kinds.contains(word.text))
        || (parts.count == 2 && buttons.contains(String(parts[0]))
          && kinds.contains(String(parts[1])))
      guard isKnown else { throw words.wrong(word, "an input such as +1, click or play.press") }
      inputs.append(word.text)
    }
    return inputs
  }

  private func signed(_ words: inout Words, _ sign: Character) throws(ScenarioError) -> Int {
    let expected = "a count such as \(sign)12"
    let word = try words.take(expected)
    guard word.text.first == sign, let count = UInt32(word.text.dropFirst()) else {
      throw words.wrong(word, expected)
    }
    return Int(count)
  }

  private func record(_ words: inout Words) throws(ScenarioError) -> Expectation {
    let index = try number(&words, 1...1_000_000)
    var fields: [(field: String, value: String)] = []
    repeat {
      let field = try words.take("a field such as duration")
      guard SimulatedRecords.fields.contains(field.text) else {
        let hint = suggestion(for: field.text, among: SimulatedRecords.fields)
        throw words.wrong(field, Self.allowed(SimulatedRecords.fields) + hint)
      }
      let value = try words.take("a value")
      if SimulatedRecords.lengths.contains(field.text) && value.text != "none" {
        _ = try length(value, dropping: 0, words)
      }
      fields.append((field.text, value.text))
    } while !words.isEmpty
    return .record(index, fields)
  }
}
