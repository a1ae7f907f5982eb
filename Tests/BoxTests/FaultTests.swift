import Bells
import Box
import Controls
import Testing
import Ticks

@testable import Sessions

private let notSaved =
  "Not saved: no space left on the device. Sits are kept in memory until they can be written."
private let notShared = "Not shared: the folder is away. Sits are safe on this box."
private let noClock = "The time of day is not known yet. Sits are marked and kept."
private let failed = [StoreReport.failed(reason: "no space left on the device")]
private let exchangeFailed = StoreReport.exchangeFailed(reason: "the folder is away")
private let written = StoreReport.written(bytes: 100, sits: 1)

@Test func save_thatFails_isTriedAtOnceAndThenEverySixtySeconds() {
  var bench = BoxBench()
  bench.handle(.store(failed), at: at(100))
  #expect(bench.retries == [at(100)])
  bench.handle(.store(failed), at: at(101))
  bench.advance(to: at(161) - nanosecond)
  #expect(bench.retries == [at(100)])
  bench.advance(to: at(161))
  #expect(bench.retries == [at(100), at(161)])
  bench.handle(.store(failed), at: at(163))
  bench.advance(to: at(223) + nanosecond)
  #expect(bench.retries == [at(100), at(161), at(223)])
  bench.advance(to: at(1_000))
  #expect(bench.retries.count == 3)
}

@Test func save_thatWorksAtLast_clearsTheLineAndStopsTheRetries() {
  var bench = BoxBench()
  bench.handle(.store(failed), at: at(100))
  bench.handle(.store(failed), at: at(101))
  #expect(bench.box.degraded == [notSaved])
  #expect(bench.faults.map(\.isOver) == [false])
  bench.handle(.store([written]), at: at(130))
  #expect(bench.box.degraded == [])
  #expect(bench.faults.last == Fault(what: "store", detail: notSaved, isOver: true))
  #expect(bench.box.nextDeadline == nil)
  bench.handle(.store(failed), at: at(140))
  #expect(bench.retries == [at(100), at(140)])
}

@Test func save_failingForAnotherReason_saysTheNewOneOnce() {
  var bench = BoxBench()
  bench.handle(.store(failed), at: at(1))
  bench.handle(.store([.failed(reason: "the disk is read-only")]), at: at(2))
  #expect(
    bench.box.degraded == [
      "Not saved: the disk is read-only. Sits are kept in memory until they can be written."
    ])
  #expect(bench.faults.count == 2)
}

@Test func retry_whileASitRuns_leavesItsEndAlone() {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(2)), at: at(0))
  bench.handle(.store(failed), at: at(69))
  // The retry and the end are due at one instant.
  bench.handle(.store(failed), at: at(70))
  bench.advance(to: at(130))
  #expect(bench.retries == [at(69), at(130)])
  #expect(bench.saved.count == 1)
}

@Test func truth_readAtLast_clearsTheLineWithoutAWrite() {
  var bench = BoxBench()
  bench.handle(.store(failed), at: at(1))
  bench.handle(.store(failed), at: at(2))
  bench.handle(.store([.opened(bytes: 100, sits: 3)]), at: at(62))
  #expect(bench.box.degraded == [])
  #expect(bench.box.nextDeadline == nil)
}

@Test func exchange_thatFails_saysSoAndIsTriedAgain() {
  var bench = BoxBench()
  bench.handle(.store([written, exchangeFailed]), at: at(10))
  #expect(bench.box.degraded == [notShared])
  bench.handle(.store([exchangeFailed]), at: at(11))
  bench.advance(to: at(71))
  #expect(bench.retries == [at(10), at(71)])
  bench.handle(.store([.exchanged(bytes: 100)]), at: at(72))
  #expect(bench.box.degraded == [])
  #expect(bench.box.nextDeadline == nil)
}

@Test func exchange_failingBeforeTheTruthIsWritten_isTriedAgainAllTheSame() {
  var bench = BoxBench()
  bench.handle(.store([exchangeFailed, written]), at: at(10))
  #expect(bench.box.degraded == [notShared])
  #expect(bench.retries == [at(10)])
}

@Test func store_withNothingLeftToDo_clearsBothLines() {
  var bench = BoxBench()
  bench.handle(.store([exchangeFailed]), at: at(10))
  bench.handle(.store([]), at: at(11))
  #expect(bench.box.degraded == [])
  #expect(bench.box.nextDeadline == nil)
}

@Test func sit_refusedByTheStore_saysSoAndLeavesAWaitingRetry() {
  var bench = BoxBench()
  bench.handle(.store(failed), at: at(1))
  bench.handle(.store(failed), at: at(2))
  bench.handle(.store([.refused(reason: "quotaViolation")]), at: at(3))
  #expect(bench.box.degraded == ["A sit was refused: quotaViolation."])
  #expect(bench.box.nextDeadline == at(62))
}

