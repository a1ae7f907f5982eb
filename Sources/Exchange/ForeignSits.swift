import Sessions
import Zones

/// A sit as Return's apps encode it: the default of Swift's `JSONEncoder`, in which a date is the
/// number of seconds since 2001-01-01T00:00:00Z.
enum ReturnSit {
  /// 2001-01-01T00:00:00Z in milliseconds since 1970.
  private static let epochMilliseconds: Int64 = 978_307_200_000

  static func isOne(_ json: JSONValue) -> Bool {
    if case .number? = json["startDate"] { true } else { false }
  }

  /// - Parameter zone: where the sit was sat, which the apps do not say.
  static func session(
    _ json: JSONValue, _ zone: ZoneRules
  ) throws(FieldProblem) -> MeditationSession {
    let start = try instant("startDate", json)
    let offset = Int64(zone.offsetSeconds(atUnixSeconds: start.milliseconds / 1_000))
    var members = (json.members ?? []).filter { member in
      // An optional without a value is a field that is not there.
      member.value != .null || member.name == "plannedSeconds"
    }
    func put(_ name: String, _ value: JSONValue) {
      members.removeAll { $0.name == name }
      members.append(JSONMember(name, value))
    }
    let end = json["endDate"] == nil ? nil : try instant("endDate", json)
    if let seconds = json["durationSeconds"], let whole = wholeSeconds(seconds) {
      put("durationSeconds", .integer(whole))
    } else if json["durationSeconds"] == nil, let end {
      put("durationSeconds", .integer((end.milliseconds - start.milliseconds) / 1_000))
    }
    put("startDate", .string(start.text(offsetSeconds: offset)))
    if let end { put("endDate", .string(end.text(offsetSeconds: offset))) }
    if json["utcOffsetSeconds"] == nil { put("utcOffsetSeconds", .integer(offset)) }
    // It was none of our boxes, and an app that does not say which one it is has no name here.
    if json["sourceDevice"] == nil { put("sourceDevice", .string("unknown")) }
    return try MeditationSession(json: .object(of: members))
  }

  private static func instant(
    _ name: String, _ json: JSONValue
  ) throws(FieldProblem) -> WallInstant {
    guard case .number(let digits)? = json[name], let seconds = Double(digits),
      // Within it no double of milliseconds is too large for an integer.
      abs(seconds) < 1e12
    else { throw FieldProblem("\(name): expected seconds since 2001-01-01") }
    return WallInstant(
      milliseconds: epochMilliseconds + Int64((seconds * 1_000).rounded()))
  }

  /// A length that may have been written as a double, rounded down.
  private static func wholeSeconds(_ json: JSONValue) -> Int64? {
    guard case .number(let digits) = json, let seconds = Double(digits), abs(seconds) < 1e12
    else { return nil }
    return Int64(seconds.rounded(.down))
  }
}

/// A sit of Insight Timer's export:
///
///     Started At,Duration,Preset,Activity
///     04/20/2026 08:21:14,0:45:0,,Meditation
///
/// The start is a local time, month before day, without a zone. The duration is hours, minutes and
/// seconds. Numbers may have one digit or two.
enum InsightTimerSit {
  static func isHeader(_ names: [String]) -> Bool {
    let names = names.map { $0.lowercased() }
    return names.contains("started at") && names.contains("duration")
  }

  /// - Parameter zone: where the sit was sat.
  static func session(
    _ names: [String], _ cells: [String], _ zone: ZoneRules
  ) throws(FieldProblem) -> MeditationSession {
    func cell(_ name: String) -> String? {
      let index = names.firstIndex { $0.lowercased() == name }
      let text = index.map { CSVTable.trimmed(cells[$0]) }
      return text?.isEmpty == true ? nil : text
    }
    let began = cell("started at") ?? ""
    guard let local = localSeconds(began) else {
      throw FieldProblem(
        "Started At: found \"\(began.prefix(60))\", expected month/day/year hour:minute:second")
    }
    let lasted = cell("duration") ?? ""
    guard let seconds = duration(lasted), seconds > 0 else {
      throw FieldProblem(
        "Duration: found \"\(lasted.prefix(60))\", expected hours:minutes:seconds, one second "
          + "or more")
    }
    let unixSeconds = zone.unixSeconds(local: local)
    // The same row gives the same sit on every box, in whatever zone it is read.
    let content = ["insight-timer", began, lasted, cell("preset") ?? "", cell("activity") ?? ""]
    var session = MeditationSession(
      id: Identity(
        named: Array(content.joined(separator: "\u{1F}").utf8), in: MeditationSession.namespace),
      startDate: WallInstant(milliseconds: unixSeconds * 1_000),
      endDate: WallInstant(milliseconds: (unixSeconds + seconds) * 1_000),
      durationSeconds: seconds, plannedSeconds: nil)
    session.utcOffsetSeconds = Int64(zone.offsetSeconds(atUnixSeconds: unixSeconds))
    session.sourceDevice = .init("insightTimer")
    session.programme = cell("preset") ?? cell("activity")
    if cell("preset") != nil, let activity = cell("activity") {
      session.unknown = [JSONMember("activity", .string(activity))]
    }
    return session
  }

  /// Seconds from 1970-01-01T00:00:00 to a time on the same wall.
  private static func localSeconds(_ text: String) -> Int64? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let date = numbers(words[0], "/"), let clock = numbers(words[1], ":"),
      (1970...9_998).contains(date[2]), clock[0] < 24,
      clock[1] < 60, clock[2] < 60,
      let day = LocalDate(year: date[2], month: date[0], day: date[1])
    else { return nil }
    return day.daysSinceEpoch * 86_400 + Int64(clock[0] * 3_600 + clock[1] * 60 + clock[2])
  }

  private static func duration(_ text: String) -> Int64? {
    guard let parts = numbers(text[...], ":"), parts[1] < 60, parts[2] < 60 else { return nil }
    return Int64(parts[0] * 3_600 + parts[1] * 60 + parts[2])
  }

  /// Three numbers of one to four digits.
  private static func numbers(_ text: Substring, _ separator: Character) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      (1...4).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? Int(part) : nil
    }
    return parts.count == 3 && numbers.count == 3 ? numbers : nil
  }
}

extension ZoneRules {
  /// The instant at which a wall in this zone shows a time.
  ///
  /// Where clocks go back it is shown twice, and the first one is meant. Where they go forward it
  /// is never shown: what was meant is as long after the last time shown as the text says.
  /// - Parameter local: seconds from 1970-01-01T00:00:00 on the wall to that time.
  func unixSeconds(local: Int64) -> Int64 {
    // No offset is a day, so one of these holds before and one after any change nearby.
    let before = Int64(offsetSeconds(atUnixSeconds: local - 86_400))
    let after = Int64(offsetSeconds(atUnixSeconds: local + 86_400))
    let found = [before, after].map { local - $0 }.first { instant in
      Int64(offsetSeconds(atUnixSeconds: instant)) == local - instant
    }
    return found ?? local - before
  }
}
