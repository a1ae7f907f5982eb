/// A point in time on the boot-time clock (CLOCK_BOOTTIME), in whole nanoseconds.
///
/// In a simulation it counts from the start of the scenario. It says nothing of the wall clock: a
/// step of that clock moves no instant.
public struct Instant: Comparable, Hashable, Sendable {
  /// Nanoseconds since the clock's zero.
  public var nanoseconds: Int64

  /// Makes an instant.
  /// - Parameter nanoseconds: nanoseconds since the clock's zero.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The clock's zero.
  public static let zero = Instant(nanoseconds: 0)

  /// The instant a span later.
  public static func + (left: Instant, right: Span) -> Instant {
    Instant(nanoseconds: left.nanoseconds + right.nanoseconds)
  }

  /// The instant a span earlier.
  public static func - (left: Instant, right: Span) -> Instant {
    Instant(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  /// The span from `right` to `left`.
  public static func - (left: Instant, right: Instant) -> Span {
    Span(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  /// Moves an instant in place.
  public static func += (left: inout Instant, right: Span) { left = left + right }

  /// The earlier one first.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
