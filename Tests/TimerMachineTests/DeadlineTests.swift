import Testing
import Ticks
import TimerMachine

@Test func preparation_startStrike_comesExactlyAtItsEnd() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .seconds(10), length: .minutes(1)), at: at(3))
  driver.advance(to: at(13) - nanosecond)
  #expect(driver.machine.phase == .preparing)
  driver.advance(to: at(13))
  #expect(driver.machine.phase == .running)
  #expect(driver.bells == [Bell(role: .start, ordinal: 0, due: at(13))])
}

@Test func preparation_ofZero_ringsTheStartBellOnce() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: .minutes(1)), at: at(3))
  #expect(driver.machine.phase == .running)
  #expect(driver.bells == [Bell(role: .start, ordinal: 0, due: at(3))])
}

@Test func preparation_outputNotLedIn_waitsForTheStrike() {
  var driver = MachineDriver()
  driver.start(
    SitPlan(preparation: .zero, length: .minutes(1)), at: at(3), earliestStrike: at(5))
  #expect(driver.machine.phase == .preparing)
  driver.advance(to: at(100))
  #expect(driver.bells.map(\.due) == [at(5), at(65)])
}

@Test func skip_whilePreparing_bringsTheStartForwardAndNeverBack() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .seconds(10), length: .minutes(1)), at: at(0))
  driver.command(.skip, at: at(4), earliestStrike: at(6))
  driver.command(.skip, at: at(5), earliestStrike: at(7))
  driver.advance(to: at(6))
  #expect(driver.bells.map(\.due) == [at(6)])
}

@Test func fixedSit_plannedEnd_closesItCompletedAtItsInstant() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: .minutes(20)), at: at(0))
  driver.advance(to: at(1200) - nanosecond)
  #expect(driver.machine.phase == .running)
  #expect(driver.machine.remaining(at: at(1200) - nanosecond) == nanosecond)
  driver.advance(to: at(1200))
  #expect(driver.machine.phase == .ended)
  #expect(
    driver.closed == [
      FinishedSit(
        begun: at(0), ended: at(1200), planned: .minutes(20), credited: .minutes(20),
        overtime: .zero, unconfirmed: .zero, completed: true, interruptions: [])
    ])
  driver.advance(to: at(1260) - nanosecond)
  #expect(driver.machine.phase == .ended)
  driver.advance(to: at(1260))
  #expect(driver.machine.phase == .idle)
}

@Test func stop_aroundTheMinimum_keepsOnlyWhatLastedIt() {
  for (elapsed, kept) in [
    (.seconds(60) - nanosecond, 0), (.seconds(60), 1), (.seconds(60) + nanosecond, 1),
  ] as [(Span, Int)] {
    var driver = MachineDriver()
    driver.start(SitPlan(preparation: .zero, length: .minutes(20)), at: at(5))
    driver.command(.stop, at: at(5) + elapsed)
    #expect(driver.closed.count == kept)
    #expect(driver.machine.phase == .ended)
    #expect(driver.closed.allSatisfy { !$0.completed && $0.credited == elapsed })
    #expect(driver.trace.contains { $0.news == .discarded } == (kept == 0))
  }
}

@Test func discard_ofARunningSit_keepsNothingAndRingsNothingMore() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: .minutes(20)), at: at(0))
  driver.command(.discard, at: at(600))
  driver.advance(to: at(4000))
  #expect(driver.closed.isEmpty)
  #expect(driver.bells.map(\.role) == [.start])
  #expect(driver.machine.phase == .idle)
}

@Test func overtime_endedByAPress_creditsPlannedAndExtraApart() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: .minutes(20), overtime: true), at: at(0))
  driver.advance(to: at(1200))
  #expect(driver.machine.phase == .overtime)
  driver.command(.stop, at: at(1500))
  #expect(driver.closed.first?.credited == .minutes(25))
  #expect(driver.closed.first?.overtime == .minutes(5))
  #expect(driver.closed.first?.unconfirmed == .zero)
  #expect(driver.closed.first?.completed == true)
}

@Test func overtime_unattended_endsAtItsLimitUncredited() {
  var driver = MachineDriver()
  driver.start(
    SitPlan(
      preparation: .zero, length: .minutes(20), overtime: true, overtimeLimit: .minutes(60)),
    at: at(0))
  driver.advance(to: at(4800) - nanosecond)
  #expect(driver.machine.phase == .overtime)
  driver.advance(to: at(4800))
  #expect(driver.machine.phase == .ended)
  #expect(driver.closed.first?.credited == .minutes(20))
  #expect(driver.closed.first?.overtime == .zero)
  #expect(driver.closed.first?.unconfirmed == .minutes(60))
}

