import Appliance
import Bells
import Controls
import Settings
import Testing
import Ticks

private func settings(_ text: String) -> ApplianceSettings {
  var settings = ApplianceSettings()
  ChoicesFile.apply(Array(text.utf8), to: &settings)
  return settings
}

private func text(volume: Int, _ choices: Choices) -> String {
  String(decoding: ChoicesFile.bytes(volume: volume, choices: choices), as: UTF8.self)
}

@Test func choices_thatNobodyMade_areNotWritten() {
  let choices = Choices(ApplianceSettings())
  #expect(text(volume: 35, choices) == "[choices]\nvolume = 35\n")
  #expect(settings(text(volume: 35, choices)).volume == 35)
  #expect(settings(text(volume: 0, choices)).volume == 0)
}

@Test func choices_writtenAndRead_areTheSameAtEveryValue() {
  for choice in PanelChoice.allCases {
    var choices = Choices(ApplianceSettings())
    for _ in 0..<8 {
      choices.change(choice)
      let written = text(volume: 60, choices)
      #expect(written == "[choices]\nvolume = 60\n\(choice.name) = \(choices.text(choice))\n")
      #expect(Choices(settings(written)) == choices)
    }
  }
}

@Test func choices_allMade_areWrittenInTheirOrder() {
  var choices = Choices(ApplianceSettings())
  for choice in PanelChoice.allCases.reversed() { choices.change(choice) }
  #expect(
    text(volume: 5, choices)
      == "[choices]\nvolume = 5\nbell = small-bowl\ninterval = 1m\npreparation = 30s\npicture = water\n"
  )
  let read = settings(text(volume: 5, choices))
  #expect(read.plan.intervalEvery == .minutes(1) && read.plan.preparation == .seconds(30))
  #expect(read.picture == .water)
  // A cue and a reminder keep their sounds.
  #expect(read.bells.map(\.sound) == [0, 0, 1, 1, 1, 1])
}

@Test func choices_ofRolesAndOfTheDevice_areWrittenAndReadBack() {
  let bytes = ChoicesFile.bytes(
    volume: 60, choices: Choices(ApplianceSettings()), roleVolumes: [5, nil, nil, nil, nil, 90],
    soundDevice: "hw:CARD=DAC")
  #expect(
    String(decoding: bytes, as: UTF8.self)
      == "[choices]\nvolume = 60\nvolume.cue = 5\nvolume.end = 90\nsound.device = hw:CARD=DAC\n")
  var read = ApplianceSettings()
  ChoicesFile.apply(bytes, to: &read)
  #expect(read.roleVolumes == [5, nil, nil, nil, nil, 90])
  #expect(ChoicesFile.soundDevice(in: bytes) == "hw:CARD=DAC")
}

@Test(arguments: ["", "[choices]\nvolume = 5\n", "[choices]\nsound.device = hw:0\n"])
func soundDevice_thatNobodyChose_isNone(text: String) {
  #expect(ChoicesFile.soundDevice(in: Array(text.utf8)) == nil)
}

private let wrongChoices = [
  "", "[choices]\n", "[choices]\nvolume = 101\n", "volume = 5\n", "\u{0}\u{1}",
  "[choices]\nbell = gong\n", "[choices]\ninterval = 7m\n", "[choices]\ninterval = 0\n",
  "[choices]\npreparation = none\n", "[choices]\npreparation = 11s\n",
  "[choices]\nvolume.end = 101\n", "[choices]\nvolume.gong = 5\n",
  "[choices]\npicture = Fire\n", "[choices]\npictures = water\n",
]

@Test(arguments: wrongChoices)
func choices_thatCannotBeRead_areNone(text: String) {
  #expect(settings(text) == ApplianceSettings())
}
