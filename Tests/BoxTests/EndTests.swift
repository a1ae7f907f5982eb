import Box
import Sessions
import Testing
import Ticks
import TimerMachine

/// What a device holds while its box is killed and started again.
struct Device {
  /// The journal's file.
  var journal: [UInt8]?
  var sessions: [Identity: MeditationSession] = [:]
  var isClaimed = false
  /// Bells that were ordered for an instant that had passed.
  var pastBells = 0

  mutating func apply(_ action: BoxAction, at now: Instant) {
    switch action {
    case .journal(let journal, _): self.journal = journal.encoded()
    case .eraseJournal: journal = nil
    case .claim(let claim, _): isClaimed = claim != nil
    case .save(let session): if sessions[session.id] == nil { sessions[session.id] = session }
    case .edit(let id, let edit, _):
      if var session = sessions[id] {
        edit.apply(to: &session)
        sessions[id] = session
      }
    case .delete(let id, _): sessions[id] = nil
    case .appliance(.plan(let strikes)):
      pastBells += strikes.filter { $0.cue == nil && $0.index == 1 && $0.strike.due < now }.count
    default: break
    }
  }

  /// The news of the journal as a start tells it.
  func found() throws -> BoxEvent {
    let journal = try journal.map { try Journal(parsing: $0) }
    return .journal(journal, known: Set((journal?.sits ?? []).filter { sessions[$0] != nil }))
  }

  /// Whether its journal has a sit that is on.
  func isOn() throws -> Bool {
    try journal.map { try Journal(parsing: $0).running != nil } ?? false
  }
}

/// Runs a box to an instant and gives its work in order; each save is answered at once.
func work(of bench: inout BoxBench, to instant: Instant) -> [BoxAction] {
  var work: [BoxAction] = []
  func take(_ bench: inout BoxBench) {
    while let action = bench.box.nextAction() {
      work.append(action)
      if case .save(let session) = action {
        bench.box.handle(
          .store([.written(bytes: 1, sits: 1), .kept(session.id)]), at: bench.box.now)
      }
    }
  }
  while let due = bench.box.nextDeadline, due <= instant {
    while bench.box.advance(to: due) { take(&bench) }
  }
  take(&bench)
  return work
}

/// An end that a kill is to come between.
private struct End {
  var name: String
  /// What ends it; nil where it ends by itself.
  var event: TimerEvent?
  var pausedAt: Int64?
  var overtime = false
  /// When it ends, in seconds.
  var at: Int64
  var isKept = true
}

private let ends = [
  End(name: "its end", at: 130), End(name: "a stop", event: .stop, at: 100),
  End(name: "a stop in a pause", event: .stop, pausedAt: 90, at: 100),
  End(name: "an hour of pause", pausedAt: 90, at: 90 + 3_600),
  End(name: "a hand in overtime", event: .stop, overtime: true, at: 200),
  End(name: "the limit of overtime", overtime: true, at: 130 + 3_600),
  End(name: "a discard", event: .discard, at: 100, isKept: false),
  End(name: "a stop too soon", event: .stop, at: 40, isKept: false),
]

/// The work of an end, and what the device holds before it.
private func steps(of end: End) -> (device: Device, steps: [BoxAction], saved: MeditationSession?) {
  var device = Device()
  var bench = BoxBench { $0.plan.overtime = end.overtime }
  bench.start(.fixed(.minutes(2)), at: at(0))
  if let pausedAt = end.pausedAt { bench.command(.pause, at: at(pausedAt)) }
  bench.advance(to: at(end.at) - nanosecond)
  if let file = bench.file { device.apply(.journal(file, isDurable: true), at: at(0)) }
  device.isClaimed = true
  if let event = end.event {
    bench.box.handle(.appliance(.command(.timer(event))), at: at(end.at))
  }
  let steps = work(of: &bench, to: at(end.at))
  var saved: MeditationSession?
  for case .save(let session) in steps { saved = session }
  return (device, steps, saved)
}

@Test(arguments: [1, 2] as [UInt64])
func end_killedBetweenAnyTwoSteps_leavesOneSit(boot: UInt64) throws {
  for end in ends {
    let (found, steps, saved) = steps(of: end)
    #expect(steps.count > 4 && (saved != nil) == end.isKept, "\(end.name)")
    for count in 0...steps.count {
      var device = found
      for step in steps.prefix(count) { device.apply(step, at: at(end.at)) }
      let isOver = try !device.isOn()
      let restart = boot == 1 ? at(end.at + 5) : at(3)
      var second = BoxBench(start: 1_767_247_200 + end.at + 5, began: restart, boot: boot)
      second.box.handle(try device.found(), at: restart)
      let isIdle = second.box.appliance.phase == .idle
      #expect(!isOver || isIdle, "\(end.name), step \(count)")
      device.pastBells = 0
      for step in work(of: &second, to: restart + .hours(5)) { device.apply(step, at: restart) }
      let kept = Array(device.sessions.values)
      // What was written down as over is what is kept. A kill before that loses the press, and not
      // the sit.
      if isOver { #expect(kept == (saved.map { [$0] } ?? []), "\(end.name), step \(count)") }
      #expect(kept.count == 1 || (!end.isKept && kept.isEmpty), "\(end.name), step \(count)")
      #expect(device.journal == nil && !device.isClaimed && device.pastBells == 0)
    }
  }
}

@Test func end_goesFromTheOutsideIn() {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(2)), at: at(0))
  bench.advance(to: at(99))
  bench.work = []
  bench.command(.stop, at: at(100))
  #expect(bench.work == ["cancel", "quiet", "withdraw", "journal", "save"])
  bench.keep(bench.saved[0].id, at: at(101))
  #expect(bench.work.last == "erase" && bench.erasures == 1)
}

