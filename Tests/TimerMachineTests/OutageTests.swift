// What becomes of a sit whose program or power was away, and of its credit.
import Testing
import Ticks
import TimerMachine

private func running(_ plan: SitPlan, at instant: Instant) -> MachineDriver {
  var driver = MachineDriver()
  driver.start(plan, at: at(0))
  driver.advance(to: instant)
  driver.trace = []
  return driver
}

private let twentyMinutes = SitPlan(
  preparation: .zero, length: .minutes(20), intervals: IntervalPlan(every: .minutes(5)))

private func outage(_ from: Int64, _ to: Int64) -> Interruption {
  Interruption(from: at(from), to: at(to), kind: .outage)
}

@Test func outage_ofKnownLength_leavesTheDeadlinesAndIsNotCredited() {
  var driver = running(twentyMinutes, at: at(280))
  let sit = driver.machine.snapshot!.afterOutage(from: at(280), to: at(400))
  #expect(sit.uncredited == .minutes(2) && sit.origin == at(0))
  driver.restore(sit, at: at(400))
  driver.advance(to: at(1200))
  let instants: [Int64] = [600, 900, 1200]
  #expect(driver.bells.map(\.due) == instants.map { at($0) })
  #expect(
    driver.closed == [
      FinishedSit(
        begun: at(0), ended: at(1200), planned: .minutes(20), credited: .minutes(18),
        completed: true, interruptions: [outage(280, 400)])
    ])
}

@Test func outage_ofUnknownLength_movesTheDeadlinesAndCreditsNothingAfter() {
  var driver = running(twentyMinutes, at: at(280))
  let sit = driver.machine.snapshot!.resumed(from: at(280), to: at(400))
  driver.restore(sit, at: at(400))
  #expect(driver.machine.remaining(at: at(400)) == .seconds(920))
  driver.advance(to: at(1320))
  let instants: [Int64] = [420, 720, 1020, 1320]
  #expect(driver.bells.map(\.due) == instants.map { at($0) })
  let closed = driver.closed[0]
  #expect(
    closed
      == FinishedSit(
        begun: at(0), ended: at(1320), planned: .minutes(20), credited: .seconds(280),
        unconfirmed: .seconds(920), doubtful: .seconds(920), completed: false, reachedEnd: true,
        interruptions: [outage(280, 400)]))
  #expect(
    closed.confirmed
      == FinishedSit(
        begun: at(0), ended: at(1320), planned: .minutes(20), credited: .minutes(20),
        completed: true, interruptions: [outage(280, 400)]))
}

@Test func outage_ofUnknownLength_isCreditedByAPressDuringTheSit() {
  for press in [TimerEvent.start, .pause, .skip] {
    var driver = running(twentyMinutes, at: at(280))
    driver.restore(driver.machine.snapshot!.resumed(from: at(280), to: at(280)), at: at(280))
    #expect(driver.machine.snapshot?.doubtfulFrom == .seconds(280))
    if press == .start { driver.confirm(at: at(1000)) } else { driver.command(press, at: at(1000)) }
    #expect(driver.machine.snapshot?.doubtfulFrom == nil)
    if press == .pause { driver.command(.resume, at: at(1001)) }
    driver.advance(to: at(1300))
    #expect(driver.closed.first?.credited == .minutes(20))
    #expect(driver.closed.first?.completed == true)
  }
}

@Test func outage_inDoubt_isStoppedByAHandAndCredited() {
  var driver = running(twentyMinutes, at: at(280))
  driver.restore(driver.machine.snapshot!.resumed(from: at(280), to: at(280)), at: at(280))
  driver.command(.stop, at: at(600))
  #expect(driver.closed.first?.credited == .seconds(600))
  #expect(driver.closed.first?.completed == false)
}

