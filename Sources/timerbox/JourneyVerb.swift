import Box
import ControlSocket
import LinuxIO
import Sessions
import Settings
import StoreFiles
import Zones

extension Verb {
  static let journey = Verb(
    "journey", "[list|begin NAME|end NAME|choose NAME|choose none]", words: 0...2,
    "begin, choose, count and end courses of practice",
    details: """
      A journey is a course of practice, with a goal of so many days or none. Sits that begin while
      it is chosen on a device belong to it, and its days are those on which there was one: "day 12
      of 100" says that twelve days are done. What begins under a name that goes on already is a new
      journey, and the earlier one ends. history --journey NAME shows the sits of all of that name.
      The choice is this device's own, and is made through the running box: so is set journey NAME.
      """,
    options: [
      Option(name: "--days", value: "N", help: "begin: the goal, 1 to 36500 days (none)")
    ], run: JourneyVerb.run)
}

/// What is said of journeys by more than one part.
enum JourneyWords {
  /// Why a journey of a name cannot be chosen or ended.
  static func unknown(_ name: String, _ journeys: Journeys) -> String {
    let running = journeys.all.filter { $0.ended == nil }.map(\.name)
    let hasEnded = !journeys.ids(named: name).isEmpty
    let reason =
      hasEnded ? "the journey \(quoted(name)) has ended" : "there is no journey \(quoted(name))"
    return reason + suggestion(for: name, among: running)
  }

  /// How far one is: `day 12 of 100`.
  static func day(_ days: Int, of journey: Journey) -> String {
    "day \(days)" + (journey.goalDays.map { " of \($0)" } ?? "")
  }
}

enum JourneyVerb {
  private static let words = ["list", "begin", "end", "choose"]

  static func run(_ options: Options) throws(VerbError) -> ExitStatus {
    let word = options.words.first ?? "list"
    if options.has("--days") && word != "begin" {
      throw Verb.journey.usageError("found --days, which means nothing to \(word)")
    }
    switch (word, options.words.count) {
    case ("list", 0...1): try list(options)
    case ("begin", 2): try begin(options.words[1], options)
    case ("end", 2): try end(options.words[1], options)
    case ("choose", 2): return try choose(options.words[1], options)
    case ("list", _): throw Verb.journey.usageError("list takes nothing more")
    case ("begin", _), ("end", _), ("choose", _):
      throw Verb.journey.usageError("\(word) needs the name of a journey")
    default:
      throw Verb.journey.usageError(
        "found \(quoted(word)), expected \(words.joined(separator: ", "))"
          + suggestion(for: word, among: words))
    }
    return .done
  }

  // MARK: - Looking

  /// A journey with what is derived of it.
  private struct Row {
    var journey: Journey
    var days: Int
    var isChosen: Bool
  }

  private static func list(_ options: Options) throws(VerbError) {
    let configuration = try Places.configuration(options)
    let store = try StoreFile(options).store
    let rule = store.dayRule(or: configuration.dayRule)
    let journeys = Journeys(store.definitions)
    let chosen = LocalSettings.look(state: Places.stateFolder(options)).file.journey
    let running = chosen.flatMap { journeys.running($0) }
    let sessions = journeys.all.isEmpty ? [] : store.sessions
    let rows = journeys.all.map { journey in
      Row(
        journey: journey, days: journey.daysSat(sessions, rule: rule),
        isChosen: journey.id == running?.id)
    }
    Output.write(options.has("--json") ? json(rows) : table(rows))
  }

  private static func table(_ rows: [Row]) -> String {
    if rows.isEmpty { return "No journeys yet.\n" }
    let width = rows.map { $0.journey.name.count }.max() ?? 0
    return rows.map { row in
      let journey = row.journey
      let name = StoreWords.plain(journey.name)
      let column = name + String(repeating: " ", count: max(0, width - name.count))
      let day = JourneyWords.day(row.days, of: journey)
      let end = journey.ended.map { ", ended \($0.text)" } ?? ""
      let reached = journey.isReached(days: row.days) ? ", its goal is reached" : ""
      return "\(row.isChosen ? "*" : " ") \(column)  \(day), begun \(journey.begun.text)\(end)"
        + "\(reached)\n"
    }.joined()
  }

