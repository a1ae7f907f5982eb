import Sessions
import Ticks
import TimerMachine

// Invariants:
// - Nothing that is read can break a precondition of the machine: what no version has written is
//   refused by the name of its member.
// - An instant lies within `reachSpan` of the journal's own, a length is no more than `lengthMax`,
//   and a list has a bound, so that no sum overflows and no loop is long.

/// Reads the members of one object of a journal.
struct JournalReader {
  /// A hundred years in nanoseconds.
  private static let farthest: Int64 = 100 * 366 * 86_400 * 1_000_000_000
  /// How far an instant may lie from the one at which the journal was written.
  static let reachSpan = Span.hours(400 * 24)
  /// A sit lasts 7 d at most.
  static let lengthMax = Span.hours(8 * 24)
  /// No list of a plan is longer.
  static let listMax = 10_000

  private let value: JSONValue
  /// The instant at which the journal was written.
  private let written: Instant?

  init(_ value: JSONValue, written: Instant? = nil) {
    self.value = value
    self.written = written
  }

  func has(_ name: String) -> Bool { value[name] != nil }

  func optional<Value>(
    _ name: String, _ read: (String) throws(JournalError) -> Value
  ) throws(JournalError) -> Value? {
    value[name] == nil ? nil : try read(name)
  }

  func integer(_ name: String) throws(JournalError) -> Int64 {
    try JournalReader.integer(value[name], of: name)
  }

  func text(_ name: String) throws(JournalError) -> String {
    guard let text = value[name]?.stringValue else { throw .notUnderstood(member: name) }
    return text
  }

  func flag(_ name: String) -> Bool { value[name]?.boolValue ?? false }

  private static func integer(
    _ element: JSONValue?, of name: String
  ) throws(JournalError) -> Int64 {
    // The magnitude of the least integer is no integer of its kind.
    guard let integer = element?.integerValue, integer.magnitude <= UInt64(farthest) else {
      throw .notUnderstood(member: name)
    }
    return integer
  }

  /// An integer from 0 to a bound.
  func count(_ name: String, max: Int) throws(JournalError) -> Int {
    let count = try integer(name)
    guard (0...Int64(max)).contains(count) else { throw .notUnderstood(member: name) }
    return Int(count)
  }

  func span(_ name: String) throws(JournalError) -> Span {
    try JournalReader.span(value[name], of: name)
  }

  func instant(_ name: String) throws(JournalError) -> Instant {
    try instant(value[name], of: name)
  }

  private func instant(
    _ element: JSONValue?, of name: String
  ) throws(JournalError) -> Instant {
    let instant = Instant(nanoseconds: try JournalReader.integer(element, of: name))
    let distance = instant - (written ?? instant)
    guard max(distance, .zero - distance) <= JournalReader.reachSpan else {
      throw .notUnderstood(member: name)
    }
    return instant
  }

  func identity(_ name: String) throws(JournalError) -> Identity {
    guard let identity = Identity(try text(name)) else { throw .notUnderstood(member: name) }
    return identity
  }

  func child(_ name: String) throws(JournalError) -> JournalReader {
    guard let child = value[name] else { throw .notUnderstood(member: name) }
    return JournalReader(child, written: written)
  }

  /// The elements of an array; none where there is no such member.
  func children(
    _ name: String, max: Int = JournalReader.listMax
  ) throws(JournalError) -> [JournalReader] {
    let elements = value[name]?.arrayValue ?? []
    guard elements.count <= max else { throw .notUnderstood(member: name) }
    return elements.map { JournalReader($0, written: written) }
  }

  /// The spans of an array.
  private func spans(_ name: String) throws(JournalError) -> [Span] {
    try children(name).map { element throws(JournalError) in
      try JournalReader.span(element.value, of: name)
    }
  }

  private static func span(
    _ element: JSONValue?, of name: String
  ) throws(JournalError) -> Span {
    guard let count = element?.integerValue, (0...lengthMax.nanoseconds).contains(count) else {
      throw .notUnderstood(member: name)
    }
    return Span(nanoseconds: count)
  }
}

