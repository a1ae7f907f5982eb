import Appliance
import Box
import Ticks
import TimerMachine

// The values of programmes, intervals and reminders that are more than one word. Items of a list
// have a comma and white space between them.

extension SettingKind {
  /// A segment lasts at least a tick, so that no two bells begin within one.
  static let segmentRange = Span.seconds(1)...Span.hours(168)
  /// No sit has more segments: a list by hand ends long before, rounds of one need not.
  static let segmentsMax = 1_000
  /// A list of lengths has no more, so that the journal of a sit can hold it.
  static let lengthsMax = 1_000

  static let expectedFractions =
    "a list of fractions between 0 and 1 such as 1/2, 3/4, each denominator at most 100"
  static let expectedSegments =
    "a list of kinds and lengths such as walk 10m, sit 25m"
  static let expectedDays =
    "daily or a list of days and ranges such as mon-fri, sun"

  static func expectedLengths(_ range: ClosedRange<Span>) -> String {
    "a list of lengths from \(range.lowerBound.lengthText) to \(range.upperBound.lengthText)"
  }

  static func expectedRandom(_ range: ClosedRange<Int>) -> String {
    "a whole number from \(range.lowerBound) to \(range.upperBound), or one and a window such as "
      + "3 in 5m..25m"
  }

  static func expectedProgrammeLength(_ range: ClosedRange<Span>) -> String {
    "a length from \(range.lowerBound.lengthText) to \(range.upperBound.lengthText), open, or "
      + "until and a time such as until 07:00"
  }

  private func wrong(_ found: String, at place: Place?, nearest: String? = nil) -> SettingsError {
    SettingsError(.value(found: found, expected: expected, nearest: nearest), at: place)
  }

  func fractions(
    _ text: String, at place: Place?
  ) throws(SettingsError) -> [IntervalPlan.Fraction] {
    var fractions: [IntervalPlan.Fraction] = []
    for item in SettingKind.items(text) {
      let place = SettingKind.moved(place, item)
      let parts = item.text.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, let above = wholeNumber(String(parts[0])),
        let under = wholeNumber(String(parts[1])), above >= 1, under > above, under <= 100
      else { throw wrong(item.text, at: place) }
      let fraction = IntervalPlan.Fraction(Int64(above), Int64(under))
      let isThere = fractions.contains {
        $0.numerator * fraction.denominator == fraction.numerator * $0.denominator
      }
      if isThere { throw SettingsError(.duplicateItem(found: item.text), at: place) }
      fractions.append(fraction)
    }
    return fractions
  }

  func lengths(
    _ text: String, _ range: ClosedRange<Span>, at place: Place?
  ) throws(SettingsError) -> [Span] {
    let items = SettingKind.items(text)
    guard items.count <= SettingKind.lengthsMax else {
      throw SettingsError(
        .value(
          found: "\(items.count) lengths", expected: "at most \(SettingKind.lengthsMax)",
          nearest: nil), at: place)
    }
    var lengths: [Span] = []
    for item in items {
      let place = SettingKind.moved(place, item)
      let span = try SettingKind.length(range).length(item.text, at: place) { range.contains($0) }
      if lengths.contains(span) {
        throw SettingsError(.duplicateItem(found: item.text), at: place)
      }
      lengths.append(span)
    }
    return lengths
  }

  /// `3`, or `3 in 5m..25m`.
  func random(
    _ text: String, _ range: ClosedRange<Int>, at place: Place?
  ) throws(SettingsError) -> SettingValue {
    let words = text.split { $0 == " " || $0 == "\t" }.map { String($0) }
    guard let count = words.first.flatMap(wholeNumber), range.contains(count),
      words.count == 1 || words.count == 3 && words[1] == "in"
    else { throw wrong(text, at: place) }
    guard words.count == 3 else { return .random(count, in: nil) }
    let column = text.unicodeScalars.count - words[2].unicodeScalars.count
    let windowPlace = place?.moved(columns: column)
    let dots = Array(words[2].indices).first { words[2][$0...].hasPrefix("..") }
    guard let dots, let from = try? Span(length: words[2][..<dots]),
      let to = try? Span(length: words[2][dots...].dropFirst(2)), from < to,
      to <= SettingKind.segmentRange.upperBound
    else { throw wrong(words[2], at: windowPlace) }
    let room = (to - from) / IntervalPlan.randomPartSpan
    guard room >= Int64(count) else {
      throw SettingsError(
        .value(
          found: text, expected: RandomWords.expected(room, in: to - from, of: "window"),
          nearest: nil), at: place)
    }
    return .random(count, in: from...to)
  }

