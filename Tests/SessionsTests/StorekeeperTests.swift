import Sessions
import Testing

/// Files in memory with a fault at chosen calls, whichever of the two folders they are in.
///
/// It is shared by the disk and the folder of one storekeeper, which tests use on one thread.
final class FakeFiles: @unchecked Sendable {
  var files: [String: [UInt8]] = [:]
  var calls = 0
  /// The numbers of the calls that fail, from 1, before they do anything.
  var failing: Set<Int> = []
  /// The file whose calls all fail.
  var broken: String?
  var replaced: [String] = []

  func call(_ file: String) throws(FakeFailure) {
    calls += 1
    if failing.contains(calls) { throw FakeFailure(description: "call \(calls) failed") }
    if file == broken { throw FakeFailure(description: "\(file) is broken") }
  }

  func setAside(_ file: String) throws(FakeFailure) -> String {
    try call(file)
    files["\(file).damaged"] = files[file]
    return "\(file).damaged"
  }
}

struct FakeFailure: Error, CustomStringConvertible { var description: String }

@dynamicMemberLookup
struct FakeDisk: ReplicaDisk {
  var all = FakeFiles()

  subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<FakeFiles, Value>) -> Value {
    get { all[keyPath: path] }
    nonmutating set { all[keyPath: path] = newValue }
  }

  private func name(_ file: ReplicaFile) -> String {
    switch file {
    case .truth(.main): "truth"
    case .truth(let volume): volume.truthPath
    case .earlierTruth: "earlierTruth"
    case .choices: "choices"
    case .called: "called"
    case .deletedLast: "deletedLast"
    }
  }

  func volumes() throws(FakeFailure) -> [Volume] {
    all.files.keys.compactMap { $0 == "truth" ? .main : Volume(truthPath: $0) }.sorted()
  }

  func read(_ file: ReplicaFile) throws(FakeFailure) -> [UInt8]? {
    try all.call(name(file))
    return all.files[name(file)]
  }

  func replace(
    _ file: ReplicaFile, with bytes: [UInt8], keepingEarlier: Bool
  ) throws(FakeFailure) {
    try all.call(name(file))
    if keepingEarlier, let old = all.files[name(file)] { all.files["earlierTruth"] = old }
    all.files[name(file)] = bytes
    all.replaced.append(name(file))
  }

  func remove(_ file: ReplicaFile) throws(FakeFailure) {
    try all.call(name(file))
    all.files[name(file)] = nil
  }

  func setAside(_ file: ReplicaFile) throws(FakeFailure) -> String { try all.setAside(name(file)) }
}

/// The shared folder beside a fake disk; our own copy's main volume is its file `exchange`.
struct FakeFolder: ExchangeFolder {
  let all: FakeFiles
  private let own = Volume.main.exchangePath(of: kitchen)

  init(_ all: FakeFiles) { self.all = all }

  private func name(_ path: String) -> String { path == own ? "exchange" : path }

  func files() throws(FakeFailure) -> [FoundFile] {
    let own = all.files["exchange"] == nil ? [] : [own]
    return own.map { FoundFile(path: $0, bytes: 0, modifiedNanoseconds: 0, serial: 0) }
  }

  func read(_ path: String) throws(FakeFailure) -> [UInt8]? {
    try all.call(name(path))
    return all.files[name(path)]
  }

  func replace(_ path: String, with bytes: [UInt8]) throws(FakeFailure) {
    try all.call(name(path))
    all.files[name(path)] = bytes
    all.replaced.append(name(path))
  }

  func remove(_ path: String) throws(FakeFailure) {
    try all.call(name(path))
    all.files[name(path)] = nil
  }

  func setAside(_ path: String) throws(FakeFailure) -> String { try all.setAside(name(path)) }
}

func keeper(
  _ disk: FakeDisk, shared: Bool = true
) -> Storekeeper<FakeDisk, FakeFolder> {
  let folder = shared ? FakeFolder(disk.all) : nil
  return Storekeeper(disk: disk, folder: folder, owner: owner, device: kitchen)
}

