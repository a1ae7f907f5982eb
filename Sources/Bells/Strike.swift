import Ticks

/// An order to sound a bell's sound once, at an instant.
public struct Strike: Equatable, Sendable {
  /// Which strike this is: unique for the life of the process, so that one is never sounded twice.
  public var number: UInt32
  /// The position of the sound in the list that the output was given.
  public var sound: Int
  /// When its first frame leaves the output, on the boot-time clock.
  public var due: Instant
  /// The strike's own level as a linear factor; 1 is the sound as its recipe has it. The volume of
  /// its channel is applied after it.
  public var gain: Float
  /// How hard the mallet comes, above 0 and at most 1, which is the strike of the recipe. A weaker
  /// strike is softer, and darker: its mallet stays longer on the bell.
  public var strength: Float
  /// Which of `Volumes` applies to it.
  public var channel: UInt8
  /// Whether it answers a hand: the output is not to prepare for it as for a bell, since the next
  /// answer may come at once.
  public var isAnswer: Bool

  /// Makes a strike.
  public init(
    number: UInt32, sound: Int, due: Instant, gain: Float, strength: Float = 1, channel: UInt8 = 0,
    isAnswer: Bool = false
  ) {
    self.number = number
    self.sound = sound
    self.due = due
    self.gain = gain
    self.strength = strength
    self.channel = channel
    self.isAnswer = isAnswer
  }
}

/// What became of a strike.
public struct StrikeReport: Equatable, Sendable {
  /// How a strike ended up.
  public enum Outcome: UInt8, Sendable {
    /// Its first frame left within 1 ms of its instant, as far as the output can tell.
    case rung
    /// It rang, later than that.
    case late
    /// It did not ring.
    case missed
  }

  /// The strike's number.
  public var number: UInt32
  /// When its first frame left (or, if missed, when that was decided).
  public var started: Instant
  /// What became of it.
  public var outcome: Outcome

  /// Makes a report.
  public init(number: UInt32, started: Instant, outcome: Outcome) {
    self.number = number
    self.started = started
    self.outcome = outcome
  }
}
