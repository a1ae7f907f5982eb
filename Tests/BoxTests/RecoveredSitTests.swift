import Box
import Sessions
import Testing
import Ticks
import TimerMachine

private let start: Int64 = 1_767_247_200

private func wall(_ seconds: Int64) -> WallInstant { WallInstant(milliseconds: seconds * 1_000) }

/// A sit of ten minutes from 10 s on, its power cut at an instant.
private func cut(at instant: Instant, isKnown: Bool = true) -> BoxBench {
  var bench = BoxBench(start: isKnown ? start : 0, isKnown: isKnown)
  bench.start(.fixed(.minutes(10)), at: at(0))
  bench.advance(to: instant)
  return bench
}

/// The box as it comes up again five seconds after its boot.
private func restarted(
  _ bench: BoxBench, wallSeconds: Int64?, isStored: Bool = false,
  _ change: (inout BoxSettings) -> Void = { _ in }
) throws -> BoxBench {
  var second = BoxBench(
    start: wallSeconds ?? 5, isKnown: wallSeconds != nil, seed: 8, began: at(5), boot: 2,
    box: change)
  let journal = try #require(bench.journals.last).journal
  second.handle(
    .journal(Journal(running: journal), known: isStored ? [journal.sit] : []), at: at(5))
  return second
}

@Test func outage_short_goesOnToTheSameEndAndIsAnInterruption() throws {
  let first = cut(at: at(308))
  var bench = try restarted(first, wallSeconds: start + 368)
  #expect(bench.changes.map(\.change) == [.recovered])
  #expect(bench.changes.map(\.id) == [first.changes[0].id])
  #expect(bench.box.state(at: at(5)).endsAt == "2026-01-01T06:10:10Z")
  #expect(bench.inhibits == [true] && bench.claims.count == 1)
  #expect(bench.journals.first?.isDurable == true)
  bench.advance(to: at(5) + .seconds(242) - nanosecond)
  #expect(bench.saved.isEmpty)
  bench.advance(to: at(5) + .seconds(242))
  let session = try #require(bench.saved.first)
  #expect(session.id == first.changes[0].id)
  #expect(session.startDate == wall(start + 10) && session.endDate == wall(start + 610))
  // The journal's last beat was at 308 s.
  #expect(session.durationSeconds == 540 && session.completed)
  #expect(
    session.interruptions == [
      MeditationSession.Interruption(
        from: wall(start + 308), to: wall(start + 368), kind: .outage)
    ])
  #expect(session.clock == .synced)
}

@Test func outage_pastTheEnd_isOneSitAndNoBell() throws {
  var bench = try restarted(cut(at: at(500)), wallSeconds: start + 700)
  #expect(bench.changes.map(\.change) == [.closed])
  let session = try #require(bench.saved.first)
  #expect(session.endDate == wall(start + 488) && session.durationSeconds == 478)
  #expect(!session.completed && session.interruptions.isEmpty)
  #expect(bench.plan.isEmpty && bench.work == ["withdraw", "journal", "save"])
  bench.keep(session.id, at: at(6))
  #expect(bench.erasures == 1)
  bench.advance(to: at(10_000))
  #expect(bench.saved.count == 1 && bench.plan.isEmpty)
}

@Test func outage_overTenMinutes_waitsForAPressAndIsClosedAfterAnHour() throws {
  let first = cut(at: at(308))
  var pressed = try restarted(first, wallSeconds: start + 308 + 1_800)
  #expect(pressed.changes.map(\.change) == [.offered])
  #expect(pressed.box.state(at: at(5)).phase == "paused")
  pressed.command(.resume, at: at(65))
  pressed.advance(to: at(65 + 302))
  let session = try #require(pressed.saved.first)
  #expect(session.durationSeconds == 600 && session.completed)
  #expect(session.interruptions.map(\.kind) == [.outage, .pause])
  #expect(session.endDate == wall(start + 308 + 1_860 + 302))

  var left = try restarted(first, wallSeconds: start + 308 + 1_800)
  left.advance(to: at(5) + .minutes(60) - nanosecond)
  #expect(left.saved.isEmpty)
  left.advance(to: at(5) + .minutes(60))
  let closed = try #require(left.saved.first)
  #expect(closed.durationSeconds == 298 && !closed.completed)
  #expect(closed.endDate == wall(start + 308) && closed.interruptions.isEmpty)
}

