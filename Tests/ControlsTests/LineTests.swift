import Controls
import Testing

@Test func lines_lettersAndButtons_areThoseOfScenarios() {
  let letters = Line.allCases.map { String(Unicode.Scalar($0.letter)) }.joined()
  #expect(letters == "ABSUDLROKP")
  #expect(Line.allCases.map { Line(letter: $0.letter) } == Line.allCases)
  #expect(Line(letter: UInt8(ascii: "X")) == nil)
  #expect(Line(letter: UInt8(ascii: "a")) == nil)
  #expect(Button.allCases.map { Button(line: $0.line) } == Button.allCases)
  #expect([Line.a, .b].map { Button(line: $0) } == [nil, nil])
}

@Test func lineLevels_eachLine_isKeptAlone() {
  for line in Line.allCases {
    var levels = LineLevels.rest
    levels[line] = .low
    #expect(Line.allCases.filter { levels[$0] == .low } == [line])
    levels[line] = .high
    #expect(levels == .rest)
  }
}
