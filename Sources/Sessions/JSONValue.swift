/// A JSON value that keeps what it does not understand.
///
/// Invariants:
/// - Numbers are kept as they were written, so a number of any size survives being rewritten.
/// - An object's members are in the order of their names' UTF-8 bytes, and no name is there twice.
/// - Two values are equal when their canonical bytes are. Swift's own string equality is not used:
///   it takes composed and decomposed letters for the same, and those are different bytes.
public indirect enum JSONValue: Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number, in the very digits it was written in.
  case number(String)
  /// Text.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Members in canonical order; made by `object(of:)`.
  case object([JSONMember])

  /// A whole number.
  public static func integer(_ value: Int64) -> JSONValue { .number(String(value)) }

  /// An object of members in any order.
  /// - Precondition: no name is given twice.
  public static func object(of members: [JSONMember]) -> JSONValue {
    let sorted = members.sorted { $0.name.precedes($1.name) }
    for (left, right) in zip(sorted, sorted.dropFirst()) {
      precondition(!left.name.hasSameBytes(as: right.name), "a member is given once")
    }
    return .object(sorted)
  }

  /// The whole number this is; nil when it is none or does not fit 64 bits.
  public var integerValue: Int64? {
    guard case .number(let digits) = self else { return nil }
    return Int64(digits)
  }

  /// The text this is; nil when it is none.
  public var stringValue: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The truth value this is; nil when it is none.
  public var boolValue: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The values of an array; nil when this is none.
  public var arrayValue: [JSONValue]? {
    guard case .array(let values) = self else { return nil }
    return values
  }

  var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// How many arrays and objects stand in one another here.
  var depth: Int {
    switch self {
    case .array(let values): 1 + (values.map(\.depth).max() ?? 0)
    case .object(let members): 1 + (members.map(\.value.depth).max() ?? 0)
    case .null, .bool, .number, .string: 0
    }
  }

  /// The members of an object; nil when this is none.
  public var members: [JSONMember]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// A member's value; nil when this is no object or has no such member.
  public subscript(name: String) -> JSONValue? {
    members?.first { $0.name.hasSameBytes(as: name) }?.value
  }
}

/// One member of a JSON object.
public struct JSONMember: Sendable, Equatable {
  /// The member's name.
  public var name: String
  /// The member's value.
  public var value: JSONValue

  /// Makes a member.
  public init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }

  /// Equal when name and value have the same bytes.
  public static func == (left: JSONMember, right: JSONMember) -> Bool {
    left.name.hasSameBytes(as: right.name) && left.value == right.value
  }
}

extension JSONValue: Hashable {
  /// As the canonical bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(encoded()) }

  /// Equal when the canonical bytes are.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    left.encoded() == right.encoded()
  }

  /// The canonical text in UTF-8: members in byte order of their names, no spaces, only what must
  /// be escaped escaped, numbers as they came. It holds no line break.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    encode(into: &bytes)
    return bytes
  }

  func encode(into bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number(let digits): bytes += digits.utf8
    case .string(let text): JSONValue.encode(text, into: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.encode(into: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONValue.encode(member.name, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.encode(into: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func encode(_ text: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x08: bytes += "\\b".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x0A: bytes += "\\n".utf8
      case 0x0C: bytes += "\\f".utf8
      case 0x0D: bytes += "\\r".utf8
      case ..<0x20:
        bytes += Array("\\u00".utf8) + [Hexadecimal.digit(byte >> 4), Hexadecimal.digit(byte & 15)]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension String {
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

/// Lower-case hexadecimal digits, read and written. Capitals are refused: one bit turns `a` into
/// `A`, and a flipped bit must be seen.
enum Hexadecimal {
  static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }

  static func value(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit - UInt8(ascii: "a")) + 10
    default: nil
    }
  }

  static func text(_ value: UInt32) -> [UInt8] {
    (0..<8).map { digit(UInt8(truncatingIfNeeded: value >> UInt32(28 - 4 * $0)) & 15) }
  }

  static func word(_ digits: ArraySlice<UInt8>) -> UInt32? {
    guard digits.count == 8 else { return nil }
    var word: UInt32 = 0
    for digit in digits {
      guard let value = value(digit) else { return nil }
      word = word << 4 | value
    }
    return word
  }
}
