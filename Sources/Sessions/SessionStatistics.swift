import Zones

/// What the sits add up to (CONTRACT, "History"). It is derived from them each time.
///
/// Impossible sits and those without a credited second count nowhere; all others count whether they
/// were completed or not, and whether their date is certain or not. Time that two of them share is
/// counted once (`CountedSits`), and a sit of which others count all is not counted.
public struct SessionStatistics: Equatable, Sendable {
  /// How many sits count.
  public let sits: Int
  /// Seconds credited by all of them.
  public let totalSeconds: Int64
  /// Seconds that sits share with others, which count them.
  public let sharedSeconds: Int64
  /// The days sat.
  public let days: SessionDays
  /// The day of practice now.
  public let today: LocalDate
  /// The streak that is alive today.
  public let streak: ArraySlice<SessionDays.Day>
  /// Whether the reader wants to hear of streaks; where not, none is in any output.
  public let showsStreaks: Bool

  /// Adds up sits, in whatever order they come.
  /// - Parameters:
  ///   - sessions: the sits that are meant.
  ///   - rule: the owner's rule of days.
  ///   - today: the day of practice now.
  ///   - utcOffsetSeconds: how far local time is ahead of UTC now; nil where that is not known.
  ///   - showsStreaks: whether the reader wants to hear of streaks.
  public init(
    _ sessions: some Sequence<MeditationSession>, rule: DayRule, today: LocalDate,
    utcOffsetSeconds: Int64? = nil, showsStreaks: Bool = true
  ) {
    let counted = CountedSits(sessions)
    sits = counted.count
    sharedSeconds = counted.sharedSeconds
    days = SessionDays(counted, rule: rule)
    totalSeconds = days.days.reduce(0) { $0.addingOrMost($1.seconds) }
    self.today = today
    streak = days.streak(on: today, utcOffsetSeconds: utcOffsetSeconds)
    self.showsStreaks = showsStreaks
  }

  /// Seconds credited by a sit on average, rounded down; 0 without sits.
  public var meanSeconds: Int64 { sits == 0 ? 0 : totalSeconds / Int64(sits) }

  /// Whether a streak is alive that today has not been sat for yet.
  public var isStreakDue: Bool { streak.last.map { $0.date < today } ?? false }

  /// The contract's object on one line, ended by a line feed. Where the reader wants no streaks,
  /// their members are null.
  public var json: [UInt8] {
    func shown(_ value: JSONValue) -> JSONValue { showsStreaks ? value : .null }
    let members: [JSONMember] = [
      JSONMember("sits", .integer(Int64(sits))),
      JSONMember("totalSeconds", .integer(totalSeconds)),
      JSONMember("meanSeconds", .integer(meanSeconds)),
      JSONMember("daysSat", .integer(Int64(days.daysSat))),
      JSONMember("currentStreak", shown(.integer(Int64(streak.count)))),
      JSONMember("streakDue", shown(.bool(isStreakDue))),
      JSONMember("longestStreak", shown(.integer(Int64(days.longestStreak)))),
      JSONMember(
        "days", .object(of: days.days.map { JSONMember($0.date.text, .integer($0.seconds)) })),
    ]
    return JSONValue.object(of: members).encoded() + [UInt8(ascii: "\n")]
  }

  /// The same in a few lines for people, but for the single days.
  public var text: String {
    var rows = [
      ("sits", "\(sits)"), ("total", SessionHistory.length(totalSeconds)),
      ("mean", SessionHistory.length(meanSeconds)), ("days sat", "\(days.daysSat)"),
    ]
    if sharedSeconds > 0 {
      rows.append(("shared", "\(SessionHistory.length(sharedSeconds)), counted once"))
    }
    if showsStreaks {
      rows.append(("streak", "\(streak.count)\(isStreakDue ? ", due: today is not sat yet" : "")"))
      rows.append(("longest", "\(days.longestStreak)"))
    }
    return rows.map { SessionHistory.padded($0.0) + $0.1 + "\n" }.joined()
  }
}
