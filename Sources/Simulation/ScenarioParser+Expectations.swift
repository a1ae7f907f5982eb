import Appliance
import Controls
import Settings
import Ticks
import TimerMachine
import Zones

extension ScenarioParser {
  private static let expectations = [
    "bells", "copies", "cues", "day-total", "degraded", "detents", "elapsed", "elsewhere", "focus",
    "inputs", "journey", "kv", "missed", "no", "offered", "openings", "output", "phase",
    "programme", "record", "records", "recovered", "remaining", "segment", "set", "streak", "usage",
    "volume",
  ]

  func expectation(_ words: inout Words) throws(ScenarioError) -> Expectation {
    let word = try words.take(oneOf(Self.expectations))
    switch word.text {
    case "phase": return .phase(try choice(&words, Phase.allCases.map(\.name.description)))
    case "remaining": return .remaining(try length(&words))
    case "elapsed": return .elapsed(try length(&words))
    case "set": return .set(try length(&words))
    case "volume": return .volume(try number(&words, 0...100))
    case "focus":
      return .focus(try choice(&words, Appliance.focusNames(programmes: programmeNames) + ["none"]))
    case "records": return .records(try number(&words, 0...1_000_000))
    case "recovered": return .recovered(try number(&words, 0...1_000_000))
    case "offered": return .offered(try number(&words, 0...1_000_000))
    case "streak": return try streak(&words)
    case "day-total": return .dayTotal(try date(&words), try length(&words))
    case "programme": return .programme(try words.take("a programme").text)
    case "segment": return .segment(try words.take("a kind of segment, or none").text)
    case "elsewhere":
      return .elsewhere(try choice(&words, scenario.boxes.map(\.name) + ["none"]))
    case "journey":
      let name = try words.take("the name of a journey").text
      if words.isEmpty { throw words.wrong(nil, "how far it is, such as day 12 of 100, or none") }
      return .journey(name, words.rest())
    case "copies": return .copies(try number(&words, 0...1_000_000))
    case "usage": return .usage(try number(&words, 0...1_048_576))
    case "kv":
      let key = try words.take("a key").text
      return .keyValue(key, words.skip("none") ? nil : try json(&words))
    case "degraded": return .degraded(words.rest())
    case "bells": return .bells(try bells(&words))
    case "cues": return .cues(try cues(&words))
    case "missed": return .missed(try number(&words, 0...1_000_000))
    case "openings": return .openings(try number(&words, 0...1_000_000))
    case "output":
      return .output(try choice(&words, SimulatedOutput.State.allCases.map(\.rawValue)))
    case "no":
      return try choice(&words, ["bell", "cue"]) == "bell" ? .bells([]) : .cues([])
    case "inputs": return .inputs(try inputs(&words))
    case "detents":
      return .detents(
        clockwise: try signed(&words, "+"), counterclockwise: try signed(&words, "-"))
    case "record": return try record(&words)
    default:
      let hint = suggestion(for: word.text, among: Self.expectations)
      throw words.wrong(word, oneOf(Self.expectations) + hint)
    }
  }

  private var programmeNames: [String] {
    scenario.boxes.flatMap { $0.configuration.programmes().programmes.map(\.name) }
  }

  private func streak(_ words: inout Words) throws(ScenarioError) -> Expectation {
    let count = try number(&words, 0...1_000_000)
    guard !words.isEmpty else { return .streak(count, isDue: nil) }
    return .streak(count, isDue: try choice(&words, ["due", "sat"]) == "due")
  }

  private func date(_ words: inout Words) throws(ScenarioError) -> LocalDate {
    let expected = "a date such as 2026-11-30"
    let word = try words.take(expected)
    let parts = word.text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard word.text.utf8.count == 10, parts.count == 3, numbers.count == 3,
      let date = LocalDate(year: numbers[0], month: numbers[1], day: numbers[2])
    else { throw words.wrong(word, expected) }
    return date
  }

  private func bells(
    _ words: inout Words
  ) throws(ScenarioError) -> [(onset: Span, role: String)] {
    let found = try onsets(
      &words, BellRole.allCases.map(\.name.description), "a bell such as 10m:interval")
    return found.map { ($0.onset, $0.name) }
  }

  private func cues(
    _ words: inout Words
  ) throws(ScenarioError) -> [(onset: Span, name: String)] {
    try onsets(&words, Cue.allCases.map(\.name), "a cue such as 10m:pause")
  }

  private func onsets(
    _ words: inout Words, _ names: [String], _ expected: String
  ) throws(ScenarioError) -> [(onset: Span, name: String)] {
    var found: [(onset: Span, name: String)] = []
    repeat {
      let word = try words.take(expected)
      let parts = word.text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw words.wrong(word, expected) }
      let onset = try length(
        Word(text: String(parts[0]), column: word.column), dropping: 0, words)
      let name = String(parts[1])
      guard names.contains(name) else {
        throw words.wrong(
          Word(text: name, column: word.column + parts[0].utf8.count + 1),
          oneOf(names) + suggestion(for: name, among: names))
      }
      found.append((onset, name))
    } while !words.isEmpty
    return found
  }

  private func inputs(_ words: inout Words) throws(ScenarioError) -> [String] {
    let kinds = ["press", "release", "click", "double", "long", "repeat"]
    let buttons = Button.allCases.filter { $0 != .crown }.map(\.name.description)
    let names =
      ["+1", "-1"] + kinds + buttons.flatMap { button in kinds.map { "\(button).\($0)" } }
    var inputs: [String] = []
    while let word = words.take() {
      guard names.contains(word.text) else {
        // The crown's inputs are bare.
        let isCrown = word.text.hasPrefix("crown.")
        let hint = suggestion(for: String(word.text.dropFirst(isCrown ? 6 : 0)), among: names)
        throw words.wrong(word, "an input such as +1, click or play.press" + hint)
      }
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
      let field = try choice(&words, SimulatedRecords.fields)
      let value = try words.take("a value")
      if SimulatedRecords.lengths.contains(field) && value.text != SimulatedRecords.none {
        _ = try length(value, dropping: 0, words)
      }
      fields.append((field, value.text))
    } while !words.isEmpty
    return .record(index, fields)
  }
}
