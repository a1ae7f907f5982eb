import Testing

@testable import Exchange

@Suite struct CSVTests {
  private func rows(_ text: String) -> [CSVRow] { rows(Array(text.utf8)) }

  private func rows(_ bytes: [UInt8]) -> [CSVRow] {
    var reader = CSVReader(bytes)
    var rows: [CSVRow] = []
    while let row = reader.next() { rows.append(row) }
    return rows
  }

  private func texts(_ text: String) -> [[String]] { rows(text).map { $0.cells.map(\.text) } }

  @Test func cells_inQuotesAndWithout_endedByAnyLineBreak_areRead() {
    #expect(texts("a,b\r\nc,d\ne,f\rg,h") == [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]])
    #expect(texts("\u{FEFF}a,\"b,\"\"c\"\"\r\nd\"\r\n") == [["a", "b,\"c\"\r\nd"]])
    #expect(texts(",\n\n\n\"\",") == [["", ""], ["", ""]])
    let marks = rows("\"\",,x").map { $0.cells.map(\.isQuoted) }
    #expect(marks == [[true, false, false]])
    #expect(rows("").isEmpty && rows("\n\r\n").isEmpty)
  }

  @Test func rows_haveTheLineAtWhichTheyBegin() {
    #expect(rows("a\n\"b\nb\r\nb\"\r\nc").map(\.line) == [1, 2, 5])
  }

  @Test func brokenRows_areToldWithTheirLine_andTheOthersAreRead() {
    let found = rows("a\n\"b\"x,c\nd\"\n\"e\nf\ng,\"h\"\n")
    let problems: [String?] = [
      nil, "text stands behind a closing quote",
      "a quote stands within a cell that does not begin with one",
      "text stands behind a closing quote", nil,
    ]
    #expect(found.map(\.problem).prefix(4) == problems.prefix(4))
    // The quote of line 4 was closed by the one of line 6.
    #expect(found.map(\.line) == [1, 2, 3, 4])
    let open = rows("a\n\"b\nc\nd")
    #expect(open.map(\.problem) == [nil, "a quote is not closed", nil, nil])
    #expect(open.map(\.line) == [1, 2, 3, 4])
    #expect(rows([0x61, 0xFF, 0x0A, 0x62]).map(\.problem) == ["not UTF-8", nil])
  }

  @Test func anyBytes_endInBoundedTime_andNeverCrash() {
    var state: UInt64 = 7
    func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
    let alphabet: [UInt8] = Array("\"\"\"\",,,\r\n\nab\u{FEFF}".utf8) + [0xFF, 0xC3]
    for _ in 0..<20_000 {
      let bytes = (0..<below(40)).map { _ in alphabet[below(alphabet.count)] }
      let found = rows(bytes)
      #expect(found.count <= bytes.count)
      #expect(zip(found, found.dropFirst()).allSatisfy { $0.line < $1.line })
    }
    // A quote in each of a hundred thousand lines that nothing closes.
    let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: 1) + Array("x\n".utf8)
    let many = (0..<100_000).flatMap { _ in Array("y\"\n".utf8) } + quotes
    let clock = ContinuousClock()
    let time = clock.measure { #expect(rows(many).count == 100_001) }
    #expect(time < .seconds(20))
  }
}