@Test func store_salvaged_saysWhereTheDamagedFileIs() {
  let lines = [2, 5].map { DamagedLine(number: $0, reason: .checksum) }
  for (name, tail) in [("truth.kv.bad", " The damaged file is kept as truth.kv.bad."), (nil, "")] {
    var bench = BoxBench()
    bench.handle(
      .store([.salvaged(path: "truth.kv", lines: lines, setAside: name), written]), at: at(1))
    #expect(
      bench.box.degraded == ["The store was damaged in 2 places; the rest was read." + tail])
    #expect(bench.retries.isEmpty)
  }
}

@Test func sound_lostAndBack_appearsAndVanishesAndStopsNothing() {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(1)), at: at(0))
  bench.handle(.outputLost(reason: "No sound card"), at: at(30))
  bench.handle(.outputLost(reason: "No sound card"), at: at(31))
  let line = "No sound card. The timer goes on."
  // The bench rings nothing.
  let missed = "The start bell at 06:00:10 was missed."
  #expect(bench.box.degraded == [missed, line])
  #expect(bench.faults.last == Fault(what: "sound", detail: line, isOver: false))
  #expect(bench.faults.count == 2)
  bench.advance(to: at(70))
  #expect(bench.saved.count == 1)
  bench.handle(.outputWorks, at: at(71))
  bench.handle(.outputWorks, at: at(72))
  #expect(bench.box.degraded == [missed])
  #expect(bench.faults.last == Fault(what: "sound", detail: line, isOver: true))
  #expect(bench.faults.count == 3)
}

@Test func bell_missed_isToldOnceUntilTheNextOneRings() throws {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(1)), at: at(0))
  bench.advance(to: at(10))
  let start = try #require(bench.plan.first { $0.role == .start })
  bench.report(start, .missed, at: at(15))
  let line = "The start bell at 06:00:10 was missed."
  #expect(bench.box.degraded == [line])
  bench.advance(to: at(70))
  let ends = bench.plan.filter { $0.role == .end }
  bench.report(ends[0], .missed, at: at(75))
  bench.report(ends[1], .missed, at: at(81))
  let other = "The end bell at 06:01:10 was missed."
  #expect(bench.box.degraded == [other])
  bench.report(ends[2], .late, at: at(84))
  #expect(bench.box.degraded == [])
  #expect(bench.faults.map(\.detail) == [line, other, other])
}

@Test func bell_missed_isToldForADayAtMost() throws {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(1)), at: at(0))
  bench.advance(to: at(10))
  let start = try #require(bench.plan.first { $0.role == .start })
  bench.report(start, .missed, at: at(15))
  bench.command(.stop, at: at(20))
  bench.advance(to: at(86_415) - nanosecond)
  #expect(bench.box.degraded == ["The start bell at 06:00:10 was missed."])
  bench.advance(to: at(86_415))
  #expect(bench.box.degraded == [] && bench.faults.last?.isOver == true)
  #expect(bench.box.nextDeadline == nil)
}

@Test func bell_missedWithoutAKnownClock_isToldWithoutATime() throws {
  var bench = BoxBench(start: 0, isKnown: false)
  bench.start(.fixed(.minutes(1)), at: at(0))
  bench.advance(to: at(10))
  bench.report(try #require(bench.plan.first), .missed, at: at(15))
  #expect(bench.box.degraded.first == "The start bell was missed.")
}

@Test func cue_missed_isToldNowhere() throws {
  var bench = BoxBench()
  for (level, after) in [(Level.low, Int64(0)), (.high, 100)] {
    let instant = at(ms: 1_000 + after)
    bench.handle(.appliance(.edge(Edge(line: .play, level: level, at: instant))), at: instant)
  }
  bench.advance(to: at(ms: 1_200))
  let cue = try #require(bench.plan.first { $0.cue == .yes })
  bench.report(cue, .missed, at: at(ms: 1_900))
  #expect(bench.box.degraded == [])
}

@Test func clock_unknown_isTheLastLineUntilItIsKnown() {
  var bench = BoxBench(start: 0, isKnown: false)
  #expect(bench.box.degraded == [noClock])
  bench.handle(.store(failed), at: at(1))
  #expect(bench.box.degraded == [notSaved, noClock])
  bench.wall(1_767_247_200, at: at(2))
  #expect(bench.box.degraded == [notSaved])
}

private func status(_ change: (inout StoreStatus) -> Void = { _ in }) -> BoxEvent {
  var status = StoreStatus(
    owner: Identity(randomHigh: 1, low: 1), device: Identity(randomHigh: 2, low: 2),
    usage: StoreUsage(bytes: 1_000, keys: 3, sits: 7))
  change(&status)
  return .storeStatus(status)
}

@Test func sharedFolder_thatCouldBeReadAgain_clearsItsLine() {
  var bench = BoxBench()
  bench.handle(.store([exchangeFailed]), at: at(10))
  bench.handle(status { $0.folderProblem = "the folder is away" }, at: at(10))
  #expect(bench.box.degraded == [notShared])
  bench.handle(status(), at: at(20))
  #expect(bench.box.degraded == [])
}

@Test func report15_stateFolderInMemory_isALineAsLongAsItIsSo() {
  var bench = BoxBench()
  bench.handle(status { $0.isVolatile = true }, at: at(1))
  #expect(
    bench.box.degraded == [
      "The state folder is in memory: what is saved is lost when the power goes."
    ])
  bench.handle(status { $0.isVolatile = true }, at: at(2))
  #expect(bench.faults.count == 1)
  bench.handle(status(), at: at(3))
  #expect(bench.box.degraded == [])
}

