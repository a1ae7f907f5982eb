/// What is wrong with a JSON text, and where.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    /// The text ended where something had to follow.
    case ended(expected: String)
    /// Something else stands where something had to follow.
    case unexpected(found: String, expected: String)
    /// An object has this name twice.
    case duplicateName(String)
    /// Arrays and objects are nested deeper than `JSONParser.depthLimit`.
    case tooDeep(limit: Int)
    /// The bytes are not UTF-8.
    case notUTF8
    /// An escape stands for half of a surrogate pair.
    case loneSurrogate
  }

  /// The line, from 1.
  public var line: Int
  /// The byte in the line, from 1.
  public var column: Int
  /// What is wrong there.
  public var reason: Reason

  /// The sentence a person reads.
  public var description: String { "line \(line), \(inLine)" }

  /// The sentence for whoever names the line already.
  public var inLine: String {
    let what =
      switch reason {
      case .ended(let expected): "the text ends, expected \(expected)"
      case .unexpected(let found, let expected): "found \(found), expected \(expected)"
      case .duplicateName(let name): "the name \"\(name)\" is there twice"
      case .tooDeep(let limit): "nested deeper than \(limit)"
      case .notUTF8: "not UTF-8"
      case .loneSurrogate: "half of a surrogate pair"
      }
    return "column \(column): \(what)"
  }
}

extension JSONValue {
  /// Reads one JSON text (RFC 8259), strictly: no comments, no trailing commas, no name twice, no
  /// byte-order mark, no more than `JSONParser.depthLimit` levels.
  /// - Parameter bytes: UTF-8.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    try self.init(parsing: bytes[...])
  }

  init(
    parsing bytes: ArraySlice<UInt8>, depthLimit: Int = JSONParser.depthLimit
  ) throws(JSONError) {
    var parser = JSONParser(bytes, depthLimit: depthLimit)
    self = try parser.parseText()
  }
}

/// A recursive reader of JSON. FoundationEssentials' decoder was not used since it keeps the first
/// of two equal names, turns numbers into doubles and gives no position.
public struct JSONParser {
  /// How many arrays and objects may stand in one another in what comes from outside.
  public static let depthLimit = 64

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var depth = 0
  private let depthLimit: Int

  init(_ bytes: ArraySlice<UInt8>, depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
    position = bytes.startIndex
  }

  mutating func parseText() throws(JSONError) -> JSONValue {
    let value = try parseValue()
    skipSpace()
    if position < bytes.endIndex { throw unexpected("the end") }
    return value
  }

