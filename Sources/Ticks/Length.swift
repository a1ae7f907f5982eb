// The text of a length, as people write it: `90s` `1m30s` `25m` `2h5m` `250ms` `40us` `3d` `0`.
//
// Invariants:
// - A length is a row of number and unit, without spaces, sign or fraction.
// - Units fall (d h m s ms us) and each stands at most once; only a bare `0` needs no unit.
// - A number may exceed its unit (`2880m`); what does not fit 63 bits of nanoseconds is refused.
// - What `lengthText` prints, `Span(length:)` reads back as the same span.

/// Why a text is no length. Columns count from 1, in bytes of UTF-8; all text before the column
/// is ASCII, so they are the columns a reader sees.
public enum LengthError: Error, Equatable, Sendable {
  /// A digit was due. `found` is the rest of the text, empty at its end.
  case numberExpected(found: String, column: Int)
  /// One of the units was due. `found` is what stands there, empty at the text's end.
  case unitExpected(found: String, column: Int)
  /// The unit is not smaller than the one before it.
  case unitOutOfOrder(found: String, column: Int)
  /// The length is greater than a span can hold (292 years). `found` is the whole text.
  case tooLong(found: String, column: Int)

  /// Where the text stops being a length, counted from 1.
  public var column: Int {
    switch self {
    case .numberExpected(_, let column), .unitExpected(_, let column),
      .unitOutOfOrder(_, let column), .tooLong(_, let column):
      return column
    }
  }

  /// What stands at the column; empty at the end of the text.
  public var found: String {
    switch self {
    case .numberExpected(let found, _), .unitExpected(let found, _),
      .unitOutOfOrder(let found, _), .tooLong(let found, _):
      return found
    }
  }

  /// What was due at the column, in words.
  public var expected: StaticString {
    switch self {
    case .numberExpected: "a length such as 1m30s"
    case .unitExpected: "a unit: d, h, m, s, ms or us"
    case .unitOutOfOrder: "units in falling order, each once: d, h, m, s, ms, us"
    case .tooLong: "a length below 292 years"
    }
  }
}

/// The units of a length from the longest to the shortest: their letters and nanoseconds.
private let lengthUnits: [(name: StaticString, nanoseconds: Int64)] = [
  ("d", 86_400_000_000_000),
  ("h", 3_600_000_000_000),
  ("m", 60_000_000_000),
  ("s", 1_000_000_000),
  ("ms", 1_000_000),
  ("us", 1_000),
]

extension Span {
  /// Reads a length: CONTRACT.md, "Lengths".
  /// - Parameter length: the whole text, without white space around it.
  public init(length: some StringProtocol) throws(LengthError) {
    try self.init(lengthBytes: Array(length.utf8))
  }

  /// Reads a length from bytes of UTF-8.
  /// - Parameter lengthBytes: the whole text, without white space around it.
  public init(lengthBytes bytes: [UInt8]) throws(LengthError) {
    if bytes == [UInt8(ascii: "0")] {
      self = .zero
      return
    }
    var total: Int64 = 0
    var position = 0
    var nextUnit = 0
    repeat {
      let start = position
      let count = try Span.number(in: bytes, at: &position)
      let unitStart = position
      while position < bytes.count, !isDigit(bytes[position]) { position += 1 }
      let name = bytes[unitStart..<position]
      guard let unit = Span.unit(named: name) else {
        throw .unitExpected(found: text(name), column: unitStart + 1)
      }
      guard unit >= nextUnit else {
        throw .unitOutOfOrder(found: text(name), column: unitStart + 1)
      }
      nextUnit = unit + 1
      let part = count.multipliedReportingOverflow(by: lengthUnits[unit].nanoseconds)
      let sum = total.addingReportingOverflow(part.partialValue)
      guard !part.overflow, !sum.overflow else {
        throw .tooLong(found: text(bytes[...]), column: start + 1)
      }
      total = sum.partialValue
    } while position < bytes.count
    self.init(nanoseconds: total)
  }

  /// The shortest exact text of this length in falling units: `1m30s`, `13s450ms`, `0`.
  /// - Precondition: the length is not negative and a whole number of microseconds. The grammar
  ///   has no sign and nothing below `us`, so asking for such a text is misuse and stops the
  ///   program.
  public var lengthText: String {
    precondition(nanoseconds >= 0, "a length has no sign")
    precondition(nanoseconds % 1_000 == 0, "a length is whole microseconds")
    guard nanoseconds > 0 else { return "0" }
    var text = ""
    var rest = nanoseconds
    for unit in lengthUnits where rest >= unit.nanoseconds {
      text += "\(rest / unit.nanoseconds)\(unit.name)"
      rest %= unit.nanoseconds
    }
    return text
  }

  private static func number(
    in bytes: [UInt8], at position: inout Int
  ) throws(LengthError) -> Int64 {
    let start = position
    var value: Int64 = 0
    while position < bytes.count, isDigit(bytes[position]) {
      let shifted = value.multipliedReportingOverflow(by: 10)
      let digit = Int64(bytes[position] - UInt8(ascii: "0"))
      let sum = shifted.partialValue.addingReportingOverflow(digit)
      guard !shifted.overflow, !sum.overflow else {
        throw .tooLong(found: text(bytes[...]), column: start + 1)
      }
      value = sum.partialValue
      position += 1
    }
    guard position > start else {
      throw .numberExpected(found: text(bytes[start...]), column: start + 1)
    }
    return value
  }

  private static func unit(named name: ArraySlice<UInt8>) -> Int? {
    lengthUnits.firstIndex { unit in
      unit.name.utf8CodeUnitCount == name.count
        && unit.name.withUTF8Buffer { $0.elementsEqual(name) }
    }
  }
}

private func isDigit(_ byte: UInt8) -> Bool {
  UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9")
}

private func text(_ bytes: ArraySlice<UInt8>) -> String {
  String(decoding: bytes, as: UTF8.self)
}
