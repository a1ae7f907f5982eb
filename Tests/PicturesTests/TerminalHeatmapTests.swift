import Testing
import Zones

@testable import Pictures

private func rows(_ heatmap: TerminalHeatmap) -> [String] {
  heatmap.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}

@Suite struct TerminalHeatmapTests {
  @Test func heatmap_ofAFewDays_putsEachIntoItsWeekAndWeekday() {
    // Monday, Sunday, Saturday, Friday and Thursday, from nothing to an hour.
    let minutes: [Int64] = [60, 59, 29, 14, 0]
    let some = statistics(days: 5) {
      minutes[$0] > 0
    } minutes: {
      minutes[$0]
    }
    let drawn = rows(TerminalHeatmap(some, lastDate: lastDate, colours: .none))
    #expect(drawn[2] == "Mon " + String(repeating: "·", count: 52) + "█")
    #expect(drawn[5] == "Thu " + String(repeating: "·", count: 52))
    #expect(drawn[6] == "Fri " + String(repeating: "·", count: 51) + "░")
    #expect(drawn[7] == "Sat " + String(repeating: "·", count: 51) + "▒")
    #expect(drawn[8] == "Sun " + String(repeating: "·", count: 51) + "▓")
    #expect(drawn[10] == "    · none   ░ some   ▒ 15m   ▓ 30m   █ 1h")
    #expect(drawn.count == 12)
    #expect(drawn[0] == "    2025-12-01 – 2026-11-30   4 sits   2h42m")
  }

  @Test func caption_countsWhatIsDrawnAndNothingBefore() {
    // The first day that is drawn is 364 days ago.
    for (days, sits) in [(1, "1 sit   24m"), (365, "365 sits   146h00m"), (400, "365 sits   146h00m")] {
      let heatmap = TerminalHeatmap(statistics(days: days), lastDate: lastDate, colours: .none)
      #expect(rows(heatmap)[0] == "    2025-12-01 – 2026-11-30   \(sits)")
    }
  }

  @Test func strength_atEachStep_isThatStep() {
    let steps: [(Int64, YearGrid.Strength)] = [
      (0, .none), (1, .touched), (899, .touched), (900, .quarter), (901, .quarter),
      (1_799, .quarter), (1_800, .half), (3_599, .half), (3_600, .hour), (.max, .hour),
    ]
    for (seconds, strength) in steps {
      #expect(YearGrid.Strength(seconds: seconds) == strength, "\(seconds)")
    }
  }

  @Test func months_standOverTheWeekOfTheirFirstDay() {
    let heatmap = TerminalHeatmap(statistics(days: 0), lastDate: lastDate, colours: .none)
    let line = rows(heatmap)[1]
    #expect(line == "    Dec Jan Feb Mar  Apr May  Jun Jul Aug  Sep Oct Nov")
  }

  @Test func everyDay_ofFiftyYears_hasNamesApartAndWholeWeeks() {
    for day in 0..<18_263 {
      let last = lastDate.adding(days: day)
      let grid = YearGrid(statistics(days: 0), lastDate: last)
      let dates = grid.weeks.flatMap { $0.map(\.date) }
      #expect(grid.firstDate.weekday == 1 && dates.first == grid.firstDate && dates.last == last)
      #expect((365...371).contains(dates.count))
      let columns = grid.months.map(\.week)
      #expect(zip(columns, columns.dropFirst()).allSatisfy { $1 - $0 >= 4 }, "\(last.text)")
    }
  }

  @Test func colours_addWhichDaysAreAliveAndChangeNoBlock() {
    // Three days of a streak, and five of an earlier one.
    let some = statistics(days: 9) { $0 != 3 }
    let plain = TerminalHeatmap(some, lastDate: lastDate, colours: .none).text
    #expect(!plain.contains("\u{1B}"))
    for colours in [TerminalHeatmap.Colours.sixteen, .full] {
      let painted = TerminalHeatmap(some, lastDate: lastDate, colours: colours).text
      let ember = colours == .full ? "38;2;232;162;92" : "33"
      #expect(painted.components(of: "\u{1B}[\(ember)m") == 3)
      #expect(painted.withoutEscapes == plain)
    }
    let off = statistics(days: 9, showsStreaks: false)
    #expect(
      !TerminalHeatmap(off, lastDate: lastDate, colours: .full).text.contains("38;2;232;162;92"))
  }
}

extension String {
  /// How often something stands in the text.
  func components(of part: String) -> Int {
    let (all, part) = (Array(utf8), Array(part.utf8))
    guard all.count >= part.count else { return 0 }
    return (0...all.count - part.count).count { all[$0..<$0 + part.count].elementsEqual(part) }
  }

  /// The text without its select-graphic-rendition sequences.
  var withoutEscapes: String {
    var text = ""
    var isEscape = false
    for character in self {
      if character == "\u{1B}" { isEscape = true }
      if !isEscape { text.append(character) }
      if character == "m" { isEscape = false }
    }
    return text
  }
}
