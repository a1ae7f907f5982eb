// A sit as a value, and a machine that takes it up.
import Testing
import Ticks
import TimerMachine

@Test(arguments: Phase.allCases)
func snapshot_ofAPhase_isThereWhileASitIsOn(phase: Phase) {
  var driver = MachineDriver()
  _ = driver.reach(phase)
  #expect(driver.machine.snapshot?.phase == (phase == .idle || phase == .ended ? nil : phase))
}

@Test func snapshot_ofASit_saysWhereItStands() {
  let plan = SitPlan(length: .minutes(20), intervals: IntervalPlan(every: .minutes(2)))
  var driver = MachineDriver()
  driver.start(plan, at: at(0))
  driver.command(.pause, at: at(310))
  driver.command(.resume, at: at(330))
  driver.command(.pause, at: at(400))
  var expected = TimerSnapshot(plan: plan, phase: .paused, begun: at(10))
  expected.origin = at(30)
  expected.pausedAt = at(400)
  expected.confirmedElapsed = .seconds(370)
  expected.intervalsPassed = 3
  expected.lastInterval = .minutes(6)
  expected.interruptions = [Interruption(from: at(310), to: at(330), kind: .pause)]
  #expect(driver.machine.snapshot == expected)
}

@Test func restore_ofASit_tellsThePhaseAndRingsNothingOfThePast() {
  var driver = MachineDriver()
  driver.start(
    SitPlan(length: .minutes(20), intervals: IntervalPlan(every: .minutes(5))), at: at(0))
  driver.advance(to: at(20))
  let snapshot = driver.machine.snapshot!
  var machine = TimerMachine()
  machine.restore(snapshot, at: at(700))
  #expect(
    machine.nextOutput() == TimerOutput(at: at(700), news: .phase(from: .idle, to: .running)))
  #expect(machine.nextOutput() == nil)
  #expect(machine.nextDeadline == at(910))
  #expect(machine.remaining(at: at(700)) == .seconds(510))
  #expect(
    machine.upcomingBells() == [
      Bell(role: .interval, ordinal: 3, due: at(910)), Bell(role: .end, ordinal: 0, due: at(1210)),
    ])
}

@Test(arguments: [Int64(-1), 0, 1])
func restore_aboutABell_ringsItOnlyBefore(nanoseconds: Int64) {
  let instant = at(310) + Span(nanoseconds: nanoseconds)
  var driver = MachineDriver()
  driver.start(
    SitPlan(length: .minutes(20), intervals: IntervalPlan(every: .minutes(5))), at: at(0))
  driver.advance(to: at(20))
  let snapshot = driver.machine.snapshot!
  driver.trace = []
  driver.restore(snapshot, at: instant)
  driver.advance(to: at(400))
  #expect(driver.bells.count == (nanoseconds < 0 ? 1 : 0))
  driver.advance(to: at(610))
  #expect(driver.bells.last == Bell(role: .interval, ordinal: 2, due: at(610)))
}

@Test(arguments: [Int64(-1), 0, 1])
func restore_aboutTheCueOfAPause_ringsItOnlyBefore(nanoseconds: Int64) {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: .minutes(20)), at: at(0))
  driver.command(.pause, at: at(100))
  let snapshot = driver.machine.snapshot!
  driver.trace = []
  driver.restore(snapshot, at: at(700) + Span(nanoseconds: nanoseconds))
  driver.advance(to: at(3700))
  #expect(driver.bells.count == (nanoseconds < 0 ? 1 : 0))
  #expect(driver.closed.first?.ended == at(100))
}

@Test func restore_ofAPreparation_beginsAtItsInstant() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .minutes(5), length: .minutes(20)), at: at(0))
  let snapshot = driver.machine.snapshot!
  driver.restore(snapshot, at: at(300) - nanosecond)
  driver.advance(to: at(300))
  #expect(driver.bells == [Bell(role: .start, ordinal: 0, due: at(300))])
  #expect(driver.machine.phase == .running)
}

