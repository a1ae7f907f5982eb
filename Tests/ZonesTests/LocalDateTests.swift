import Testing
import Zones

@Test(arguments: [
  (1970, 1, 1, 0, 4), (1969, 12, 31, -1, 3), (2000, 2, 29, 11_016, 2), (2026, 11, 30, 20_787, 1),
  (1900, 3, 1, -25_508, 4), (0, 1, 1, -719_528, 6), (-1, 12, 31, -719_529, 5),
  (9_999, 12, 31, 2_932_896, 5), (-9_999, 1, 1, -4_371_587, 1),
])
func localDate_knownDays_convertBothWays(
  year: Int, month: Int, day: Int, count: Int64, weekday: Int
) throws {
  let date = try #require(LocalDate(year: year, month: month, day: day))
  #expect(date.daysSinceEpoch == count)
  #expect(LocalDate(daysSinceEpoch: count) == date)
  #expect(date.weekday == weekday)
}

@Test func localDate_everyDayOfEightCenturies_followsTheOneBefore() throws {
  var expected = (year: 1_600, month: 1, day: 1)
  let first = try #require(LocalDate(year: 1_600, month: 1, day: 1)).daysSinceEpoch
  for count in first..<first + 2 * 146_097 {
    let date = LocalDate(daysSinceEpoch: count)
    #expect((date.year, date.month, date.day) == expected)
    if LocalDate(year: date.year, month: date.month, day: date.day + 1) != nil {
      expected.day += 1
    } else if date.month < 12 {
      expected = (date.year, date.month + 1, 1)
    } else {
      expected = (date.year + 1, 1, 1)
    }
  }
  #expect(expected == (2_400, 1, 1))
}

@Test(arguments: [
  (2026, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (2026, 1, 0),
  (10_000, 1, 1), (-10_000, 1, 1),
])
func localDate_dayThatIsNone_isNil(year: Int, month: Int, day: Int) {
  #expect(LocalDate(year: year, month: month, day: day) == nil)
}

@Test func localDate_fromInstantAndOffset_isTheDayOnTheWall() {
  // 2026-11-29T15:00:00Z is midnight in Seoul.
  let midnight: Int64 = 1_795_964_400
  #expect(LocalDate(unixSeconds: midnight, offsetSeconds: 32_400).text == "2026-11-30")
  #expect(LocalDate(unixSeconds: midnight - 1, offsetSeconds: 32_400).text == "2026-11-29")
  #expect(LocalDate(unixSeconds: -1, offsetSeconds: 0).text == "1969-12-31")
  #expect(LocalDate(unixSeconds: Int64.max, offsetSeconds: 1).text == "9999-12-31")
  #expect(LocalDate(unixSeconds: Int64.min, offsetSeconds: -1).text == "-9999-01-01")
}

@Test func localDate_daysAdded_crossMonthsAndYears() throws {
  let date = try LocalDate(text: "2028-02-28")
  #expect(date.adding(days: 2).text == "2028-03-01")
  #expect(date.adding(days: -59).text == "2027-12-31")
  #expect(date < date.adding(days: 1))
}

@Test(arguments: [
  ("2026-11-3", TimestampError.digitExpected(found: "", column: 10)),
  ("2026-11-31", .outOfRange(part: .day, found: "31", column: 9)),
  ("2026-11-30T", .endExpected(found: "T", column: 11)),
  ("20261130", .characterExpected(character: "-", found: "1130", column: 5)),
])
func localDate_malformedText_isRefused(text: String, error: TimestampError) {
  #expect(throws: error) { try LocalDate(text: text) }
}
