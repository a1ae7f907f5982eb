import Appliance
import Bells
import Controls
import Settings
import Ticks
import TimerMachine
import Zones

/// Reads scenario files, strictly: a wrong statement is an error with its place, and one that this
/// version cannot do yet is refused as such, never ignored.
public struct ScenarioParser {
  var scenario: Scenario
  /// What is set for all boxes.
  private(set) var common = Configuration()
  var hasNamedBox = false
  /// The box that the statement at hand is for; nil for all of them.
  private var box: Int?
  private var hasEnd = false
  private let boards: (String) -> Result<Board, LookupError>
  let files: (String) -> Result<[UInt8], LookupError>
  let zones: (String) -> Result<ZoneRules, LookupError>
  /// The lines of statements that may stand once, by what they set.
  private var firstLines: [String: Int] = [:]

  /// Reads a scenario.
  /// - Parameters:
  ///   - text: the whole file.
  ///   - file: its name, for errors.
  ///   - boards: finds the board of a name or a file. Without it there is only the simulated one.
  ///   - files: reads a replica that the scenario names. Without it there is none.
  ///   - zones: finds the rules of a zone by its name. Without it there is only UTC.
  /// - Throws: the first error.
  public static func parse(
    _ text: String, file: String,
    boards: @escaping (String) -> Result<Board, LookupError> = { LookupError.only($0) },
    files: @escaping (String) -> Result<[UInt8], LookupError> = { LookupError.noFile($0) },
    zones: @escaping (String) -> Result<ZoneRules, LookupError> = { LookupError.onlyUTC($0) }
  ) throws(ScenarioError) -> Scenario {
    var parser = ScenarioParser(file: file, boards: boards, files: files, zones: zones)
    var number = 0
    // A byte-order mark is no word.
    let body = text.unicodeScalars.first == "\u{FEFF}" ? text.dropFirst() : text[...]
    for line in body.split(omittingEmptySubsequences: false, whereSeparator: isLineEnd) {
      number += 1
      var words = try Words(line: line, number: number, file: file)
      if !words.isEmpty { try parser.statement(&words) }
    }
    guard parser.hasEnd else {
      throw ScenarioError(
        file: file, line: number, column: 1, message: "found no \"end\", expected end LENGTH")
    }
    try parser.checkInstants()
    try parser.checkSettings()
    return parser.scenario
  }

  private static func isLineEnd(_ character: Character) -> Bool {
    character == "\n" || character == "\r\n"
  }

  private init(
    file: String, boards: @escaping (String) -> Result<Board, LookupError>,
    files: @escaping (String) -> Result<[UInt8], LookupError>,
    zones: @escaping (String) -> Result<ZoneRules, LookupError>
  ) {
    scenario = Scenario(file: file)
    self.boards = boards
    self.files = files
    self.zones = zones
  }

  private static let timed = [
    "turn", "press", "down", "up", "wave", "start", "pause", "resume", "stop", "discard", "skip",
    "undo", "ring", "set", "unset", "wall", "synced", "zone", "suspend", "power-cut", "kill",
    "audio", "disk", "truth", "line", "lose", "reader", "split", "join", "peer", "copy", "kv",
    "journey", "expect",
  ]
  private static let untimed = [
    "at", "board", "box", "clock", "end", "expect", "on", "seed", "set", "wall",
  ]

  private mutating func statement(_ words: inout Words) throws(ScenarioError) {
    let word = try words.take("a statement")
    let place = Scenario.Place(line: words.line, column: word.column)
    if ["board", "clock", "end", "seed", "wall"].contains(word.text) {
      try expectFirst(word.text, word, words)
    }
    switch word.text {
    case "at": try timedStatement(&words)
    case "on": try addressed(&words)
    case "box": try namedBox(&words)
    case "board": try board(&words)
    case "clock":
      scenario.hasBatteryClock = try choice(&words, ["synced", "unsynced"]) == "synced"
    case "wall": try wall(&words)
    case "seed": scenario.seed = try seed(&words)
    case "set": try setting(&words, place)
    case "expect": add(.expect(try expectation(&words)), nil, place)
    case "end":
      scenario.end = .zero + (try length(&words))
      hasEnd = true
    default:
      if Self.timed.contains(word.text) { throw words.wrong(word, "\"at\" before it") }
      throw unknown(word, words, Self.untimed)
    }
    try words.end()
  }

