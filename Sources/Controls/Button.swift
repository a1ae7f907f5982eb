/// A button as the hand knows it. The order decides which of two equal deadlines fires first.
public enum Button: UInt8, CaseIterable, Sendable {
  /// The crown's push switch.
  case crown
  /// The remote's upper key.
  case up
  /// The remote's lower key.
  case down
  /// The remote's left key.
  case left
  /// The remote's right key.
  case right
  /// The remote's middle key.
  case select
  /// The remote's key that leads back.
  case back
  /// The remote's key that plays and pauses.
  case play

  /// The name that traces and scenarios use.
  public var name: StaticString {
    switch self {
    case .crown: "crown"
    case .up: "up"
    case .down: "down"
    case .left: "left"
    case .right: "right"
    case .select: "select"
    case .back: "back"
    case .play: "play"
    }
  }

  /// The line that the button pulls low.
  public var line: Line {
    switch self {
    case .crown: .s
    case .up: .up
    case .down: .down
    case .left: .left
    case .right: .right
    case .select: .select
    case .back: .back
    case .play: .play
    }
  }

  /// The button on a line, or `nil` for the crown's two contacts.
  public init?(line: Line) {
    switch line {
    case .a, .b: return nil
    case .s: self = .crown
    case .up: self = .up
    case .down: self = .down
    case .left: self = .left
    case .right: self = .right
    case .select: self = .select
    case .back: self = .back
    case .play: self = .play
    }
  }

  /// Whether the button repeats while it is held. One that does has no long press.
  public var repeats: Bool {
    switch self {
    case .up, .down, .left, .right: true
    case .crown, .select, .back, .play: false
    }
  }
}