@Test func outage_ofUnknownLength_asksGoesOnAndCreditsOnlyAPress() throws {
  let first = cut(at: at(308))
  var bench = try restarted(first, wallSeconds: nil)
  #expect(bench.changes.map(\.change) == [.recovered])
  #expect(bench.plan.filter { $0.role == .cue }.count == 1)
  #expect(bench.plan.allSatisfy { $0.strike.due >= at(5) })
  bench.advance(to: at(5 + 302))
  let session = try #require(bench.saved.first)
  #expect(session.durationSeconds == 298 && session.unconfirmedSeconds == 302)
  #expect(!session.completed && session.clock == .unsynced)
  #expect(session.startDate == wall(start + 10) && session.endDate == wall(start + 610))
  // Nobody comes within ten minutes.
  bench.advance(to: at(307) + .minutes(10))
  bench.handle(.appliance(.turned(1)), at: at(307) + .minutes(10) + nanosecond)
  #expect(bench.edits.isEmpty)
}

@Test func outage_ofUnknownLength_creditsAPressWithinTenMinutesOfTheEnd() throws {
  let first = cut(at: at(308))
  var bench = try restarted(first, wallSeconds: nil)
  bench.advance(to: at(307) + .minutes(10))
  bench.handle(.appliance(.turned(1)), at: at(307) + .minutes(10))
  bench.handle(.appliance(.turned(1)), at: at(307) + .minutes(10))
  let credit = SitEdit.credit(
    durationSeconds: 600, overtimeSeconds: 0, unconfirmedSeconds: 0, completed: true)
  #expect(bench.edits.map(\.edit) == [credit])
  #expect(bench.edits.map(\.id) == [first.changes[0].id])
}

@Test func outage_ofUnknownLength_creditsAPressDuringTheSit() throws {
  var bench = try restarted(cut(at: at(308)), wallSeconds: nil)
  bench.handle(.appliance(.turned(1)), at: at(100))
  bench.advance(to: at(307))
  let session = try #require(bench.saved.first)
  #expect(session.durationSeconds == 600 && session.completed)
}

@Test func clock_knownOnlyAfterTheOutage_datesBothPartsRight() throws {
  var bench = try restarted(cut(at: at(308)), wallSeconds: nil)
  // The power was away for five minutes.
  bench.wall(start + 308 + 300 + 20, at: at(25))
  bench.advance(to: at(307))
  let session = try #require(bench.saved.first)
  #expect(session.startDate == wall(start + 10))
  #expect(session.endDate == wall(start + 308 + 300 + 302))
  #expect(
    session.interruptions == [
      MeditationSession.Interruption(
        from: wall(start + 308), to: wall(start + 608), kind: .outage)
    ])
  #expect(session.clock == .repaired)
}

@Test func clock_knownOnlyAfterTheSit_repairsItsRecord() throws {
  let first = cut(at: at(308))
  var bench = try restarted(first, wallSeconds: nil)
  bench.advance(to: at(400))
  bench.wall(start + 308 + 300 + 395, at: at(400))
  #expect(bench.edits.count == 1)
  guard case .dates(let begun, let ended, _, let outages) = bench.edits[0].edit else { return }
  #expect(begun == wall(start + 10) && ended == wall(start + 910) && outages.count == 1)
  bench.wall(start + 5_000, at: at(500))
  #expect(bench.edits.count == 1)
}

/// The clock before the power cut was two hours ahead: what was sat is counted all the same.
@Test func clock_thatWasAheadBeforeTheOutage_leavesASitThatCanHaveBeen() throws {
  var bench = try restarted(cut(at: at(308)), wallSeconds: nil)
  bench.handle(.appliance(.turned(1)), at: at(20))
  bench.wall(start - 7_200, at: at(25))
  bench.advance(to: at(307))
  let session = try #require(bench.saved.first)
  #expect(session.durationSeconds == 600 && session.impossibility == nil)
  #expect(session.startDate == wall(start + 10) && session.endDate == wall(start + 610))
  #expect(session.contradiction == nil && session.isCounted)
}

