import Testing
import Ticks

@testable import Settings

private func values(_ text: String) -> [String] {
  INIReader(Array(text.utf8), file: "t.conf").sections.flatMap { section in
    section.entries.map { "\(section.name)|\($0.key)|\($0.value)" }
  }
}

@Test func ini_whiteSpaceAndComments_areNotPartOfTheText() {
  let text = """
    # first
      ; second
    [ sit ]  # a section
    length=20m
    \t minimum \t=  60s \t# a comment
    folder = /a;b#c ; d
    empty =
    equal = a = b

    [bell \t end]
    sound = bowl
    """
  #expect(
    values(text) == [
      "sit|length|20m", "sit|minimum|60s", "sit|folder|/a;b#c ; d", "sit|empty|",
      "sit|equal|a = b", "bell end|sound|bowl",
    ])
}

@Test func ini_carriageReturnsAndByteOrderMark_areTolerated() {
  #expect(values("\u{FEFF}[sit]\r\nlength = 5m\r\n") == ["sit|length|5m"])
  #expect(values("[sit]\nlength = 5m") == ["sit|length|5m"])
}

@Test func ini_placesOfKeyAndValue_countCharacters() {
  let reader = INIReader(Array("[sit]\n\tlength =  5m\nfolder = 앉기 x\nempty =".utf8), file: "f")
  let entries = reader.sections[0].entries
  #expect(entries[0].keyPlace == Place(file: "f", line: 2, column: 2))
  #expect(entries[0].valuePlace == Place(file: "f", line: 2, column: 12))
  #expect(entries[1].valuePlace == Place(file: "f", line: 3, column: 10))
  #expect(entries[2].valuePlace == Place(file: "f", line: 4, column: 8))
}

@Test func ini_longLine_isReadWhole() {
  let long = String(repeating: "x", count: 100_000)
  #expect(values("[sit]\nlength = \(long)") == ["sit|length|\(long)"])
}

@Test(arguments: [
  (
    "length = 5m",
    "t.conf:1:1: found the key \"length\", expected a section before it, such as [sit]"
  ),
  ("[sit", "t.conf:1:1: found \"[sit\", expected a section in brackets, such as [sit]"),
  ("[]", "t.conf:1:1: found \"[]\", expected a section in brackets, such as [sit]"),
  ("[sit] x", "t.conf:1:1: found \"[sit] x\", expected a section in brackets, such as [sit]"),
  ("[sit]\n  length", "t.conf:2:3: found \"length\", expected KEY = VALUE"),
  ("[sit]\n= 5m", "t.conf:2:1: found \"= 5m\", expected KEY = VALUE"),
  ("[sit]\nlength # = 5m", "t.conf:2:1: found \"length\", expected KEY = VALUE"),
  (
    "[sit]\nlength = 5m\n[day]\n[sit]\nlength = 6m",
    "t.conf:4:1: found a second [sit], expected it once; the first is on line 1"
  ),
  (
    "[sit]\nlength = 5m\nlength = 6m",
    "t.conf:3:1: found a second \"length\", expected it once; the first is on line 2"
  ),
  ("[sit]\nlength = 5\u{0}m", "t.conf:2:11: found the character U+0000, expected text"),
  ("[sit]\rlength = 5m", "t.conf:1:6: found the character U+000D, expected text"),
  ("[sit]\nlength = 5m\u{7F}", "t.conf:2:12: found the character U+007F, expected text"),
])
func ini_malformedLine_saysWhatWasFoundWhere(text: String, message: String) {
  #expect(messages(text) == message)
}

@Test func ini_bytesThatAreNotUTF8_areNamed() {
  let bytes = Array("[sit]\n# ok\nlength = 앉".utf8) + [0xFF, 0x6D]
  #expect(messages(bytes: bytes) == "t.conf:3:11: found the byte 0xFF, expected UTF-8")
  let cut = Array("[store]\nfolder = /".utf8) + [0xEC, 0x95]
  #expect(messages(bytes: cut) == "t.conf:2:11: found the byte 0xEC, expected UTF-8")
}

@Test func ini_manyErrors_areFiveInOrderAndACount() {
  let many = "[sit]\n" + (0..<25).map { "k\($0) = 1\n" }.joined() + "no sign\n"
  let lines = messages(many).split(separator: "\n")
  #expect(lines.count == 6)
  #expect(lines[0].hasPrefix("t.conf:2:1: found \"k0\""))
  #expect(lines[4].hasPrefix("t.conf:6:1: found \"k4\""))
  #expect(lines[5] == "and 21 more")
  let five = "[sit]\n" + (0..<5).map { "k\($0) = 1\n" }.joined()
  #expect(messages(five).split(separator: "\n").count == 5)
  #expect(!messages(five).contains("more"))
}

@Test func ini_fileThatIsTooLong_isNotReadAtAll() {
  let limit = INIReader.byteCountMax
  let comment = "# " + String(repeating: "x", count: limit - 2)
  #expect(messages(comment) == "")
  #expect(
    messages(comment + "x") == "t.conf:1:1: found a file of 262145 bytes, expected at most 262144")
}

@Test func ini_fileFullOfErrors_namesTheFirstAndCountsTheRest() {
  let sections = (0..<2_000).map { "[s\($0)]\n" }.joined()
  #expect(messages(sections).hasSuffix("and 1995 more"))
  let bytes = Array(String(repeating: "\0\n", count: 100_000).utf8)
  #expect(messages(bytes: bytes).hasSuffix("and 99995 more"))
}

@Test func ini_seededBytes_areReadOrRefusedButNeverFatal() {
  var generator = SeededGenerator(seed: 5)
  let alphabet = Array("[]=#; \t\n\r\0sit length 5m.앉\u{FEFF}".utf8) + [0xFF, 0xC0]
  for _ in 0..<3_000 {
    let bytes = (0..<generator.below(60)).map { _ in
      alphabet[Int(generator.below(UInt64(alphabet.count)))]
    }
    let reader = INIReader(bytes, file: "f")
    let lineCount = bytes.split(separator: 10, omittingEmptySubsequences: false).count
    let entries = reader.sections.reduce(0) { $0 + $1.entries.count }
    #expect(entries + reader.problems.errors.count + reader.sections.count <= lineCount)
  }
}
