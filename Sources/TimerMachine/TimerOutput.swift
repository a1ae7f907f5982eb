import Ticks

/// One bell of a sit, at the instant of its first strike.
public struct Bell: Equatable, Sendable {
  /// What it is for.
  public var role: BellRole
  /// Which of its role in this sit: interval bells and borders between segments count from 1,
  /// the others are 0.
  public var ordinal: Int64
  /// When it is due.
  public var due: Instant

  /// Makes a bell.
  public init(role: BellRole, ordinal: Int64, due: Instant) {
    self.role = role
    self.ordinal = ordinal
    self.due = due
  }
}

/// What the machine tells, with the instant at which it became so.
public struct TimerOutput: Equatable, Sendable {
  /// What happened.
  public enum News: Equatable, Sendable {
    /// The phase changed.
    case phase(from: Phase, to: Phase)
    /// The sit began with its first start strike.
    case begun
    /// A bell is due now; it was announced by `upcomingBells` before, unless it is a cue.
    case bell(Bell)
    /// A second passed; `remaining` is what is left of it in seconds, 0 for an open-ended sit.
    case tick(remaining: Int64)
    /// The sit is over and is to be kept.
    case closed(FinishedSit)
    /// The sit is over and is not to be kept.
    case discarded
    /// A command was refused; nothing changed.
    case refused(TimerEvent, Refusal)
  }

  /// When it became so: the deadline's own instant, however late it was handled.
  public var at: Instant
  /// What happened.
  public var news: News

  /// Makes an output.
  public init(at: Instant, news: News) {
    self.at = at
    self.news = news
  }
}
