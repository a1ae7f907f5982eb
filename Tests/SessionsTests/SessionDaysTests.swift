import Sessions
import Testing
import Ticks
import Zones

private let berlin: Int64 = 3_600

/// A sit of 25 minutes that begins so many hours after midnight of a day, by the wall's clock.
private func sit(
  _ day: String, hour: Double, offset: Int64 = berlin, seconds: Int64 = 1_500, index: Int = 0
) -> MeditationSession {
  // A test's own dates are right.
  guard let date = try? LocalDate(text: day) else { preconditionFailure(day) }
  let start = date.daysSinceEpoch * 86_400_000 + Int64(hour * 3_600_000) - offset * 1_000
  var session = MeditationSession(
    id: Identity(high: UInt64(bitPattern: start), low: UInt64(index)),
    startDate: WallInstant(milliseconds: start),
    endDate: WallInstant(milliseconds: start + seconds * 1_000), durationSeconds: seconds,
    plannedSeconds: 1_800)
  session.utcOffsetSeconds = offset
  return session
}

private func date(_ text: String) throws -> LocalDate { try LocalDate(text: text) }

private func days(_ sits: [MeditationSession], starts: Int64 = 0, grace: Int = 0) -> SessionDays {
  SessionDays(sits, rule: DayRule(startsSeconds: starts, graceDays: grace))
}

private func shown(_ days: SessionDays) -> [String] {
  days.days.map { "\($0.date.text) \($0.seconds)" }
}

@Suite struct SessionDaysTests {
  @Test func days_ofNoSit_haveNoStreak() throws {
    let none = days([])
    #expect(none.daysSat == 0 && none.longestStreak == 0)
    #expect(none.currentStreak(on: try date("2026-11-30")) == 0)
    #expect(!none.isStreakDue(on: try date("2026-11-30")))
    #expect(none.seconds(on: try date("2026-11-30")) == 0)
  }

  @Test func days_ofPartialSits_haveTheirSeconds() throws {
    // Row 36: 23 of 30 minutes are 23 minutes, in totals and in the streak.
    var partial = sit("2026-11-30", hour: 7, seconds: 1_380)
    partial.completed = false
    let sits = [sit("2026-11-30", hour: 20), partial, sit("2026-11-29", hour: 7)]
    #expect(shown(days(sits)) == ["2026-11-29 1500", "2026-11-30 2880"])
    #expect(days(sits).currentStreak(on: try date("2026-11-30")) == 2)
    #expect(days(sits).seconds(on: try date("2026-11-30")) == 2_880)
    #expect(days(sits).seconds(on: try date("2026-11-28")) == 0)
  }

  @Test func sitAcrossMidnight_countsForTheDayOfItsStart() {
    // Row 38.
    #expect(shown(days([sit("2026-11-29", hour: 23 + 50.0 / 60)])) == ["2026-11-29 1500"])
  }

  @Test func sitsAroundMidnight_ofFarZones_landOnTheDayOnTheWall() {
    // Row 39.
    for offset: Int64 in [50_400, 36_000, 3_600, 0, -39_600] {
      let sits = [
        sit("2026-11-30", hour: 0.5, offset: offset), sit("2026-11-30", hour: 23.5, offset: offset),
      ]
      #expect(shown(days(sits)) == ["2026-11-30 3000"], "\(offset)")
    }
  }

  @Test func streak_isAliveAndDue_untilItsDayIsOver() throws {
    // Row 40: sit on Monday at 07:00; on Tuesday at 22:00 it is 1 and due; then it breaks.
    let rule = DayRule()
    let monday = days([sit("2026-11-30", hour: 7)])
    func at(_ day: String, _ milliseconds: Int64) throws -> String {
      let midnight = try date(day).daysSinceEpoch * 86_400_000 - berlin * 1_000
      let today = rule.day(
        at: WallInstant(milliseconds: midnight + milliseconds), utcOffsetSeconds: berlin)
      return "\(monday.currentStreak(on: today))\(monday.isStreakDue(on: today) ? " due" : "")"
    }
    #expect(try at("2026-11-30", 8 * 3_600_000) == "1")
    #expect(try at("2026-12-01", 22 * 3_600_000) == "1 due")
    #expect(try at("2026-12-02", -1) == "1 due")
    #expect(try at("2026-12-02", 0) == "0")
    #expect(try at("2026-12-02", 1) == "0")
    #expect(monday.longestStreak == 1)
  }

  @Test func streak_withADayThatStartsLater_isAliveUntilThen() throws {
    let rule = DayRule(startsSeconds: 14_400)
    let monday = SessionDays([sit("2026-11-30", hour: 7)], rule: rule)
    let midnight = try date("2026-12-02").daysSinceEpoch * 86_400_000 - berlin * 1_000
    for (milliseconds, streak) in [(14_399_999, 1), (14_400_000, 0), (14_400_001, 0)] {
      let now = WallInstant(milliseconds: midnight + Int64(milliseconds))
      let today = rule.day(at: now, utcOffsetSeconds: berlin)
      #expect(monday.currentStreak(on: today) == streak, "\(milliseconds)")
    }
  }

