import Testing
import Ticks

@testable import LinuxIO

/// A folder as /sys/class/rtc is, with one clock.
private func withClock(
  _ files: [String: String], _ body: (String) throws -> Void
) throws {
  try withTemporaryFolder { folder in
    try Files.makeFolder("\(folder)/rtc0")
    for (name, text) in files {
      try Files.open("\(folder)/rtc0/\(name)", [.writeOnly, .create]).writeAll(Array(text.utf8))
    }
    try body(folder)
  }
}

private let noon: Int64 = 1_795_953_600

@Test(arguments: [
  (Int64(0), true), (300, true), (301, false), (-300, true), (-301, false),
])
func batteryClock_thatTheKernelTook_vouchesWithinFiveMinutes(
  ahead: Int64, vouches: Bool
) throws {
  try withClock(["hctosys": "1\n", "since_epoch": "\(noon + ahead)\n"]) { folder in
    #expect(BatteryClock.vouches(forUnixSeconds: noon, in: folder) == vouches)
  }
}

@Test func batteryClock_thatTheKernelDidNotTake_doesNotVouch() throws {
  try withClock(["hctosys": "0\n", "since_epoch": "\(noon)\n"]) { folder in
    #expect(!BatteryClock.vouches(forUnixSeconds: noon, in: folder))
  }
}

@Test func batteryClock_thatWasNeverSet_doesNotVouchForTheSameTime() throws {
  try withClock(["hctosys": "1\n", "since_epoch": "1767225599\n"]) { folder in
    #expect(!BatteryClock.vouches(forUnixSeconds: 1_767_225_599, in: folder))
  }
}

@Test func batteryClock_thatCannotBeRead_doesNotVouch() throws {
  try withClock(["hctosys": "1\n"]) { folder in
    #expect(!BatteryClock.vouches(forUnixSeconds: noon, in: folder))
  }
  #expect(!BatteryClock.vouches(forUnixSeconds: noon, in: "/nonexistent/rtc"))
}

@Test func wallSource_ofThisMachine_isWhatMakesItsTimeKnown() {
  #expect((Clock.wallSource() != nil) == Clock.wallIsKnown())
}

// MARK: - Sleep

private func watch(_ offset: Span = .hours(2)) -> SleepWatch { SleepWatch { offset } }
private let now = Instant(nanoseconds: 50_000_000_000_000)

@Test func sleep_longerThanASecond_isTheTimeBeforeNow() {
  var watch = watch()
  let slept = watch.sleep(before: now) { .hours(2) + .seconds(480) }
  #expect(slept?.from == now - .seconds(480) && slept?.to == now)
  // It is told once.
  let again = watch.sleep(before: now) { .hours(2) + .seconds(480) }
  #expect(again == nil)
}

@Test func sleep_ofASecond_isNoneAndDoesNotAddUp() {
  var watch = watch()
  for seconds in 1...3 {
    let slept = watch.sleep(before: now) { .hours(2) + .seconds(Int64(seconds)) }
    #expect(slept == nil)
  }
  let slept = watch.sleep(before: now) { .hours(2) + .seconds(4) + .milliseconds(1) }
  #expect(slept?.from == now - .milliseconds(1_001))
}

@Test func sleep_thatOneMeasurementShows_isAMistakeOfIt() {
  var watch = watch()
  var offsets: [Span] = [.hours(3), .hours(2)]
  let slept = watch.sleep(before: now) { offsets.removeFirst() }
  #expect(slept == nil && offsets.isEmpty)
}
