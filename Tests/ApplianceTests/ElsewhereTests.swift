import Controls
import Testing
import Ticks
import TimerMachine

@testable import Appliance

private let reason = "a sit runs on kitchen since 07:00"

private func heldOff() -> Bench {
  var bench = Bench { $0.plan.preparation = .zero }
  bench.handle(.elsewhere(reason: reason), at: at(1))
  return bench
}

@Test func start_whileASitRunsElsewhere_isRefusedFromEveryFront() {
  for button in [Button.crown, .play, .select] {
    var bench = heldOff()
    bench.press(button, at: at(5))
    bench.advance(to: at(8))
    #expect(bench.effects == ["refused start: \(reason)"], "\(button.name)")
    #expect(bench.cueText == "no no", "\(button.name)")
    #expect(bench.isEachCueWithinATwelfthOfASecond)
    bench.press(button, at: at(10))
    bench.advance(to: at(12))
    #expect(bench.effects.suffix(2) == ["preparing>running", "begun"], "\(button.name)")
  }
}

@Test(arguments: [
  (Span.seconds(10) - nanosecond, true), (.seconds(10), false), (.seconds(10) + nanosecond, false),
])
func secondStart_withinTenSeconds_goesAhead(after: Span, begins: Bool) {
  var bench = heldOff()
  bench.start(at: at(5))
  #expect(bench.effects == ["refused start: \(reason)"])
  bench.start(at: at(5) + after)
  #expect(bench.effects.contains("begun") == begins)
  // One that comes too late asks anew.
  bench.start(at: at(5) + after + .seconds(1))
  #expect(bench.effects.contains("begun"))
}

@Test func start_anyway_goesAheadAtOnce() {
  var bench = heldOff()
  bench.handle(.command(.start(.set, anyway: true)), at: at(5))
  #expect(bench.effects == ["idle>preparing", "preparing>running", "begun"])
}

@Test func start_onceTheOtherSitIsOver_goesAhead() {
  var bench = heldOff()
  bench.start(at: at(5))
  bench.handle(.elsewhere(reason: nil), at: at(6))
  bench.start(at: at(60))
  #expect(bench.effects.contains("begun"))
}

@Test func override_holdsForOneSit() {
  var bench = heldOff()
  bench.start(at: at(5))
  bench.start(at: at(6))
  bench.command(.discard, at: at(7))
  bench.start(at: at(8))
  #expect(bench.effects.last == "refused start: \(reason)")
}

@Test func sitThatIsOn_goesOnWhateverRunsElsewhere() {
  var bench = Bench { $0.plan.preparation = .zero }
  bench.start(at: at(1))
  bench.handle(.elsewhere(reason: reason), at: at(2))
  bench.command(.pause, at: at(3))
  bench.command(.resume, at: at(4))
  bench.start(at: at(5))
  #expect(bench.effects.last == "refused start: a sit is already running")
  bench.advance(to: at(1_300))
  #expect(bench.closed.count == 1)
}
