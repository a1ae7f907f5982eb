import Ticks

/// The machine's own deadlines. Equal ones fire in this order: a second is told before what
/// happens at its end.
enum Timer: UInt8, CaseIterable {
  case tick, start, interval, segment, end, pauseCue, pauseLimit, ended
}

extension TimerMachine {
  /// When `advance(to:)` has something to do; nil when nothing is due by itself.
  public var nextDeadline: Instant? { nextTimer?.due }

  /// Time sat so far: pauses and preparation left out. Zero in idle and while preparing.
  /// - Parameter instant: not before the last handled instant.
  public func elapsed(at instant: Instant) -> Span {
    switch phase {
    case .idle, .preparing: .zero
    case .running, .overtime: instant - sit.origin
    case .paused, .ended: sit.pausedAt - sit.origin
    }
  }

  /// Time to the planned end, or to the start bell while preparing; nil when there is none. In a
  /// pause of a sit until an instant it shrinks.
  /// - Parameter instant: not before the last handled instant.
  public func remaining(at instant: Instant) -> Span? {
    switch phase {
    case .idle: return nil
    case .preparing: return max(.zero, sit.startsAt - instant)
    case .paused where sit.plan.end != nil: return sit.plan.end.map { max(.zero, $0 - instant) }
    case .running, .paused, .overtime, .ended:
      return sit.plannedElapsed.map { max(.zero, $0 - elapsed(at: instant)) }
    }
  }

  /// Time past the planned end.
  /// - Parameter instant: not before the last handled instant.
  public func overtime(at instant: Instant) -> Span {
    guard phase != .idle, let planned = sit.plannedElapsed else { return .zero }
    return max(.zero, elapsed(at: instant) - planned)
  }

  /// When the sit that is over ended by the machine's clock: the instant of its last transition.
  public var endedSince: Instant { endedAt }

  /// How long the sit is to be as things stand, pauses of a sit until an instant included; nil for
  /// an open-ended sit and in idle.
  public var plannedLength: Span? {
    guard let plan else { return nil }
    return plan.end.map { $0 - sit.startsAt } ?? plan.length
  }

  /// The planned end as things stand; nil for an open-ended sit and outside a sit, and while paused
  /// where the pause moves it.
  public var plannedEnd: Instant? {
    switch phase {
    case .preparing: plan?.end ?? plan?.length.map { sit.startsAt + $0 }
    case .running, .overtime: sit.plannedEnd
    case .paused: sit.plan.end
    case .idle, .ended: nil
    }
  }

  var nextTimer: (timer: Timer, due: Instant)? {
    var next: (timer: Timer, due: Instant)?
    for timer in Timer.allCases {
      guard let due = deadline(of: timer) else { continue }
      if next.map({ due < $0.due }) ?? true { next = (timer, due) }
    }
    return next
  }

  /// What reaching the end of the running stretch means under this plan.
  var endEvent: TimerEvent {
    if phase == .overtime || sit.plannedEnd == nil { return .limitDue }
    return sit.plan.overtime ? .overtimeDue : .endDue
  }

  mutating func forgetPassedTicks() {
    switch phase {
    case .running, .overtime: tickedElapsed = now - sit.origin
    case .idle, .preparing, .paused, .ended: break
    }
  }

  private func deadline(of timer: Timer) -> Instant? {
    switch (timer, phase) {
    case (.tick, .running), (.tick, .overtime):
      return ticksWanted ? sit.origin + marks.tick(after: tickedElapsed) : nil
    case (.tick, .preparing):
      return ticksWanted ? preparationTick : nil
    case (.start, .preparing): return sit.startsAt
    case (.interval, .running): return nextMark.map { sit.origin + $0 }
    case (.segment, .running): return nextBorder.map { sit.origin + $0 }
    case (.end, .running), (.end, .overtime), (.pauseLimit, .paused): return sit.deadline
    case (.pauseCue, .paused):
      return cueGiven ? nil : sit.pausedAt + TimerMachine.pauseCueSpan
    case (.ended, .ended): return endedAt + TimerMachine.endedSpan
    default: return nil
    }
  }

  /// The countdown's next whole second before the start bell; the bell itself is no tick.
  private var preparationTick: Instant? {
    let left = (sit.startsAt - now).secondsRoundedUp - 1
    return left >= 1 ? sit.startsAt - TimerMachine.tickSpan * left : nil
  }

  private var nextBorder: Span? {
    bordersPassed < marks.borders.count ? marks.borders[bordersPassed] : nil
  }
}
