// What sits that are over wait for, also over a restart: dates, and a press that credits them.
import Appliance
import Sessions
import Testing
import Ticks
import TimerMachine
import Zones

@testable import Box

private let start: Int64 = 1_767_247_200

private func wall(_ seconds: Int64) -> WallInstant { WallInstant(milliseconds: seconds * 1_000) }

/// A sit of ten minutes, kept, on a box in Seoul that has never known the time.
private func undated() throws -> BoxBench {
  var bench = try BoxBench(start: 0, isKnown: false, zone: zone("Asia/Seoul"))
  bench.start(.fixed(.minutes(10)), at: at(0))
  bench.advance(to: at(700))
  bench.keep(bench.saved[0].id, at: at(701))
  return bench
}

/// The box after its process was away.
private func restarted(
  _ bench: BoxBench, at instant: Int64, isKnown: Bool = false, boot: UInt64 = 1,
  known: Set<Identity>? = nil
) throws -> BoxBench {
  let began = boot == 1 ? instant : 3
  var second = try BoxBench(
    start: isKnown ? start + instant : began, isKnown: isKnown, zone: zone("Asia/Seoul"), seed: 9,
    began: at(began), boot: boot)
  let file = try bench.file.map { try Journal(parsing: $0.encoded()) }
  second.handle(.journal(file, known: known ?? Set(file?.sits ?? [])), at: at(began))
  return second
}

private let dates = SitEdit.dates(
  start: wall(start + 10), end: wall(start + 610), offsetSeconds: 32_400, interruptions: [])

@Test func dates_knownOnlyAfterARestartOfTheSameBoot_areSetRight() throws {
  let first = try undated()
  #expect(first.file?.sits == [first.saved[0].id] && first.erasures == 0)
  var second = try restarted(first, at: 800)
  #expect(second.saved.isEmpty && second.edits.isEmpty)
  second.wall(start + 900, at: at(900))
  #expect(second.edits.map(\.edit) == [dates] && second.edits[0].id == first.saved[0].id)
  #expect(second.saved.map(\.startDate) == [wall(start + 10)] && second.file != nil)
  second.keep(first.saved[0].id, at: at(901))
  #expect(second.file == nil && second.erasures == 1)
  second.wall(start + 5_000, at: at(1_000))
  #expect(second.edits.count == 1)
}

@Test func dates_whoseEditWasCutOff_areSetRightAgain() throws {
  var first = try undated()
  first.wall(start + 750, at: at(750))
  #expect(first.edits.map(\.edit) == [dates])
  for boot in [1, 2] as [UInt64] {
    var second = try restarted(first, at: 800, isKnown: true, boot: boot)
    #expect(second.edits.map(\.edit).contains(dates) && second.saved.count == 1)
    second.keep(first.saved[0].id, at: second.now + .seconds(1))
    #expect(second.file == nil)
  }
}

@Test func dates_ofAnEarlierBoot_stayAGuess() throws {
  let first = try undated()
  for isKnown in [true, false] {
    let second = try restarted(first, at: 800, isKnown: isKnown, boot: 2)
    #expect(second.edits.isEmpty && second.saved.isEmpty && second.work == ["withdraw", "erase"])
  }
  // One that the store does not have is saved as it was dated.
  let third = try restarted(first, at: 800, isKnown: true, boot: 2, known: [])
  #expect(third.saved == [first.saved[0]])
}

@Test func dates_ofASitThatGoesOnAfterARestart_haveTheOffsetOfTheTimeThatBecomesKnown() throws {
  // In 1970 London was an hour ahead in winter too.
  var first = try BoxBench(start: 0, isKnown: false, zone: zone("Europe/London"))
  first.start(.fixed(.minutes(10)), at: at(0))
  first.advance(to: at(300))
  var second = try BoxBench(
    start: 300, isKnown: false, zone: zone("Europe/London"), began: at(300))
  second.handle(.journal(first.file, known: []), at: at(300))
  second.advance(to: at(700))
  #expect(second.saved.map(\.utcOffsetSeconds) == [3_600])
  second.wall(start + 700, at: at(700))
  guard case .dates(_, _, let offset, _)? = second.edits.first?.edit else {
    return #expect(Bool(false), "no dates")
  }
  #expect(offset == 0)
}

