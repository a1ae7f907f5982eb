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

// MARK: - Clocks that differ

/// A claim of 20 minutes by a clock that is ahead of ours by so many seconds, or behind.
private func claim(ahead seconds: Int64, isPaused: Bool = false) -> Claim {
  let now = wall(start + 100 + seconds)
  return Claim(
    device: other, since: now, plannedEnd: wall(start + 1_300 + seconds), isPaused: isPaused,
    at: WriteTime(now))
}

@Test func sitElsewhere_byAClockThatDiffers_isTakenFromWhenItCame() {
  let minutes: [Int64] = [-60, -10, -6, 6, 10, 60, 5_000_000]
  for seconds in minutes.map({ $0 * 60 }) {
    var bench = BoxBench()
    bench.handle(status(nil), at: at(1))
    bench.handle(status(claim(ahead: seconds)), at: at(100))
    #expect(bench.box.state(at: at(100)).activeElsewhere == "box 1A2B3C4D since 06:01")
    bench.start(at: at(1_300) - nanosecond)
    #expect(bench.refusals == ["a sit runs on box 1A2B3C4D since 06:01"], "\(seconds) s")
    bench.start(at: at(1_300))
    #expect(bench.refusals.count == 1 && bench.box.appliance.phase == .preparing, "\(seconds) s")
  }
}

@Test func sitElsewhere_pausedByAClockThatDiffers_lapsesFourHoursAfterItCame() {
  for seconds in [-600, 600, 300_000_000] as [Int64] {
    var bench = BoxBench()
    bench.handle(status(nil), at: at(1))
    bench.handle(status(claim(ahead: seconds, isPaused: true)), at: at(100))
    let lapse = at(100 + 4 * 3_600)
    bench.advance(to: lapse - nanosecond)
    #expect(bench.box.state(at: lapse).activeElsewhere != nil)
    bench.advance(to: lapse)
    #expect(bench.box.state(at: lapse).activeElsewhere == nil)
  }
}

/// Up to five minutes are no difference, and after an hour a claim was on its way.
@Test func sitElsewhere_byAClockThatHardlyDiffers_orThatCameLate_isTakenAtItsWord() {
  let cases: [(seconds: Int64, lapse: Int64?)] = [
    (300, 1_600), (301, 1_300), (-300, 1_000), (-301, 1_300), (-3_600, 1_300), (-3_601, nil),
  ]
  for (seconds, lapse) in cases {
    var bench = BoxBench()
    bench.handle(status(nil), at: at(1))
    bench.handle(status(claim(ahead: seconds)), at: at(100))
    #expect((bench.box.state(at: at(100)).activeElsewhere != nil) == (lapse != nil), "\(seconds) s")
    guard let lapse else { continue }
    bench.advance(to: at(lapse) - nanosecond)
    #expect(bench.box.state(at: at(lapse)).activeElsewhere != nil, "\(seconds) s")
    bench.advance(to: at(lapse))
    #expect(bench.box.state(at: at(lapse)).activeElsewhere == nil, "\(seconds) s")
  }
}

/// What was there before this box ran may be of yesterday, or of a box that is no more.
@Test func sitElsewhere_byAClockAhead_thatWasThereAtTheStart_refusesNobody() {
  var bench = BoxBench()
  bench.handle(status(claim(ahead: 600)), at: at(1))
  #expect(bench.box.state(at: at(1)).activeElsewhere == nil)
  // It says it again, as after a pause, and has just written that.
  var again = claim(ahead: 600)
  again.writtenAt = wall(start + 710)
  bench.handle(status(again), at: at(110))
  #expect(bench.box.state(at: at(110)).activeElsewhere != nil)
}

@Test func device_withAName_isCalledByIt() {
  var named = claim(until: start + 300)
  named.name = "kitchen"
  var bench = BoxBench()
  bench.handle(status(named), at: at(1))
  bench.start(at: at(2))
  #expect(bench.refusals == ["a sit runs on kitchen since 05:50"])
  var hall = BoxBench(box: { $0.deviceName = "hall" })
  hall.start(at: at(0))
  hall.advance(to: at(10))
  #expect(hall.claims.compactMap { $0?.name } == ["hall"])
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
