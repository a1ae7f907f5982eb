import Box
import Sessions
import Testing
import Ticks
import TimerMachine
import Zones

/// 2026-01-01T06:00:00Z.
private let newYear: Int64 = 1_767_247_200

private func wall(_ seconds: Int64) -> WallInstant { WallInstant(milliseconds: seconds * 1_000) }

@Test func sit_finished_isSavedOnceWithAllItsFields() throws {
  var bench = BoxBench(zone: try zone("Asia/Seoul"))
  bench.start(at: at(5))
  bench.command(.pause, at: at(115))
  bench.command(.resume, at: at(175))
  bench.advance(to: at(1_275) - nanosecond)
  #expect(bench.saved.isEmpty)
  bench.advance(to: at(1_275))
  let session = try #require(bench.saved.first)
  #expect(bench.saved.count == 1)
  #expect(session.startDate == wall(newYear + 15))
  #expect(session.endDate == wall(newYear + 1_275))
  #expect(session.durationSeconds == 1_200)
  #expect(session.plannedSeconds == 1_200)
  #expect(session.overtimeSeconds == 0)
  #expect(session.unconfirmedSeconds == 0)
  #expect(session.completed)
  #expect(session.utcOffsetSeconds == 32_400)
  #expect(session.programme == "simple")
  #expect(session.sourceDevice == .timerBox)
  #expect(session.clock == .synced)
  #expect(
    session.interruptions == [
      MeditationSession.Interruption(
        from: wall(newYear + 115), to: wall(newYear + 175), kind: .pause)
    ])
}

@Test func sit_identity_comesFromTheSeedAndIsTheSameFromBeginToEnd() throws {
  var bench = BoxBench(seed: 7)
  bench.start(.fixed(.minutes(1)), at: at(0))
  bench.advance(to: at(200))
  bench.start(.fixed(.minutes(1)), at: at(200))
  bench.advance(to: at(400))
  var generator = SeededGenerator(seed: 7)
  let ids = (0..<2).map { _ in
    Identity(randomHigh: generator.next(), low: generator.next())
  }
  #expect(bench.saved.map(\.id) == ids)
  #expect(bench.changes.map(\.id) == [ids[0], ids[0], ids[1], ids[1]])
  #expect(bench.changes.map(\.change) == [.begun, .closed, .begun, .closed])
  #expect(bench.changes.map(\.at) == [at(10), at(70), at(210), at(270)])
}

@Test func sit_stoppedBelowTheMinimum_isDiscardedAndNotSaved() {
  var bench = BoxBench()
  bench.start(at: at(0))
  bench.command(.stop, at: at(70) - nanosecond)
  #expect(bench.saved.isEmpty)
  #expect(bench.changes.map(\.change) == [.begun, .discarded])
}

@Test func sit_discardedWhilePreparing_neverBegan() {
  var bench = BoxBench()
  bench.start(at: at(0))
  bench.command(.discard, at: at(5))
  bench.advance(to: at(3_000))
  #expect(bench.changes.isEmpty)
  #expect(bench.saved.isEmpty)
}

@Test func sit_withOvertime_keepsPlannedAndExtraApart() throws {
  var bench = BoxBench { $0.plan.overtime = true }
  bench.start(at: at(0))
  bench.command(.stop, at: at(1_300))
  let session = try #require(bench.saved.first)
  #expect(session.durationSeconds == 1_290)
  #expect(session.overtimeSeconds == 90)
  #expect(session.plannedSeconds == 1_200)
}

@Test func sit_openAndForgotten_keepsUnconfirmedTimeApart() throws {
  var bench = BoxBench { $0.plan.openLimit = .minutes(30) }
  bench.start(.open, at: at(0))
  bench.advance(to: at(2_000))
  let session = try #require(bench.saved.first)
  #expect(session.plannedSeconds == nil)
  #expect(session.durationSeconds == 0)
  #expect(session.unconfirmedSeconds == 1_800)
  #expect(!session.completed)
}

@Test func sit_openAndLeftPaused_isCreditedToThePauseAndNotComplete() throws {
  var bench = BoxBench()
  bench.start(.open, at: at(0))
  bench.command(.pause, at: at(610))
  bench.advance(to: at(4_210))
  let session = try #require(bench.saved.first)
  #expect(session.durationSeconds == 600)
  #expect(session.unconfirmedSeconds == 0)
  #expect(!session.completed)
  #expect(session.endDate == wall(newYear + 610))
}

// MARK: - The wall clock

@Test(arguments: [-86_400 * 365, -1, 18_000, 86_400 * 365] as [Int64])
func wall_steppedInMidSit_movesNoDeadlineAndDatesBothEndsAlike(step: Int64) throws {
  var bench = BoxBench()
  bench.start(at: at(0))
  bench.advance(to: at(600))
  let deadline = bench.box.nextDeadline
  bench.wall(newYear + 600 + step, at: at(600))
  #expect(bench.box.nextDeadline == deadline)
  bench.advance(to: at(1_210))
  let session = try #require(bench.saved.first)
  #expect(session.startDate == wall(newYear + 10 + step))
  #expect(session.endDate == wall(newYear + 1_210 + step))
  #expect(session.durationSeconds == 1_200)
}

/// Known at the begin, known at the end.
@Test(arguments: [
  (true, true, MeditationSession.Clock.synced), (false, true, .repaired),
  (false, false, .unsynced),
])
func clock_ofASit_saysWhatWasKnownWhen(
  atBegin: Bool, atEnd: Bool, clock: MeditationSession.Clock
) throws {
  var bench = BoxBench(start: atBegin ? newYear : 0, isKnown: atBegin)
  bench.start(at: at(0))
  bench.advance(to: at(500))
  if atEnd { bench.wall(newYear + 500, at: at(500)) }
  bench.advance(to: at(1_210))
  let session = try #require(bench.saved.first)
  #expect(session.clock == clock)
  #expect(session.startDate == wall((atEnd ? newYear : 0) + 10))
}

@Test func clock_setAgainAfterASit_marksTheNextOneSynced() {
  var bench = BoxBench(start: 0, isKnown: false)
  bench.start(.fixed(.minutes(1)), at: at(0))
  bench.wall(newYear + 20, at: at(20))
  bench.advance(to: at(200))
  bench.start(.fixed(.minutes(1)), at: at(200))
  bench.advance(to: at(300))
  #expect(bench.saved.map(\.clock) == [.repaired, .synced])
}

/// Central Europe went to summer time at 2026-03-29T01:00:00Z.
@Test func offset_acrossTheSummerTimeChange_isThatOfTheStart() throws {
  let change: Int64 = 1_774_746_000
  for (begun, offset) in [(change - 1, 3_600), (change, 7_200)] as [(Int64, Int64)] {
    var bench = BoxBench(start: begun - 10, zone: try zone("Europe/Berlin"))
    bench.start(at: at(0))
    bench.advance(to: at(20))
    let endsAt = begun == change ? "03:20:00+02:00" : "03:19:59+02:00"
    #expect(bench.box.state(at: at(20)).endsAt == "2026-03-29T" + endsAt)
    bench.advance(to: at(1_210))
    #expect(bench.saved.first?.utcOffsetSeconds == offset)
  }
}
