// Days and streaks by the system's own time-zone files, next to what the C library says.
import Glibc
import Sessions
import SystemZone
import Testing
import Zones

private let zoneNames = [
  "Asia/Seoul", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
  "Pacific/Apia", "Pacific/Kiritimati", "UTC",
]

private struct NoZoneFile: Error { var name: String }

/// A zone of this machine. A machine without tzdata fails the test.
private func zone(_ name: String) throws -> ZoneRules {
  guard let file = fopen("/usr/share/zoneinfo/" + name, "rb") else { throw NoZoneFile(name: name) }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 65_536)
  let count = fread(&bytes, 1, bytes.count, file)
  return try ZoneRules(tzif: Array(bytes.prefix(count)))
}

/// A sit of a minute that begins at an instant, as a box in a zone records it.
private func sit(at unixSeconds: Int64, in rules: ZoneRules) -> MeditationSession {
  var session = MeditationSession(
    id: Identity(high: UInt64(bitPattern: unixSeconds), low: 0),
    startDate: WallInstant(milliseconds: unixSeconds * 1_000),
    endDate: WallInstant(milliseconds: unixSeconds * 1_000 + 60_000), durationSeconds: 60,
    plannedSeconds: 60)
  session.utcOffsetSeconds = Int64(rules.offsetSeconds(atUnixSeconds: unixSeconds))
  return session
}

@Suite struct ZoneDayTests {
  private let years1970To2037: ClosedRange<Int64> = 0...2_145_916_799

  private func changes(of rules: ZoneRules) -> [Int64] {
    var changes: [Int64] = []
    var instant = years1970To2037.lowerBound
    while let next = rules.nextChange(after: instant), next <= years1970To2037.upperBound {
      changes.append(next)
      instant = next
    }
    return changes
  }

  @Test(arguments: zoneNames)
  func dayOfASit_aroundEachChange_isTheOneOnTheLibrarysWall(name: String) throws {
    let rules = try zone(name)
    let nearby: [Int64] = [0, 1, 1_800, 3_600, 7_200, 10_800, 43_200, 86_399, 86_400]
    for change in changes(of: rules) {
      for distance in nearby.flatMap({ [-$0, $0] }) {
        let instant = change + distance
        let wall = system_zone_time(name, instant)
        let session = sit(at: instant, in: rules)
        #expect(Int(session.utcOffsetSeconds) == wall.tm_gmtoff, "\(name) at \(instant)")
        let date = try #require(
          LocalDate(
            year: Int(wall.tm_year) + 1_900, month: Int(wall.tm_mon) + 1, day: Int(wall.tm_mday)))
        #expect(DayRule().day(of: session) == date, "\(name) at \(instant)")
        let early = wall.tm_hour < 4
        #expect(
          DayRule(startsSeconds: 14_400).day(of: session) == date.adding(days: early ? -1 : 0),
          "\(name) at \(instant)")
      }
    }
  }

  @Test(arguments: zoneNames)
  func offsets_atThousandsOfInstants_areTheLibrarys(name: String) throws {
    let rules = try zone(name)
    for instant in stride(from: Int64(0), to: years1970To2037.upperBound, by: 400_003) {
      let offset = rules.offsetSeconds(atUnixSeconds: instant)
      #expect(Int(offset) == system_zone_time(name, instant).tm_gmtoff, "\(name) at \(instant)")
    }
  }

  /// Row 41: a sit on every date there was, over every change of 68 years.
  @Test(arguments: zoneNames)
  func dailySits_overAllChanges_areOneStreak(name: String) throws {
    let rules = try zone(name)
    for minute: Int64 in [15, 2 * 60 + 30, 7 * 60, 23 * 60 + 45] {
      let (sits, left) = dailySits(name, rules, minute: minute)
      let skips = name == "Pacific/Apia" || name == "Pacific/Kiritimati"
      #expect(left == (skips ? 1 : 0), "\(name)")
      let days = SessionDays(sits, rule: DayRule())
      #expect(days.daysSat == sits.count, "\(name) at minute \(minute)")
      #expect(days.longestStreak == sits.count, "\(name) at minute \(minute)")
      let last = try #require(days.days.last?.date)
      #expect(days.currentStreak(on: last) == sits.count)
      #expect(days.isStreakDue(on: last.adding(days: 1)))
      #expect(days.currentStreak(on: last.adding(days: 2)) == 0)
    }
  }

  /// One sit on each date that there was, and how many dates there were not. A time of day that a
  /// change leaves out is sat by the clock before the change or after it, whichever has that date.
  private func dailySits(
    _ name: String, _ rules: ZoneRules, minute: Int64
  ) -> (sits: [MeditationSession], left: Int) {
    var sits: [MeditationSession] = []
    var left = 0
    for day in Int64(2)...24_835 {
      let wall = day * 86_400 + minute * 60
      let near = wall - Int64(rules.offsetSeconds(atUnixSeconds: wall))
      let instants = [wall - Int64(rules.offsetSeconds(atUnixSeconds: near)), near]
      let wanted = LocalDate(daysSinceEpoch: day)
      let instant = instants.first { instant in
        // By the library, not by what is tried here.
        let date = system_zone_time(name, instant)
        return Int(date.tm_mday) == wanted.day && Int(date.tm_mon) + 1 == wanted.month
      }
      if let instant { sits.append(sit(at: instant, in: rules)) } else { left += 1 }
    }
    return (sits, left)
  }

  @Test func apia_overTheDayThatNeverWas_keepsTheStreak() throws {
    let rules = try zone("Pacific/Apia")
    // 2011-12-29 07:00 -10:00 and, a day later, 2011-12-31 07:00 +14:00.
    let (before, after) = (Int64(1_325_178_000), Int64(1_325_264_400))
    let first = SessionDays([sit(at: before, in: rules)], rule: DayRule())
    let rule = DayRule()
    for (instant, streak, isDue) in [
      (before, 1, false), (after, 1, true), (after + 61_199, 1, true), (after + 61_200, 0, false),
    ] {
      let offset = Int64(rules.offsetSeconds(atUnixSeconds: instant))
      let today = rule.day(
        at: WallInstant(milliseconds: instant * 1_000), utcOffsetSeconds: offset)
      #expect(first.currentStreak(on: today, utcOffsetSeconds: offset) == streak, "\(instant)")
      #expect(first.isStreakDue(on: today, utcOffsetSeconds: offset) == isDue, "\(instant)")
    }
    let both = [sit(at: before, in: rules), sit(at: after, in: rules)]
    let days = SessionDays(both.reversed(), rule: DayRule())
    #expect(days.days.map(\.date.text) == ["2011-12-29", "2011-12-31"])
    #expect(days.longestStreak == 2)
    // A day that was, and was not sat, is missed there as elsewhere.
    let gap = [sit(at: before - 86_400, in: rules), sit(at: after, in: rules)]
    #expect(SessionDays(gap, rule: DayRule()).longestStreak == 1)
  }
}
