import Settings
import Testing
import Ticks
import TimerMachine

@testable import timerbox

private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

private func outputs(_ roles: OutputRole...) -> Outputs {
  let wires = roles.map { OutputWiring(role: $0, selector: .offset(1)) }
  return Outputs(Wiring(chip: .automatic, inputs: [], outputs: wires), at: .zero)
}

private func isOn(_ outputs: inout Outputs, _ role: OutputRole, at instant: Instant) -> Bool {
  outputs.states(at: instant, isDark: false).contains { $0.role == role && $0.isOn }
}

@Test func outputs_thatAreNotWired_areNeverDue() {
  var none = outputs()
  none.enter(.running, at: at(1_000))
  none.setSoundLost(true)
  none.plan([at(5_000)])
  #expect(!none.isWired)
  #expect(none.nextDeadline == nil)
}

@Test func led_whileSitting_breathesAndIsOffInTheDark() {
  var outputs = outputs(.led)
  #expect(isOn(&outputs, .led, at: at(0)))
  #expect(outputs.nextDeadline == nil)
  outputs.enter(.running, at: at(1_000))
  #expect(isOn(&outputs, .led, at: at(1_000)))
  #expect(outputs.nextDeadline == at(5_000))
  #expect(isOn(&outputs, .led, at: at(4_999)))
  #expect(!isOn(&outputs, .led, at: at(5_000)))
  #expect(outputs.nextDeadline == at(9_000))
  #expect(isOn(&outputs, .led, at: at(9_000)))
  let dark = outputs.states(at: at(9_500), isDark: true)
  #expect(dark.allSatisfy { !$0.isOn })
  #expect(outputs.nextDeadline == nil)
}

@Test func quiet_fromThePreparationToTheEnd_isLit() {
  var outputs = outputs(.quiet)
  #expect(!isOn(&outputs, .quiet, at: at(0)))
  for phase in [Phase.preparing, .running, .paused, .overtime] {
    outputs.enter(phase, at: at(1_000))
    #expect(isOn(&outputs, .quiet, at: at(1_000)))
  }
  outputs.enter(.ended, at: at(2_000))
  #expect(!isOn(&outputs, .quiet, at: at(2_000)))
  #expect(outputs.nextDeadline == nil)
}

@Test func amp_whileTheCardRuns_isOn() {
  var outputs = outputs(.amp)
  #expect(!isOn(&outputs, .amp, at: at(0)))
  outputs.setAmplified(true)
  #expect(isOn(&outputs, .amp, at: at(1)))
  outputs.setAmplified(false)
  #expect(!isOn(&outputs, .amp, at: at(2)))
}

@Test func buzzer_withoutACard_soundsAtEachStrike() {
  var outputs = outputs(.buzzer)
  outputs.plan([at(5_000), at(6_000)])
  #expect(outputs.nextDeadline == nil)
  outputs.setSoundLost(true)
  #expect(outputs.nextDeadline == at(5_000))
  #expect(!isOn(&outputs, .buzzer, at: at(4_999)))
  #expect(isOn(&outputs, .buzzer, at: at(5_000)))
  #expect(outputs.nextDeadline == at(5_300))
  #expect(isOn(&outputs, .buzzer, at: at(5_299)))
  #expect(!isOn(&outputs, .buzzer, at: at(5_300)))
  #expect(outputs.nextDeadline == at(6_000))
  outputs.setSoundLost(false)
  #expect(!isOn(&outputs, .buzzer, at: at(6_000)))
  #expect(outputs.nextDeadline == nil)
}

@Test func buzzer_whenAPlanIsCancelled_isSilent() {
  var outputs = outputs(.buzzer)
  outputs.setSoundLost(true)
  outputs.plan([at(5_000)])
  outputs.plan([])
  #expect(!isOn(&outputs, .buzzer, at: at(5_000)))
  #expect(outputs.nextDeadline == nil)
}
