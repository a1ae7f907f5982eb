import Sessions
import Settings
import Zones

/// The days of a box's sits, and what day it is there.
struct SimulatedDays {
  let days: SessionDays
  let today: LocalDate
  private let offset: Int64

  init(_ box: borrowing SimulatedBox, _ configuration: Configuration) {
    let own = DayRule(
      startsSeconds: configuration.day.starts.wholeSeconds, graceDays: configuration.day.grace)
    let rule = box.storage.keeper.store.dayRule(or: own)
    let now = box.time.wall
    let seconds = Int64((Double(now.milliseconds) / 1_000).rounded(.down))
    offset = Int64(box.zone.offsetSeconds(atUnixSeconds: seconds))
    today = rule.day(at: now, utcOffsetSeconds: offset)
    days = SessionDays(box.sessions, rule: rule)
  }

  var streak: Int { days.currentStreak(on: today, utcOffsetSeconds: offset) }
  var isDue: Bool { days.isStreakDue(on: today, utcOffsetSeconds: offset) }
}
