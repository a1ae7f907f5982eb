import Appliance
import Bells
import Testing
import Ticks
import TimerMachine

@testable import Settings

private let device =
  "an ALSA device by the id of its card, as /proc/asound/cards has it in brackets, such as default "
  + "or hw:CARD=DAC"
private let devices =
  "up to 4 ALSA devices by the ids of their cards, a comma and a space between them"
private let offset =
  "a length from -2s to 2s, or a list such as hdmi:CARD=vc4hdmi0 150ms, default -20ms"
private let pattern =
  "a list of offset and strength (above 0, at most 1) such as 0s 1.0, 2s 0.6, or roll, 7-5-3 or "
  + "wake"
private let strength = "a strength above 0 and at most 1, such as 1.0 or 0.25"

@Test func soundKeys_allOfThem_areRead() throws {
  let read = try configuration(
    """
    [sound]
    device = plughw:CARD=DAC,DEV=0
    fallback = hdmi:CARD=vc4hdmi0,DEV=0, default
    lead-in = 10s
    keep-alive = always
    offset = 40ms, hdmi:CARD=vc4hdmi0,DEV=0 150ms, default -20ms
    speaker = small
    ambient = rain
    [cue]
    detent = always
    tap = no
    """)
  let sound = read.sound
  #expect(sound.device == "plughw:CARD=DAC,DEV=0")
  #expect(sound.fallback == ["hdmi:CARD=vc4hdmi0,DEV=0", "default"])
  #expect(sound.leadIn == .seconds(10) && sound.keepAlive == .always)
  let offsets = [sound.device, "hdmi:CARD=vc4hdmi0,DEV=0", "default"].map { sound.offsets[$0] }
  #expect(offsets == [.milliseconds(40), .milliseconds(150), .milliseconds(-20)])
  #expect(read.appliance.undecidedSpan == .milliseconds(20))
  #expect(sound.speaker == .small && sound.ambient == .rain)
  #expect(read.cue.detent == .always && !read.cue.hasTaps)
}

@Test(arguments: [
  ("hw:0", true), ("hw:1,0", true), ("plughw:0,3", true), ("default:2", true), ("hdmi:0", true),
  ("hw:CARD=0", true), ("hw:DEV=0,CARD=1", true), ("plug:hw:0", true), ("plug:'hw:0,0'", true),
  ("default", false), ("null", false), ("hw:DAC", false), ("hw:CARD=DAC,DEV=0", false),
  ("hw:CARD=1stDAC", false), ("bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp", false),
  ("plug:null", false), ("default:CARD=vc4hdmi0", false), ("hw: 0", true), ("hw:CARD= 0", true),
  ("plug:SLAVE='plug:hw:0'", true), ("plug:SLAVE=hw:0", true), ("tee:hw:0,x", true),
  ("plug:plughw:1,0", true), ("plug:surround40:0", true), ("hw:0x1", true), ("hw:CARD=+1", true),
  ("plug:hw:CARD=DAC", false), ("hw:0xDAC2i", false),
])
func device_namedByIndex_isTold(name: String, isIndex: Bool) {
  #expect(SettingKind.namesCardByIndex(name) == isIndex)
}

private let plain = "a device's name of letters, digits and _-+.,:="
private let player = "a device that plays; file and tee write to files"

