import Ticks

/// A running sit as a value: what is written down, so that it survives an outage, and what a
/// machine takes up again. All instants are of one boot's clock.
public struct TimerSnapshot: Equatable, Sendable {
  /// The sit's plan.
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
  /// The elapsed time up to which a press has confirmed that somebody sat.
  public var confirmedElapsed: Span
  /// The elapsed time from which on nothing counts until a press: where an outage of unknown length
  /// was; nil where there was none, or a press came since.
  public var doubtfulFrom: Span?
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
    confirmedElapsed = .zero
    interruptions = []
  }
}
