import Box
import Ticks

/// The wall clock of a box. Without a battery it stands still while the power is away, so that it
/// is behind afterwards and the time is not known until somebody tells it.
struct SimulatedWall {
  /// What a clock that was never away showed at the beginning of the scenario, in nanoseconds since
  /// 1970: every `wall` statement counts as if it had always been so.
  private var unixNanoseconds: Int64
  /// How far the clock is behind.
  private var lag = Span.zero
  private var isKnown: Bool
  private let hasBattery: Bool

  init(unixNanoseconds: Int64, hasBattery: Bool) {
    self.unixNanoseconds = unixNanoseconds
    self.hasBattery = hasBattery
    isKnown = hasBattery
  }

  /// What it shows.
  /// - Parameters:
  ///   - instant: on the clock of this boot.
  ///   - bootSpan: from the beginning of the scenario to that clock's zero.
  func reading(at instant: Instant, bootSpan: Span) -> WallReading {
    let elapsed = instant - Instant.zero + bootSpan - lag
    return WallReading(
      at: instant, unixNanoseconds: unixNanoseconds + elapsed.nanoseconds, isKnown: isKnown)
  }

  /// Goes so far forward, or back.
  mutating func step(by span: Span, elapsed: Span) {
    set(unixNanoseconds + (elapsed - lag + span).nanoseconds, elapsed: elapsed, keeping: lag)
  }

  /// Shows something else from now on.
  mutating func set(_ shown: Int64, elapsed: Span) { set(shown, elapsed: elapsed, keeping: .zero) }

  private mutating func set(_ shown: Int64, elapsed: Span, keeping kept: Span) {
    // Steps add up; the clock stops at the ends of the years that a scenario may name.
    let range = Scenario.wallRange
    let inRange = min(max(shown, range.lowerBound), range.upperBound)
    lag = kept
    unixNanoseconds = inRange - (elapsed - lag).nanoseconds
  }

  /// Somebody tells the time.
  mutating func synchronize() { (lag, isKnown) = (.zero, true) }

  /// The power was away for so long.
  mutating func powerWasAway(for span: Span) {
    guard !hasBattery else { return }
    lag = lag + span
    isKnown = false
  }
}
