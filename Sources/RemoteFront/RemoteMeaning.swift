import TimerMachine

/// What a gesture of the remote can be made to mean.
public enum RemoteMeaning: UInt8, CaseIterable, Sendable {
  /// An arrow moves the focus along its row, and stops at the ends.
  case focus
  /// An arrow moves the focus to the other row.
  case row
  /// An arrow sets the length of the sit.
  case length
  /// An arrow sets the volume, silently: the picture shows it.
  case volume
  /// Begin the focused length or programme, or give the focused choice its next value.
  case choose
  /// Begin the sit that is set.
  case start
  /// Begin the sit that was sat last.
  case startLast
  /// Darken the face.
  case blackout
  /// Show the time left, or hide it.
  case time
  /// Go straight to the start bell.
  case skip
  /// End the sit and keep nothing.
  case discard
  /// Hold everything.
  case pause
  /// Go on.
  case resume
  /// End the sit here and keep it.
  case end
  /// Ask whether the sit shall end.
  case askEnd
  /// Leave the sit that is over.
  case accept

  /// The name that board files and the manual use.
  public var name: StaticString {
    switch self {
    case .focus: "focus"
    case .row: "row"
    case .length: "length"
    case .volume: "volume"
    case .choose: "choose"
    case .start: "start"
    case .startLast: "start-last"
    case .blackout: "blackout"
    case .time: "time"
    case .skip: "skip"
    case .discard: "discard"
    case .pause: "pause"
    case .resume: "resume"
    case .end: "end"
    case .askEnd: "ask-end"
    case .accept: "accept"
    }
  }

  /// Whether a gesture can mean this in a phase: an arrow gives a direction and another key gives
  /// none, and nothing is bound where there is nothing to do it to.
  public func fits(_ gesture: RemoteGesture, in phase: Phase) -> Bool {
    gesture.isArrow == isArrow && phases.contains(phase)
  }

  private var isArrow: Bool { rawValue <= RemoteMeaning.volume.rawValue }

  private var phases: [Phase] {
    switch self {
    case .focus, .row, .choose: [.idle]
    case .length, .start, .startLast: [.idle, .ended]
    case .volume, .blackout: Phase.allCases
    case .time: [.running]
    case .skip: [.preparing]
    case .discard: [.preparing, .running, .paused, .overtime]
    case .pause: [.running]
    case .resume: [.paused]
    case .end, .askEnd: [.running, .paused, .overtime]
    case .accept: [.ended]
    }
  }
}
