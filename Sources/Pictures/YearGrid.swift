import Sessions
import Zones

/// A year of days as a picture shows it: weeks as columns, Monday to Sunday as rows. The last
/// column is the week of the last day.
struct YearGrid {
  /// 53 weeks hold any 365 days, whatever weekday is the last.
  static let weekCount = 53
  static let weekdayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// One day in it.
  struct Cell {
    var date: LocalDate
    var seconds: Int64
    var sits: Int
    /// Whether it belongs to the streak that is alive.
    var isAlive: Bool
    var strength: Strength { Strength(seconds: seconds) }
  }

  /// How much was sat on a day. The steps are the same for everybody and always, so that a day
  /// never looks different because of another.
  enum Strength: Int, CaseIterable {
    case none, touched, quarter, half, hour

    /// The seconds from which it holds.
    var minimumSeconds: Int64 { [0, 1, 900, 1_800, 3_600][rawValue] }

    init(seconds: Int64) {
      self = Strength.allCases.last { seconds >= $0.minimumSeconds } ?? .none
    }
  }

  /// The Monday of the first column.
  let firstDate: LocalDate
  let lastDate: LocalDate
  /// The columns; the last one ends with the last day.
  let weeks: [[Cell]]

  init(_ statistics: SessionStatistics, lastDate: LocalDate) {
    let first = lastDate.adding(days: 1 - lastDate.weekday - 7 * (YearGrid.weekCount - 1))
    let streak = statistics.showsStreaks ? statistics.streak : []
    let alive = Set(streak.map(\.date))
    weeks = (0..<YearGrid.weekCount).map { week in
      (0..<7).map { first.adding(days: week * 7 + $0) }.filter { $0 <= lastDate }.map { date in
        let day = statistics.days.day(on: date)
        return Cell(
          date: date, seconds: day?.seconds ?? 0, sits: day?.sits ?? 0,
          isAlive: alive.contains(date))
      }
    }
    firstDate = first
    self.lastDate = lastDate
  }

  /// What the days in it add up to.
  var totals: (sits: Int, seconds: Int64, days: Int) {
    let sat = weeks.flatMap { $0 }.filter { $0.sits > 0 }
    return (sat.reduce(0) { $0 + $1.sits }, YearGrid.seconds(of: sat), sat.count)
  }

  /// What was sat on some days, or the most there is where that would be more.
  static func seconds(of days: [Cell]) -> Int64 {
    days.reduce(0) { sum, day in
      let (next, isOver) = sum.addingReportingOverflow(day.seconds)
      return isOver ? .max : next
    }
  }

  /// The months that begin in the picture, each with the column of its first day.
  var months: [(week: Int, name: String)] {
    weeks.enumerated().compactMap { index, week in
      guard let first = week.first(where: { $0.date.day == 1 }) else { return nil }
      return (index, YearGrid.monthNames[first.date.month - 1])
    }
  }
}