@Test func outages_oneUnknownThenOneKnown_creditOnlyWhatWasBeforeBoth() {
  var driver = running(twentyMinutes, at: at(280))
  driver.restore(driver.machine.snapshot!.resumed(from: at(280), to: at(280)), at: at(280))
  driver.advance(to: at(500))
  let again = driver.machine.snapshot!.afterOutage(from: at(500), to: at(560))
  driver.restore(again, at: at(560))
  var pressed = driver
  driver.advance(to: at(1200))
  #expect(driver.closed.first?.credited == .seconds(280))
  #expect(driver.closed.first?.unconfirmed == .seconds(860))
  pressed.confirm(at: at(900))
  pressed.advance(to: at(1200))
  #expect(pressed.closed.first?.credited == .seconds(1140))
  #expect(pressed.closed.first?.unconfirmed == .zero)
}

@Test func held_afterAnOutage_waitsForAPressAndGoesOnFromThere() {
  var driver = running(twentyMinutes, at: at(280))
  let sit = driver.machine.snapshot!.held(from: at(280), to: at(2000))!
  driver.restore(sit, at: at(2000))
  #expect(driver.machine.phase == .paused)
  #expect(driver.machine.remaining(at: at(2100)) == .seconds(920))
  driver.command(.resume, at: at(2100))
  driver.advance(to: at(3020))
  #expect(driver.bells.map(\.due) == [at(2120), at(2420), at(2720), at(3020)])
  #expect(driver.closed.first?.credited == .minutes(20))
  #expect(driver.closed.first?.completed == true)
  let waited = Interruption(from: at(2000), to: at(2100), kind: .pause)
  #expect(driver.closed.first?.interruptions == [outage(280, 2000), waited])
}

@Test func held_withNoPress_isClosedAfterAnHourOfWaitingAtTheLastKnownInstant() {
  var driver = running(twentyMinutes, at: at(280))
  driver.restore(driver.machine.snapshot!.held(from: at(280), to: at(2000))!, at: at(2000))
  driver.advance(to: at(5600) - nanosecond)
  #expect(driver.machine.phase == .paused)
  #expect(driver.bells == [Bell(role: .cue, ordinal: 0, due: at(2600))])
  driver.advance(to: at(5600))
  #expect(
    driver.closed == [
      FinishedSit(
        begun: at(0), ended: at(280), planned: .minutes(20), credited: .seconds(280),
        completed: false)
    ])
}

@Test func held_openEnded_isClosedWithWhatIsKnown() {
  var driver = running(SitPlan(preparation: .zero, length: nil), at: at(280))
  driver.restore(driver.machine.snapshot!.held(from: at(280), to: at(2000))!, at: at(2000))
  driver.advance(to: at(5600))
  #expect(driver.closed.first?.credited == .seconds(280))
  #expect(driver.closed.first?.unconfirmed == .zero)
}

@Test func outages_ofAPause_leaveItPausedAsItWas() {
  var driver = running(twentyMinutes, at: at(280))
  driver.command(.pause, at: at(280))
  let paused = driver.machine.snapshot!
  #expect(paused.afterOutage(from: at(300), to: at(400)) == paused)
  #expect(paused.resumed(from: at(300), to: at(400)) == paused)
  #expect(paused.held(from: at(300), to: at(400)) == paused)
  driver.restore(paused, at: at(400))
  #expect(driver.machine.phase == .paused)
  driver.command(.resume, at: at(480))
  driver.advance(to: at(1400))
  #expect(driver.closed.first?.credited == .minutes(20))
  #expect(driver.closed.first?.interruptions.count == 1)
}

@Test func outages_ofAPreparation_leaveItsStrikeOrMoveIt() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .minutes(5), length: .minutes(20)), at: at(0))
  let sit = driver.machine.snapshot!
  #expect(sit.afterOutage(from: at(10), to: at(20)) == sit)
  #expect(sit.held(from: at(10), to: at(20)) == nil)
  #expect(sit.closed(at: at(10)) == nil)
  driver.restore(sit.resumed(from: at(10), to: at(70)), at: at(70))
  driver.advance(to: at(360))
  #expect(driver.bells == [Bell(role: .start, ordinal: 0, due: at(360))])
  #expect(driver.machine.snapshot?.doubtfulFrom == nil)
}

