import Sessions
import Ticks
import TimerMachine

// Invariants:
// - Nothing that is read can break a precondition of the machine: what no version has written is
//   refused by the name of its member.
// - Instants and spans keep so far from the ends of 64 bits that no sum of a few of them overflows.

/// Reads the members of one object of a journal.
struct JournalReader {
  /// A hundred years in nanoseconds.
  private static let farthest: Int64 = 100 * 366 * 86_400 * 1_000_000_000

  private let value: JSONValue

  init(_ value: JSONValue) { self.value = value }

  func optional<Value>(
    _ name: String, _ read: (String) throws(JournalError) -> Value
  ) throws(JournalError) -> Value? {
    value[name] == nil ? nil : try read(name)
  }

  func integer(_ name: String) throws(JournalError) -> Int64 {
    guard let integer = value[name]?.integerValue, abs(integer) <= JournalReader.farthest else {
      throw .notUnderstood(member: name)
    }
    return integer
  }

  func text(_ name: String) throws(JournalError) -> String {
    guard let text = value[name]?.stringValue else { throw .notUnderstood(member: name) }
    return text
  }

  func flag(_ name: String) -> Bool { value[name]?.boolValue ?? false }

  func span(_ name: String) throws(JournalError) -> Span {
    let span = Span(nanoseconds: try integer(name))
    guard span >= .zero else { throw .notUnderstood(member: name) }
    return span
  }

  func instant(_ name: String) throws(JournalError) -> Instant {
    Instant(nanoseconds: try integer(name))
  }

  func identity(_ name: String) throws(JournalError) -> Identity {
    guard let identity = Identity(try text(name)) else { throw .notUnderstood(member: name) }
    return identity
  }

  func child(_ name: String) throws(JournalError) -> JournalReader {
    guard let child = value[name] else { throw .notUnderstood(member: name) }
    return JournalReader(child)
  }

  func children(_ name: String) throws(JournalError) -> [JournalReader] {
    (value[name]?.arrayValue ?? []).map(JournalReader.init)
  }

  /// The spans of an array.
  private func spans(_ name: String) throws(JournalError) -> [Span] {
    try (value[name]?.arrayValue ?? []).map { element throws(JournalError) in
      try JournalReader.span(element, of: name)
    }
  }

  private static func span(
    _ element: JSONValue?, of name: String
  ) throws(JournalError) -> Span {
    guard let count = element?.integerValue, (0...farthest).contains(count) else {
      throw .notUnderstood(member: name)
    }
    return Span(nanoseconds: count)
  }
}

extension JournalReader {
  func reading() throws(JournalError) -> WallReading {
    guard let unix = value["unix"]?.integerValue, abs(unix / 2) <= JournalReader.farthest else {
      throw .notUnderstood(member: "unix")
    }
    return WallReading(
      at: try instant("at"), unixNanoseconds: unix, isKnown: flag("known"))
  }

  func snapshot() throws(JournalError) -> TimerSnapshot {
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
    snapshot.intervalsPassed = try integer("intervals")
    snapshot.lastInterval = try span("lastInterval")
    snapshot.interruptions = try children("interruptions").map { child throws(JournalError) in
      try child.interruption()
    }
    return snapshot
  }

  private func interruption() throws(JournalError) -> Interruption {
    let numbers = (value.arrayValue ?? []).compactMap(\.integerValue)
    guard numbers.count == 3, numbers.allSatisfy({ abs($0) <= JournalReader.farthest }),
      let kind = UInt8(exactly: numbers[2]).flatMap(Interruption.Kind.init(rawValue:))
    else { throw .notUnderstood(member: "interruptions") }
    return Interruption(
      from: Instant(nanoseconds: numbers[0]), to: Instant(nanoseconds: numbers[1]), kind: kind)
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
    plan.random = Int(try integer("random"))
    if value["randomWindow"] != nil {
      let ends = try spans("randomWindow")
      guard ends.count == 2, ends[0] <= ends[1] else {
        throw .notUnderstood(member: "randomWindow")
      }
      plan.randomWindow = ends[0]...ends[1]
    }
    plan.count = try optional("count", integer).map { Int($0) }
    guard plan.random >= 0, plan.count ?? 0 >= 0 else { throw .notUnderstood(member: "random") }
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
