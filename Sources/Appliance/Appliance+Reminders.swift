import Bells
import Controls
import Ticks
import TimerMachine

/// A reminder that calls.
struct Call {
  var reminder: ReminderCall
  /// When it is over by itself.
  var until: Instant
  /// Whether it wakes somebody, until a hand comes.
  var isWaking: Bool
}

extension Appliance {
  /// How long a reminder calls.
  public static let callSpan = Span.minutes(5)

  /// The name of the reminder that calls; nil when none does.
  public var reminder: String? { call?.reminder.name }

  mutating func take(_ reminder: ReminderCall) {}
  mutating func advanceCall(to instant: Instant) {}
  mutating func endCall() {}
  mutating func silenceCall(_ input: Input) -> Bool { false }
  mutating func answerCall(_ command: PanelCommand) -> PanelCommand? { nil }
}

extension ApplianceCommand {
  /// Whether it is asked by somebody who sits here: a volume or a choice may be set by a program at
  /// night.
  var isOfHand: Bool {
    switch self {
    case .start, .timer, .undo: true
    case .choose, .setRating, .setVolume, .setRoleVolume, .ring: false
    }
  }
}

extension Input {
  /// Whether it is a new act of a hand: what follows a press belongs to it.
  var isOfHand: Bool {
    switch kind {
    case .press, .detent: true
    case .release, .click, .double, .long, .repeat: false
    }
  }
}
