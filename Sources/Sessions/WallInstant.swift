import Zones

/// A point in time on the wall clock, in whole milliseconds since 1970-01-01T00:00:00Z, leap
/// seconds not counted. It labels a sit; no length is ever taken from it.
public struct WallInstant: Hashable, Comparable, Sendable {
  /// The years that ISO 8601 writes with four digits.
  static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

  /// Milliseconds since 1970.
  public var milliseconds: Int64

  /// Makes an instant.
  /// - Parameter milliseconds: milliseconds since 1970.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The instant that a member holds; nil when it holds none that has a date.
  init?(_ value: JSONValue?) {
    guard let milliseconds = value?.integerValue, WallInstant.range.contains(milliseconds) else {
      return nil
    }
    self.init(milliseconds: milliseconds)
  }

  /// Makes an instant from nanoseconds since 1970, rounded down to the millisecond.
  public init(nanoseconds: Int64) {
    self.init(milliseconds: nanoseconds.floored(by: 1_000_000).quotient)
  }

  /// Whole seconds since 1970, rounded down.
  public var unixSeconds: Int64 { milliseconds.floored(by: 1_000).quotient }

  /// The earlier one first.
  public static func < (left: WallInstant, right: WallInstant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// ISO 8601 in an offset of its own: `2026-11-30T06:00:13.450+09:00`, with `Z` for no offset and
  /// a fraction only where it is not zero. An offset with seconds (a local mean time) shows them.
  /// - Parameter offsetSeconds: seconds east of Greenwich.
  public func text(offsetSeconds: Int64) -> String {
    let local = milliseconds + offsetSeconds * 1_000
    // The last day of the last year is another year further east, which has no four digits.
    guard local <= WallInstant.range.upperBound else { return text(offsetSeconds: 0) }
    let (seconds, fraction) = local.floored(by: 1_000)
    let (days, second) = seconds.floored(by: 86_400)
    let date = LocalDate(daysSinceEpoch: days).text
    let clock =
      "\(second / 3_600, digits: 2):\(second / 60 % 60, digits: 2):\(second % 60, digits: 2)"
    let tail = fraction == 0 ? "" : ".\(fraction, digits: 3)"
    return "\(date)T\(clock)\(tail)\(WallInstant.offsetText(offsetSeconds))"
  }

  private static func offsetText(_ offsetSeconds: Int64) -> String {
    if offsetSeconds == 0 { return "Z" }
    let size = abs(offsetSeconds)
    let seconds = size % 60 == 0 ? "" : ":\(size % 60, digits: 2)"
    return "\(offsetSeconds < 0 ? "-" : "+")\(size / 3_600, digits: 2):\(size / 60 % 60, digits: 2)"
      + seconds
  }

  /// The civil date in an offset, where a day begins `dayStartsSeconds` after midnight.
  public func day(offsetSeconds: Int64, dayStartsSeconds: Int64 = 0) -> LocalDate {
    let local = min(
      milliseconds + (offsetSeconds - dayStartsSeconds) * 1_000, WallInstant.range.upperBound)
    return LocalDate(daysSinceEpoch: local.floored(by: 86_400_000).quotient)
  }
}

extension Int64 {
  /// Division rounded towards the past, with the rest that is never negative.
  func floored(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}

extension String.StringInterpolation {
  /// A number of at least so many digits, filled with zeros.
  mutating func appendInterpolation(_ number: Int64, digits: Int) {
    let text = String(abs(number))
    appendLiteral(number < 0 ? "-" : "")
    appendLiteral(String(repeating: "0", count: max(0, digits - text.utf8.count)) + text)
  }
}
