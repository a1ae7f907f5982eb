import Sessions
import Testing
import Ticks
import TimerMachine
import Zones

@testable import Box

/// A journal with every member in use.
func fullJournal() -> Journal {
  let over = ClosedSit(
    sit: OpenSit(
      id: Identity(randomHigh: 5, low: 6), programme: "Morning", journey: "100 days",
      until: .hours(6), isClockKnownAtBegin: true, place: .offset(3_600),
      pasts: [WallReading(at: at(-9_000), unixNanoseconds: 7, isKnown: true)]),
    finished: FinishedSit(
      begun: at(-9_900), ended: at(-8_000), planned: .minutes(30), credited: .minutes(20),
      overtime: .seconds(60), unconfirmed: .seconds(600), doubtful: .seconds(30),
      completed: false, reachedEnd: true,
      interruptions: [Interruption(from: at(-9_500), to: at(-9_400), kind: .outage)]),
    rating: 4, boot: Identity(randomHigh: 7, low: 8),
    wall: WallReading(at: at(-7_000), unixNanoseconds: 1_767_240_000_000_000_000, isKnown: false),
    isAmended: true)
  return Journal(running: fullSit(), over: [over], isPreparing: true)
}

private func fullSit() -> SitJournal {
  var intervals = IntervalPlan(every: .minutes(5))
  intervals.fractions = [IntervalPlan.Fraction(1, 2), IntervalPlan.Fraction(2, 3)]
  intervals.at = [.seconds(90), .minutes(3)]
  intervals.fromEnd = [.minutes(1)]
  intervals.random = 3
  intervals.randomWindow = .minutes(2) ... .minutes(9)
  intervals.count = 7
  let plan = SitPlan(
    preparation: .seconds(3), length: .minutes(35),
    segments: [
      Segment(kind: "walk", length: .minutes(10)),
      Segment(kind: "sit \"é\"", length: .minutes(25)),
    ], end: at(2_500), intervals: intervals, seed: .max, overtime: true,
    overtimeLimit: .milliseconds(250), openLimit: .hours(5), minimum: .seconds(30))
  var timer = TimerSnapshot(plan: plan, phase: .paused, begun: at(-100))
  timer.startsAt = at(-101)
  timer.origin = at(-40)
  timer.pausedAt = at(900)
  timer.uncredited = .seconds(4)
  timer.uncreditedSincePress = .seconds(2)
  timer.uncreditedInOvertime = .seconds(2)
  timer.uncreditedInDoubt = .seconds(3)
  timer.confirmedElapsed = .seconds(4)
  timer.doubtfulFrom = .seconds(5)
  timer.intervalsPassed = 6
  timer.lastInterval = .seconds(7)
  timer.interruptions = Interruption.Kind.allCases.enumerated().map {
    Interruption(from: at(Int64($0) * 10), to: at(Int64($0) * 10 + 5), kind: $1)
  }
  let wall = WallReading(at: at(1_000), unixNanoseconds: 1_767_247_200_000_000_001, isKnown: true)
  return SitJournal(
    sit: Identity(randomHigh: 1, low: 2), snapshot: timer, programme: "Evening",
    journey: "100 days",
    until: .hours(7), boot: Identity(randomHigh: 3, low: 4), wall: wall,
    isClockKnownAtBegin: true, offsetSeconds: -9_000,
    pasts: [SitJournal.Past(wall: WallReading(at: at(3), unixNanoseconds: 9, isKnown: false))])
}

@Test func journal_written_isReadBackAsItWas() throws {
  let journal = fullJournal()
  let bytes = journal.encoded()
  #expect(try Journal(parsing: bytes) == journal)
  #expect(bytes.last == UInt8(ascii: "\n"))
  #expect(bytes.dropLast().contains(UInt8(ascii: "\n")) == false)
}

@Test func journal_ofThePlainestSit_isReadBackAsItWas() throws {
  let timer = TimerSnapshot(plan: SitPlan(length: nil), phase: .running, begun: at(1))
  let journal = SitJournal(
    sit: Identity(randomHigh: 1, low: 2), snapshot: timer, programme: "simple",
    boot: Identity(randomHigh: 3, low: 4),
    wall: WallReading(at: at(2), unixNanoseconds: 0, isKnown: false), isClockKnownAtBegin: false,
    offsetSeconds: 0)
  let whole = Journal(running: journal)
  #expect(try Journal(parsing: whole.encoded()) == whole)
}

/// A line as it was written before the journal held anything but the sit that is on.
@Test func journal_ofAnEarlierVersion_isRead() throws {
  var journal = fullJournal()
  let bytes = try changed(journal) { $0.removeAll { ["over", "preparing"].contains($0.name) } }
  (journal.over, journal.isPreparing) = ([], false)
  #expect(try Journal(parsing: bytes) == journal)
}

@Test func journal_withoutASitThatIsOn_isReadBackAsItWas() throws {
  var journal = fullJournal()
  journal.running = nil
  #expect(try Journal(parsing: journal.encoded()) == journal)
  journal.over = []
  #expect(try Journal(parsing: journal.encoded()) == journal)
}

@Test func journal_cutOffAnywhere_isDamaged() {
  let bytes = fullJournal().encoded()
  for count in bytes.indices {
    #expect(throws: JournalError.damaged) { try Journal(parsing: Array(bytes[..<count])) }
  }
}