@Test func dates_givenByAHand_stand() {
  var session = MeditationSession(
    id: Identity(high: 0, low: 1), startDate: wall(5), endDate: wall(65), durationSeconds: 60,
    plannedSeconds: 60)
  session.clock = .repaired
  dates.apply(to: &session)
  #expect(session.startDate == wall(5))
  session.clock = .unsynced
  dates.apply(to: &session)
  #expect(session.startDate == wall(start + 10) && session.clock == .repaired)
}

// MARK: - A press soon after the end

/// A sit of ten minutes that went on after an outage of unknown length; it ends at 602 s, and the
/// store has it.
private func doubtful() throws -> BoxBench {
  var first = BoxBench(start: start)
  first.start(.fixed(.minutes(10)), at: at(0))
  first.advance(to: at(308))
  var bench = try BoxBench(
    start: 300, isKnown: false, zone: zone("Asia/Seoul"), began: at(300), boot: 2)
  bench.handle(.journal(first.file, known: []), at: at(300))
  bench.advance(to: at(602))
  bench.keep(bench.saved[0].id, at: at(603))
  #expect(bench.saved.map(\.durationSeconds) == [298])
  return bench
}

@Test(arguments: [(1_202, true), (1_203, false)] as [(Int64, Bool)])
func press_afterARestartWithinTenMinutesOfTheEnd_credits(second: Int64, isCredited: Bool) throws {
  var bench = try restarted(try doubtful(), at: 700, boot: 1)
  // Another boot knows nothing of it.
  #expect(bench.file == nil)
  bench = try BoxBench(
    start: 700, isKnown: false, zone: zone("Asia/Seoul"), began: at(700), boot: 2)
  let file = try doubtful().file
  bench.handle(.journal(file, known: Set(file?.sits ?? [])), at: at(700))
  bench.handle(.appliance(.turned(1)), at: at(second))
  let credit = SitEdit.credit(
    durationSeconds: 600, overtimeSeconds: 0, unconfirmedSeconds: 0, completed: true)
  #expect(bench.edits.map(\.edit) == (isCredited ? [credit] : []))
  #expect(bench.erasures == 0 && (bench.file != nil) == isCredited)
  guard isCredited else { return }
  #expect(bench.file?.over.map(\.finished.credited) == [.minutes(10)])
  #expect(bench.file?.over.map(\.isAmended) == [true])
}

@Test func press_thatNeverCame_letsTheJournalGoAfterTenMinutes() {
  var bench = BoxBench(start: start)
  bench.start(.fixed(.minutes(10)), at: at(0))
  bench.advance(to: at(308))
  var second = BoxBench(start: start + 400, isKnown: false, began: at(300), boot: 2)
  second.handle(.journal(bench.file, known: []), at: at(300))
  second.advance(to: at(602))
  second.keep(second.saved[0].id, at: at(603))
  // The time becomes known: nothing is left but the press.
  second.wall(start + 1_000, at: at(605))
  second.keep(second.saved[0].id, at: at(606))
  second.advance(to: at(1_202))
  #expect(second.file?.sits.count == 1)
  second.advance(to: at(1_202) + nanosecond)
  #expect(second.file == nil && second.erasures == 1)
}

@Test func rating_ofASitThatIsNotKeptYet_isSavedWithItAfterACut() throws {
  var bench = BoxBench { $0.hasRating = true }
  bench.start(.fixed(.minutes(2)), at: at(0))
  bench.advance(to: at(130))
  bench.handle(.appliance(.turned(4)), at: at(131))
  var second = BoxBench(start: start + 140, began: at(3), boot: 2)
  second.handle(.journal(bench.file, known: []), at: at(3))
  #expect(second.saved.map(\.rating) == [4] && second.saved.map(\.id) == [bench.saved[0].id])
}

@Test func box_thatEndsWithoutAHand_keepsWhatIsKnown() {
  var overtime = BoxBench { $0.plan.overtime = true }
  overtime.start(.fixed(.minutes(2)), at: at(0))
  overtime.advance(to: at(400))
  overtime.box.closeAsKnown()
  overtime.advance(to: at(400))
  #expect(overtime.saved.map(\.durationSeconds) == [120])
  #expect(overtime.saved.map(\.unconfirmedSeconds) == [270])
  #expect(overtime.box.appliance.phase == .idle && overtime.plan.isEmpty)
  var idle = BoxBench()
  idle.box.closeAsKnown()
  idle.advance(to: at(1))
  #expect(idle.saved.isEmpty && idle.work.isEmpty)
}

