import Sessions

/// Reads a JSON array element by element, so that one that is wrong costs itself and not the file.
/// Each byte is looked at once here, and once more by the parser of its element.
struct JSONRows {
  /// An element and the line at which it begins, from 1; where it is none, what is wrong and the
  /// line of that.
  struct Row {
    var line: Int
    var value: JSONValue?
    /// Why there is no value.
    var problem: String?
  }

  private let bytes: [UInt8]
  private var position: Int
  private var line = 1
  private var lineStart = 0
  private var isOver = false

  /// - Parameter bytes: a text that begins with a bracket, after white space.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = 0
    skipSpace()
    position += 1
  }

  /// The next element; nil at the end.
  mutating func next() -> Row? {
    if isOver { return nil }
    skipSpace()
    let start = (position: position, line: line, column: position - lineStart)
    guard let byte = current else { return finish("the text ends, expected \"]\"") }
    if byte == UInt8(ascii: "]") {
      position += 1
      skipSpace()
      return current == nil ? finish(nil) : finish("something stands behind the list")
    }
    skipElement()
    let text = Array(bytes[start.position..<position])
    if current == UInt8(ascii: ",") { position += 1 }
    do throws(JSONError) {
      return Row(line: start.line, value: try JSONValue(parsing: text))
    } catch {
      var error = error
      if error.line == 1 { error.column += start.column }
      error.line += start.line - 1
      return Row(line: error.line, problem: error.inLine)
    }
  }

  private mutating func finish(_ problem: String?) -> Row? {
    isOver = true
    return problem.map { Row(line: line, problem: $0) }
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func step() {
    if bytes[position] == 0x0A {
      line += 1
      lineStart = position + 1
    }
    position += 1
  }

  private mutating func skipSpace() {
    while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { step() }
  }

  /// Goes to the comma behind an element, or to the bracket that closes the list.
  private mutating func skipElement() {
    var depth = 0
    var isText = false
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "\\") where isText: step()
      case _ where isText: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ",") where depth == 0: return
      case UInt8(ascii: "]") where depth == 0: return
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(0, depth - 1)
      default: break
      }
      if position < bytes.count { step() }
    }
  }
}
