import Appliance
import Settings
import Ticks
import TimerMachine

// Invariants:
// - A presenter only shows: nothing here changes a sit, and a line that cannot be driven is no
//   trouble of anybody but `GPIOInput`.
// - Without a wired lamp or sounder nothing here is ever due.

/// The lines that the box drives: a status lamp, a lamp at the door, an amplifier, a sounder.
struct Outputs {
  /// How long the sounder is on for a strike that no card sounds.
  static let buzzSpan = Span.milliseconds(300)

  private let roles: [OutputRole]
  private var phase = Phase.idle
  private var phaseBegan: Instant
  private var isDark = false
  private var isCalled = false
  private var isAmplified = false
  /// Whether no card can be had, or none is known to play since.
  private(set) var isSoundLost = false
  private var strikes: [Instant] = []
  private var ends: [Instant] = []
  /// The latest strike that was told in a card's place.
  private var struck: Instant?
  private var buzzUntil: Instant?
  private var signalBegan: Instant?
  private var updated: Instant

  init(_ wiring: Wiring, at now: Instant) {
    roles = wiring.outputs.map(\.role)
    phaseBegan = now
    updated = now
  }

  /// Whether anything is driven at all.
  var isWired: Bool { !roles.isEmpty }

  /// When `states(at:)` is another by itself.
  var nextDeadline: Instant? {
    var next: Instant?
    if roles.contains(.led) {
      next = lamp.nextChange(after: updated, since: lampBegan)
      let signal = signalEnd ?? (isSignalWanted ? ends.first { $0 > updated } : nil)
      if let signal { next = min(next ?? signal, signal) }
    }
    guard roles.contains(.buzzer) else { return next }
    let strike = isSoundLost ? strikes.first { $0 > updated } : nil
    for case let due? in [buzzUntil, strike] { next = min(next ?? due, due) }
    return next
  }

  /// The phase has changed.
  mutating func enter(_ phase: Phase, at instant: Instant) {
    self.phase = phase
    phaseBegan = instant
  }

  /// The sound card runs, or does not run any more.
  mutating func setAmplified(_ isAmplified: Bool) { self.isAmplified = isAmplified }

  /// The sound card cannot be had: the sounder strikes in its place, at once for what is planned
  /// and overdue.
  mutating func setSoundLost(_ isLost: Bool, at now: Instant = .zero) {
    if isSoundLost, !isLost { signalBegan = nil }
    if isLost, !isSoundLost, let due = strikes.last(where: { $0 <= now }) {
      strikeLate(due, isEnd: ends.contains { $0 <= now }, at: now)
    }
    isSoundLost = isLost
  }

  /// No card has sounded a strike, and none will: the sounder does it, however late.
  mutating func missed(_ due: Instant, isEnd: Bool, at now: Instant) {
    strikeLate(due, isEnd: isEnd, at: now)
  }

  private mutating func strikeLate(_ due: Instant, isEnd: Bool, at now: Instant) {
    if let struck, due <= struck { return }
    struck = due
    if roles.contains(.buzzer) {
      buzzUntil = now + Outputs.buzzSpan
    } else if isEnd {
      signalBegan = now
    }
  }

  /// Strikes of bells are to come at these instants, in place of all before.
  /// - Parameter ends: when sits come to their planned ends.
  mutating func plan(_ strikes: [Instant], ends: [Instant] = []) {
    self.strikes = strikes.sorted()
    self.ends = ends.sorted()
  }

  /// What is on now.
  mutating func states(
    at now: Instant, isDark: Bool, isCalled: Bool = false
  ) -> [(role: OutputRole, isOn: Bool)] {
    self.isDark = isDark
    self.isCalled = isCalled
    if isSoundLost, let due = strikes.last(where: { $0 > updated && $0 <= now }) {
      buzzUntil = max(due, updated) + Outputs.buzzSpan
      struck = due
    }
    if let end = buzzUntil, end <= now { buzzUntil = nil }
    if isSignalWanted, let due = ends.last(where: { $0 > updated && $0 <= now }) {
      signalBegan = due
    }
    if let end = signalEnd, end <= now { signalBegan = nil }
    updated = max(updated, now)
    return roles.map { role in
      switch role {
      case .led: (role, lamp.isLit(at: updated, since: lampBegan))
      case .quiet: (role, Lamp.isQuietLit(in: phase))
      case .amp: (role, isAmplified)
      case .buzzer: (role, buzzUntil != nil)
      }
    }
  }

  /// What no card sounds the sounder does, and without one the lamp, also where it is dark by
  /// choice: else nothing would tell of the end.
  private var isSignalWanted: Bool { isSoundLost && !roles.contains(.buzzer) }

  private var signalEnd: Instant? { signalBegan.map { $0 + Lamp.signalLength } }

  private var lamp: Lamp {
    signalBegan == nil ? Lamp(in: phase, isDark: isDark, isCalled: isCalled) : .signalling
  }

  private var lampBegan: Instant { signalBegan ?? phaseBegan }
}
