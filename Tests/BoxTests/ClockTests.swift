import Appliance
import Box
import Sessions
import Testing
import Ticks
import TimerMachine
import Zones

private let start: Int64 = 1_767_247_200

private func wall(_ seconds: Int64) -> WallInstant { WallInstant(milliseconds: seconds * 1_000) }

/// A box at a local time in Berlin.
private func berlin(_ time: String) throws -> BoxBench {
  try BoxBench(start: Timestamp(text: time).unixSeconds, zone: zone("Europe/Berlin"))
}

// MARK: - Until a time of day

@Test func sit_untilATimeOfDay_endsThenWhateverPauses() throws {
  var bench = try berlin("2026-06-01T06:30:00+02:00")
  bench.handle(.startUntil(.hours(7), anyway: false), at: at(0))
  #expect(bench.box.state(at: at(5)).endsAt == "2026-06-01T07:00:00+02:00")
  #expect(bench.box.state(at: at(5)).plannedSeconds == 1_790)
  bench.command(.pause, at: at(600))
  bench.command(.resume, at: at(900))
  bench.advance(to: at(1_800) - nanosecond)
  #expect(bench.saved.isEmpty)
  bench.advance(to: at(1_800))
  #expect(bench.saved.map(\.durationSeconds) == [1_490])
  #expect(bench.journals.first?.journal.until == .hours(7))
}

@Test func sit_untilATimeOfDay_followsTheClockThatIsSet() throws {
  var bench = try berlin("2026-06-01T06:30:00+02:00")
  let seconds = try Timestamp(text: "2026-06-01T06:30:00+02:00").unixSeconds
  bench.handle(.startUntil(.hours(7), anyway: false), at: at(0))
  // The clock was five minutes slow.
  bench.wall(seconds + 700, at: at(400))
  bench.advance(to: at(1_500) - nanosecond)
  #expect(bench.saved.isEmpty)
  bench.advance(to: at(1_500))
  #expect(bench.saved.map(\.durationSeconds) == [1_490])
  #expect(bench.saved.map(\.completed) == [true])
}

@Test func sit_untilATimeThatTheClockIsSetPast_endsNow() throws {
  var bench = try berlin("2026-06-01T06:30:00+02:00")
  let seconds = try Timestamp(text: "2026-06-01T06:30:00+02:00").unixSeconds
  bench.handle(.startUntil(.hours(7), anyway: false), at: at(0))
  // At 06:59 it becomes 07:01: it began at 06:32.
  bench.wall(seconds + 1_860, at: at(1_740))
  #expect(bench.saved.map(\.durationSeconds) == [1_730])
}

@Test func sit_untilATimeOfDay_whilePreparing_followsTheClockToo() throws {
  var bench = try berlin("2026-06-01T06:30:00+02:00")
  let seconds = try Timestamp(text: "2026-06-01T06:30:00+02:00").unixSeconds
  bench.handle(.startUntil(.hours(7), anyway: false), at: at(0))
  bench.wall(seconds + 300, at: at(5))
  bench.advance(to: at(1_800 - 295))
  #expect(bench.saved.map(\.durationSeconds) == [1_495])
}

@Test func sit_untilATimeOfDay_followsTheZone() throws {
  var bench = try berlin("2026-06-01T06:30:00+02:00")
  bench.handle(.startUntil(.hours(8), anyway: false), at: at(0))
  bench.handle(.zone(try zone("Europe/Moscow")), at: at(100))
  bench.advance(to: at(1_800))
  #expect(bench.saved.map(\.durationSeconds) == [1_790])
  // Where it began is where it counts.
  #expect(bench.saved.map(\.utcOffsetSeconds) == [7_200])
}

@Test func sit_untilATimeOfDay_whileTheTimeIsNotKnown_isRefused() {
  var bench = BoxBench(start: 0, isKnown: false)
  bench.handle(.startUntil(.hours(7), anyway: false), at: at(0))
  #expect(bench.refusals == ["the time of day is not known"])
  #expect(bench.box.appliance.phase == .idle)
}

@Test func sit_untilATimeOfDay_askedInTheNight_comesInTheMorning() throws {
  var bench = try berlin("2026-03-28T23:30:00+01:00")
  bench.handle(.startUntil(.hours(7), anyway: false), at: at(0))
  // The night of summer time is an hour short.
  #expect(bench.box.state(at: at(5)).endsAt == "2026-03-29T07:00:00+02:00")
}

@Test func programme_untilATimeOfDay_endsThen() throws {
  let seconds = try Timestamp(text: "2026-06-01T06:30:00+02:00").unixSeconds
  let dawn = Programme(
    name: "dawn", length: .until(.hours(7)), plan: SitPlan(length: nil),
    bells: Programme.simple.bells)
  var bench = try BoxBench(
    start: seconds, zone: zone("Europe/Berlin"), { $0.programmes = [.simple, dawn] })
  bench.start(.programme("dawn"), at: at(0))
  bench.advance(to: at(1_800))
  #expect(bench.saved.map(\.programme) == ["dawn"])
  #expect(bench.journals.first?.journal.until == .hours(7))
  // After seven it is tomorrow's.
  bench.start(.programme("dawn"), at: at(3_600))
  bench.advance(to: at(3_700))
  #expect(bench.box.state(at: at(3_700)).endsAt == "2026-06-02T07:00:00+02:00")
}

