import Testing

@testable import Sessions

private func changes(_ reports: [StoreReport]) -> [ChangeReason: [String]] {
  var changes: [ChangeReason: [String]] = [:]
  for case .changed(let keys, let reason) in reports { changes[reason] = keys }
  return changes
}

private func restored(_ reports: [StoreReport]) -> [String] {
  reports.compactMap { if case .restored(let path) = $0 { path } else { nil } }
}

@Suite struct PeerTests {
  private let shared = SharedFiles()

  private func pair() -> (WorldBox, WorldBox) {
    let boxes = (WorldBox(1, shared: shared), WorldBox(2, shared: shared))
    _ = boxes.0.keeper.open()
    _ = boxes.1.keeper.open()
    return boxes
  }

  @Test func peer_withASit_isMergedAndAnnouncedFirstAsInitialSync() throws {
    let (left, right) = pair()
    _ = left.keeper.add(sit(0))
    var reports = right.keeper.look()
    #expect(changes(reports) == [.initialSync: ["sits.2026-11"]])
    #expect(right.store.sessions == [sit(0)])
    _ = left.keeper.set("bell", to: .string("bowl"), at: now)
    reports = right.keeper.look()
    #expect(changes(reports) == [.peerChange: ["bell"]])
    // Our own writes are announced to nobody, also when the other brings them back.
    #expect(changes(left.keeper.look()) == [:])
    // It is once in a device's life, whatever its process does.
    #expect(changes(right.restart()) == [:])
    _ = left.keeper.add(sit(9))
    #expect(changes(right.keeper.look()) == [.peerChange: ["sits.2026-12"]])
  }

  @Test func sit_deletedElsewhereWhileItWaits_isDoneWithAndStaysDeleted() {
    let (left, right) = pair()
    _ = left.keeper.add(sit(0))
    _ = right.keeper.look()
    _ = right.keeper.delete(sit(0).id, at: now)
    _ = left.keeper.look()
    #expect(left.keeper.edit(sit(0).id, at: now) { $0.rating = 3 } == [])
    #expect(left.keeper.add(sit(0)) == [.kept(sit(0).id)])
    #expect(left.store.sessions == [])
  }

  @Test func report17_idleBoxes_lookAHundredTimesAndWriteNothing() {
    let (left, right) = pair()
    _ = left.keeper.add(sit(0))
    _ = right.keeper.add(sit(1))
    for _ in 0..<3 { _ = left.keeper.look() + right.keeper.look() }
    left.forgetCalls()
    right.forgetCalls()
    for _ in 0..<100 {
      #expect(left.keeper.look() == [])
      #expect(right.keeper.look() == [])
    }
    #expect(!left.hasWritten && !right.hasWritten && shared.reads == [])
    #expect(left.content == right.content)
  }

  @Test func report17_conflictCopies_ofOurOwnAreMergedAndRemoved_othersLeft() throws {
    let (left, right) = pair()
    _ = left.keeper.add(sit(0))
    _ = right.keeper.look()
    var stray = SessionStore(owner: owner, device: left.device)
    try stray.add(sit(5))
    let mark = ".sync-conflict-20260101-120000-ABCDEFG.kv"
    let own = left.path.dropLast(3) + mark
    let others = right.path.dropLast(3) + mark
    shared[String(own)] = stray.encode()
    shared[String(others)] = right.store.encode()
    shared["backup of " + left.path] = stray.encode()
    let reports = left.keeper.look()
    #expect(reports.contains(.conflictRemoved(path: String(own))))
    #expect(left.store.sessions == [sit(0), sit(5)])
    #expect(shared[String(own)] == nil && shared[String(others)] != nil)
    #expect(shared["backup of " + left.path] != nil)
    left.restart()
    #expect(left.store.sessions == [sit(0), sit(5)])
  }

  @Test func ownConflictCopy_isNotRemovedBeforeTheTruthHasIt() throws {
    let (left, _) = pair()
    var stray = SessionStore(owner: owner, device: left.device)
    try stray.add(sit(5))
    let path = left.path.dropLast(3) + ".sync-conflict-20260101-120000-ABCDEFG.kv"
    shared[String(path)] = stray.encode()
    left.state.callsLeft = 0
    _ = left.keeper.look()
    #expect(shared[String(path)] != nil)
    left.restart()
    #expect(left.store.sessions == [sit(5)] && shared[String(path)] == nil)
  }

  @Test func report13_ownCopy_emptiedRolledBackOrLost_isRestoredOnce() throws {
    let (left, right) = pair()
    _ = left.keeper.add(sit(0))
    let old = shared[left.path]
    _ = left.keeper.add(sit(1))
    for copy in [[], old, nil, Array(shared[left.path]?.dropLast(9) ?? [])] {
      shared[left.path] = copy
      #expect(restored(left.keeper.look()) == [left.path])
      let whole = left.store.encode()
      #expect(shared[left.path] == whole)
      left.forgetCalls()
      #expect(left.keeper.look() == [] && !left.hasWritten)
    }
    _ = right.keeper.look()
    #expect(right.store.sessions == [sit(0), sit(1)])
  }

