import Appliance
import Settings
import Testing
import Ticks

/// A state folder, and a start that may be cut off after any step.
private struct Folder: Equatable {
  var settings: [UInt8]?
  var isMoved = false
  var copies: [[UInt8]] = []
  /// What earlier versions left, or a backup or a peer brings back.
  var earlier: String? = "[choices]\nvolume = 35\nvolume.end = 20\ninterval = 5m\n"
  var store = [Value("volume", "40"), Value("sound.device", "hw:CARD=DAC"), Value("rating", "yes")]

  struct Value: Equatable {
    var key: String
    var value: String
    init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }
  }

  var text: String? { settings.map { String(decoding: $0, as: UTF8.self) } }

  var plan: SettingsMove {
    SettingsMove(
      isMoved: isMoved, settings: settings, earlier: earlier.map { Array($0.utf8) },
      store: store.map { ($0.key, $0.value) }, version: "9")
  }

  /// Starts, and is cut off after so many steps.
  /// - Returns: what holds in this run.
  @discardableResult
  mutating func start(steps: Int = .max) -> SettingsFile {
    let plan = plan
    for step in plan.steps.prefix(steps) {
      switch step {
      case .keepDamaged(let bytes): if !copies.contains(bytes) { copies.append(bytes) }
      case .write(let bytes): settings = bytes
      case .setFlag: isMoved = true
      }
    }
    return plan.settings
  }

  /// A hand chooses, and the choice is saved.
  mutating func choose(volume: Int = 60, roleVolumes: [Int?] = [], soundDevice: String? = nil) {
    var file = start()
    var appliance = ApplianceSettings()
    file.apply(to: &appliance)
    file.choose(
      volume: volume, choices: Choices(appliance), roleVolumes: roleVolumes,
      soundDevice: soundDevice)
    settings = file.bytes(version: "9")
  }
}

private let moved = """
  # timerbox 9
  [settings]
  volume = 35
  volume.end = 20
  interval = 5m
  sound.device = hw:CARD=DAC
  rating = yes

  """

@Test func move_firstStart_takesOverTheFileAndThenTheStoreAndSetsTheFlagLast() {
  var folder = Folder()
  #expect(folder.plan.steps == [.write(Array(moved.utf8)), .setFlag])
  #expect(folder.plan.told == [])
  var appliance = ApplianceSettings()
  folder.start().apply(to: &appliance)
  #expect(appliance.volume == 35 && appliance.plan.intervals.every == .minutes(5))
  #expect(folder.text == moved && folder.isMoved)
  #expect(folder.plan.steps == [] && folder.start().soundDevice == "hw:CARD=DAC")
}

@Test func move_freshDevice_setsTheFlagAndWritesNothing() {
  var folder = Folder()
  (folder.earlier, folder.store) = (nil, [])
  #expect(folder.plan.steps == [.setFlag])
  folder.start()
  #expect(folder.settings == nil)
  // What comes later comes too late.
  (folder.earlier, folder.store) = (Folder().earlier, Folder().store)
  #expect(folder.plan.steps == [] && folder.start() == SettingsFile())
}

@Test func report09_move_cutOffAfterAnyStep_endsTheSameAsOneThatWasNot() {
  for settings in [
    nil, "", "[settings]\nvolume = 10\n", "[settings]\nvolume = 101\nvolume.cue = 7\n",
  ] {
    var whole = Folder(settings: settings.map { Array($0.utf8) })
    whole.start()
    for first in 0...3 {
      for second in 0...3 {
        var cut = Folder(settings: settings.map { Array($0.utf8) })
        cut.start(steps: first)
        cut.start(steps: second)
        cut.start()
        #expect(cut == whole, "\(settings ?? "none") \(first) \(second)")
      }
    }
    #expect(whole.isMoved && whole.plan.steps == [])
  }
}

@Test func move_settingsWithoutTheFlag_standAsTheyAre() {
  // The flag could not be written at the first start, and meanwhile a choice was reset.
  var folder = Folder()
  folder.start(steps: 1)
  folder.choose()
  folder.isMoved = false
  let text = folder.text
  #expect(folder.plan.steps == [.setFlag])
  folder.start()
  #expect(folder.text == text && folder.start().soundDevice == nil)
}

@Test func report22_everythingReset_staysResetWhateverComesBack() {
  var generator = SeededGenerator(seed: 22)
  for _ in 0..<300 {
    let earlier = "[choices]\nvolume = 35\nvolume.end = 20\n"
    var folder = Folder(earlier: earlier)
    folder.start(steps: Int(generator.below(3)))
    folder.start()
    // Back to the defaults.
    folder.choose()
    for _ in 0..<8 {
      // A backup puts the old file back, a peer the key.
      folder.earlier = generator.below(2) == 0 ? nil : earlier
      folder.store = generator.below(2) == 0 ? [] : Folder().store
      folder.start(steps: Int(generator.below(3)))
    }
    #expect(folder.text == "# timerbox 9\n[settings]\nvolume = 60\nrating = yes\n")
    // Also when the settings themselves are gone: the flag is not.
    folder.settings = nil
    #expect(folder.start() == SettingsFile() && folder.plan.steps == [])
  }
}

@Test func move_valuesThatNoSettingCanHave_areToldAndLeft() {
  var folder = Folder()
  folder.earlier = "[choices]\nvolume = 101\nvolume.cue = 7\nwarmth = 2\n"
  folder.store = [
    .init("volume", "loud"), .init("volume.end", "1\nvolume = 2"), .init("picture", "forest"),
    .init("brightness", "40"), .init("sound.device", "hw:0"), .init("programme", "evening"),
    .init("day.starts", "04:00"),
  ]
  let told = folder.plan.told
  #expect(told.count == 5)
  #expect(told[0] == "choices:2:10: found \"101\", expected a whole number from 0 to 100")
  #expect(told[1] == "the store's volume: found \"loud\", expected a whole number from 0 to 100")
  #expect(told[2].hasPrefix("the store's volume.end: "))
  #expect(told[3].contains("forest") && told[4].contains("hw:0"))
  folder.start()
  #expect(
    folder.text == "# timerbox 9\n[settings]\nvolume.cue = 7\nbrightness = 40\n"
      + "programme = evening\nwarmth = 2\n")
}

@Test func damage_ofTheSettings_isKeptAndMendedAndNeverSilent() {
  for text in ["", "\u{0}\u{0}", "[settings]\nvolume = 101\nvolume.cue = 7\nwarmth = 2\n"] {
    var folder = Folder(settings: Array(text.utf8), isMoved: true)
    #expect(folder.plan.told.count == 1)
    #expect(folder.plan.steps.first == .keepDamaged(Array(text.utf8)))
    // A cut between the two leaves the damaged file, which is told again.
    folder.start(steps: 1)
    #expect(folder.text == text && folder.plan.told.count == 1)
    folder.start()
    #expect(folder.copies == [Array(text.utf8)])
    #expect(folder.plan.told == [] && folder.plan.steps == [])
    let rest = text.hasPrefix("[") ? "volume.cue = 7\nwarmth = 2\n" : ""
    #expect(folder.text == "# timerbox 9\n[settings]\n" + rest)
  }
}