@Suite struct StorekeeperTests {
  @Test func missingFiles_opened_areANewStoreOnBothPlaces() throws {
    var box = keeper(FakeDisk())
    let empty = SessionStore(owner: owner, device: kitchen).encode()
    #expect(
      box.open() == [
        .opened(bytes: empty.count, sits: 0), .written(bytes: empty.count, sits: 0),
        .exchanged(bytes: empty.count),
      ])
    #expect(box.disk.files == ["truth": empty, "exchange": empty])
    #expect(box.isBehind == false)
  }

  @Test func sit_added_isWrittenTruthFirst() throws {
    var box = keeper(FakeDisk())
    _ = box.open()
    box.disk.replaced = []
    let bytes = try store(sits: 1).encode()
    #expect(
      box.add(sit(0)) == [
        .written(bytes: bytes.count, sits: 1), .kept(sit(0).id),
        .exchanged(bytes: bytes.count),
      ])
    #expect(box.disk.replaced == ["truth", "exchange"])
    #expect(box.disk.files["truth"] == bytes && box.disk.files["exchange"] == bytes)
    #expect(box.disk.files["earlierTruth"] == SessionStore(owner: owner, device: kitchen).encode())
  }

  @Test func nothingNew_savedOrOpened_writesNothing() throws {
    var box = keeper(FakeDisk())
    _ = box.open()
    _ = box.add(sit(0))
    box.disk.replaced = []
    for _ in 0..<100 {
      #expect(box.retry() == [])
      #expect(box.add(sit(0)) == [.kept(sit(0).id)])
    }
    var again = keeper(box.disk)
    #expect(again.open() == [.opened(bytes: box.store.usage.bytes, sits: 1)])
    #expect(again.disk.replaced == [])
  }

  @Test func disk_failingAtAnyCall_losesNoSit() throws {
    for failing in 1...9 {
      let disk = FakeDisk()
      disk.failing = [failing]
      var box = keeper(disk)
      var reports = box.open()
      reports += box.add(sit(0))
      reports += box.add(sit(1))
      reports += box.retry()
      #expect(box.store.sessions == [sit(0), sit(1)], "call \(failing) failed")
      #expect(try SessionStore(parsing: box.disk.files["truth"] ?? []).sessions.count == 2)
      #expect(box.disk.files["exchange"] == box.disk.files["truth"])
      #expect(box.isBehind == false)
      let failures = reports.filter {
        $0 == .failed(reason: "call \(failing) failed")
          || $0 == .exchangeFailed(reason: "call \(failing) failed")
      }
      #expect(failures.count == (failing <= box.disk.calls ? 1 : 0), "call \(failing)")
    }
  }

  @Test func disk_stoppedAtAnyCall_readsBackAsBeforeOrAfter() throws {
    for last in 0...12 {
      let disk = FakeDisk()
      disk.failing = Set(last + 1..<100)
      var box = keeper(disk)
      _ = box.open()
      var acknowledged = 0
      for index in 0..<2 {
        let reports = box.add(sit(index))
        if reports.contains(where: { if case .written = $0 { true } else { false } }) {
          acknowledged = index + 1
        }
      }
      let files = box.disk
      files.failing = []
      var after = keeper(files)
      _ = after.open()
      #expect(after.store.usage.sits >= acknowledged, "stopped after \(last) calls")
      #expect(after.store.sessions == Array([sit(0), sit(1)].prefix(after.store.usage.sits)))
    }
  }

  @Test func sharedFolder_thatIsAway_neverStopsTheTruth() throws {
    let disk = FakeDisk()
    disk.broken = "exchange"
    var box = keeper(disk)
    _ = box.open()
    let bytes = try store(sits: 1).encode()
    #expect(
      box.add(sit(0)) == [
        .written(bytes: bytes.count, sits: 1), .kept(sit(0).id),
        .exchangeFailed(reason: "exchange is broken"),
      ])
    #expect(box.isBehind == true)
    box.disk.broken = nil
    #expect(box.retry() == [.exchanged(bytes: bytes.count)])
    #expect(box.isBehind == false)
    box.share(in: nil)
    let more = try store(sits: 2).encode().count
    #expect(box.add(sit(1)) == [.written(bytes: more, sits: 2), .kept(sit(1).id)])
  }

  @Test func stateFolder_lost_comesBackFromOurOwnExchangeCopy() throws {
    let disk = FakeDisk()
    disk.files["exchange"] = try store(sits: 3).encode()
    var box = keeper(disk)
    _ = box.open()
    #expect(box.store.usage.sits == 3)
    #expect(box.disk.files["truth"] == box.disk.files["exchange"])
  }

  @Test func exchangeCopy_emptiedOrRolledBack_isRestoredFromTheTruth() throws {
    for copy in [[], try store(sits: 1).encode()] {
      let disk = FakeDisk()
      disk.files["truth"] = try store(sits: 3).encode()
      disk.files["exchange"] = copy
      var box = keeper(disk)
      _ = box.open()
      #expect(box.store.usage.sits == 3)
      #expect(box.disk.files["exchange"] == box.disk.files["truth"])
      #expect(box.disk.replaced == ["exchange"])
    }
  }

  @Test func newerFormat_opened_isNotRewrittenUntilSomethingChanges() throws {
    // A newer version may put its lines in an order of its own.
    let newer = replica([
      line(#"h {"d":"AAAAAAAAQAOAAAAAAAAABA","f":2,"o":"AAAAAAAAQAGAAAAAAAAAAg"}"#),
      line("q unknown"), line(#"s {"b":1000,"i":"AAAAAAAAQAEAAAAAAAAABQ"}"#),
    ])
    let disk = FakeDisk()
    disk.files["truth"] = newer
    disk.files["exchange"] = newer
    var box = keeper(disk)
    _ = box.open()
    #expect(box.disk.replaced == [])
    _ = box.add(sit(0))
    #expect(lines(box.disk.files["truth"] ?? []).contains(line("q unknown")))
    #expect(box.disk.files["earlierTruth"] == newer)
  }

  @Test func refusedWrites_changeNothingAndSayWhy() throws {
    var box = keeper(FakeDisk())
    _ = box.open()
    box.disk.replaced = []
    let long = String(repeating: "k", count: 65)
    #expect(
      box.set(long, to: .null, at: now) == [
        .refused(
          reason: "quotaViolation: the key has 65 bytes of UTF-8, 64 are allowed")
      ])
    #expect(box.set("k", to: nil, at: now) == [.refused(reason: "there is no key \"k\"")])
    #expect(box.disk.replaced == [])
    #expect(box.set("k", to: .null, at: now).count == 2)
    #expect(box.set("k", to: nil, at: now).count == 2)
  }
}
