// Where the interval bells of a plan ring, and which of them give way.
import Testing
import Ticks
import TimerMachine

private func plan(
  _ length: Span?, segments: [Segment] = [], seed: UInt64 = 0, _ set: (inout IntervalPlan) -> Void
) -> SitPlan {
  var intervals = IntervalPlan()
  set(&intervals)
  return SitPlan(
    preparation: .zero, length: length, segments: segments, intervals: intervals, seed: seed)
}

private func marks(_ plan: SitPlan) -> [Span] { Array(plan.marks()) }

@Test func marks_ofAPlanWithout_areNone() {
  #expect(marks(plan(.minutes(20)) { _ in }) == [])
}

@Test func marks_atFractions_areThoseOfTheLengthRoundedDown() {
  let third = plan(.seconds(100)) { $0.fractions = [.init(2, 3), .init(1, 3), .init(1, 2)] }
  let nanoseconds: [Int64] = [33_333_333_333, 50_000_000_000, 66_666_666_666]
  #expect(marks(third).map(\.nanoseconds) == nanoseconds)
}

@Test func marks_atFractionsOfAWeek_doNotOverflow() {
  let week = Span.hours(168)
  let fine = plan(week) { $0.fractions = [.init(999_999_999_999, 1_000_000_000_000)] }
  #expect(marks(fine) == [])
  let half = plan(week) { $0.fractions = [.init(500_000_000_000, 1_000_000_000_000)] }
  #expect(marks(half) == [.hours(84)])
}

@Test func marks_listedAndFromTheEnd_areMergedInOrderAndEqualOnesRingOnce() {
  let mixed = plan(.minutes(20)) {
    $0.every = .minutes(6)
    $0.at = [.minutes(15), .minutes(2), .minutes(12)]
    $0.fromEnd = [.minutes(1), .minutes(5)]
  }
  let minutes: [Int64] = [2, 6, 12, 15, 18, 19]
  #expect(marks(mixed) == minutes.map { Span.minutes($0) })
}

@Test func marks_withACount_areTheFirstOfAll() {
  let three = plan(.minutes(20)) {
    $0.every = .minutes(5)
    $0.at = [.minutes(1)]
    $0.count = 3
  }
  #expect(marks(three) == [.minutes(1), .minutes(5), .minutes(10)])
  #expect(
    marks(
      plan(.minutes(20)) {
        $0 = three.intervals; $0.count = 0
      }) == [])
}

@Test func marks_ofAnOpenEndedSit_areThoseThatNeedNoEnd() {
  var open = plan(nil) {
    $0.every = .hours(1)
    $0.at = [.minutes(5)]
    $0.fromEnd = [.minutes(5)]
    $0.fractions = [.init(1, 2)]
    $0.random = 3
  }
  #expect(marks(open) == [.minutes(5), .hours(1), .hours(2)])
  open.openLimit = .hours(4)
  #expect(marks(open).last == .hours(3))
}

/// Each is told as the distance from where it would ring, in nanoseconds.
@Test(arguments: [Int64(-1), 0, 1])
func marks_aboutATickFromTheStart_giveWayToTheStartBell(nanoseconds: Int64) {
  let mark = Span(nanoseconds: 1_000_000_000 + nanoseconds)
  #expect(marks(plan(.minutes(1)) { $0.at = [mark] }) == (nanoseconds < 0 ? [] : [mark]))
}

@Test(arguments: [Int64(-1), 0, 1])
func marks_aboutATickFromTheEnd_giveWayToTheEndBell(nanoseconds: Int64) {
  let fromEnd = Span(nanoseconds: 1_000_000_000 + nanoseconds)
  let one = plan(.minutes(1)) { $0.fromEnd = [fromEnd] }
  #expect(marks(one) == (nanoseconds < 0 ? [] : [.minutes(1) - fromEnd]))
}

@Test(arguments: [Int64(-1), 0, 1])
func marks_aboutATickFromABorder_giveWayToItsBell(nanoseconds: Int64) {
  let distance = Span(nanoseconds: 1_000_000_000 + nanoseconds)
  let segments = [
    Segment(kind: "walk", length: .minutes(10)), Segment(kind: "sit", length: .minutes(25)),
  ]
  let before = Span.minutes(10) - distance
  let after = Span.minutes(10) + distance
  let both = plan(.minutes(35), segments: segments) { $0.at = [before, .minutes(10), after] }
  #expect(marks(both) == (nanoseconds < 0 ? [] : [before, after]))
}