extension JournalReader {
  func sitJournal() throws(JournalError) -> SitJournal {
    let wall = try child("wall").reading()
    let reader = JournalReader(value, written: wall.at)
    let sit = try reader.openSit()
    let snapshot = try reader.child("timer").snapshot()
    try snapshot.check(at: wall.at)
    return SitJournal(
      sit: sit.id, snapshot: snapshot, programme: sit.programme, journey: sit.journey,
      until: sit.until, boot: try identity("boot"), wall: wall,
      isClockKnownAtBegin: sit.isClockKnownAtBegin, offsetSeconds: try offset(),
      pasts: sit.pasts.map(SitJournal.Past.init))
  }

  func closedSit() throws(JournalError) -> ClosedSit {
    let wall = try child("wall").reading()
    let reader = JournalReader(value, written: wall.at)
    return ClosedSit(
      sit: try reader.openSit(), finished: try reader.child("end").finishedSit(),
      rating: try optional("rating", integer), boot: try identity("boot"), wall: wall,
      isAmended: flag("amended"))
  }

  private func openSit() throws(JournalError) -> OpenSit {
    OpenSit(
      id: try identity("sit"), programme: try text("programme"),
      journey: try optional("journey", text), until: try optional("until", span),
      isClockKnownAtBegin: flag("clockAtBegin"), place: .offset(try offset()),
      pasts: try children("pasts", max: OpenSit.pastsMax).map { child throws(JournalError) in
        try child.reading()
      })
  }

  /// Seconds east of Greenwich; no place is further than a day.
  private func offset() throws(JournalError) -> Int64 {
    let seconds = try integer("offset")
    guard abs(seconds) <= 86_400 else { throw .notUnderstood(member: "offset") }
    return seconds
  }

  private func reading() throws(JournalError) -> WallReading {
    guard let unix = value["unix"]?.integerValue, abs(unix / 2) <= JournalReader.farthest else {
      throw .notUnderstood(member: "unix")
    }
    return WallReading(
      at: try instant("at"), unixNanoseconds: unix, isKnown: flag("known"))
  }

  private func finishedSit() throws(JournalError) -> FinishedSit {
    let sit = FinishedSit(
      begun: try instant("begun"), ended: try instant("ended"),
      planned: try optional("planned", span), credited: try span("credited"),
      overtime: try span("overtime"), unconfirmed: try span("unconfirmed"),
      doubtful: try span("doubtful"), completed: flag("completed"),
      reachedEnd: flag("reachedEnd"), interruptions: try interruptions())
    guard sit.begun <= sit.ended else { throw .notUnderstood(member: "ended") }
    return sit
  }

  private func snapshot() throws(JournalError) -> TimerSnapshot {
    let name = try text("phase")
    let phases: [Phase] = [.preparing, .running, .paused, .overtime]
    guard let phase = phases.first(where: { $0.name.description == name }) else {
      throw .notUnderstood(member: "phase")
    }
    var snapshot = TimerSnapshot(
      plan: try child("plan").plan(), phase: phase, begun: try instant("begun"))
    snapshot.startsAt = try instant("startsAt")
    snapshot.origin = try instant("origin")
    snapshot.pausedAt = try instant("pausedAt")
    snapshot.uncredited = try span("uncredited")
    snapshot.uncreditedSincePress = try span("uncreditedSincePress")
    snapshot.uncreditedInOvertime = try span("uncreditedInOvertime")
    snapshot.uncreditedInDoubt = try span("uncreditedInDoubt")
    snapshot.confirmedElapsed = try span("confirmed")
    snapshot.doubtfulFrom = try optional("doubtfulFrom", span)
    snapshot.intervalsPassed = Int64(
      try count("intervals", max: Int(JournalReader.lengthMax.wholeSeconds)))
    snapshot.lastInterval = try span("lastInterval")
    snapshot.interruptions = try interruptions()
    return snapshot
  }

  /// Interruptions, which follow one another.
  private func interruptions() throws(JournalError) -> [Interruption] {
    var list: [Interruption] = []
    for child in try children("interruptions", max: TimerMachine.interruptionsMax) {
      let next = try child.interruption()
      guard next.from <= next.to, list.last.map({ $0.to <= next.from }) ?? true else {
        throw .notUnderstood(member: "interruptions")
      }
      list.append(next)
    }
    return list
  }

