import Appliance
import Sessions
import Ticks
import TimerMachine
import Zones

/// A claim of another box, and when it came; nil where it was there as this one began to run, so
/// that nobody knows for how long.
struct SeenClaim: Equatable, Sendable {
  var claim: Claim
  var at: Instant?
}

/// A sit of the owner that runs elsewhere.
struct Elsewhere: Equatable, Sendable {
  var claim: Claim
  /// Where and since when, for people: `box 1A2B3C4D since 06:30`.
  var text: String
}

// What hangs on the clock on the wall: claims, ends by the time of day, reminders, dates.
extension Box {
  /// A claim is written again before it lapses, where it has no end of its own.
  static let claimSpan = Span.hours(3)
  /// A claim that would be off by less than this is not written again.
  static let claimToleranceMilliseconds: Int64 = 60_000
  /// What comes later than this after it was written was on its way; what comes sooner is of a
  /// clock that is behind ours, if it is not just written.
  static let claimBehindMilliseconds: Int64 = 3_600_000
  /// How long somebody counts as awake after the begin of a sit.
  static let awakeSpan = Span.hours(3)

  /// The clock was set, or the zone is another.
  mutating func followClock() {
    updateDegraded()
    repairDates()
    endDoubt()
    followElsewhere()
    moveEnd()
    followUntilEnds()
    planReminders()
    guard sit != nil else { return }
    writeJournal(isDurable: true, at: now)
    putClaim()
  }

  // MARK: - Until a time of day

  /// The instant at which the clock next shows a time; nil while the time is not known.
  /// - Parameter after: only what comes after it counts.
  private func instant(of time: Span, after: WallInstant) -> Instant? {
    guard wall.isKnown else { return nil }
    return zone.nextShowing(of: time.wholeSeconds, after: after.unixSeconds).map {
      wall.instant(ofUnixSeconds: $0.unixSeconds)
    }
  }

  mutating func start(until time: Span, anyway: Bool) {
    guard let end = instant(of: time, after: wall.wall(at: now)) else {
      let refused = Notice.refused(command: "start", reason: "the time of day is not known")
      return actions.append(.appliance(.notice(refused, at: now)))
    }
    let before = askedUntil
    askedUntil = time
    tell(.command(.start(.until(end), anyway: anyway)))
    // What was refused has changed nothing.
    if appliance.timer.plan?.end != end { askedUntil = before }
  }

  /// Moves the end of a sit that goes on until a time of day to when the clock as it is now shows
  /// that time, nearest to the end as it stood: a clock that was set past the end ends the sit and
  /// makes no night of it, and one that was set back makes it longer. The time is that of the zone
  /// where the sit began: a flight moves no end.
  mutating func moveEnd() {
    guard wall.isKnown, let snapshot = appliance.timer.snapshot, let end = snapshot.plan.end,
      let time = sit?.until ?? askedUntil ?? appliance.programme.length.time
    else { return }
    let (seconds, shown) = (time.wholeSeconds, wall.wall(at: end).unixSeconds)
    let showing: Int64?
    switch place(of: snapshot) {
    case .zone(let rules): showing = rules.nearestShowing(of: seconds, to: shown)
    case .offset(let offset):
      let day: Int64 = 86_400
      let ofUTC = ((seconds - offset) % day + day) % day
      showing = ZoneRules.utc.nearestShowing(of: ofUTC, to: shown)
    }
    guard let moved = showing.map({ wall.instant(ofUnixSeconds: $0) }), moved != end else {
      return
    }
    tell(.endMoved(to: moved))
  }

  /// Where the sit that is on began. One that was taken up after an outage has written down its
  /// offset alone: as long as the zone here has that too, no more is known, and the zone counts.
  private func place(of snapshot: TimerSnapshot) -> OpenSit.Place {
    guard let sit else { return .zone(zone) }
    guard case .offset(let offset) = sit.place else { return sit.place }
    let begun = sit.date(snapshot.begun, isEnd: true, wall)
    return zone.offsetSeconds(at: begun) == offset ? .zone(zone) : .offset(offset)
  }

  mutating func followUntilEnds() {
    let ends = appliance.programmes.compactMap { programme -> UntilEnd? in
      programme.length.time.flatMap { instant(of: $0, after: wall.wall(at: now)) }.map {
        UntilEnd(programme: programme.name, end: $0)
      }
    }
    self[.untilEnds] = ends.map(\.end).min()
    guard ends != untilEnds else { return }
    untilEnds = ends
    tell(.untilEnds(ends))
  }

  // MARK: - Reminders

  mutating func planReminders() {
    reminders.plan(wall, zone, at: now)
    self[.reminder] = reminders.next?.at
  }

  /// - Parameter instant: up to when time has gone on: after a sleep a reminder is late.
  mutating func remind(at instant: Instant) {
    let due = reminders.take(wall, zone, at: instant)
    self[.reminder] = reminders.next?.at
    guard let due else { return }
    if !isSitting && elsewhere == nil && !hasSat(before: due) {
      tell(.reminder(reminders.reminders[due.index].call))
    }
    isWaking = appliance.isWaking
    keepCalled()
  }

  private var isSitting: Bool { appliance.phase != .idle && appliance.phase != .ended }

