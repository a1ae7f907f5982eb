import Zones

extension WallInstant {
  /// Reads what `text` writes: ISO 8601 with an offset, to the millisecond, of the years 0000 to
  /// 9999 in UTC. Digits behind the third of a second are dropped.
  /// - Returns: the instant and its offset in seconds east of Greenwich; nil where it is none.
  public static func read(_ text: String) -> (instant: WallInstant, offsetSeconds: Int64)? {
    var reader = WallInstantReader(Array(text.utf8))
    return reader.read()
  }
}

private struct WallInstantReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read() -> (instant: WallInstant, offsetSeconds: Int64)? {
    // A local year of before 0 stands at the very beginning of the range.
    let sign = take("-") ? -1 : 1
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      let date = LocalDate(year: sign * year, month: month, day: day), take("T"),
      let clock = clock(), let fraction = fraction(), let offset = offset(),
      position == bytes.count
    else { return nil }
    let seconds = date.daysSinceEpoch * 86_400 + clock - offset
    let instant = WallInstant(milliseconds: seconds * 1_000 + fraction)
    return WallInstant.range.contains(instant.milliseconds) ? (instant, offset) : nil
  }

  private mutating func clock() -> Int64? {
    guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60,
      take(":"), let second = number(2), second < 60
    else { return nil }
    return Int64(hour * 3_600 + minute * 60 + second)
  }

  /// Milliseconds.
  private mutating func fraction() -> Int64? {
    guard take(".") else { return 0 }
    var (value, count): (Int64, Int) = (0, 0)
    while let digit = digit() {
      if count < 3 { value = value * 10 + Int64(digit) }
      count += 1
    }
    for _ in min(count, 3)..<3 { value *= 10 }
    return count == 0 ? nil : value
  }

  /// `Z`, `+09:00`, and with seconds as a local mean time has them.
  private mutating func offset() -> Int64? {
    if take("Z") { return 0 }
    let isWest = take("-")
    guard isWest || take("+"), let hours = number(2), hours < 24, take(":"),
      let minutes = number(2), minutes < 60
    else { return nil }
    var seconds = 0
    if take(":") {
      guard let number = number(2), number < 60 else { return nil }
      seconds = number
    }
    let size = Int64(hours * 3_600 + minutes * 60 + seconds)
    return isWest ? -size : size
  }

  private mutating func take(_ character: Character) -> Bool {
    guard position < bytes.count, bytes[position] == character.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func digit() -> Int? {
    guard position < bytes.count, (0x30...0x39).contains(bytes[position]) else { return nil }
    defer { position += 1 }
    return Int(bytes[position] - 0x30)
  }

  private mutating func number(_ digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }
}
