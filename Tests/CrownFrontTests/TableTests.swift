import Controls
import CrownFront
import Testing
import TimerMachine

@Test func crownPanel_everyPhaseAndGesture_asksWhatTheTableSays() throws {
  let cells = try productCells()
  for phase in Phase.allCases {
    for gesture in CrownGesture.allCases {
      var panel = CrownPanel()
      let expected = cells[Int(phase.rawValue)][Int(gesture.rawValue)]
      let got = panel.command(for: made(gesture, phase), isDark: false)
      #expect(got == expected, "\(phase) \(gesture)")
    }
  }
}

@Test func crownPanel_turns_keepTheirStepsAndSpeed() {
  var panel = CrownPanel()
  #expect(
    panel.command(for: detent(-1, isFast: true), isDark: false)
      == .changeLength(steps: -1, isFast: true))
  #expect(
    panel.command(for: detent(-1, isFast: true, .running), isDark: false)
      == .changeVolume(steps: -1, isHeard: false))
  #expect(
    panel.command(for: detent(-1, isHeld: true), isDark: false)
      == .changeVolume(steps: -1, isHeard: true))
  #expect(panel.command(for: detent(-1, .ended), isDark: false) == .rate(steps: -1))
}

@Test func crownPanel_inputsThatAreNoGesture_askForNothing() {
  for phase in Phase.allCases {
    for isDark in [false, true] {
      for kind in [Input.Kind.press, .release, .repeat] {
        var panel = CrownPanel()
        #expect(panel.command(for: input(kind, phase), isDark: isDark) == nil)
      }
    }
  }
}

@Test func crownPanel_inputsOfTheRemote_askForNothing() {
  let kinds: [Input.Kind] = [.press, .release, .click, .double, .long, .repeat]
  for button in Button.allCases where button != .crown {
    for kind in kinds {
      for isDark in [false, true] {
        var panel = CrownPanel()
        let key = Input(kind, button: button, decidedAt: .zero, phaseAtPress: .idle)
        #expect(panel.command(for: key, isDark: isDark) == nil, "\(button) \(kind)")
      }
    }
  }
}

// MARK: - Lock

@Test func crownLock_whileRunning_letsALongPressActAndRefusesWhatElseIsBound() throws {
  let cells = try productCells()
  for phase in Phase.allCases {
    for gesture in CrownGesture.allCases {
      var panel = CrownPanel(isLocked: true)
      let command = cells[Int(phase.rawValue)][Int(gesture.rawValue)]
      let isHeldBack = phase == .running && gesture != .long && command != nil
      let got = panel.command(for: made(gesture, phase), isDark: false)
      #expect(got == (isHeldBack ? .refuseLocked : command), "\(phase) \(gesture)")
    }
  }
}

@Test func crownLock_onADarkFace_stillLetsATurnAndALongPressWake() {
  for gesture in [CrownGesture.turn, .pressAndTurn, .long] {
    var panel = CrownPanel(isLocked: true)
    #expect(panel.command(for: made(gesture, .running), isDark: true) == .wake)
  }
  var panel = CrownPanel(isLocked: true)
  #expect(panel.command(for: input(.click, .running), isDark: true) == .refuseLocked)
}
