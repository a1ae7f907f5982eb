import Appliance
import Bells
import Controls
import Settings
import Testing
import Ticks

private let header = "# timerbox 9\n[settings]\n"

private func file(_ text: String) -> SettingsFile { SettingsFile(Array(text.utf8)) }

private func settings(_ text: String) -> ApplianceSettings {
  var settings = ApplianceSettings()
  file(text).apply(to: &settings)
  return settings
}

/// The file's text once these choices are made in it.
private func text(
  _ earlier: String = header, volume: Int, _ choices: Choices = Choices(ApplianceSettings())
) -> String {
  var file = file(earlier)
  file.choose(volume: volume, choices: choices)
  return String(decoding: file.bytes(version: "9"), as: UTF8.self)
}

@Test func choices_thatNobodyMade_areNotWritten() {
  #expect(text(volume: 35) == header + "volume = 35\n")
  #expect(settings(text(volume: 35)).volume == 35)
  #expect(settings(text(volume: 0)).volume == 0)
}

@Test func choices_writtenAndRead_areTheSameAtEveryValue() {
  for choice in PanelChoice.allCases {
    var choices = Choices(ApplianceSettings())
    for _ in 0..<8 {
      choices.change(choice)
      let written = text(volume: 60, choices)
      #expect(written == header + "volume = 60\n\(choice.name) = \(choices.text(choice))\n")
      #expect(Choices(settings(written)) == choices)
    }
  }
}

@Test func choices_allMade_areWrittenInTheirOrder() {
  var choices = Choices(ApplianceSettings())
  for choice in PanelChoice.allCases.reversed() { choices.change(choice) }
  #expect(
    text(volume: 5, choices)
      == header + "volume = 5\nbell = small-bowl\ninterval = 1m\npreparation = 30s\n"
      + "picture = water\n")
  let read = settings(text(volume: 5, choices))
  #expect(read.plan.intervals.every == .minutes(1) && read.plan.preparation == .seconds(30))
  #expect(read.picture == .water)
  // A cue and a reminder keep their sounds.
  #expect(read.bells.map(\.sound) == [0, 0, 1, 1, 1, 1])
}

@Test func choices_ofRolesAndOfTheDevice_areWrittenAndReadBack() {
  var written = SettingsFile()
  written.choose(
    volume: 60, choices: Choices(ApplianceSettings()), roleVolumes: [5, nil, nil, nil, nil, 90],
    soundDevice: "hw:CARD=DAC")
  let bytes = written.bytes(version: "9")
  #expect(
    String(decoding: bytes, as: UTF8.self)
      == header + "volume = 60\nvolume.cue = 5\nvolume.end = 90\nsound.device = hw:CARD=DAC\n")
  let read = SettingsFile(bytes)
  #expect(read == written && read.problems == [])
  var settings = ApplianceSettings()
  read.apply(to: &settings)
  #expect(settings.roleVolumes == [5, nil, nil, nil, nil, 90])
  #expect(read.soundDevice == "hw:CARD=DAC")
}

@Test(arguments: ["", "[settings]\nvolume = 5\n", "[settings]\nsound.device = hw:0\n"])
func soundDevice_thatNobodyChose_isNone(text: String) {
  #expect(file(text).soundDevice == nil)
}

// MARK: - A newer version's

private let newer = """
  # timerbox 47
  # by hand
  [settings]
  volume = 30
  warmth =  20 %   # of a newer version
  lamplight = 40
  scent.sandalwood = \u{1F56F} = yes

  [settings hall]
  volume = 80
  [night]
  from = 22:00

  """

@Test func unknownKeys_ofANewerVersion_areKeptInTheirVeryWords() {
  #expect(file(newer).problems == [])
  #expect(settings(newer).volume == 30)
  let expected =
    header + "volume = 45\nwarmth =  20 %   # of a newer version\nlamplight = 40\n"
    + "scent.sandalwood = \u{1F56F} = yes\n[settings hall]\nvolume = 80\n[night]\nfrom = 22:00\n"
  #expect(text(newer, volume: 45) == expected)
  // Written again and again it stays so.
  #expect(text(expected, volume: 45) == expected)
  #expect(file(text(newer, volume: 30)).entries == file(newer).entries)
}

@Test func unknownKeys_withWindowsLineEnds_areKept() {
  let text = "\u{FEFF}" + newer.replacing("\n", with: "\r\n")
  #expect(file(text).problems == [])
  var read = file(text)
  read.choose(volume: 30, choices: Choices(ApplianceSettings()))
  #expect(read == file(newer))
}