// MARK: - A journal is not believed beyond its bounds

/// Everything in a value that is a number, by its path, with another number in its place.
private func mutants(_ value: JSONValue, _ number: (Int64) -> Int64) -> [JSONValue] {
  if let integer = value.integerValue { return [.integer(number(integer))] }
  if let members = value.members {
    return members.indices.flatMap { index in
      mutants(members[index].value, number).map { mutant in
        var members = members
        members[index] = JSONMember(members[index].name, mutant)
        return JSONValue.object(of: members)
      }
    }
  }
  let elements = value.arrayValue ?? []
  return elements.indices.flatMap { index in
    mutants(elements[index], number).map { mutant in
      var elements = elements
      elements[index] = mutant
      return JSONValue.array(elements)
    }
  }
}

/// Journals of each phase, with every member in use in the first.
private func journals() -> [Journal] {
  var journals = [fullJournal()]
  for (length, pause, overtime) in [
    (SitLength.fixed(.minutes(2)), false, false), (.fixed(.minutes(2)), true, false),
    (.fixed(.minutes(2)), false, true), (.open, false, false),
  ] {
    var bench = BoxBench { $0.plan.overtime = overtime }
    bench.start(length, at: at(0))
    bench.advance(to: at(overtime ? 200 : 100))
    if pause { bench.command(.pause, at: at(101)) }
    if let file = bench.file { journals.append(file) }
  }
  return journals
}

@Test func journal_withAnyNumberInAnyPlace_isRefusedOrTakenUpButNeverATrap() throws {
  let numbers: [(Int64) -> Int64] = [
    { _ in .max }, { _ in .min }, { _ in 0 }, { _ in -1 }, { $0 + 1 }, { $0 - 1 }, { 0 &- $0 },
    { $0 &* 1_000 }, { $0 / 2 }, { $0 + 400 * 86_400_000_000_000 },
    { $0 - 400 * 86_400_000_000_000 }, { $0 + 7 * 86_400_000_000_000 },
    { _ in 691_200_000_000_000 },
  ]
  var (read, refused) = (0, 0)
  for journal in journals() {
    let value = try #require(CheckedLine.value(kind: "j", journal.encoded()))
    for number in numbers {
      for mutant in mutants(value, number) {
        let bytes = CheckedLine.bytes(kind: "j", mutant)
        guard let found = try? Journal(parsing: bytes) else {
          refused += 1
          continue
        }
        read += 1
        for (boot, isKnown) in [(3, true), (9, true), (9, false)] as [(UInt64, Bool)] {
          var bench = BoxBench(
            start: 1_767_247_300, isKnown: isKnown, began: at(1_010), boot: boot)
          bench.handle(.journal(found, known: []), at: at(1_010))
          bench.command(.resume, at: at(1_020))
          bench.advance(to: at(1_020) + .hours(200))
        }
      }
    }
  }
  #expect(read > 500 && refused > 500)
}

@Test func journal_withALongList_isRefused() {
  var journal = fullJournal()
  journal.running?.snapshot.plan.intervals.at = (1...10_000).map { .seconds($0) }
  #expect(throws: Never.self) { try Journal(parsing: journal.encoded()) }
  journal.running?.snapshot.plan.intervals.at.append(.seconds(5))
  #expect(throws: JournalError.notUnderstood(member: "at")) {
    try Journal(parsing: journal.encoded())
  }
}

@Test(
  arguments: [
    (400 * 24, true), (400 * 24 + 1, false), (-400 * 24, true), (-400 * 24 - 1, false),
  ] as [(Int64, Bool)])
func journal_instant_isBelievedWithinItsReach(hours: Int64, isRead: Bool) throws {
  var journal = fullJournal()
  journal.running = nil
  journal.over[0].finished.begun = at(-9_900)
  let wallAt = journal.over[0].wall.at
  if hours < 0 {
    journal.over[0].finished.begun = wallAt + .hours(hours)
  } else {
    journal.over[0].finished.ended = wallAt + .hours(hours)
  }
  let found = try? Journal(parsing: journal.encoded())
  #expect((found != nil) == isRead)
}
