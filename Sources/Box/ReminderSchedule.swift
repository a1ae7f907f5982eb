import Appliance
import Sessions
import Ticks
import Zones

// Invariants:
// - A reminder is due by the clock on the wall: at the first instant of a day at which that shows
//   its time or, where summer time leaves the time out, at the first one after the gap.
// - It is handled once a day, whatever the clock, the zone, summer time and outages do to that day.
// - What fell due longer ago than its `latestSpan` is over. What fell due within it while the
//   machine slept, the box did not run or the time was not known calls late.
// - While the time is not known nothing is due, and none is before `earliest`.

/// When the reminders of a box are due.
struct ReminderSchedule: Sendable {
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
  /// The first instant at which one may call.
  var earliest: Instant
  /// What is due next.
  private(set) var next: Due?

  init(_ reminders: [Reminder], called: CalledDays, earliest: Instant) {
    self.reminders = reminders
    self.earliest = earliest
    handled = reminders.map { called.days[$0.name] }
  }

  /// For which days they were handled last.
  /// - Parameter name: one that is left out.
  func called(but name: String?) -> CalledDays {
    var called = CalledDays()
    for (reminder, date) in zip(reminders, handled) where reminder.name != name {
      called.days[reminder.name] = date
    }
    return called
  }

  /// Looks again what is due next: after each that was handled, and when the clock or the zone
  /// changes.
  mutating func plan(_ wall: WallReading, _ zone: ZoneRules, at now: Instant) {
    next = nil
    guard wall.isKnown else { return }
    for (index, reminder) in reminders.enumerated() {
      // What comes after an instant is looked for, and one that is due at this one counts.
      let after = wall.wall(at: now - reminder.latestSpan - .milliseconds(1)).unixSeconds
      let showing = zone.nextShowing(
        of: reminder.at.wholeSeconds, after: after, isFirstOnly: true
      ) { reminder.days.contains($0.weekday) && $0 != handled[index] }
      guard let showing else { continue }
      let shown = wall.instant(ofUnixSeconds: showing.unixSeconds)
      let at = max(now, shown, earliest)
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
    let isOver = now - due.shown > reminders[due.index].latestSpan
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
  /// How late it is still of use: after a sleep, an outage or a step of the clock. Who is not woken
  /// sleeps on; who was only to be reminded does something else by then.
  var latestSpan: Span { kind == .wake ? .minutes(30) : .minutes(10) }

  /// What the appliance is told.
  var call: ReminderCall {
    ReminderCall(
      name: name, programme: programme, kind: kind == .wake ? .wake : .soft,
      isAuto: startsByItself)
  }
}
