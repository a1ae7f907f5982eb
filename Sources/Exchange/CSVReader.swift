/// A cell of a CSV file.
struct CSVCell: Equatable, Sendable {
  var text: String
  /// Whether it stood in quotes: so an empty text differs from none.
  var isQuoted = false
}

/// A record of a CSV file: a line, or more where a cell in quotes has line breaks.
struct CSVRow: Equatable, Sendable {
  /// The line at which it begins, from 1.
  var line: Int
  var cells: [CSVCell] = []
  /// Why it cannot be used; nil when it can.
  var problem: String?
}

/// Reads CSV (RFC 4180): cells in quotes, doubled quotes in them, line breaks in them; lines ended
/// by a line feed, a carriage return or both; a byte-order mark before all. Empty lines are none.
///
/// What is wrong with a row costs this row, and the next line is read again. Each byte is looked at
/// a bounded number of times: only once is a quote that nothing closes given up.
struct CSVReader {
  private let bytes: [UInt8]
  private var position: Int
  private var line = 1
  private var hasGivenUp = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next row; nil at the end.
  mutating func next() -> CSVRow? {
    while takeLineBreak() {}
    guard position < bytes.count else { return nil }
    let start = (position: position, line: line)
    var row = CSVRow(line: line)
    do throws(Fault) {
      repeat { row.cells.append(try cell()) } while take(UInt8(ascii: ","))
    } catch {
      row.cells = []
      row.problem = error.text
      if error == .notClosed, !hasGivenUp {
        hasGivenUp = true
        (position, line) = start
      }
      skipLine()
    }
    return row
  }

  private enum Fault: Error {
    case notClosed, textBehindQuote, quoteInText, notUTF8

    var text: String {
      switch self {
      case .notClosed: "a quote is not closed"
      case .textBehindQuote: "text stands behind a closing quote"
      case .quoteInText: "a quote stands within a cell that does not begin with one"
      case .notUTF8: "not UTF-8"
      }
    }
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ wanted: UInt8) -> Bool {
    guard byte == wanted else { return false }
    position += 1
    return true
  }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Takes CR LF, LF or CR.
  private mutating func takeLineBreak() -> Bool {
    let isReturn = take(0x0D)
    guard take(0x0A) || isReturn else { return false }
    line += 1
    return true
  }

  private mutating func skipLine() {
    while let byte, !CSVReader.isBreak(byte) { position += 1 }
  }

  private mutating func cell() throws(Fault) -> CSVCell {
    if take(UInt8(ascii: "\"")) { return try quotedCell() }
    let start = position
    while let byte, byte != UInt8(ascii: ","), !CSVReader.isBreak(byte) {
      if byte == UInt8(ascii: "\"") { throw .quoteInText }
      position += 1
    }
    return CSVCell(text: try CSVReader.text(bytes[start..<position]))
  }

  private mutating func quotedCell() throws(Fault) -> CSVCell {
    var content: [UInt8] = []
    var isClosed = false
    while !isClosed, let byte {
      if byte == UInt8(ascii: "\"") {
        position += 1
        // A second one stands for itself.
        isClosed = !take(UInt8(ascii: "\""))
        if !isClosed { content.append(byte) }
      } else if CSVReader.isBreak(byte) {
        let start = position
        _ = takeLineBreak()
        content += bytes[start..<position]
      } else {
        content.append(byte)
        position += 1
      }
    }
    if !isClosed { throw .notClosed }
    if let byte, byte != UInt8(ascii: ","), !CSVReader.isBreak(byte) { throw .textBehindQuote }
    return CSVCell(text: try CSVReader.text(content[...]), isQuoted: true)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) throws(Fault) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
    return text
  }
}
