import Sessions
import Testing

/// Files in memory, with a fault at chosen calls.
struct FakeDisk: ReplicaDisk {
  struct Failure: Error, CustomStringConvertible { var description: String }

  var hasExchange = true
  var files: [String: [UInt8]] = [:]
  var calls = 0
  /// The numbers of the calls that fail, from 1, before they do anything.
  var failing: Set<Int> = []
  /// The file whose calls all fail.
  var broken: ReplicaFile?
  var replaced: [String] = []

  private mutating func call(_ file: ReplicaFile) throws(Failure) {
    calls += 1
    if failing.contains(calls) { throw Failure(description: "call \(calls) failed") }
    if file == broken { throw Failure(description: "\(file) is broken") }
  }

  mutating func read(_ file: ReplicaFile) throws(Failure) -> [UInt8]? {
    try call(file)
    return files["\(file)"]
  }

  mutating func replace(
    _ file: ReplicaFile, with bytes: [UInt8], keepingEarlier: Bool
  ) throws(Failure) {
    try call(file)
    if keepingEarlier, let old = files["\(file)"] { files["earlierTruth"] = old }
    files["\(file)"] = bytes
    replaced.append("\(file)")
  }

  mutating func setAside(_ file: ReplicaFile) throws(Failure) -> String {
    try call(file)
    files["\(file).damaged"] = files.removeValue(forKey: "\(file)")
    return "\(file).damaged"
  }
}

private func keeper(_ disk: FakeDisk) -> Storekeeper<FakeDisk> {
  Storekeeper(disk: disk, owner: owner, device: kitchen)
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
        .written(bytes: bytes.count, sits: 1), .exchanged(bytes: bytes.count),
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
      #expect(box.add(sit(0)) == [])
    }
    var again = keeper(box.disk)
    #expect(again.open() == [.opened(bytes: box.store.usage.bytes, sits: 1)])
    #expect(again.disk.replaced == [])
  }

  @Test func disk_failingAtAnyCall_losesNoSit() throws {
    for failing in 1...9 {
      var disk = FakeDisk()
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
      var disk = FakeDisk()
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
      var files = box.disk
      files.failing = []
      var after = keeper(files)
      _ = after.open()
      #expect(after.store.usage.sits >= acknowledged, "stopped after \(last) calls")
      #expect(after.store.sessions == Array([sit(0), sit(1)].prefix(after.store.usage.sits)))
    }
  }

  @Test func disk_thatCannotBeRead_isNeverWrittenAsEmpty() throws {
    var disk = FakeDisk()
    disk.files["truth"] = try store(sits: 2).encode()
    disk.broken = .truth
    var box = keeper(disk)
    #expect(box.open() == [.failed(reason: "truth is broken")])
    #expect(box.add(sit(2)) == [.failed(reason: "truth is broken")])
    #expect(box.disk.replaced == [])
    #expect(box.isBehind == true)
    box.disk.broken = nil
    let reports = box.retry()
    #expect(box.store.sessions == [sit(0), sit(1), sit(2)])
    #expect(reports.contains(.written(bytes: box.store.usage.bytes, sits: 3)))
  }

  @Test func sharedFolder_thatIsAway_neverStopsTheTruth() throws {
    var disk = FakeDisk()
    disk.broken = .exchange
    var box = keeper(disk)
    _ = box.open()
    let bytes = try store(sits: 1).encode()
    #expect(
      box.add(sit(0)) == [
        .exchangeFailed(reason: "exchange is broken"), .written(bytes: bytes.count, sits: 1),
      ])
    #expect(box.isBehind == true)
    box.disk.broken = nil
    #expect(box.retry() == [.exchanged(bytes: bytes.count)])
    #expect(box.isBehind == false)
    box.disk.hasExchange = false
    #expect(box.add(sit(1)).count == 1)
  }

  @Test func truth_damagedAnywhere_isSetAsideAndSalvaged() throws {
    let earlier = try store(sits: 2).encode()
    let good = try store(sits: 3).encode()
    for place in stride(from: 0, to: good.count, by: 7) {
      var disk = FakeDisk()
      disk.hasExchange = false
      disk.files["earlierTruth"] = earlier
      var damaged = good
      damaged[place] ^= 0x20
      disk.files["truth"] = damaged
      var box = keeper(disk)
      let reports = box.open()
      guard case .salvaged(.truth, let lines, "truth.damaged") = reports[0] else {
        Issue.record("no salvage at \(place): \(reports)")
        continue
      }
      #expect(!lines.isEmpty)
      #expect(box.store.usage.sits >= 2)
      #expect(box.disk.files["truth.damaged"] == damaged)
      #expect(box.disk.files["earlierTruth"] == earlier)
      _ = box.add(sit(3))
      #expect(try SessionStore(parsing: box.disk.files["truth"] ?? []).damage == [])
    }
  }

  @Test(arguments: [0, 1, 100])
  func truth_cutOff_comesBackFromTheEarlierGeneration(_ length: Int) throws {
    var disk = FakeDisk()
    disk.files["earlierTruth"] = try store(sits: 2).encode()
    disk.files["truth"] = Array(try store(sits: 3).encode()[..<length])
    var box = keeper(disk)
    _ = box.open()
    #expect(box.store.sessions == [sit(0), sit(1)])
  }

  @Test func damagedTruth_thatCannotBeSetAside_isNotRotated() throws {
    var disk = FakeDisk()
    disk.hasExchange = false
    disk.files["truth"] = [0, 0, 0]
    disk.files["earlierTruth"] = try store(sits: 1).encode()
    disk.failing = [3]
    var box = keeper(disk)
    #expect(box.open().first == .failed(reason: "call 3 failed"))
    let earlier = try store(sits: 1).encode()
    #expect(box.disk.files["earlierTruth"] == earlier)
    #expect(try SessionStore(parsing: box.disk.files["truth"] ?? []).usage.sits == 1)
  }

  @Test func stateFolder_lost_comesBackFromOurOwnExchangeCopy() throws {
    var disk = FakeDisk()
    disk.files["exchange"] = try store(sits: 3).encode()
    var box = keeper(disk)
    _ = box.open()
    #expect(box.store.usage.sits == 3)
    #expect(box.disk.files["truth"] == box.disk.files["exchange"])
  }

  @Test func exchangeCopy_emptiedOrRolledBack_isRestoredFromTheTruth() throws {
    for copy in [[], try store(sits: 1).encode()] {
      var disk = FakeDisk()
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
    var disk = FakeDisk()
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
