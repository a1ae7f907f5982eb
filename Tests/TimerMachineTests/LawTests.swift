// The timer's laws, over seeded random sits. A failure names its seed.
import Testing
import Ticks
import TimerMachine

@Test func deadlines_overTenThousandIntervals_areStartPlusKTimesInterval() {
  let every = Span(nanoseconds: 1_234_567_891)
  let start = at(ms: 777)
  var driver = MachineDriver()
  driver.start(
    SitPlan(preparation: .zero, length: every * 10_001, intervals: IntervalPlan(every: every)),
    at: start)
  var instant = start
  while driver.machine.phase == .running {
    instant += .milliseconds(977)
    driver.advance(to: instant)
  }
  let intervals = driver.bells.filter { $0.role == .interval }
  #expect(intervals.count == 10_000)
  for (index, bell) in intervals.enumerated() {
    #expect(bell.due == start + every * Int64(index + 1))
  }
}

@Test func ticks_overAHundredThousandSeconds_areExactToTheNanosecond() {
  let start = Instant(nanoseconds: 123_456_789)
  var driver = MachineDriver(ticks: true)
  driver.start(SitPlan(preparation: .zero, length: .seconds(100_000)), at: start)
  driver.advance(to: start + .seconds(100_000))
  let ticks = driver.trace.filter { if case .tick = $0.news { true } else { false } }
  #expect(ticks.count == 100_000)
  let wrong = ticks.enumerated().filter { index, tick in
    tick.at != start + .seconds(Int64(index + 1))
      || tick.news != .tick(remaining: 100_000 - Int64(index + 1))
  }
  #expect(wrong.isEmpty)
}

@Test func pauses_fiveHundredCommandsInFiveSeconds_leaveTheRemainingTimeExact() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: .minutes(20)), at: at(0))
  driver.advance(to: at(60))
  var instant = at(60)
  var sat = Span.seconds(60)
  var generator = SeededGenerator(seed: 500)
  for index in 0..<500 {
    let step = Span(nanoseconds: Int64(9_000_000 + generator.below(2_000_000)))
    if index % 2 == 0 { sat += step }
    instant += step
    driver.command(index % 2 == 0 ? .pause : .resume, at: instant)
  }
  #expect(driver.machine.phase == .running)
  #expect(driver.machine.remaining(at: instant) == .minutes(20) - sat)
  driver.advance(to: at(4000))
  #expect(driver.closed.first?.interruptions.count == 250)
  #expect(driver.closed.first?.credited == .minutes(20))
}

@Test(arguments: UInt64(1)...200)
func pause_ofAnyLength_changesNoRemainingTimeAndShiftsTheBells(seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  var driver = MachineDriver()
  driver.start(
    SitPlan(preparation: .zero, length: .minutes(20), intervals: IntervalPlan(every: .minutes(3))),
    at: at(0))
  let pausedAt = at(0) + Span(nanoseconds: Int64(generator.below(1_200_000_000_000)))
  let length = Span(nanoseconds: Int64(generator.below(3_600_000_000_000)))
  driver.advance(to: pausedAt)
  let remaining = driver.machine.remaining(at: pausedAt)
  let bells = driver.machine.upcomingBells(10)
  driver.command(.pause, at: pausedAt)
  driver.command(.resume, at: pausedAt + length)
  #expect(driver.machine.remaining(at: pausedAt + length) == remaining)
  let shifted = bells.map { Bell(role: $0.role, ordinal: $0.ordinal, due: $0.due + length) }
  #expect(driver.machine.upcomingBells(10) == shifted)
}

@Test(arguments: UInt64(1)...200)
func bells_ofAnySit_beginAtLeastOneTickApart(seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let length = Span(nanoseconds: 60_000_000_000 + Int64(generator.below(3_600_000_000_000)))
  let every = Span(nanoseconds: 1_000_000_000 + Int64(generator.below(600_000_000_000)))
  var driver = MachineDriver()
  driver.start(
    SitPlan(preparation: .seconds(3), length: length, intervals: IntervalPlan(every: every)),
    at: at(0))
  driver.advance(to: at(10) + length)
  #expect(driver.bells.first?.role == .start && driver.bells.last?.role == .end)
  for (bell, next) in zip(driver.bells, driver.bells.dropFirst()) {
    #expect(next.due - bell.due >= .seconds(1))
  }
}

@Test(arguments: UInt64(1)...200)
func trace_ofAnyLife_isTheSameInEveryBatching(seed: UInt64) {
  let prompt = life(seed: seed, batching: .prompt)
  #expect(life(seed: seed, batching: .onlyAtCommands) == prompt)
  #expect(life(seed: seed, batching: .early) == prompt)
}

@Test(arguments: UInt64(1)...200)
func finishedSit_ofAnyLife_accountsForEveryNanosecond(seed: UInt64) {
  for output in life(seed: seed, batching: .onlyAtCommands) {
    guard case .closed(let sit) = output.news else { continue }
    let held = sit.interruptions.reduce(Span.zero) { $0 + ($1.to - $1.from) }
    #expect(sit.ended - sit.begun == sit.credited + sit.unconfirmed + held)
    #expect(sit.overtime == .zero || sit.credited == (sit.planned ?? .zero) + sit.overtime)
  }
}

private enum Batching { case prompt, onlyAtCommands, early }

/// Plays a random life of commands. Only the calls of `advance` differ between batchings: at every
/// deadline, at the next command only, or also at instants where nothing is due.
private func life(seed: UInt64, batching: Batching) -> [TimerOutput] {
  var generator = SeededGenerator(seed: seed)
  var idleCalls = SeededGenerator(seed: ~seed)
  var driver = MachineDriver(ticks: seed % 2 == 0)
  var instant = at(1)
  for _ in 0..<30 {
    let next = instant + Span(nanoseconds: Int64(generator.below(400_000_000_000)))
    switch batching {
    case .onlyAtCommands: break
    case .prompt:
      while let due = driver.machine.nextDeadline, due <= next { driver.advance(to: due) }
    case .early:
      while instant < next {
        driver.advance(to: instant)
        instant += Span(nanoseconds: 1 + Int64(idleCalls.below(20_000_000_000)))
      }
    }
    instant = next
    let events: [TimerEvent] = [.start, .start, .pause, .resume, .stop, .discard, .skip, .accept]
    let event = events[Int(generator.below(8))]
    if event == .start {
      let plan = SitPlan(
        preparation: .seconds(Int64(generator.below(20))),
        length: generator.below(4) == 0 ? nil : .seconds(Int64(60 + generator.below(900))),
        intervals: IntervalPlan(
          every: generator.below(2) == 0 ? nil : .seconds(Int64(1 + generator.below(300)))),
        overtime: generator.below(2) == 0)
      driver.start(plan, at: instant)
    } else {
      driver.command(event, at: instant)
    }
  }
  driver.advance(to: instant + .hours(5))
  return driver.trace
}
