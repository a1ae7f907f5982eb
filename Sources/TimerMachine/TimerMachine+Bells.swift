import Ticks

// What will ring if nothing happens.

extension TimerMachine {
  /// The bells that will ring if nothing happens, in order of their instants.
  ///
  /// A paused sit has none until it goes on.
  /// - Parameter most: how many interval bells, and how many borders between segments, to look
  ///   ahead.
  public func upcomingBells(_ most: Int = 2) -> [Bell] {
    guard phase == .preparing || phase == .running else { return [] }
    var bells: [Bell] = []
    let from = phase == .preparing ? sit.startsAt : sit.origin
    if phase == .preparing { bells.append(Bell(role: .start, ordinal: 0, due: from)) }
    var last = sit.lastInterval
    var ordinal = sit.intervalsPassed + 1
    var left = most
    while left > 0, let mark = mark(ordinal, after: last) {
      bells.append(Bell(role: .interval, ordinal: ordinal, due: from + mark))
      last = mark
      ordinal += 1
      left -= 1
    }
    for (index, border) in marks.borders.enumerated().dropFirst(bordersPassed).prefix(most) {
      bells.append(Bell(role: .segment, ordinal: Int64(index + 1), due: from + border))
    }
    if let end = plannedEnd { bells.append(Bell(role: .end, ordinal: 0, due: end)) }
    return bells.sorted { $0.due < $1.due }
  }

  /// When the next bell rings if nothing happens, the cue of a pause included; nil if none is left.
  /// - Parameter instant: not before the last handled instant; a bell due at it is over.
  public func nextBell(after instant: Instant) -> Instant? {
    switch phase {
    case .idle, .overtime, .ended: return nil
    case .paused:
      let cue = sit.pausedAt + TimerMachine.pauseCueSpan
      return cueGiven || cue <= instant || cue >= sit.deadline ? nil : cue
    case .preparing, .running: break
    }
    if phase == .preparing && sit.startsAt > instant { return sit.startsAt }
    let from = phase == .preparing ? sit.startsAt : sit.origin
    let elapsed = instant - from
    var next = plannedEnd.flatMap { $0 > instant ? $0 : nil }
    let border = marks.borders.count(before: elapsed + Span(nanoseconds: 1))
    if border < marks.borders.count { next = earlier(next, from + marks.borders[border]) }
    var last = sit.lastInterval
    var ordinal = sit.intervalsPassed + 1
    while let mark = mark(ordinal, after: last) {
      if mark > elapsed { return earlier(next, from + mark) }
      last = mark
      ordinal += 1
    }
    return next
  }

  /// The mark of an ordinal by the one before it, under the end as it stands.
  func mark(_ ordinal: Int64, after last: Span) -> Span? {
    let movedEnd = phase == .preparing ? sit.plan.length : sit.plannedElapsed
    return marks.mark(ordinal, after: last, movedEnd: movedEnd)
  }

  private func earlier(_ one: Instant?, _ other: Instant) -> Instant { min(one ?? other, other) }
}
