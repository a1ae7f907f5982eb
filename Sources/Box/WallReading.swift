import Sessions
import Ticks
import Zones

/// What the wall clock read at an instant. It labels sits; no deadline is ever taken from it.
public struct WallReading: Equatable, Sendable {
  /// When it was read.
  public var at: Instant
  /// Nanoseconds since 1970 that it showed.
  public var unixNanoseconds: Int64
  /// Whether the time is known, and not only what a board without a battery clock woke up with.
  public var isKnown: Bool

  /// Makes a reading.
  public init(at: Instant, unixNanoseconds: Int64, isKnown: Bool) {
    self.at = at
    self.unixNanoseconds = unixNanoseconds
    self.isKnown = isKnown
  }

  /// What the wall clock showed or will show at another instant, if nobody sets it.
  public func wall(at instant: Instant) -> WallInstant {
    WallInstant(nanoseconds: unixNanoseconds + (instant - at).nanoseconds)
  }
}

extension ZoneRules {
  /// Seconds east of Greenwich at a point of the wall clock.
  public func offsetSeconds(at wall: WallInstant) -> Int64 {
    Int64(offsetSeconds(atUnixSeconds: wall.unixSeconds))
  }
}
