import Appliance
import Controls
import Settings
import Ticks
import TimerMachine
import Zones

/// Reads scenario files, strictly: a wrong statement is an error with its place, and one that this
/// version cannot do yet is refused as such, never ignored.
public struct ScenarioParser {
  private var scenario: Scenario
  private var hasEnd = false

  /// Reads a scenario.
  /// - Parameters:
  ///   - text: the whole file.
  ///   - file: its name, for errors.
  /// - Throws: the first error.
  public static func parse(_ text: String, file: String) throws(ScenarioError) -> Scenario {
    var parser = ScenarioParser(file: file)
    var number = 0
    // A byte-order mark is no word.
    let body = text.unicodeScalars.first == "\u{FEFF}" ? text.dropFirst() : text[...]
    let lines = body.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for line in lines {
      number += 1
      var words = Words(line: line, number: number, file: file)
      if !words.isEmpty { try parser.statement(&words) }
    }
    guard parser.hasEnd else {
      throw ScenarioError(
        file: file, line: number, column: 1, message: "found no \"end\", expected end LENGTH")
    }
    return parser.scenario
  }

  private init(file: String) {
    scenario = Scenario(file: file)
  }

  private static let timed = [
    "turn", "press", "down", "up", "wave", "start", "pause", "resume", "stop", "discard", "skip",
    "set", "wall", "disk", "expect",
  ]
  private static let untimed = ["at", "board", "end", "expect", "seed", "set", "wall"]
  private static let notBuilt = [
    "audio", "box", "clock", "join", "kill", "line", "lose", "on", "peer", "power-cut", "reader",
    "ring", "split", "suspend", "synced", "undo", "unset", "zone",
  ]

  private mutating func statement(_ words: inout Words) throws(ScenarioError) {
    let word = try words.take("a statement")
    switch word.text {
    case "at":
      let at = try length(&words)
      let verb = try words.take(Self.allowed(Self.timed))
      let place = Scenario.Place(line: words.line, column: verb.column)
      let action = try action(verb, &words)
      scenario.statements.append(
        Scenario.Statement(place: place, at: .zero + at, action: action))
    case "board": try board(&words)
    case "wall": try wall(&words)
    case "seed": scenario.seed = try seed(&words)
    case "set": try setting(&words)
    case "expect":
      let place = Scenario.Place(line: words.line, column: word.column)
      let expectation = try expectation(&words)
      scenario.statements.append(
        Scenario.Statement(place: place, at: nil, action: .expect(expectation)))
    case "end":
      scenario.end = .zero + (try length(&words))
      hasEnd = true
    default:
      if Self.timed.contains(word.text) { throw words.wrong(word, "\"at\" before it") }
      throw unknown(word, words, Self.untimed)
    }
    try words.end()
  }

  private mutating func action(
    _ verb: Word, _ words: inout Words
  ) throws(ScenarioError) -> Scenario.Action {
    switch verb.text {
    case "turn": return try turn(&words)
    case "press":
      let button = try button(&words)
      return .press(button, words.skip("for") ? try length(&words) : .milliseconds(100))
    case "down": return .level(try button(&words), .low)
    case "up": return .level(try button(&words), .high)
    case "wave": return try wave(&words)
    case "wall": return try wallChange(&words)
    case "disk": return .disk(try disk(&words))
    case "expect": return .expect(try expectation(&words))
    case "start": return .command(.start(try startLength(&words)))
    case "pause": return .command(.timer(.pause))
    case "resume": return .command(.timer(.resume))
    case "stop": return .command(.timer(.stop))
    case "discard": return .command(.timer(.discard))
    case "skip": return .command(.timer(.skip))
    case "set": return try localChoice(&words)
    default: throw unknown(verb, words, Self.timed)
    }
  }

  private func unknown(_ word: Word, _ words: Words, _ known: [String]) -> ScenarioError {
    if Self.notBuilt.contains(word.text) { return words.notBuilt(word) }
    let hint = suggestion(for: word.text, among: known + Self.timed + Self.notBuilt)
    return words.wrong(word, Self.allowed(known) + hint)
  }

  static func allowed(_ words: [String]) -> String {
    "one of: " + words.joined(separator: ", ")
  }

  // MARK: - Statements

  private func board(_ words: inout Words) throws(ScenarioError) {
    let word = try words.take("a board")
    if word.text != "simulated" { throw words.notBuilt(word) }
  }

  private mutating func wall(_ words: inout Words) throws(ScenarioError) {
    scenario.wall = try timestamp(&words)
    guard let zone = words.take() else { return }
    scenario.zone = zone.text
    scenario.zonePlace = Scenario.Place(line: words.line, column: zone.column)
  }

  private func wallChange(_ words: inout Words) throws(ScenarioError) -> Scenario.Action {
    guard let word = words.peek, let sign = word.text.first, sign == "+" || sign == "-" else {
      return .wallSet(try timestamp(&words))
    }
    _ = words.take()
    let span = try length(word, dropping: 1, words)
    return .wallStep(sign == "+" ? span : Span.zero - span)
  }

