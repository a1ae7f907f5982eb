// The layout, in units of which the picture is 1,200 wide and 675 high (16:9, so that the unit u of
// the faces is 7.5): one large thing, a line of words, the days of a year, and under each week of
// them its bar. Weeks stand under each other, so the months are named once.

import Sessions
import Zones

/// A year of sits as a scalable vector graphic, in the colours of the faces: a heatmap of days and
/// a bar for each week. What belongs to the streak that is alive is ember, all else warm white.
///
/// The same statistics give the same bytes.
public struct YearPicture: Sendable {
  private static let pitch = 19
  private static let cell = 15
  private static let gridLeft = 125
  private static let gridTop = 262
  private static let labelRight = 109
  private static let barBase = 634
  private static let barHeight = 160
  private static var gridRight: Int { gridLeft + YearGrid.weekCount * pitch - (pitch - cell) }

  private static let help = 17

  private let statistics: SessionStatistics
  private let grid: YearGrid
  private let caption: String

  /// Makes the picture of the year that ends with a day.
  /// - Parameter caption: what the sits were chosen by, in words; empty for all sits.
  public init(_ statistics: SessionStatistics, lastDate: LocalDate, caption: String = "") {
    self.statistics = statistics
    grid = YearGrid(statistics, lastDate: lastDate)
    // A line holds about a hundred letters.
    let isLong = caption.unicodeScalars.count > 90
    self.caption = isLong ? String(caption.prefix(89)) + "…" : caption
  }

  /// The file.
  public var svg: [UInt8] {
    var picture = SVGText(
      width: 1_200, height: 675, title: "Sits of the year to \(grid.lastDate.text)",
      description: summary)
    drawHead(&picture)
    drawDays(&picture)
    drawLegend(&picture)
    drawWeeks(&picture)
    return picture.bytes
  }

  // MARK: - Words

  private var isStreakShown: Bool { statistics.showsStreaks && !statistics.streak.isEmpty }

  private func drawHead(_ picture: inout SVGText) {
    let large =
      isStreakShown
      ? "Day \(statistics.streak.count)" : YearPicture.length(grid.totals.seconds)
    let colour = isStreakShown ? Colour.ember : .strong
    picture.words(
      large, x: YearPicture.gridLeft - 5, y: 128,
      .init(size: 92, colour: colour, weight: 300))
    picture.words(
      "\(grid.firstDate.text) – \(grid.lastDate.text)", x: YearPicture.gridRight, y: 128,
      .init(size: YearPicture.help, colour: .quiet, anchor: "end"))
    picture.words(
      summary, x: YearPicture.gridLeft, y: 176, .init(size: 21, colour: .name))
    let notes = [isStreakShown && statistics.isStreakDue ? "Today is not sat yet" : "", caption]
    picture.words(
      notes.filter { !$0.isEmpty }.joined(separator: " · "), x: YearPicture.gridLeft, y: 205,
      .init(size: YearPicture.help, colour: .quiet))
  }

  /// What is drawn adds up to it; a streak may be older than the picture.
  private var summary: String {
    let totals = grid.totals
    func counted(_ count: Int, _ thing: String) -> String {
      "\(count) \(thing)\(count == 1 ? "" : "s")"
    }
    var parts = [counted(totals.sits, "sit")]
    if isStreakShown { parts.append(YearPicture.length(totals.seconds)) }
    let mean = totals.sits == 0 ? 0 : totals.seconds / Int64(totals.sits)
    parts.append("\(YearPicture.length(mean)) on average")
    parts.append(counted(totals.days, "day"))
    if statistics.showsStreaks {
      parts.append("longest streak ever \(counted(statistics.days.longestStreak, "day"))")
    }
    return parts.joined(separator: " · ")
  }

  /// `182 h 30 min`, `25 min`, `45 s`.
  private static func length(_ seconds: Int64) -> String {
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
    if hours > 0 { return "\(hours) h" + (minutes > 0 ? " \(minutes) min" : "") }
    return minutes > 0 || seconds == 0 ? "\(minutes) min" : "\(seconds) s"
  }

  // MARK: - Days