  @Test func dayStarts_changed_movesSitsAfterMidnightAndLosesNothing() {
    // Row 43: boundary 04:00, and a sit just before, at and just after it.
    let sits = [20.0 / 60, 4 - 1.0 / 3_600, 4, 4 + 1.0 / 3_600].map { hour in
      sit("2026-11-30", hour: hour, seconds: 1)
    }
    #expect(shown(days(sits)) == ["2026-11-30 4"])
    #expect(shown(days(sits, starts: 14_400)) == ["2026-11-29 2", "2026-11-30 2"])
  }

  @Test func graceDays_keepAStreakAndAddNothing() throws {
    // Row 44: Monday sit, Tuesday grace, Wednesday sit: 2.
    let sits = [sit("2026-11-30", hour: 7), sit("2026-12-02", hour: 7)]
    let wednesday = try date("2026-12-02")
    #expect(days(sits).currentStreak(on: wednesday) == 1)
    #expect(days(sits).longestStreak == 1)
    #expect(days(sits, grace: 1).currentStreak(on: wednesday) == 2)
    #expect(days(sits, grace: 1).longestStreak == 2)
    // Thursday is not over, and Friday is the first day on which two have been missed.
    for (day, streak) in [("2026-12-03", 2), ("2026-12-04", 2), ("2026-12-05", 0)] {
      #expect(days(sits, grace: 1).currentStreak(on: try date(day)) == streak, "\(day)")
    }
    #expect(days(sits, grace: 7).currentStreak(on: try date("2026-12-10")) == 2)
    #expect(days(sits, grace: 7).currentStreak(on: try date("2026-12-11")) == 0)
  }

  @Test func sitsOfTomorrow_addNothingToTodaysStreak() throws {
    // Flown east over the date line, or dated by a clock that is ahead.
    let sits = ["2026-11-29", "2026-11-30", "2026-12-01", "2027-06-01"].map { sit($0, hour: 7) }
    #expect(days(sits).currentStreak(on: try date("2026-11-30")) == 2)
    #expect(days(sits).currentStreak(on: try date("2026-11-28")) == 0)
  }

  @Test func impossibleSits_countNowhere() throws {
    var backwards = sit("2026-11-30", hour: 7)
    backwards.endDate = WallInstant(milliseconds: backwards.startDate.milliseconds - 1)
    #expect(backwards.impossibility == "ends before it begins")
    var negative = sit("2026-11-30", hour: 7)
    negative.durationSeconds = -1
    #expect(negative.impossibility == "a length is negative")
    var long = sit("2026-11-30", hour: 7, seconds: 691_201)
    #expect(long.impossibility == "longer than eight days" && !long.isCounted)
    long.durationSeconds = 691_200
    #expect(long.impossibility == nil && long.isCounted)
    // Programs round lengths and dates each in their own way, but not by three seconds.
    for (seconds, isPossible) in [(1_502, true), (1_503, false)] as [(Int64, Bool)] {
      var late = sit("2026-11-30", hour: 7)
      late.durationSeconds = seconds
      let problem = isPossible ? nil : "longer than from its beginning to its end"
      #expect(late.impossibility == problem && late.isCounted == isPossible)
      late.durationSeconds = 600
      late.overtimeSeconds = seconds - 900
      #expect(late.impossibility == (isPossible ? nil : "more overtime than was sat"))
    }
    var empty = sit("2026-11-30", hour: 7)
    empty.durationSeconds = 0
    #expect(empty.impossibility == nil && !empty.isCounted)
    var huge = sit("2026-11-30", hour: 7)
    huge.durationSeconds = .max
    #expect(days([backwards, negative, empty, huge]).days.isEmpty)
  }

  @Test func dayRule_ofTheStore_winsOverTheConfigurationsOwn() throws {
    let own = DayRule(startsSeconds: 3_600, graceDays: 1)
    var store = try store(sits: 0)
    #expect(store.dayRule(or: own) == own)
    try store.set(.dayStarts, to: .string("04:30"), at: now)
    try store.set(.dayGrace, to: .integer(3), at: now)
    #expect(store.dayRule(or: own) == DayRule(startsSeconds: 16_200, graceDays: 3))
    try store.set(.dayGrace, to: .string("2"), at: now)
    #expect(store.dayRule(or: own).graceDays == 2)
    // What another version or a hand has written wrongly is as if it were not there.
    for text in ["4:30", "06:01", "24:00", "04:60", "0430", "", "\u{660}4:30", "-4:30"] {
      try store.set(.dayStarts, to: .string(text), at: now)
      #expect(store.dayRule(or: own).startsSeconds == 3_600, "\(text)")
    }
    for value: JSONValue in [.integer(8), .integer(-1), .number("1.5"), .string("x"), .null] {
      try store.set(.dayGrace, to: value, at: now)
      #expect(store.dayRule(or: own).graceDays == 1)
    }
  }
}