@Test func copyRestoredAndCardCloned_areSaidOnceAndNoLine() {
  var bench = BoxBench()
  bench.handle(.store([.restored(path: "a.kv")]), at: at(1))
  let (old, new) = (Identity(randomHigh: 1, low: 1), Identity(randomHigh: 2, low: 2))
  bench.handle(.store([.cloned(from: old, to: new)]), at: at(2))
  #expect(bench.box.degraded == [])
  #expect(
    bench.faults.map(\.detail) == [
      "a.kv had less than was written, and was written again.",
      "The card of \(old) came into this machine, which is \(new) from now on. Its sits are kept.",
    ])
}

@Test func report16_readOnlyStateFolder_isALineAndTheSitRuns() {
  var bench = BoxBench()
  bench.handle(.store([.failed(reason: "the disk with /s is read-only")]), at: at(1))
  bench.start(.fixed(.minutes(2)), at: at(2))
  bench.advance(to: at(200))
  #expect(bench.saved.count == 1)
  #expect(bench.box.degraded.first?.hasPrefix("Not saved: the disk with /s is read-only.") == true)
}

@Test func status_ofTheStore_isShownWithAgesWhereTheTimeIsKnown() throws {
  var bench = BoxBench(start: 1_800_000_000)
  #expect(bench.box.stateWithStore(at: at(0)).store == nil)
  var peer = PeerSeen(path: "b.kv", modified: WallInstant(milliseconds: 1_799_999_900_000))
  peer.device = Identity(randomHigh: 3, low: 3)
  peer.sits = 4
  bench.handle(
    status {
      $0.peers = [peer]
      $0.lastMerge = WallInstant(milliseconds: 1_800_000_000_000)
      $0.clockTrouble = [
        StoreStatus.ClockTrouble(
          device: Identity(randomHigh: 3, low: 3), aheadMilliseconds: 600_000)
      ]
      $0.folderProblem = "the folder is away"
      $0.isOverQuota = true
    }, at: at(1))
  let store = try #require(bench.box.stateWithStore(at: at(10)).store)
  #expect(store.bytes == 1_000 && store.bytesMax == 1_048_576 && store.keys == 3)
  #expect(store.sits == 7 && store.archivedSits == 0 && !store.isVolatile)
  #expect(store.lastMerge == "2027-01-15T08:00:00Z")
  #expect(store.peers.map(\.ageSeconds) == [110])
  #expect(store.clockTrouble.map(\.aheadSeconds) == [600])
  #expect(store.folderProblem == "the folder is away" && store.isOverQuota)
  // A watcher is told of the box alone.
  #expect(bench.box.state(at: at(10)).store == nil)
  var unsynced = BoxBench(isKnown: false)
  unsynced.handle(status { $0.peers = [peer] }, at: at(1))
  #expect(unsynced.box.stateWithStore(at: at(2)).store?.peers.map(\.ageSeconds) == [nil])
}

@Test func sharedCopy_spoiledByAnEngine_isNoDamageOfTheStore() {
  var bench = BoxBench()
  let lines = [DamagedLine(number: 1, reason: .notClosed)]
  let path = "00000000-0000-4003-8000-000000000004.kv"
  bench.handle(.store([.salvaged(path: path, lines: lines, setAside: nil)]), at: at(1))
  #expect(!bench.box.degraded.contains { $0.contains("damaged") })
  bench.handle(.store([.salvaged(path: "truth.kv.1", lines: lines, setAside: nil)]), at: at(2))
  #expect(bench.box.degraded.contains { $0.contains("damaged in one place") })
}
