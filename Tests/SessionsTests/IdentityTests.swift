import Sessions
import Testing
import Ticks

@Suite struct IdentityTests {
  @Test func identity_writtenAndRead_isItself() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<500 {
      let identity = Identity(randomHigh: random.next(), low: random.next())
      #expect(Identity(identity.description) == identity)
      #expect(Identity(identity.description.lowercased()) == identity)
      let characters = Array(identity.description)
      #expect(characters[14] == "4" && "89AB".contains(characters[19]))
    }
    let known = Identity(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
    #expect(known.description == "01234567-89AB-CDEF-FEDC-BA9876543210")
  }

  @Test(arguments: [
    "", "01234567-89AB-CDEF-FEDC-BA987654321", "01234567-89AB-CDEF-FEDC-BA98765432100",
    "0123456789AB-CDEF-FEDC-BA9876543210-", "01234567-89AB-CDEF-FEDC-BA987654321G",
  ])
  func textThatIsNoUUID_read_isNone(_ text: String) {
    #expect(Identity(text) == nil)
  }

  @Test(arguments: [
    (1_795_986_013_450, 32_400, "2026-11-30T06:00:13.450+09:00"),
    (1_795_986_013_000, 0, "2026-11-29T21:00:13Z"),
    (1_795_986_013_001, -12_600, "2026-11-29T17:30:13.001-03:30"),
    (0, 1_172, "1970-01-01T00:19:32+00:19:32"), (-1, 0, "1969-12-31T23:59:59.999Z"),
    (951_782_400_000, 0, "2000-02-29T00:00:00Z"), (4_107_542_400_000, 0, "2100-03-01T00:00:00Z"),
    (253_402_300_799_999, 0, "9999-12-31T23:59:59.999Z"),
    (-62_167_219_200_000, 0, "0000-01-01T00:00:00Z"),
  ])
  func instant_writtenInAnOffset_isISO8601(_ milliseconds: Int64, _ offset: Int64, _ text: String) {
    #expect(WallInstant(milliseconds: milliseconds).text(offsetSeconds: offset) == text)
  }

  @Test func nanoseconds_asAnInstant_areRoundedDown() {
    #expect(WallInstant(nanoseconds: 1_999_999).milliseconds == 1)
    #expect(WallInstant(nanoseconds: -1).milliseconds == -1)
  }

  @Test func day_aroundItsStart_changesThere() {
    let four = Int64(4 * 3_600)
    // 2026-11-30 04:00 in Seoul.
    let start = WallInstant(milliseconds: 1_795_978_800_000)
    let before = WallInstant(milliseconds: start.milliseconds - 1)
    #expect(before.day(offsetSeconds: 32_400, dayStartsSeconds: four).text == "2026-11-29")
    #expect(start.day(offsetSeconds: 32_400, dayStartsSeconds: four).text == "2026-11-30")
    #expect(before.day(offsetSeconds: 32_400).text == "2026-11-30")
  }
}