/// A board without a clock is up again and knows the time half a minute later: the power was away
/// for a night.
@Test func clock_knownAfterALongOutage_endsTheSitWithoutABell() throws {
  let first = cut(at: at(308))
  for (outage, isOver) in [(3_600, false), (3_601, true), (30_000, true)] as [(Int64, Bool)] {
    var bench = try restarted(first, wallSeconds: nil)
    bench.wall(start + 308 + outage + 25, at: at(30))
    #expect(bench.box.state(at: at(30)).phase == (isOver ? "idle" : "running"))
    guard isOver else { continue }
    let session = try #require(bench.saved.first)
    #expect(session.durationSeconds == 298 && !session.completed)
    #expect(session.startDate == wall(start + 10) && session.endDate == wall(start + 308))
    #expect(bench.plan.isEmpty && bench.changes.map(\.change) == [.recovered, .closed])
    bench.advance(to: at(4_000))
    #expect(bench.saved.count == 1)
  }
  var touched = try restarted(first, wallSeconds: nil)
  touched.handle(.appliance(.turned(1)), at: at(20))
  touched.wall(start + 30_000, at: at(30))
  #expect(touched.box.state(at: at(30)).phase == "running")
}

/// What lay before the outage has no date of its own: it stays a guess, and is marked as one.
@Test func clock_neverKnownBeforeTheOutage_leavesTheSitMarked() throws {
  var bench = try restarted(cut(at: at(308), isKnown: false), wallSeconds: start)
  bench.advance(to: at(307))
  let session = try #require(bench.saved.first)
  #expect(session.clock == .unsynced)
  #expect(session.startDate == wall(start - 298) && session.endDate == wall(start + 302))
}

@Test(arguments: [(RecoverPolicy.wait, "paused"), (.close, "idle")] as [(RecoverPolicy, String)])
func policy_ofTheConfiguration_holds(policy: RecoverPolicy, phase: String) throws {
  let bench = try restarted(cut(at: at(308)), wallSeconds: nil) { $0.recover = policy }
  #expect(bench.box.state(at: at(5)).phase == phase)
  #expect(bench.saved.count == (policy == .close ? 1 : 0))
}

@Test func journal_ofASitThatIsStored_isErasedAndNothingElse() throws {
  var bench = try restarted(cut(at: at(308)), wallSeconds: start + 320, isStored: true)
  bench.advance(to: at(5_000))
  #expect(bench.work == ["withdraw", "erase"])
  #expect(bench.changes.isEmpty && bench.saved.isEmpty)
}

@Test func journal_ofASitThatWasTooShort_isErased() throws {
  let bench = try restarted(cut(at: at(40)), wallSeconds: start + 10_000)
  #expect(bench.changes.map(\.change) == [.discarded])
  #expect(bench.work == ["withdraw", "erase"])
}

/// Report 28: a restored run never edits the programme.
@Test func report28_sitAfterARecoveredOne_hasItsFullLength() throws {
  var bench = try restarted(cut(at: at(308)), wallSeconds: start + 320)
  bench.advance(to: at(400))
  #expect(bench.saved.count == 1)
  bench.start(at: at(500))
  bench.advance(to: at(2_000))
  #expect(bench.saved.last?.durationSeconds == 1_200)
  #expect(bench.saved.last?.id != bench.saved.first?.id)
}

/// Report 30: it goes on inside a short window and is closed else; what is paused stays paused.
@Test func report30_restarts_leadWhereTheirLengthSays() throws {
  var first = cut(at: at(310))
  let rows: [(Int64, String)] = [
    (30, "running"), (59 * 60, "paused"), (61 * 60, "idle"), (9 * 3_600, "idle"),
  ]
  for (outage, phase) in rows {
    let bench = try restarted(first, wallSeconds: start + 308 + outage)
    #expect(bench.box.state(at: at(5)).phase == phase)
  }
  first.command(.pause, at: at(320))
  for outage in [30, 59 * 60] as [Int64] {
    let bench = try restarted(first, wallSeconds: start + 320 + outage)
    #expect(bench.box.state(at: at(5)).phase == "paused")
  }
}

@Test func recovery_killedAndBegunAgain_isTheSameSitOnce() throws {
  let first = cut(at: at(308))
  let second = try restarted(first, wallSeconds: start + 330)
  var third = BoxBench(start: start + 360, seed: 9, began: at(7), boot: 3)
  third.handle(.journal(second.file, known: []), at: at(7))
  third.advance(to: at(2_000))
  let session = try #require(third.saved.first)
  #expect(third.saved.count == 1 && session.id == first.changes[0].id)
  // 308 to 330 and 330 to 360 are away.
  #expect(session.durationSeconds == 600 - 52 && session.endDate == wall(start + 610))
}
