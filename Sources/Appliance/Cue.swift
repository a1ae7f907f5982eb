import Bells
import Ticks
import TimerMachine

/// A soft answer to a hand, for closed eyes. It is a strike like any other, and no bell.
public enum Cue: UInt8, CaseIterable, Sendable {
  /// Done.
  case yes
  /// Refused: nothing has changed.
  case no
  /// The sit is held.
  case pause
  /// The sit goes on.
  case resume
  /// The length was changed by a detent.
  case detent
  /// The same, to a whole five minutes.
  case fifthMinute
  /// The chosen programme, by so many taps as its place in the list.
  case programme
  /// The rating of the sit that is over, by so many taps.
  case rating
  /// The question whether the sit that is over shall be deleted.
  case ask
  /// The end bell, softly, at the volume that was just set.
  case volume

  /// From one strike of a cue to the next: far enough to be counted, near enough to be one answer.
  static let tapGap = Span.milliseconds(150)

  /// The least span between two cues of the same kind. Forty detents a second are to be heard as
  /// detents and not as a buzz; a strike is to be heard before the next one covers it; and an
  /// answer that is being given is not begun anew.
  var spacing: Span {
    switch self {
    case .detent, .fifthMinute: .milliseconds(40)
    case .volume: .milliseconds(250)
    case .yes, .no, .pause, .resume, .ask: .milliseconds(400)
    // A count holds only as the whole of it, and the newest is the one that holds.
    case .programme, .rating: .zero
    }
  }

  /// Whether it is an answer by taps, which `cue.tap` speaks of. Of the others the last is given
  /// also where they come too fast for each to be given, since it tells where the knob stands.
  var isTap: Bool {
    switch self {
    case .detent, .fifthMinute, .volume: false
    case .yes, .no, .pause, .resume, .programme, .rating, .ask: true
    }
  }

  /// Whether one of the two stands for the other where they come faster than `spacing`.
  func isKin(to other: Cue) -> Bool {
    switch (self, other) {
    case (.detent, .fifthMinute), (.fifthMinute, .detent): true
    default: self == other
    }
  }
}

/// When a detent that sets the length has a tick (`cue.detent`).
public enum DetentCue: UInt8, CaseIterable, Sendable {
  /// While nobody can see the length.
  case dark
  /// Always.
  case always
  /// Never.
  case never
}

/// What answers are given on this box.
public struct CueSettings: Equatable, Sendable {
  /// When a detent that sets the length has a tick.
  public var detent = DetentCue.dark
  /// Whether gestures are answered by taps.
  public var hasTaps = true
  /// The linear level of taps and ticks beside their own, which is soft (`bell.cue.level`).
  public var gain: Float = 1

  /// Makes the defaults of the contract.
  public init() {}
}

/// The strikes of one cue.
struct CueStrikes {
  /// The positions of their sounds, one a strike; at least one.
  var sounds: [Int]
  /// Their linear level.
  var gain: Float
  /// How hard.
  var strength: Float
  /// Which of the volumes is theirs.
  var channel: UInt8
}

// Invariants:
// - A cue delays, replaces and cancels no bell: a strike of one that would come within `stillSpan`
//   of a bell's is dropped.
// - A strike that has not begun `latestSpan` after its instant is dropped: an answer that comes
//   later answers nothing.
// - At most `strikesMax` strikes wait.

/// The strikes of the answers that are being given.
struct CuePlanner {
  /// How late a strike of a cue may still be begun.
  static let latestSpan = Span.seconds(1)
  /// How far a cue keeps from a bell, before and after its strikes.
  static let stillSpan = Span.milliseconds(250)
  static let strikesMax = 8

  private var pending: [PlannedStrike] = []
  /// The cue given last, and when its first strike is or was due.
  private var last: (cue: Cue, due: Instant)?
  /// When the bell that was begun last sounds: an output tells of it when it hands it over, which
  /// is up to its buffer before.
  private var lastBell: Instant?

  /// When `advance(to:)` has something to drop.
  var nextDeadline: Instant? {
    pending.map { $0.strike.due }.min().map { $0 + CuePlanner.latestSpan }
  }

  /// Drops what is too late.
  mutating func advance(to instant: Instant) {
    pending.removeAll { $0.strike.due + CuePlanner.latestSpan <= instant }
  }

  /// Gives a cue.
  /// - Parameters:
  ///   - earliest: the first instant at which a strike that is ordered now can sound.
  ///   - firstNumber: the number of the first strike; as many follow it as there are strikes.
  mutating func give(
    _ cue: Cue, _ strikes: CueStrikes, earliest: Instant, firstNumber: UInt32
  ) {
    var due = earliest
    if let last, cue.isKin(to: last.cue), earliest < last.due + cue.spacing {
      guard !cue.isTap else { return }
      // One that has not begun makes way for the newer one, at its own instant.
      let isWaiting = earliest < last.due
      due = isWaiting ? last.due : last.due + cue.spacing
      if isWaiting { pending.removeAll { $0.strike.due == last.due } }
    } else if cue.isTap {
      // The newer answer is the one that holds.
      pending.removeAll { $0.strike.due >= earliest }
    }
    last = (cue, due)
    for (index, sound) in strikes.sounds.prefix(CuePlanner.strikesMax).enumerated() {
      if pending.count == CuePlanner.strikesMax { pending.removeFirst() }
      let strike = Strike(
        number: firstNumber + UInt32(index), sound: sound,
        due: due + Cue.tapGap * Int64(index), gain: strikes.gain, strength: strikes.strength,
        channel: strikes.channel, isAnswer: true)
      pending.append(PlannedStrike(strike: strike, role: .cue, index: index + 1, cue: cue))
    }
  }

  /// The output has dealt with a strike.
  mutating func report(_ number: UInt32) -> PlannedStrike? {
    guard let index = pending.firstIndex(where: { $0.strike.number == number }) else { return nil }
    return pending.remove(at: index)
  }

  /// A strike of a bell was begun, and is in no plan any more.
  mutating func bellSounds(at instant: Instant) { lastBell = instant }

  /// The strikes that are to sound beside those of bells; what is too near to one is dropped.
  mutating func plan(beside bells: [PlannedStrike]) -> [PlannedStrike] {
    let lastBell = lastBell
    pending.removeAll { cue in
      if let lastBell, CuePlanner.isNear(cue, lastBell) { return true }
      return bells.contains { CuePlanner.isNear(cue, $0.strike.due) }
    }
    return pending
  }

  private static func isNear(_ cue: PlannedStrike, _ bell: Instant) -> Bool {
    let apart = bell - cue.strike.due
    return apart < stillSpan && apart > .zero - stillSpan
  }
}
