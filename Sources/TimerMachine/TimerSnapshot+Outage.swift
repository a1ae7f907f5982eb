import Ticks

// What becomes of a sit whose program or power was away, as functions of what was written down.
// Which of them applies is the box's to decide; none rings anything.

extension TimerSnapshot {
  /// The same sit by another boot's clock.
  /// - Parameter span: what is added to every instant.
  public func shifted(by span: Span) -> TimerSnapshot {
    var sit = self
    sit.startsAt += span
    sit.begun += span
    sit.origin += span
    sit.pausedAt += span
    sit.plan.end = plan.end.map { $0 + span }
    for index in interruptions.indices {
      sit.interruptions[index].from += span
      sit.interruptions[index].to += span
    }
    return sit
  }

  /// The sit after an outage of known length: every deadline stays, and the outage is not credited.
  /// A pause and a preparation just go on.
  /// - Precondition: the outage ends no earlier than it begins, and neither before the sit.
  public func afterOutage(from: Instant, to: Instant) -> TimerSnapshot {
    precondition(from <= to, "an outage ends after it begins")
    guard phase == .running || phase == .overtime else { return self }
    var sit = self
    let length = to - from
    sit.uncredited += length
    if phase == .overtime { sit.uncreditedInOvertime += length }
    if phase == .overtime || plannedEnd == nil { sit.uncreditedSincePress += length }
    if doubtfulFrom != nil { sit.uncreditedInDoubt += length }
    sit.interrupt(from: from, to: to, .outage)
    return sit
  }

  /// The sit after an outage of unknown length, as it goes on from the last known instant: all
  /// deadlines move, also that of a sit until an instant, which waits for the clock to be set. What
  /// runs from here counts only once a press comes. A pause just goes on.
  /// - Parameters:
  ///   - from: the last instant at which the sit is known to have run.
  ///   - to: the instant at which it goes on; by a new boot's clock perhaps the same.
  /// - Precondition: the outage ends no earlier than it begins, and neither before the sit.
  public func resumed(from: Instant, to: Instant) -> TimerSnapshot {
    precondition(from <= to, "an outage ends after it begins")
    guard phase != .paused else { return self }
    var sit = self
    let length = to - from
    sit.startsAt += length
    sit.plan.end = plan.end.map { $0 + length }
    guard phase != .preparing else { return sit }
    sit.origin += length
    if doubtfulFrom == nil { sit.doubtfulFrom = from - origin }
    sit.interrupt(from: from, to: to, .outage)
    return sit
  }

  /// The sit as it waits, paused, for a press after an outage. The wait counts from the outage's
  /// end. A pause just goes on.
  /// - Parameters:
  ///   - from: the last instant at which the sit is known to have run.
  ///   - to: the instant from which it waits.
  /// - Returns: nil while preparing and in overtime, which cannot wait.
  /// - Precondition: the outage ends no earlier than it begins, and neither before the sit.
  public func held(from: Instant, to: Instant) -> TimerSnapshot? {
    precondition(from <= to, "an outage ends after it begins")
    switch phase {
    case .paused: return self
    case .idle, .preparing, .overtime, .ended: return nil
    case .running: break
    }
    var sit = self
    sit.phase = .paused
    sit.origin += to - from
    sit.pausedAt = to
    sit.interrupt(from: from, to: to, .outage)
    return sit
  }

  /// The sit as it is closed with what is known of it.
  /// - Parameter instant: the last instant at which it is known to have run.
  /// - Returns: what is kept, complete only if its end bell had rung; nil if it did not last the
  ///   plan's minimum, or never began.
  public func closed(at instant: Instant) -> FinishedSit? {
    guard phase != .preparing, var sit = finished(at: min(instant, deadline), .known) else {
      return nil
    }
    if phase == .running {
      sit.completed = false
      sit.reachedEnd = false
    }
    return sit
  }
}
