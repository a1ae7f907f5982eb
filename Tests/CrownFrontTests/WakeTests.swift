import Controls
import CrownFront
import Testing
import Ticks
import TimerMachine

private let longer: PanelCommand = .changeLength(steps: 1, isFast: false)
private let louder: PanelCommand = .changeVolume(steps: 1, isHeard: true)

@Test func darkFace_everyPhaseAndGesture_actsWithClicksAndWakesWithTheOthers() throws {
  let cells = try productCells()
  for phase in Phase.allCases {
    for gesture in CrownGesture.allCases {
      var panel = CrownPanel()
      let acts = gesture == .click || gesture == .double
      let expected = acts ? cells[Int(phase.rawValue)][Int(gesture.rawValue)] : .wake
      let got = panel.command(for: made(gesture, phase), isDark: true)
      #expect(got == expected, "\(phase) \(gesture)")
    }
  }
}

@Test func darkFace_wakingTurn_isSwallowedUntilTheKnobHasRested() {
  for (rest, expected) in [
    (.milliseconds(200) - nanosecond, nil), (.milliseconds(200), longer),
    (.milliseconds(200) + nanosecond, longer),
  ] as [(Span, PanelCommand?)] {
    var panel = CrownPanel()
    #expect(panel.command(for: detent(1, at: at(ms: 1_000)), isDark: true) == .wake)
    // Each detent that is swallowed puts off the end of the turn.
    #expect(panel.command(for: detent(1, at: at(ms: 1_150)), isDark: false) == nil)
    #expect(panel.command(for: detent(1, at: at(ms: 1_300)), isDark: false) == nil)
    #expect(panel.command(for: detent(1, at: at(ms: 1_300) + rest), isDark: false) == expected)
  }
}

@Test func darkFace_wakingTurnReadLate_isCountedByItsStamps() {
  var panel = CrownPanel()
  let late = at(ms: 5_000)
  func read(_ stamp: Instant) -> Input {
    Input(
      .detent(step: 1, isFast: false, isHeld: false), button: .crown, at: stamp, decidedAt: late,
      phaseAtPress: .idle)
  }
  #expect(panel.command(for: read(at(ms: 1_000)), isDark: true) == .wake)
  #expect(panel.command(for: read(at(ms: 1_100)), isDark: false) == nil)
  #expect(panel.command(for: read(at(ms: 1_300)), isDark: false) == longer)
}

@Test func darkFace_wakingPressAndTurn_isSwallowedUntilTheSwitchIsLetGo() {
  var panel = CrownPanel()
  #expect(panel.command(for: input(.press, .idle, at: at(ms: 900)), isDark: true) == nil)
  #expect(panel.command(for: detent(1, isHeld: true, at: at(ms: 1_000)), isDark: true) == .wake)
  // However long the knob rests, the switch is held in the same gesture.
  #expect(panel.command(for: detent(1, isHeld: true, at: at(ms: 4_000)), isDark: false) == nil)
  #expect(panel.command(for: input(.release, .idle, at: at(ms: 4_100)), isDark: false) == nil)
  #expect(panel.command(for: input(.press, .idle, at: at(ms: 5_000)), isDark: false) == nil)
  #expect(panel.command(for: detent(1, isHeld: true, at: at(ms: 5_100)), isDark: false) == louder)
}

@Test func darkFace_turnAfterAWakingPressAndTurn_actsOnceTheKnobHasRested() {
  for (stamp, expected) in [
    (at(ms: 1_200) - nanosecond, nil), (at(ms: 1_200), longer),
  ] as [(Instant, PanelCommand?)] {
    var panel = CrownPanel()
    #expect(panel.command(for: detent(1, isHeld: true, at: at(ms: 1_000)), isDark: true) == .wake)
    #expect(panel.command(for: input(.release, .idle, at: at(ms: 1_050)), isDark: false) == nil)
    #expect(panel.command(for: detent(1, at: stamp), isDark: false) == expected)
  }
}

@Test func darkFace_clickInAWakingTurn_acts() {
  var panel = CrownPanel()
  #expect(panel.command(for: detent(1, at: at(ms: 1_000)), isDark: true) == .wake)
  #expect(panel.command(for: input(.click, .idle, at: at(ms: 1_100)), isDark: false) == .start)
}

@Test func darkFace_longPressAfterTheWakingOne_acts() {
  var panel = CrownPanel()
  #expect(panel.command(for: input(.long, .running), isDark: true) == .wake)
  #expect(panel.command(for: input(.long, .running), isDark: false) == .end)
}
