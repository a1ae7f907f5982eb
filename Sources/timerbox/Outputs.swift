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
  private var isAmplified = false
  private var isSoundLost = false
  private var strikes: [Instant] = []
  private var buzzUntil: Instant?
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
    if roles.contains(.led) { next = lamp.nextChange(after: updated, since: phaseBegan) }
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

  /// The sound card cannot be had: the sounder strikes in its place.
  mutating func setSoundLost(_ isLost: Bool) { isSoundLost = isLost }

  /// Strikes are to come at these instants, in place of all before.
  mutating func plan(_ strikes: [Instant]) { self.strikes = strikes.sorted() }

  /// What is on now.
  mutating func states(at now: Instant, isDark: Bool) -> [(role: OutputRole, isOn: Bool)] {
    self.isDark = isDark
    if isSoundLost, let due = strikes.last(where: { $0 > updated && $0 <= now }) {
      buzzUntil = max(due, updated) + Outputs.buzzSpan
    }
    if let end = buzzUntil, end <= now { buzzUntil = nil }
    updated = max(updated, now)
    return roles.map { role in
      switch role {
      case .led: (role, lamp.isLit(at: updated, since: phaseBegan))
      case .quiet: (role, Lamp.isQuietLit(in: phase))
      case .amp: (role, isAmplified)
      case .buzzer: (role, buzzUntil != nil)
      }
    }
  }

  private var lamp: Lamp { Lamp(in: phase, isDark: isDark) }
}