  private static func json(_ rows: [Row]) -> String {
    let values = rows.map { row in
      JSONValue.object(of: [
        JSONMember("id", .string(row.journey.id)),
        JSONMember("name", .string(row.journey.name)),
        JSONMember("goalDays", row.journey.goalDays.map { .integer($0) } ?? .null),
        JSONMember("begun", .string(row.journey.begun.text)),
        JSONMember("ended", row.journey.ended.map { .string($0.text) } ?? .null),
        JSONMember("days", .integer(Int64(row.days))),
        JSONMember("chosen", .bool(row.isChosen)),
      ])
    }
    return String(decoding: JSONValue.array(values).encoded(), as: UTF8.self) + "\n"
  }

  // MARK: - Changing

  private static func begin(_ name: String, _ options: Options) throws(VerbError) {
    guard Journey.isName(name) else {
      throw Verb.journey.usageError(
        "found \(quoted(name)), expected a name of 1 to \(Journey.nameMax) characters other than "
          + "none")
    }
    let goal = try goalDays(options)
    let (store, today) = try storeAndToday(options)
    let id: Identity
    do throws(StoreFileFault) { id = try FolderDisk.randomIdentity() } catch {
      throw StoreDoor.verbError(error)
    }
    let journey = Journey(id: id.description, name: name, goalDays: goal, begun: today)
    let journeys = Journeys(store.definitions).beginning(journey)
    for journey in journeys { try write(journey, in: store, options) }
    Output.write("\(quoted(name)) has begun\(journeys.count == 1 ? "" : " anew").\n")
  }

  private static func end(_ name: String, _ options: Options) throws(VerbError) {
    let (store, today) = try storeAndToday(options)
    let journeys = Journeys(store.definitions)
    guard var journey = journeys.running(name) else {
      throw VerbError(status: .notHeld, message: JourneyWords.unknown(name, journeys))
    }
    journey.ended = today
    try write(journey, in: store, options)
    Output.write("\(quoted(name)) has ended.\n")
  }

  private static func choose(_ name: String, _ options: Options) throws(VerbError) -> ExitStatus {
    var request = ControlRequest(.set)
    request.key = "journey"
    request.value = name
    return try Client.show(try Client.ask(request), asJSON: options.has("--json"))
  }

  private static func goalDays(_ options: Options) throws(VerbError) -> Int64? {
    guard let text = options.value("--days") else { return nil }
    guard let days = Int64(text), Journey.goalRange.contains(days) else {
      throw Verb.journey.usageError(
        "--days: found \(quoted(text)), expected a whole number from "
          + "\(Journey.goalRange.lowerBound) to \(Journey.goalRange.upperBound)")
    }
    return days
  }

  /// What the store holds, and the day of practice now.
  private static func storeAndToday(
    _ options: Options
  ) throws(VerbError) -> (SessionStore, LocalDate) {
    let configuration = try Places.configuration(options)
    let store = try StoreFile(options).store
    let now = WallInstant(nanoseconds: Clock.wall())
    let zone = (try? Inputs.zone(Machine.zoneName())) ?? .utc
    let rule = store.dayRule(or: configuration.dayRule)
    return (store, rule.day(at: now, utcOffsetSeconds: zone.offsetSeconds(at: now)))
  }

  /// Members that this version does not know stay.
  private static func write(
    _ journey: Journey, in store: SessionStore, _ options: Options
  ) throws(VerbError) {
    let value = journey.value(over: store.value(forKey: journey.synced.key))
    try KeyValueVerb.change(journey.synced.key, to: value, options)
  }
}

extension Configuration {
  /// What makes a day of practice where the store does not say.
  var dayRule: DayRule {
    DayRule(startsSeconds: day.starts.wholeSeconds, graceDays: day.grace)
  }
}