@Test(arguments: [Int64(-1), 0, 1])
func marks_aboutATickApart_ringTheFirst(nanoseconds: Int64) {
  let second = Span(nanoseconds: 11_000_000_000 + nanoseconds)
  let two = plan(.minutes(1)) { $0.at = [.seconds(10), second] }
  #expect(marks(two) == (nanoseconds < 0 ? [.seconds(10)] : [.seconds(10), second]))
}

@Test(arguments: UInt64(1)...100)
func marks_atRandom_lieOneInEachPartAndFiveSecondsFromItsEnds(seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let length = Span(nanoseconds: 400_000_000_000 + Int64(generator.below(3_600_000_000_000)))
  let count = Int(1 + generator.below(20))
  let from = Span(nanoseconds: Int64(generator.below(60_000_000_000)))
  for window in [nil, from...(from + length)] {
    let random = plan(length + .minutes(2), seed: seed) {
      $0.random = count
      $0.randomWindow = window
    }
    let found = marks(random)
    #expect(found.count == count)
    let (begin, all) = (
      window.map(\.lowerBound) ?? .zero, window == nil ? length + .minutes(2) : length
    )
    for (part, mark) in found.enumerated() {
      let after = mark - begin - .seconds(5)
      #expect(after.nanoseconds >= all.nanoseconds * Int64(part) / Int64(count))
      let before = mark - begin + .seconds(5)
      #expect(before.nanoseconds <= all.nanoseconds * Int64(part + 1) / Int64(count))
    }
    for (one, next) in zip(found, found.dropFirst()) { #expect(next - one >= .seconds(10)) }
    #expect(marks(random) == found)
    var other = random
    other.seed += 1
    #expect(marks(other) != found)
  }
}

@Test func marks_atRandomInPartsTooShort_areNone() {
  #expect(marks(plan(.seconds(600)) { $0.random = 30 }).count == 30)
  #expect(marks(plan(.seconds(600) - nanosecond) { $0.random = 30 }) == [])
  func windowed(_ span: Span) -> [Span] {
    marks(
      plan(.seconds(600)) {
        $0.random = 3
        $0.randomWindow = .seconds(100)...(.seconds(100) + span)
      })
  }
  #expect(windowed(.seconds(60)).count == 3)
  #expect(windowed(.seconds(60) - nanosecond) == [])
}

@Test func marks_atRandomInAWindowBeyondTheEnd_ringAsFarAsTheSitGoes() {
  func windowed(_ length: Span?) -> [Span] {
    marks(
      plan(length, seed: 3) {
        $0.random = 20
        $0.randomWindow = .minutes(5) ... .minutes(25)
      })
  }
  let all = windowed(.minutes(25))
  #expect(all.count == 20)
  #expect(windowed(nil) == all)
  #expect(windowed(.minutes(15)) == all.filter { $0 <= .minutes(15) - .seconds(1) })
}

@Test func marks_atRandom_reachAllOfTheirPart() {
  let thirds = (UInt64(0)..<300).map { seed in
    let mark = marks(plan(.seconds(70), seed: seed) { $0.random = 1 })[0]
    return Int((mark - .seconds(5)) / .seconds(20))
  }
  for third in 0..<3 { #expect(thirds.filter { $0 == third }.count > 60) }
}

// MARK: - What never rings

@Test(
  arguments: [
    (.seconds(1_199), nil), (.seconds(1_199) + nanosecond, .afterEnd), (.minutes(20), .afterEnd),
    (.seconds(1) - nanosecond, .beforeStart), (.seconds(599), nil),
    (.seconds(599) + nanosecond, .onBorder(.minutes(10))),
    (.minutes(10), .onBorder(.minutes(10))),
    (.seconds(601) - nanosecond, .onBorder(.minutes(10))), (.seconds(601), nil),
  ] as [(Span, UnrungInterval.Reason?)])
func bellAtASpan_nearAnother_neverRings(at: Span, reason: UnrungInterval.Reason?) {
  let segments = ["sit", "walk"].map { Segment(kind: $0, length: .minutes(10)) }
  let one = plan(.minutes(20), segments: segments) { $0.at = [.minutes(3), at] }
  let expected = reason.map { [UnrungInterval(part: .at(1), reason: $0)] } ?? []
  #expect(one.unrungIntervals(length: .minutes(20)) == expected)
  let mirrored = plan(.minutes(20), segments: segments) { $0.fromEnd = [.minutes(20) - at] }
  #expect(mirrored.unrungIntervals(length: .minutes(20)).map(\.reason) == expected.map(\.reason))
}

@Test func bells_ofAnOpenSit_thatCountByItsLength_neverRing() {
  let open = plan(nil) {
    $0.every = .hours(4)
    $0.fractions = [.init(1, 2)]
    $0.fromEnd = [.minutes(1)]
    $0.random = 2
  }
  #expect(
    open.unrungIntervals(length: nil) == [
      UnrungInterval(part: .every, reason: .afterEnd),
      UnrungInterval(part: .fraction(0), reason: .noLength),
      UnrungInterval(part: .fromEnd(0), reason: .noLength),
      UnrungInterval(part: .random, reason: .noLength),
    ])
  #expect(open.unrungIntervals(length: .hours(5)) == [])
  #expect(
    open.unrungIntervals(length: .seconds(39)) == [
      UnrungInterval(part: .every, reason: .afterEnd),
      UnrungInterval(part: .fromEnd(0), reason: .beforeStart),
      UnrungInterval(part: .random, reason: .noRoom(1)),
    ])
}

