// Invariants:
// - The days rise strictly, and each has at least one credited second.
// - They depend on the set of sits and the rule alone, never on the order in which sits came or on
//   a setting of an earlier day: streaks and totals are derived anew each time and kept nowhere.
// - Days are civil dates and are counted by the calendar, so a day of 23 or 25 hours is a day. A
//   date that never was where somebody sat is not missed (Apia had no 30 December 2011): it shows
//   in the sits, whose offset from UTC has grown by a day.

import Zones

/// What makes a day of practice, one value for the owner (`day.starts`, `day.grace`).
public struct DayRule: Equatable, Sendable {
  /// When `day.starts` may lie, in seconds after midnight: 00:00 to 06:00.
  public static let startsRange: ClosedRange<Int64> = 0...21_600
  /// How many days off may keep a streak.
  public static let graceRange: ClosedRange<Int> = 0...7

  /// Seconds after midnight at which a day begins: a sit before counts for the day before.
  public var startsSeconds: Int64
  /// So many missed days in a row keep a streak, and add nothing to it; one more ends it.
  public var graceDays: Int

  /// Makes a rule; without arguments a day begins at midnight and no missed day is forgiven.
  /// - Precondition: both lie within their ranges.
  public init(startsSeconds: Int64 = 0, graceDays: Int = 0) {
    precondition(DayRule.startsRange.contains(startsSeconds), "a day begins from 00:00 to 06:00")
    precondition(DayRule.graceRange.contains(graceDays), "0 to 7 days off keep a streak")
    self.startsSeconds = startsSeconds
    self.graceDays = graceDays
  }

  /// The day a sit counts for: the date of its start in its own offset, less the day's start.
  public func day(of session: MeditationSession) -> LocalDate {
    session.day(dayStartsSeconds: startsSeconds)
  }

  /// The day of practice at an instant; with the local offset of now it is today.
  public func day(at instant: WallInstant, utcOffsetSeconds: Int64) -> LocalDate {
    instant.day(offsetSeconds: utcOffsetSeconds, dayStartsSeconds: startsSeconds)
  }
}

extension SessionStore {
  /// The owner's rule: what the store says under `day.starts` (`"04:00"`) and `day.grace` (a number
  /// or its text), and for what it does not say, or says in a way that is not understood, `own`.
  /// - Parameter own: what this device's configuration says.
  public func dayRule(or own: DayRule) -> DayRule {
    DayRule(
      startsSeconds: value(forKey: SyncedName.dayStarts.key)?.stringValue
        .flatMap(DayRule.startsSeconds) ?? own.startsSeconds,
      graceDays: value(forKey: SyncedName.dayGrace.key).flatMap(DayRule.graceDays)
        ?? own.graceDays)
  }
}

extension DayRule {
  /// Reads `HH:MM`; nil where it is none or lies outside the range.
  static func startsSeconds(_ text: String) -> Int64? {
    let digits = text.utf8.map { Int64($0) - 0x30 }
    guard digits.count == 5, digits[2] == 10, [0, 1, 3, 4].allSatisfy({ 0...9 ~= digits[$0] }),
      digits[3] < 6
    else { return nil }
    let seconds = (digits[0] * 10 + digits[1]) * 3_600 + (digits[3] * 10 + digits[4]) * 60
    return startsRange.contains(seconds) ? seconds : nil
  }

  fileprivate static func graceDays(_ value: JSONValue) -> Int? {
    guard let days = value.integerValue ?? value.stringValue.flatMap({ Int64($0) }),
      let count = Int(exactly: days), graceRange.contains(count)
    else { return nil }
    return count
  }
}

/// The days on which somebody sat, each with the seconds sat, and the streaks in them.
///
/// A sit counts with what it is credited, completed or not: twenty of thirty minutes are twenty
/// minutes, and the day is sat. One without a credited second, and one that cannot have been
/// (`MeditationSession.impossibility`), makes no day. Time that two sits share is counted once
/// (`CountedSits`).
///
///     let days = SessionDays(store.sessions, rule: rule)
///     days.currentStreak(on: today)   // 12
///     days.isStreakDue(on: today)     // true until today is sat
public struct SessionDays: Equatable, Sendable {
  /// A day and the seconds credited on it, at least one.
  public struct Day: Equatable, Sendable {
    /// The day.
    public let date: LocalDate
    /// Seconds credited by the sits of that day.
    public fileprivate(set) var seconds: Int64
    /// How many sits these are.
    public fileprivate(set) var sits = 1
    /// The start of its first sit, and of its last.
    fileprivate var first: Moment
    fileprivate var last: Moment

    fileprivate init(_ date: LocalDate, _ session: MeditationSession, _ seconds: Int64) {
      self.date = date
      self.seconds = seconds
      first = Moment(session)
      last = first
    }