  private mutating func setting(_ words: inout Words) throws(ScenarioError) {
    let key = try words.take("a key such as sit.preparation")
    let place = Scenario.Place(line: words.line, column: key.column)
    if words.isEmpty { throw words.wrong(nil, "a value") }
    scenario.settings.append(
      Scenario.Setting(place: place, key: key.text, value: words.rest()))
  }

  private func localChoice(_ words: inout Words) throws(ScenarioError) -> Scenario.Action {
    let key = try words.take("a device-local choice such as volume")
    guard key.text == "volume" else {
      if key.text.hasPrefix("volume.") { throw words.notBuilt(key) }
      if ["programme", "brightness", "picture", "rating", "sound.device"].contains(key.text) {
        throw words.notBuilt(key)
      }
      throw words.wrong(key, "a device-local choice such as volume")
    }
    return .command(.setVolume(try number(&words, 0...100)))
  }

  private func turn(_ words: inout Words) throws(ScenarioError) -> Scenario.Action {
    let detents = try number(&words, -10_000...10_000)
    var every = Span.milliseconds(50)
    if words.skip("every") {
      let word = try words.take("a length")
      every = try length(word, dropping: 0, words)
      guard every > .zero else { throw words.wrong(word, "a length greater than 0") }
    }
    return .turn(detents, every: every)
  }

  private func wave(_ words: inout Words) throws(ScenarioError) -> Scenario.Action {
    let form = "an edge such as 5000:B0"
    var edges: [(after: Span, line: Line, level: Level)] = []
    repeat {
      let word = try words.take(form)
      let parts = word.text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let micros = Int64(parts[0]), (0...86_400_000_000).contains(micros),
        parts[1].utf8.count == 2, let letter = parts[1].utf8.first,
        let line = Line(letter: letter), let level = parts[1].last.flatMap({ UInt8(String($0)) }),
        let raw = Level(rawValue: level)
      else { throw words.wrong(word, form) }
      edges.append((.microseconds(micros), line, raw))
    } while !words.isEmpty
    return .wave(edges)
  }

  private func disk(_ words: inout Words) throws(ScenarioError) -> DiskState {
    let states = ["ok", "full", "read-only", "slow", "error"]
    let word = try words.take(Self.allowed(states))
    switch word.text {
    case "ok": return .ok
    case "full": return .full
    case "read-only": return .readOnly
    case "error": return .error
    case "slow": return .slow(try length(&words))
    default: throw unknown(word, words, states)
    }
  }

  private func startLength(_ words: inout Words) throws(ScenarioError) -> SitLength {
    var length = SitLength.set
    while let word = words.take() {
      switch word.text {
      case "--open": length = .open
      case "--anyway": break
      case "--until": throw words.notBuilt(word)
      case "simple": break
      default:
        let span = try self.length(word, dropping: 0, words)
        guard (.minutes(1)...(.hours(168))).contains(span) else {
          throw words.wrong(word, "a length from 1m to 7d")
        }
        length = .fixed(span)
      }
    }
    return length
  }
}

// MARK: - Words that several statements use

extension ScenarioParser {
  func length(_ words: inout Words) throws(ScenarioError) -> Span {
    try length(try words.take("a length such as 1m30s"), dropping: 0, words)
  }

  func length(
    _ word: Word, dropping count: Int, _ words: Words
  ) throws(ScenarioError) -> Span {
    do throws(LengthError) {
      return try Span(length: word.text.dropFirst(count))
    } catch {
      throw words.wrong(word, "\(error.expected)", column: word.column + count + error.column - 1)
    }
  }

  func number(
    _ words: inout Words, _ range: ClosedRange<Int>
  ) throws(ScenarioError) -> Int {
    let expected = "a number from \(range.lowerBound) to \(range.upperBound)"
    let word = try words.take(expected)
    let digits = word.text.first == "+" ? word.text.dropFirst() : word.text[...]
    guard let value = Int(digits), range.contains(value) else {
      throw words.wrong(word, expected)
    }
    return value
  }

  func button(_ words: inout Words) throws(ScenarioError) -> Button {
    let names = Button.allCases.map(\.name.description)
    let word = try words.take(Self.allowed(names))
    guard let button = Button.allCases.first(where: { $0.name.description == word.text }) else {
      let hint = suggestion(for: word.text, among: names)
      throw words.wrong(word, Self.allowed(names) + hint)
    }
    return button
  }

  private func timestamp(_ words: inout Words) throws(ScenarioError) -> Timestamp {
    let word = try words.take("an instant such as 2026-11-30T06:00:00+09:00")
    do throws(TimestampError) {
      return try Timestamp(text: word.text)
    } catch {
      throw words.wrong(word, error.expected, column: word.column + error.column - 1)
    }
  }

  private func seed(_ words: inout Words) throws(ScenarioError) -> UInt64 {
    let expected = "a number from 0 to 18446744073709551615"
    let word = try words.take(expected)
    guard let seed = UInt64(word.text) else { throw words.wrong(word, expected) }
    return seed
  }
}
