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
    let journal = try journal.map { try SitJournal(parsing: $0) }
    return .journal(journal, isStored: journal.map { sessions[$0.sit] != nil } ?? false)
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

/// The ends that a kill is to come between: by itself, by a hand, in a pause, in overtime, too
/// soon.
private let ends: [(name: String, event: TimerEvent?, isPaused: Bool, overtime: Bool, at: Int64)] =
  [
    ("its end", nil, false, false, 130), ("a stop", .stop, false, false, 100),
    ("a stop in a pause", .stop, true, false, 100),
    ("the end of overtime", .stop, false, true, 200),
    ("a discard", .discard, false, false, 100), ("a stop too soon", .stop, false, false, 40),
  ]

@Test func end_killedBetweenAnyTwoSteps_leavesOneSit() throws {
  for end in ends {
    for boot in [1, 2] as [UInt64] {
      var count = 0
      var isDone = false
      while !isDone {
        var device = Device()
        var bench = BoxBench { $0.plan.overtime = end.overtime }
        bench.start(.fixed(.minutes(2)), at: at(0))
        if end.isPaused { bench.command(.pause, at: at(90)) }
        bench.advance(to: at(end.at) - nanosecond)
        for write in bench.journals {
          device.apply(.journal(write.journal, isDurable: true), at: at(0))
        }
        device.isClaimed = true
        if let event = end.event {
          bench.box.handle(.appliance(.command(.timer(event))), at: at(end.at))
        }
        let steps = work(of: &bench, to: at(end.at))
        for step in steps.prefix(count) { device.apply(step, at: at(end.at)) }
        isDone = count >= steps.count
        count += 1
        let restart = boot == 1 ? at(end.at + 5) : at(3)
        var second = BoxBench(start: 1_767_247_200 + end.at + 5, began: restart, boot: boot)
        let isStored = !device.sessions.isEmpty
        second.box.handle(try device.found(), at: restart)
        #expect(!isStored || second.box.appliance.phase == .idle, "\(end.name), step \(count)")
        device.pastBells = 0
        for step in work(of: &second, to: restart + .hours(5)) { device.apply(step, at: restart) }
        let isKept = end.event != .discard && end.at != 40
        // A kill before a discard or a stop was written down loses the press, and not the sit.
        let allowed = isKept || isDone ? isKept ? [1] : [0] : [0, 1]
        #expect(allowed.contains(device.sessions.count), "\(end.name), step \(count)")
        #expect(device.journal == nil && !device.isClaimed && device.pastBells == 0)
      }
      #expect(count > 4)
    }
  }
}

@Test func end_goesFromTheOutsideIn() {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(2)), at: at(0))
  bench.advance(to: at(99))
  bench.work = []
  bench.command(.stop, at: at(100))
  #expect(bench.work == ["cancel", "quiet", "withdraw", "save"])
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
  bench.keep(bench.saved[0].id, at: at(161))
  #expect(bench.erasures == 0)
  bench.advance(to: at(300))
  bench.keep(bench.saved[1].id, at: at(301))
  #expect(bench.erasures == 1)
}

@Test func sleep_isInhibitedFromThePreparationToTheEnd() {
  var bench = BoxBench()
  bench.start(.fixed(.minutes(2)), at: at(0))
  #expect(bench.inhibits == [true])
  bench.advance(to: at(130))
  #expect(bench.inhibits == [true, false])
}
