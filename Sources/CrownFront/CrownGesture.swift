import Controls

/// What a hand can do with the crown: a column of the crown panel's table.
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

  /// The name that board files and the manual use.
  public var name: StaticString {
    switch self {
    case .turn: "turn"
    case .pressAndTurn: "press-and-turn"
    case .click: "click"
    case .double: "double"
    case .long: "long"
    }
  }

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

  /// Whether it has a direction, so that what it does needs one.
  public var isTurn: Bool { self == .turn || self == .pressAndTurn }
}
