import Appliance
import Sessions
import Ticks
import Zones

// Invariants:
// - A reminder is due by the clock on the wall: at the first instant of a day at which that shows
//   its time or, where summer time leaves the time out, at the first one after the gap.
// - It is handled once a day, whatever the clock, the zone and summer time do to that day.
// - What fell due before the box ran, or more than `latestSpan` ago, is over.
// - While the time is not known nothing is due.

/// When the reminders of a box are due.
struct ReminderSchedule: Sendable {
  /// How late a reminder is still of use: after a sleep, a step of the clock, or once the time has
  /// become known.
  static let latestSpan = Span.minutes(10)

  /// A reminder that is due.
  struct Due: Equatable, Sendable {
    var at: Instant
    /// When the clock shows its time.
    var shown: Instant
    /// The day on the wall that it is for.
    var date: LocalDate
    /// Which reminder it is.
    var index: Int
  }

  let reminders: [Reminder]
  /// The day for which each was handled last.
  private var handled: [LocalDate?]
  private let started: Instant
  /// What is due next.
  private(set) var next: Due?

  /// - Parameter started: when the box began to run.
  init(_ reminders: [Reminder], started: Instant) {
    self.reminders = reminders
    self.started = started
    handled = reminders.map { _ in nil }
  }

  /// Looks again what is due next: after each that was handled, and when the clock or the zone
  /// changes.
  mutating func plan(_ wall: WallReading, _ zone: ZoneRules, at now: Instant) {
    next = nil
    guard wall.isKnown else { return }
    // What comes after an instant is looked for, and one that is due at this one counts.
    let earliest = max(started, now - ReminderSchedule.latestSpan) - Span(nanoseconds: 1)
    let after = wall.unixSeconds(at: earliest)
    for (index, reminder) in reminders.enumerated() {
      let showing = zone.nextShowing(
        of: reminder.at.wholeSeconds, after: after, isFirstOnly: true
      ) { reminder.days.contains($0.weekday) && $0 != handled[index] }
      guard let showing else { continue }
      let shown = wall.instant(ofUnixSeconds: showing.unixSeconds)
      let at = max(now, shown)
      if next.map({ at < $0.at }) ?? true {
        next = Due(at: at, shown: shown, date: showing.date, index: index)
      }
    }
  }

  /// Takes what is due, or puts it off to now where it comes late, so that all that is due before
  /// it goes first.
  /// - Returns: the reminder to give; nil where it was put off or is over.
  mutating func take(_ wall: WallReading, _ zone: ZoneRules, at now: Instant) -> Due? {
    guard let due = next, due.at <= now else { return nil }
    let isOver = now - due.shown > ReminderSchedule.latestSpan
    if due.at < now && !isOver {
      next?.at = now
      return nil
    }
    handled[due.index] = due.date
    plan(wall, zone, at: now)
    return isOver ? nil : due
  }
}

extension Reminder {
  /// What the appliance is told.
  var call: ReminderCall {
    ReminderCall(
      name: name, programme: programme, kind: kind == .wake ? .wake : .soft,
      isAuto: startsByItself)
  }
}
