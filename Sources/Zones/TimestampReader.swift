/// Reads dates and instants from left to right and stops at the first byte that is wrong.
struct TimestampReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func instant() throws(TimestampError) -> Timestamp {
    let date = try date()
    try expect("T")
    let hour = try part(.hour, 0...23)
    try expect(":")
    let minute = try part(.minute, 0...59)
    try expect(":")
    let second = try part(.second, 0...59)
    let fraction = take(UInt8(ascii: ".")) ? try fraction() : 0
    let offset = try offset()
    try end()
    let local = date.daysSinceEpoch * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    // A negative second is counted up from the next one, so that the earliest instants fit too.
    let seconds = local - Int64(offset)
    let borrow: Int64 = seconds < 0 ? 1 : 0
    let whole = (seconds + borrow).multipliedReportingOverflow(by: 1_000_000_000)
    let sum = whole.partialValue.addingReportingOverflow(fraction - borrow * 1_000_000_000)
    guard !whole.overflow, !sum.overflow else { throw .tooFar(found: rest(from: 0)) }
    return Timestamp(unixNanoseconds: sum.partialValue, offsetSeconds: offset)
  }

  mutating func wholeDate() throws(TimestampError) -> LocalDate {
    let date = try date()
    try end()
    return date
  }

  private mutating func date() throws(TimestampError) -> LocalDate {
    let year = try number(digits: 4)
    try expect("-")
    let month = try part(.month, 1...12)
    try expect("-")
    let start = position
    let day = try number(digits: 2)
    guard let date = LocalDate(year: year, month: month, day: day) else {
      throw .outOfRange(part: .day, found: text(start..<position), column: start + 1)
    }
    return date
  }

  /// One to nine digits, in nanoseconds.
  private mutating func fraction() throws(TimestampError) -> Int64 {
    var value = Int64(try number(digits: 1))
    var digits = 1
    while digits < 9, position < bytes.count, isDigit(bytes[position]) {
      value = value * 10 + Int64(try number(digits: 1))
      digits += 1
    }
    while digits < 9 {
      value *= 10
      digits += 1
    }
    return value
  }

  /// `Z` or a signed offset, in seconds.
  private mutating func offset() throws(TimestampError) -> Int32 {
    if take(UInt8(ascii: "Z")) { return 0 }
    let negative = take(UInt8(ascii: "-"))
    guard negative || take(UInt8(ascii: "+")) else {
      throw .characterExpected(
        character: "Z or an offset such as +09:00", found: rest(from: position),
        column: position + 1)
    }
    let hour = try part(.hour, 0...23)
    try expect(":")
    let minute = try part(.minute, 0...59)
    let seconds = Int32(hour * 3_600 + minute * 60)
    return negative ? -seconds : seconds
  }

  private mutating func part(
    _ part: TimestampPart, _ range: ClosedRange<Int>
  ) throws(TimestampError) -> Int {
    let start = position
    let value = try number(digits: 2)
    guard range.contains(value) else {
      throw .outOfRange(part: part, found: text(start..<position), column: start + 1)
    }
    return value
  }

  private mutating func number(digits: Int) throws(TimestampError) -> Int {
    var value = 0
    for _ in 0..<digits {
      guard position < bytes.count, isDigit(bytes[position]) else {
        throw .digitExpected(found: rest(from: position), column: position + 1)
      }
      value = value * 10 + Int(bytes[position] - UInt8(ascii: "0"))
      position += 1
    }
    return value
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(TimestampError) {
    guard take(UInt8(ascii: character)) else {
      throw .characterExpected(
        character: String(Character(character)), found: rest(from: position),
        column: position + 1)
    }
  }

  private func end() throws(TimestampError) {
    guard position == bytes.count else {
      throw .endExpected(found: rest(from: position), column: position + 1)
    }
  }

  private func rest(from start: Int) -> String { text(start..<bytes.count) }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}
