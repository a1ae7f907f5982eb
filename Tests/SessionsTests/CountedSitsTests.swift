import Sessions
import Testing
import Ticks
import Zones

/// A sit from a minute of 2026-11-30 to another, in UTC.
private func sit(
  _ from: Int64, _ to: Int64, _ id: UInt64 = 1, pauses: [(Int64, Int64)] = []
) -> MeditationSession {
  func instant(_ minute: Int64) -> WallInstant {
    WallInstant(milliseconds: 1_795_996_800_000 + minute * 60_000)
  }
  let paused = pauses.reduce(0) { $0 + $1.1 - $1.0 }
  var session = MeditationSession(
    id: Identity(high: 1, low: id), startDate: instant(from), endDate: instant(to),
    durationSeconds: (to - from - paused) * 60, plannedSeconds: nil)
  session.interruptions = pauses.map {
    .init(from: instant($0.0), to: instant($0.1), kind: .pause)
  }
  return session
}

private func statistics(_ sits: [MeditationSession]) throws -> SessionStatistics {
  SessionStatistics(sits, rule: DayRule(), today: try LocalDate(text: "2026-11-30"))
}

/// Total, shared and the number of sits, in minutes.
private func counted(_ sits: MeditationSession...) throws -> [Int64] {
  let all = try statistics(sits)
  for order in [sits.reversed(), sits.sorted { $0.id < $1.id }] {
    let other = try statistics(order)
    #expect(other.json == all.json && other.sharedSeconds == all.sharedSeconds)
  }
  return [all.totalSeconds / 60, all.sharedSeconds / 60, Int64(all.sits)]
}

@Suite struct CountedSitsTests {
  @Test func time_thatTwoSitsShare_isCountedOnce() throws {
    #expect(try counted(sit(0, 30, 1), sit(30, 60, 2)) == [60, 0, 2])
    #expect(try counted(sit(0, 30, 1), sit(29, 60, 2)) == [60, 1, 2])
    #expect(try counted(sit(0, 60, 1), sit(10, 30, 2)) == [60, 20, 2])
    // One that others have all of counts no more, and is no sit.
    #expect(try counted(sit(0, 30, 1), sit(0, 30, 2)) == [30, 30, 1])
    #expect(try counted(sit(0, 20, 1), sit(20, 40, 2), sit(0, 40, 3)) == [40, 40, 2])
    #expect(try counted(sit(0, 20, 1), sit(10, 50, 2), sit(40, 60, 3), sit(5, 55, 4)) == [60, 70, 4])
  }

  @Test func firstStop_wins_andOfOneInstantTheLesserId() {
    let sits = [sit(0, 30, 2), sit(10, 40, 1), sit(20, 40, 3)]
    let table = SessionHistory(sits).table.split(separator: "\n").dropFirst().map(String.init)
    #expect(!table[0].contains("count"))
    #expect(table[1].contains("counts 10m: the rest is another sit's time too"))
    #expect(table[2].contains("not counted: sat at the time of another sit"))
  }

  @Test func pausesAndWhatNobodyConfirmed_takeNothingFromOthers() throws {
    #expect(try counted(sit(0, 60, 1, pauses: [(20, 40)]), sit(10, 50, 2)) == [60, 20, 2])
    #expect(try counted(sit(0, 30, 1, pauses: [(10, 20)]), sit(10, 20, 2)) == [30, 0, 2])
    var left = sit(0, 180, 1)
    left.durationSeconds = 20 * 60
    left.unconfirmedSeconds = 160 * 60
    #expect(try counted(left, sit(60, 190, 2)) == [150, 0, 2])
    #expect(try counted(left, sit(10, 190, 2)) == [190, 10, 2])
  }

  @Test func impossibleSits_takeNothing() throws {
    var wrong = sit(0, 30, 1)
    wrong.durationSeconds = 9 * 86_400
    #expect(try counted(wrong, sit(10, 40, 2)) == [30, 0, 1])
  }

  @Test func days_countSharedTimeOnTheDayOfTheFirstStop() throws {
    // From 23:50 to 00:30, and from 00:10 to 00:20 of the next day.
    let days = SessionDays([sit(1_430, 1_470, 1), sit(1_450, 1_460, 2)], rule: DayRule())
    #expect(days.days.map(\.seconds) == [1_800, 600])
    let covered = SessionDays([sit(1_430, 1_470, 1), sit(1_450, 1_470, 2)], rule: DayRule())
    #expect(covered.days.map(\.seconds) == [2_400])
  }

  @Test func text_saysWhatIsShared_andOnlyThen() throws {
    let text = try statistics([sit(0, 30, 1), sit(20, 60, 2)]).text
    #expect(text.contains("total     1h00m\n") && text.contains("shared    10m, counted once\n"))
    #expect(!(try statistics([sit(0, 30, 1)]).text.contains("shared")))
  }

  /// Minute by minute, which is slow and plain.
  @Test func randomSits_countAsASlowReferenceSays() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      var sits: [MeditationSession] = []
      var sat: Set<Int64> = []
      for id in 0..<1 + random.below(7) {
        let from = Int64(random.below(60))
        let to = from + 1 + Int64(random.below(40))
        let pause = from + Int64(random.below(UInt64(to - from)))
        let over = min(to, pause + Int64(random.below(5)))
        let isPaused = random.below(2) == 0
        sits.append(sit(from, to, UInt64(id), pauses: isPaused ? [(pause, over)] : []))
        sat.formUnion((from..<to).filter { !isPaused || !(pause..<over ~= $0) })
      }
      let result = try statistics(sits)
      #expect(result.totalSeconds == Int64(sat.count) * 60)
      let all = sits.reduce(0) { $0 + $1.durationSeconds }
      #expect(result.sharedSeconds == all - result.totalSeconds)
    }
  }

  /// Far more than an owner has, all over one another: no more than a few steps for each.
  @Test func manySitsAtOneTime_areSharedOutInTime() throws {
    let sits = (0..<7_305 as Range<Int64>).map { sit($0, $0 + 4_000, UInt64($0)) }
    #expect(try statistics(sits).totalSeconds == 60 * (7_304 + 4_000))
  }
}
