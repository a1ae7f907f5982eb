import Settings
import Testing
import TimerMachine

private let built =
  "volume, volume.start, volume.interval, volume.end, volume.cue or sound.device"

private func message(_ key: String, _ value: String) -> String {
  do {
    _ = try LocalChoice.read(key: key, value: value)
    return ""
  } catch {
    return error.text
  }
}

@Test func localChoice_builtOnes_areRead() throws {
  #expect(try LocalChoice.read(key: "volume", value: "0") == .count(0))
  #expect(try LocalChoice.read(key: "volume", value: "100") == .count(100))
  #expect(try LocalChoice.read(key: "sound.device", value: "hw:CARD=A") == .text("hw:CARD=A"))
  #expect(try LocalChoice.read(key: "sound.device", value: "") == .unset)
  #expect(try LocalChoice.read(key: "volume.end", value: "7") == .count(7))
  #expect(try LocalChoice.subject(key: "volume") == .volume)
  #expect(try LocalChoice.subject(key: "volume.cue") == .roleVolume(.cue))
  #expect(try LocalChoice.subject(key: "sound.device") == .soundDevice)
  #expect(try LocalChoice.standard(key: "volume") == .count(60))
  #expect(try LocalChoice.standard(key: "sound.device") == .unset)
}

@Test(
  arguments: [
    ("volume", "101", "found \"101\", expected a whole number from 0 to 100"),
    ("volume", "-1", "found \"-1\", expected a whole number from 0 to 100"),
    ("volume", "", "found nothing, expected a whole number from 0 to 100"),
    (
      "volume.segment", "5",
      "found \"volume.segment\", not built yet in this version, expected " + built
    ),
    (
      "brightness", "5",
      "found \"brightness\", not built yet in this version, expected " + built
    ),
    ("volum", "5", "found \"volum\", expected " + built + "; did you mean \"volume\"?"),
    (
      "volume.ned", "5",
      "found \"volume.ned\", expected " + built + "; did you mean \"volume.end\"?"
    ),
    (
      "sound.device", "plughw:1,0",
      "found \"plughw:1,0\", expected an ALSA device by the id of its card, as /proc/asound/cards has "
        + "it in brackets, such as default or hw:CARD=DAC"
    ),
  ] as [(String, String, String)])
func localChoice_wrong_isRefused(key: String, value: String, text: String) {
  #expect(message(key, value) == text)
}
