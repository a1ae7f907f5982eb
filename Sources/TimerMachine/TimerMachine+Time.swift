import Ticks

/// The machine's own deadlines. Equal ones fire in this order: a second is told before what
/// happens at its end.
enum Timer: UInt8, CaseIterable {
  case tick, start, interval, end, pauseCue, pauseLimit, ended
}

extension TimerMachine {
  /// When `advance(to:)` has something to do; nil when nothing is due by itself.
  public var nextDeadline: Instant? { nextTimer?.due }

  /// Time sat so far: pauses and preparation left out. Zero in idle and while preparing.
  /// - Parameter instant: not before the last handled instant.
  public func elapsed(at instant: Instant) -> Span {
    switch phase {
    case .idle, .preparing: .zero
    case .running, .overtime: instant - origin
    case .paused: pausedAt - origin
    case .ended: endedElapsed
    }
  }

  /// Time to the planned end, or to the start bell while preparing; nil when there is none.
  /// - Parameter instant: not before the last handled instant.
  public func remaining(at instant: Instant) -> Span? {
    if phase == .preparing { return max(.zero, startsAt - instant) }
    return plan?.length.map { max(.zero, $0 - elapsed(at: instant)) }
  }

  /// Time past the planned end.
  /// - Parameter instant: not before the last handled instant.
  public func overtime(at instant: Instant) -> Span {
    plan?.length.map { max(.zero, elapsed(at: instant) - $0) } ?? .zero
  }

  /// When the sit that is over ended by the machine's clock: the instant of its last transition.
  public var endedSince: Instant { endedAt }

  /// The planned end as things stand; nil for an open-ended sit, while paused and outside a sit.
  public var plannedEnd: Instant? {
    guard let length = plan?.length else { return nil }
    switch phase {
    case .preparing: return startsAt + length
    case .running, .overtime: return origin + length
    case .idle, .paused, .ended: return nil
    }
  }

  /// The bells that will ring if nothing happens, in order of their instants.
  ///
  /// A paused sit has none until it goes on.
  /// - Parameter intervalsMax: how many interval bells to look ahead.
  public func upcomingBells(_ intervalsMax: Int = 2) -> [Bell] {
    guard let plan, phase == .preparing || phase == .running else { return [] }
    var bells: [Bell] = []
    let from = phase == .preparing ? startsAt : origin
    if phase == .preparing { bells.append(Bell(role: .start, ordinal: 0, due: from)) }
    if let every = plan.intervals.every {
      for ordinal in nextInterval..<nextInterval + Int64(intervalsMax) {
        guard every * ordinal <= lastIntervalElapsed(plan) else { break }
        bells.append(Bell(role: .interval, ordinal: ordinal, due: from + every * ordinal))
      }
    }
    if let length = plan.length {
      bells.append(Bell(role: .end, ordinal: 0, due: from + length))
    }
    return bells
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
    if phase == .overtime || plan?.length == nil { return .limitDue }
    return plan?.overtime == true ? .overtimeDue : .endDue
  }

  mutating func forgetPassedTicks() {
    switch phase {
    case .running, .overtime: nextTick = (now - origin) / TimerMachine.tickSpan + 1
    case .idle, .preparing, .paused, .ended: break
    }
  }

  private func deadline(of timer: Timer) -> Instant? {
    switch (timer, phase) {
    case (.tick, .running), (.tick, .overtime):
      return ticksWanted ? origin + TimerMachine.tickSpan * nextTick : nil
    case (.tick, .preparing):
      return ticksWanted ? preparationTick : nil
    case (.start, .preparing): return startsAt
    case (.interval, .running): return intervalDue
    case (.end, .running): return plan.map { origin + ($0.length ?? $0.openLimit) }
    case (.end, .overtime):
      return plan.map { origin + ($0.length ?? .zero) + $0.overtimeLimit }
    case (.pauseCue, .paused):
      return cueGiven ? nil : pausedAt + TimerMachine.pauseCueSpan
    case (.pauseLimit, .paused): return pausedAt + TimerMachine.pauseLimitSpan
    case (.ended, .ended): return endedAt + TimerMachine.endedSpan
    default: return nil
    }
  }

  /// The countdown's next whole second before the start bell; the bell itself is no tick.
  private var preparationTick: Instant? {
    let left = (startsAt - now).secondsRoundedUp - 1
    return left >= 1 ? startsAt - TimerMachine.tickSpan * left : nil
  }

  private var intervalDue: Instant? {
    guard let plan, let every = plan.intervals.every else { return nil }
    let elapsed = every * nextInterval
    return elapsed <= lastIntervalElapsed(plan) ? origin + elapsed : nil
  }

  /// An interval bell must begin at least one tick before the end: no two bells begin within the
  /// same tick, and the end outranks it.
  private func lastIntervalElapsed(_ plan: SitPlan) -> Span {
    (plan.length ?? plan.openLimit) - TimerMachine.tickSpan
  }
}
