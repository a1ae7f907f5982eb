import Appliance
import Bells
import Testing
import Ticks

@testable import Settings

@Test func configuration_untouched_hasTheDefaultsOfTheContract() {
  let configuration = Configuration()
  #expect(
    configuration.sit
      == SitSettings(
        length: .minutes(20), preparation: .seconds(10), minimum: .seconds(60), hasOvertime: false,
        overtimeLimit: .minutes(60), openLimit: .hours(3), recover: .resume))
  #expect(configuration.interval == IntervalSettings(every: nil))
  let once = BellSettings(sound: "large-bowl", strikes: 1, gap: .seconds(6), levelDecibels: 0)
  var thrice = once
  thrice.strikes = 3
  #expect(
    configuration.bells
      == BellsSettings(
        start: once, interval: once, segment: once, end: thrice, reminder: once, cue: once))
  #expect(
    configuration.crown
      == CrownSettings(
        detentsPerCycle: 1, isReversed: false, step: .minutes(1), fastStep: .minutes(5),
        isLocked: false))
  #expect(
    configuration.button
      == ButtonSettings(
        debounce: .milliseconds(10), double: .milliseconds(350), long: .milliseconds(600),
        repeatAfter: .milliseconds(600), repeatEvery: .milliseconds(150)))
  #expect(
    configuration.sound
      == SoundSettings(
        device: "default", fallback: [], leadIn: nil, keepAlive: nil, offsets: OutputOffsets(),
        latest: .seconds(5), speaker: .full, ambient: nil))
  #expect(configuration.cue == CueSettings())
  #expect(configuration.store == StoreSettings(folder: nil, deviceName: nil))
  #expect(configuration.day == DaySettings(starts: .zero, grace: 0, showsStreaks: true))
}

@Test func configuration_file_setsEveryKindOfValue() throws {
  let configuration = try configuration(
    """
    [sit]
    length = 1h30m
    overtime = yes
    [interval]
    every = 5m
    [bell end]
    sound = none
    strikes = 2
    level = -4.5 dB
    [crown]
    detents-per-cycle = 4
    [sound]
    device = hw:CARD=Headphones,DEV=0
    lead-in = 250ms
    [store]
    folder = /srv/앉기
    device-name = kitchen-2
    [day]
    starts = 04:30
    """)
  #expect(configuration.sit.length == .minutes(90))
  #expect(configuration.sit.hasOvertime)
  #expect(configuration.interval.every == .minutes(5))
  #expect(configuration.bells.end.sound == nil)
  #expect(configuration.bells.end.strikes == 2)
  #expect(configuration.bells.end.levelDecibels == -4.5)
  #expect(configuration.crown.detentsPerCycle == 4)
  #expect(configuration.sound.device == "hw:CARD=Headphones,DEV=0")
  #expect(configuration.sound.leadIn == .milliseconds(250))
  #expect(configuration.store == StoreSettings(folder: "/srv/앉기", deviceName: "kitchen-2"))
  #expect(configuration.day.starts == .minutes(270))
}

@Test func configuration_eachEffectiveValue_saysWhereItComesFrom() throws {
  var configuration = try configuration("[sit]\n  length = 30m\n")
  try configuration.set(key: "interval.every", value: "5m")
  let place = Place(file: "a.scenario", line: 4, column: 5)
  try configuration.set(key: "bell.end.strikes", value: "1", keyPlace: place, valuePlace: place)
  #expect(configuration.origin(of: "sit.length").text == "t.conf:2:3")
  #expect(configuration.origin(of: "interval.every").text == "set")
  #expect(configuration.origin(of: "bell.end.strikes").text == "a.scenario:4:5")
  #expect(configuration.origin(of: "sit.minimum").text == "default")
  let length = try #require(configuration.effective.first { $0.key.dottedName == "sit.length" })
  #expect(length.text == "30m")
  #expect(configuration.effective.count == ConfigurationKey.all.count)
}

@Test func configuration_exampleText_changesNothingAndNeitherDoItsValues() throws {
  let example = Configuration.exampleText
  #expect(try configuration(example) == Configuration())
  // The keys are commented out without a space, the sentences with one.
  let lines = example.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    line.hasPrefix("#") && !line.hasPrefix("# ") ? String(line.dropFirst()) : String(line)
  }
  let uncommented = try configuration(lines.joined(separator: "\n"))
  for (set, standard) in zip(uncommented.effective, Configuration().effective) {
    #expect(set.text == standard.text)
    #expect(set.origin != .standard, "\(set.key.dottedName) is not in the example")
  }
  #expect(uncommented.sit == Configuration().sit)
  #expect(uncommented.store == Configuration().store)
  #expect(uncommented.sound == Configuration().sound)
}

@Test func configuration_exampleText_hasNoLineOverAHundredColumnsOrTrailingSpace() {
  for line in Configuration.exampleText.split(separator: "\n") {
    #expect(line.count <= 100, "\(line)")
    #expect(line.last != " ", "\(line)")
  }
}

@Test func table_names_areUniqueAndOfTheContract() {
  let names = ConfigurationKey.all.map(\.dottedName)
  #expect(Set(names).count == names.count)
  let contract = [
    "sit.length", "sit.preparation", "sit.minimum", "sit.overtime", "sit.overtime-limit",
    "sit.open-limit", "sit.recover", "interval.every", "interval.fractions", "interval.at",
    "interval.from-end", "interval.random", "interval.count", "bell.start.sound",
    "bell.interval.strikes", "bell.segment.gap", "bell.end.pattern", "bell.reminder.level",
    "bell.cue.sound", "crown.detents-per-cycle", "crown.reverse", "crown.step",
    "crown.fast-step", "crown.lock", "button.debounce", "button.double", "button.long",
    "button.repeat-after", "button.repeat-every", "sound.device", "sound.fallback",
    "sound.lead-in", "sound.keep-alive", "sound.offset", "sound.latest", "sound.speaker",
    "sound.ambient", "cue.detent", "cue.tap", "day.starts", "day.grace", "store.folder",
    "store.device-name", "day.streak",
  ]
  for name in contract { #expect(names.contains(name), "\(name)") }
  #expect(names.count == contract.count - 6 + 6 * 5)
}

@Test func set_everyKeyOfTheTable_isTaken() {
  for key in ConfigurationKey.all {
    #expect(message(set: key.dottedName, key.standard) == "", "\(key.dottedName)")
  }
}
