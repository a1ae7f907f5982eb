import Controls
import TimerMachine

/// What a gesture of the crown can be made to mean.
public enum CrownMeaning: UInt8, CaseIterable, Sendable {
  /// A turn sets the length of the sit.
  case length
  /// A turn sets the volume, with a soft strike to hear it.
  case volume
  /// A turn sets the volume silently.
  case silentVolume
  /// A turn rates the sit that is over.
  case rate
  /// Begin the sit that is set.
  case start
  /// Begin the sit that was sat last.
  case startLast
  /// Choose the next programme.
  case nextProgramme
  /// Darken the face, or light it again.
  case blackout
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
  /// Leave the sit that is over.
  case accept
  /// Ask whether the sit that is over shall be deleted.
  case delete

  /// The name that board files and the manual use.
  public var name: StaticString {
    switch self {
    case .length: "length"
    case .volume: "volume"
    case .silentVolume: "silent-volume"
    case .rate: "rate"
    case .start: "start"
    case .startLast: "start-last"
    case .nextProgramme: "next-programme"
    case .blackout: "blackout"
    case .skip: "skip"
    case .discard: "discard"
    case .pause: "pause"
    case .resume: "resume"
    case .end: "end"
    case .accept: "accept"
    case .delete: "delete"
    }
  }

  /// Whether a gesture can mean this in a phase: a turn gives a direction and a press gives none,
  /// and nothing is bound where the timer would always refuse it.
  public func fits(_ gesture: CrownGesture, in phase: Phase) -> Bool {
    gesture.isTurn == isTurn && phases.contains(phase)
  }

  private var isTurn: Bool { rawValue <= CrownMeaning.rate.rawValue }

  private var phases: [Phase] {
    switch self {
    case .length, .start, .startLast: [.idle, .ended]
    case .volume, .silentVolume, .blackout: Phase.allCases
    case .nextProgramme: [.idle]
    case .skip: [.preparing]
    case .discard: [.preparing, .running, .paused, .overtime]
    case .pause: [.running]
    case .resume: [.paused]
    case .end: [.running, .paused, .overtime]
    case .rate, .accept, .delete: [.ended]
    }
  }

  /// What it asks for.
  /// - Parameters:
  ///   - steps: the detents of a turn, clockwise is positive; zero for a press.
  ///   - isFast: whether the turn is fast.
  func command(steps: Int, isFast: Bool) -> PanelCommand {
    switch self {
    case .length: .changeLength(steps: steps, isFast: isFast)
    case .volume: .changeVolume(steps: steps, isHeard: true)
    case .silentVolume: .changeVolume(steps: steps, isHeard: false)
    case .rate: .rate(steps: steps)
    case .start: .start
    case .startLast: .startLast
    case .nextProgramme: .nextProgramme
    case .blackout: .toggleBlackout
    case .skip: .skip
    case .discard: .discard
    case .pause: .pause
    case .resume: .resume
    case .end: .end
    case .accept: .accept
    case .delete: .askDelete
    }
  }
}
