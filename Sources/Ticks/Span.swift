/// A length of time in whole nanoseconds.
///
/// Arithmetic is checked: an overflow (292 years) is misuse and stops the program.
public struct Span: Comparable, Hashable, Sendable {
  /// The length in nanoseconds; negative when it leads backwards.
  public var nanoseconds: Int64

  /// Makes a length.
  /// - Parameter nanoseconds: the length in nanoseconds.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// No time at all.
  public static let zero = Span(nanoseconds: 0)

  /// A length in microseconds.
  public static func microseconds(_ count: Int64) -> Span { Span(nanoseconds: count * 1_000) }

  /// A length in milliseconds.
  public static func milliseconds(_ count: Int64) -> Span { Span(nanoseconds: count * 1_000_000) }

  /// A length in seconds.
  public static func seconds(_ count: Int64) -> Span { Span(nanoseconds: count * 1_000_000_000) }

  /// A length in minutes of 60 s.
  public static func minutes(_ count: Int64) -> Span { .seconds(count * 60) }

  /// A length in hours of 3,600 s.
  public static func hours(_ count: Int64) -> Span { .seconds(count * 3_600) }

  /// The whole seconds in this length, rounded down (towards the past).
  public var wholeSeconds: Int64 {
    let (quotient, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? quotient - 1 : quotient
  }

  /// The whole seconds in this length, rounded up, so that a remaining time reads 0 only at its
  /// end.
  public var secondsRoundedUp: Int64 {
    let (quotient, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest > 0 ? quotient + 1 : quotient
  }

  /// The sum of two lengths.
  public static func + (left: Span, right: Span) -> Span {
    Span(nanoseconds: left.nanoseconds + right.nanoseconds)
  }

  /// The difference of two lengths.
  public static func - (left: Span, right: Span) -> Span {
    Span(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  /// A length repeated.
  public static func * (left: Span, right: Int64) -> Span {
    Span(nanoseconds: left.nanoseconds * right)
  }

  /// How many whole times `right` fits into `left`, rounded towards zero.
  /// - Precondition: `right` is not zero.
  public static func / (left: Span, right: Span) -> Int64 {
    precondition(right.nanoseconds != 0, "a span cannot be divided by a span of zero")
    return left.nanoseconds / right.nanoseconds
  }

  /// Lengthens a span in place.
  public static func += (left: inout Span, right: Span) { left = left + right }

  /// Shortens a span in place.
  public static func -= (left: inout Span, right: Span) { left = left - right }

  /// The shorter one first.
  public static func < (left: Span, right: Span) -> Bool { left.nanoseconds < right.nanoseconds }
}
