import Controls
import Glibc
import Testing

@testable import Settings

private func devices(_ text: String) throws -> [InputDeviceWiring] {
  try board("[board]\nname = tv\n" + text).inputDevices
}

@Test func device_withKeys_hasThose() throws {
  let text = "[input remote]\ndevice = *CEC*\nKEY_UP = up\nKEY_F5 = play\nturn = REL_DIAL\n"
  #expect(
    try devices(text)
      == [
        InputDeviceWiring(name: "*CEC*", keys: ["KEY_UP": .up, "KEY_F5": .play], axis: "REL_DIAL")
      ])
}

@Test func device_withoutKeys_hasTheUsualOnes() throws {
  let devices = try devices("[input a]\ndevice = A b\n[input  c]\ndevice = rotary@*\nturn = REL_X")
  #expect(devices.map(\.name) == ["A b", "rotary@*"])
  #expect(devices.map(\.axis) == [nil, "REL_X"])
  #expect(devices.allSatisfy { $0.keys == InputDeviceWiring.usualKeys })
}

@Test func usualKeys_areThoseOfTheKernelAndPlayEveryButtonButTheCrown() {
  #expect(InputDeviceWiring.usualKeys.keys.allSatisfy(KeyNames.contains))
  let lines = Line.allCases.filter { line in
    InputDeviceWiring.usualKeys.values.contains(line)
  }
  #expect(lines == [.up, .down, .left, .right, .select, .back, .play])
}

private let partsExpected =
  "expected crown-switch, up, down, left, right, select, back or play"

private let wrongDevices: [(text: String, message: String)] = [
  ("[input a]\nKEY_UP = up", "b.ini:3:1: found no such key, expected device in [input a]"),
  ("[input a]\ndevice =", "b.ini:4:9: found nothing, expected a text of 1 to 200 characters"),
  (
    "[input a]\ndevice = a\nKEY_PLAYPUASE = play",
    "b.ini:5:1: found \"KEY_PLAYPUASE\", expected device, turn or a key such as KEY_OK; did you "
      + "mean \"KEY_PLAYPAUSE\"?"
  ),
  (
    "[input a]\ndevice = a\ndevise = b",
    "b.ini:5:1: found \"devise\", expected device, turn or a key such as KEY_OK; did you mean "
      + "\"device\"?"
  ),
  (
    "[input a]\ndevice = a\nkey_up = up",
    "b.ini:5:1: found \"key_up\", expected device, turn or a key such as KEY_OK"
  ),
  ("[input a]\ndevice = a\nKEY_UP = crown-a", "b.ini:5:10: found \"crown-a\", \(partsExpected)"),
  (
    "[input a]\ndevice = a\nKEY_UP = upp",
    "b.ini:5:10: found \"upp\", \(partsExpected); did you mean \"up\"?"
  ),
  (
    "[input a]\ndevice = a\nturn = REL_WHEEL_HI_RES",
    "b.ini:5:8: found \"REL_WHEEL_HI_RES\", expected REL_X, REL_Y, REL_Z, REL_RX, REL_RY, REL_RZ, "
      + "REL_HWHEEL, REL_DIAL, REL_WHEEL or REL_MISC"
  ),
  (
    "[input a]\ndevice = x\n[input b]\ndevice = x",
    "b.ini:6:10: found \"x\", expected another device, for [input a] has this one"
  ),
  (
    "[input a]\ndevice = x\n[input a]\ndevice = y",
    "b.ini:5:1: found a second [input a], expected it once; the first is on line 3"
  ),
]

@Test(arguments: wrongDevices)
func device_wrong_isRefusedWithItsPlace(text: String, message: String) {
  #expect(boardMessages("[board]\nname = tv\n" + text) == message)
}

/// The kernel's header is here wherever C compiles, and only grows.
@Test func keyNames_areThoseOfTheKernelsHeader() throws {
  let file = try #require(fopen("/usr/include/linux/input-event-codes.h", "rb"))
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 262_144)
  let text = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
  let words = Set(text.split { " \t\n".contains($0) })
  #expect(KeyNames.all.filter { !words.contains($0[...]) } == [])
  #expect(KeyNames.all.count > 600)
  #expect(Set(KeyNames.all).count == KeyNames.all.count)
}