@Test func openSit_endedByAPress_isCompleteAndCreditedWhole() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: nil), at: at(0))
  driver.command(.stop, at: at(700))
  #expect(driver.closed.first?.planned == nil)
  #expect(driver.closed.first?.credited == .seconds(700))
  #expect(driver.closed.first?.completed == true)
}

@Test func openSit_unattended_creditsUpToTheLastPress() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: nil, openLimit: .hours(3)), at: at(0))
  driver.command(.pause, at: at(600))
  driver.command(.resume, at: at(660))
  driver.advance(to: at(10_860) - nanosecond)
  #expect(driver.machine.phase == .running)
  driver.advance(to: at(10_860))
  #expect(driver.machine.phase == .ended)
  #expect(driver.closed.first?.credited == .seconds(600))
  #expect(driver.closed.first?.unconfirmed == .seconds(10_200))
  #expect(driver.closed.first?.completed == false)
}

@Test func pause_ofTenMinutes_givesOneCueAndOfSixtyClosesTheSit() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: .minutes(20)), at: at(0))
  driver.command(.pause, at: at(300))
  driver.advance(to: at(900) - nanosecond)
  #expect(driver.bells.map(\.role) == [.start])
  driver.advance(to: at(900))
  #expect(driver.bells.last == Bell(role: .cue, ordinal: 0, due: at(900)))
  driver.advance(to: at(3900) - nanosecond)
  #expect(driver.machine.phase == .paused)
  driver.advance(to: at(3900))
  #expect(driver.machine.phase == .ended)
  #expect(driver.bells.count == 2)
  #expect(driver.closed.first?.ended == at(300))
  #expect(driver.closed.first?.credited == .seconds(300))
  #expect(driver.closed.first?.interruptions == [])
}

/// In a sit of 60 s the second interval bell may come at 59 s and no later.
@Test(arguments: [(29_499, 2), (29_500, 2), (29_501, 1), (30_000, 1), (59_000, 1), (59_001, 0)])
func intervals_nearTheEnd_leaveTheLastTickToTheEndBell(everyMilliseconds: Int64, count: Int) {
  var driver = MachineDriver()
  let every = Span.milliseconds(everyMilliseconds)
  driver.start(
    SitPlan(preparation: .zero, length: .seconds(60), intervals: IntervalPlan(every: every)),
    at: at(0))
  driver.advance(to: at(60))
  #expect(driver.bells.filter { $0.role == .interval }.count == count)
  #expect(driver.bells.last == Bell(role: .end, ordinal: 0, due: at(60)))
}

@Test func upcomingBells_whileRunning_areThoseThatRing() {
  var driver = MachineDriver()
  driver.start(
    SitPlan(
      preparation: .seconds(10), length: .minutes(20), intervals: IntervalPlan(every: .minutes(5))),
    at: at(0))
  #expect(
    driver.machine.upcomingBells() == [
      Bell(role: .start, ordinal: 0, due: at(10)), Bell(role: .interval, ordinal: 1, due: at(310)),
      Bell(role: .interval, ordinal: 2, due: at(610)), Bell(role: .end, ordinal: 0, due: at(1210)),
    ])
  driver.command(.pause, at: at(400))
  #expect(driver.machine.upcomingBells() == [])
  driver.command(.resume, at: at(500))
  #expect(
    driver.machine.upcomingBells() == [
      Bell(role: .interval, ordinal: 2, due: at(710)),
      Bell(role: .interval, ordinal: 3, due: at(1010)), Bell(role: .end, ordinal: 0, due: at(1310)),
    ])
}

@Test func ticks_turnedOnInMidSit_comeOnWholeSecondsFromThere() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: .seconds(65)), at: at(ms: 250))
  driver.advance(to: at(ms: 62_000))
  driver.machine.ticksWanted = true
  driver.advance(to: at(100))
  let ticks = driver.trace.filter { if case .tick = $0.news { true } else { false } }
  #expect(
    ticks
      == (0..<4).map { TimerOutput(at: at(ms: 62_250 + 1000 * $0), news: .tick(remaining: 3 - $0)) }
  )
}

@Test func ticks_whilePreparing_countDownAndLeaveTheBellItsInstant() {
  var driver = MachineDriver(ticks: true)
  driver.start(SitPlan(preparation: .milliseconds(2_500), length: .minutes(1)), at: at(0))
  driver.advance(to: at(ms: 2_500))
  let ticks = driver.trace.compactMap { output -> Int64? in
    if case .tick(let remaining) = output.news { remaining } else { nil }
  }
  #expect(ticks == [2, 1])
}
