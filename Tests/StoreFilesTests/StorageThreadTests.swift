import Glibc
import LinuxIO
import Sessions
import Testing

@testable import StoreFiles

/// A disk that stands still in its writes until it is let go, as a slow card does.
struct GatedDisk: ReplicaDisk, Sendable {
  /// Lets one write after another through, and tells of each that has begun.
  final class Gate: Sendable {
    let begun: EventSignal
    let open: EventSignal

    init() throws(StoreFileFault) {
      do throws(SystemError) {
        begun = try EventSignal()
        open = try EventSignal()
      } catch { throw .system(error) }
    }
  }

  let gate: Gate

  func volumes() throws(StoreFileFault) -> [Volume] { [] }

  mutating func read(_ file: ReplicaFile) throws(StoreFileFault) -> [UInt8]? { nil }

  mutating func replace(
    _ file: ReplicaFile, with bytes: [UInt8], keepingEarlier: Bool
  ) throws(StoreFileFault) {
    gate.begun.signal()
    _ = gate.open.wait()
  }

  mutating func remove(_ file: ReplicaFile) throws(StoreFileFault) {}

  mutating func setAside(_ file: ReplicaFile) throws(StoreFileFault) -> String { "" }
}

/// Waits for answers until one fits, and gives all up to then. Ten seconds without any are a
/// failure.
func answers(
  _ thread: StorageThread, until isLast: (StorageAnswer) -> Bool
) throws -> [StorageAnswer] {
  var all: [StorageAnswer] = []
  while !all.contains(where: isLast) {
    try #require(try thread.news.waitReadable(timeoutMilliseconds: 10_000), "no answer: \(all)")
    all += thread.takeAnswers()
  }
  return all
}

