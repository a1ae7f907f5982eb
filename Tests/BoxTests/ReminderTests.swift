import Controls
import Sessions
import Testing
import Ticks
import TimerMachine
import Zones

@testable import Box

/// A box that runs from a local time on, with one reminder.
private func bench(
  _ start: String, _ name: String = "Europe/Berlin", _ reminder: Reminder = morning,
  isKnown: Bool = true
) throws -> BoxBench {
  let seconds = try Timestamp(text: start).unixSeconds
  return try BoxBench(
    start: isKnown ? seconds : 0, isKnown: isKnown, zone: zone(name),
    box: { $0.reminders = [reminder] })
}

private let morning = Reminder(name: "morning", at: .hours(7))

/// Hours after the start at which it calls, over some days.
private func calls(_ bench: inout BoxBench, days: Int64) -> [Int64] {
  var hours: [Int64] = []
  for quarter in 1...days * 96 {
    let count = bench.calls.count
    bench.advance(to: at(quarter * 900))
    if bench.calls.count > count { hours.append(quarter) }
    #expect(bench.calls.count <= count + 1)
  }
  return hours
}

@Test func report8_reminderAcrossSummerTime_ringsOnceADayAtSeven() throws {
  // Quarters of an hour after midnight: the 23-hour day and the 25-hour day shift what follows.
  var spring = try bench("2026-03-28T00:00:00+01:00")
  #expect(calls(&spring, days: 3) == [28, 120, 216])
  var autumn = try bench("2026-10-24T00:00:00+02:00")
  #expect(calls(&autumn, days: 3) == [28, 128, 224])
}

@Test func reminder_inTheGapAndInTheOverlap_ringsOnce() throws {
  let night = Reminder(name: "night", at: .minutes(150))
  var spring = try bench("2026-03-29T00:00:00+01:00", "Europe/Berlin", night)
  // 03:00 of summer time is two hours after midnight.
  #expect(calls(&spring, days: 2) == [8, 102])
  var autumn = try bench("2026-10-25T00:00:00+02:00", "Europe/Berlin", night)
  #expect(calls(&autumn, days: 2) == [10, 110])
}

@Test func reminder_ringsAtItsInstantAndNotBefore() throws {
  var bench = try bench("2026-06-01T06:59:00+02:00")
  bench.advance(to: at(60) - nanosecond)
  #expect(bench.calls == [])
  bench.advance(to: at(60))
  #expect(bench.calls == ["morning"])
}

@Test func reminder_onItsDaysOnly() throws {
  // 2026-06-01 is a Monday.
  let weekend = Reminder(name: "weekend", at: .hours(7), days: Weekdays([6, 7]))
  var bench = try bench("2026-06-01T00:00:00+02:00", "Europe/Berlin", weekend)
  bench.advance(to: at(5 * 86_400))
  #expect(bench.calls == [])
  bench.advance(to: at(14 * 86_400))
  #expect(bench.calls.count == 4)
}

private func status(newest start: String, offset: Int64 = 7_200) throws -> BoxEvent {
  let nobody = Identity(high: 0, low: 0)
  var status = StoreStatus(
    owner: nobody, device: nobody, usage: StoreUsage(bytes: 0, keys: 0, sits: 1))
  status.localStarts = [try Timestamp(text: start).unixSeconds + offset]
  return .storeStatus(status)
}

@Test func report59_reminderOfADayThatWasSat_isQuiet() throws {
  var sat = try bench("2026-06-01T06:30:00+02:00")
  sat.handle(try status(newest: "2026-06-01T06:00:00+02:00"), at: at(1))
  sat.advance(to: at(3_600))
  #expect(sat.calls == [])
  sat.advance(to: at(3_600 + 86_400))
  #expect(sat.calls == ["morning"])
  var yesterday = try bench("2026-06-01T06:30:00+02:00")
  yesterday.handle(try status(newest: "2026-05-31T23:59:00+02:00"), at: at(1))
  yesterday.advance(to: at(3_600))
  #expect(yesterday.calls == ["morning"])
}

@Test func reminder_withALaterDayStart_countsTheNightForTheEveningBefore() throws {
  var bench = try bench("2026-06-01T06:30:00+02:00")
  guard case .storeStatus(var status) = try status(newest: "2026-06-01T03:59:00+02:00") else {
    return
  }
  status.dayStartsSeconds = 4 * 3_600
  bench.handle(.storeStatus(status), at: at(1))
  bench.advance(to: at(3_600))
  #expect(bench.calls == ["morning"])
}

