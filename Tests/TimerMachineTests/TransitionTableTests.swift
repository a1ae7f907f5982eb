import Testing
import Ticks
import TimerMachine

@Test(arguments: Phase.allCases, TimerEvent.allCases.filter(\.isCommand))
func machine_everyCommandInEveryPhase_doesWhatTheTableSays(phase: Phase, event: TimerEvent) {
  var driver = MachineDriver()
  let instant = driver.reach(phase)
  #expect(driver.machine.phase == phase)
  let before = driver.machine.elapsed(at: instant)
  driver.trace = []
  if event == .start {
    driver.start(SitPlan(length: .minutes(5)), at: instant)
  } else {
    driver.command(event, at: instant, earliestStrike: instant + .seconds(1))
  }
  switch TransitionTable.outcome(of: event, in: phase) {
  case .to(let next, _):
    #expect(driver.machine.phase == next)
  case .refused(let refusal):
    #expect(driver.machine.phase == phase)
    #expect(driver.machine.elapsed(at: instant) == before)
    #expect(driver.trace == [TimerOutput(at: instant, news: .refused(event, refusal))])
  case .never:
    Issue.record("a command can come in every phase")
  }
}

@Test(arguments: Phase.allCases)
func table_deadlines_comeOnlyWhereTheirTimerIsSet(phase: Phase) {
  let expected: [Phase: [TimerEvent]] = [
    .idle: [], .preparing: [.startDue],
    .running: [.endDue, .overtimeDue, .limitDue, .suspended],
    .paused: [.pauseCueDue, .pauseLimitDue], .overtime: [.limitDue, .suspended],
    .ended: [.endedDue],
  ]
  let deadlines = TimerEvent.allCases.filter { !$0.isCommand }
  #expect(
    deadlines.filter { TransitionTable.outcome(of: $0, in: phase) != .never } == expected[phase])
}

@Test func table_manual_hasOneRowAnEventAndOneCellAPhase() {
  let lines = TransitionTable.manual.split(separator: "\n")
  #expect(lines.count == TimerEvent.allCases.count + 2)
  for line in lines {
    #expect(line.filter { $0 == "|" }.count == Phase.allCases.count + 2)
  }
  #expect(lines[0] == "| event | idle | preparing | running | paused | overtime | ended |")
}
