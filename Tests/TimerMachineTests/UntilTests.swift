// Sits until an instant: "end at 07:00".
import Testing
import Ticks
import TimerMachine

private func until(_ seconds: Int64, overtime: Bool = false) -> SitPlan {
  SitPlan(preparation: .seconds(10), length: nil, end: at(seconds), overtime: overtime)
}

@Test func until_itsInstant_isTheEndWheneverItBegan() {
  var driver = MachineDriver()
  driver.start(until(1810), at: at(0))
  #expect(driver.machine.plannedEnd == at(1810))
  #expect(driver.machine.plan?.length == .minutes(30))
  #expect(driver.machine.plannedLength == .minutes(30))
  driver.command(.skip, at: at(4))
  #expect(driver.machine.plan?.length == .seconds(1806))
  driver.advance(to: at(1810) - nanosecond)
  #expect(driver.machine.phase == .running)
  #expect(driver.machine.remaining(at: at(1810) - nanosecond) == nanosecond)
  driver.advance(to: at(1810))
  #expect(driver.bells.map(\.due) == [at(4), at(1810)])
  #expect(
    driver.closed == [
      FinishedSit(
        begun: at(4), ended: at(1810), planned: .seconds(1806), credited: .seconds(1806),
        completed: true)
    ])
}

@Test(arguments: [Int64(-1), 0, 1])
func until_aboutASecondAfterTheStrike_isRefusedBelow(nanoseconds: Int64) {
  var driver = MachineDriver()
  var plan = until(0)
  plan.end = at(16) + Span(nanoseconds: nanoseconds)
  driver.start(plan, at: at(5))
  if nanoseconds < 0 {
    #expect(driver.machine.phase == .idle)
    #expect(driver.machine.plan == nil)
    #expect(driver.trace == [TimerOutput(at: at(5), news: .refused(.start, .noTimeLeft))])
    #expect(Refusal.noTimeLeft.reason.description == "the end comes before the sit could begin")
  } else {
    #expect(driver.machine.phase == .preparing)
  }
}

@Test func until_whileASitRuns_isRefusedForThat() {
  var driver = MachineDriver()
  driver.start(until(1800), at: at(0))
  driver.start(until(3), at: at(5))
  #expect(driver.trace.last?.news == .refused(.start, .alreadyOn))
  #expect(driver.machine.plannedEnd == at(1800))
}

@Test func until_withAPause_endsAtItsInstantAndCreditsWhatWasSat() {
  var driver = MachineDriver()
  driver.start(until(1810), at: at(0))
  driver.command(.pause, at: at(610))
  #expect(driver.machine.remaining(at: at(610)) == .seconds(1200))
  #expect(driver.machine.remaining(at: at(710)) == .seconds(1100))
  #expect(driver.machine.plannedEnd == at(1810))
  driver.command(.resume, at: at(910))
  #expect(driver.machine.remaining(at: at(910)) == .seconds(900))
  #expect(driver.machine.elapsed(at: at(910)) == .seconds(600))
  driver.advance(to: at(1810))
  let sit = driver.closed[0]
  #expect(sit.ended == at(1810) && sit.completed && sit.reachedEnd)
  #expect(sit.planned == .minutes(30) && sit.credited == .minutes(25))
}

@Test func until_itsIntervals_shiftByAPauseAndThoseFromTheEndStay() {
  var plan = until(1810)
  plan.intervals.every = .minutes(9)
  plan.intervals.fromEnd = [.minutes(5)]
  var driver = MachineDriver()
  driver.start(plan, at: at(0))
  driver.command(.pause, at: at(300))
  driver.command(.resume, at: at(890))
  driver.advance(to: at(1810))
  let instants: [Int64] = [10, 1140, 1510, 1680, 1810]
  #expect(driver.bells.map(\.due) == instants.map { at($0) })
}

/// The mark of 1,200 s would ring at 1,810 s less the distance, once the pause has shifted it.
@Test(arguments: [Int64(-1), 0, 1])
func until_anIntervalShiftedCloseToTheEnd_ringsATickBeforeItAtLast(nanoseconds: Int64) {
  var plan = until(1810)
  plan.intervals.at = [.seconds(1200)]
  var driver = MachineDriver()
  driver.start(plan, at: at(0))
  driver.command(.pause, at: at(310))
  driver.command(.resume, at: at(909) - Span(nanoseconds: nanoseconds))
  driver.advance(to: at(1810))
  #expect(driver.bells.filter { $0.role == .interval }.count == (nanoseconds < 0 ? 0 : 1))
  #expect(driver.bells.last == Bell(role: .end, ordinal: 0, due: at(1810)))
}

@Test func until_whoseEndComesInAPause_isClosedAtThePauseWithoutABell() {
  var driver = MachineDriver()
  driver.start(until(1810), at: at(0))
  driver.command(.pause, at: at(1510))
  driver.advance(to: at(1810) - nanosecond)
  #expect(driver.machine.phase == .paused)
  #expect(driver.machine.remaining(at: at(1810) - nanosecond) == nanosecond)
  driver.advance(to: at(1810))
  #expect(driver.machine.phase == .ended)
  #expect(driver.bells.map(\.role) == [.start])
  #expect(
    driver.closed == [
      FinishedSit(
        begun: at(10), ended: at(1510), planned: .minutes(30), credited: .minutes(25),
        completed: false)
    ])
}

