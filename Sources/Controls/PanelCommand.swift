import Ticks

/// What a panel asks of the box: all that the two panels have in common. It says all of what is
/// asked; whoever carries it out needs no input beside it.
public enum PanelCommand: Equatable, Sendable {
  /// Light a dark or dim face again: a hand woke it, and did nothing else.
  case wake
  /// Lengthen the sit by so many steps, or shorten it; by greater ones if the detents are fast.
  case changeLength(steps: Int, isFast: Bool)
  /// Louder by so many steps, or softer; with a soft strike to hear it, or silently.
  case changeVolume(steps: Int, isHeard: Bool)
  /// Begin the sit that is set.
  case start
  /// Begin the sit that was sat last.
  case startLast
  /// Begin a sit of this length.
  case startLength(Span)
  /// Begin the programme at this place in the list of programmes.
  case startProgramme(Int)
  /// Choose the next programme.
  case nextProgramme
  /// Give one of this device's choices its next value.
  case changeChoice(PanelChoice)
  /// Darken the face, or light it again.
  case toggleBlackout
  /// Show the time left, or hide it.
  case toggleTime
  /// Go from preparing straight to the start.
  case skip
  /// Remove the sit without a record.
  case discard
  /// Hold everything.
  case pause
  /// Go on after a pause.
  case resume
  /// End the sit here and keep it.
  case end
  /// Rate the sit by so many steps more, or less, if rating is on.
  case rate(steps: Int)
  /// Leave the finished sit.
  case accept
  /// Ask whether the sit shall be deleted; a second time within 5 s deletes it.
  case askDelete
  /// Nothing is done, since the crown is locked while a sit runs.
  case refuseLocked
}

/// A choice that is made on this device, and stays on it, with each sit that begins on it.
public enum PanelChoice: UInt8, CaseIterable, Sendable {
  /// The sound of the bells.
  case bell
  /// The time between interval bells.
  case interval
  /// The time between the press and the start bell.
  case preparation
  /// What is seen behind the time.
  case picture

  /// The name that state lines and scenarios use.
  public var name: StaticString {
    switch self {
    case .bell: "bell"
    case .interval: "interval"
    case .preparation: "preparation"
    case .picture: "picture"
    }
  }
}