/// What is not named rings: alone it has a mark, and what is named has none.
@Test(arguments: UInt64(1)...300)
func bells_ofAnyPlan_neverRingOrHaveAMark(seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let (segments, length) = anySegments(&generator)
  let any = plan(length, segments: segments, seed: seed) {
    $0 = anyPlan(&generator, length: length)
  }
  let unrung = any.unrungIntervals(length: length).map(\.part)
  let all = Set(
    plan(length, segments: segments, seed: seed) {
      $0 = any.intervals
      $0.count = nil
    }.marks())
  for (place, span) in any.intervals.at.enumerated() {
    let rings = all.contains { max($0, span) - min($0, span) < .seconds(1) }
    #expect(rings || unrung.contains(.at(place)))
    if unrung.contains(.at(place)) { #expect(!all.contains(span)) }
  }
  for (place, span) in any.intervals.fromEnd.enumerated() where unrung.contains(.fromEnd(place)) {
    #expect(!all.contains(length - span))
  }
}

@Test func marks_ofASecondThroughAWeek_takeNoRoomAndCount() {
  let week = plan(.hours(168)) { $0.every = .seconds(1) }
  #expect(MemoryLayout<IntervalMarks>.size < 256)
  var count: Int64 = 0
  for mark in week.marks() {
    count += 1
    if mark != .seconds(count) { Issue.record("\(count)") }
  }
  #expect(count == 7 * 86_400 - 1)
}

/// A plan with everything in it, from a seed.
func anyPlan(_ generator: inout SeededGenerator, length: Span?) -> IntervalPlan {
  func span(_ generator: inout SeededGenerator, below seconds: UInt64) -> Span {
    let nanoseconds = Int64(generator.below(seconds * 1_000_000_000))
    // Whole seconds meet each other and the borders; others come close.
    return generator.below(2) == 0
      ? .seconds(nanoseconds / 1_000_000_000) : Span(nanoseconds: nanoseconds)
  }
  var plan = IntervalPlan()
  let seconds = UInt64(length?.wholeSeconds ?? 3_600)
  if generator.below(2) == 0 { plan.every = .seconds(1) + span(&generator, below: 600) }
  for _ in 0..<generator.below(4) { plan.at.append(span(&generator, below: seconds)) }
  for _ in 0..<generator.below(4) { plan.fromEnd.append(span(&generator, below: seconds)) }
  for _ in 0..<generator.below(3) {
    let denominator = Int64(2 + generator.below(8))
    plan.fractions.append(.init(1 + Int64(generator.below(UInt64(denominator - 1))), denominator))
  }
  if generator.below(3) == 0 {
    plan.random = Int(generator.below(12))
    if generator.below(2) == 0 {
      let from = span(&generator, below: seconds)
      plan.randomWindow = from...(from + span(&generator, below: seconds))
    }
  }
  if generator.below(4) == 0 { plan.count = Int(generator.below(8)) }
  return plan
}

/// A row of segments, and its length.
func anySegments(_ generator: inout SeededGenerator) -> ([Segment], Span) {
  var segments: [Segment] = []
  for _ in 0...generator.below(6) {
    let milliseconds = Int64(1_000 + generator.below(400_000))
    segments.append(
      Segment(
        kind: segments.count % 2 == 0 ? "sit" : "walk",
        length: generator.below(2) == 0
          ? .seconds(milliseconds / 1_000) : .milliseconds(milliseconds)))
  }
  return (segments, segments.reduce(.zero) { $0 + $1.length })
}

/// The rules again, slowly: all candidates in a list, and who may ring.
private func slowMarks(_ plan: SitPlan, length: Span, borders: [Span]) -> [Span] {
  let tick = Span.seconds(1)
  var all = plan.intervals.at
  if let every = plan.intervals.every {
    var mark = every
    while mark < length { all.append(mark); mark += every }
  }
  for fraction in plan.intervals.fractions {
    all.append(
      Span(nanoseconds: length.nanoseconds * fraction.numerator / fraction.denominator))
  }
  all += plan.intervals.fromEnd.map { length - $0 }
  var random = plan
  random.segments = []
  random.intervals = IntervalPlan()
  random.intervals.random = plan.intervals.random
  random.intervals.randomWindow = plan.intervals.randomWindow
  all += Array(random.marks())
  var kept: [Span] = []
  for mark in all.sorted() {
    let isFree = mark >= (kept.last ?? .zero) + tick && mark <= length - tick
    let meets = borders.contains { $0 - mark < tick && mark - $0 < tick }
    if isFree && !meets { kept.append(mark) }
  }
  return Array(kept.prefix(plan.intervals.count ?? .max))
}

@Test(arguments: UInt64(1)...300)
func bells_ofAnyPlan_areThoseOfTheSlowRulesAndATickApart(seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let (segments, length) = anySegments(&generator)
  let plan = SitPlan(
    preparation: .seconds(3), length: length, segments: segments,
    intervals: anyPlan(&generator, length: length), seed: seed)
  var driver = MachineDriver()
  driver.start(plan, at: at(0))
  let foreseen = driver.machine.upcomingBells(10_000)
  driver.advance(to: at(3) + length)
  #expect(driver.bells == foreseen)
  for (bell, next) in zip(driver.bells, driver.bells.dropFirst()) {
    #expect(next.due - bell.due >= .seconds(1))
  }
  var borders: [Span] = []
  for segment in segments.dropLast() {
    borders.append((borders.last ?? .zero) + segment.length)
  }
  let bells = driver.bells
  #expect(bells.filter { $0.role == .segment }.map(\.due) == borders.map { at(3) + $0 })
  let intervals = bells.filter { $0.role == .interval }
  let slow = slowMarks(plan, length: length, borders: borders)
  #expect(intervals.map(\.due) == slow.map { at(3) + $0 })
  #expect(intervals.map(\.ordinal) == intervals.indices.map { Int64($0 + 1) })
}

@Test(arguments: UInt64(1)...200)
func pause_ofAnyPlan_shiftsEveryBellByItsLength(seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let (segments, length) = anySegments(&generator)
  var driver = MachineDriver()
  driver.start(
    SitPlan(
      preparation: .zero, length: length, segments: segments,
      intervals: anyPlan(&generator, length: length), seed: seed),
    at: at(0))
  let pausedAt = at(0) + Span(nanoseconds: Int64(generator.below(UInt64(length.nanoseconds))))
  driver.advance(to: pausedAt)
  let bells = driver.machine.upcomingBells(.max)
  let segmentRemaining = driver.machine.segmentRemaining(at: pausedAt)
  let pause = Span(nanoseconds: Int64(generator.below(3_600_000_000_000)))
  driver.command(.pause, at: pausedAt)
  driver.command(.resume, at: pausedAt + pause)
  #expect(driver.machine.segmentRemaining(at: pausedAt + pause) == segmentRemaining)
  let shifted = bells.map { Bell(role: $0.role, ordinal: $0.ordinal, due: $0.due + pause) }
  #expect(driver.machine.upcomingBells(.max) == shifted)
  #expect(driver.machine.nextBell(after: pausedAt + pause) == shifted.first?.due)
}
