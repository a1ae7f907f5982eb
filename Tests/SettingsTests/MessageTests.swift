import Settings
import Testing
import Ticks

private let sections =
  "button, crown, cue, day, interval, sit, sound, store, bell ROLE, programme NAME or reminder NAME"

// A table of its own: inside the macro's arguments Swift 6.0 takes no interpolation, and a sum of
// strings takes Swift 6.3 too long to check.
private let unknownNames: [(text: String, message: String)] = [
  (
    "[sit]\nlenght = 5m",
    """
    t.conf:2:1: found \"lenght\", expected length, preparation, minimum, overtime, \
    overtime-limit, open-limit or recover in [sit]; did you mean \"length\"?
    """
  ),
  (
    "[sit]\nbell = 5m",
    """
    t.conf:2:1: found \"bell\", expected length, preparation, minimum, overtime, \
    overtime-limit, open-limit or recover in [sit]
    """
  ),
  (
    "[buton]\nlong = 1s",
    "t.conf:1:1: found [buton], expected one of \(sections); did you mean \"button\"?"
  ),
  (
    "[bell ned]\ngap = 1s",
    "t.conf:1:1: found [bell ned], expected one of \(sections); did you mean \"bell end\"?"
  ),
  ("[wifi]\nssid = x", "t.conf:1:1: found [wifi], expected one of \(sections)"),
  (
    "[programe evening]",
    """
    t.conf:1:1: found [programe evening], expected one of \(sections); did you mean \
    \"programme evening\"?
    """
  ),
  ("[programme]", "t.conf:1:1: found [programme], expected one of \(sections)"),
  (
    "[interval]\nfractons = 1/2",
    """
    t.conf:2:1: found \"fractons\", expected every, fractions, at, from-end, random or count in \
    [interval]; did you mean \"fractions\"?
    """
  ),
]

@Test(arguments: unknownNames)
func name_unknown_isRefusedWithTheNearest(text: String, message: String) {
  #expect(messages(text) == message)
}

@Test(arguments: [
  ("[sit]\nlength = 20", "t.conf:2:10: found \"20\", expected a unit: d, h, m, s, ms or us"),
  ("[sit]\nlength = 20min", "t.conf:2:12: found \"min\", expected a unit: d, h, m, s, ms or us"),
  ("[sit]\nlength =", "t.conf:2:9: found nothing, expected a length such as 1m30s"),
  ("[sit]\nlength = 59s", "t.conf:2:10: found \"59s\", expected a length from 1m to 7d"),
  ("[sit]\nlength = 7d1us", "t.conf:2:10: found \"7d1us\", expected a length from 1m to 7d"),
  ("[sit]\npreparation = 31m", "t.conf:2:15: found \"31m\", expected a length from 0 to 30m"),
  (
    "[sit]\novertime = yep", "t.conf:2:12: found \"yep\", expected yes or no; did you mean \"yes\"?"
  ),
  ("[sit]\novertime = true", "t.conf:2:12: found \"true\", expected yes or no"),
  (
    "[interval]\nevery = 999ms",
    "t.conf:2:9: found \"999ms\", expected 0 or a length from 1s to 7d"
  ),
  (
    "[bell end]\nstrikes = 0",
    "t.conf:2:11: found \"0\", expected a whole number from 1 to 108"
  ),
  (
    "[bell end]\nstrikes = 3x",
    "t.conf:2:11: found \"3x\", expected a whole number from 1 to 108"
  ),
  (
    "[bell end]\nlevel = loud",
    "t.conf:2:9: found \"loud\", expected a level from -60 dB to 12 dB"
  ),
  (
    "[bell end]\nlevel = 12.1 dB",
    "t.conf:2:9: found \"12.1 dB\", expected a level from -60 dB to 12 dB"
  ),
  (
    "[bell end]\nsound = großes Gong",
    "t.conf:2:9: found \"großes Gong\", expected a sound's name, own/NAME or none"
  ),
  ("[crown]\ndetents-per-cycle = 3", "t.conf:2:21: found \"3\", expected 1, 2 or 4"),
  ("[store]\nfolder = sits", "t.conf:2:10: found \"sits\", expected a path that begins with /"),
  ("[day]\nstarts = 4:00", "t.conf:2:10: found \"4:00\", expected a time from 00:00 to 06:00"),
  ("[day]\nstarts = 06:01", "t.conf:2:10: found \"06:01\", expected a time from 00:00 to 06:00"),
  (
    "[sound]\ndevice =",
    "t.conf:2:9: found nothing, expected an ALSA device by the id of its card, as "
      + "/proc/asound/cards has it in brackets, such as default or hw:CARD=DAC"
  ),
])
func value_wrong_isRefusedWithWhatIsAllowed(text: String, message: String) {
  #expect(messages(text) == message)
}

