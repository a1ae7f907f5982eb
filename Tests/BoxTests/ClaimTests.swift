import Box
import Sessions
import Testing
import Ticks
import TimerMachine

private let start: Int64 = 1_767_247_200
private let other = Identity(high: 0x1A2B_3C4D_0000_4000, low: 1)

private func wall(_ seconds: Int64) -> WallInstant { WallInstant(milliseconds: seconds * 1_000) }

private func status(_ claim: Claim?) -> BoxEvent {
  let nobody = Identity(high: 0, low: 0)
  var status = StoreStatus(
    owner: nobody, device: nobody, usage: StoreUsage(bytes: 0, keys: 0, sits: 0))
  status.claimsElsewhere = claim.map { [$0] } ?? []
  return .storeStatus(status)
}

private func claim(until end: Int64?) -> Claim {
  Claim(
    device: other, since: wall(start - 600), plannedEnd: end.map(wall),
    at: WriteTime(wall(start - 600)))
}

@Test func claim_followsTheSit() {
  var bench = BoxBench()
  bench.start(at: at(0))
  #expect(bench.claims == [])
  bench.advance(to: at(10))
  let running = SitClaim(since: wall(start + 10), plannedEnd: wall(start + 1_210))
  #expect(bench.claims == [running])
  bench.command(.pause, at: at(100))
  let paused = SitClaim(since: wall(start + 10), plannedEnd: nil, isPaused: true)
  #expect(bench.claims == [running, paused])
  bench.command(.resume, at: at(160))
  let resumed = SitClaim(since: wall(start + 10), plannedEnd: wall(start + 1_270))
  #expect(bench.claims == [running, paused, resumed])
  bench.advance(to: at(1_270))
  #expect(bench.claims == [running, paused, resumed, nil])
}

@Test func claim_ofASitWithoutAnEnd_isSaidAgainBeforeItLapses() {
  var bench = BoxBench { $0.plan.openLimit = .hours(10) }
  bench.start(.open, at: at(10))
  bench.advance(to: at(20) + .hours(3) - nanosecond)
  #expect(bench.claims.count == 1)
  bench.advance(to: at(20) + .hours(3))
  #expect(bench.claims.count == 2)
  bench.advance(to: at(20) + .hours(10))
  #expect(bench.claims.count == 5 && bench.claims.last == .some(nil))
}

@Test func claim_whileTheTimeIsNotKnown_isNotMadeUntilItIs() {
  var bench = BoxBench(start: 0, isKnown: false)
  bench.start(at: at(0))
  bench.advance(to: at(100))
  #expect(bench.claims == [])
  bench.wall(start + 100, at: at(100))
  let claim = SitClaim(since: wall(start + 10), plannedEnd: wall(start + 1_210))
  #expect(bench.claims == [claim])
  // A clock that is set by a little changes nothing there.
  bench.wall(start + 159, at: at(100))
  #expect(bench.claims.count == 1)
  bench.wall(start + 161, at: at(100))
  #expect(bench.claims.count == 2)
}

@Test func claim_ofAnEarlierRun_isWithdrawnAtTheStart() {
  var bench = BoxBench()
  bench.handle(.journal(nil, known: []), at: at(0))
  #expect(bench.claims == [nil])
}

@Test func sitElsewhere_refusesAStartUntilItsEnd() {
  var bench = BoxBench()
  bench.handle(status(claim(until: start + 300)), at: at(1))
  #expect(bench.box.state(at: at(1)).activeElsewhere == "box 1A2B3C4D since 05:50")
  bench.start(at: at(300) - nanosecond)
  #expect(bench.refusals == ["a sit runs on box 1A2B3C4D since 05:50"])
  bench.advance(to: at(300))
  #expect(bench.box.state(at: at(300)).activeElsewhere == nil)
  bench.start(at: at(300))
  #expect(bench.refusals.count == 1 && bench.box.appliance.phase == .preparing)
}

@Test func sitElsewhere_withoutAnEnd_lapsesAfterFourHours() {
  var bench = BoxBench()
  bench.handle(status(claim(until: nil)), at: at(1))
  let lapse = at(4 * 3_600 - 600)
  bench.advance(to: lapse - nanosecond)
  #expect(bench.box.state(at: lapse).activeElsewhere != nil)
  bench.advance(to: lapse)
  #expect(bench.box.state(at: lapse).activeElsewhere == nil)
}

@Test func sitElsewhere_thatIsOver_refusesNoMore() {
  var bench = BoxBench()
  bench.handle(status(claim(until: nil)), at: at(1))
  bench.handle(status(nil), at: at(2))
  bench.start(at: at(3))
  #expect(bench.refusals == [])
}

@Test func sitElsewhere_isNoneForABoxThatDoesNotKnowTheTime() {
  var bench = BoxBench(start: start, isKnown: false)
  bench.handle(status(claim(until: start + 300)), at: at(1))
  bench.start(at: at(2))
  #expect(bench.refusals == [] && bench.box.appliance.phase == .preparing)
  bench.wall(start + 3, at: at(3))
  #expect(bench.box.state(at: at(3)).activeElsewhere != nil)
}

/// First stop wins: neither sit ends the other, and each is kept as it was sat.
@Test func sitElsewhere_thatBeginsOrEndsLater_leavesOursAlone() {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(5)), at: at(0))
  let later = Claim(
    device: other, since: wall(start + 60), plannedEnd: wall(start + 6_000),
    at: WriteTime(wall(start + 60)))
  bench.handle(status(later), at: at(61))
  bench.handle(status(nil), at: at(100))
  bench.advance(to: at(310))
  #expect(bench.saved.map(\.durationSeconds) == [300])
}
