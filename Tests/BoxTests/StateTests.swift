import Appliance
import Box
import Testing
import Ticks
import TimerMachine

private func state(_ bench: inout BoxBench, at instant: Instant) -> StateLine {
  bench.advance(to: instant)
  return bench.box.state(at: instant)
}

/// The state of an idle box: the remote's focus is on the length that is set.
private let idle: StateLine = {
  var line = StateLine()
  line.panel.focus = "20m"
  return line
}()

@Test func state_ofAFreshBox_isThatOfAnIdleOne() {
  let bench = BoxBench()
  #expect(bench.box.state(at: .zero) == idle)
}

@Test func state_whilePreparing_countsToTheStartBell() {
  var bench = BoxBench()
  bench.start(at: at(0))
  let line = state(&bench, at: at(10) - nanosecond)
  #expect(line.phase == "preparing")
  #expect(line.segment == "sit")
  #expect(line.plannedSeconds == 1_200)
  #expect(line.elapsedSeconds == 0)
  #expect(line.remainingSeconds == 1)
  #expect(line.endsAt == "2026-01-01T06:20:10Z")
}

@Test func state_whileRunning_readsZeroOnlyAtTheEnd() {
  var bench = BoxBench()
  bench.start(at: at(0))
  for (instant, remaining, elapsed) in [
    (at(10), 1_200, 0), (at(10) + nanosecond, 1_200, 0), (at(11) - nanosecond, 1_200, 0),
    (at(11), 1_199, 1), (at(1_209), 1, 1_199), (at(1_210) - nanosecond, 1, 1_199),
  ] as [(Instant, Int64, Int64)] {
    let line = state(&bench, at: instant)
    #expect(line.phase == "running")
    #expect(line.remainingSeconds == remaining)
    #expect(line.elapsedSeconds == elapsed)
  }
  let line = state(&bench, at: at(1_210))
  #expect(line.phase == "ended")
  #expect(line.remainingSeconds == 0)
  #expect(line.elapsedSeconds == 1_200)
  #expect(line.endsAt == nil)
}

@Test func state_whilePaused_standsStillAndNamesNoEnd() {
  var bench = BoxBench()
  bench.start(at: at(0))
  bench.command(.pause, at: at(ms: 110_500))
  for instant in [at(ms: 110_500), at(500)] {
    let line = state(&bench, at: instant)
    #expect(line.phase == "paused")
    #expect(line.remainingSeconds == 1_100)
    #expect(line.elapsedSeconds == 100)
    #expect(line.endsAt == nil)
  }
  bench.command(.resume, at: at(ms: 510_500))
  #expect(state(&bench, at: at(511)).endsAt == "2026-01-01T06:26:50Z")
}

@Test func state_inOvertime_countsPastTheEnd() {
  var bench = BoxBench { $0.plan.overtime = true }
  bench.start(at: at(0))
  let line = state(&bench, at: at(1_215))
  #expect(line.phase == "overtime")
  #expect(line.remainingSeconds == 0)
  #expect(line.elapsedSeconds == 1_205)
  #expect(line.overtimeSeconds == 5)
  #expect(line.endsAt == "2026-01-01T06:20:10Z")
}

@Test func state_ofAnOpenSit_hasNoPlanAndNoEnd() {
  var bench = BoxBench()
  bench.start(.open, at: at(0))
  let line = state(&bench, at: at(70))
  #expect(line.plannedSeconds == nil)
  #expect(line.remainingSeconds == nil)
  #expect(line.elapsedSeconds == 60)
  #expect(line.overtimeSeconds == 0)
  #expect(line.endsAt == nil)
}

@Test func state_afterTheEndedMinute_isIdleAgain() {
  var bench = BoxBench()
  bench.start(at: at(0))
  #expect(state(&bench, at: at(1_270) - nanosecond).phase == "ended")
  var line = idle
  // The bench rings nothing.
  line.degraded = ["The end bell at 06:20:10 was missed."]
  #expect(state(&bench, at: at(1_270)) == line)
}

@Test func state_withAnUnknownClock_namesNoEndAndSaysWhy() {
  var bench = BoxBench(start: 0, isKnown: false)
  bench.start(at: at(0))
  // Before the bell that the bench does not ring is missed.
  let line = state(&bench, at: at(15))
  #expect(line.endsAt == nil)
  #expect(line.degraded == ["The time of day is not known yet. Sits are marked and kept."])
}

@Test func state_volumeAndDegraded_followTheBox() {
  var bench = BoxBench()
  bench.handle(.appliance(.command(.setVolume(35))), at: at(1))
  bench.handle(.outputLost(reason: "No sound card"), at: at(2))
  let line = state(&bench, at: at(3))
  #expect(line.volume == 35)
  #expect(line.degraded == ["No sound card. The timer goes on."])
}