/// For each phase: when what it waits for has passed.
@Test(arguments: [Int64(-1), 0, 1])
func snapshot_aboutTheDeadlineOfItsPhase_isOverFromItOn(nanoseconds: Int64) {
  let near = Span(nanoseconds: nanoseconds)
  var plan = SitPlan(preparation: .seconds(10), length: .minutes(20), overtime: true)
  func isOver(_ snapshot: TimerSnapshot, _ instant: Instant) -> Bool {
    snapshot.isOver(at: instant + near)
  }
  var sit = TimerSnapshot(plan: plan, phase: .preparing, begun: at(10))
  #expect(isOver(sit, at(10)) == (nanoseconds >= 0))
  sit.phase = .running
  #expect(isOver(sit, at(1210)) == (nanoseconds >= 0))
  sit.phase = .overtime
  #expect(isOver(sit, at(4810)) == (nanoseconds >= 0))
  sit.phase = .paused
  sit.pausedAt = at(100)
  #expect(isOver(sit, at(3700)) == (nanoseconds >= 0))
  plan.length = nil
  sit = TimerSnapshot(plan: plan, phase: .running, begun: at(10))
  #expect(isOver(sit, at(10_810)) == (nanoseconds >= 0))
  plan.end = at(500)
  sit = TimerSnapshot(plan: plan, phase: .running, begun: at(10))
  #expect(isOver(sit, at(500)) == (nanoseconds >= 0))
  sit.phase = .paused
  sit.pausedAt = at(100)
  #expect(isOver(sit, at(500)) == (nanoseconds >= 0))
}

@Test(arguments: UInt64(1)...200)
func restore_atAnyInstant_ringsExactlyTheLaterBells(seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let (segments, length) = anySegments(&generator)
  let isUntil = generator.below(3) == 0
  let plan = SitPlan(
    preparation: .seconds(3), length: isUntil ? nil : length, segments: isUntil ? [] : segments,
    end: isUntil ? at(3) + length : nil, intervals: anyPlan(&generator, length: length),
    seed: seed)
  var whole = MachineDriver()
  whole.start(plan, at: at(0))
  let taken = at(3) + Span(nanoseconds: Int64(generator.below(UInt64(length.nanoseconds))))
  whole.advance(to: taken)
  let snapshot = whole.machine.snapshot!
  let left = at(3) + length - taken
  var instant = taken + Span(nanoseconds: Int64(generator.below(UInt64(left.nanoseconds))))
  whole.advance(to: at(3) + length)
  // Half of them exactly at a bell.
  let bells = whole.bells.filter { $0.due >= taken && $0.role != .end }
  if seed % 2 == 0, let bell = bells.last { instant = bell.due }
  var driver = MachineDriver()
  driver.restore(snapshot, at: instant)
  #expect(driver.machine.upcomingBells(10_000) == whole.bells.filter { $0.due > instant })
  driver.advance(to: at(3) + length)
  #expect(driver.bells == whole.bells.filter { $0.due > instant })
  #expect(driver.closed == whole.closed)
  // A value that does not say how many have rung is counted through from the beginning.
  var uncounted = snapshot
  uncounted.intervalsPassed = 0
  uncounted.lastInterval = .zero
  driver.restore(uncounted, at: instant)
  #expect(driver.machine.upcomingBells(.max) == whole.bells.filter { $0.due > instant })
}

@Test(arguments: UInt64(1)...300)
func restore_atTheSameInstant_leavesTheFutureAsItWas(seed: UInt64) {
  var life = RandomLife(seed: seed)
  life.live(events: 1 + Int(seed % 12))
  guard let snapshot = life.driver.machine.snapshot else { return }
  var other = life
  other.driver.restore(snapshot, at: other.instant)
  #expect(other.driver.machine.snapshot == snapshot)
  #expect(other.driver.machine.nextDeadline == life.driver.machine.nextDeadline)
  #expect(other.driver.machine.upcomingBells(20) == life.driver.machine.upcomingBells(20))
  life.live(events: 15)
  other.live(events: 15)
  #expect(other.driver.trace == life.driver.trace)
}

@Test(arguments: UInt64(1)...200)
func shifted_toAnotherBootsClock_isTheSameSitThere(seed: UInt64) {
  var life = RandomLife(seed: seed)
  life.live(events: 1 + Int(seed % 12))
  guard let snapshot = life.driver.machine.snapshot else { return }
  let shift = Span(nanoseconds: Int64(life.generator.below(8_000_000_000_000)) - 4_000_000_000_000)
  var here = MachineDriver()
  here.restore(snapshot, at: life.instant)
  here.advance(to: life.instant + .hours(12))
  var there = MachineDriver()
  // A boot's clock counts from zero.
  let later = Span.hours(100) + shift
  there.restore(snapshot.shifted(by: later), at: life.instant + later)
  there.advance(to: life.instant + later + .hours(12))
  #expect(here.trace.count == there.trace.count)
  #expect(
    there.bells == here.bells.map { Bell(role: $0.role, ordinal: $0.ordinal, due: $0.due + later) })
  #expect(there.closed.map(\.credited) == here.closed.map(\.credited))
  #expect(there.closed.map(\.ended) == here.closed.map { $0.ended + later })
  #expect(snapshot.shifted(by: later).shifted(by: .zero - later) == snapshot)
}
