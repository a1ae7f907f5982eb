// The journal on a real folder: what a start finds after each thing that can have happened.
import LinuxIO
import Testing

@testable import StoreFiles

private func journal(_ number: Int) -> [UInt8] { Page.of(number) }
private func isWhole(_ bytes: [UInt8]) -> Bool { Page.months(bytes) != nil }

@Test func journal_inAFolderThatIsNotThereYet_isNone() throws {
  try withTemporaryFolder { folder in
    let found = try JournalFile(state: "\(folder)/state").read(isWhole)
    #expect(found == JournalFile.Found())
  }
}

@Test func journal_written_isFoundUntilItIsErased() throws {
  try withTemporaryFolder { folder in
    let file = JournalFile(state: folder)
    for number in 1...3 {
      try file.write(journal(number))
      let found = try file.read(isWhole)
      #expect(found.bytes == journal(number) && found.setAside == [])
    }
    #expect(try content("\(folder)/journal.1") == journal(2))
    try file.erase()
    #expect(try names(folder) == [])
    // Again, as after a kill between the two.
    try file.erase()
    #expect(try file.read(isWhole) == JournalFile.Found())
  }
}

@Test func journal_damaged_givesWayToTheOneBeforeItAndIsKeptAside() throws {
  try withTemporaryFolder { folder in
    let file = JournalFile(state: folder)
    try file.write(journal(1))
    try file.write(journal(2))
    try write("\(folder)/journal", String(decoding: Page.damaged(2), as: UTF8.self))
    let found = try file.read(isWhole)
    #expect(found.bytes == journal(1))
    #expect(found.setAside == ["\(folder)/journal.damaged-1"])
    // It never becomes the earlier one.
    try file.write(journal(3))
    #expect(try content("\(folder)/journal.1") == journal(1))
    #expect(try content("\(folder)/journal.damaged-1") == Page.damaged(2))
  }
}

@Test func journal_damagedInBothGenerations_isNoneAndBothAreKept() throws {
  try withTemporaryFolder { folder in
    for name in ["journal", "journal.1"] { try write("\(folder)/\(name)", "rubbish") }
    let found = try JournalFile(state: folder).read(isWhole)
    #expect(found.bytes == nil)
    let names = ["journal.damaged-1", "journal.1.damaged-1"]
    #expect(found.setAside == names.map { "\(folder)/\($0)" })
  }
}

// MARK: - The thread

/// Waits for a report, at most 10 s.
private func report(of thread: JournalThread) throws -> JournalReport {
  for _ in 0..<10 {
    let isNews = try thread.news.waitReadable(timeoutMilliseconds: 1_000)
    if isNews, let report = thread.takeReport() { return report }
  }
  throw StoreFileFault.stuck(path: "journal")
}

@Test func journalThread_orders_areCarriedOutAndTold() throws {
  try withTemporaryFolder { folder in
    let thread = try JournalThread(state: folder)
    thread.write(journal(1))
    #expect(try report(of: thread) == .written)
    #expect(try content("\(folder)/journal") == journal(1))
    thread.erase()
    #expect(try report(of: thread) == .erased)
    #expect(try names(folder) == [])
    #expect(thread.stop(timeoutMilliseconds: 10_000) == true)
  }
}

@Test func journalThread_manyOrders_endWithTheLast() throws {
  try withTemporaryFolder { folder in
    let thread = try JournalThread(state: folder)
    for number in 0..<1_000 { thread.write(journal(number % 32)) }
    thread.write(journal(7))
    #expect(thread.stop(timeoutMilliseconds: 10_000) == true)
    #expect(try content("\(folder)/journal") == journal(7))
  }
}

@Test func journalThread_whoseFolderIsAway_saysSoAndWritesOnceItIsThere() throws {
  try withTemporaryFolder { folder in
    let state = "\(folder)/state"
    let thread = try JournalThread(state: state)
    thread.write(journal(1))
    guard case .failed(let reason) = try report(of: thread) else {
      Issue.record("it did not fail")
      return
    }
    #expect(reason.hasPrefix("\(state) is not there (open \(state): "))
    try Files.makeFolder(state)
    // Without waiting for the minute: a newer one replaces it.
    thread.write(journal(2))
    while try report(of: thread) != .written {}
    #expect(try content("\(state)/journal") == journal(2))
    #expect(thread.stop(timeoutMilliseconds: 10_000) == true)
  }
}

@Test func journalThread_stoppedWithAFailedOrder_saysThatItIsNotDone() throws {
  try withTemporaryFolder { folder in
    let thread = try JournalThread(state: "\(folder)/state")
    thread.write(journal(1))
    #expect(thread.stop(timeoutMilliseconds: 10_000) == false)
  }
}

// MARK: - Power cuts

extension CrashTrial {
  /// Heartbeats, the end, and the next sit: at every instant the journal told of last, or the one
  /// that is under way.
  static let journal = CrashTrial(
    name: "journal",
    steps: [
      { try file($0).write(Page.of(1)) }, { try file($0).write(Page.of(2)) },
      { try file($0).write(Page.of(3)) }, { try file($0).erase() },
      { try file($0).write(Page.of(5)) },
    ],
    fault: { root, acknowledged in
      let folder = try DurableFolder("state", creating: true, from: root)
      let found = try file(root).read { Page.months($0) != nil }
      let isEarlierDamaged = try folder.isDamaged("journal.1")
      if !found.setAside.isEmpty || isEarlierDamaged { return "it is damaged" }
      let number = Page.months(found.bytes)
      // What may be read after so many acknowledged steps; 0 is none.
      let allowed: [Set<Int>] = [[0, 1], [1, 2], [2, 3], [0, 2, 3], [0, 5], [5]]
      return allowed[acknowledged].contains(number ?? 0)
        ? nil : "after \(acknowledged) steps it is \(number ?? 0)"
    })

  private static func file(_ root: ModelFolder) -> JournalFile {
    JournalFile(state: "state", from: root)
  }
}

@Test(arguments: ModelDisk.NameRules.allCases, [[], ["link"]] as [[String]])
func powerCut_atAnyMomentOfAJournal_leavesWhatWasToldOrIsUnderWay(
  names: ModelDisk.NameRules, missing: [String]
) throws {
  let trial = CrashTrial.journal
  let faults = Dictionary(uniqueKeysWithValues: missing.map { ($0, Errno.notSupported) })
  let machine = try trial.machine(without: faults)
  #expect(try trial.run(on: machine) == 0)
  var states = CrashStates()
  #expect(try trial.faults(machine, ModelDisk.Rules(names: names), &states, depth: 1) == [])
  #expect(states.states.count > 20)
}

/// Were this not so, the test above could not fail.
@Test func powerCut_whereFsyncsOfAJournalLie_losesWhatWasTold() throws {
  let trial = CrashTrial.journal
  let clean = try trial.machine()
  _ = try trial.run(on: clean)
  var found = 0
  for moment in clean.moments where moment.call.hasPrefix("fsync ") {
    let machine = try trial.machine()
    machine.faults[moment.number - 1] = .lies
    _ = try trial.run(on: machine)
    var states = CrashStates()
    if try !trial.faults(machine, ModelDisk.Rules(), &states).isEmpty { found += 1 }
  }
  #expect(found > 5)
}
