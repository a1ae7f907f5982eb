import LinuxIO
import Sessions
import Synchronization
import Testing

@testable import StoreFiles

/// A folder that stands still at its next call once it is told to, as a frozen disk does.
private struct GatedFolder: ExchangeFolder {
  final class Gate: Sendable {
    let isShut = Mutex(false)
    let open: EventSignal
    let writes = Mutex(0)

    init() throws { open = try EventSignal() }
  }

  let gate: Gate

  private func pass() {
    if gate.isShut.withLock({ $0 }) { _ = gate.open.wait() }
  }

  func files() throws(StoreFileFault) -> [FoundFile] {
    pass()
    return []
  }

  func read(_ path: String) throws(StoreFileFault) -> [UInt8]? {
    pass()
    return nil
  }

  func replace(_ path: String, with bytes: [UInt8]) throws(StoreFileFault) {
    pass()
    gate.writes.withLock { $0 += 1 }
  }

  func remove(_ path: String) throws(StoreFileFault) { throw .away(path: path) }

  func setAside(_ path: String) throws(StoreFileFault) -> String { path }
}

@Suite struct PatientFolderTests {
  @Test func call_thatIsAnswered_givesTheAnswerOrTheFault() throws {
    let gate = try GatedFolder.Gate()
    var folder = try PatientFolder(GatedFolder(gate: gate), at: "/shared")
    #expect(try folder.setAside("a.kv") == "a.kv")
    #expect(throws: StoreFileFault.away(path: "b.kv")) { try folder.remove("b.kv") }
    #expect(folder.answers("/"))
    #expect(folder.answers("/none-such"))
  }

  @Test func call_thatHangs_isGivenUpAndTheNextFailAtOnceUntilItIsDone() throws {
    let gate = try GatedFolder.Gate()
    var folder = try PatientFolder(GatedFolder(gate: gate), at: "/shared", milliseconds: 50)
    gate.isShut.withLock { $0 = true }
    #expect(throws: StoreFileFault.stuck(path: "/shared")) { try folder.replace("a", with: []) }
    #expect(throws: StoreFileFault.stuck(path: "/shared")) { try folder.setAside("a") }
    #expect(!folder.answers("/"))
    #expect(StoreFileFault.stuck(path: "/shared").description == "/shared does not answer")
    gate.isShut.withLock { $0 = false }
    gate.open.signal()
    while !folder.answers("/") {}
    #expect(try folder.setAside("a") == "a")
    #expect(gate.writes.withLock { $0 } == 1)
  }

  @Test func owner_ofACallThatHangs_doesNotWaitForIt() throws {
    let gate = try GatedFolder.Gate()
    gate.isShut.withLock { $0 = true }
    do {
      var folder = try PatientFolder(GatedFolder(gate: gate), at: "/shared", milliseconds: 10)
      #expect(throws: StoreFileFault.stuck(path: "/shared")) { try folder.files() }
    }
    gate.open.signal()
  }

  @Test func sits_whileTheSharedFolderHangs_areInTheTruth() throws {
    try withTemporaryFolder { root in
      let gate = try GatedFolder.Gate()
      let state = "\(root)/state"
      let thread = try StorageThread { () throws(StoreFileFault) in
        let disk = try FolderDisk.taking(state)
        let device = disk.device
        let folder = try PatientFolder(GatedFolder(gate: gate), at: "/shared", milliseconds: 50)
        return OpenedStore(
          keeper: Storekeeper(
            disk: disk, folder: folder, owner: Identity(high: 0, low: 1), device: device))
      }
      #expect(thread.send(.status(token: 1)))
      _ = try answers(thread) { if case .status(_, 1?) = $0 { true } else { false } }
      gate.isShut.withLock { $0 = true }
      for index in 0..<3 { #expect(thread.send(.add(sit(index)))) }
      #expect(thread.send(.look))
      #expect(thread.send(.status(token: 2)))
      let all = try answers(thread) { if case .status(_, 2?) = $0 { true } else { false } }
      #expect(try sits(inReplica: "\(state)/truth.kv") == 3)
      let states = all.compactMap { if case .status(let status, 2?) = $0 { status } else { nil } }
      #expect(states.map(\.folderProblem) == ["/shared does not answer"])
      #expect(thread.stop(timeoutMilliseconds: 10_000) == true)
      gate.open.signal()
    }
  }
}