  private func drawDays(_ picture: inout SVGText) {
    for month in grid.months {
      // A name over the last columns would stand out on the right.
      let isLast = month.week >= YearGrid.weekCount - 2
      picture.words(
        month.name, x: isLast ? YearPicture.gridRight : left(of: month.week),
        y: YearPicture.gridTop - 12,
        .init(size: YearPicture.help, colour: .quiet, anchor: isLast ? "end" : "start"))
    }
    for row in stride(from: 0, to: 7, by: 2) {
      picture.words(
        YearGrid.weekdayNames[row], x: YearPicture.labelRight,
        y: YearPicture.gridTop + row * YearPicture.pitch + 13,
        .init(size: YearPicture.help, colour: .quiet, anchor: "end"))
    }
    for (week, days) in grid.weeks.enumerated() {
      for (row, day) in days.enumerated() {
        let box = cellBox(x: left(of: week), y: YearPicture.gridTop + row * YearPicture.pitch)
        let told = day.seconds == 0 ? "none" : YearPicture.length(day.seconds)
        picture.rectangle(
          box, YearPicture.fill(day.strength, isAlive: day.isAlive), rounded: 3,
          tip: "\(day.date.text): \(told)")
        if isStreakShown, statistics.isStreakDue, day.date == statistics.today {
          picture.outline(box, .ember, rounded: 3)
        }
      }
    }
  }

  private func drawLegend(_ picture: inout SVGText) {
    let y = YearPicture.gridTop + 7 * YearPicture.pitch + 12
    let labels: [(text: String, width: Int)] = [
      ("none", 78), ("some", 82), ("15 min", 92), ("30 min", 92), ("1 h", 46),
    ]
    var x = YearPicture.gridRight - labels.reduce(0) { $0 + $1.width }
    for (strength, label) in zip(YearGrid.Strength.allCases, labels) {
      let fill = YearPicture.fill(strength, isAlive: false)
      picture.rectangle(cellBox(x: x, y: y), fill, rounded: 3)
      picture.words(
        label.text, x: x + 22, y: y + 13, .init(size: YearPicture.help, colour: .quiet))
      x += label.width
    }
  }

  /// The strengths differ by steps that the eye tells apart on black.
  private static func fill(_ strength: YearGrid.Strength, isAlive: Bool) -> Colour {
    if isAlive { return Colour.ember.at(percent: [0, 34, 54, 76, 100][strength.rawValue]) }
    return Colour.strong.at(percent: [9, 24, 42, 66, 100][strength.rawValue])
  }

  private func left(of week: Int) -> Int { YearPicture.gridLeft + week * YearPicture.pitch }

  private func cellBox(x: Int, y: Int) -> SVGText.Box {
    .init(x: x, y: y, width: YearPicture.cell, height: YearPicture.cell)
  }

  // MARK: - Weeks

  private func drawWeeks(_ picture: inout SVGText) {
    let sums = grid.weeks.map { week in
      (alive: YearGrid.seconds(of: week.filter(\.isAlive)), all: YearGrid.seconds(of: week))
    }
    let top = YearPicture.scale(of: sums.map(\.all).max() ?? 0)
    for part in [0, 1, 2] {
      let y = YearPicture.barBase - YearPicture.barHeight * part / 2
      picture.rectangle(
        .init(
          x: YearPicture.gridLeft, y: y, width: YearPicture.gridRight - YearPicture.gridLeft,
          height: 1), .track)
      picture.words(
        part == 0 ? "0" : YearPicture.length(top * Int64(part) / 2), x: YearPicture.labelRight,
        y: y + 6, .init(size: YearPicture.help, colour: .quiet, anchor: "end"))
    }
    picture.words(
      "Each week", x: YearPicture.gridLeft, y: YearPicture.gridTop + 7 * YearPicture.pitch + 25,
      .init(size: YearPicture.help, colour: .quiet))
    for (week, sums) in sums.enumerated() where sums.all > 0 {
      let height = YearPicture.height(sums.all, of: top)
      let alive = YearPicture.height(sums.alive, of: top)
      let monday = grid.firstDate.adding(days: week * 7).text
      picture.rectangle(
        .init(
          x: left(of: week), y: YearPicture.barBase - height, width: YearPicture.cell,
          height: height),
        .name, rounded: 3, tip: "Week of \(monday): \(YearPicture.length(sums.all))")
      if alive > 0 {
        picture.rectangle(
          .init(
            x: left(of: week), y: YearPicture.barBase - alive, width: YearPicture.cell,
            height: alive),
          .ember, rounded: 3, tip: "Week of \(monday): \(YearPicture.length(sums.all))")
      }
    }
  }

  /// The height of a bar, at least one for any second.
  private static func height(_ seconds: Int64, of top: Int64) -> Int {
    guard seconds > 0 else { return 0 }
    return max(1, Int((Double(seconds) / Double(top) * Double(barHeight)).rounded()))
  }

  /// The top of the scale: the least of these lengths that holds the longest week.
  private static func scale(of longest: Int64) -> Int64 {
    let steps: [Int64] = [1, 2, 4, 6, 8, 10, 14, 20, 30, 40, 60, 80, 120, 168]
    let hours = (longest + 3_599) / 3_600
    return (steps.first { $0 >= hours } ?? hours) * 3_600
  }
}