  private func interruption() throws(JournalError) -> Interruption {
    let parts = value.arrayValue ?? []
    guard parts.count == 3,
      let kind = parts[2].integerValue.flatMap(UInt8.init(exactly:)).flatMap(
        Interruption.Kind.init(rawValue:))
    else { throw .notUnderstood(member: "interruptions") }
    return Interruption(
      from: try instant(parts[0], of: "interruptions"),
      to: try instant(parts[1], of: "interruptions"), kind: kind)
  }

  private func plan() throws(JournalError) -> SitPlan {
    let segments = try children("segments").map { child throws(JournalError) in
      try child.segment()
    }
    let length = try optional("length", wholeTick)
    let sum = segments.reduce(Span.zero) { $0 + $1.length }
    guard segments.isEmpty || sum == length else { throw .notUnderstood(member: "segments") }
    guard let seed = UInt64(try text("seed")) else { throw .notUnderstood(member: "seed") }
    return SitPlan(
      preparation: try span("preparation"), length: length, segments: segments,
      end: try optional("end", instant), intervals: try child("intervals").intervals(),
      seed: seed, overtime: flag("overtime"), overtimeLimit: try positive("overtimeLimit"),
      openLimit: try positive("openLimit"), minimum: try span("minimum"))
  }

  private func positive(_ name: String) throws(JournalError) -> Span {
    let span = try span(name)
    guard span > .zero else { throw .notUnderstood(member: name) }
    return span
  }

  /// A span of at least a second.
  private func wholeTick(_ name: String) throws(JournalError) -> Span {
    let span = try span(name)
    guard span >= .seconds(1) else { throw .notUnderstood(member: name) }
    return span
  }

  private func segment() throws(JournalError) -> Segment {
    let parts = value.arrayValue ?? []
    guard parts.count == 2, let kind = parts[0].stringValue else {
      throw .notUnderstood(member: "segments")
    }
    let length = try JournalReader.span(parts[1], of: "segments")
    guard length >= .seconds(1) else { throw .notUnderstood(member: "segments") }
    return Segment(kind: kind, length: length)
  }

  private func intervals() throws(JournalError) -> IntervalPlan {
    var plan = IntervalPlan(every: try optional("every", wholeTick))
    plan.at = try spans("at")
    plan.fromEnd = try spans("fromEnd")
    plan.random = try count("random", max: JournalReader.listMax)
    if value["randomWindow"] != nil {
      let ends = try spans("randomWindow")
      guard ends.count == 2, ends[0] <= ends[1] else {
        throw .notUnderstood(member: "randomWindow")
      }
      plan.randomWindow = ends[0]...ends[1]
    }
    plan.count = try optional("count") { name throws(JournalError) in
      try count(name, max: JournalReader.listMax)
    }
    plan.fractions = try children("fractions").map { child throws(JournalError) in
      let numbers = (child.value.arrayValue ?? []).compactMap(\.integerValue)
      guard numbers.count == 2, numbers[0] >= 1, numbers[1] > numbers[0] else {
        throw .notUnderstood(member: "fractions")
      }
      return IntervalPlan.Fraction(numbers[0], numbers[1])
    }
    return plan
  }
}

extension TimerSnapshot {
  /// Refuses what no sit comes to, since sums and the machine rest on it.
  /// - Parameter instant: when it was written down.
  fileprivate func check(at instant: Instant) throws(JournalError) {
    guard phase != .preparing else { return }
    let last = phase == .paused ? pausedAt : instant
    let elapsed = last - origin
    let checks: [(String, Bool)] = [
      ("begun", begun <= instant), ("origin", begun <= origin && origin <= last),
      ("pausedAt", last <= instant), ("uncredited", uncredited <= elapsed),
      ("uncreditedSincePress", uncreditedSincePress <= uncredited),
      ("uncreditedInOvertime", uncreditedInOvertime <= uncredited),
      ("uncreditedInDoubt", uncreditedInDoubt <= uncredited),
      ("confirmed", confirmedElapsed <= elapsed),
      ("doubtfulFrom", doubtfulFrom ?? .zero <= elapsed),
      ("lastInterval", lastInterval <= elapsed),
      // A pause begins before the end.
      ("length", phase != .paused || plan.end != nil || elapsed <= plan.length ?? plan.openLimit),
      ("interruptions", interruptions.last.map { $0.to <= last } ?? true),
    ]
    for (member, holds) in checks where !holds { throw .notUnderstood(member: member) }
  }
}
