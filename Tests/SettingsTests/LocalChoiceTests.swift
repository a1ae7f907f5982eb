import Settings
import Testing
import TimerMachine

private let names =
  "volume, volume.start, volume.interval, volume.segment, volume.end, volume.reminder, "
  + "volume.cue, programme, journey, rating, brightness, picture or sound.device"

private func message(_ key: String, _ value: String) -> String {
  do {
    _ = try LocalChoice.read(key: key, value: value)
    return ""
  } catch {
    return error.text
  }
}

@Test func localChoice_eachOne_isRead() throws {
  #expect(try LocalChoice.read(key: "volume", value: "0") == .count(0))
  #expect(try LocalChoice.read(key: "volume", value: "100") == .count(100))
  #expect(try LocalChoice.read(key: "sound.device", value: "hw:CARD=A") == .text("hw:CARD=A"))
  #expect(try LocalChoice.read(key: "sound.device", value: "") == .unset)
  #expect(try LocalChoice.read(key: "volume.end", value: "7") == .count(7))
  #expect(try LocalChoice.subject(key: "volume") == .volume)
  #expect(try LocalChoice.subject(key: "volume.cue") == .roleVolume(.cue))
  #expect(try LocalChoice.subject(key: "sound.device") == .soundDevice)
  #expect(try LocalChoice.read(key: "programme", value: "Abend 2") == .text("Abend 2"))
  #expect(try LocalChoice.subject(key: "programme") == .programme)
  #expect(try LocalChoice.read(key: "journey", value: "100 days") == .text("100 days"))
  #expect(try LocalChoice.subject(key: "journey") == .journey)
  #expect(try LocalChoice.read(key: "rating", value: "yes") == .flag(true))
  #expect(try LocalChoice.subject(key: "rating") == .rating)
  #expect(try LocalChoice.read(key: "picture", value: "none") == .text("none"))
  #expect(try LocalChoice.subject(key: "picture") == .picture)
  #expect(try LocalChoice.read(key: "brightness", value: "40") == .count(40))
  #expect(try LocalChoice.subject(key: "brightness") == .brightness)
  #expect(try LocalChoice.standard(key: "programme") == .text("simple"))
  #expect(try LocalChoice.standard(key: "journey") == .text("none"))
  #expect(try LocalChoice.standard(key: "volume") == .count(60))
  #expect(try LocalChoice.standard(key: "sound.device") == .unset)
}

@Test(
  arguments: [
    ("volume", "101", "found \"101\", expected a whole number from 0 to 100"),
    ("volume", "-1", "found \"-1\", expected a whole number from 0 to 100"),
    ("volume", "", "found nothing, expected a whole number from 0 to 100"),
    ("brightness", "101", "found \"101\", expected a whole number from 0 to 100"),
    ("rating", "5", "found \"5\", expected yes or no"),
    (
      "picture", "fir",
      "found \"fir\", expected fire, water, plain or none; did you mean \"fire\"?"
    ),
    (
      "programme", "20m",
      "found \"20m\", expected a name of 1 to 63 characters other than open and until, "
        + "without a dot, whose first is no digit and no dash"
    ),
    ("volum", "5", "found \"volum\", expected " + names + "; did you mean \"volume\"?"),
    (
      "volume.ned", "5",
      "found \"volume.ned\", expected " + names + "; did you mean \"volume.end\"?"
    ),
    (
      "sound.device", "plughw:1,0",
      "found \"plughw:1,0\", expected an ALSA device by the id of its card, as /proc/asound/cards "
        + "has it in brackets, such as default or hw:CARD=DAC"
    ),
  ] as [(String, String, String)])
func localChoice_wrong_isRefused(key: String, value: String, text: String) {
  #expect(message(key, value) == text)
}
