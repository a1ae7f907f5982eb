// What can have been sat, and what a person or a file can say of a sit.
extension MeditationSession {
  /// Whether it counts in totals, days and streaks: it can have been, and something is credited.
  public var isCounted: Bool { durationSeconds > 0 && impossibility == nil }

  /// Why this cannot have been sat; nil where it can. Nothing here writes such a sit, but a copy of
  /// another program may bring it, or two edits that were merged: it is kept and shown, and never
  /// counted.
  public var impossibility: String? {
    if endDate < startDate { return "ends before it begins" }
    if min(durationSeconds, plannedSeconds ?? 0, overtimeSeconds, unconfirmedSeconds) < 0 {
      return "a length is negative"
    }
    if durationSeconds > MeditationSession.longestSeconds { return "longer than eight days" }
    if durationSeconds > mostSeconds { return "longer than from its beginning to its end" }
    return isOvertimeTooLong ? "more overtime than was sat" : nil
  }

  /// What speaks, beside `problem`, against a sit that a person or a file tells of; nil where
  /// nothing does. What came into the store otherwise may be like that, and stays.
  public var contradiction: String? {
    if problem != nil { return nil }
    let lengths = [
      ("durationSeconds", durationSeconds), ("plannedSeconds", plannedSeconds ?? 0),
      ("overtimeSeconds", overtimeSeconds), ("unconfirmedSeconds", unconfirmedSeconds),
    ]
    let most = MeditationSession.longestSeconds
    if let (name, seconds) = lengths.first(where: { $0.1 > most }) {
      return "\(name): found \(seconds), expected \(most) (eight days) at most"
    }
    if durationSeconds > mostSeconds {
      let span = (endDate.milliseconds - startDate.milliseconds) / 1_000
      return "durationSeconds: found \(durationSeconds), expected at most the \(span) from "
        + "startDate to endDate"
    }
    if isOvertimeTooLong {
      return "overtimeSeconds: found \(overtimeSeconds), expected at most the \(durationSeconds) "
        + "of durationSeconds"
    }
    return interruptions.first { !holds($0) }.map { interruption in
      let (from, to) = (interruption.from, interruption.to)
      return "interruptions: found one from \(from.text(offsetSeconds: utcOffsetSeconds)) to "
        + "\(to.text(offsetSeconds: utcOffsetSeconds)), expected it within the sit"
    }
  }

  /// No box credits more: a sit is planned for seven days at most, and overtime ends by itself
  /// after one at most.
  public static let longestSeconds: Int64 = 8 * 24 * 3_600

  /// Programs round dates and lengths each in their own way.
  private static let roundingSeconds: Int64 = 2

  /// No more can have been sat from the beginning to the end.
  private var mostSeconds: Int64 {
    (endDate.milliseconds - startDate.milliseconds) / 1_000 + MeditationSession.roundingSeconds
  }

  private var isOvertimeTooLong: Bool {
    overtimeSeconds > durationSeconds + MeditationSession.roundingSeconds
  }

  private func holds(_ interruption: Interruption) -> Bool {
    let rounding = MeditationSession.roundingSeconds * 1_000
    return interruption.from <= interruption.to
      && interruption.from.milliseconds >= startDate.milliseconds - rounding
      && interruption.to.milliseconds <= endDate.milliseconds + rounding
  }
}
