/// A change that a box makes to a sit it has saved: only what is named, so that what another device
/// changes meanwhile stands.
public enum SitEdit: Equatable, Sendable {
  /// How it was, 1 to 5; nil for no rating.
  case rating(Int64?)
  /// A press has confirmed what was doubtful.
  case credit(
    durationSeconds: Int64, overtimeSeconds: Int64, unconfirmedSeconds: Int64, completed: Bool)
  /// The clock became known, and the dates were set right. One whose dates are known, or were
  /// given by a hand meanwhile, keeps them.
  case dates(
    start: WallInstant, end: WallInstant, offsetSeconds: Int64,
    interruptions: [MeditationSession.Interruption])

  /// Makes the change.
  public func apply(to session: inout MeditationSession) {
    switch self {
    case .rating(let rating): session.rating = rating
    case .credit(let duration, let overtime, let unconfirmed, let completed):
      session.durationSeconds = duration
      session.overtimeSeconds = overtime
      session.unconfirmedSeconds = unconfirmed
      session.completed = completed
    case .dates(let start, let end, let offset, let interruptions):
      guard session.clock == .unsynced else { return }
      session.startDate = start
      session.endDate = end
      session.utcOffsetSeconds = offset
      session.interruptions = interruptions
      session.clock = .repaired
    }
  }
}
