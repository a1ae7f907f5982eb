import Controls
import Testing
import Ticks
import TimerMachine

@Test func doubleBinding_standard_isTheCrownsInIdleAndRunning() {
  for button in Button.allCases {
    for phase in Phase.allCases {
      let isBound = button == .crown && (phase == .idle || phase == .running)
      #expect(DoubleBinding.standard[button, phase] == isBound, "\(button) \(phase)")
      #expect(!DoubleBinding.none[button, phase])
    }
  }
}

@Test func doubleBinding_eachCell_isKeptAlone() {
  for button in Button.allCases {
    for phase in Phase.allCases {
      var binding = DoubleBinding.none
      binding[button, phase] = true
      let bound = Button.allCases.flatMap { other in
        Phase.allCases.filter { binding[other, $0] }.map { (other, $0) }
      }
      #expect(bound.count == 1)
      #expect(binding[button, phase])
      binding[button, phase] = false
      #expect(binding == .none)
    }
  }
}

@Test func doubleBound_ofTheSettings_saysWhereAClickWaits() {
  let clicks = "0:S0 50000:S1 110000:S0 160000:S1"
  for phase in Phase.allCases {
    for isBound in [false, true] {
      var settings = ControlSettings()
      settings.doubleBound = .none
      settings.doubleBound[.crown, phase] = isBound
      let expected =
        isBound
        ? ["press@10000", "release@60000", "press@120000", "release@170000", "double@170000"]
        : [
          "press@10000", "release@60000", "click@60000", "press@120000", "release@170000",
          "click@170000",
        ]
      #expect(notes(of: clicks, settings, phase: phase) == expected, "\(phase) \(isBound)")
    }
  }
}
