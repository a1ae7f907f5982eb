import Ticks

// What reaches a sit beside commands and its own deadlines; and the sit as a value.

extension TimerMachine {
  /// A hand was there: an input or a command of any kind. What ran in doubt counts from now on, and
  /// so does what ran with no press to confirm it.
  /// - Precondition: everything due at or before `instant` has been fired.
  public mutating func confirm(at instant: Instant) {
    requireNothingDue(at: instant)
    now = instant
    hear()
  }

  /// The wall clock was set, and the instant at which the sit is to end is another. One that has
  /// passed ends the sit now: a running one with its end bell, at least a tick after the bell
  /// before; one that is preparing is forgotten. Interval bells keep their places, but for those
  /// that count from the end. Without such an instant, and in overtime, nothing changes.
  /// - Parameters:
  ///   - end: the new end.
  ///   - instant: now. Call `advance(to:)` after it.
  /// - Precondition: everything due at or before `instant` has been fired.
  public mutating func replan(end: Instant, at instant: Instant) {
    requireNothingDue(at: instant)
    now = instant
    guard plan?.end != nil else { return }
    switch phase {
    case .idle, .overtime, .ended: return
    case .preparing:
      guard end - sit.startsAt >= TimerMachine.tickSpan else { return handle(.stop, at: instant) }
      sit.plan.end = end
      layOut()
    case .running:
      sit.plan.end = max(end, instant, sit.origin + sit.lastInterval + TimerMachine.tickSpan)
      passMarks()
    case .paused:
      sit.plan.end = max(end, instant)
    }
  }

  /// The machine slept. An open-ended sit, and overtime, are closed as it fell asleep: nobody knows
  /// how long they would have gone on. Every other deadline just passes.
  /// - Parameters:
  ///   - from: when it fell asleep.
  ///   - to: when it woke.
  /// - Precondition: everything due at or before `from` has been fired, and nothing after it.
  public mutating func slept(from: Instant, to: Instant) {
    precondition(from <= to, "a sleep ends after it begins")
    let isOpen = phase == .running && sit.plannedEnd == nil
    guard isOpen || phase == .overtime else { return }
    requireNothingDue(at: from)
    handle(.suspended, at: from)
  }

  /// The sit as it stands; nil in idle and once it has ended.
  public var snapshot: TimerSnapshot? { phase == .idle || phase == .ended ? nil : sit }

  /// Takes up a sit where it would stand at an instant. Bells and the cue of a pause that were due
  /// at or before it do not ring any more, but count as passed.
  /// - Precondition: the machine is idle and nothing waits in it; the sit is not over by `instant`
  ///   (`TimerSnapshot.isOver(at:)`).
  public mutating func restore(_ snapshot: TimerSnapshot, at instant: Instant) {
    precondition(phase == .idle && outputs.isEmpty, "only an idle machine takes up a sit")
    precondition(instant >= now, "a sit is taken up before the last handled instant")
    precondition(!snapshot.isOver(at: instant), "a sit that is over is taken up")
    sit = snapshot
    now = instant
    phase = snapshot.phase
    // The length that parts are cut from is that of the beginning, wherever the end is now.
    if phase == .preparing { layOut() } else { marks = sit.plan.marks() }
    let elapsed = elapsed(at: instant)
    tickedElapsed = elapsed
    bordersPassed = marks.borders.count(before: elapsed + Span(nanoseconds: 1))
    passMarks()
    cueGiven = phase == .paused && instant - sit.pausedAt >= TimerMachine.pauseCueSpan
    put(.phase(from: .idle, to: phase))
  }
}
