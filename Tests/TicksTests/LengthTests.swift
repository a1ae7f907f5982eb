import Testing
import Ticks

@Test(arguments: [
  ("90s", 90_000_000_000), ("1m30s", 90_000_000_000), ("25m", 1_500_000_000_000),
  ("1h", 3_600_000_000_000), ("2h5m", 7_500_000_000_000), ("2880m", 172_800_000_000_000),
  ("250ms", 250_000_000), ("1202500ms", 1_202_500_000_000), ("40us", 40_000),
  ("3d", 259_200_000_000_000), ("0", 0), ("0s", 0), ("1d2h3m4s5ms6us", 93_784_005_006_000),
])
func length_asTheContractWritesIt_isRead(text: String, nanoseconds: Int64) throws {
  #expect(try Span(length: text) == Span(nanoseconds: nanoseconds))
}

@Test(arguments: [
  ("", LengthError.numberExpected(found: "", column: 1)),
  ("m", .numberExpected(found: "m", column: 1)),
  (" 1m", .numberExpected(found: " 1m", column: 1)),
  ("-1m", .numberExpected(found: "-1m", column: 1)),
  ("20", .unitExpected(found: "", column: 3)),
  ("00", .unitExpected(found: "", column: 3)),
  ("1m30", .unitExpected(found: "", column: 5)),
  ("1.5m", .unitExpected(found: ".", column: 2)),
  ("5 m", .unitExpected(found: " m", column: 2)),
  ("5m ", .unitExpected(found: "m ", column: 2)),
  ("5min", .unitExpected(found: "min", column: 2)),
  ("5M", .unitExpected(found: "M", column: 2)),
  ("5분", .unitExpected(found: "분", column: 2)),
  ("30s1m", .unitOutOfOrder(found: "m", column: 5)),
  ("1m2m", .unitOutOfOrder(found: "m", column: 4)),
  ("106752d", .tooLong(found: "106752d", column: 1)),
  ("106751d24h", .tooLong(found: "106751d24h", column: 8)),
  ("99999999999999999999us", .tooLong(found: "99999999999999999999us", column: 1)),
])
func length_malformed_saysWhatWasFoundWhere(text: String, expected: LengthError) {
  #expect(throws: expected) { try Span(length: text) }
}

@Test func length_greatestSpan_isReadAndOneMoreIsRefused() throws {
  #expect(
    try Span(length: "9223372036854775us").nanoseconds == 9_223_372_036_854_775_000)
  #expect(throws: LengthError.tooLong(found: "9223372036854776us", column: 1)) {
    try Span(length: "9223372036854776us")
  }
}

@Test(arguments: [
  ("90s", "1m30s"), ("13450ms", "13s450ms"), ("2880m", "2d"), ("0s", "0"), ("60m", "1h"),
  ("1000001us", "1s1us"),
])
func lengthText_anyLength_isTheShortestInFallingUnits(text: String, canonical: String) throws {
  #expect(try Span(length: text).lengthText == canonical)
}

@Test func lengthText_seededLengths_readBackTheSame() throws {
  var generator = SeededGenerator(seed: 2)
  for _ in 0..<2_000 {
    let bits = generator.below(54)
    let span = Span.microseconds(Int64(generator.below((1 << bits) + 1)) % 9_223_372_036_854_775)
    #expect(try Span(length: span.lengthText) == span)
  }
}

@Test func length_substringAndBytes_readAlike() throws {
  let statement = "at 1m30s turn 5"
  let word = try #require(statement.split(separator: " ").dropFirst().first)
  #expect(try Span(length: word) == .seconds(90))
  #expect(try Span(lengthBytes: Array(word.utf8)) == .seconds(90))
}

@Test func lengthError_expectation_namesWhatIsAllowed() {
  let error = LengthError.unitExpected(found: "min", column: 2)
  #expect("\(error.expected)" == "a unit: d, h, m, s, ms or us")
  #expect(error.found == "min")
  #expect(error.column == 2)
}