// MARK: - Dates

@Test func sits_savedBeforeTheTimeIsKnown_areRepairedOnceItIs() throws {
  var bench = BoxBench(start: 0, isKnown: false, zone: try zone("Asia/Seoul"))
  for count in 0..<2 as Range<Int64> {
    bench.start(.fixed(.minutes(1)), at: at(count * 200))
    bench.advance(to: at(count * 200 + 150))
  }
  #expect(bench.saved.map(\.clock) == [.unsynced, .unsynced])
  bench.wall(start, at: at(1_000))
  // Each edit is followed by a save, whose answer says that it is kept too.
  let ids = bench.saved.prefix(2).map(\.id)
  #expect(bench.edits.map(\.id) == ids && bench.saved.map(\.id) == ids + ids)
  let first = SitEdit.dates(
    start: wall(start - 990), end: wall(start - 930), offsetSeconds: 32_400, interruptions: [])
  let second = SitEdit.dates(
    start: wall(start - 790), end: wall(start - 730), offsetSeconds: 32_400, interruptions: [])
  #expect(bench.edits.map(\.edit) == [first, second])
  bench.wall(start + 1, at: at(1_001))
  #expect(bench.edits.count == 2)
}

/// A board without a clock wakes up in the past: its sits stand in the order of its boots all the
/// same.
@Test func sit_ofABoardWithoutAClock_isDatedAfterTheNewestOne() {
  let nobody = Identity(high: 0, low: 0)
  var status = StoreStatus(
    owner: nobody, device: nobody, usage: StoreUsage(bytes: 0, keys: 0, sits: 1))
  status.newestSit = StoreStatus.SitDates(
    start: wall(start), end: wall(start + 600), offsetSeconds: 0)
  var bench = BoxBench(start: 0, isKnown: false)
  bench.handle(.storeStatus(status), at: at(0))
  bench.start(.fixed(.minutes(1)), at: at(1))
  bench.advance(to: at(100))
  #expect(bench.saved.map(\.startDate) == [wall(start + 600)])
  #expect(bench.saved.map(\.endDate) == [wall(start + 660)])
  // One whose time is known has its own date, whatever is there.
  bench.wall(start - 5_000, at: at(200))
  bench.start(.fixed(.minutes(1)), at: at(200))
  bench.advance(to: at(300))
  #expect(bench.saved.last?.startDate == wall(start - 4_990))
}

/// A date centuries ahead is no board's order, and no sum of it fits.
@Test func sit_ofABoardWithoutAClock_isNotDatedAfterACentury() {
  let nobody = Identity(high: 0, low: 0)
  let century: Int64 = 100 * 366 * 86_400
  for (ahead, begun) in [(century - 1, 10 + century), (century, 11), (250_000_000_000, 11)] {
    var status = StoreStatus(
      owner: nobody, device: nobody, usage: StoreUsage(bytes: 0, keys: 0, sits: 1))
    status.newestSit = StoreStatus.SitDates(
      start: wall(ahead), end: wall(11 + ahead), offsetSeconds: 0)
    var bench = BoxBench(start: 0, isKnown: false)
    bench.handle(.storeStatus(status), at: at(0))
    bench.start(.fixed(.minutes(1)), at: at(1))
    bench.advance(to: at(100))
    #expect(bench.saved.map(\.startDate) == [wall(begun)])
  }
}

@Test func zone_changedInMidSit_leavesItsDayAlone() throws {
  var bench = try berlin("2026-06-01T23:50:00+02:00")
  bench.start(.fixed(.minutes(5)), at: at(0))
  bench.handle(.zone(try zone("Asia/Seoul")), at: at(100))
  bench.advance(to: at(400))
  #expect(bench.saved.map(\.utcOffsetSeconds) == [7_200])
  bench.start(.fixed(.minutes(5)), at: at(500))
  bench.advance(to: at(900))
  #expect(bench.saved.map(\.utcOffsetSeconds) == [7_200, 32_400])
}

// MARK: - Sleep

@Test func sleep_inAFixedSit_countsAndRingsNothingThatIsPast() {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(10)), at: at(0))
  bench.handle(.slept(to: at(490)), at: at(10))
  bench.advance(to: at(490))
  #expect(bench.box.state(at: at(490)).remainingSeconds == 120)
  bench.advance(to: at(610))
  #expect(bench.saved.map(\.durationSeconds) == [600])
}

@Test func report6_sleepInAnOpenSit_closesItAsItFellAsleep() {
  var bench = BoxBench()
  bench.start(.open, at: at(0))
  bench.handle(.slept(to: at(32_400)), at: at(610))
  bench.advance(to: at(32_400))
  #expect(bench.saved.map(\.durationSeconds) == [600])
  #expect(bench.saved.map(\.endDate) == [wall(start + 610)])
  #expect(bench.saved.map(\.interruptions) == [[]])
}

@Test func journey_chosen_isThatOfTheSitsThatBegin() {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(1)), at: at(0))
  bench.handle(.journey("100 days"), at: at(20))
  bench.advance(to: at(100))
  bench.start(.fixed(.minutes(1)), at: at(100))
  bench.advance(to: at(200))
  #expect(bench.saved.map(\.journey) == [nil, "100 days"])
}