@Test func report59_zoneChanged_ringsAtTheNewLocalSeven() throws {
  var bench = try bench("2026-06-01T05:00:00+02:00")
  // 06:00 in Moscow.
  bench.handle(.zone(try zone("Europe/Moscow")), at: at(1))
  bench.advance(to: at(3_600) - nanosecond)
  #expect(bench.calls == [])
  bench.advance(to: at(3_600))
  #expect(bench.calls == ["morning"])
  // Back where it is not seven yet: this morning is over.
  bench.handle(.zone(try zone("Europe/Berlin")), at: at(3_700))
  bench.advance(to: at(86_000))
  #expect(bench.calls.count == 1)
}

@Test func reminder_whileASitIsOn_isQuiet() throws {
  var bench = try bench("2026-06-01T06:55:00+02:00")
  bench.start(.fixed(.minutes(10)), at: at(0))
  bench.advance(to: at(3_600))
  #expect(bench.calls == [])
}

@Test(arguments: [
  (590, .soft, 1), (600, .soft, 1), (601, .soft, 0), (1_800, .wake, 1), (1_801, .wake, 0),
] as [(Int64, Reminder.Kind, Int)])
func reminder_thatASleepMadeLate_ringsWhileItIsOfUse(
  late: Int64, kind: Reminder.Kind, count: Int
) throws {
  var bench = try bench(
    "2026-06-01T06:59:00+02:00", "Europe/Berlin",
    Reminder(name: "morning", at: .hours(7), kind: kind))
  bench.advance(to: at(30))
  bench.box.handle(.slept(to: at(60 + late)), at: at(30))
  // One step, as after a sleep.
  while bench.box.advance(to: at(60 + late)) {}
  bench.advance(to: at(60 + late))
  #expect(bench.calls.count == count)
}

@Test(arguments: [(9, 1), (10, 1), (11, 0)] as [(Int64, Int)])
func reminder_thatFellDueBeforeTheTimeWasKnown_ringsWithinTenMinutes(
  minutes: Int64, count: Int
) throws {
  var bench = try bench("2026-06-01T00:00:00+02:00", isKnown: false)
  bench.advance(to: at(86_400))
  #expect(bench.calls == [])
  let seven = try Timestamp(text: "2026-06-01T07:00:00+02:00").unixSeconds
  bench.wall(seven + minutes * 60, at: at(86_400))
  #expect(bench.calls.count == count)
}

private let dawn = Reminder(name: "dawn", at: .hours(7), kind: .wake)

@Test(arguments: [
  (Reminder.Kind.soft, "07:00:00", 1), (.soft, "07:10:00", 1), (.soft, "07:10:01", 0),
  (.wake, "07:30:00", 1), (.wake, "07:30:01", 0),
])
func reminder_thatFellDueBeforeTheStart_callsLateWhileItIsOfUse(
  kind: Reminder.Kind, start: String, count: Int
) throws {
  var bench = try bench(
    "2026-06-01T\(start)+02:00", "Europe/Berlin",
    Reminder(name: "morning", at: .hours(7), kind: kind))
  bench.handle(try status(newest: "2026-05-31T06:00:00+02:00"), at: at(0))
  bench.advance(to: at(0))
  #expect(bench.calls.count == count)
  bench.advance(to: at(3_600))
  #expect(bench.calls.count == count)
}

@Test func reminder_atTheStart_waitsForTheStoreTenSecondsAtMost() throws {
  var sat = try bench("2026-06-01T07:00:05+02:00")
  sat.advance(to: at(3))
  #expect(sat.calls == [])
  sat.handle(try status(newest: "2026-06-01T06:00:00+02:00"), at: at(3))
  sat.advance(to: at(3_600))
  #expect(sat.calls == [])
  var silent = try bench("2026-06-01T07:00:05+02:00")
  silent.advance(to: at(10) - nanosecond)
  #expect(silent.calls == [])
  silent.advance(to: at(10))
  #expect(silent.calls == ["morning"])
}

/// A box that starts at a time of the same morning, with what an earlier one has kept.
private func again(_ time: String, _ reminder: Reminder, _ called: CalledDays?) throws -> BoxBench {
  let seconds = try Timestamp(text: "2026-06-01T\(time)+02:00").unixSeconds
  var bench = try BoxBench(
    start: seconds, zone: zone("Europe/Berlin"),
    box: {
      $0.reminders = [reminder]
      $0.called = CalledDays(parsing: called?.encoded() ?? [])
    })
  bench.advance(to: at(20))
  return bench
}

@Test func softReminder_thatHasCalled_doesNotCallAgainAfterAnOutage() throws {
  var bench = try bench("2026-06-01T06:59:00+02:00")
  bench.advance(to: at(60) - nanosecond)
  #expect(bench.called == [])
  bench.advance(to: at(60))
  #expect(bench.called.count == 1)
  #expect(try again("07:00:10", morning, bench.called.last).calls == [])
  #expect(try again("07:00:10", morning, nil).calls == ["morning"])
  // One that was silent is handled as well.
  var sat = try bench2("2026-06-01T06:59:00+02:00")
  sat.handle(try status(newest: "2026-06-01T06:00:00+02:00"), at: at(1))
  sat.advance(to: at(60))
  #expect(sat.calls == [] && sat.called.count == 1)
}

