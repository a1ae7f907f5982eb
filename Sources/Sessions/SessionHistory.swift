/// The sits as a person or a script is shown them (CONTRACT, "History").
public struct SessionHistory: Sendable {
  /// Oldest first.
  public var sessions: [MeditationSession]
  /// The owner's rule of days.
  public var rule: DayRule
  /// What a reader is told where there are none.
  public var emptyText = "No sits yet.\n"

  /// Makes a history.
  /// - Parameters:
  ///   - sessions: oldest first, as `SessionStore.sessions` gives them.
  ///   - rule: the owner's rule of days.
  public init(_ sessions: [MeditationSession], rule: DayRule = DayRule()) {
    self.sessions = sessions
    self.rule = rule
  }

  /// The sits of a history that a filter means.
  public func filtered(by filter: SessionFilter) -> SessionHistory {
    var history = self
    history.sessions = sessions.filter { filter.admits($0, rule: rule) }
    if !sessions.isEmpty { history.emptyText = "No sit fits.\n" }
    return history
  }

  /// A JSON array with one sit a line, ended by a line feed.
  public var json: [UInt8] {
    var bytes = Array("[".utf8)
    for (index, session) in sessions.enumerated() {
      bytes += Array((index == 0 ? "\n" : ",\n").utf8)
      let day = JSONMember("day", .string(day(of: session)))
      let others = (session.json.members ?? []).filter { $0.name != "day" }
      JSONValue.object(of: others + [day]).encode(into: &bytes)
    }
    bytes += Array((sessions.isEmpty ? "]\n" : "\n]\n").utf8)
    return bytes
  }

  /// A table for people: day, time of day, length, what was planned, programme, and remarks.
  public var table: String {
    if sessions.isEmpty { return emptyText }
    var lines = ["day         began   sat       planned   programme"]
    let shortened = CountedSits(sessions).shortened
    for session in sessions {
      let began = session.startDate.text(offsetSeconds: session.utcOffsetSeconds).dropFirst(11)
      // A sit without a programme comes from elsewhere, and nobody knows what was planned.
      let unplanned = session.programme == nil ? "" : "open"
      let planned = session.plannedSeconds.map(SessionHistory.length) ?? unplanned
      let columns =
        day(of: session) + "  " + began.prefix(5) + "   "
        + SessionHistory.padded(SessionHistory.length(session.durationSeconds)) + planned
      let remarks = remarks(on: session, counting: shortened[session.id])
      lines.append(
        remarks.isEmpty
          ? columns
          : SessionHistory.padded(columns, to: 39) + remarks.joined(separator: ", "))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func day(of session: MeditationSession) -> String {
    rule.day(of: session).text
  }

  /// - Parameter counted: what it counts where it shares time with others.
  private func remarks(on session: MeditationSession, counting counted: Int64?) -> [String] {
    var remarks: [String] = []
    if let programme = session.programme { remarks.append(SessionHistory.plain(programme)) }
    if !session.completed { remarks.append("stopped early") }
    if session.clock == .unsynced { remarks.append("date uncertain") }
    if let problem = session.impossibility { remarks.append("not counted: \(problem)") }
    if counted == 0 { remarks.append("not counted: sat at the time of another sit") }
    if let counted, counted > 0 {
      remarks.append("counts \(SessionHistory.length(counted)): the rest is another sit's time too")
    }
    return remarks
  }

  /// A length for people: `25m`, `1h05m`, `12m30s`, `45s`.
  public static func length(_ seconds: Int64) -> String {
    if seconds < 0 { return "\(seconds)s" }
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    if hours > 0 { return "\(hours)h\(minutes, digits: 2)m" }
    if minutes == 0 { return "\(rest)s" }
    return rest == 0 ? "\(minutes)m" : "\(minutes)m\(rest, digits: 2)s"
  }

  /// A name from outside must not steer a terminal.
  private static func plain(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      plain.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(plain)
  }

  static func padded(_ text: String, to width: Int = 10) -> String {
    text + String(repeating: " ", count: max(1, width - text.utf8.count))
  }
}

extension MeditationSession {
  /// The sit under the names of PRODUCT.md, dates as ISO 8601 in its own offset. Every known field
  /// is there, null where it has no value.
  public var json: JSONValue {
    func date(_ instant: WallInstant) -> JSONValue {
      .string(instant.text(offsetSeconds: utcOffsetSeconds))
    }
    let known: [JSONMember] = [
      JSONMember("id", .string(id.description)),
      JSONMember("startDate", date(startDate)),
      JSONMember("endDate", date(endDate)),
      JSONMember("durationSeconds", .integer(durationSeconds)),
      JSONMember("sourceDevice", .string(sourceDevice.name)),
      JSONMember("syncedToHealthKit", .bool(syncedToHealthKit)),
      JSONMember("plannedSeconds", plannedSeconds.map(JSONValue.integer) ?? .null),
      JSONMember("overtimeSeconds", .integer(overtimeSeconds)),
      JSONMember("unconfirmedSeconds", .integer(unconfirmedSeconds)),
      JSONMember("completed", .bool(completed)),
      JSONMember(
        "interruptions",
        .array(
          interruptions.map { interruption in
            .object(of: [
              JSONMember("from", date(interruption.from)), JSONMember("to", date(interruption.to)),
              JSONMember("kind", .string(interruption.kind.name)),
            ])
          })),
      JSONMember("utcOffsetSeconds", .integer(utcOffsetSeconds)),
      JSONMember("programme", programme.map(JSONValue.string) ?? .null),
      JSONMember("journey", journey.map(JSONValue.string) ?? .null),
      JSONMember("rating", rating.map(JSONValue.integer) ?? .null),
      JSONMember("note", note.map(JSONValue.string) ?? .null),
      JSONMember("clock", .string(clock.name)),
    ]
    let names = known.map(\.name)
    // A name that this version uses itself cannot be shown twice; the replica still keeps it.
    let others = unknown.filter { member in
      !names.contains { $0.hasSameBytes(as: member.name) }
    }
    return .object(of: known + others)
  }
}
