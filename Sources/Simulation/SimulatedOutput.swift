import Appliance
import Bells
import Ticks

/// An output without latency: a strike's first frame leaves on the first frame at or after its
/// instant. With a lead-in it must be opened that long before, as a slow output must.
struct SimulatedOutput {
  static let rateHertz: Int64 = 48_000
  /// How long the output is held after the last tail before it is closed.
  private static let holdSpan = Span.seconds(2)

  /// What it sounded last, for rendering: whole frames since the scenario began.
  private(set) var lastSounded: (frame: Int64, strike: Strike)?

  private let leadIn: Span
  private let latest: Span
  private var strikes: [Strike] = []
  private var begun: [UInt32] = []
  private var readyAt: Instant?
  private var quietAt = Instant.zero

  init(leadIn: Span, latest: Span) {
    self.leadIn = leadIn
    self.latest = latest
  }

  /// What to tell the box of it now.
  var readiness: OutputReadiness {
    guard leadIn > .zero else { return .open(from: .zero, latency: .zero) }
    return readyAt.map { .open(from: $0, latency: .zero) } ?? .closed(leadIn: leadIn)
  }

  /// When it has something to do; in the past where a strike was not known ahead.
  var nextDeadline: Instant? {
    let sound = strikes.first.map { max($0.due, readyAt ?? $0.due) }
    guard leadIn > .zero else { return sound }
    let open = readyAt == nil ? strikes.first.map { $0.due - leadIn } : nil
    let close = readyAt != nil && strikes.isEmpty ? quietAt : nil
    return [open ?? sound, close].compactMap(\.self).min()
  }

  /// Takes the strikes to come in place of all before; one that has begun is never begun again.
  mutating func plan(_ plan: [PlannedStrike]) {
    strikes = plan.map(\.strike).filter { !begun.contains($0.number) }
  }

  /// A hand is at the box: open.
  mutating func warmUp(at now: Instant) {
    quietAt = max(quietAt, now + .seconds(10))
    if readyAt == nil { readyAt = now + leadIn }
  }

  /// Does what is due, one thing a call.
  /// - Returns: what became of a strike, if one was due.
  mutating func advance(to now: Instant) -> StrikeReport? {
    guard let strike = strikes.first else {
      if leadIn > .zero, quietAt <= now { readyAt = nil }
      return nil
    }
    if readyAt == nil { warmUp(at: now) }
    let earliest = max(strike.due, max(now, readyAt ?? now))
    guard earliest <= now else { return nil }
    strikes.removeFirst()
    begun.append(strike.number)
    if begun.count > 64 { begun.removeFirst() }
    let lateness = earliest - strike.due
    guard lateness <= latest else {
      return StrikeReport(number: strike.number, started: now, outcome: .missed)
    }
    let (frame, start) = SimulatedOutput.frame(at: earliest)
    lastSounded = (frame, strike)
    let tail = Span.milliseconds(Int64(Sound.catalogue[strike.sound].seconds * 1_000))
    quietAt = max(quietAt, start + tail + SimulatedOutput.holdSpan)
    return StrikeReport(
      number: strike.number, started: start,
      outcome: lateness < .milliseconds(1) ? .rung : .late)
  }

  /// The first frame at or after an instant, and its own instant, rounded up to the nanosecond.
  static func frame(at instant: Instant) -> (frame: Int64, at: Instant) {
    let second = instant.nanoseconds / 1_000_000_000
    let rest = instant.nanoseconds % 1_000_000_000
    let frame = (rest * rateHertz + 999_999_999) / 1_000_000_000
    let nanoseconds = (frame * 1_000_000_000 + rateHertz - 1) / rateHertz
    return (second * rateHertz + frame, Instant(nanoseconds: second * 1_000_000_000 + nanoseconds))
  }
}
