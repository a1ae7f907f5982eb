/// Reads a rule string. Every failure is `ZoneError.rule` with the offset of the wrong byte.
struct PosixZoneReader {
  private let bytes: [UInt8]
  private let end: Int
  private var position: Int

  /// - Parameters:
  ///   - bytes: the whole file, so that errors can name an offset in it.
  ///   - range: where the rule stands.
  init(_ bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// Reads the whole rule.
  mutating func read() throws(ZoneError) -> PosixZone {
    let standardName = try name()
    let westward = try seconds(hours: 0...24)
    let standard = LocalTime(
      offsetSeconds: Int32(-westward), isSummerTime: false, abbreviation: standardName)
    guard position < end else { return PosixZone(standard: standard, summer: nil) }
    let summerName = try name()
    // Summer time is an hour ahead unless the rule says otherwise.
    let summerWestward =
      peek() == UInt8(ascii: ",") ? westward - 3_600 : try seconds(hours: 0...24)
    let begin = try change()
    let finish = try change()
    guard position == end else { throw .rule(offset: position) }
    let time = LocalTime(
      offsetSeconds: Int32(-summerWestward), isSummerTime: true, abbreviation: summerName)
    return PosixZone(standard: standard, summer: .init(time: time, begin: begin, end: finish))
  }

  private func peek() -> UInt8? { position < end ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ byte: UInt8) throws(ZoneError) {
    guard take(byte) else { throw .rule(offset: position) }
  }

  /// Three letters or more, or such letters, digits and signs in angle brackets.
  private mutating func name() throws(ZoneError) -> String {
    let quoted = take(UInt8(ascii: "<"))
    let start = position
    while let byte = peek(), isLetter(byte) || quoted && isDigitOrSign(byte) { position += 1 }
    guard position - start >= 3 else { throw .rule(offset: position) }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    if quoted { try expect(UInt8(ascii: ">")) }
    return name
  }

  /// `[+|-]hh[:mm[:ss]]` in seconds.
  private mutating func seconds(hours: ClosedRange<Int>) throws(ZoneError) -> Int64 {
    let negative = take(UInt8(ascii: "-"))
    if !negative { _ = take(UInt8(ascii: "+")) }
    var total = try number(hours) * 3_600
    if take(UInt8(ascii: ":")) {
      total += try number(0...59) * 60
      if take(UInt8(ascii: ":")) { total += try number(0...59) }
    }
    return Int64(negative ? -total : total)
  }

  /// `,day[/time]`; without a time the change is at 02:00.
  private mutating func change() throws(ZoneError) -> YearlyChange {
    try expect(UInt8(ascii: ","))
    let day = try day()
    let seconds = take(UInt8(ascii: "/")) ? try seconds(hours: 0...167) : 7_200
    return YearlyChange(day: day, seconds: seconds)
  }

  private mutating func day() throws(ZoneError) -> ChangeDay {
    if take(UInt8(ascii: "J")) { return .julian(try number(1...365)) }
    guard take(UInt8(ascii: "M")) else { return .ordinal(try number(0...365)) }
    let month = try number(1...12)
    try expect(UInt8(ascii: "."))
    let week = try number(1...5)
    try expect(UInt8(ascii: "."))
    return .weekday(month: month, week: week, day: try number(0...6))
  }

  private mutating func number(_ range: ClosedRange<Int>) throws(ZoneError) -> Int {
    let start = position
    var value = 0
    while let byte = peek(), isDigit(byte) {
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      guard value <= range.upperBound else { throw .rule(offset: start) }
      position += 1
    }
    guard position > start, range.contains(value) else { throw .rule(offset: start) }
    return value
  }

  private func isLetter(_ byte: UInt8) -> Bool {
    // Clearing this bit turns a small letter into its capital.
    UInt8(ascii: "A") <= byte & 0xDF && byte & 0xDF <= UInt8(ascii: "Z")
  }

  private func isDigitOrSign(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
  }
}
