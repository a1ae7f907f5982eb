// What a sit asks of the storage thread from its begin to its end, and after it.
import LinuxIO
import Sessions
import Testing

@testable import StoreFiles

private let begin = WallInstant(milliseconds: 1_795_986_000_000)
private func time(_ minutes: Int64) -> WriteTime {
  WriteTime(WallInstant(milliseconds: begin.milliseconds + minutes * 60_000))
}

private func claim(_ minutes: Int64, isPaused: Bool = false) -> StorageRequest {
  .claim(
    since: begin, plannedEnd: WallInstant(milliseconds: begin.milliseconds + 1_800_000),
    isPaused: isPaused, name: nil, at: time(minutes))
}

private func truth(_ folder: String) throws -> SessionStore {
  try SessionStore(parsing: content("\(folder)/truth.kv"))
}

private func isUsage(_ answer: StorageAnswer) -> Bool {
  if case .usage = answer { return true }
  return false
}

@Test func claim_ofASit_isInTruthAndCopyUntilItsEndIsWrittenWithIt() throws {
  try withTemporaryFolder { folder in
    let (state, shared) = ("\(folder)/state", "\(folder)/shared")
    let thread = try StorageThread(state: state, shared: shared)
    #expect(thread.send(claim(0)) && thread.send(.usage(token: 1)))
    _ = try answers(thread, until: isUsage)
    let device = try truth(state).device
    let copies = try names(shared).filter { $0.hasSuffix(".kv") }.map { "\(shared)/\($0)" }
    #expect(copies.count == 1)
    for path in ["\(state)/truth.kv"] + copies {
      let claims = try SessionStore(parsing: content(path)).standingClaims
      #expect(claims.map(\.device) == [device] && claims.map(\.since) == [begin])
      #expect(claims.map(\.isPaused) == [false])
    }
    #expect(thread.send(claim(1, isPaused: true)) && thread.send(.usage(token: 2)))
    _ = try answers(thread, until: isUsage)
    #expect(try truth(state).standingClaims.map(\.isPaused) == [true])
    #expect(thread.send(.endSit(sit(0), at: time(30))) && thread.send(.usage(token: 3)))
    let end = try answers(thread, until: isUsage)
    let writes = end.filter { if case .report(let report) = $0 { report.isWritten } else { false } }
    #expect(writes.count == 1)
    #expect(try truth(state).standingClaims == [] && truth(state).sessions == [sit(0)])
  }
}

@Test func sit_addedOverTheOneThatRuns_isRefused() throws {
  try withTemporaryFolder { folder in
    let thread = try StorageThread(state: "\(folder)/state", shared: "\(folder)/shared")
    #expect(thread.send(claim(0)))
    var added = sit(0)
    (added.startDate, added.endDate) = (begin, time(1).wall)
    added.durationSeconds = 60
    let change = JSONValue.array([SitChange.add(added, isForced: false).json])
    let text = String(decoding: change.encoded(), as: UTF8.self)
    #expect(thread.send(.change(text, at: time(2), token: 5)))
    let tallies = try answers(thread) { if case .changed = $0 { true } else { false } }
      .compactMap { if case .changed(_, let tally, token: 5) = $0 { tally } else { nil } }
    let reasons = tallies.flatMap { $0.refusals.map(\.reason) }
    #expect(reasons.count == 1)
    #expect(reasons.first?.hasPrefix("it overlaps the sit that runs here since ") == true)
  }
}

@Test func claims_thatWait_areOneAndTheLast() throws {
  try withTemporaryFolder { folder in
    let gate = try GatedDisk.Gate()
    let thread = try StorageThread { () throws(StoreFileFault) in
      OpenedStore(
        keeper: Storekeeper(
          disk: GatedDisk(gate: gate), folder: SharedFolder?.none,
          owner: Identity(high: 0, low: 1), device: Identity(high: 0, low: 2)),
        watched: nil)
    }
    #expect(thread.send(.add(sit(0))))
    let hasBegun = gate.begun.wait(timeoutMilliseconds: 10_000)
    #expect(hasBegun)
    // The thread stands in its first write. A thousand pauses take no more room than one.
    for pause in 0..<1_000 {
      #expect(thread.send(claim(Int64(pause), isPaused: pause % 2 == 0)))
    }
    #expect(thread.send(.withdrawClaim(at: time(1_000))))
    var room = 0
    while thread.send(.retry) { room += 1 }
    // The sit may wait too: the first write is that of a new store.
    #expect(room >= StorageThread.queueLimit - 2)
    var isSaved: Bool?
    while isSaved == nil {
      gate.open.signal()
      isSaved = thread.stop(timeoutMilliseconds: 10)
    }
    #expect(isSaved == true)
  }
}

@Test func sit_editedAndDeletedThroughTheThread_isAsTold() throws {
  try withTemporaryFolder { folder in
    let thread = try StorageThread(state: folder, shared: nil)
    #expect(thread.send(.add(sit(0))))
    let id = sit(0).id
    #expect(thread.send(.edit(id, .rating(4), at: time(31))))
    #expect(thread.send(.usage(token: 1)))
    _ = try answers(thread, until: isUsage)
    #expect(try truth(folder).sessions.map(\.rating) == [4])
    #expect(thread.send(.deleteSit(id, at: time(32))) && thread.send(.usage(token: 2)))
    _ = try answers(thread, until: isUsage)
    #expect(try truth(folder).sessions == [])
    // What is not there is refused, and said.
    #expect(thread.send(.deleteSit(id, at: time(33))) && thread.send(.usage(token: 3)))
    let refused = try answers(thread, until: isUsage).contains { answer in
      if case .report(.refused) = answer { true } else { false }
    }
    #expect(refused)
  }
}

@Test func sit_endedWhileTheFolderCannotBeUsed_isKeptWithItsClaimWithdrawnOnceItCan() throws {
  try withTemporaryFolder { folder in
    let state = "\(folder)/state"
    // A file stands where the folder should be.
    try write(state, "")
    let thread = try StorageThread(state: state, shared: nil)
    #expect(thread.send(claim(0)) && thread.send(claim(5, isPaused: true)))
    #expect(thread.send(.endSit(sit(0), at: time(30))) && thread.send(.history(token: 1)))
    let before = try answers(thread) { if case .history = $0 { true } else { false } }
    #expect(before.last == .history([sit(0)], token: 1))
    try Files.unlink(state)
    #expect(thread.send(.retry) && thread.send(.usage(token: 2)))
    _ = try answers(thread, until: isUsage)
    #expect(try truth(state).standingClaims == [] && truth(state).sessions == [sit(0)])
  }
}
