import Appliance
import Sessions
import Ticks
import TimerMachine
import Zones

// What becomes of a sit.
extension Box {
  func session(of finished: FinishedSit) -> MeditationSession {
    let start = wall.wall(at: finished.begun)
    var session = MeditationSession(
      id: sit, startDate: start, endDate: wall.wall(at: finished.ended),
      durationSeconds: MeditationSession.wholeSeconds(finished.credited),
      plannedSeconds: finished.planned?.wholeSeconds)
    session.sourceDevice = settings.sourceDevice
    session.overtimeSeconds = MeditationSession.wholeSeconds(finished.overtime)
    session.unconfirmedSeconds = MeditationSession.wholeSeconds(finished.unconfirmed)
    session.completed = finished.completed
    session.interruptions = finished.interruptions.map {
      MeditationSession.Interruption(
        from: wall.wall(at: $0.from), to: wall.wall(at: $0.to), kind: .pause)
    }
    session.utcOffsetSeconds = zone.offsetSeconds(at: start)
    session.programme = state(at: now).programme
    session.clock = clock
    return session
  }

  var clock: MeditationSession.Clock {
    guard wall.isKnown else { return .unsynced }
    return isClockKnownAtBegin ? .synced : .repaired
  }
}
