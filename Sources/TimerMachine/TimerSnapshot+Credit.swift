import Ticks

// What a sit that ends is credited with, in one place.
//
// Invariants:
// - What counts lies before a boundary: the whole sit where a hand ends it, else where a press or
//   the plan is sure of it, and never past the instant from which it is in doubt.
// - Before the boundary all counts but the outages that ran towards the end; behind it the rest is
//   unconfirmed. So nothing is counted twice, and nothing is left out.

/// How a sit ends.
enum Credit {
  /// A hand ends it: all of it counts.
  case all
  /// It ends by itself: what needs no press counts, and what a press has confirmed.
  case confirmed
  /// Something ends it that is no neglect: an open-ended sit then counts as far as it is known.
  case known
}

extension TimerSnapshot {
  /// The sit as it ends at an instant; nil if it is too short to be kept.
  /// - Precondition: it has begun; if a hand ends it nothing is in doubt any more.
  func finished(at instant: Instant, _ credit: Credit) -> FinishedSit? {
    let last = phase == .paused ? pausedAt : instant
    let elapsed = last - origin
    let reachedEnd = plannedElapsed.map { elapsed >= $0 }
    guard reachedEnd == true || elapsed - uncredited >= plan.minimum else { return nil }
    let boundary = undoubtedBoundary(elapsed, credit)
    let behind = boundary == elapsed ? .zero : uncreditedSincePress
    let undoubted = boundary - (uncredited - behind)
    var credited = undoubted
    var overtime = overtime(to: boundary, uncreditedBehind: behind)
    if let doubtfulFrom, doubtfulFrom < boundary {
      credited = doubtfulFrom - (uncredited - uncreditedInDoubt)
      overtime = self.overtime(to: doubtfulFrom, uncreditedBehind: uncreditedInDoubt)
    }
    let isEndDoubtful = doubtfulFrom.map { $0 < plannedElapsed ?? .zero } ?? false
    let (ended, interruptions) = trimmed(to: last, credit)
    return FinishedSit(
      begun: begun, ended: ended, planned: plan.end.map { $0 - begun } ?? plan.length,
      credited: credited, overtime: overtime, unconfirmed: elapsed - uncredited - credited,
      doubtful: undoubted - credited,
      completed: reachedEnd.map { $0 && !isEndDoubtful } ?? (credit == .all),
      reachedEnd: reachedEnd ?? false, interruptions: interruptions)
  }

  /// Where credit would end if nothing were in doubt.
  private func undoubtedBoundary(_ elapsed: Span, _ credit: Credit) -> Span {
    // Nobody is neglected in a pause: a sit that waits for its sitter was sat up to there.
    let isNeglected = credit == .confirmed && phase != .paused
    switch (credit, plannedElapsed) {
    case (.all, _): return elapsed
    case (_, let planned?): return min(elapsed, max(confirmedElapsed, planned))
    case (_, nil): return isNeglected ? min(elapsed, confirmedElapsed) : elapsed
    }
  }

  private func overtime(to boundary: Span, uncreditedBehind: Span) -> Span {
    guard let planned = plannedElapsed, boundary > planned else { return .zero }
    return boundary - planned - (uncreditedInOvertime - uncreditedBehind)
  }

  /// The end and the interruptions without those after which nobody is known to have sat.
  private func trimmed(to last: Instant, _ credit: Credit) -> (Instant, [Interruption]) {
    var ended = last
    var kept = interruptions
    guard phase == .paused || credit == .known else { return (ended, kept) }
    while let gap = kept.last, gap.to >= ended {
      ended = gap.from
      kept.removeLast()
    }
    return (ended, kept)
  }
}
