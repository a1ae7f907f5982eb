// The rule at the end of a TZif file: RFC 9636 section 3.3.1, which takes it from POSIX's `TZ`
// variable and widens the times of change to −167 … 167 hours.
//
//     EST5EDT,M3.2.0,M11.1.0        <+1030>-10:30<+11>-11,M10.1.0,M4.1.0        <+0330>-3:30
//
// POSIX counts offsets westward; here, as everywhere in this room, they count eastward.

/// What local time is in some stretch of time.
struct LocalTime: Equatable, Sendable {
  /// Seconds by which local time is ahead of UTC.
  var offsetSeconds: Int32
  var isSummerTime: Bool
  var abbreviation: String
}

/// The day of a year on which local time changes.
enum ChangeDay: Equatable, Sendable {
  /// `Jn`: day 1 to 365 of the year; 29 February is never counted.
  case julian(Int)
  /// `n`: day 0 to 365 of the year; 29 February is counted.
  case ordinal(Int)
  /// `Mm.w.d`: the w-th weekday d (0 Sunday to 6) of month m; week 5 is the last.
  case weekday(month: Int, week: Int, day: Int)

  /// The day in days since 1970-01-01.
  func daysSinceEpoch(year: Int) -> Int64 {
    switch self {
    case .julian(let day):
      let leapDay = LocalDate.isLeap(year: year) && day >= 60 ? 1 : 0
      return LocalDate.days(year: year, month: 1, day: 1) + Int64(day - 1 + leapDay)
    case .ordinal(let day):
      return LocalDate.days(year: year, month: 1, day: 1) + Int64(day)
    case .weekday(let month, let week, let day):
      let first = LocalDate.days(year: year, month: month, day: 1)
      // 1970-01-01 was a Thursday, which POSIX numbers 4.
      let firstWeekday = Int(first + 4 - floorDivide(first + 4, 7) * 7)
      var dayOfMonth = 1 + (day - firstWeekday + 7) % 7 + 7 * (week - 1)
      if dayOfMonth > LocalDate.dayCount(year: year, month: month) { dayOfMonth -= 7 }
      return first + Int64(dayOfMonth - 1)
    }
  }
}

/// One change a year: its day, and seconds after that day's local midnight.
struct YearlyChange: Equatable, Sendable {
  var day: ChangeDay
  var seconds: Int64
}

/// The rule that holds after the last change a file lists.
struct PosixZone: Equatable, Sendable {
  var standard: LocalTime
  /// Nil where the clocks never change.
  var summer: Summer?

  /// Summer time and when it begins and ends.
  struct Summer: Equatable, Sendable {
    var time: LocalTime
    /// Told in standard time.
    var begin: YearlyChange
    /// Told in summer time.
    var end: YearlyChange
  }

  /// The instants, in Unix seconds, at which summer time begins and ends around an instant, in
  /// rising order: at least the last before it and the next two after it. Of two at one instant
  /// the beginning stands last, so that `EST5EDT,0/0,J365/25` is summer time all year, as RFC 9636
  /// says.
  func changes(around unixSeconds: Int64) -> [(instant: Int64, time: LocalTime)] {
    guard let summer else { return [] }
    let year = LocalDate(unixSeconds: unixSeconds, offsetSeconds: standard.offsetSeconds).year
    var found: [(instant: Int64, time: LocalTime)] = []
    for year in year - 2...year + 2 {
      found.append((instant(of: summer.end, year, offset: summer.time.offsetSeconds), standard))
      found.append((instant(of: summer.begin, year, offset: standard.offsetSeconds), summer.time))
    }
    // An insertion sort keeps equals in their order; the standard library's does not promise it.
    for index in found.indices.dropFirst() {
      var place = index
      while place > 0, found[place - 1].instant > found[place].instant {
        found.swapAt(place - 1, place)
        place -= 1
      }
    }
    return found
  }

  /// Local time at an instant in Unix seconds.
  func time(at unixSeconds: Int64) -> LocalTime {
    let passed = changes(around: unixSeconds).last { $0.instant <= unixSeconds }
    return passed?.time ?? standard
  }

  private func instant(of change: YearlyChange, _ year: Int, offset: Int32) -> Int64 {
    change.day.daysSinceEpoch(year: year) * 86_400 + change.seconds - Int64(offset)
  }
}