  func segments(_ text: String, at place: Place?) throws(SettingsError) -> [Segment] {
    var segments: [Segment] = []
    let range = SettingKind.segmentRange
    for item in SettingKind.items(text) {
      let place = SettingKind.moved(place, item)
      let words = item.text.split { $0 == " " || $0 == "\t" }.map { String($0) }
      guard words.count == 2, (try? SettingKind.name.read(words[0], at: nil)) != nil else {
        throw wrong(item.text, at: place)
      }
      let column = item.text.unicodeScalars.count - words[1].unicodeScalars.count
      let length = try SettingKind.length(range).length(words[1], at: place?.moved(columns: column))
      { range.contains($0) }
      segments.append(Segment(kind: words[0], length: length))
    }
    guard segments.count <= SettingKind.segmentsMax else {
      throw SettingsError(
        .value(
          found: "\(segments.count) segments", expected: "at most \(SettingKind.segmentsMax)",
          nearest: nil), at: place)
    }
    return segments
  }

  func programmeLength(
    _ text: String, _ range: ClosedRange<Span>, at place: Place?
  ) throws(SettingsError) -> SettingValue {
    if text == "open" { return .programmeLength(.open, nil) }
    let words = text.split { $0 == " " || $0 == "\t" }.map { String($0) }
    if words.first == "until" {
      guard words.count == 2, let time = spanSinceMidnight(words[1]) else {
        throw wrong(text, at: place)
      }
      return .programmeLength(.until(time), nil)
    }
    guard text.first.map({ $0.isNumber || $0 == "-" }) == true else {
      throw wrong(text, at: place, nearest: nearest(to: text, among: ["open"]))
    }
    return .programmeLength(.fixed, try length(text, at: place) { range.contains($0) })
  }

  private static let dayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  func days(_ text: String, at place: Place?) throws(SettingsError) -> Weekdays {
    if text == "daily" { return .daily }
    let (names, items) = (SettingKind.dayNames, SettingKind.items(text))
    var days = Weekdays()
    for (index, item) in items.enumerated() {
      let place = SettingKind.moved(place, item)
      let ends = item.text.split(separator: "-", omittingEmptySubsequences: false)
      let places = ends.compactMap { end in names.firstIndex { $0 == end } }
      guard ends.count <= 2, places.count == ends.count, let first = places.first,
        let last = places.last
      else {
        let nearest = ends.count == 1 ? nearest(to: item.text, among: names + ["daily"]) : nil
        throw wrong(item.text, at: place, nearest: nearest)
      }
      if items[..<index].contains(where: { $0.text == item.text }) {
        throw SettingsError(.duplicateItem(found: item.text), at: place)
      }
      // A range may go over the end of the week: sat-mon.
      var day = first
      while day != last {
        days.insert(day + 1)
        day = (day + 1) % names.count
      }
      days.insert(last + 1)
    }
    return days
  }
}

/// What is said of random bells that have no room.
enum RandomWords {
  static func expected(_ room: Int64, in span: Span, of what: String) -> String {
    "at most \(room), one in \(IntervalPlan.randomPartSpan.lengthText) of the \(what) "
      + "(\(span.lengthText))"
  }
}

/// What a programme may be called: it is what `start NAME` asks for, and stands in dotted names.
enum ProgrammeName {
  static let expected =
    "a name of 1 to 63 characters other than open and until, without a dot, whose first is no "
    + "digit and no dash"

  static func isOne(_ text: String) -> Bool {
    // `start 20m` asks for a length, `--open` is an option, and `until 07:00` a value of
    // `sit.length`.
    guard (1...63).contains(text.unicodeScalars.count), let first = text.first,
      !first.isNumber, first != "-", !["open", "until"].contains(text)
    else { return false }
    let isEdged = text.hasPrefix(" ") || text.hasSuffix(" ")
    return !isEdged
      && text.unicodeScalars.allSatisfy {
        $0 != "." && $0.value >= 0x20 && $0.value != 0x7F
      }
  }
}
