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

@Test(arguments: [(590, 1), (600, 1), (601, 0)] as [(Int64, Int)])
func reminder_thatASleepMadeLate_ringsWithinTenMinutes(late: Int64, count: Int) throws {
  var bench = try bench("2026-06-01T06:59:00+02:00")
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

@Test func reminder_thatFellDueBeforeTheStart_isOver() throws {
  var bench = try bench("2026-06-01T07:00:01+02:00")
  bench.advance(to: at(3_600))
  #expect(bench.calls == [])
  var onTime = try bench2("2026-06-01T07:00:00+02:00")
  onTime.advance(to: at(1))
  #expect(onTime.calls == ["morning"])
}

private func bench2(_ start: String) throws -> BoxBench { try bench(start) }

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
