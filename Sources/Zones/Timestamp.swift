// The text of an instant on the wall clock: `2026-11-30T06:00:00+09:00`, `2026-11-29T21:00:00Z`,
// with up to nine digits after a full stop. This is RFC 3339 with capital letters and without leap
// seconds (Unix time has no 60th second).

/// Why a text is no instant. Columns count from 1, in bytes; all text before one is ASCII.
public enum TimestampError: Error, Equatable, Sendable {
  /// A digit was due. `found` is the rest of the text, empty at its end.
  case digitExpected(found: String, column: Int)
  /// One certain character was due.
  case characterExpected(character: String, found: String, column: Int)
  /// A part of the date, the time or the offset has a value that it cannot have.
  case outOfRange(part: TimestampPart, found: String, column: Int)
  /// Text follows where the instant is complete.
  case endExpected(found: String, column: Int)
  /// Nanoseconds since 1970 in 64 bits reach from 1677-09-21 to 2262-04-11; this lies outside.
  case tooFar(found: String)

  /// Where the text is wrong, counted from 1.
  public var column: Int {
    switch self {
    case .digitExpected(_, let column), .characterExpected(_, _, let column),
      .outOfRange(_, _, let column), .endExpected(_, let column):
      return column
    case .tooFar: return 1
    }
  }

  /// What stands at the column; empty at the end of the text.
  public var found: String {
    switch self {
    case .digitExpected(let found, _), .characterExpected(_, let found, _),
      .outOfRange(_, let found, _), .endExpected(let found, _), .tooFar(let found):
      return found
    }
  }

  /// What was due at the column, in words.
  public var expected: String {
    switch self {
    case .digitExpected: return "a digit of an instant such as 2026-11-30T06:00:00+09:00"
    case .characterExpected(let character, _, _): return character
    case .outOfRange(let part, _, _): return "\(part.allowed)"
    case .endExpected: return "the end of the instant"
    case .tooFar: return "an instant from 1677-09-22 to 2262-04-11"
    }
  }
}

/// A part of an instant's text that has a range.
public enum TimestampPart: Equatable, Sendable {
  /// The month.
  case month
  /// The day of the month.
  case day
  /// The hour of the day or of the offset.
  case hour
  /// The minute of the hour or of the offset.
  case minute
  /// The second.
  case second

  /// The range in words.
  public var allowed: StaticString {
    switch self {
    case .month: "a month from 01 to 12"
    case .day: "a day that the month has"
    case .hour: "an hour from 00 to 23"
    case .minute: "a minute from 00 to 59"
    case .second: "a second from 00 to 59"
    }
  }
}

/// An instant on the wall clock and the offset under which somebody saw it.
public struct Timestamp: Hashable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  public var unixNanoseconds: Int64
  /// Seconds by which local time was ahead of UTC.
  public var offsetSeconds: Int32

  /// Makes an instant from its parts.
  public init(unixNanoseconds: Int64, offsetSeconds: Int32 = 0) {
    self.unixNanoseconds = unixNanoseconds
    self.offsetSeconds = offsetSeconds
  }

  /// Reads an instant in ISO 8601 with an offset.
  /// - Parameter text: the whole text, without white space around it.
  public init(text: some StringProtocol) throws(TimestampError) {
    var reader = TimestampReader(Array(text.utf8))
    self = try reader.instant()
  }

  /// Whole seconds since 1970, rounded towards the past.
  public var unixSeconds: Int64 { floorDivide(unixNanoseconds, 1_000_000_000) }

  /// The day on the wall.
  public var localDate: LocalDate {
    LocalDate(unixSeconds: unixSeconds, offsetSeconds: offsetSeconds)
  }

  /// The instant as ISO 8601 writes it, with as many digits of the second as it needs and `Z` for
  /// an offset of 0. Offsets have whole minutes there, so one with seconds (local mean time, before
  /// 1950 nearly everywhere) is cut to minutes; the instant stays exact.
  public var text: String {
    let offsetMinutes = Int(offsetSeconds / 60)
    let seconds = unixSeconds
    let local = seconds + Int64(offsetMinutes * 60)
    let date = LocalDate(unixSeconds: local, offsetSeconds: 0)
    let second = Int(local - date.daysSinceEpoch * 86_400)
    var text = date.text + "T" + padded(second / 3_600, digits: 2) + ":"
    text += padded(second / 60 % 60, digits: 2) + ":" + padded(second % 60, digits: 2)
    let rest = Int(unixNanoseconds % 1_000_000_000)
    text += fraction(rest < 0 ? rest + 1_000_000_000 : rest)
    guard offsetMinutes != 0 else { return text + "Z" }
    let minutes = Int(offsetMinutes.magnitude)
    return text + (offsetMinutes < 0 ? "-" : "+") + padded(minutes / 60, digits: 2) + ":"
      + padded(minutes % 60, digits: 2)
  }

  private func fraction(_ nanoseconds: Int) -> String {
    guard nanoseconds > 0 else { return "" }
    var digits = 9
    var value = nanoseconds
    while value % 10 == 0 {
      value /= 10
      digits -= 1
    }
    return "." + padded(value, digits: digits)
  }
}

extension LocalDate {
  /// Reads a day such as `2026-11-30`, of the years 0000 to 9999.
  /// - Parameter text: the whole text, without white space around it.
  public init(text: some StringProtocol) throws(TimestampError) {
    var reader = TimestampReader(Array(text.utf8))
    self = try reader.wholeDate()
  }
}
