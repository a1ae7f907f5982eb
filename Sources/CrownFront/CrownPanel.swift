import Controls
import Ticks
import TimerMachine

// Invariants:
// - A click, single or double, acts, also when the face is dark.
// - A turn or a long press that comes to a dark face wakes it, and is swallowed whole: a turn until
//   the knob has rested, a press and turn until the switch is let go.
// - While the crown is locked and a sit runs, a long press acts and nothing else does; waking is no
//   act.

/// The interaction model of the box: what the hand at the crown asks for.
///
/// It is told each input of the crown and whether the face is dark, and answers with a command.
public struct CrownPanel: Sendable {
  /// After so long without a detent the next one begins a new turn (PRODUCT's crown panel).
  public static let restSpan = Span.milliseconds(200)

  private let mapping: CrownMapping
  private let isLocked: Bool
  /// Until when a detent belongs to the turn that woke the face.
  private var wakingTurnEnd = Instant(nanoseconds: .min)
  /// Whether the switch is held in the press and turn that woke the face.
  private var isWakingHold = false

  /// Makes the panel of a box.
  /// - Parameters:
  ///   - mapping: what the gestures mean.
  ///   - isLocked: whether only a long press acts while a sit runs.
  public init(mapping: CrownMapping = CrownMapping(), isLocked: Bool = false) {
    self.mapping = mapping
    self.isLocked = isLocked
  }

  /// Takes an input and says what it asks for, or `nil` if it asks for nothing.
  /// - Parameters:
  ///   - input: any input; those of other buttons are none of the crown's.
  ///   - isDark: whether the face is dark now.
  public mutating func command(for input: Input, isDark: Bool) -> PanelCommand? {
    if input.button == .crown && input.kind == .press { isWakingHold = false }
    guard let gesture = CrownGesture(input) else { return nil }
    if isSwallowed(gesture, at: input.at, isDark: isDark) { return isDark ? .wake : nil }
    guard let meaning = mapping[input.phaseAtPress, gesture] else { return nil }
    if isLocked && input.phaseAtPress == .running && gesture != .long { return .refuseLocked }
    guard case .detent(let step, let isFast, _) = input.kind else {
      return meaning.command(steps: 0, isFast: false)
    }
    return meaning.command(steps: step, isFast: isFast)
  }

  /// Whether a gesture wakes the face, or belongs to one that did.
  private mutating func isSwallowed(
    _ gesture: CrownGesture, at instant: Instant, isDark: Bool
  ) -> Bool {
    switch gesture {
    case .click, .double: return false
    case .long: return isDark
    case .turn, .pressAndTurn:
      let isHeld = gesture == .pressAndTurn
      guard isDark || instant < wakingTurnEnd || (isHeld && isWakingHold) else { return false }
      wakingTurnEnd = instant + CrownPanel.restSpan
      isWakingHold = isHeld
      return true
    }
  }
}
