import Controls

/// What a hand can do with the remote: a column of the remote panel's table. An arrow acts with its
/// click and with each of its repeats.
public enum RemoteGesture: UInt8, CaseIterable, Sendable {
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
  /// The middle key, held.
  case selectLong
  /// The key that plays and pauses, held.
  case playLong
  /// The key that leads back, held.
  case backLong

  /// The name that board files and the manual use.
  public var name: StaticString {
    switch self {
    case .leftRight: "left-right"
    case .upDown: "up-down"
    case .select: "select"
    case .play: "play"
    case .back: "back"
    case .selectLong: "select-long"
    case .playLong: "play-long"
    case .backLong: "back-long"
    }
  }

  /// The gesture of an input, or `nil` for an input that is no gesture of the remote by itself.
  public init?(_ input: Input) {
    switch (input.kind, input.button) {
    case (.click, .left), (.click, .right), (.repeat, .left), (.repeat, .right): self = .leftRight
    case (.click, .up), (.click, .down), (.repeat, .up), (.repeat, .down): self = .upDown
    case (.click, .select): self = .select
    case (.click, .play): self = .play
    case (.click, .back): self = .back
    case (.long, .select): self = .selectLong
    case (.long, .play): self = .playLong
    case (.long, .back): self = .backLong
    default: return nil
    }
  }

  /// Whether it has a direction, so that what it does needs one.
  public var isArrow: Bool { self == .leftRight || self == .upDown }

  /// The direction of a key: +1 to the right and upwards, −1 to the left and downwards, else 0.
  public static func step(of button: Button) -> Int {
    switch button {
    case .right, .up: 1
    case .left, .down: -1
    case .crown, .select, .back, .play: 0
    }
  }
}
