import Controls
import Ticks
import TimerMachine

// Invariants:
// - The first key that goes down on a dark or dim face wakes it, and is swallowed with all that
//   comes of the same press. So is a key that was down when the face went dark.
// - A key that goes down while the question is open belongs to the question, also when that has
//   gone by itself before the key comes up. A key that was down before it was asked does not.
// - The question is open only while there is a sit to end: it goes when the sit ends by itself.
//   A pause and a resume, from whichever front, leave it open.
// - The picture is dim only in a pause, and never sooner than `dimSpan` after the last touch.

/// The interaction model of the TV: what the hand at the remote asks for, and what the picture has
/// to show of it.
///
/// - **look**: `focus`, `isAsking`, `isDimmed`;
/// - **news**: `command(for:isDark:)` for each input, `enter(_:at:)` when the phase changes,
///   `advance(to:)` when `nextDeadline` has come.
///
/// While it asks whether the sit shall end, select ends and keeps it, back lets it go on, and the
/// other keys do nothing. The sit goes on meanwhile.
public struct RemotePanel: Sendable {
  /// After so long in a pause without a touch the picture goes dim (PRODUCT's remote panel).
  public static let dimSpan = Span.minutes(5)

  /// What a press of a key is good for.
  private enum Use: Sendable {
    /// It does what the table says.
    case act
    /// It answers the question.
    case answer
    /// It woke the face, and does nothing else.
    case wake
  }

  private let mapping: RemoteMapping
  private var rows: FocusRows
  private var phase = Phase.idle
  /// What the last press of each key is good for, in the order of `Button`.
  private var uses = [Use](repeating: .act, count: Button.allCases.count)
  /// The latest of the last touch and the last change of phase.
  private var stillSince = Instant.zero

  /// Whether it asks if the sit shall end.
  public private(set) var isAsking = false
  /// Whether the picture is ambient and dim.
  public private(set) var isDimmed = false

  /// Makes the panel of an idle box.
  /// - Parameters:
  ///   - mapping: what the gestures mean.
  ///   - programmes: the names of the programmes.
  ///   - setLength: the length that is set; its cell has the focus.
  public init(mapping: RemoteMapping = RemoteMapping(), programmes: [String], setLength: Span) {
    self.mapping = mapping
    rows = FocusRows(programmes: programmes, setLength: setLength)
  }

  /// The name of the focused cell: `20m`, a programme's name or a choice's. Only idle has one.
  public var focus: String? { phase == .idle ? rows.name : nil }

  /// The names of all cells.
  public var focusNames: [String] { rows.names }

  /// When `advance(to:)` has something to do; `nil` when nothing is due by itself.
  public var nextDeadline: Instant? {
    phase == .paused && !isDimmed ? stillSince + RemotePanel.dimSpan : nil
  }

  /// These are the programmes from now on. A programme keeps the focus by its name; where it is
  /// gone its place has it, or the last one.
  public mutating func take(programmes: [String]) { rows.take(programmes: programmes) }

  /// Dims the picture if that is due at or before an instant.
  public mutating func advance(to instant: Instant) {
    if let due = nextDeadline, due <= instant { isDimmed = true }
  }

  /// The timer has entered a phase.
  public mutating func enter(_ newPhase: Phase, at instant: Instant) {
    phase = newPhase
    if newPhase != .running && newPhase != .paused { isAsking = false }
    touch(at: instant)
  }

  /// Takes an input and says what it asks for, or `nil` if it asks for nothing.
  /// - Parameters:
  ///   - input: any input. One of the crown asks for nothing here, but it is a touch.
  ///   - isDark: whether the face is dark now.
  public mutating func command(for input: Input, isDark: Bool) -> PanelCommand? {
    let isUnseen = isDark || isDimmed
    touch(at: input.decidedAt)
    guard input.button != .crown else { return nil }
    let key = Int(input.button.rawValue)
    if input.kind == .press {
      uses[key] = isUnseen ? .wake : isAsking ? .answer : .act
      return isUnseen ? .wake : nil
    }
    guard let gesture = RemoteGesture(input) else { return nil }
    if isUnseen {
      uses[key] = .wake
      return .wake
    }
    switch uses[key] {
    case .wake: return nil
    case .answer: return answer(gesture)
    case .act:
      return mapping[input.phaseAtPress, gesture].flatMap {
        command($0, steps: RemoteGesture.step(of: input.button))
      }
    }
  }

  /// Lifts the dimming, and puts off the next.
  private mutating func touch(at instant: Instant) {
    isDimmed = false
    stillSince = max(stillSince, instant)
  }

  private mutating func answer(_ gesture: RemoteGesture) -> PanelCommand? {
    guard isAsking, gesture == .select || gesture == .back else { return nil }
    isAsking = false
    return gesture == .select ? .end : nil
  }

  private mutating func ask() {
    switch phase {
    case .running, .paused, .overtime: isAsking = true
    case .idle, .preparing, .ended: break
    }
  }

  private mutating func command(_ meaning: RemoteMeaning, steps: Int) -> PanelCommand? {
    switch meaning {
    case .focus: rows.move(steps)
    case .row: rows.changeRow(steps)
    case .askEnd: ask()
    case .length: return .changeLength(steps: steps, isFast: false)
    case .volume: return .changeVolume(steps: steps, isHeard: false)
    case .choose: return choose()
    case .start: return .start
    case .startLast: return .startLast
    case .blackout: return .toggleBlackout
    case .time: return .toggleTime
    case .skip: return .skip
    case .discard: return .discard
    case .pause: return .pause
    case .resume: return .resume
    case .end: return .end
    case .accept: return .accept
    }
    return nil
  }

  private func choose() -> PanelCommand {
    switch rows.focus {
    case .length(let minutes): .startLength(.minutes(minutes))
    case .programme(let place): .startProgramme(place)
    case .choice(let choice): .changeChoice(choice)
    }
  }
}
