import Ticks
import TimerMachine

/// A decided input: what the hand did, freed of bounce and noise.
public struct Input: Equatable, Sendable {
  /// What was done.
  public enum Kind: Equatable, Sendable {
    /// The crown turned by one detent: `step` is +1 clockwise and −1 the other way; `isFast` says
    /// that it counts as a fast one; `isHeld` that the switch was held (press and turn).
    case detent(step: Int, isFast: Bool, isHeld: Bool)
    /// The button went down.
    case press
    /// The button came up.
    case release
    /// A short press that is neither half of a double.
    case click
    /// Two short presses in a row.
    case double
    /// The button has been held for the long span.
    case long
    /// The button is still held, and counts once more.
    case `repeat`

    /// The name that traces and scenarios use.
    public var name: StaticString {
      switch self {
      case .detent: "detent"
      case .press: "press"
      case .release: "release"
      case .click: "click"
      case .double: "double"
      case .long: "long"
      case .repeat: "repeat"
      }
    }
  }

  /// What was done.
  public var kind: Kind
  /// The button that did it; a detent is the crown's.
  public var button: Button
  /// Press and release: the raw edge from which the level was stable. Detent: the edge that
  /// completed it. All others: the instant at which it fell due.
  public var at: Instant
  /// When it was decided: as it fell due, but never before the input ahead of it. It is later than
  /// that only for edges that were read late.
  public var decidedAt: Instant
  /// The phase to which it belongs: that in which the button went down (for a double, the first
  /// time). For a turn with the switch up, the phase at `at`.
  public var phaseAtPress: Phase

  /// Makes an input.
  /// - Parameters:
  ///   - kind: what was done.
  ///   - button: the button that did it.
  ///   - at: the edge it stems from; `nil` if it fell due without one.
  ///   - decidedAt: when it was decided.
  ///   - phaseAtPress: the phase to which it belongs.
  public init(
    _ kind: Kind, button: Button, at: Instant? = nil, decidedAt: Instant, phaseAtPress: Phase
  ) {
    self.kind = kind
    self.button = button
    self.at = at ?? decidedAt
    self.decidedAt = decidedAt
    self.phaseAtPress = phaseAtPress
  }
}

/// The inputs that wait to be fetched, oldest first.
///
/// When it is full the newest input is dropped and counted. Where all inputs are fetched after each
/// piece of news, only a device that tells more than 64 detents at once can fill it.
struct InputQueue: Sendable {
  static let capacity = 64

  private(set) var droppedCount = 0
  private var inputs: [Input] = []
  private var latestDecision = Instant(nanoseconds: .min)

  /// Appends an input. One that an edge read late decides in the past is decided now instead.
  mutating func append(_ input: Input) {
    guard inputs.count < InputQueue.capacity else {
      droppedCount += 1
      return
    }
    var input = input
    input.decidedAt = max(input.decidedAt, latestDecision)
    latestDecision = input.decidedAt
    inputs.append(input)
  }

  mutating func next() -> Input? {
    inputs.isEmpty ? nil : inputs.removeFirst()
  }
}
