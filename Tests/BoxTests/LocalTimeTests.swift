import Testing
import Ticks
import Zones

@testable import Box

private func showings(_ name: String, _ date: String, _ time: String) throws -> [String] {
  let rules = try zone(name)
  let parts = time.split(separator: ":").compactMap { Int64($0) }
  let day = try LocalDate(text: date)
  return rules.showings(of: parts[0] * 3_600 + parts[1] * 60, on: day).map { seconds in
    Timestamp(
      unixNanoseconds: seconds * 1_000_000_000,
      offsetSeconds: rules.offsetSeconds(atUnixSeconds: seconds)
    ).text
  }
}

/// Zone, day, time, and the instants at which the clock on the wall shows it.
@Test(
  arguments: [
    ("Asia/Seoul", "2026-11-30", "07:00", ["2026-11-30T07:00:00+09:00"]),
    // The clocks go from 02:00 to 03:00: what is left out comes as the gap ends.
    ("Europe/Berlin", "2026-03-29", "02:30", ["2026-03-29T03:00:00+02:00"]),
    ("Europe/Berlin", "2026-03-29", "02:00", ["2026-03-29T03:00:00+02:00"]),
    ("Europe/Berlin", "2026-03-29", "03:00", ["2026-03-29T03:00:00+02:00"]),
    ("Europe/Berlin", "2026-03-29", "01:59", ["2026-03-29T01:59:00+01:00"]),
    // And from 03:00 back to 02:00.
    (
      "Europe/Berlin", "2026-10-25", "02:30",
      ["2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"]
    ),
    ("Europe/Berlin", "2026-10-25", "03:00", ["2026-10-25T03:00:00+01:00"]),
    (
      "America/New_York", "2026-11-01", "01:15",
      ["2026-11-01T01:15:00-04:00", "2026-11-01T01:15:00-05:00"]
    ),
    // Half an hour of summer time.
    ("Australia/Lord_Howe", "2026-10-04", "02:15", ["2026-10-04T02:30:00+11:00"]),
    (
      "Australia/Lord_Howe", "2026-04-05", "01:45",
      ["2026-04-05T01:45:00+11:00", "2026-04-05T01:45:00+10:30"]
    ),
    ("Asia/Kathmandu", "2026-06-01", "00:00", ["2026-06-01T00:00:00+05:45"]),
    ("Pacific/Kiritimati", "2026-06-01", "23:59", ["2026-06-01T23:59:00+14:00"]),
    ("UTC", "2026-06-01", "12:00", ["2026-06-01T12:00:00Z"]),
    // Samoa went over the date line: 30 December 2011 never was.
    ("Pacific/Apia", "2011-12-29", "23:00", ["2011-12-29T23:00:00-10:00"]),
    ("Pacific/Apia", "2011-12-30", "07:00", []),
    ("Pacific/Apia", "2011-12-31", "07:00", ["2011-12-31T07:00:00+14:00"]),
  ] as [(String, String, String, [String])])
func time_ofADay_isShownAt(
  zone: String, date: String, time: String, expected: [String]
) throws {
  let shown = try showings(zone, date, time)
  #expect(shown == expected)
}

@Test(
  arguments: [
    // The second half past two is the next one for who is between the two.
    ("2026-10-25T02:29:59+02:00", "2026-10-25T02:30:00+02:00"),
    ("2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"),
    ("2026-10-25T02:30:00+01:00", "2026-10-26T02:30:00+01:00"),
    ("2026-03-28T02:30:00+01:00", "2026-03-29T03:00:00+02:00"),
    ("2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00"),
  ] as [(String, String)])
func nextShowing_comesStrictlyAfter(now: String, expected: String) throws {
  let rules = try zone("Europe/Berlin")
  let after = try Timestamp(text: now).unixSeconds
  let next = try #require(rules.nextShowing(of: 9_000, after: after))
  let instant = try Timestamp(text: expected)
  #expect(next.unixSeconds == instant.unixSeconds)
}