@Suite struct StreakLawTests {
  /// The streak by going back day by day, as slow as obvious.
  private func slowStreak(_ sat: Set<LocalDate>, on today: LocalDate, grace: Int) -> Int {
    var streak = 0
    var missed = 0
    var day = today
    while missed <= grace, today.daysSinceEpoch - day.daysSinceEpoch < 1_000 {
      if sat.contains(day) {
        streak += 1
        missed = 0
      } else if day != today {
        missed += 1
      }
      day = day.adding(days: -1)
    }
    return streak
  }

  /// The longest streak by trying each day as the last one.
  private func slowLongest(_ sat: Set<LocalDate>, grace: Int) -> Int {
    sat.map { slowStreak(sat, on: $0, grace: grace) }.max() ?? 0
  }

  @Test func streaks_ofRandomLives_equalTheSlowReference() throws {
    var generator = SeededGenerator(seed: 6_044)
    let first = try date("2024-01-15")
    for life in 0..<3_000 {
      let grace = Int(generator.below(4))
      let starts = Int64(generator.below(7)) * 3_600
      let density = generator.below(10) + 1
      var sits: [MeditationSession] = []
      var sat: Set<LocalDate> = []
      let length = Int(generator.below(90)) + 1
      for day in 0..<length where generator.below(11) < density {
        let wall = first.adding(days: day)
        let hour = Double(generator.below(24 * 60)) / 60
        // Offsets of one life differ by less than a day, so no date is left out.
        let offset = (Int64(generator.below(41)) - 20) * 1_800
        let new = sit(wall.text, hour: hour, offset: offset, seconds: 1)
        // Of two at one instant, on two days, one would not count.
        if sits.contains(where: { abs($0.startDate.milliseconds - new.startDate.milliseconds) < 9 }) {
          continue
        }
        sits.append(new)
        sat.insert(hour * 3_600 < Double(starts) ? wall.adding(days: -1) : wall)
      }
      let today = first.adding(days: Int(generator.below(UInt64(length + 3))))
      let days = days(sits, starts: starts, grace: grace)
      let past = sat.filter { $0 <= today }
      #expect(Set(days.days.map(\.date)) == sat, "life \(life)")
      #expect(
        days.currentStreak(on: today) == slowStreak(past, on: today, grace: grace), "life \(life)")
      #expect(days.longestStreak == slowLongest(sat, grace: grace), "life \(life)")
      #expect(
        days.isStreakDue(on: today)
          == (!sat.contains(today) && slowStreak(past, on: today, grace: grace) > 0))
      #expect(days.days.reduce(0) { $0 + $1.seconds } == Int64(sits.count))
    }
  }

  @Test func totals_afterAnyOrderOfMerges_areEqual() throws {
    var generator = SeededGenerator(seed: 6_045)
    let rule = DayRule(startsSeconds: 14_400, graceDays: 1)
    let today = try date("2026-03-01")
    for _ in 0..<200 {
      var replicas = (0..<4).map { index in
        SessionStore(owner: owner, device: Identity(high: 9, low: UInt64(index)))
      }
      for index in 0..<40 {
        let day = try date("2026-01-20").adding(days: Int(generator.below(40)))
        let some = sit(day.text, hour: Double(generator.below(24)), index: index)
        // Some sits are known to several boxes already.
        for _ in 0...generator.below(2) {
          _ = try replicas[Int(generator.below(4))].add(some)
        }
      }
      func merged(_ order: [Int]) -> SessionStatistics {
        var store = replicas[order[0]]
        for index in order.dropFirst() { store.merge(replicas[index]) }
        store.merge(replicas[order[0]])
        return SessionStatistics(store.sessions.shuffled(), rule: rule, today: today)
      }
      let one = merged([0, 1, 2, 3])
      for order in [[3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] { #expect(merged(order) == one) }
      #expect(one.json == merged([3, 0, 2, 1]).json)
    }
  }

  @Test func dayStarts_thereAndBack_givesTheSameBytes() throws {
    var generator = SeededGenerator(seed: 6_046)
    let today = try date("2026-03-01")
    var sits: [MeditationSession] = []
    for index in 0..<500 {
      let day = try date("2025-03-01").adding(days: Int(generator.below(360)))
      sits.append(sit(day.text, hour: Double(generator.below(1_440)) / 60, index: index))
    }
    let before = SessionStatistics(sits, rule: DayRule(), today: today)
    for starts in stride(from: Int64(0), through: 21_600, by: 60) {
      let moved = SessionStatistics(sits, rule: DayRule(startsSeconds: starts), today: today)
      #expect(moved.totalSeconds == before.totalSeconds && moved.sits == before.sits)
    }
    #expect(SessionStatistics(sits, rule: DayRule(), today: today).json == before.json)
  }
}
