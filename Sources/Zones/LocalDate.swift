// Calendar days. The calendar is the Gregorian one, carried back before 1582 as ISO 8601 does it
// ("proleptic"), with a year 0. The arithmetic lets the year begin in March, so that the leap day
// is its last, and counts in eras of 400 years, which are all 146,097 days long.

/// A calendar day where somebody is: the day on the wall, without a time and without a zone.
public struct LocalDate: Comparable, Hashable, Sendable {
  /// The year, −9999 to 9999.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int

  /// The years a date can have.
  public static let years = -9_999...9_999

  /// The first and the last day, in days since 1970-01-01.
  static let dayRange = days(year: -9_999, month: 1, day: 1)...days(year: 9_999, month: 12, day: 31)

  /// The day with this year, month and day, or nil where the calendar has none.
  public init?(year: Int, month: Int, day: Int) {
    guard LocalDate.years.contains(year), (1...12).contains(month), day >= 1,
      day <= LocalDate.dayCount(year: year, month: month)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day that lies this many days after 1970-01-01.
  /// - Precondition: the day lies in the years −9999 to 9999.
  public init(daysSinceEpoch: Int64) {
    precondition(
      LocalDate.dayRange.contains(daysSinceEpoch), "a date lies in the years -9999 to 9999")
    let shifted = Int(daysSinceEpoch) + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The day on the wall at an instant.
  /// - Parameters:
  ///   - unixSeconds: seconds since 1970-01-01T00:00:00Z. An instant outside the years −9999 to
  ///     9999 gives the nearest day inside.
  ///   - offsetSeconds: how far local time is ahead of UTC.
  public init(unixSeconds: Int64, offsetSeconds: Int32) {
    let sum = unixSeconds.addingReportingOverflow(Int64(offsetSeconds))
    let days = floorDivide(sum.overflow ? unixSeconds : sum.partialValue, 86_400)
    let range = LocalDate.dayRange
    self.init(daysSinceEpoch: min(max(days, range.lowerBound), range.upperBound))
  }

  /// Days since 1970-01-01; negative before it.
  public var daysSinceEpoch: Int64 { LocalDate.days(year: year, month: month, day: day) }

  /// The day of the week as ISO 8601 numbers it: 1 Monday to 7 Sunday.
  public var weekday: Int {
    // 1970-01-01 was a Thursday, day 4.
    let sinceMonday = daysSinceEpoch + 3
    return Int(sinceMonday - floorDivide(sinceMonday, 7) * 7) + 1
  }

  /// The day this many days later; earlier when negative.
  /// - Precondition: it lies in the years −9999 to 9999.
  public func adding(days: Int) -> LocalDate {
    LocalDate(daysSinceEpoch: daysSinceEpoch + Int64(days))
  }

  /// The day as ISO 8601 writes it: `2026-11-30`. A year before 0 has a minus sign.
  public var text: String {
    (year < 0 ? "-" : "") + padded(Int(year.magnitude), digits: 4) + "-"
      + padded(month, digits: 2) + "-" + padded(day, digits: 2)
  }

  /// The earlier one first.
  public static func < (left: LocalDate, right: LocalDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// Days from 1970-01-01 to a day of the calendar.
  static func days(year: Int, month: Int, day: Int) -> Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let era = floorDivide(marchYear, 400)
    let yearOfEra = marchYear - era * 400
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(era * 146_097 + dayOfEra - 719_468)
  }

  /// Whether the year has a 29 February.
  static func isLeap(year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// How many days a month has.
  static func dayCount(year: Int, month: Int) -> Int {
    switch month {
    case 2: return isLeap(year: year) ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }
}

/// A quotient rounded down, also for negative numbers.
func floorDivide<Number: SignedInteger>(_ value: Number, _ divisor: Number) -> Number {
  let quotient = value / divisor
  return value % divisor != 0 && (value < 0) != (divisor < 0) ? quotient - 1 : quotient
}

/// A number with leading zeros.
func padded(_ value: Int, digits: Int) -> String {
  var text = "\(value)"
  while text.utf8.count < digits { text = "0" + text }
  return text
}

func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9") }
