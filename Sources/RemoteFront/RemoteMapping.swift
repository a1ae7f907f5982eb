import TimerMachine

/// What each gesture of the remote means in each phase: the remote panel as data. The standard is
/// PRODUCT's remote table; a board file can change single cells (`[remote panel]`).
///
/// Invariant: every meaning fits its cell (`RemoteMeaning.fits`).
public struct RemoteMapping: Equatable, Sendable {
  /// What the gestures mean in one phase; `nil` is nothing.
  private struct Row: Equatable, Sendable {
    var leftRight: RemoteMeaning?
    var upDown: RemoteMeaning?
    var select: RemoteMeaning?
    var play: RemoteMeaning?
    var back: RemoteMeaning?
    var selectLong: RemoteMeaning?
    var playLong: RemoteMeaning?
    var backLong: RemoteMeaning?

    subscript(gesture: RemoteGesture) -> RemoteMeaning? {
      get {
        switch gesture {
        case .leftRight: leftRight
        case .upDown: upDown
        case .select: select
        case .play: play
        case .back: back
        case .selectLong: selectLong
        case .playLong: playLong
        case .backLong: backLong
        }
      }
      set {
        switch gesture {
        case .leftRight: leftRight = newValue
        case .upDown: upDown = newValue
        case .select: select = newValue
        case .play: play = newValue
        case .back: back = newValue
        case .selectLong: selectLong = newValue
        case .playLong: playLong = newValue
        case .backLong: backLong = newValue
        }
      }
    }
  }

  /// One row a phase, in the order of `Phase`.
  private var rows = [
    // idle
    Row(leftRight: .focus, upDown: .row, select: .choose, play: .startLast, back: .blackout),
    // preparing
    Row(leftRight: nil, upDown: .volume, select: .skip, play: .skip, back: .discard),
    // running
    Row(leftRight: nil, upDown: .volume, select: .time, play: .pause, back: .askEnd),
    // paused
    Row(leftRight: nil, upDown: .volume, select: .resume, play: .resume, back: .askEnd),
    // overtime
    Row(leftRight: nil, upDown: .volume, select: .end, play: .end, back: .end),
    // ended
    Row(leftRight: nil, upDown: nil, select: .accept, play: .accept, back: .accept),
  ]

  /// The standard mapping.
  public init() {}

  /// What a gesture means in a phase, or `nil` if it means nothing.
  public subscript(phase: Phase, gesture: RemoteGesture) -> RemoteMeaning? {
    rows[Int(phase.rawValue)][gesture]
  }

  /// Gives a gesture another meaning in a phase, or none.
  /// - Precondition: the meaning fits the gesture in that phase.
  public mutating func set(_ phase: Phase, _ gesture: RemoteGesture, to meaning: RemoteMeaning?) {
    precondition(meaning?.fits(gesture, in: phase) ?? true, "a meaning fits its cell")
    rows[Int(phase.rawValue)][gesture] = meaning
  }

  /// Why a box with this mapping could not be used by the remote alone, or `nil` if it can: a sit
  /// must have a start, and from each of its phases a way to an end that keeps it.
  public var flaw: StaticString? {
    func has(_ meanings: [RemoteMeaning], _ phase: Phase) -> Bool {
      RemoteGesture.allCases.contains { gesture in
        self[phase, gesture].map { meanings.contains($0) } ?? false
      }
    }
    func ends(_ phase: Phase) -> Bool { has([.end, .askEnd], phase) }
    if !has([.choose, .start, .startLast], .idle) { return "nothing starts a sit in idle" }
    if !ends(.running) && !(has([.pause], .running) && ends(.paused)) {
      return "nothing ends a running sit"
    }
    if !ends(.paused) && !(ends(.running) && has([.resume], .paused)) {
      return "nothing ends a paused sit"
    }
    return ends(.overtime) ? nil : "nothing ends a sit in overtime"
  }
}