  /// A statement for one box.
  private mutating func addressed(_ words: inout Words) throws(ScenarioError) {
    box = try boxNamed(&words)
    defer { box = nil }
    let place = Scenario.Place(line: words.line, column: words.nextColumn)
    switch try choice(&words, ["at", "expect", "set"]) {
    case "at": try timedStatement(&words)
    case "set": try setting(&words, place)
    default: add(.expect(try expectation(&words)), nil, place)
    }
  }

  private mutating func timedStatement(_ words: inout Words) throws(ScenarioError) {
    let place = Scenario.Place(line: words.line, column: words.nextColumn)
    let at = try length(&words)
    let verb = try words.take(oneOf(Self.timed))
    add(try action(verb, &words), .zero + at, place)
  }

  private mutating func add(
    _ action: Scenario.Action, _ at: Instant?, _ place: Scenario.Place
  ) {
    scenario.statements.append(
      Scenario.Statement(place: place, at: at, box: box, action: action))
  }

  /// What would be overruled by a later line is a mistake, and is not left unsaid.
  private mutating func expectFirst(
    _ what: String, _ word: Word, _ words: Words
  ) throws(ScenarioError) {
    guard let line = firstLines.updateValue(words.line, forKey: what) else { return }
    throw words.error(
      "found a second \(quoted(what)), expected it once; the first is on line \(line)",
      word.column)
  }

  /// A statement after the end would never happen.
  private func checkInstants() throws(ScenarioError) {
    for statement in scenario.statements {
      guard let at = statement.at, at > scenario.end else { continue }
      let (found, end) = ((at - .zero).lengthText, (scenario.end - .zero).lengthText)
      throw error(
        statement.place, "found \(quoted(found)), expected an instant up to the end, \(end)")
    }
  }

  private func checkSettings() throws(ScenarioError) {
    do throws(SettingsProblems) {
      for box in scenario.boxes {
        try box.configuration.check(sounds: Sound.catalogue.map(\.name))
      }
    } catch {
      throw scenarioError(error.errors[0])
    }
  }

  private func scenarioError(_ error: SettingsError) -> ScenarioError {
    let place = Scenario.Place(line: error.place?.line ?? 1, column: error.place?.column ?? 1)
    return self.error(place, SettingsError(error.fault).text)
  }

