import Appliance
import Testing
import Ticks
import TimerMachine

@Test func lamp_everyPhase_isWhatTheTableSaysAndOffOnADarkFace() {
  let expected: [Lamp] = [.on, .blinking, .breathing, .blinking, .breathing, .on]
  #expect(Phase.allCases.map { Lamp(in: $0, isDark: false) } == expected)
  #expect(Phase.allCases.allSatisfy { Lamp(in: $0, isDark: true) == .off })
  #expect(
    Phase.allCases.allSatisfy { Lamp(in: $0, isDark: true, isCalled: true) == .blinking })
}

@Test func quiet_isLitWhileSomebodySits() {
  let lit = Phase.allCases.filter { Lamp.isQuietLit(in: $0) }
  #expect(lit == [.preparing, .running, .paused, .overtime])
}

@Test func lamp_thatStands_isNeverSwitched() {
  for (lamp, isLit) in [(Lamp.off, false), (.on, true)] {
    for instant in [at(5), at(9), at(10_000)] {
      #expect(lamp.isLit(at: instant, since: at(5)) == isLit)
      #expect(lamp.nextChange(after: instant, since: at(5)) == nil)
    }
  }
}

@Test func lamp_thatMoves_isSwitchedAtWholeSpansFromTheBeginOfThePhase() {
  for (lamp, span) in [(Lamp.breathing, Span.seconds(4)), (.blinking, .seconds(1))] {
    let began = at(5) + .milliseconds(123)
    for (ordinal, isLit) in [(0, true), (1, false), (2, true), (3, false), (900, true)] {
      let change = began + span * Int64(ordinal)
      #expect(lamp.isLit(at: change, since: began) == isLit)
      #expect(lamp.nextChange(after: change, since: began) == change + span)
      let last = change + span - nanosecond
      #expect(lamp.isLit(at: last, since: began) == isLit)
      #expect(lamp.nextChange(after: last, since: began) == change + span)
    }
  }
}

@Test func lamp_ofAnAppliance_followsPhaseAndBlackout() {
  var bench = Bench()
  #expect(bench.appliance.lamp == .on)
  bench.start(at: at(1))
  #expect(bench.appliance.lamp == .blinking)
  #expect(bench.appliance.phaseBegan == at(1))
  bench.advance(to: at(12))
  #expect(bench.appliance.lamp == .breathing)
  #expect(bench.appliance.phaseBegan == at(11))
  bench.make(.double, at: at(20))
  #expect(bench.appliance.lamp == .off)
  #expect(bench.appliance.phaseBegan == at(11))
}