@Test(arguments: [
  ("file:|touch X", plain), ("file:/etc/passwd", plain), ("null\nvolume = 3", plain),
  ("null\r", plain), ("null # x", plain), ("null;", plain), ("plug:{type file}", plain),
  ("plug:'file:x'", plain), ("plug:\"tee:null\"", plain), ("a b", plain), ("\u{E9}", plain),
  ("$X", plain), ("file:x", player), ("file", player), ("tee:null,x,raw", player),
  ("plug:file:x", player), ("plug:SLAVE=tee", player), ("hw: 0", plain), ("hw:0", device),
])
func device_thatWritesOrRunsSomething_isRefused(name: String, expected: String) {
  let message = "found \(quoted(name)), expected \(expected)"
  do throws(SettingsError) {
    _ = try LocalChoice.read(key: "sound.device", value: name)
    Issue.record("it was taken")
  } catch { #expect(error.text == message) }
}

@Test(arguments: ["default", "null", "pipewire", "plughw:CARD=DAC,DEV=0", "filed", "my-tee.2"])
func device_thatPlays_isTaken(name: String) throws {
  #expect(try LocalChoice.read(key: "sound.device", value: name) == .text(name))
}

private let wrongSounds: [(String, String)] = [
  ("[sound]\ndevice = hw:0", "t.conf:2:10: found \"hw:0\", expected " + device),
  (
    "[sound]\nfallback = default, hw:1,0",
    "t.conf:2:21: found \"hw:1,0\", expected " + devices
  ),
  (
    "[sound]\nfallback = a, b, c, d, e",
    "t.conf:2:12: found \"a, b, c, d, e\", expected " + devices
  ),
  ("[sound]\nfallback = a, , b", "t.conf:2:15: found nothing, expected " + devices),
  (
    "[sound]\nfallback = a, b, a",
    "t.conf:2:18: found a second \"a\", expected it once"
  ),
  (
    "[sound]\nfallback = a, default",
    "t.conf:2:15: found \"default\", expected a device other than sound.device"
  ),
  (
    "[sound]\noffset = b 1s, a 1s, b 20ms",
    "t.conf:2:22: found a second \"b\", expected it once"
  ),
  (
    "[sound]\noffset = 1s, 20ms",
    "t.conf:2:14: found \"20ms\", expected one length for all devices"
  ),
  (
    "[bell end]\npattern = roll\nstrikes = 2",
    "t.conf:3:1: found \"bell.end.strikes = 2\", expected no strikes beside bell.end.pattern"
  ),
  (
    "[bell end]\ngap = 2s\npattern = roll",
    "t.conf:2:1: found \"bell.end.gap = 2s\", expected no gap beside bell.end.pattern"
  ),
  ("[sound]\noffset = 2001ms", "t.conf:2:10: found \"2001ms\", expected " + offset),
  ("[sound]\noffset = -2001ms", "t.conf:2:10: found \"-2001ms\", expected " + offset),
  ("[sound]\noffset = a 1s b", "t.conf:2:10: found \"a 1s b\", expected " + offset),
  ("[sound]\noffset = 0, hw:0 1s", "t.conf:2:13: found \"hw:0\", expected " + offset),
  (
    "[sound]\nkeep-alive = sitt",
    "t.conf:2:14: found \"sitt\", expected sit, never or always; did you mean \"sit\"?"
  ),
  (
    "[sound]\nambient = fir",
    "t.conf:2:11: found \"fir\", expected none, fire or rain; did you mean \"fire\"?"
  ),
  (
    "[sound]\nspeaker = smal",
    "t.conf:2:11: found \"smal\", expected full or small; did you mean \"small\"?"
  ),
  ("[sound]\nlead-in = 10001ms", "t.conf:2:11: found \"10001ms\", expected a length from 0 to 10s"),
  (
    "[bell end]\npattern = rol",
    "t.conf:2:11: found \"rol\", expected " + pattern + "; did you mean \"roll\"?"
  ),
  ("[bell end]\npattern = 0s 1.0, 2s", "t.conf:2:19: found \"2s\", expected " + pattern),
  ("[bell end]\npattern = 0s 1.1", "t.conf:2:14: found \"1.1\", expected " + strength),
  ("[bell end]\npattern = 0s 0", "t.conf:2:14: found \"0\", expected " + strength),
  ("[bell end]\npattern = 0s 1, 2s  1.5", "t.conf:2:21: found \"1.5\", expected " + strength),
  (
    "[bell end]\npattern = 1s 1",
    "t.conf:2:11: found \"1s 1\", expected 0s for the first strike"
  ),
  (
    "[bell end]\npattern = 0s 1, 2s 1, 2s 1",
    "t.conf:2:23: found \"2s 1\", expected offsets that rise, up to 10m"
  ),
  (
    "[bell end]\npattern = 0s 1, 601s 1",
    "t.conf:2:17: found \"601s 1\", expected offsets that rise, up to 10m"
  ),
  (
    "[bell cue]\nsound = own/../x",
    "t.conf:2:9: found \"own/../x\", expected a sound's name, own/NAME or none"
  ),
]

@Test(arguments: wrongSounds)
func soundKey_wrong_isRefusedWithItsPlaceAndWhatIsExpected(text: String, message: String) {
  #expect(messages(text) == message)
}

@Test func pattern_ofStrikes_isTheBell() throws {
  let read = try configuration(
    "[bell end]\npattern = 0s 1.0, 2s 0.6, 2500ms 0.125\n[bell start]\npattern = roll\n")
  let bells = read.appliance.bells
  let end = bells[Int(BellRole.end.rawValue)]
  #expect(end.beatCount == 3)
  #expect((0..<3).map { end.beat($0).strength } == [1, 0.6, 0.125])
  #expect((0..<3).map { end.beat($0).offset } == [.zero, .seconds(2), .milliseconds(2_500)])
  #expect(bells[Int(BellRole.start.rawValue)].pattern == .roll)
}

@Test func pattern_thatIsEmpty_leavesTheStrikes() throws {
  #expect(messages("[bell end]\nstrikes = 2\npattern =\n") == "")
}

@Test func cueBell_level_isThatOfTheTapsToo() throws {
  let settings = try configuration("[bell cue]\nlevel = -6 dB\nsound = small-bowl\n").appliance
  let cue = settings.bells[Int(BellRole.cue.rawValue)]
  #expect(cue.sound == Sound.index(named: "small-bowl"))
  #expect(abs(settings.cues.gain - 0.501) < 0.001)
  #expect(abs(cue.gain - settings.cues.gain * ApplianceSettings.cueGain) < 0.000_1)
}

// MARK: - Sounds of one's own

private let recording = Sound(
  name: "own/gong", source: "a recording", recording: Recording(samples: [0, 0], gain: 1))

@Test func ownSound_thatIsThere_rings() throws {
  let read = try configuration("[bell end]\nsound = own/gong\n")
  try read.check(sounds: Sound.bellNames)
  let sounds = Sound.catalogue + [recording]
  #expect(read.appliance(sounds: sounds).bells[5].sound == sounds.count - 1)
  #expect(read.missingSounds(among: sounds) == [])
}

@Test func ownSound_thatIsMissing_leavesTheBuiltInBellAndIsNamed() throws {
  let read = try configuration("[bell end]\nsound = own/gong\n[bell start]\nsound = own/gong\n")
  #expect(read.missingSounds(among: Sound.catalogue) == ["own/gong"])
  #expect(read.appliance.bells[5].sound == 0)
}

@Test func builtInSound_misspelt_isAnErrorWithTheNearestName() throws {
  let read = try configuration("[bell end]\nsound = large-bwol\n")
  #expect(throws: SettingsProblems.self) { try read.check(sounds: ["large-bowl", "rin"]) }
  do { try read.check(sounds: ["large-bowl", "rin"]) } catch {
    #expect(
      error.text
        == "t.conf:2:9: found \"large-bwol\", expected large-bowl, rin or none; did you mean "
        + "\"large-bowl\"?")
  }
}