    fileprivate mutating func add(_ session: MeditationSession, _ more: Int64) {
      seconds = seconds.addingOrMost(more)
      sits += 1
      first = min(first, Moment(session))
      last = max(last, Moment(session))
    }
  }

  /// When a sit began, and how far local time was ahead of UTC then.
  fileprivate struct Moment: Comparable, Sendable {
    var start: WallInstant
    var offset: Int64

    init(_ session: MeditationSession) {
      start = session.startDate
      offset = session.utcOffsetSeconds
    }

    static func < (left: Moment, right: Moment) -> Bool {
      (left.start, left.offset) < (right.start, right.offset)
    }
  }

  /// The rule by which they were made.
  public let rule: DayRule
  /// The days sat, the earliest first.
  public let days: [Day]

  /// Derives the days of sits in any order.
  public init(_ sessions: some Sequence<MeditationSession>, rule: DayRule) {
    self.init(CountedSits(sessions), rule: rule)
  }

  init(_ counted: CountedSits, rule: DayRule) {
    var days: [LocalDate: Day] = [:]
    for (session, seconds) in zip(counted.sessions, counted.seconds) where seconds > 0 {
      let date = rule.day(of: session)
      if days[date]?.add(session, seconds) == nil { days[date] = Day(date, session, seconds) }
    }
    self.rule = rule
    self.days = days.values.sorted { $0.date < $1.date }
  }

  /// How many days were sat.
  public var daysSat: Int { days.count }

  /// The seconds credited on a day.
  public func seconds(on date: LocalDate) -> Int64 { day(on: date)?.seconds ?? 0 }

  /// A day; nil where it was not sat.
  public func day(on date: LocalDate) -> Day? {
    let index = firstIndex(after: date) - 1
    return index >= 0 && days[index].date == date ? days[index] : nil
  }

  /// How many days were sat of the streak that is alive on a day; 0 where none is.
  /// The arguments are those of `streak`.
  public func currentStreak(on today: LocalDate, utcOffsetSeconds: Int64? = nil) -> Int {
    streak(on: today, utcOffsetSeconds: utcOffsetSeconds).count
  }

  /// The days sat of the streak that is alive on a day; empty where none is.
  ///
  /// A streak is alive until its day is over: today is not missed yet. Grace days keep it and add
  /// nothing. Sits of days after `today`, as of a box whose clock is ahead, add nothing either.
  /// - Parameters:
  ///   - today: the day of practice now (`DayRule.day(at:utcOffsetSeconds:)`).
  ///   - utcOffsetSeconds: how far local time is ahead of UTC now, for the morning after a date
  ///     that never was; nil where that is not known.
  public func streak(on today: LocalDate, utcOffsetSeconds: Int64? = nil) -> ArraySlice<Day> {
    let end = firstIndex(after: today)
    guard end > 0 else { return [] }
    let last = days[end - 1]
    let missed = SessionDays.missed(
      from: last.date, last.last.offset, to: today, utcOffsetSeconds ?? last.last.offset)
    guard missed <= rule.graceDays else { return [] }
    var start = end - 1
    while start > 0, goesOn(from: start - 1) { start -= 1 }
    return days[start..<end]
  }

  /// Whether a streak is alive that today has not been sat for yet; the arguments as above.
  public func isStreakDue(on today: LocalDate, utcOffsetSeconds: Int64? = nil) -> Bool {
    seconds(on: today) == 0 && currentStreak(on: today, utcOffsetSeconds: utcOffsetSeconds) > 0
  }

  /// The most days sat of any streak.
  public var longestStreak: Int {
    var longest = 0
    var length = 0
    for index in days.indices {
      length = index > 0 && goesOn(from: index - 1) ? length + 1 : 1
      longest = max(longest, length)
    }
    return longest
  }

  /// Whether the next day sat belongs to the streak of this one.
  private func goesOn(from index: Int) -> Bool {
    let (day, next) = (days[index], days[index + 1])
    let missed = SessionDays.missed(
      from: day.date, day.last.offset, to: next.date, next.first.offset)
    return missed <= rule.graceDays
  }

  /// The dates between two that there were: none where the two are one or follow each other.
  private static func missed(
    from first: LocalDate, _ firstOffset: Int64, to last: LocalDate, _ lastOffset: Int64
  ) -> Int64 {
    let between = last.daysSinceEpoch - first.daysSinceEpoch - 1
    return max(0, between - max(0, lastOffset - firstOffset) / 86_400)
  }

  /// The index of the first day later than a date, by halving.
  private func firstIndex(after date: LocalDate) -> Int {
    var low = 0
    var high = days.count
    while low < high {
      let middle = (low + high) / 2
      if days[middle].date <= date { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Int64 {
  /// The sum, or the greatest number there is where it would be greater.
  func addingOrMost(_ other: Int64) -> Int64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}
