import Appliance
import Bells
import Controls
import Testing
import Ticks

private func choices(_ set: (inout ApplianceSettings) -> Void = { _ in }) -> Choices {
  var settings = ApplianceSettings()
  set(&settings)
  return Choices(settings)
}

/// The values that a choice goes through, from where it stands.
private func walk(_ choice: PanelChoice, _ start: Choices, _ steps: Int) -> [String] {
  var choices = start
  var texts = [choices.text(choice)]
  for _ in 0..<steps {
    choices.change(choice)
    texts.append(choices.text(choice))
  }
  return texts
}

@Test func choices_eachOne_goesThroughItsValuesAndBeginsAgain() {
  let sounds = Sound.bellNames
  #expect(walk(.bell, choices(), sounds.count + 1) == sounds + ["none", sounds[0]])
  #expect(
    walk(.interval, choices(), 7) == ["none", "1m", "5m", "10m", "15m", "30m", "none", "1m"])
  #expect(walk(.preparation, choices(), 4) == ["10s", "30s", "1m", "0", "10s"])
  #expect(walk(.picture, choices(), 4) == ["fire", "water", "plain", "none", "fire"])
}

@Test func choices_configuredValueBetweenTheOthers_isLeftForTheNextGreaterOne() {
  let between = choices {
    $0.plan.intervals.every = .minutes(7)
    $0.plan.preparation = .seconds(15)
  }
  #expect(walk(.interval, between, 2) == ["7m", "10m", "15m"])
  #expect(walk(.preparation, between, 2) == ["15s", "30s", "1m"])
  let beyond = choices {
    $0.plan.intervals.every = .hours(1)
    $0.plan.preparation = .minutes(5)
  }
  #expect(walk(.interval, beyond, 2) == ["1h", "none", "1m"])
  #expect(walk(.preparation, beyond, 2) == ["5m", "0", "10s"])
}

@Test func choices_eachOne_changesAlone() {
  for choice in PanelChoice.allCases {
    var changed = choices()
    changed.change(choice)
    for other in PanelChoice.allCases {
      #expect((changed.text(other) == choices().text(other)) == (other != choice))
    }
  }
}