@Test func outages_ofASitUntilAnInstant_moveItsEndOnlyWhereTheLengthIsUnknown() {
  let plan = SitPlan(preparation: .zero, length: nil, end: at(1200))
  let driver = running(plan, at: at(300))
  let sit = driver.machine.snapshot!
  #expect(sit.afterOutage(from: at(300), to: at(400)).deadline == at(1200))
  #expect(sit.resumed(from: at(300), to: at(400)).deadline == at(1300))
  #expect(sit.held(from: at(300), to: at(400))?.deadline == at(1200))
  var restored = MachineDriver()
  restored.restore(sit.resumed(from: at(300), to: at(400)), at: at(400))
  restored.replan(end: at(1250), at: at(500))
  restored.advance(to: at(1250))
  #expect(restored.closed.first?.credited == .seconds(300))
  #expect(restored.closed.first?.confirmed.credited == .seconds(1150))
}

@Test func outage_inOvertime_isNeitherPlannedNorExtra() {
  var plan = twentyMinutes
  plan.overtime = true
  var driver = running(plan, at: at(1300))
  driver.restore(driver.machine.snapshot!.afterOutage(from: at(1300), to: at(1400)), at: at(1400))
  var left = driver
  driver.command(.stop, at: at(1500))
  #expect(driver.closed.first?.credited == .seconds(1400))
  #expect(driver.closed.first?.overtime == .seconds(200))
  #expect(driver.closed.first?.completed == true)
  left.confirm(at: at(1450))
  left.advance(to: at(4800))
  #expect(left.closed.first?.credited == .seconds(1350))
  #expect(left.closed.first?.overtime == .seconds(150))
  #expect(left.closed.first?.unconfirmed == .seconds(3350))
}

@Test func outage_ofUnknownLengthInOvertime_leavesTheSitComplete() {
  var plan = twentyMinutes
  plan.overtime = true
  var driver = running(plan, at: at(1300))
  let sit = driver.machine.snapshot!
  #expect(sit.held(from: at(1300), to: at(1400)) == nil)
  driver.restore(sit.resumed(from: at(1300), to: at(1400)), at: at(1400))
  driver.advance(to: at(4900) - nanosecond)
  #expect(driver.machine.phase == .overtime)
  driver.advance(to: at(4900))
  let closed = driver.closed[0]
  #expect(closed.credited == .minutes(20) && closed.completed)
  #expect(closed.unconfirmed == .minutes(60) && closed.doubtful == .zero)
}

@Test func closed_atTheLastKnownInstant_keepsWhatIsKnown() {
  let driver = running(twentyMinutes, at: at(300))
  let sit = driver.machine.snapshot!
  let kept = FinishedSit(
    begun: at(0), ended: at(290), planned: .minutes(20), credited: .seconds(290), completed: false)
  #expect(sit.closed(at: at(290)) == kept)
  #expect(sit.closed(at: at(60) - nanosecond) == nil)
  #expect(sit.closed(at: at(60))?.credited == .seconds(60))
  #expect(sit.closed(at: at(9000))?.ended == at(1200))
  #expect(sit.closed(at: at(9000))?.completed == false)
}

@Test func closed_inDoubt_keepsWhatWasBefore() {
  let sit = running(twentyMinutes, at: at(300)).machine.snapshot!
    .resumed(from: at(300), to: at(300))
  #expect(sit.closed(at: at(500))?.credited == .seconds(300))
  #expect(sit.closed(at: at(500))?.doubtful == .seconds(200))
  #expect(sit.closed(at: at(300))?.ended == at(300))
}

@Test func closed_rightAfterAnOutage_endsBeforeIt() {
  let sit = running(twentyMinutes, at: at(300)).machine.snapshot!
    .afterOutage(from: at(300), to: at(400))
  let kept = FinishedSit(
    begun: at(0), ended: at(300), planned: .minutes(20), credited: .seconds(300), completed: false)
  #expect(sit.closed(at: at(400)) == kept)
}

