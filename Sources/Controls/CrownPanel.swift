import TimerMachine

/// What a hand can do with the crown.
public enum CrownGesture: UInt8, CaseIterable, Sendable {
  /// Turn with the switch up.
  case turn
  /// Turn with the switch held.
  case pressAndTurn
  /// Press once, shortly.
  case click
  /// Press twice, shortly.
  case double
  /// Hold.
  case long

  /// The gesture of an input, or `nil` for an input that is no gesture of the crown by itself.
  public init?(_ input: Input) {
    guard input.button == .crown else { return nil }
    switch input.kind {
    case .detent(_, _, let isHeld): self = isHeld ? .pressAndTurn : .turn
    case .click: self = .click
    case .double: self = .double
    case .long: self = .long
    case .press, .release, .repeat: return nil
    }
  }
}

/// The interaction model of the box: PRODUCT's crown table, as data.
public enum CrownPanel {
  /// What the gestures do in one phase; `nil` is nothing.
  public struct Row: Sendable {
    /// The phase in which the button went down, or in which the knob was turned.
    public let phase: Phase
    let turn: PanelCommand?
    let pressAndTurn: PanelCommand?
    let click: PanelCommand?
    let double: PanelCommand?
    let long: PanelCommand?

    /// The cell of a gesture.
    public subscript(gesture: CrownGesture) -> PanelCommand? {
      switch gesture {
      case .turn: turn
      case .pressAndTurn: pressAndTurn
      case .click: click
      case .double: double
      case .long: long
      }
    }
  }

  /// One row a phase, in the order of `Phase`.
  public static let table = [
    Row(
      phase: .idle, turn: .changeLength, pressAndTurn: .changeVolume(isHeard: true),
      click: .start, double: .nextProgramme, long: .toggleBlackout),
    Row(
      phase: .preparing, turn: .changeVolume(isHeard: true),
      pressAndTurn: .changeVolume(isHeard: true), click: .skip, double: nil, long: .discard),
    Row(
      phase: .running, turn: .changeVolume(isHeard: false),
      pressAndTurn: .changeVolume(isHeard: false),
      click: .pause, double: .toggleBlackout, long: .endAndKeep),
    Row(
      phase: .paused, turn: nil, pressAndTurn: nil,
      click: .resume, double: nil, long: .endAndKeep),
    Row(
      phase: .overtime, turn: .changeVolume(isHeard: false),
      pressAndTurn: .changeVolume(isHeard: false), click: .finish, double: nil, long: .finish),
    Row(
      phase: .ended, turn: .rate, pressAndTurn: nil,
      click: .accept, double: nil, long: .askDelete),
  ]

  /// What a gesture asks for in a phase, or `nil` if it asks for nothing.
  public static func command(for gesture: CrownGesture, in phase: Phase) -> PanelCommand? {
    table[Int(phase.rawValue)][gesture]
  }

  /// What an input asks for, or `nil` if it asks for nothing.
  public static func command(for input: Input) -> PanelCommand? {
    CrownGesture(input).flatMap { command(for: $0, in: input.phaseAtPress) }
  }

  /// Whether a gesture asks for anything in a phase. A click waits for a double only where one is
  /// bound.
  public static func binds(_ gesture: CrownGesture, in phase: Phase) -> Bool {
    command(for: gesture, in: phase) != nil
  }
}
