import TimerMachine

/// The interaction model of the TV: PRODUCT's remote table, as data.
///
/// A key acts with its click and with each of its repeats. The long press of the others has no
/// meaning, and no double is bound.
public enum RemotePanel {
  /// A column of the table.
  public enum Key: UInt8, CaseIterable, Sendable {
    /// Left or right.
    case leftRight
    /// Up or down.
    case upDown
    /// The middle key.
    case select
    /// The key that plays and pauses.
    case play
    /// The key that leads back.
    case back

    /// The column of a button, or `nil` for the crown.
    public init?(_ button: Button) {
      switch button {
      case .crown: return nil
      case .left, .right: self = .leftRight
      case .up, .down: self = .upDown
      case .select: self = .select
      case .play: self = .play
      case .back: self = .back
      }
    }
  }

  /// What the keys do in one phase; `nil` is nothing.
  public struct Row: Sendable {
    /// The phase in which the key went down.
    public let phase: Phase
    let leftRight: PanelCommand?
    let upDown: PanelCommand?
    let select: PanelCommand?
    let play: PanelCommand?
    let back: PanelCommand?

    /// The cell of a key.
    public subscript(key: Key) -> PanelCommand? {
      switch key {
      case .leftRight: leftRight
      case .upDown: upDown
      case .select: select
      case .play: play
      case .back: back
      }
    }
  }

  /// One row a phase, in the order of `Phase`. The volume changes silently: the picture shows it.
  public static let table = [
    Row(
      phase: .idle, leftRight: .moveFocus, upDown: .changeRow,
      select: .activateFocus, play: .startLast, back: .toggleBlackout),
    Row(
      phase: .preparing, leftRight: nil, upDown: .changeVolume(isHeard: false),
      select: .skip, play: .skip, back: .discard),
    Row(
      phase: .running, leftRight: nil, upDown: .changeVolume(isHeard: false),
      select: .toggleTime, play: .pause, back: .askEnd),
    Row(
      phase: .paused, leftRight: nil, upDown: .changeVolume(isHeard: false),
      select: .resume, play: .resume, back: .askEnd),
    Row(
      phase: .overtime, leftRight: nil, upDown: .changeVolume(isHeard: false),
      select: .finish, play: .finish, back: .finish),
    Row(
      phase: .ended, leftRight: nil, upDown: nil,
      select: .accept, play: .accept, back: .accept),
  ]

  /// What a key asks for in a phase, or `nil` if it asks for nothing.
  public static func command(for key: Key, in phase: Phase) -> PanelCommand? {
    table[Int(phase.rawValue)][key]
  }

  /// What an input asks for, or `nil` if it asks for nothing.
  public static func command(for input: Input) -> PanelCommand? {
    guard input.kind == .click || input.kind == .repeat, let key = Key(input.button) else {
      return nil
    }
    return command(for: key, in: input.phaseAtPress)
  }

  /// What a key answers while the face asks whether the sit shall end, or `nil` if it is no answer.
  public static func answer(_ key: Key) -> PanelCommand? {
    switch key {
    case .select: .endAndKeep
    case .back: .keepOn
    case .leftRight, .upDown, .play: nil
    }
  }

  /// The direction of a key: +1 to the right and upwards, −1 to the left and downwards, else 0.
  public static func step(of button: Button) -> Int {
    switch button {
    case .right, .up: 1
    case .left, .down: -1
    case .crown, .select, .back, .play: 0
    }
  }
}
