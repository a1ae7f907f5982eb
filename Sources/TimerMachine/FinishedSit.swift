import Ticks

/// A stretch of a sit that was not sat.
public struct Interruption: Equatable, Sendable {
  /// Why.
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// A hand paused the sit.
    case pause
    /// The machine slept.
    case suspend
    /// The power or the program was away.
    case outage
  }

  /// When it began.
  public var from: Instant
  /// When the sit went on.
  public var to: Instant
  /// Why.
  public var kind: Kind

  /// Makes an interruption.
  public init(from: Instant, to: Instant, kind: Kind = .pause) {
    self.from = from
    self.to = to
    self.kind = kind
  }
}

/// A sit that is over, in the machine's own time; the box gives it its dates.
///
/// `ended - begun` = `credited` + `unconfirmed` + the interruptions, to the nanosecond. Of more
/// than `TimerMachine.interruptionsMax` the oldest are listed as one of their length.
public struct FinishedSit: Equatable, Sendable {
  /// The instant of the first start strike.
  public var begun: Instant
  /// The last instant that belongs to the sit. A sit that is closed while paused ended when the
  /// pause began, or the outage that it waited after: nobody is known to have sat after it.
  public var ended: Instant
  /// The planned length; nil for an open-ended sit. For a sit until an instant it is that instant
  /// less the beginning, pauses and all.
  public var planned: Span?
  /// The time that counts: without preparation and interruptions, with confirmed overtime.
  public var credited: Span
  /// The part of `credited` past the planned end.
  public var overtime: Span
  /// Time that ran on with no press to confirm that anybody sat; not credited.
  public var unconfirmed: Span
  /// The part of `unconfirmed` that is in doubt only for an outage of unknown length before it, or
  /// since no hand began the sit: a press soon after the end credits it (`confirmed`).
  public var doubtful: Span
  /// Whether the planned end was reached, with no doubt that it was sat to. An open-ended sit is
  /// complete when a hand ends it.
  public var completed: Bool
  /// Whether the planned end was reached, sat to or not.
  public var reachedEnd: Bool
  /// The pauses and outages, oldest first.
  public var interruptions: [Interruption]

  /// Makes a finished sit.
  public init(
    begun: Instant, ended: Instant, planned: Span?, credited: Span, overtime: Span = .zero,
    unconfirmed: Span = .zero, doubtful: Span = .zero, completed: Bool, reachedEnd: Bool? = nil,
    interruptions: [Interruption] = []
  ) {
    self.begun = begun
    self.ended = ended
    self.planned = planned
    self.credited = credited
    self.overtime = overtime
    self.unconfirmed = unconfirmed
    self.doubtful = doubtful
    self.completed = completed
    self.reachedEnd = reachedEnd ?? (completed && planned != nil)
    self.interruptions = interruptions
  }

  /// The same sit by a clock on which every instant is so much later.
  public func shifted(by span: Span) -> FinishedSit {
    var sit = self
    sit.begun += span
    sit.ended += span
    for index in sit.interruptions.indices {
      sit.interruptions[index].from += span
      sit.interruptions[index].to += span
    }
    return sit
  }

  /// The same sit once a press soon after its end says that it was sat to.
  public var confirmed: FinishedSit {
    var sit = self
    sit.credited += doubtful
    sit.unconfirmed -= doubtful
    sit.completed = completed || (doubtful > .zero && reachedEnd)
    sit.doubtful = .zero
    return sit
  }
}