  /// Whether a sit of the day of practice is there that a reminder falls in. One that wakes is not
  /// silenced by a sit after which somebody has gone to sleep.
  private func hasSat(before due: ReminderSchedule.Due) -> Bool {
    guard let storeStatus else { return false }
    let starts = storeStatus.dayStartsSeconds ?? settings.dayStartsSeconds
    let time = wall.wall(at: due.shown)
    let day = time.day(offsetSeconds: zone.offsetSeconds(at: time), dayStartsSeconds: starts)
    let isWaking = reminders.reminders[due.index].kind == .wake
    let shown = time.unixSeconds + zone.offsetSeconds(at: time)
    return storeStatus.hasSat(
      on: day, dayStartsSeconds: starts,
      since: isWaking ? shown - Box.awakeSpan.wholeSeconds : nil)
  }

  /// Has the days kept for which reminders have called. One that wakes is kept once it is quiet: an
  /// outage in the middle of it has woken nobody.
  mutating func keepCalled() {
    let called = reminders.called(but: isWaking ? appliance.reminder : nil)
    guard called != self.called else { return }
    self.called = called
    actions.append(.called(called))
  }

  // MARK: - Sits elsewhere, and ours there

  /// Takes down when the claims of others came.
  mutating func see(_ claims: [Claim]) {
    let at = storeStatus == nil ? nil : now
    seenClaims = claims.map { claim in
      seenClaims.first { $0.claim == claim } ?? SeenClaim(claim: claim, at: at)
    }
  }

  /// A claim as our clock has it. Two clocks that are both known may differ: a claim that comes
  /// while we run was written just now, whatever it says, and stands for as long as it says from
  /// then on. One that was there before is taken at its word, so that no clock of the year 2040
  /// holds us off anew at each start.
  private func onOurClock(_ seen: SeenClaim) -> Claim {
    guard let at = seen.at else { return seen.claim }
    let behind = wall.wall(at: at).milliseconds - seen.claim.writtenAt.milliseconds
    let isAway = abs(behind) > Claim.clockToleranceMilliseconds
    return isAway && behind <= Box.claimBehindMilliseconds ? seen.claim.moved(by: behind) : seen.claim
  }

  /// Looks again whether another sit of the owner runs: after each news of the store and of the
  /// clock, and when a claim lapses.
  mutating func followElsewhere() {
    let wallNow = wall.wall(at: now)
    let claim =
      wall.isKnown ? seenClaims.lazy.map(onOurClock).first { $0.stands(at: wallNow) } : nil
    self[.elsewhere] = claim.map { wall.instant(of: $0.lapse) }
    let found = claim.map { Elsewhere(claim: $0, text: text(of: $0)) }
    guard found != elsewhere else { return }
    elsewhere = found
    tell(.elsewhere(reason: found.map { "a sit runs on \($0.text)" }))
  }

  private func text(of claim: Claim) -> String {
    let time = claim.since.text(offsetSeconds: zone.offsetSeconds(at: claim.since))
    let clock = time.split(separator: "T").last?.prefix(5) ?? ""
    return "\(claim.name ?? "box \(claim.device.description.prefix(8))") since \(clock)"
  }

  /// Says that the sit runs here, where that is not said already.
  mutating func putClaim() {
    guard let sit, let snapshot = appliance.timer.snapshot, wall.isKnown else { return }
    let isOver = snapshot.phase == .overtime
    let claim = SitClaim(
      since: sit.date(snapshot.begun, isEnd: true, wall),
      plannedEnd: isOver ? nil : appliance.timer.plannedEnd.map { wall.wall(at: $0) },
      isPaused: snapshot.phase == .paused, name: settings.deviceName)
    let lapses = claim.plannedEnd == nil || claim.isPaused
    let isDue = self[.claim] == nil && lapses
    guard isDue || claimed.map({ !$0.isNear(claim) }) ?? true else { return }
    claimed = claim
    self[.claim] = lapses ? now + Box.claimSpan : nil
    actions.append(.claim(claim, at: writeTime))
  }

  mutating func tell(_ event: ApplianceEvent) {
    appliance.handle(event, at: now)
    takeApplianceActions()
  }
}

extension SitClaim {
  /// Whether another one says the same but for a little.
  func isNear(_ other: SitClaim) -> Bool {
    let tolerance = Box.claimToleranceMilliseconds
    func isNear(_ left: WallInstant, _ right: WallInstant) -> Bool {
      abs(left.milliseconds - right.milliseconds) < tolerance
    }
    guard isPaused == other.isPaused, isNear(since, other.since) else { return false }
    switch (plannedEnd, other.plannedEnd) {
    case (nil, nil): return true
    case (let left?, let right?): return isNear(left, right)
    default: return false
    }
  }
}

extension Claim {
  /// When it does not stand any longer (`stands(at:)`).
  var lapse: WallInstant {
    let unplanned = writtenAt.milliseconds + Claim.lapseMilliseconds
    guard let plannedEnd, !isPaused else { return WallInstant(milliseconds: unplanned) }
    return min(
      plannedEnd, WallInstant(milliseconds: writtenAt.milliseconds + Claim.plannedMilliseconds))
  }
}