@Suite struct StorageThreadTests {
  @Test func sits_sentToTheThread_areOnTheDiskWhenItSaysSo() throws {
    try withTemporaryFolder { folder in
      let thread = try StorageThread(state: folder, shared: nil)
      for index in 0..<5 { #expect(thread.send(.add(sit(index)))) }
      #expect(
        thread.send(
          .setText("bell", to: " 3", at: WriteTime(WallInstant(milliseconds: 1)), token: 4)))
      #expect(
        thread.send(
          .setText("bell", to: "{", at: WriteTime(WallInstant(milliseconds: 1)), token: 10)))
      #expect(
        thread.send(.set("none", to: nil, at: WriteTime(WallInstant(milliseconds: 1)), token: 5)))
      #expect(thread.send(.value(forKey: "bell", token: 6)))
      #expect(thread.send(.keys(token: 7)))
      #expect(thread.send(.usage(token: 8)))
      #expect(thread.send(.history(token: 9)))
      let all = try answers(thread) { if case .history = $0 { true } else { false } }
      #expect(
        all.filter { if case .report(let report) = $0 { report.isWritten } else { false } }.count
          == 6)
      #expect(all.contains(.value(.integer(3), token: 6)))
      #expect(all.contains(.keys(["bell", "sits.2026-11", "sits.2026-12"], token: 7)))
      #expect(all.contains(.set([.refused(reason: "there is no key \"none\"")], token: 5)))
      let failures = all.compactMap { answer -> String? in
        if case .set(let reports, 10) = answer, case .refused(let reason)? = reports.first {
          return reason
        }
        return nil
      }
      #expect(failures.count == 1 && failures[0].hasPrefix("the value: "))
      #expect(all.last == .history((0..<5).map(sit), token: 9))
      #expect(try sits(inReplica: "\(folder)/truth.kv") == 5)
      #expect(
        all.contains(
          .usage(
            StoreUsage(
              bytes: try content("\(folder)/truth.kv").count, keys: 3, sits: 5), token: 8)))
      #expect(thread.stop(timeoutMilliseconds: 10_000) == true)
      #expect(thread.send(.retry) == false)
      #expect(thread.stop(timeoutMilliseconds: 0) == true)
    }
  }

  @Test func send_whileTheDiskStandsStill_returnsAndFillsTheQueue() throws {
    let gate = try GatedDisk.Gate()
    let thread = try StorageThread { () throws(StoreFileFault) in
      OpenedStore(
        keeper: Storekeeper(
          disk: GatedDisk(gate: gate), folder: SharedFolder?.none, owner: Identity(high: 0, low: 1),
          device: Identity(high: 0, low: 2)))
    }
    // The first write, of the new store, has begun and does not end.
    let hasBegun = gate.begun.wait(timeoutMilliseconds: 10_000)
    #expect(hasBegun)
    for index in 0..<StorageThread.queueLimit { #expect(thread.send(.add(sit(index)))) }
    #expect(thread.send(.add(sit(64))) == false)
    #expect(thread.stop(timeoutMilliseconds: 20) == nil)
    for _ in 0..<StorageThread.queueLimit {
      gate.open.signal()
      let hasNextBegun = gate.begun.wait(timeoutMilliseconds: 10_000)
      #expect(hasNextBegun)
    }
    gate.open.signal()
    #expect(thread.stop(timeoutMilliseconds: 10_000) == true)
    let written = thread.takeAnswers().compactMap { answer -> Int? in
      if case .report(.written(_, let sits)) = answer { sits } else { nil }
    }
    #expect(written == Array(0...StorageThread.queueLimit))
  }

  @Test func thread_whoseDiskHangsAtItsStop_isLeftToItself() throws {
    let gate = try GatedDisk.Gate()
    let ended = try EventSignal()
    let owner = try Thread(name: "owner") {
      let thread = try? StorageThread { () throws(StoreFileFault) in
        OpenedStore(
          keeper: Storekeeper(
            disk: GatedDisk(gate: gate), folder: SharedFolder?.none,
            owner: Identity(high: 0, low: 1), device: Identity(high: 0, low: 2)))
      }
      _ = gate.begun.wait(timeoutMilliseconds: 10_000)
      #expect(thread?.stop(timeoutMilliseconds: 20) == .some(.none))
      withExtendedLifetime(thread) {}
      ended.signal()
    }
    let hasEnded = ended.wait(timeoutMilliseconds: 10_000)
    #expect(hasEnded)
    gate.open.signal()
    owner.join()
  }

  @Test func answers_thatNobodyTakes_stopTheQueueAndNotTheMemory() throws {
    try withTemporaryFolder { folder in
      let thread = try StorageThread(state: folder, shared: nil)
      // Opening gives three answers; so many requests are answered, and so many wait.
      let most = StorageThread.queueLimit - 3 + StorageThread.queueLimit
      var sent = 0
      while sent < most { if thread.send(.usage(token: sent)) { sent += 1 } }
      for _ in 0..<1_000 { #expect(thread.send(.usage(token: sent)) == false) }
      let last = sent - 1
      let all = try answers(thread) { if case .usage(_, last) = $0 { true } else { false } }
      #expect(all.filter { if case .usage = $0 { true } else { false } }.count == sent)
    }
  }

  @Test func stateFolder_inUse_isThrownAtStart() throws {
    try withTemporaryFolder { folder in
      let disk = try FolderDisk.taking(folder)
      #expect(
        throws: StoreFileFault.locked(path: "\(folder)/lock", process: Machine.process)
      ) {
        _ = try StorageThread(state: folder, shared: nil)
      }
      _ = disk.device
    }
  }

  @Test func stateFolder_inUseForAWhile_isWaitedForAndTheSitsAreKept() throws {
    try withTemporaryFolder { folder in
      let thread: StorageThread
      do {
        let disk = try FolderDisk.taking(folder)
        thread = try StorageThread(state: folder, shared: nil, waitsForLock: true)
        #expect(thread.send(.add(sit(0))))
        #expect(thread.send(.history(token: 1)))
        let before = try answers(thread) { if case .history = $0 { true } else { false } }
        #expect(before.last == .history([sit(0)], token: 1))
        #expect(
          before.contains(
            .report(
              .failed(
                reason: "another timerbox uses this state folder: process \(getpid()) holds "
                  + "\(folder)/lock"))))
        _ = disk.device
      }
      #expect(thread.send(.retry))
      #expect(thread.stop(timeoutMilliseconds: 10_000) == true)
      #expect(try sits(inReplica: "\(folder)/truth.kv") == 1)
    }
  }

  @Test func stateFolder_thatCannotBeMade_isReportedAndTheSitsWait() throws {
    try withTemporaryFolder { folder in
      try write("\(folder)/state", "a file where the folder should be")
      let thread = try StorageThread(state: "\(folder)/state", shared: nil)
      #expect(thread.send(.add(sit(0))))
      #expect(thread.send(.history(token: 1)))
      let before = try answers(thread) { if case .history = $0 { true } else { false } }
      #expect(before.last == .history([sit(0)], token: 1))
      let failures = before.compactMap { answer -> String? in
        if case .report(let report) = answer { report.failure } else { nil }
      }
      #expect(failures.count == 2)
      #expect(failures.allSatisfy { $0.hasPrefix("\(folder)/state is no folder (") })
      try Files.unlink("\(folder)/state")
      #expect(thread.send(.retry))
      #expect(thread.stop(timeoutMilliseconds: 10_000) == true)
      #expect(try sits(inReplica: "\(folder)/state/truth.kv") == 1)
    }
  }

  @Test func stop_withSitsThatCannotBeSaved_saysSo() throws {
    try withTemporaryFolder { folder in
      try Files.makeFolder("\(folder)/truth.kv")
      let thread = try StorageThread(state: folder, shared: nil)
      #expect(thread.send(.add(sit(0))))
      #expect(thread.stop(timeoutMilliseconds: 10_000) == false)
    }
  }
}
