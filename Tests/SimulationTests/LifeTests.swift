import FoundationEssentials
import Sessions
import Testing
import Ticks
import Zones

/// Random lives, each of a few sits over weeks and some of hundreds over years, with pauses, kills,
/// power cuts, sleep, travel and a clock that is set.
@Suite struct LifeTests {
  /// Lives of one argument; twenty of them are run.
  private static let count: UInt64 = 500

  private static let zones: [ZoneRules] =
    [
      "Asia/Seoul", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
    ].compactMap { name in
      let path = "/usr/share/zoneinfo/" + name
      guard let bytes = try? Data(contentsOf: URL(filePath: path)) else { return nil }
      return try? ZoneRules(tzif: Array(bytes))
    } + [.utc]

  @Test(arguments: 0..<20 as Range<UInt64>)
  func lives_whateverComesBetween_areCountedAsTheyWereSat(part: UInt64) throws {
    #expect(LifeTests.zones.count == 6)
    for number in part * LifeTests.count..<(part + 1) * LifeTests.count {
      var life = Life(seed: number, zones: LifeTests.zones)
      let sits = number % 2_500 == 7 ? 400 : 1 + number % 7
      for _ in 0..<sits {
        try life.rest()
        try life.sit()
      }
      let problem = problem(of: life)
      #expect(problem == nil, "life \(number): \(life.story)")
      if problem != nil { return }
    }
  }

  /// Two boxes of one owner, each of which sits whether or not the other does, and that meet now
  /// and then: time that both sat is counted once, and they agree.
  @Test func livesOfTwoBoxes_countTimeThatBothSatOnce() throws {
    var shared: Int64 = 0
    for number in 0..<600 as Range<UInt64> {
      var lives = [1, 2].map { side in
        Life(seed: number * 2 + side, zones: LifeTests.zones, busyFrom: 1_767_225_600)
      }
      var stores = [1, 2].map { side in
        SessionStore(owner: Identity(high: 9, low: 9), device: Identity(high: 1, low: side))
      }
      for round in 0..<4 {
        for side in 0..<2 {
          for _ in 0..<1 + number % 4 {
            try lives[side].sit()
            try lives[side].rest()
          }
          for sit in lives[side].box.sits { try stores[side].add(sit) }
        }
        if (number + UInt64(round)) % 3 == 0 { stores[round % 2].merge(stores[1 - round % 2]) }
      }
      stores[0].merge(stores[1])
      stores[1].merge(stores[0])
      let today = LocalDate(daysSinceEpoch: lives[0].today)
      let told = stores.map {
        SessionStatistics($0.sessions, rule: DayRule(), today: today)
      }
      #expect(told[0] == told[1])
      // Second by second.
      let sat = Set(lives.flatMap { $0.stretches.joined() })
      #expect(told[0].totalSeconds == Int64(sat.count), "lives \(number)")
      shared += told[0].sharedSeconds
    }
    #expect(shared > 100_000)
  }

  /// The first law that does not hold; nil where all do.
  private func problem(of life: Life) -> String? {
    let sits = life.box.sits
    guard sits.count == life.accounts.count else {
      return "\(sits.count) sits of \(life.accounts.count)"
    }
    // No two sits of one box overlap.
    for (sit, next) in zip(sits, sits.dropFirst()) where next.startDate < sit.endDate {
      return "overlap at \(next.startDate.text(offsetSeconds: 0))"
    }
    // What is credited is what was sat, to the second, of each and so of all.
    for (index, (sit, account)) in zip(sits, life.accounts).enumerated() {
      if sit.durationSeconds != account.seconds {
        return "sit \(index): \(sit.durationSeconds) s of \(account.seconds)"
      }
      // Its day is that of the place where it began, and never changes.
      let day = life.rule.day(of: sit)
      let (began, expected) = (life.days[sit.id], LocalDate(daysSinceEpoch: account.day))
      if day != expected || began != day {
        return "sit \(index) on \(day.text), \(began?.text ?? "none"), expected \(expected.text)"
      }
    }
    let total = sits.reduce(0) { $0 + $1.durationSeconds }
    let days = SessionDays(sits, rule: life.rule)
    if days.days.reduce(0, { $0 + $1.seconds }) != total { return "sum of days" }
    // The streak is that of the reference.
    let streak = days.currentStreak(
      on: LocalDate(daysSinceEpoch: life.today), utcOffsetSeconds: life.offsetSeconds)
    let expected = streakByHand(
      Set(life.accounts.map(\.day)), today: life.today, grace: life.rule.graceDays)
    return streak == expected ? nil : "streak \(streak), by hand \(expected)"
  }

  /// Day by day back from today, which is not missed before it is over.
  private func streakByHand(_ days: Set<Int64>, today: Int64, grace: Int) -> Int {
    var streak = 0
    var missed = 0
    var day = today
    while missed <= grace {
      if days.contains(day) {
        streak += 1
        missed = 0
      } else if day != today {
        missed += 1
      }
      day -= 1
    }
    return streak
  }
}
