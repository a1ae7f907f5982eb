import Sessions
import Testing
import Ticks
import TimerMachine
import Zones

@testable import Box

// Every row of the table in `Recovery`, at its boundaries.

private let then = Identity(randomHigh: 1, low: 1)
private let later = Identity(randomHigh: 2, low: 2)
/// 2026-01-01T06:00:00Z.
private let newYear: Int64 = 1_767_247_200_000_000_000
/// When the journal was written: 300 s into a sit that began at 100 s.
private let last = at(400)

private func journal(
  _ phase: Phase = .running, length: Span? = .minutes(20), isKnown: Bool = true,
  _ change: (inout TimerSnapshot) -> Void = { _ in }
) -> SitJournal {
  var timer = TimerSnapshot(plan: SitPlan(length: length), phase: phase, begun: at(100))
  change(&timer)
  return SitJournal(
    sit: Identity(randomHigh: 5, low: 5), snapshot: timer, programme: "simple", boot: then,
    wall: WallReading(at: last, unixNanoseconds: newYear, isKnown: isKnown),
    isClockKnownAtBegin: isKnown, offsetSeconds: 0)
}

/// The decision after an outage that the wall clock measures, in a boot that runs since ten
/// seconds; by the boot clock alone where it is the same boot.
private func decide(
  _ journal: SitJournal, after outage: Span, isSameBoot: Bool = false, isKnown: Bool = true,
  isStored: Bool = false, _ policy: RecoverPolicy = .resume
) -> Recovery {
  let now = isSameBoot ? last + outage : at(10)
  let unix = isKnown ? newYear + outage.nanoseconds : 0
  return Recovery.decide(
    journal, isStored: isStored, boot: isSameBoot ? then : later,
    wall: WallReading(at: now, unixNanoseconds: unix, isKnown: isKnown), policy: policy)
}

private func kind(_ recovery: Recovery) -> String {
  switch recovery.outcome {
  case .dropped: "dropped"
  case .closed(nil): "too short"
  case .closed: "closed"
  case .goesOn(let timer): "\(timer.phase.name)"
  case .offered: "offered"
  }
}

@Test(arguments: [false, true])
func outage_known_leadsWhereItsLengthSays(isSameBoot: Bool) {
  let long = journal(length: .hours(5))
  let rows: [(Span, String)] = [
    (.zero, "running"), (.minutes(10) - nanosecond, "running"), (.minutes(10), "running"),
    (.minutes(10) + nanosecond, "offered"), (.minutes(60), "offered"),
    (.minutes(60) + nanosecond, "closed"), (.hours(9), "closed"),
  ]
  for (outage, expected) in rows {
    #expect(kind(decide(long, after: outage, isSameBoot: isSameBoot)) == expected)
  }
}

@Test(arguments: [false, true])
func outage_known_leavesTheDeadlineAndIsNotCredited(isSameBoot: Bool) throws {
  let recovery = decide(journal(), after: .minutes(2), isSameBoot: isSameBoot)
  guard case .goesOn(let timer) = recovery.outcome else { throw Unexpected() }
  let now = isSameBoot ? at(520) : at(10)
  // Of 20 minutes 5 were sat and 2 are lost.
  #expect(timer.deadline == now + .minutes(13))
  #expect(timer.uncredited == .minutes(2))
  #expect(
    timer.interruptions == [Interruption(from: now - .minutes(2), to: now, kind: .outage)])
  #expect(!recovery.isUnknown && recovery.sit.pasts.isEmpty)
}

private struct Unexpected: Error {}

/// Three minutes were left.
@Test func outage_pastTheEnd_closesWithWhatIsKnownAndIsNotComplete() throws {
  let short = journal(length: .minutes(8))
  #expect(kind(decide(short, after: .minutes(3) - nanosecond)) == "running")
  for outage in [Span.minutes(3), .minutes(3) + nanosecond, .minutes(10)] {
    let recovery = decide(short, after: outage)
    guard case .closed(let finished?) = recovery.outcome else { throw Unexpected() }
    #expect(finished.ended == at(10) - outage)
    #expect(finished.credited == .minutes(5) && !finished.completed)
    #expect(finished.interruptions.isEmpty)
  }
  // Beyond ten minutes it waits for a press, whatever was left.
  #expect(kind(decide(short, after: .minutes(11))) == "offered")
}

@Test func outage_overTenMinutes_offersWhatWasLeft() throws {
  guard case .offered(let timer) = decide(journal(), after: .minutes(30)).outcome else {
    throw Unexpected()
  }
  #expect(timer.phase == .paused && timer.pausedAt == at(10))
  #expect(timer.pausedAt - timer.origin == .minutes(5))
  #expect(timer.deadline == at(10) + .minutes(60))
}

