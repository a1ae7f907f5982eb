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

@Test func led_withoutACardAndASounder_signalsTheEndForTenSecondsAlsoInTheDark() {
  var outputs = outputs(.led)
  outputs.enter(.running, at: at(0))
  outputs.plan([at(1_000), at(5_000), at(6_000)], ends: [at(5_000)])
  _ = outputs.states(at: at(1_000), isDark: true)
  #expect(outputs.nextDeadline == nil)
  outputs.setSoundLost(true)
  #expect(outputs.nextDeadline == at(5_000))
  for (instant, isLit) in [
    (4_999, false), (5_000, true), (5_199, true), (5_200, false), (5_399, false), (5_400, true),
    (14_999, false), (15_000, false),
  ] as [(Int64, Bool)] {
    let states = outputs.states(at: at(instant), isDark: true)
    #expect(states.contains { $0.isOn } == isLit, "\(instant) ms")
  }
  #expect(outputs.nextDeadline == nil)
}

@Test func led_withASounderOrACard_doesNotSignal() {
  for isLost in [true, false] {
    var outputs = isLost ? outputs(.led, .buzzer) : outputs(.led)
    outputs.setSoundLost(isLost)
    outputs.enter(.ended, at: at(0))
    outputs.plan([at(5_000)], ends: [at(5_000)])
    #expect(isOn(&outputs, .led, at: at(4_999)))
    #expect(isOn(&outputs, .led, at: at(5_300)))
  }
}

@Test func led_whenTheCardComesBack_endsItsSignal() {
  var outputs = outputs(.led)
  outputs.setSoundLost(true)
  outputs.plan([at(5_000)], ends: [at(5_000)])
  _ = outputs.states(at: at(5_000), isDark: false)
  outputs.setSoundLost(false)
  #expect(isOn(&outputs, .led, at: at(5_250)))
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

@Test func buzzer_whenTheCardIsLostAfterAPlannedStrike_soundsAtOnceAndOnce() {
  var outputs = outputs(.buzzer)
  outputs.plan([at(5_000)], ends: [at(5_000)])
  #expect(!isOn(&outputs, .buzzer, at: at(6_000)))
  outputs.setSoundLost(true, at: at(6_000))
  #expect(isOn(&outputs, .buzzer, at: at(6_000)))
  #expect(outputs.nextDeadline == at(6_300))
  #expect(!isOn(&outputs, .buzzer, at: at(6_300)))
  outputs.missed(at(5_000), isEnd: true, at: at(10_000))
  #expect(!isOn(&outputs, .buzzer, at: at(10_000)))
}

@Test func buzzerOrLed_whenABellIsMissedThoughACardIsThere_tellsItLate() {
  var buzzer = outputs(.buzzer)
  buzzer.missed(at(5_000), isEnd: false, at: at(9_000))
  #expect(isOn(&buzzer, .buzzer, at: at(9_000)))
  #expect(!isOn(&buzzer, .buzzer, at: at(9_300)))
  var led = outputs(.led)
  led.enter(.running, at: at(0))
  led.missed(at(5_000), isEnd: false, at: at(5_500))
  #expect(led.nextDeadline == at(4_000))
  led.missed(at(8_000), isEnd: true, at: at(9_000))
  #expect(led.states(at: at(9_199), isDark: true).contains { $0.isOn })
  #expect(!led.states(at: at(9_200), isDark: true).contains { $0.isOn })
  #expect(!led.states(at: at(19_000), isDark: true).contains { $0.isOn })
  #expect(led.nextDeadline == nil)
}