private func bench2(_ start: String) throws -> BoxBench { try bench(start) }

@Test func wakingReminder_thatAnOutageCutsShort_wakesAgain() throws {
  var bench = try bench("2026-06-01T06:59:00+02:00", "Europe/Berlin", dawn)
  bench.advance(to: at(360) - nanosecond)
  #expect(bench.calls == ["dawn"] && bench.called == [])
  #expect(try again("07:04:59", dawn, nil).calls == ["dawn"])
  // It has woken for its time.
  bench.advance(to: at(360))
  #expect(bench.called.count == 1)
  #expect(try again("07:05:10", dawn, bench.called.last).calls == [])
}

@Test func wakingReminder_madeQuietByAHand_isKeptAtOnce() throws {
  var bench = try bench("2026-06-01T06:59:00+02:00", "Europe/Berlin", dawn)
  bench.advance(to: at(70))
  for (level, milliseconds) in [(Level.low, 70_000), (.high, 70_100)] as [(Level, Int64)] {
    let edge = Edge(line: .s, level: level, at: at(ms: milliseconds))
    bench.handle(.appliance(.edge(edge)), at: edge.at)
  }
  bench.advance(to: at(71))
  #expect(bench.called.count == 1 && bench.box.appliance.reminder == "dawn")
}

@Test(arguments: [
  // The sit's begin, and how often an alarm at seven rings.
  ("00:10:00", 1), ("03:59:59", 1), ("04:00:00", 0), ("06:00:00", 0),
])
func wakingReminder_onADayThatWasSat_ringsWhereSomebodySleepsAgain(
  begin: String, count: Int
) throws {
  for reminder in [dawn, morning] {
    var bench = try bench("2026-06-01T06:59:00+02:00", "Europe/Berlin", reminder)
    bench.handle(try status(newest: "2026-06-01T\(begin)+02:00"), at: at(1))
    bench.advance(to: at(600))
    #expect(bench.calls.count == (reminder == dawn ? count : 0))
  }
}

@Test func reminder_whileASitRunsElsewhere_isQuiet() throws {
  for reminder in [dawn, morning] {
    var bench = try bench("2026-06-01T06:59:00+02:00", "Europe/Berlin", reminder)
    guard case .storeStatus(var status) = try status(newest: "2026-05-31T06:00:00+02:00") else {
      return
    }
    let since = WallInstant(
      milliseconds: try Timestamp(text: "2026-06-01T06:50:00+02:00").unixSeconds * 1_000)
    status.claimsElsewhere = [
      Claim(
        device: Identity(high: 7, low: 7), since: since, plannedEnd: nil, isPaused: false,
        at: WriteTime(since, isKnown: true))
    ]
    bench.handle(.storeStatus(status), at: at(1))
    bench.advance(to: at(600))
    #expect(bench.calls == [])
  }
}

@Test func calledDays_asAFile_areReadAsTheyWereWritten() throws {
  var days = CalledDays()
  days.days = ["evening bell": try LocalDate(text: "2026-11-30")]
  days.days["a"] = try LocalDate(text: "2024-02-29")
  let text = "2024-02-29 a\n2026-11-30 evening bell\n"
  #expect(String(decoding: days.encoded(), as: UTF8.self) == text)
  #expect(CalledDays(parsing: days.encoded()) == days)
  #expect(CalledDays(parsing: []) == CalledDays())
  let damaged = Array("2024-02-30 a\n\u{0}\n2026-11-30\n2026-11-30 b".utf8) + [0xFF]
  #expect(CalledDays(parsing: damaged).days.count == 1)
}

@Test func clock_steppedBackOverAReminder_doesNotRingItTwice() throws {
  var bench = try bench("2026-06-01T06:59:00+02:00")
  bench.advance(to: at(120))
  let start = try Timestamp(text: "2026-06-01T06:59:00+02:00").unixSeconds
  bench.wall(start, at: at(120))
  bench.advance(to: at(7_200))
  #expect(bench.calls == ["morning"])
  bench.advance(to: at(86_400 + 300))
  #expect(bench.calls.count == 2)
}

@Test func report1_clockSteppedFiveHoursAhead_ringsNothingOfThePast() throws {
  var bench = try bench("2026-06-01T03:00:00+02:00")
  let start = try Timestamp(text: "2026-06-01T08:00:00+02:00").unixSeconds
  bench.wall(start, at: at(60))
  bench.advance(to: at(7_200))
  #expect(bench.calls == [])
}
