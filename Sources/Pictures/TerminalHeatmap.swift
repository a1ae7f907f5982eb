import Sessions
import Zones

/// A year of days in the characters of a terminal: one column a week, one row a weekday.
///
/// The blocks alone tell how much was sat; colour adds which days are the streak that is alive.
public struct TerminalHeatmap: Sendable {
  /// The colours that a terminal has.
  public enum Colours: Sendable {
    /// None.
    case none
    /// The sixteen that every colour terminal has.
    case sixteen
    /// Any (24 bits).
    case full
  }

  private let grid: YearGrid
  private let colours: Colours

  /// Makes the heatmap of the year that ends with a day.
  public init(_ statistics: SessionStatistics, lastDate: LocalDate, colours: Colours) {
    grid = YearGrid(statistics, lastDate: lastDate)
    self.colours = colours
  }

  /// What the days add up to, nine rows and the meaning of the blocks, each ended by a line feed, 57
  /// columns wide.
  public var text: String {
    var lines = [painted("    " + caption, .quiet), painted(monthLine, .quiet)]
    for (row, name) in YearGrid.weekdayNames.enumerated() {
      lines.append(painted(name, .quiet) + " " + cells(row))
    }
    lines.append("")
    let legend = YearGrid.Strength.allCases.map { "\(block($0)) \(meaning($0))" }
    lines.append("    " + painted(legend.joined(separator: "   "), .quiet))
    return lines.map { $0 + "\n" }.joined()
  }

  /// `2025-11-24 – 2026-11-30   365 sits   152h05m`.
  private var caption: String {
    let totals = grid.totals
    let sits = "\(totals.sits) sit\(totals.sits == 1 ? "" : "s")"
    return "\(grid.firstDate.text) – \(grid.lastDate.text)   \(sits)   "
      + SessionHistory.length(totals.seconds)
  }

  private var monthLine: String {
    var line = "    "
    for month in grid.months {
      // Months are four columns apart at least, and their names three wide.
      line += String(repeating: " ", count: max(0, 4 + month.week - line.utf8.count)) + month.name
    }
    return line
  }

  /// A row, each run of one ink painted once.
  private func cells(_ row: Int) -> String {
    var text = ""
    var run = ""
    var runInk = Ink.quiet
    for week in grid.weeks where row < week.count {
      let ink = ink(of: week[row])
      if ink != runInk {
        text += painted(run, runInk)
        (run, runInk) = ("", ink)
      }
      run += block(week[row].strength)
    }
    return text + painted(run, runInk)
  }

  private func block(_ strength: YearGrid.Strength) -> String {
    ["·", "░", "▒", "▓", "█"][strength.rawValue]
  }

  private func meaning(_ strength: YearGrid.Strength) -> String {
    ["none", "some", "15m", "30m", "1h"][strength.rawValue]
  }

  private enum Ink { case quiet, name, ember }

  private func ink(of cell: YearGrid.Cell) -> Ink {
    if cell.isAlive { return .ember }
    return cell.strength == .none ? .quiet : .name
  }

  private func painted(_ text: String, _ ink: Ink) -> String {
    let parameters: String
    switch (colours, ink) {
    case (.none, _): return text
    case (.sixteen, .quiet): parameters = "2;37"
    case (.sixteen, .name): parameters = "97"
    case (.sixteen, .ember): parameters = "33"
    case (.full, .quiet): parameters = Colour.quiet.parameters
    case (.full, .name): parameters = Colour.strong.parameters
    case (.full, .ember): parameters = Colour.ember.parameters
    }
    return text.isEmpty ? "" : "\u{1B}[\(parameters)m\(text)\u{1B}[0m"
  }
}
