// The machine sleeps under a sit.
import Testing
import Ticks
import TimerMachine

@Test func sleep_inAFixedSit_countsAndMovesNothing() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: .minutes(10)), at: at(0))
  driver.sleep(from: at(60), to: at(540))
  #expect(driver.machine.remaining(at: at(540)) == .minutes(1))
  driver.advance(to: at(600))
  #expect(driver.closed.map(\.credited) == [.minutes(10)])
  #expect(driver.closed.first?.interruptions == [])
}

@Test func sleep_pastTheEndOfAFixedSit_endsItAtItsInstant() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: .minutes(10)), at: at(0))
  driver.sleep(from: at(60), to: at(7000))
  #expect(driver.closed.map(\.ended) == [at(600)])
  #expect(driver.bells.last == Bell(role: .end, ordinal: 0, due: at(600)))
}

@Test func sleep_inAnOpenEndedSit_closesItThere() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: nil), at: at(0))
  driver.sleep(from: at(1500), to: at(33_900))
  #expect(
    driver.closed == [
      FinishedSit(
        begun: at(0), ended: at(1500), planned: nil, credited: .minutes(25), completed: false)
    ])
  #expect(driver.bells.map(\.role) == [.start])
}

@Test func sleep_inOvertime_closesItWithTheRestUnconfirmed() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: .minutes(10), overtime: true), at: at(0))
  driver.confirm(at: at(700))
  driver.sleep(from: at(900), to: at(9000))
  let sit = driver.closed[0]
  #expect(sit.ended == at(900) && sit.completed)
  #expect(sit.credited == .seconds(700) && sit.overtime == .seconds(100))
  #expect(sit.unconfirmed == .seconds(200))
}

@Test func sleep_overThePlannedEndWithOvertime_closesOnlyWhatFellAsleepInIt() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: .minutes(10), overtime: true), at: at(0))
  driver.sleep(from: at(500), to: at(700))
  #expect(driver.machine.phase == .overtime)
  driver.command(.stop, at: at(710))
  #expect(driver.closed.first?.overtime == .seconds(110))
}

@Test func sleep_inAPause_countsTowardsItsLimits() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: nil), at: at(0))
  driver.command(.pause, at: at(100))
  driver.sleep(from: at(200), to: at(600))
  #expect(driver.machine.phase == .paused)
  driver.advance(to: at(700))
  #expect(driver.bells.last == Bell(role: .cue, ordinal: 0, due: at(700)))
  driver.sleep(from: at(800), to: at(9000))
  #expect(driver.closed.map(\.ended) == [at(100)])
}

@Test(arguments: [Phase.idle, .preparing, .ended])
func sleep_outsideASit_changesNothing(phase: Phase) {
  var driver = MachineDriver()
  let instant = driver.reach(phase)
  driver.trace = []
  driver.sleep(from: instant, to: instant + .seconds(1))
  #expect(driver.machine.phase == phase)
  #expect(driver.trace.isEmpty)
}
