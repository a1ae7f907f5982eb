import Sessions
import Ticks
import TimerMachine

// The journal in its file: one line of JSON behind a checksum (`CheckedLine`, kind `j`). The
// members of the running sit stand in the line itself, as they did before there was anything else
// in it. Instants and spans are whole nanoseconds; a member that is not there has its plainest
// value. A member that this version does not know is ignored: what it would have said is lost with
// the program that wrote it.

extension Journal {
  /// The line, its line feed included.
  public func encoded() -> [UInt8] {
    var members = running?.members ?? []
    if !over.isEmpty { members.append(JSONMember("over", .array(over.map(\.json)))) }
    if isPreparing { members.append(JSONMember("preparing", .bool(true))) }
    return CheckedLine.bytes(kind: "j", .object(of: members))
  }

  /// Reads a line.
  /// - Throws: `damaged` for one that was cut off or has a flipped byte.
  public init(parsing bytes: [UInt8]) throws(JournalError) {
    guard let value = CheckedLine.value(kind: "j", bytes) else { throw .damaged }
    let reader = JournalReader(value)
    over = try reader.children("over", max: ClosedSits.max).map { child throws(JournalError) in
      try child.closedSit()
    }
    isPreparing = reader.flag("preparing")
    running = over.isEmpty && !isPreparing || reader.has("sit") ? try reader.sitJournal() : nil
  }
}

extension SitJournal {
  fileprivate var members: [JSONMember] {
    OpenSit(self, shift: .zero).members(offsetSeconds: offsetSeconds, boot: boot, wall)
      + [JSONMember("timer", snapshot.json)]
  }
}

extension OpenSit {
  /// What is written of a sit beside the timer's part of it.
  fileprivate func members(
    offsetSeconds: Int64, boot: Identity, _ wall: WallReading
  ) -> [JSONMember] {
    var members = [
      JSONMember("sit", .string(id.description)), JSONMember("boot", .string(boot.description)),
      JSONMember("programme", .string(programme)), JSONMember("wall", wall.json),
      JSONMember("clockAtBegin", .bool(isClockKnownAtBegin)),
      JSONMember("offset", .integer(offsetSeconds)),
    ]
    if let journey { members.append(JSONMember("journey", .string(journey))) }
    if let until { members.append(JSONMember("until", until.json)) }
    if !pasts.isEmpty { members.append(JSONMember("pasts", .array(pasts.map(\.json)))) }
    return members
  }
}

extension ClosedSit {
  fileprivate var json: JSONValue {
    let offset = sit.offsetSeconds(finished.begun, wall)
    var members = sit.members(offsetSeconds: offset, boot: boot, wall)
    members.append(JSONMember("end", finished.json))
    if let rating { members.append(JSONMember("rating", .integer(rating))) }
    if isAmended { members.append(JSONMember("amended", .bool(true))) }
    return .object(of: members)
  }
}

extension FinishedSit {
  fileprivate var json: JSONValue {
    var members = [
      JSONMember("begun", begun.json), JSONMember("ended", ended.json),
      JSONMember("credited", credited.json), JSONMember("overtime", overtime.json),
      JSONMember("unconfirmed", unconfirmed.json), JSONMember("doubtful", doubtful.json),
      JSONMember("completed", .bool(completed)), JSONMember("reachedEnd", .bool(reachedEnd)),
      JSONMember("interruptions", .array(interruptions.map(\.json))),
    ]
    if let planned { members.append(JSONMember("planned", planned.json)) }
    return .object(of: members)
  }
}

extension Span {
  fileprivate var json: JSONValue { .integer(nanoseconds) }
}

extension Instant {
  fileprivate var json: JSONValue { .integer(nanoseconds) }
}

extension WallReading {
  fileprivate var json: JSONValue {
    .object(of: [
      JSONMember("at", at.json), JSONMember("unix", .integer(unixNanoseconds)),
      JSONMember("known", .bool(isKnown)),
    ])
  }
}

extension TimerSnapshot {
  fileprivate var json: JSONValue {
    var members = [
      JSONMember("phase", .string(phase.name.description)), JSONMember("plan", plan.json),
      JSONMember("startsAt", startsAt.json), JSONMember("begun", begun.json),
      JSONMember("origin", origin.json), JSONMember("pausedAt", pausedAt.json),
      JSONMember("uncredited", uncredited.json),
      JSONMember("uncreditedSincePress", uncreditedSincePress.json),
      JSONMember("uncreditedInOvertime", uncreditedInOvertime.json),
      JSONMember("uncreditedInDoubt", uncreditedInDoubt.json),
      JSONMember("confirmed", confirmedElapsed.json),
      JSONMember("intervals", .integer(intervalsPassed)),
      JSONMember("lastInterval", lastInterval.json),
      JSONMember("interruptions", .array(interruptions.map(\.json))),
    ]
    if let doubtfulFrom { members.append(JSONMember("doubtfulFrom", doubtfulFrom.json)) }
    return .object(of: members)
  }
}

extension Interruption {
  fileprivate var json: JSONValue {
    .array([from.json, to.json, .integer(Int64(kind.rawValue))])
  }
}

extension SitPlan {
  fileprivate var json: JSONValue {
    var members = [
      JSONMember("preparation", preparation.json), JSONMember("intervals", intervals.json),
      JSONMember("seed", .string(String(seed))), JSONMember("overtime", .bool(overtime)),
      JSONMember("overtimeLimit", overtimeLimit.json), JSONMember("openLimit", openLimit.json),
      JSONMember("minimum", minimum.json),
      JSONMember(
        "segments", .array(segments.map { .array([.string($0.kind), $0.length.json]) })),
    ]
    if let length { members.append(JSONMember("length", length.json)) }
    if let end { members.append(JSONMember("end", end.json)) }
    return .object(of: members)
  }
}

extension IntervalPlan {
  fileprivate var json: JSONValue {
    var members = [
      JSONMember("at", .array(at.map(\.json))), JSONMember("fromEnd", .array(fromEnd.map(\.json))),
      JSONMember("random", .integer(Int64(random))),
      JSONMember(
        "fractions",
        .array(fractions.map { .array([.integer($0.numerator), .integer($0.denominator)]) })),
    ]
    if let every { members.append(JSONMember("every", every.json)) }
    if let window = randomWindow {
      members.append(
        JSONMember("randomWindow", .array([window.lowerBound.json, window.upperBound.json])))
    }
    if let count { members.append(JSONMember("count", .integer(Int64(count)))) }
    return .object(of: members)
  }
}
