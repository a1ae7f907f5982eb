import Testing
import Zones

@Test(arguments: [
  ("1970-01-01T00:00:00Z", 0, 0), ("2026-11-30T06:00:00+09:00", 1_795_986_000_000_000_000, 32_400),
  ("2026-11-29T21:00:00Z", 1_795_986_000_000_000_000, 0),
  ("2026-11-29T16:30:00.000000001-04:30", 1_795_986_000_000_000_001, -16_200),
  ("1969-12-31T23:59:59.5Z", -500_000_000, 0),
  ("1677-09-21T00:12:43.145224192Z", Int64.min, 0),
  ("2262-04-11T23:47:16.854775807Z", Int64.max, 0),
])
func timestamp_canonicalText_isReadAndPrintedTheSame(
  text: String, nanoseconds: Int64, offset: Int32
) throws {
  let timestamp = try Timestamp(text: text)
  #expect(timestamp == Timestamp(unixNanoseconds: nanoseconds, offsetSeconds: offset))
  #expect(timestamp.text == text)
}

@Test(arguments: [
  ("2026-11-30T06:00:00.500+00:00", "2026-11-30T06:00:00.5Z"),
  ("2026-11-30T06:00:00.000000000-00:00", "2026-11-30T06:00:00Z"),
])
func timestamp_otherSpelling_isPrintedCanonically(text: String, canonical: String) throws {
  #expect(try Timestamp(text: text).text == canonical)
}

@Test(arguments: [
  ("", TimestampError.digitExpected(found: "", column: 1)),
  ("now", .digitExpected(found: "now", column: 1)),
  ("2026-11-30", .characterExpected(character: "T", found: "", column: 11)),
  ("2026-11-30 06:00:00Z", .characterExpected(character: "T", found: " 06:00:00Z", column: 11)),
  ("2026-13-30T06:00:00Z", .outOfRange(part: .month, found: "13", column: 6)),
  ("2026-02-29T06:00:00Z", .outOfRange(part: .day, found: "29", column: 9)),
  ("2026-11-30T24:00:00Z", .outOfRange(part: .hour, found: "24", column: 12)),
  ("2026-11-30T06:60:00Z", .outOfRange(part: .minute, found: "60", column: 15)),
  ("2026-11-30T06:00:60Z", .outOfRange(part: .second, found: "60", column: 18)),
  (
    "2026-11-30T06:00:00",
    .characterExpected(character: "Z or an offset such as +09:00", found: "", column: 20)
  ),
  ("2026-11-30T06:00:00.Z", .digitExpected(found: "Z", column: 21)),
  (
    "2026-11-30T06:00:00.1234567891Z",
    .characterExpected(character: "Z or an offset such as +09:00", found: "1Z", column: 30)
  ),
  ("2026-11-30T06:00:00+0900", .characterExpected(character: ":", found: "00", column: 23)),
  ("2026-11-30T06:00:00+09:60", .outOfRange(part: .minute, found: "60", column: 24)),
  ("2026-11-30T06:00:00Z ", .endExpected(found: " ", column: 21)),
  ("2262-04-11T23:47:16.854775808Z", .tooFar(found: "2262-04-11T23:47:16.854775808Z")),
  ("1677-09-21T00:12:43.145224191Z", .tooFar(found: "1677-09-21T00:12:43.145224191Z")),
  ("0000-01-01T00:00:00Z", .tooFar(found: "0000-01-01T00:00:00Z")),
])
func timestamp_malformed_saysWhatWasFoundWhere(text: String, error: TimestampError) {
  #expect(throws: error) { try Timestamp(text: text) }
}

@Test func timestamp_seededInstants_readBackTheSame() throws {
  var generator = SplitMix(state: 9)
  for _ in 0..<2_000 {
    let timestamp = Timestamp(
      unixNanoseconds: Int64.random(in: (.min)...(.max), using: &generator),
      offsetSeconds: Int32.random(in: -1_439...1_439, using: &generator) * 60)
    #expect(try Timestamp(text: timestamp.text) == timestamp)
  }
}

@Test func timestamp_offsetWithSeconds_keepsTheInstant() throws {
  // Seoul's local mean time, 8:27:52 ahead of UTC.
  let timestamp = Timestamp(unixNanoseconds: 0, offsetSeconds: 30_472)
  #expect(timestamp.text == "1970-01-01T08:27:00+08:27")
  #expect(try Timestamp(text: timestamp.text).unixNanoseconds == 0)
}

@Test func timestampError_expectation_namesTheRange() {
  let error = TimestampError.outOfRange(part: .hour, found: "24", column: 12)
  #expect(error.expected == "an hour from 00 to 23")
  #expect(error.found == "24")
  #expect(error.column == 12)
}
