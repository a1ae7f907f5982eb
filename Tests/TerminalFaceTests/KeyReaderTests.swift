import Testing

@testable import TerminalFace

private func keys(_ parts: String...) -> [Key] {
  var reader = KeyReader()
  return parts.flatMap { reader.read(Array($0.utf8)) }
}

@Suite struct KeyReaderTests {
  @Test(
    arguments: [
      ("\u{1B}[C", [.turn(1)]), ("\u{1B}[D", [.turn(-1)]), ("\u{1B}OC", [.turn(1)]),
      ("\u{1B}OD", [.turn(-1)]), ("\u{1B}[1;5C", [.turn(1)]), ("\u{1B}[A\u{1B}[B", []),
      (" ", [.press]), ("\r", [.press]), ("\n", [.press]), ("q", [.quit]), ("\u{3}", [.quit]),
      ("\u{1B}[<64;10;5M", [.turn(1)]), ("\u{1B}[<65;10;5M", [.turn(-1)]),
      ("\u{1B}[<80;10;5M", [.turn(1)]), ("\u{1B}[<0;1;1M\u{1B}[<0;1;1m", []),
      ("\u{1B}[M q q", [.quit]), ("\u{1B}[M`  ", [.turn(1)]), ("\u{1B}[Ma !", [.turn(-1)]),
      ("\u{1B}[C\u{1B}[C\u{1B}[D", [.turn(1), .turn(1), .turn(-1)]),
      ("xyz\u{1B}[3~\t", []), ("앉기", []),
    ] as [(String, [Key])])
  func bytes_ofEachTerminal_areKeys(bytes: String, expected: [Key]) {
    #expect(keys(bytes) == expected)
  }

  @Test(
    arguments: [
      ("\u{1B}[32u", [.pressDown]), ("\u{1B}[32;1:1u", [.pressDown]), ("\u{1B}[32;1:2u", []),
      ("\u{1B}[32;1:3u", [.pressUp]), ("\u{1B}[13;1:1u\u{1B}[13;1:3u", [.pressDown, .pressUp]),
      ("\u{1B}[57414;129:3u", [.pressUp]), ("\u{1B}[113u", [.quit]), ("\u{1B}[113;1:3u", []),
      ("\u{1B}[113;5u", []), ("\u{1B}[99;5u", [.quit]), ("\u{1B}[99;133u", [.quit]),
      ("\u{1B}[99u", []), ("\u{1B}[1;1:1C", [.turn(1)]), ("\u{1B}[1;1:2C", [.turn(1)]),
      ("\u{1B}[1;1:3C", []), ("\u{1B}[57441;2u", []), ("\u{1B}[?11u", []), ("\u{1B}[;;u", []),
      ("\u{1B}[32:32:32;:3u", [.pressUp]), ("\u{1B}[99;99999999999999999999u", []),
    ] as [(String, [Key])])
  func bytes_withReleases_areTrueKeys(bytes: String, expected: [Key]) {
    #expect(keys(bytes) == expected)
  }

  @Test func sequence_splitAnywhere_isTheSameKeys() {
    let whole = "\u{1B}[C \u{1B}OD\u{1B}[<64;10;5M\u{1B}[32;1:3u\u{1B}[200~ q\u{1B}[201~q"
    let expected = keys(whole)
    #expect(expected == [.turn(1), .press, .turn(-1), .turn(1), .pressUp, .quit])
    for cut in 1..<whole.utf8.count {
      var reader = KeyReader()
      let bytes = Array(whole.utf8)
      #expect(reader.read(Array(bytes[..<cut])) + reader.read(Array(bytes[cut...])) == expected)
    }
  }

  @Test func escape_alone_meansNothingAndLosesNothing() {
    #expect(keys("\u{1B}", "q") == [.quit])
    #expect(keys("\u{1B}", "\u{1B}", " ") == [.press])
    #expect(keys("\u{1B}", "\u{1B}[C") == [.turn(1)])
  }

  @Test func paste_isIgnoredWhole() {
    #expect(keys("\u{1B}[200~q q\r\u{1B}[C\u{1B}OD\u{3}", " q", "\u{1B}[201~ ") == [.press])
  }

  @Test func answer_ofTheTerminal_isNoKey() {
    #expect(keys("\u{1B}]11;rgb:q q\u{7} ") == [.press])
    #expect(keys("\u{1B}P1$r q\u{1B}\\ ") == [.press])
  }

  @Test func sequence_withoutEnd_isDroppedAtItsLimit() {
    #expect(keys("\u{1B}[" + String(repeating: "1", count: 64) + "C") == [.turn(1)])
    #expect(keys("\u{1B}[" + String(repeating: "1", count: 65) + "C ") == [.press])
    #expect(keys("\u{1B}[1;\u{1B}[C") == [.turn(1)])
  }
}