  @Test func stateFolder_rolledBack_isBroughtForwardByOurOwnCopy() {
    let (left, _) = pair()
    _ = left.keeper.add(sit(0))
    let old = left.state.files
    _ = left.keeper.add(sit(1))
    left.state.files = old
    left.restart()
    #expect(left.store.sessions == [sit(0), sit(1)])
    #expect(left.state.files[.truth(.main)] == shared[left.path])
  }

  @Test func foreignFiles_ofAllKinds_areListedAndStopNothing() throws {
    let (left, right) = pair()
    _ = right.keeper.add(sit(0))
    shared["empty.kv"] = []
    shared["noise.kv"] = [0, 1, 2]
    shared["fifo.kv"] = []
    shared.files["fifo.kv"]?.refusal = "fifo.kv is a fifo"
    shared["locked.kv"] = [1]
    shared.unreadable = "locked.kv"
    shared["notes.txt"] = [1]
    var damaged = try store(sits: 3).encode()
    damaged[damaged.count / 2] ^= 1
    shared["damaged.kv"] = damaged
    let foreign = SessionStore(owner: study, device: study)
    var theirs = foreign
    try theirs.add(sit(9))
    shared["z.kv"] = theirs.encode()
    _ = left.keeper.add(sit(7))
    _ = left.keeper.look()
    let problems = left.keeper.peers.map { "\($0.path): \($0.problem ?? "-")" }
    #expect(
      problems == [
        "\(right.path): -",
        "damaged.kv: damaged (line 3: its checksum does not fit); all other lines are merged",
        "empty.kv: it is empty", "fifo.kv: fifo.kv is a fifo",
        "locked.kv: locked.kv cannot be read",
        "noise.kv: this is no replica: its first line does not say whose it is",
        "z.kv: it belongs to another owner, \(study)",
      ])
    #expect(left.keeper.peers.filter(\.isUnreadable).map(\.path) == ["locked.kv"])
    #expect(left.keeper.peers.filter(\.isForeign).map(\.path) == ["z.kv"])
    #expect(left.store.sessions.contains(sit(0)) && left.store.sessions.contains(sit(2)))
    #expect(!left.store.sessions.contains(sit(9)))
    // What could be read once is not read again; what could not is tried. Our own copy is read
    // back once after it was written.
    _ = left.keeper.look()
    shared.forgetCalls()
    shared.unreadable = nil
    _ = left.keeper.look()
    #expect(shared.reads == ["locked.kv"])
  }

  @Test func peerWithAnArchive_isOneCopy_andWhatIsMissingIsSaid() throws {
    let (left, right) = pair()
    let files = try realStore(9_200, device: right.device).files()
    for file in files { shared[file.volume.exchangePath(of: right.device)] = file.bytes }
    let archive = files[1].volume.exchangePath(of: right.device)
    let bytes = shared[archive]
    shared[archive] = nil
    _ = left.keeper.look()
    #expect(left.keeper.peers.count == 1)
    #expect(left.keeper.peers[0].problem?.hasPrefix("archive incomplete: ") == true)
    shared[archive] = bytes
    _ = left.keeper.look()
    #expect(left.keeper.peers.map(\.problem) == [nil])
    #expect(left.keeper.peers.map(\.sits) == [9_200])
    #expect(left.store.usage.sits == 9_200)
    // Ours is written as theirs is.
    let own = files.map { shared[$0.volume.exchangePath(of: left.device)] }
    #expect(own.allSatisfy { $0 != nil })
  }

  @Test func folderAway_isSaidAndComesBack() {
    let (left, right) = pair()
    shared.isAway = true
    _ = right.keeper.add(sit(0))
    #expect(left.keeper.look() == [.exchangeFailed(reason: "the folder is away")])
    shared.isAway = false
    _ = right.keeper.retry()
    _ = left.keeper.look()
    #expect(left.store.sessions == [sit(0)])
  }

  @Test func stick_isMergedBothWaysAndReadBack() {
    let (left, _) = pair()
    let other = WorldBox(3)
    _ = other.keeper.open()
    _ = other.keeper.add(sit(3))
    _ = left.keeper.add(sit(0))
    let stick = SharedFiles()
    var folder = WorldFolder(all: stick)
    _ = left.keeper.sync(with: &folder)
    _ = other.keeper.sync(with: &folder)
    _ = left.keeper.sync(with: &folder)
    #expect(left.content == other.content && left.store.usage.sits == 2)
    stick.forgetCalls()
    _ = left.keeper.sync(with: &folder)
    #expect(stick.writes == [])
    #expect(shared[left.path] == left.store.encode())
  }

  @Test func mergeOverTheCap_isAnnouncedAsQuotaViolation() throws {
    let (left, right) = pair()
    let long = JSONValue.string(String(repeating: "x", count: 600_000))
    _ = left.keeper.set("left", to: long, at: now)
    _ = right.keeper.set("right", to: long, at: now)
    #expect(changes(left.keeper.look()) == [.quotaViolation: ["right"]])
    #expect(left.store.value(forKey: "right") == long)
    left.restart()
    #expect(left.store.keys == ["left", "right"])
  }
}

