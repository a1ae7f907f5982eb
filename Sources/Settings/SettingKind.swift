import Appliance
import Bells
import Box
import Ticks
import TimerMachine

/// The kind of value that a key takes, and its range.
public enum SettingKind: Equatable, Sendable {
  /// A length such as `10s`.
  case length(ClosedRange<Span>)
  /// A length, or `0` for none at all.
  case lengthOrZero(ClosedRange<Span>)
  /// `yes` or `no`.
  case yesOrNo
  /// A whole number.
  case count(ClosedRange<Int>)
  /// One of a few whole numbers.
  case countAmong([Int])
  /// One of a few words.
  case words([String])
  /// A number, with at most one digit after the point, and `dB`, which may be left out.
  case decibels(ClosedRange<Int>)
  /// `HH:MM`, held as the span since midnight.
  case timeOfDay(ClosedRange<Span>)
  /// A name of letters, digits, `-` and `_`, at most 63 of them: a sound, a device.
  case name
  /// A file's path from the root.
  case path
  /// Text of at most 200 characters.
  case text
  /// A sound's name, `own/NAME` or `none`.
  case sound
  /// An ALSA device, whose card is named by its id.
  case device
  /// A list of such devices.
  case devices
  /// A length that may be negative, or pairs of device and such a length.
  case offsets
  /// The name of a pattern, or pairs of offset and strength.
  case pattern
  /// A list of fractions such as `1/2`.
  case fractions
  /// A list of lengths.
  case lengths(ClosedRange<Span>)
  /// A count, or a count and the window in which so many are drawn.
  case random(ClosedRange<Int>)
  /// The segments of a programme, each a kind and a length.
  case segments
  /// A length, `open` or `until HH:MM`.
  case programmeLength(ClosedRange<Span>)
  /// A programme's name.
  case programmeName
  /// Days of the week.
  case days

  /// What a value must be, in words.
  public var expected: String {
    switch self {
    case .length(let range):
      return "a length from \(range.lowerBound.lengthText) to \(range.upperBound.lengthText)"
    case .lengthOrZero(let range):
      return "0 or a length from \(range.lowerBound.lengthText) to \(range.upperBound.lengthText)"
    case .yesOrNo: return "yes or no"
    case .count(let range):
      return "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .countAmong(let counts): return listed(counts.map { "\($0)" })
    case .words(let words): return listed(words)
    case .decibels(let range):
      return "a level from \(range.lowerBound) dB to \(range.upperBound) dB"
    case .timeOfDay(let range):
      return "a time from \(timeOfDayText(range.lowerBound)) to \(timeOfDayText(range.upperBound))"
    case .name: return "a name of at most 63 letters, digits, - and _"
    case .path: return "a path that begins with /"
    case .text: return "a text of 1 to 200 characters"
    case .sound: return SettingKind.expectedSound
    case .device: return SettingKind.expectedDevice
    case .devices: return SettingKind.expectedDevices
    case .offsets: return SettingKind.expectedOffsets
    case .pattern: return SettingKind.expectedPattern
    case .fractions: return SettingKind.expectedFractions
    case .lengths(let range): return SettingKind.expectedLengths(range)
    case .random(let range): return SettingKind.expectedRandom(range)
    case .segments: return SettingKind.expectedSegments
    case .programmeLength(let range): return SettingKind.expectedProgrammeLength(range)
    case .programmeName: return ProgrammeName.expected
    case .days: return SettingKind.expectedDays
    }
  }
}

/// A value that has been read.
public enum SettingValue: Equatable, Sendable {
  /// A length, or a time of day as the span since midnight.
  case length(Span)
  /// Yes or no.
  case flag(Bool)
  /// A whole number.
  case count(Int)
  /// A level in decibels.
  case decibels(Double)
  /// A word, a name, a path or a text.
  case text(String)
  /// Names of devices.
  case list([String])
  /// Offsets of outputs.
  case offsets(OutputOffsets)
  /// A pattern of strikes.
  case pattern(StrikePattern)
  /// Parts of a sit.
  case fractions([IntervalPlan.Fraction])
  /// Lengths.
  case lengths([Span])
  /// How many bells are drawn, and from where; nil for the whole sit.
  case random(Int, in: ClosedRange<Span>?)
  /// Segments, once through.
  case segments([Segment])
  /// How long a programme is; the span of a fixed one.
  case programmeLength(Programme.Length, Span?)
  /// Days of the week.
  case days(Weekdays)
  /// The empty value of a key that is not set unless somebody sets it.
  case unset
}