@Test func journal_ofASitThatCouldNotBeSaved_staysUntilItIs() {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(2)), at: at(0))
  bench.advance(to: at(130))
  let failed = StoreReport.failed(reason: "no space left on the device")
  bench.handle(.store([failed]), at: at(131))
  // What is written is something else, as the claim.
  bench.handle(.store([.written(bytes: 1, sits: 0)]), at: at(140))
  bench.handle(.store([.kept(Identity(randomHigh: 9, low: 9))]), at: at(141))
  #expect(bench.erasures == 0)
  bench.keep(bench.saved[0].id, at: at(200))
  bench.keep(bench.saved[0].id, at: at(201))
  #expect(bench.erasures == 1)
}

@Test func journal_ofTheNextSit_isNotErasedForTheLastOne() {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(2)), at: at(0))
  bench.advance(to: at(130))
  bench.start(.fixed(.minutes(2)), at: at(140))
  bench.advance(to: at(160))
  #expect(bench.file?.sits.count == 2)
  bench.keep(bench.saved[0].id, at: at(161))
  #expect(bench.erasures == 0 && bench.file?.sits == [bench.changes[2].id])
  bench.advance(to: at(300))
  bench.keep(bench.saved[1].id, at: at(301))
  #expect(bench.erasures == 1 && bench.file == nil)
}

/// The card is full as a sit ends, the next one is on, and the power is cut: both are kept.
@Test func sit_notKeptAsTheNextIsOn_outlivesAPowerCut() throws {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(2)), at: at(0))
  bench.advance(to: at(130))
  bench.handle(.store([.failed(reason: "no space left on the device")]), at: at(131))
  bench.start(.fixed(.minutes(10)), at: at(140))
  bench.advance(to: at(400))
  var second = BoxBench(start: 1_767_247_200 + 430, began: at(3), boot: 2)
  second.handle(.journal(bench.file, known: []), at: at(3))
  #expect(second.saved == bench.saved && second.changes.map(\.change) == [.recovered])
  #expect(second.box.state(at: at(3)).phase == "running")
  // A start after another cut, while nothing is kept yet, saves it again.
  var third = BoxBench(start: 1_767_247_200 + 450, began: at(2), boot: 3)
  third.handle(.journal(second.file, known: []), at: at(2))
  #expect(third.saved == bench.saved)
  third.keep(third.saved[0].id, at: at(4))
  third.advance(to: at(2_000))
  #expect(third.saved.count == 2)
  third.keep(third.saved[1].id, at: at(2_001))
  #expect(third.file == nil && third.erasures == 1)
}

@Test func sits_foundBesideOneThatIsOn_areSentBeforeItNeedsTheirPlace() throws {
  var bench = BoxBench(start: 0, isKnown: false)
  for number in 0..<64 as Range<Int64> {
    bench.start(.fixed(.minutes(1)), at: at(number * 200))
    bench.advance(to: at(number * 200 + 100))
  }
  bench.start(.fixed(.minutes(10)), at: at(13_000))
  bench.advance(to: at(13_300))
  // Two hours later nobody sits there still: it is over, as the 65th that waits.
  var second = BoxBench(start: 20_000, isKnown: false, began: at(20_300))
  second.handle(.journal(bench.file, known: []), at: at(20_300))
  #expect(bench.file?.sits.count == 65)
  #expect(second.saved.count == 65 && second.changes.map(\.change) == [.closed])
}

@Test func sit_thatTheStoreKnows_isNotSavedAgain() throws {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(2)), at: at(0))
  bench.advance(to: at(130))
  var second = BoxBench(start: 1_767_247_200 + 135, began: at(135))
  second.handle(.journal(bench.file, known: [bench.saved[0].id]), at: at(135))
  #expect(second.saved.isEmpty && second.edits.isEmpty)
  #expect(second.work == ["withdraw", "erase"])
}

@Test func sits_thatWait_areBoundedAndTheOldestThatIsKeptGoesFirst() {
  var bench = BoxBench(start: 0, isKnown: false)
  for number in 0..<70 as Range<Int64> {
    bench.start(.fixed(.minutes(1)), at: at(number * 200))
    bench.advance(to: at(number * 200 + 100))
    // All but the first are kept, and wait for their dates.
    guard number > 0, let id = bench.saved.last?.id else { continue }
    bench.keep(id, at: at(number * 200 + 101))
  }
  let sits = bench.file?.sits ?? []
  #expect(sits.count == 64)
  #expect(sits == [bench.saved[0].id] + bench.saved.suffix(63).map(\.id))
}

@Test func preparation_thatIsCutOff_isToldOnceAtTheNextStart() {
  for boot in [1, 2] as [UInt64] {
    var bench = BoxBench()
    bench.start(.fixed(.minutes(2)), at: at(0))
    bench.advance(to: at(5))
    var second = BoxBench(start: 1_767_247_200 + 6, began: at(6), boot: boot)
    second.handle(.journal(bench.file, known: []), at: at(6))
    #expect(
      second.faults.map(\.detail) == [
        "A sit was being prepared as the box ended. It has not begun, and is to be started again."
      ])
    #expect(second.work == ["withdraw", "erase"] && second.box.degraded.isEmpty)
    #expect(second.box.appliance.phase == .idle)
  }
}

@Test func sleep_isInhibitedFromThePreparationToTheEnd() {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(2)), at: at(0))
  #expect(bench.inhibits == [true])
  bench.advance(to: at(130))
  #expect(bench.inhibits == [true, false])
}