@Test func closed_inAPause_endsWhereThePauseBegan() {
  var driver = running(twentyMinutes, at: at(300))
  driver.command(.pause, at: at(300))
  #expect(driver.machine.snapshot?.closed(at: at(500))?.ended == at(300))
}

@Test func closed_inOvertime_isCompleteWithTheRestUnconfirmed() {
  var plan = twentyMinutes
  plan.overtime = true
  var driver = running(plan, at: at(1300))
  #expect(driver.machine.snapshot?.closed(at: at(1300))?.unconfirmed == .seconds(100))
  #expect(driver.machine.snapshot?.closed(at: at(1300))?.completed == true)
  driver.confirm(at: at(1360))
  #expect(driver.machine.snapshot?.closed(at: at(1400))?.overtime == .seconds(160))
}

@Test func closed_openEnded_isCreditedAsFarAsKnownAndNotComplete() {
  let sit = running(SitPlan(preparation: .zero, length: nil), at: at(300)).machine.snapshot!
  #expect(sit.closed(at: at(290))?.credited == .seconds(290))
  #expect(sit.closed(at: at(290))?.completed == false)
}

@Test func minimum_ofASitWithAnOutage_countsWhatWasSat() {
  var driver = running(twentyMinutes, at: at(20))
  driver.restore(driver.machine.snapshot!.afterOutage(from: at(20), to: at(100)), at: at(100))
  var longer = driver
  driver.command(.stop, at: at(140) - nanosecond)
  #expect(driver.closed.isEmpty)
  longer.command(.stop, at: at(140))
  #expect(longer.closed.first?.credited == .seconds(60))
}

@Test func outage_ofKnownLengthInAnOpenEndedSit_isNeitherCreditedNorUnconfirmed() {
  var driver = running(SitPlan(preparation: .zero, length: nil), at: at(600))
  driver.confirm(at: at(600))
  driver.advance(to: at(1000))
  driver.restore(driver.machine.snapshot!.afterOutage(from: at(1000), to: at(1120)), at: at(1120))
  var ended = driver
  ended.command(.stop, at: at(2000))
  #expect(ended.closed.first?.credited == .seconds(1880))
  driver.advance(to: at(10_800))
  #expect(driver.closed.first?.credited == .seconds(600))
  #expect(driver.closed.first?.unconfirmed == .seconds(10_080))
}

@Test func interruptions_beyondTheLimit_areKeptAsOneOfTheirLength() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: .hours(2)), at: at(0))
  let most = Int64(TimerMachine.interruptionsMax)
  for index in 1...most + 1 {
    driver.command(.pause, at: at(2 * index))
    driver.command(.resume, at: at(2 * index + 1))
    guard index == most else { continue }
    #expect(driver.machine.snapshot?.interruptions.first?.from == at(2))
  }
  let sit = driver.machine.snapshot!
  #expect(sit.interruptions.count == TimerMachine.interruptionsMax)
  // Two pauses of a second, which ended at 5 s.
  #expect(sit.interruptions.first == Interruption(from: at(3), to: at(5)))
  #expect(sit.interruptions.last == Interruption(from: at(2002), to: at(2003)))
  #expect(driver.machine.elapsed(at: at(2003)) == .seconds(1002))
  // Those of another kind are not mixed in, and the newest is as it was.
  let away = sit.afterOutage(from: at(3000), to: at(3001))
  #expect(away.interruptions.count == TimerMachine.interruptionsMax)
  #expect(away.interruptions.first == Interruption(from: at(4), to: at(7)))
  #expect(away.interruptions.last == outage(3000, 3001))
  #expect(away.closed(at: at(3001))?.ended == at(3000))
  driver.advance(to: at(20_000))
  #expect(driver.closed.first?.credited == .hours(2))
  #expect(driver.closed.first.map(isWhole) == true)
}