@Test func panelChoice_thatCannotBeTaken_staysInTheFile() {
  // The sound of a recording that is away now.
  let away = header + "volume = 60\nbell = own/away\n"
  #expect(settings(away) == ApplianceSettings() && file(away).problems == [])
  #expect(text(away, volume: 60) == away)
  var choices = Choices(settings(away))
  choices.change(.bell)
  #expect(text(away, volume: 60, choices) == header + "volume = 60\nbell = small-bowl\n")
}

// MARK: - Damage

private let damaged: [(text: String, problem: String)] = [
  ("", "settings:1:1: found no such key, expected the section [settings]"),
  ("# timerbox 9\n", "settings:1:1: found no such key, expected the section [settings]"),
  ("[choices]\nvolume = 5\n", "settings:1:1: found no such key, expected the section [settings]"),
  (
    "volume = 5\n",
    "settings:1:1: found the key \"volume\", expected a section before it, such as [sit]"
  ),
  ("\u{0}\u{0}\u{0}", "settings:1:1: found the character U+0000, expected text"),
  (
    "[settings]\nvolume = 101\n",
    "settings:2:10: found \"101\", expected a whole number from 0 to 100"
  ),
  ("[settings]\nvolume.end =\u{7}20\n", "settings:2:13: found the character U+0007, expected text"),
  ("[settings]\nvolume 40\n", "settings:2:1: found \"volume 40\", expected KEY = VALUE"),
  (
    "[settings]\nvolume = 4\nvolume = 5\n",
    "settings:3:1: found a second \"volume\", expected it once; the first is on line 2"
  ),
]

@Test func damage_ofEachKind_isToldWithItsPlace() {
  for (text, problem) in damaged {
    #expect(file(text).problems == [problem], "\(text)")
  }
  let bytes = Array("[settings]\nvolume = 40\n".utf8) + [0xFF]
  #expect(SettingsFile(bytes).problems == ["settings:3:1: found the byte 0xFF, expected UTF-8"])
  #expect(SettingsFile(bytes).entries.map(\.value) == ["40"])
}

@Test func damage_inAnyPlace_neverTraps() {
  var generator = SeededGenerator(seed: 22)
  let whole = Array((header + "volume = 35\nbell = none\nsound.device = hw:CARD=DAC\n").utf8)
  for length in 0...whole.count { _ = SettingsFile(Array(whole[..<length])) }
  for _ in 0..<2_000 {
    var bytes = whole
    bytes[Int(generator.below(UInt64(bytes.count)))] ^= UInt8(1 << generator.below(8))
    let read = SettingsFile(bytes)
    // Written anew it is whole.
    #expect(SettingsFile(read.bytes(version: "9")).problems == [])
  }
}

private let wrongChoices = [
  "bell = gong\n", "interval = 7m\n", "interval = 0\n", "preparation = none\n",
  "preparation = 11s\n", "volume.gong = 5\n", "picture = Fire\n", "pictures = water\n",
  "volume.end = 101\n", "volume = 101\n",
]

@Test(arguments: wrongChoices)
func choices_thatCannotBeTaken_areNone(text: String) {
  #expect(settings("[settings]\n" + text) == ApplianceSettings())
}

@Test func choices_ofProgrammeRatingJourneyAndBrightness_areWrittenAndReadBack() {
  var appliance = ApplianceSettings()
  appliance.programme = "zazen"
  appliance.hasRating = true
  var written = SettingsFile()
  written.set("journey", to: "Hundred days")
  written.set("brightness", to: "40")
  written.choose(volume: 60, choices: Choices(appliance))
  let bytes = written.bytes(version: "9")
  let expected =
    header + "volume = 60\nprogramme = zazen\nrating = yes\njourney = Hundred days\n"
    + "brightness = 40\n"
  #expect(String(decoding: bytes, as: UTF8.self) == expected)
  var read = SettingsFile(bytes)
  #expect(read == written && read.problems == [])
  #expect(read.journey == "Hundred days" && read.brightness == 40)
  var settings = ApplianceSettings()
  read.apply(to: &settings)
  #expect(settings.programme == "zazen" && settings.hasRating)
  // What was chosen and is now as it would be without stays chosen; what is forgotten does not.
  read.set("brightness", to: nil)
  read.set("journey", to: "none")
  read.choose(volume: 60, choices: Choices(ApplianceSettings()))
  #expect(read.journey == nil && read.brightness == nil)
  #expect(
    String(decoding: read.bytes(version: "9"), as: UTF8.self)
      == header + "volume = 60\nprogramme = simple\nrating = no\njourney = none\n")
}