@Test(arguments: [
  ("sit.length", "1m"), ("sit.length", "7d"), ("sit.preparation", "0"),
  ("sit.preparation", "30m"), ("interval.every", "0"), ("interval.every", "1s"),
  ("bell.end.strikes", "108"), ("bell.start.level", "-60"), ("bell.start.level", "+12 dB"),
  ("bell.start.level", "-0.5dB"), ("day.starts", "06:00"), ("store.folder", ""),
  ("sound.lead-in", ""), ("crown.detents-per-cycle", "2"), ("button.debounce", "0"),
])
func set_valueAtTheEndOfItsRange_isTaken(key: String, value: String) {
  #expect(message(set: key, value) == "")
}

@Test(arguments: [
  (
    "bell.ned.strikes", "1",
    "found \"bell.ned.strikes\", expected a configuration key such as sit.length; did you mean "
      + "\"bell.end.strikes\"?"
  ),
  (
    "programme.evening.segmnts", "sit 5m",
    "found \"segmnts\", expected segments, rounds, sit.length, a key of [sit], [interval] or "
      + "[bell ROLE] with its section before it, or a key such as bell.walk.begin.strikes; did "
      + "you mean \"segments\"?"
  ),
  ("length", "5m", "found \"length\", expected a configuration key such as sit.length"),
  ("", "5m", "found nothing, expected a configuration key such as sit.length"),
  ("sit.length", "8d", "found \"8d\", expected a length from 1m to 7d"),
])
func set_wrongNameOrValue_isRefused(key: String, value: String, text: String) {
  #expect(message(set: key, value) == text)
}

@Test func set_wrongValueInAFile_isNamedAtItsColumn() {
  var configuration = Configuration()
  let error = SettingsError(
    .value(found: "x", expected: "a unit: d, h, m, s, ms or us", nearest: nil),
    at: Place(file: "a.scenario", line: 2, column: 18))
  #expect(throws: error) {
    try configuration.set(
      key: "interval.every", value: "5x", keyPlace: Place(file: "a.scenario", line: 2, column: 5),
      valuePlace: Place(file: "a.scenario", line: 2, column: 17))
  }
  #expect(configuration == Configuration())
}

@Test(arguments: [
  (
    "[sit]\nminimum = 21m",
    "t.conf:2:1: found \"sit.minimum = 21m\", expected at most sit.length (20m)"
  ),
  (
    "[crown]\nfast-step = 30s",
    "t.conf:2:1: found \"crown.fast-step = 30s\", expected at least crown.step (1m)"
  ),
  (
    "[button]\ndouble = 50ms\ndebounce = 60ms",
    "t.conf:3:1: found \"button.debounce = 60ms\", expected at most button.double (50ms)"
  ),
  (
    "[bell end]\nstrikes = 102",
    "t.conf:2:1: found \"bell.end.strikes = 102\", expected strikes that end within 10m at "
      + "bell.end.gap 6s"
  ),
])
func settings_thatDisagree_areRefusedWhereOneWasSet(text: String, message: String) {
  #expect(messages(text) == message)
}

@Test func settings_thatAgreeExactly_areTaken() {
  #expect(messages("[sit]\nminimum = 20m") == "")
  #expect(messages("[bell end]\nstrikes = 101") == "")
  #expect(messages("[interval]\nevery = 3h") == "")
  #expect(messages("[crown]\nstep = 5m") == "")
}

@Test func check_afterSets_findsWhatDisagreesAndUnknownSounds() throws {
  var configuration = Configuration()
  try configuration.set(key: "crown.step", value: "10m")
  do {
    try configuration.check()
    Issue.record("a step above the fast step was taken")
  } catch {
    #expect(
      error.text == "found \"crown.step = 10m\", expected at most crown.fast-step (5m)")
  }
  try configuration.set(key: "crown.fast-step", value: "10m")
  try configuration.check(sounds: ["large-bowl"])
  try configuration.set(key: "bell.end.sound", value: "large-bow")
  do {
    try configuration.check(sounds: ["large-bowl"])
    Issue.record("an unknown sound was taken")
  } catch {
    #expect(
      error.text
        == "found \"large-bow\", expected large-bowl or none; did you mean \"large-bowl\"?")
  }
}

@Test func set_seededText_isTakenOrRefusedButNeverFatal() {
  var generator = SeededGenerator(seed: 11)
  let alphabet = Array("0123456789dhmsu:.-+ Byesno/앉")
  for key in ConfigurationKey.all + LocalChoice.all {
    for _ in 0..<100 {
      let text = String(
        (0..<generator.below(12)).map { _ in
          alphabet[Int(generator.below(UInt64(alphabet.count)))]
        })
      let refusal = message(set: key.dottedName, text)
      #expect(refusal.isEmpty || refusal.hasPrefix("found "), "\(key.dottedName) \(text)")
    }
  }
}

@Test func message_longText_isCut() {
  let long = String(repeating: "a", count: 61)
  #expect(
    messages("[sit]\n\(long)")
      == "t.conf:2:1: found \"\(String(repeating: "a", count: 60))…\", expected KEY = VALUE")
}