  private func error(_ place: Scenario.Place, _ message: String) -> ScenarioError {
    ScenarioError(
      file: scenario.file, line: place.line, column: place.column, message: message)
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
    case "synced": return .synced
    case "zone": return .zone(try zone(&words))
    case "suspend": return .suspend(try length(&words))
    case "power-cut": return .outage(.powerCut, try length(&words))
    case "kill": return .outage(.kill, try length(&words))
    case "disk": return .disk(try disk(&words))
    case "truth":
      _ = try choice(&words, ["damaged"])
      return .truthDamaged
    case "line": return try lineCondition(&words)
    case "lose": return .lose(try loss(&words))
    case "reader": return .reader(try reading(&words))
    case "expect": return .expect(try expectation(&words))
    case "start": return try start(&words)
    case "pause": return .command(.timer(.pause))
    case "resume": return .command(.timer(.resume))
    case "stop": return .command(.timer(.stop))
    case "discard": return .command(.timer(.discard))
    case "skip": return .command(.timer(.skip))
    case "ring": return .command(try ring(&words))
    case "set": return .command(try localChoice(&words, isSet: true))
    case "unset": return .command(try localChoice(&words, isSet: false))
    case "undo": return .command(.undo)
    case "audio": return .audio(try audio(&words))
    case "split": return .share(.split)
    case "join": return .share(.join)
    case "peer": return try peer(&words)
    case "copy": return try copy(&words)
    case "kv": return try keyValue(&words)
    case "journey": return .journey(try journey(&words))
    default: throw unknown(verb, words, Self.timed)
    }
  }

  private func unknown(_ word: Word, _ words: Words, _ known: [String]) -> ScenarioError {
    let hint = suggestion(for: word.text, among: known + Self.timed)
    return words.wrong(word, oneOf(known) + hint)
  }

  // MARK: - Statements

  /// A board brings settings of its own, and what the scenario sets stands above them.
  private mutating func board(_ words: inout Words) throws(ScenarioError) {
    let word = try words.take("a board")
    let sets = firstLines.keys.filter { $0.hasPrefix("set ") || $0.hasPrefix("on ") }
    if let key = sets.min() {
      throw words.error("found \"board\" after \(quoted(key)), expected it before", 1)
    }
    switch boards(word.text) {
    case .success(let board):
      scenario.board = board
      common = Configuration(board: board)
      for index in scenario.boxes.indices { scenario.boxes[index].configuration = common }
    case .failure(let error): throw words.error(error.message, word.column)
    }
  }

  private mutating func wall(_ words: inout Words) throws(ScenarioError) {
    scenario.wall = try timestamp(&words)
    if !words.isEmpty { scenario.zone = try zone(&words) }
  }

  private func wallChange(_ words: inout Words) throws(ScenarioError) -> Scenario.Action {
    guard let word = words.peek, let sign = word.text.first, sign == "+" || sign == "-" else {
      return .wallSet(try timestamp(&words))
    }
    _ = words.take()
    let span = try length(word, dropping: 1, words)
    return .wallStep(sign == "+" ? span : Span.zero - span)
  }

  private mutating func setting(
    _ words: inout Words, _ place: Scenario.Place
  ) throws(ScenarioError) {
    guard let key = words.peek else { throw words.wrong(nil, "a key such as sit.preparation") }
    let owner = box.map { "on \(scenario.boxes[$0].name) " } ?? ""
    try expectFirst("\(owner)set \(key.text)", key, words)
    if isLocalChoice(key.text) {
      // It holds from the start, before whatever else happens at 0.
      let choice = Scenario.Statement(
        place: place, at: .zero, box: box,
        action: .command(try localChoice(&words, isSet: true)))
      return scenario.statements.insert(choice, at: 0)
    }
    _ = words.take()
    let keyPlace = words.place(key.column)
    let valuePlace = words.place(words.nextColumn)
    if words.isEmpty { throw words.wrong(nil, "a value") }
    do throws(SettingsError) {
      let value = words.rest()
      if box == nil {
        try common.set(key: key.text, value: value, keyPlace: keyPlace, valuePlace: valuePlace)
      }
      for index in scenario.boxes.indices where box ?? index == index {
        try scenario.boxes[index].configuration.set(
          key: key.text, value: value, keyPlace: keyPlace, valuePlace: valuePlace)
      }
    } catch {
      throw scenarioError(error)
    }
  }

  private func turn(_ words: inout Words) throws(ScenarioError) -> Scenario.Action {
    let detents = try number(&words, -10_000...10_000)
    var every = Span.milliseconds(50)
    if words.skip("every") {
      let range = Span.microseconds(1)...Span.hours(1)
      let expected = "a length from 1us to 1h"
      let word = try words.take(expected)
      every = try length(word, dropping: 0, words)
      guard range.contains(every) else { throw words.wrong(word, expected) }
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
    switch try choice(&words, ["ok", "full", "read-only", "slow", "error"]) {
    case "full": return .full
    case "read-only": return .readOnly
    case "error": return .error
    case "slow": return .slow(try length(&words))
    default: return .ok
    }
  }
}
