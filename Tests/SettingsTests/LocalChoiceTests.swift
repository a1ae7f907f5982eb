import Settings
import Testing

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
  #expect(try LocalChoice.read(key: "sound.device", value: "hw:0") == .text("hw:0"))
  #expect(try LocalChoice.read(key: "sound.device", value: "") == .unset)
  #expect(try LocalChoice.standard(key: "volume") == .count(60))
  #expect(try LocalChoice.standard(key: "sound.device") == .unset)
}

@Test(arguments: [
  ("volume", "101", "found \"101\", expected a whole number from 0 to 100"),
  ("volume", "-1", "found \"-1\", expected a whole number from 0 to 100"),
  ("volume", "", "found nothing, expected a whole number from 0 to 100"),
  (
    "volume.end", "5",
    "found \"volume.end\", not built yet in this version, expected volume or sound.device"
  ),
  (
    "brightness", "5",
    "found \"brightness\", not built yet in this version, expected volume or sound.device"
  ),
  ("volum", "5", "found \"volum\", expected volume or sound.device; did you mean \"volume\"?"),
])
func localChoice_wrong_isRefused(key: String, value: String, text: String) {
  #expect(message(key, value) == text)
}