private func isWhole(_ sit: FinishedSit) -> Bool {
  let away = sit.interruptions.reduce(Span.zero) { $0 + ($1.to - $1.from) }
  return sit.ended - sit.begun == sit.credited + sit.unconfirmed + away
}

@Test func interruptions_ofAlternatingKindsBeyondTheLimit_leaveTheSumsRight() {
  var sit = TimerSnapshot(
    plan: SitPlan(preparation: .zero, length: .hours(9)), phase: .running, begun: at(0))
  for index in 1...2_500 as ClosedRange<Int64> {
    sit = sit.afterOutage(from: at(8 * index), to: at(8 * index + 3))
    var driver = MachineDriver()
    driver.restore(sit, at: at(8 * index + 4))
    driver.command(.pause, at: at(8 * index + 5))
    driver.command(.resume, at: at(8 * index + 6))
    sit = driver.machine.snapshot!
  }
  #expect(sit.interruptions.count == TimerMachine.interruptionsMax)
  let rises = zip(sit.interruptions, sit.interruptions.dropFirst()).allSatisfy { $0.to <= $1.from }
  #expect(rises && sit.interruptions.allSatisfy { $0.from <= $0.to })
  let closed = sit.closed(at: at(20_100))
  #expect(closed.map(isWhole) == true)
  let sat = Span.seconds(20_100 - 2_500 * 4)
  #expect(closed?.credited == sat)
}

// MARK: - A sit that no hand began

private func unattended(_ plan: SitPlan) -> MachineDriver {
  var driver = MachineDriver()
  driver.machine.start(plan, at: at(0), isUnattended: true)
  driver.advance(to: at(0))
  return driver
}

@Test func unattended_andLeftAlone_isCreditedWithNothing() {
  var driver = unattended(SitPlan(preparation: .seconds(10), length: .minutes(20)))
  driver.advance(to: at(1210))
  let sit = FinishedSit(
    begun: at(10), ended: at(1210), planned: .minutes(20), credited: .zero,
    unconfirmed: .minutes(20), doubtful: .minutes(20), completed: false, reachedEnd: true)
  #expect(driver.closed == [sit])
  #expect(sit.confirmed.credited == .minutes(20) && sit.confirmed.completed)
}

@Test func unattended_andHeardOfOnce_isCreditedWhole() {
  for instant in [5, 10, 600, 1209] as [Int64] {
    var driver = unattended(SitPlan(preparation: .seconds(10), length: .minutes(20)))
    driver.confirm(at: at(instant))
    driver.advance(to: at(1210))
    #expect(driver.closed.first?.credited == .minutes(20), "\(instant)")
    #expect(driver.closed.first?.completed == true && driver.closed.first?.doubtful == .zero)
  }
  var stopped = unattended(SitPlan(preparation: .zero, length: .minutes(20)))
  stopped.command(.stop, at: at(300))
  #expect(stopped.closed.first?.credited == .minutes(5))
}

@Test func unattended_openOrInOvertime_isCreditedWithNothing() {
  var open = unattended(SitPlan(preparation: .zero, length: nil))
  open.advance(to: at(10_800))
  #expect(open.closed.first?.credited == .zero && open.closed.first?.doubtful == .zero)
  var overtime = unattended(SitPlan(preparation: .zero, length: .minutes(20), overtime: true))
  overtime.advance(to: at(1200 + 3600))
  #expect(overtime.closed.first?.credited == .zero && overtime.closed.first?.overtime == .zero)
  #expect(overtime.closed.first?.doubtful == .minutes(20))
  #expect(overtime.closed.first.map(isWhole) == true)
}

@Test func unattended_beforeAnOutage_isInDoubtAfterItToo() {
  let driver = unattended(SitPlan(preparation: .zero, length: .minutes(20)))
  for sit in [
    driver.machine.snapshot!.afterOutage(from: at(0), to: at(60)),
    driver.machine.snapshot!.resumed(from: at(0), to: at(60)),
  ] {
    #expect(sit.doubtfulFrom == .zero)
    #expect(sit.closed(at: at(600))?.credited == .zero)
  }
}
