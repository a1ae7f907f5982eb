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
private func berlin(_ time: String, preparation: Span = .seconds(10)) throws -> BoxBench {
  try BoxBench(
    start: Timestamp(text: time).unixSeconds, zone: zone("Europe/Berlin"),
    { $0.plan.preparation = preparation })
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

@Test func sit_untilATimeOfDay_staysWithTheZoneWhereItBegan() throws {
  var bench = try berlin("2026-06-01T06:30:00+02:00")
  let seconds = try Timestamp(text: "2026-06-01T06:30:00+02:00").unixSeconds
  bench.handle(.startUntil(.hours(8), anyway: false), at: at(0))
  bench.handle(.zone(try zone("Asia/Seoul")), at: at(100))
  #expect(bench.box.appliance.timer.plannedEnd == at(5_400))
  // The clock is set there too: it is half a minute later, by the clock of Berlin.
  bench.wall(seconds + 230, at: at(200))
  #expect(bench.box.appliance.timer.plannedEnd == at(5_370))
  bench.advance(to: at(5_370))
  #expect(bench.saved.map(\.durationSeconds) == [5_360])
  #expect(bench.saved.map(\.utcOffsetSeconds) == [7_200])
}

/// How far the clock is set at ten minutes of a sit of an hour until six, and how long the sit is.
@Test(
  arguments: [
    (step: 0, sat: 3_600), (1, 3_599), (2_999, 601), (3_000, 600), (3_001, 600),
    (3_600, 600), (7_200, 600), (43_199, 600), (43_200, 600),
    // More than half a day: what is shown is nearer to the six o'clock of the next day.
    (43_201, 3_600 + 43_199), (86_399, 3_601), (86_400, 3_600), (864_000, 3_600),
    (-1, 3_601), (-7_200, 10_800), (-43_199, 3_600 + 43_199), (-43_200, 600), (-86_400, 3_600),
  ] as [(step: Int64, sat: Int64)])
func clock_setInASitUntilATime_endsItAtTheNearestSuchTime(step: Int64, sat: Int64) throws {
  var bench = try berlin("2026-06-01T05:00:00+02:00", preparation: .zero)
  let seconds = try Timestamp(text: "2026-06-01T05:00:00+02:00").unixSeconds
  bench.handle(.startUntil(.hours(6), anyway: false), at: at(0))
  bench.wall(seconds + 600 + step, at: at(600))
  bench.advance(to: at(sat) - nanosecond)
  #expect(bench.saved.isEmpty == (sat > 600))
  bench.advance(to: at(sat))
  #expect(bench.saved.map(\.durationSeconds) == [sat])
}

@Test func clock_setBackALittle_makesNoSitOfADayOneOfAMinute() throws {
  var bench = try berlin("2026-06-01T06:00:30+02:00", preparation: .zero)
  let seconds = try Timestamp(text: "2026-06-01T06:00:30+02:00").unixSeconds
  bench.handle(.startUntil(.hours(6), anyway: false), at: at(0))
  bench.wall(seconds + 600 - 60, at: at(600))
  #expect(bench.box.appliance.timer.plannedEnd == at(86_430))
}

/// When it begins, until when it goes, and the end: summer time begins and ends at night.
@Test(
  arguments: [
    ("2026-03-29T01:30:00+01:00", "03:30", "2026-03-29T03:30:00+02:00"),
    ("2026-03-29T01:30:00+01:00", "02:30", "2026-03-29T03:00:00+02:00"),
    ("2026-03-29T01:30:00+01:00", "02:00", "2026-03-29T03:00:00+02:00"),
    ("2026-10-25T01:30:00+02:00", "02:30", "2026-10-25T02:30:00+02:00"),
    ("2026-10-25T02:45:00+02:00", "02:30", "2026-10-25T02:30:00+01:00"),
    ("2026-10-25T02:45:00+02:00", "03:30", "2026-10-25T03:30:00+01:00"),
    ("2026-10-25T02:15:00+01:00", "02:30", "2026-10-25T02:30:00+01:00"),
  ] as [(String, String, String)])
func sit_untilATime_overAChangeOfSummerTime_staysSoThoughTheClockIsSet(
  begin: String, until: String, end: String
) throws {
  var bench = try berlin(begin, preparation: .zero)
  let seconds = try Timestamp(text: begin).unixSeconds
  let span = try Timestamp(text: end).unixSeconds - seconds
  let time = until.split(separator: ":").compactMap { Int64($0) }
  bench.handle(.startUntil(.minutes(time[0] * 60 + time[1]), anyway: false), at: at(0))
  #expect(bench.box.appliance.timer.plannedEnd == at(span))
  for (instant, step) in [(60, 1), (61, 0), (62, -1)] as [(Int64, Int64)] {
    bench.wall(seconds + instant + step, at: at(instant))
    #expect(bench.box.appliance.timer.plannedEnd == at(span - step))
  }
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

/// A bench of a board without a clock, whose store has guesses that ended so.
private func bench(behind ends: Int64...) -> BoxBench {
  let nobody = Identity(high: 0, low: 0)
  var status = StoreStatus(
    owner: nobody, device: nobody, usage: StoreUsage(bytes: 0, keys: 0, sits: ends.count))
  status.guessedEnds = ends.map(wall)
  var bench = BoxBench(start: 0, isKnown: false)
  bench.handle(.storeStatus(status), at: at(0))
  bench.start(.fixed(.minutes(1)), at: at(1))
  bench.advance(to: at(100))
  return bench
}

/// A board without a clock wakes up in the past: its sits stand in the order of its boots all the
/// same.
@Test func sit_ofABoardWithoutAClock_isDatedAfterTheLastGuess() {
  for (end, begun) in [(10, 11), (11, 11), (12, 12), (5_000, 5_000)] as [(Int64, Int64)] {
    #expect(bench(behind: end).saved.map(\.startDate) == [wall(begun)])
    #expect(bench(behind: end).saved.map(\.endDate) == [wall(begun + 60)])
  }
  // One whose time is known has its own date, whatever is there.
  var known = bench(behind: 5_000)
  known.wall(start - 5_000, at: at(200))
  known.start(.fixed(.minutes(1)), at: at(200))
  known.advance(to: at(300))
  #expect(known.saved.last?.startDate == wall(start - 4_990))
}

/// A date years ahead is of a clock that was wrong itself, and no sum of it need fit.
@Test func sit_ofABoardWithoutAClock_isNotDatedAfterOneOfManyYearsAhead() {
  let most: Int64 = 10 * 366 * 86_400
  #expect(bench(behind: most + 10).saved.map(\.startDate) == [wall(most + 10)])
  for ahead in [most + 11, 250_000_000_000] {
    #expect(bench(behind: ahead).saved.map(\.startDate) == [wall(11)])
    #expect(bench(behind: 5_000, ahead).saved.map(\.startDate) == [wall(5_000)])
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
