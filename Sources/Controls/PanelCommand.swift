/// What a panel asks of the box: all that the two panels have in common.
///
/// A command with a direction takes it from the input: the sign of a detent, or
/// `RemotePanel.step(of:)`.
public enum PanelCommand: Equatable, Sendable {
  /// Lengthen or shorten the sit; further if the detent is fast.
  case changeLength
  /// Louder or softer; with a soft strike to hear it, or silently.
  case changeVolume(isHeard: Bool)
  /// Begin the sit that is set.
  case start
  /// Begin the sit that was sat last.
  case startLast
  /// Begin the focused length or programme, or change the focused choice.
  case activateFocus
  /// Move the focus along its row, stopping at the ends.
  case moveFocus
  /// Move the focus to the other row.
  case changeRow
  /// Choose the next programme.
  case nextProgramme
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
  /// Ask whether the sit shall end; `RemotePanel.answer(_:)` reads the answer.
  case askEnd
  /// Answer to `askEnd`: the sit goes on as it was.
  case keepOn
  /// End the sit here and keep it.
  case endAndKeep
  /// Close a sit that is past its end bell.
  case finish
  /// Rate the sit, if rating is on.
  case rate
  /// Leave the finished sit.
  case accept
  /// Ask whether the sit shall be deleted; a second time within 5 s deletes it.
  case askDelete
}
