import Controls
import TimerMachine

/// What each gesture of the crown means in each phase: the crown panel as data. The standard is
/// PRODUCT's crown table; a board file can change single cells (`[crown panel]`).
///
/// Invariant: every meaning fits its cell (`CrownMeaning.fits`).
public struct CrownMapping: Equatable, Sendable {
  /// What the gestures mean in one phase; `nil` is nothing.
  private struct Row: Equatable, Sendable {
    var turn: CrownMeaning?
    var pressAndTurn: CrownMeaning?
    var click: CrownMeaning?
    var double: CrownMeaning?
    var long: CrownMeaning?

    subscript(gesture: CrownGesture) -> CrownMeaning? {
      get {
        switch gesture {
        case .turn: turn
        case .pressAndTurn: pressAndTurn
        case .click: click
        case .double: double
        case .long: long
        }
      }
      set {
        switch gesture {
        case .turn: turn = newValue
        case .pressAndTurn: pressAndTurn = newValue
        case .click: click = newValue
        case .double: double = newValue
        case .long: long = newValue
        }
      }
    }
  }

  /// One row a phase, in the order of `Phase`.
  private var rows = [
    // idle
    Row(
      turn: .length, pressAndTurn: .volume, click: .start, double: .nextProgramme, long: .blackout),
    // preparing
    Row(turn: .volume, pressAndTurn: .volume, click: .skip, double: nil, long: .discard),
    // running
    Row(
      turn: .silentVolume, pressAndTurn: .silentVolume, click: .pause, double: .blackout,
      long: .end),
    // paused
    Row(turn: nil, pressAndTurn: nil, click: .resume, double: nil, long: .end),
    // overtime
    Row(turn: .silentVolume, pressAndTurn: .silentVolume, click: .end, double: nil, long: .end),
    // ended
    Row(turn: .rate, pressAndTurn: nil, click: .accept, double: nil, long: .delete),
  ]

  /// The standard mapping.
  public init() {}

  /// What a gesture means in a phase, or `nil` if it means nothing.
  public subscript(phase: Phase, gesture: CrownGesture) -> CrownMeaning? {
    rows[Int(phase.rawValue)][gesture]
  }

  /// Gives a gesture another meaning in a phase, or none.
  /// - Precondition: the meaning fits the gesture in that phase.
  public mutating func set(_ phase: Phase, _ gesture: CrownGesture, to meaning: CrownMeaning?) {
    precondition(meaning?.fits(gesture, in: phase) ?? true, "a meaning fits its cell")
    rows[Int(phase.rawValue)][gesture] = meaning
  }

  /// Where a click has to wait for a second one.
  public var doubleBound: DoubleBinding {
    var binding = DoubleBinding.none
    for phase in Phase.allCases { binding[.crown, phase] = self[phase, .double] != nil }
    return binding
  }

  /// Why a box with this mapping could not be used by the crown alone, or `nil` if it can: a sit
  /// must have a start, and from each of its phases a way to an end that keeps it.
  /// - Parameter isLocked: whether only a long press acts while a sit runs (`crown.lock`).
  public func flaw(isLocked: Bool = false) -> StaticString? {
    let running: [CrownGesture] = isLocked ? [.long] : CrownGesture.allCases
    func has(_ meaning: CrownMeaning, _ phase: Phase) -> Bool {
      CrownGesture.allCases.contains { self[phase, $0] == meaning }
    }
    let endsRunning = running.contains { self[.running, $0] == .end }
    let pauses = running.contains { self[.running, $0] == .pause }
    if !has(.start, .idle) && !has(.startLast, .idle) { return "nothing starts a sit in idle" }
    if !endsRunning && !(pauses && has(.end, .paused)) { return "nothing ends a running sit" }
    if !has(.end, .paused) && !(endsRunning && has(.resume, .paused)) {
      return "nothing ends a paused sit"
    }
    return has(.end, .overtime) ? nil : "nothing ends a sit in overtime"
  }
}