extension SettingKind {
  /// Reads a value.
  /// - Parameters:
  ///   - text: the value without white space around it.
  ///   - place: where it begins, for the error.
  func read(_ text: String, at place: Place?) throws(SettingsError) -> SettingValue {
    switch self {
    case .length(let range):
      return .length(try length(text, at: place) { range.contains($0) })
    case .lengthOrZero(let range):
      return .length(try length(text, at: place) { $0 == .zero || range.contains($0) })
    case .yesOrNo:
      return .flag(try word(text, among: ["yes", "no"], at: place) == "yes")
    case .words(let words):
      return .text(try word(text, among: words, at: place))
    case .count, .countAmong, .decibels, .timeOfDay, .name, .path, .text, .programmeName:
      guard let value = plainValue(text) else {
        throw SettingsError(.value(found: text, expected: expected, nearest: nil), at: place)
      }
      return value
    case .sound, .device, .devices, .offsets, .pattern:
      guard let value = try soundValue(text, at: place) else {
        preconditionFailure("not a sound's")
      }
      return value
    case .fractions: return .fractions(try fractions(text, at: place))
    case .lengths(let range): return .lengths(try lengths(text, range, at: place))
    case .random(let range): return try random(text, range, at: place)
    case .segments: return .segments(try segments(text, at: place))
    case .programmeLength(let range): return try programmeLength(text, range, at: place)
    case .days: return .days(try days(text, at: place))
    }
  }

  func length(
    _ text: String, at place: Place?, allowed: (Span) -> Bool
  ) throws(SettingsError) -> Span {
    guard !text.hasPrefix("-") else {
      throw SettingsError(
        .value(found: text, expected: "\(expected); a length is never negative", nearest: nil),
        at: place)
    }
    let span: Span
    do {
      span = try Span(length: text)
    } catch {
      // A text that only stops too early (`20`) is shown whole: nothing stands at its end.
      let isCut = error.found.isEmpty
      throw SettingsError(
        .value(found: isCut ? text : error.found, expected: "\(error.expected)", nearest: nil),
        at: isCut ? place : place?.moved(columns: error.column - 1))
    }
    guard allowed(span) else {
      throw SettingsError(.value(found: text, expected: expected, nearest: nil), at: place)
    }
    return span
  }

  private func word(
    _ text: String, among words: [String], at place: Place?
  ) throws(SettingsError) -> String {
    guard words.contains(text) else {
      let nearest = nearest(to: text, among: words)
      throw SettingsError(.value(found: text, expected: expected, nearest: nearest), at: place)
    }
    return text
  }

  /// The value of a kind whose errors need no more than the kind's own words; nil if it is wrong.
  private func plainValue(_ text: String) -> SettingValue? {
    switch self {
    case .count(let range):
      return wholeNumber(text).flatMap { range.contains($0) ? .count($0) : nil }
    case .countAmong(let counts):
      return wholeNumber(text).flatMap { counts.contains($0) ? .count($0) : nil }
    case .decibels(let range):
      return level(text, range).map { .decibels($0) }
    case .timeOfDay(let range):
      return spanSinceMidnight(text).flatMap { range.contains($0) ? .length($0) : nil }
    case .name:
      return (1...63).contains(text.utf8.count) && text.utf8.allSatisfy(isNameByte)
        ? .text(text) : nil
    case .programmeName:
      return ProgrammeName.isOne(text) ? .text(text) : nil
    case .path:
      return text.utf8.first == UInt8(ascii: "/") ? .text(text) : nil
    case .text:
      return (1...200).contains(text.unicodeScalars.count) ? .text(text) : nil
    default:
      return nil
    }
  }

  private func level(_ text: String, _ range: ClosedRange<Int>) -> Double? {
    var number = Substring(text)
    if number.hasSuffix("dB") {
      number = number.dropLast(2)
      while number.hasSuffix(" ") { number = number.dropLast() }
    }
    let sign: Double = number.hasPrefix("-") ? -1 : 1
    if number.hasPrefix("-") || number.hasPrefix("+") { number = number.dropFirst() }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    guard let whole = parts.first.flatMap(wholeNumber), parts.count <= 2 else { return nil }
    var tenths = 0
    if parts.count == 2 {
      guard parts[1].utf8.count == 1, let digit = wholeNumber(parts[1]) else { return nil }
      tenths = digit
    }
    let level = sign * (Double(whole) + Double(tenths) / 10)
    return Double(range.lowerBound)...Double(range.upperBound) ~= level ? level : nil
  }
}

/// A time of day as `HH:MM`.
func timeOfDayText(_ span: Span) -> String {
  let minutes = span / .minutes(1)
  let (hour, minute) = ("\(minutes / 60)", "\(minutes % 60)")
  return (hour.utf8.count < 2 ? "0" : "") + hour + ":" + (minute.utf8.count < 2 ? "0" : "") + minute
}

extension Configuration {
  /// A time of day from `HH:MM`, as the span since midnight; nil where it is none.
  public static func timeOfDay(_ text: String) -> Span? { spanSinceMidnight(text) }
}

func spanSinceMidnight(_ text: String) -> Span? {
  let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
  guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
    let hour = wholeNumber(parts[0]), let minute = wholeNumber(parts[1]), hour < 24, minute < 60
  else { return nil }
  return .hours(Int64(hour)) + .minutes(Int64(minute))
}

/// A number of at most nine digits and nothing else.
func wholeNumber(_ text: String) -> Int? {
  let isNumber = (1...9).contains(text.utf8.count) && text.utf8.allSatisfy(isDigit)
  return isNumber ? Int(text) : nil
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

private func isNameByte(_ byte: UInt8) -> Bool {
  isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
}

/// Words as a choice: `a, b or c`.
func listed(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}