@Suite struct OwnerTests {
  private func number(_ low: UInt64) -> Identity { Identity(randomHigh: low, low: low) }

  @Test func freshBoxes_ofAnyOrder_becomeOneOwners() {
    for order in 0..<6 {
      let shared = SharedFiles()
      let boxes = (1...3).map { WorldBox(UInt64($0), owner: number(UInt64($0)), shared: shared) }
      let places = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]][order]
      for place in places { _ = boxes[place].keeper.open() }
      for _ in 0..<2 { for place in places { _ = boxes[place].keeper.look() } }
      #expect(boxes.allSatisfy { $0.store.owner == number(1) })
      _ = boxes[2].keeper.add(sit(0))
      for box in boxes { _ = box.keeper.look() }
      #expect(boxes.allSatisfy { $0.store.sessions == [sit(0)] })
    }
  }

  @Test func boxWithoutSits_becomesTheOwnerWithMost_andKeepsItsKeys() throws {
    let shared = SharedFiles()
    for (low, count) in [(7, 1), (8, 3), (9, 3)] {
      var store = SessionStore(owner: number(UInt64(low)), device: number(UInt64(low)))
      for index in 0..<count { try store.add(sit(index + 10 * low)) }
      shared[Volume.main.exchangePath(of: store.device)] = store.encode()
    }
    let box = WorldBox(1, owner: number(1))
    _ = box.keeper.open()
    _ = box.keeper.set("bell", to: .string("bowl"), at: now)
    box.keeper.share(in: WorldFolder(all: shared))
    let reports = box.keeper.look()
    #expect(box.store.owner == number(8) && box.store.usage.sits == 3)
    #expect(box.store.value(forKey: "bell") == .string("bowl"))
    #expect(
      reports.contains {
        if case .changed(_, .identityChange) = $0 { true } else { false }
      })
    #expect(box.keeper.peers.filter { $0.problem != nil }.count == 2)
  }

  @Test func boxWithSits_listsAnotherOwnerUntilItAdopts() {
    let shared = SharedFiles()
    let left = WorldBox(1, owner: number(1), shared: SharedFiles())
    let right = WorldBox(2, owner: number(2), shared: shared)
    _ = left.keeper.open()
    _ = left.keeper.add(sit(0))
    _ = right.keeper.open()
    _ = right.keeper.add(sit(1))
    let moved = WorldBox(1, owner: number(1), shared: shared)
    moved.state.files = left.state.files
    moved.restart()
    #expect(moved.store.sessions == [sit(0)])
    #expect(moved.keeper.peers.map(\.problem) == ["it belongs to another owner, \(number(2))"])
    _ = moved.keeper.adopt()
    #expect(moved.store.owner == number(2) && moved.store.usage.sits == 2)
    _ = right.keeper.look()
    #expect(right.content == moved.content)
    moved.restart()
    #expect(moved.store.owner == number(2) && moved.store.usage.sits == 2)
    // Nothing is left to adopt.
    moved.forgetCalls()
    #expect(moved.keeper.adopt() == [] && !moved.hasWritten)
  }

  @Test func truthLost_withNewSitsSince_joinsTheOwnerOfOurOwnCopy() {
    let shared = SharedFiles()
    let box = WorldBox(1, owner: number(5), shared: shared)
    _ = box.keeper.open()
    for index in 0..<3 { _ = box.keeper.add(sit(index)) }
    shared.isAway = true
    let again = WorldBox(1, owner: number(1), shared: shared)
    _ = again.keeper.open()
    _ = again.keeper.add(sit(9))
    shared.isAway = false
    _ = again.keeper.retry()
    #expect(again.store.owner == number(5) && again.store.usage.sits == 4)
    #expect(shared[again.path] == again.store.encode())
  }

  @Test func truth_whoseFirstLineIsDamaged_staysItsOwners() {
    let shared = SharedFiles()
    let box = WorldBox(1, owner: number(5), shared: shared)
    _ = box.keeper.open()
    _ = box.keeper.add(sit(0))
    _ = box.keeper.add(sit(1))
    box.state.files[.truth(.main)]?[3] ^= 1
    box.keeper.share(in: nil)
    let again = WorldBox(1, owner: number(9), shared: SharedFiles())
    again.state.files = box.state.files
    again.restart()
    #expect(again.store.owner == number(5) && again.store.usage.sits == 2)
  }
}
