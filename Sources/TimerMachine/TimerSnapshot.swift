import Ticks

/// A running sit as a value: what is written down, so that it survives an outage, and what a
/// machine takes up again. All instants are of one boot's clock.
///
/// Positions are elapsed times: spans after `origin`. Nothing that shifts the deadlines moves them.
public struct TimerSnapshot: Equatable, Sendable {
  /// The sit's plan. That of a sit until an instant has the length it had as it began.
  public var plan: SitPlan
  /// Where it stands: preparing, running, paused or overtime.
  public var phase: Phase
  /// When the start strike is due, or was.
  public var startsAt: Instant
  /// When it began; meaningless while preparing.
  public var begun: Instant
  /// `begun` plus all that shifted the deadlines: elapsed time counts from here.
  public var origin: Instant
  /// When the pause began, while paused.
  public var pausedAt: Instant
  /// Time that ran towards the end and is not credited: outages that moved no deadline.
  public var uncredited: Span
  /// The part of `uncredited` since the last press; what needs no press, as a fixed sit to its end,
  /// counts as pressed.
  public var uncreditedSincePress: Span
  /// The part of `uncredited` past the planned end.
  public var uncreditedInOvertime: Span
  /// The part of `uncredited` after `doubtfulFrom`.
  public var uncreditedInDoubt: Span
  /// The elapsed time up to which a press has confirmed that somebody sat.
  public var confirmedElapsed: Span
  /// The elapsed time from which on nothing counts until a press: where an outage of unknown length
  /// was, or the beginning of a sit that no hand began; nil where there was none, or a press came
  /// since.
  public var doubtfulFrom: Span?
  /// How many interval bells have been due.
  public var intervalsPassed: Int64
  /// The elapsed time at which the last of them was; zero if there was none.
  public var lastInterval: Span
  /// The pauses and outages so far.
  public var interruptions: [Interruption]

  /// Makes a snapshot of a sit that has begun and was never interrupted.
  /// - Precondition: the phase is of a sit: neither idle nor ended.
  public init(plan: SitPlan, phase: Phase, begun: Instant) {
    precondition(phase != .idle && phase != .ended, "a sit is on")
    self.plan = plan
    self.phase = phase
    startsAt = begun
    self.begun = begun
    origin = begun
    pausedAt = begun
    uncredited = .zero
    uncreditedSincePress = .zero
    uncreditedInOvertime = .zero
    uncreditedInDoubt = .zero
    confirmedElapsed = .zero
    intervalsPassed = 0
    lastInterval = .zero
    interruptions = []
  }

  /// When the sit is over if nothing happens, or when it begins while it is preparing: the deadline
  /// of its phase.
  public var deadline: Instant {
    switch phase {
    case .idle, .preparing, .ended: startsAt
    case .running: plannedEnd ?? origin + plan.openLimit
    case .paused: pauseLimit
    case .overtime: (plannedEnd ?? origin) + plan.overtimeLimit
    }
  }

  /// Whether the deadline of its phase has passed: the sit cannot go on as it stood.
  public func isOver(at instant: Instant) -> Bool { instant >= deadline }

  /// A pause lasts so long, and no longer than to an end that it does not move.
  private var pauseLimit: Instant {
    let limit = pausedAt + TimerMachine.pauseLimitSpan
    return plan.end.map { min($0, limit) } ?? limit
  }

  /// The planned end if no more pause comes; nil for an open-ended sit.
  var plannedEnd: Instant? { plan.end ?? plan.length.map { origin + $0 } }

  /// A press says that somebody sat up to here, and what ran in doubt counts.
  mutating func confirm(at instant: Instant) {
    confirmedElapsed = (phase == .paused ? pausedAt : instant) - origin
    doubtfulFrom = nil
    uncreditedSincePress = .zero
    uncreditedInDoubt = .zero
  }

  /// Keeps an interruption. Where there is no room, two older ones become one: of their kind, as
  /// long as both together, up to the end of the later one. The newest is always kept as it was.
  mutating func interrupt(from: Instant, to: Instant, _ kind: Interruption.Kind) {
    if interruptions.count == TimerMachine.interruptionsMax { joinTwo() }
    interruptions.append(Interruption(from: from, to: to, kind: kind))
  }

  /// Joins the oldest two neighbours of one kind; where no neighbours are, the oldest two.
  private mutating func joinTwo() {
    let second =
      interruptions.indices.dropFirst().first {
        interruptions[$0 - 1].kind == interruptions[$0].kind
      } ?? 1
    let first = interruptions.remove(at: second - 1)
    let joined = interruptions[second - 1].from - (first.to - first.from)
    interruptions[second - 1].from = joined
  }

  /// Where the planned end lies; nil for an open-ended sit.
  var plannedElapsed: Span? { plannedEnd.map { $0 - origin } }
}