  private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      position += 1
    }
  }

  private func error(_ reason: JSONError.Reason, at place: Int) -> JSONError {
    let before = bytes[bytes.startIndex..<place]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? bytes.startIndex
    let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    return JSONError(line: line, column: place - lineStart + 1, reason: reason)
  }

  private func unexpected(_ expected: String) -> JSONError {
    guard let byte = next else { return error(.ended(expected: expected), at: position) }
    let found =
      byte > 0x20 && byte < 0x7F ? "\"\(Character(Unicode.Scalar(byte)))\"" : "byte \(byte)"
    return error(.unexpected(found: found, expected: expected), at: position)
  }

  private mutating func take(_ byte: UInt8, _ expected: String) throws(JSONError) {
    guard next == byte else { throw unexpected(expected) }
    position += 1
  }

  private mutating func takeWord(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue
  {
    for byte in word.utf8 { try take(byte, word) }
    return value
  }

  private mutating func parseValue() throws(JSONError) -> JSONValue {
    skipSpace()
    guard let byte = next else { throw unexpected("a value") }
    switch byte {
    case UInt8(ascii: "{"): return try parseObject()
    case UInt8(ascii: "["): return try parseArray()
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try takeWord("true", .bool(true))
    case UInt8(ascii: "f"): return try takeWord("false", .bool(false))
    case UInt8(ascii: "n"): return try takeWord("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
    default: throw unexpected("a value")
    }
  }

  private mutating func descend() throws(JSONError) {
    if depth == depthLimit {
      throw error(.tooDeep(limit: depthLimit), at: position)
    }
    depth += 1
    position += 1
    skipSpace()
  }

  private mutating func parseArray() throws(JSONError) -> JSONValue {
    try descend()
    defer { depth -= 1 }
    var values: [JSONValue] = []
    while next != UInt8(ascii: "]") || !values.isEmpty {
      values.append(try parseValue())
      skipSpace()
      if next == UInt8(ascii: "]") { break }
      try take(UInt8(ascii: ","), "\",\" or \"]\"")
    }
    position += 1
    return .array(values)
  }

  private mutating func parseObject() throws(JSONError) -> JSONValue {
    try descend()
    defer { depth -= 1 }
    var members: [JSONMember] = []
    var places: [Int] = []
    while next != UInt8(ascii: "}") || !members.isEmpty {
      skipSpace()
      places.append(position)
      guard next == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
      let name = try parseString()
      skipSpace()
      try take(UInt8(ascii: ":"), "\":\"")
      members.append(JSONMember(name, try parseValue()))
      skipSpace()
      if next == UInt8(ascii: "}") { break }
      try take(UInt8(ascii: ","), "\",\" or \"}\"")
    }
    position += 1
    // In what we wrote ourselves the names are in order already.
    let neighbours = zip(members, members.dropFirst())
    if neighbours.allSatisfy({ $0.name.precedes($1.name) }) { return .object(members) }
    let sorted = zip(members, places).sorted { $0.0.name.precedes($1.0.name) }
    for (left, right) in zip(sorted, sorted.dropFirst())
    where left.0.name.hasSameBytes(as: right.0.name) {
      throw error(.duplicateName(left.0.name), at: max(left.1, right.1))
    }
    return .object(sorted.map(\.0))
  }

  private mutating func parseNumber() throws(JSONError) -> JSONValue {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") { position += 1 } else { try takeDigits() }
    if next == UInt8(ascii: ".") {
      position += 1
      try takeDigits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try takeDigits()
    }
    return .number(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func takeDigits() throws(JSONError) {
    guard let byte = next, Self.isDigit(byte) else { throw unexpected("a digit") }
    while let byte = next, Self.isDigit(byte) { position += 1 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private mutating func parseString() throws(JSONError) -> String {
    let start = position
    position += 1
    while let byte = next, (0x20..<0x80).contains(byte), byte != UInt8(ascii: "\""),
      byte != UInt8(ascii: "\\")
    {
      position += 1
    }
    let plain = bytes[(start + 1)..<position]
    if next == UInt8(ascii: "\"") {
      position += 1
      return String(decoding: plain, as: UTF8.self)
    }
    // Most texts have ended here; the others have an escape, or more than ASCII.
    var text = Array(plain)
    while true {
      guard let byte = next else { throw unexpected("the closing quote") }
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        guard let string = String(validating: text, as: UTF8.self) else {
          throw error(.notUTF8, at: start)
        }
        return string
      case UInt8(ascii: "\\"): text += try parseEscape()
      case ..<0x20: throw unexpected("an escape: control characters do not stand in text")
      default:
        text.append(byte)
        position += 1
      }
    }
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  private mutating func parseEscape() throws(JSONError) -> [UInt8] {
    let start = position
    position += 1
    if let byte = next, let escaped = Self.escapes[byte] {
      position += 1
      return [escaped]
    }
    try take(UInt8(ascii: "u"), "an escape")
    var scalar = try parseFourDigits()
    if scalar & 0xFC00 == 0xD800 {
      guard next == UInt8(ascii: "\\") else { throw error(.loneSurrogate, at: start) }
      position += 1
      try take(UInt8(ascii: "u"), "the other half of a surrogate pair")
      let low = try parseFourDigits()
      guard low & 0xFC00 == 0xDC00 else { throw error(.loneSurrogate, at: start) }
      scalar = 0x10000 + (scalar & 0x3FF) << 10 + (low & 0x3FF)
    }
    guard let valid = Unicode.Scalar(scalar) else { throw error(.loneSurrogate, at: start) }
    return Array(String(Character(valid)).utf8)
  }

  private mutating func parseFourDigits() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      // JSON takes capitals here; only our own checksums are strict about them.
      let folded = next.map { $0 >= 0x41 && $0 <= 0x46 ? $0 + 0x20 : $0 }
      guard let digit = folded.flatMap(Hexadecimal.value) else {
        throw unexpected("a hexadecimal digit")
      }
      value = value << 4 | digit
      position += 1
    }
    return value
  }
}