@Test func outage_ofAPausedSit_leavesItPausedUntilItsHour() {
  // Paused at 350 s: an hour later it is over.
  let paused = journal(.paused) { $0.pausedAt = at(350) }
  let left = Span.minutes(60) - .seconds(50)
  let rows: [(Span, String)] = [
    (.seconds(1), "paused"), (.minutes(11), "paused"), (left - nanosecond, "paused"),
    (left, "closed"), (.hours(9), "closed"),
  ]
  for (outage, expected) in rows { #expect(kind(decide(paused, after: outage)) == expected) }
  for policy in RecoverPolicy.allCases {
    #expect(kind(decide(paused, after: .zero, isKnown: false, policy)) == "paused")
  }
}

@Test func outage_inOvertime_goesOnOrIsClosed() throws {
  let over = journal(.overtime, length: .minutes(4)) { $0.plan.overtime = true }
  let rows: [(Span, String)] = [
    (.minutes(10), "overtime"), (.minutes(10) + nanosecond, "closed"), (.hours(2), "closed"),
  ]
  for (outage, expected) in rows { #expect(kind(decide(over, after: outage)) == expected) }
  guard case .closed(let finished?) = decide(over, after: .hours(2)).outcome else {
    throw Unexpected()
  }
  #expect(finished.credited == .minutes(4) && finished.completed)
  #expect(finished.unconfirmed == .minutes(1))
}

@Test func outage_ofAnOpenSit_countsToItsLimit() {
  let open = journal(length: nil) { $0.plan.openLimit = .minutes(8) }
  #expect(kind(decide(open, after: .minutes(3) - nanosecond)) == "running")
  #expect(kind(decide(open, after: .minutes(3))) == "closed")
  let long = journal(length: nil)
  #expect(kind(decide(long, after: .minutes(30))) == "offered")
  #expect(kind(decide(long, after: .minutes(61))) == "closed")
}

@Test func outage_ofASitUntilAnInstant_doesNotMoveItsEnd() throws {
  let until = journal(length: .minutes(40)) { $0.plan.end = at(2_500) }
  guard case .goesOn(let timer) = decide(until, after: .minutes(5)).outcome else {
    throw Unexpected()
  }
  #expect(timer.deadline == at(10) + .seconds(2_100 - 300))
  #expect(kind(decide(until, after: .seconds(2_100) - nanosecond)) == "offered")
  #expect(kind(decide(until, after: .seconds(2_100))) == "closed")
}

@Test(
  arguments: [
    (RecoverPolicy.resume, "running"), (.wait, "offered"), (.close, "closed"),
  ] as [(RecoverPolicy, String)])
func outage_ofUnknownLength_leadsWhereThePolicySays(policy: RecoverPolicy, expected: String) {
  #expect(kind(decide(journal(), after: .zero, isKnown: false, policy)) == expected)
  #expect(kind(decide(journal(isKnown: false), after: .minutes(1), policy)) == expected)
  // In the same boot the length is known, whatever the wall clock is.
  let same = decide(
    journal(isKnown: false), after: .minutes(1), isSameBoot: true, isKnown: false, policy)
  #expect(kind(same) == "running" && !same.isUnknown)
}

@Test func outage_ofUnknownLength_goesOnFromTheLastKnownInstantInDoubt() throws {
  let recovery = decide(journal(), after: .zero, isKnown: false)
  guard case .goesOn(let timer) = recovery.outcome else { throw Unexpected() }
  #expect(timer.deadline == at(10) + .minutes(15))
  #expect(timer.doubtfulFrom == .minutes(5) && timer.uncredited == .zero)
  #expect(timer.interruptions == [Interruption(from: at(10), to: at(10), kind: .outage)])
  let past = WallReading(at: at(10), unixNanoseconds: newYear, isKnown: true)
  #expect(recovery.isUnknown && recovery.sit.pasts == [past])
}

/// A clock that goes back, or a year ahead, was wrong at one of its ends.
@Test(
  arguments: [
    (Span(nanoseconds: -1), true), (.zero, false), (Recovery.absurdSpan, false),
    (Recovery.absurdSpan + nanosecond, true),
  ] as [(Span, Bool)])
func outage_thatTheClockMakesAbsurd_isOfUnknownLength(outage: Span, isUnknown: Bool) {
  #expect(decide(journal(), after: outage).isUnknown == isUnknown)
}

@Test func sit_thatIsStoredOrWasPreparing_isDropped() {
  #expect(kind(decide(journal(), after: .minutes(1), isStored: true)) == "dropped")
  #expect(kind(decide(journal(.preparing), after: .minutes(1))) == "dropped")
  #expect(kind(decide(journal(.preparing), after: .zero, isKnown: false)) == "dropped")
}

@Test func sit_belowTheMinimum_isClosedAsTooShort() {
  let short = journal { $0.plan.minimum = .minutes(5) + nanosecond }
  #expect(kind(decide(short, after: .hours(2))) == "too short")
  let enough = journal { $0.plan.minimum = .minutes(5) }
  #expect(kind(decide(enough, after: .hours(2))) == "closed")
}

@Test func recovery_ofTheSameJournal_isTheSameHoweverOftenItIsDecided() {
  for outage in [Span.minutes(1), .minutes(30), .hours(2)] {
    #expect(decide(journal(), after: outage) == decide(journal(), after: outage))
  }
}

@Test func pasts_ofManyOutages_keepTheFirstAndTheNewest() {
  var found = journal()
  for count in 1...20 as ClosedRange<Int64> {
    found.wall.unixNanoseconds = newYear + count
    let recovery = decide(found, after: .zero, isKnown: false)
    found.pasts = recovery.sit.pasts.map(SitJournal.Past.init)
    found.wall.at = at(10)
    found.snapshot = found.snapshot.shifted(by: at(10) - last)
    found.wall.at = last
    #expect(found.pasts.count == min(8, Int(count)))
  }
  #expect(found.pasts.first?.wall.unixNanoseconds == newYear + 1)
  #expect(found.pasts.last?.wall.unixNanoseconds == newYear + 20)
}