@Test func until_aLongPause_givesItsCueAndHasItsLimit() {
  var driver = MachineDriver()
  driver.start(until(36_000), at: at(0))
  driver.command(.pause, at: at(1000))
  driver.advance(to: at(4600) - nanosecond)
  #expect(driver.bells.last == Bell(role: .cue, ordinal: 0, due: at(1600)))
  #expect(driver.machine.phase == .paused)
  driver.advance(to: at(4600))
  #expect(driver.closed.first?.ended == at(1000))
}

@Test func until_withOvertime_goesOnPastItsInstant() {
  var driver = MachineDriver()
  driver.start(until(1810, overtime: true), at: at(0))
  driver.command(.pause, at: at(500))
  driver.command(.resume, at: at(600))
  driver.advance(to: at(1810))
  #expect(driver.machine.phase == .overtime)
  #expect(driver.machine.overtime(at: at(1900)) == .seconds(90))
  driver.command(.stop, at: at(1900))
  let sit = driver.closed[0]
  #expect(sit.overtime == .seconds(90) && sit.credited == .seconds(1790))
}

@Test func replan_laterOrSooner_movesTheEndAlone() {
  var plan = until(1810)
  plan.intervals.fractions = [.init(1, 2)]
  plan.intervals.fromEnd = [.minutes(1)]
  var driver = MachineDriver()
  driver.start(plan, at: at(0))
  driver.replan(end: at(2410), at: at(100))
  #expect(driver.machine.plannedEnd == at(2410))
  #expect(driver.machine.plannedLength == .minutes(40))
  #expect(driver.machine.upcomingBells().map(\.due) == [at(910), at(2350), at(2410)])
  driver.replan(end: at(1210), at: at(200))
  #expect(driver.machine.upcomingBells().map(\.due) == [at(910), at(1150), at(1210)])
  driver.advance(to: at(1210))
  #expect(driver.closed.first?.planned == .minutes(20))
  #expect(driver.closed.first?.completed == true)
}

@Test func replan_toThePast_endsTheSitNowWithItsBell() {
  var driver = MachineDriver()
  driver.start(until(1810), at: at(0))
  driver.replan(end: at(50), at: at(700))
  #expect(driver.machine.phase == .ended)
  #expect(driver.bells.last == Bell(role: .end, ordinal: 0, due: at(700)))
  #expect(
    driver.closed == [
      FinishedSit(
        begun: at(10), ended: at(700), planned: .seconds(690), credited: .seconds(690),
        completed: true)
    ])
}

@Test func replan_toThePastRightAfterABell_leavesThatItsTick() {
  var plan = until(1810)
  plan.intervals.at = [.seconds(300)]
  var driver = MachineDriver()
  driver.start(plan, at: at(0))
  driver.replan(end: at(0), at: at(ms: 310_400))
  #expect(driver.machine.phase == .running)
  driver.advance(to: at(311))
  #expect(driver.bells.map(\.due) == [at(10), at(310), at(311)])
}

@Test func replan_toThePastWhilePaused_closesTheSitAtThePause() {
  var driver = MachineDriver()
  driver.start(until(1810), at: at(0))
  driver.command(.pause, at: at(400))
  driver.replan(end: at(200), at: at(500))
  #expect(driver.machine.phase == .ended)
  #expect(driver.closed.first?.ended == at(400))
  #expect(driver.closed.first?.completed == false)
}

@Test(arguments: [Int64(-1), 0, 1])
func replan_whilePreparing_forgetsWhatCouldNotBegin(nanoseconds: Int64) {
  var driver = MachineDriver()
  driver.start(until(1810), at: at(0))
  driver.replan(end: at(11) + Span(nanoseconds: nanoseconds), at: at(5))
  #expect(driver.machine.phase == (nanoseconds < 0 ? .idle : .preparing))
  driver.advance(to: at(100))
  #expect(driver.bells.map(\.role) == (nanoseconds < 0 ? [] : [.start, .end]))
}

@Test func replan_ofAnotherSitOrPastTheBell_changesNothing() {
  var driver = MachineDriver()
  driver.replan(end: at(9), at: at(1))
  driver.start(SitPlan(preparation: .zero, length: .minutes(20)), at: at(2))
  driver.replan(end: at(9), at: at(3))
  #expect(driver.machine.plannedEnd == at(1202))
  driver.command(.discard, at: at(4))
  driver.start(until(1000, overtime: true), at: at(5))
  driver.replan(end: at(5000), at: at(1010))
  #expect(driver.machine.phase == .overtime)
  #expect(driver.machine.plannedEnd == at(1000))
}

@Test func until_withSegments_isOneStretch() {
  var plan = until(1810)
  plan.segments = [Segment(kind: "walk", length: .minutes(5))]
  var driver = MachineDriver()
  driver.start(plan, at: at(0))
  #expect(driver.machine.segment(at: at(0)) == nil)
  driver.advance(to: at(1810))
  #expect(driver.bells.map(\.role) == [.start, .end])
}