@Test func journal_withAnyByteFlipped_isDamaged() {
  let bytes = fullJournal().encoded()
  for index in bytes.indices {
    for bit in 0..<8 as Range<UInt8> {
      var flipped = bytes
      flipped[index] ^= 1 << bit
      #expect(throws: JournalError.damaged) { try Journal(parsing: flipped) }
    }
  }
}

private func changed(
  _ journal: Journal, _ change: (inout [JSONMember]) -> Void
) throws -> [UInt8] {
  let value = try #require(CheckedLine.value(kind: "j", journal.encoded()))
  var members = try #require(value.members)
  change(&members)
  return CheckedLine.bytes(kind: "j", .object(of: members))
}

@Test func journal_withAMemberOfANewerVersion_isReadWithoutIt() throws {
  let bytes = try changed(fullJournal()) { $0.append(JSONMember("zen", .bool(true))) }
  #expect(try Journal(parsing: bytes) == fullJournal())
}

@Test(
  arguments: [
    ("sit", .string("x")), ("boot", .null), ("programme", .integer(1)), ("wall", .null),
    ("offset", .string("1")), ("timer", .null),
    ("pasts", .array([.integer(1)])), ("until", .integer(-1)),
  ] as [(String, JSONValue)])
func journal_withAMemberThatNoVersionWrote_isRefusedByItsName(
  name: String, value: JSONValue
) throws {
  let bytes = try changed(fullJournal()) { members in
    members.removeAll { $0.name == name }
    members.append(JSONMember(name, value))
  }
  let inside: [String: String] = ["wall": "unix", "timer": "phase", "pasts": "unix"]
  #expect(throws: JournalError.notUnderstood(member: inside[name] ?? name)) {
    try Journal(parsing: bytes)
  }
}

@Test func journal_whoseSitBeginsAfterIt_isRefused() {
  var journal = fullJournal()
  journal.running?.wall.at = at(-101)
  #expect(throws: JournalError.notUnderstood(member: "begun")) {
    try Journal(parsing: journal.encoded())
  }
}

// MARK: - When it is written

private func writes(_ bench: BoxBench) -> [(Int64, Bool)] {
  bench.journals.map { ($0.journal.wall.at.nanoseconds / 1_000_000_000, $0.isDurable) }
}

@Test func journal_ofASitWithOneBell_beatsEachMinuteBackFromIt() {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(3)), at: at(0))
  bench.advance(to: at(500))
  let expected: [(Int64, Bool)] = [(10, true), (68, false), (128, false), (188, true)]
  #expect(writes(bench).map(\.0) == expected.map(\.0))
  #expect(writes(bench).map(\.1) == expected.map(\.1))
}

@Test func journal_ofADenseSit_coversEachBellAndIsBounded() {
  var bench = BoxBench { $0.programmes[0].plan.intervals.every = .seconds(1) }
  bench.start(.fixed(.minutes(5)), at: at(0))
  bench.advance(to: at(500))
  let durable = bench.journals.filter(\.isDurable).map(\.journal.wall.at)
  for second in 11...310 as ClosedRange<Int64> {
    #expect(durable.contains { $0 <= at(second) && at(second) <= $0 + .seconds(2) })
  }
  #expect(bench.journals.count <= 302)
}

@Test func journal_ofAnOpenSit_beatsEachMinuteAndAlsoInAPause() {
  var bench = BoxBench()
  bench.start(.open, at: at(0))
  bench.command(.pause, at: at(100))
  bench.command(.resume, at: at(300))
  bench.advance(to: at(400))
  let seconds = writes(bench).map(\.0)
  #expect(seconds == [10, 70, 100, 158, 218, 278, 300, 360])
  #expect(writes(bench).map(\.1) == [true, false, true, false, false, false, true, false])
}

@Test func journal_beatThatIsFiredLate_isOneWrite() {
  var bench = BoxBench()
  bench.start(.fixed(.hours(3)), at: at(0))
  bench.advance(to: at(20))
  let count = bench.journals.count
  while bench.box.advance(to: at(620)) {}
  bench.advance(to: at(620))
  #expect(bench.journals.count == count + 1)
}

@Test func journal_whilePreparing_saysOnlyThatSoItIs() {
  var bench = BoxBench()
  bench.start(at: at(0))
  bench.advance(to: at(10) - nanosecond)
  #expect(bench.file == Journal(running: nil, over: [], isPreparing: true))
  bench.command(.discard, at: at(10) - nanosecond)
  #expect(bench.file == nil && bench.erasures == 1)
  bench.advance(to: at(1_000))
  #expect(bench.journals.isEmpty && bench.erasures == 1)
  bench.start(at: at(2_000))
  bench.advance(to: at(2_010))
  #expect(bench.file?.isPreparing == false && bench.file?.running != nil)
}

@Test func journal_onceTheClockIsSet_isWrittenWithTheNewReading() throws {
  var bench = BoxBench(start: 0, isKnown: false)
  bench.start(at: at(0))
  bench.wall(1_767_247_200, at: at(100))
  let last = try #require(bench.journals.last)
  #expect(last.journal.wall.isKnown && last.isDurable && last.journal.wall.at == at(100))
  #expect(!last.journal.isClockKnownAtBegin)
}
