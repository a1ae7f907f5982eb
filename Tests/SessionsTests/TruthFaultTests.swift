import Testing

@testable import Sessions

/// A truth of which something is missing, damaged or out of reach.
@Suite struct TruthFaultTests {
  private func salvages(_ reports: [StoreReport]) -> [[DamagedLine.Reason]] {
    reports.compactMap {
      if case .salvaged(_, let lines, _) = $0 { lines.map(\.reason) } else { nil }
    }
  }

  /// A box without shared copies that has an archive volume.
  private func archived() throws -> WorldBox {
    let box = WorldBox(3)
    box.keeper.share(in: nil)
    _ = box.keeper.open()
    let long = String(repeating: "x", count: StoreCaps.fileBytes - StoreCaps.bytesForSits - 1_000)
    _ = box.keeper.set("k", to: .string(long), at: now)
    let note = String(repeating: "n", count: 10_000)
    for index in 0..<9 { _ = box.keeper.add(sit(index * 62, note: note)) }
    return box
  }

  @Test(arguments: [SessionStore.currentFormat, 7])
  func mainVolume_missing_isSaidAndWrittenAgain(_ format: Int64) throws {
    let box = WorldBox(3)
    _ = box.keeper.open()
    box.keeper.store.format = format
    _ = box.keeper.add(sit(0))
    _ = box.keeper.add(sit(1))
    let again = WorldBox(3)
    again.state.files = box.state.files
    again.state.files[.truth(.main)] = nil
    #expect(salvages(again.restart()) == [[.missing]])
    #expect(again.store.sessions == [sit(0)])
    #expect(again.state.files[.truth(.main)] == again.store.encode())
    #expect(salvages(again.restart()) == [])
  }

  @Test func furtherVolumes_alone_areSaidAndStay() throws {
    let box = try archived()
    let again = WorldBox(3)
    again.state.files = box.state.files
    again.state.files[.truth(.main)] = nil
    again.state.files[.earlierTruth] = nil
    #expect(salvages(again.restart()) == [[.missing]])
    #expect(again.store.usage.sits > 0)
    #expect(again.state.files[.truth(.main)] != nil)
  }

  @Test func archive_missing_isSaidAtEachStartUntilSomethingIsWritten() throws {
    let box = try archived()
    let volume = ReplicaFile.truth(.archive(year: 2026, part: 1))
    let main = box.state.files[.truth(.main)]
    let again = WorldBox(3)
    again.state.files = box.state.files
    let archive = again.state.files.removeValue(forKey: volume)
    for _ in 0..<2 {
      #expect(salvages(again.restart()).count == 1)
      #expect(again.state.files[.truth(.main)] == main)
    }
    // What comes back is whole.
    again.shared.files = [:]
    again.state.files[volume] = archive
    #expect(salvages(again.restart()) == [] && again.store.sessions == box.store.sessions)
  }

  @Test func unreadTruth_takesSitsAndRefusesKeys() throws {
    let disk = FakeDisk()
    var kept = try store(sits: 1)
    try kept.set("k", to: .integer(1), at: now)
    disk.files["truth"] = kept.encode()
    disk.broken = "truth"
    var box = Storekeeper(disk: disk, folder: FakeFolder?.none, owner: owner, device: kitchen)
    _ = box.open()
    let reports = box.set("k", to: .integer(2), at: at(0))
    #expect(
      reports == [
        .failed(reason: "truth is broken"),
        .refused(reason: "what is kept here cannot be read now"),
      ])
    #expect(box.add(sit(1)) == [.failed(reason: "truth is broken")])
    disk.broken = nil
    _ = box.set("k", to: .integer(2), at: at(0))
    #expect(box.store.value(forKey: "k") == .integer(2) && box.store.usage.sits == 2)
  }

  @Test func carriedVolume_thatIsRefusedAgainAndAgain_isOneVolume() throws {
    let box = try archived()
    box.state.callsLeft = 0
    // It leaves the archive of its year, where others stay.
    _ = box.keeper.edit(sit(0).id, at: now) {
      $0.startDate.milliseconds += 400 * 86_400_000
      $0.endDate = $0.startDate
    }
    for _ in 0..<10 { _ = box.keeper.retry() }
    let carried = box.keeper.truth.volumes.keys.filter {
      if case .overflow = $0 { true } else { false }
    }
    #expect(carried == [.overflow(2)])
    // One call done at each turn: what was carried once is not carried again.
    for _ in 0..<10 {
      box.state.callsLeft = 1
      _ = box.keeper.retry()
      box.state.callsLeft = 0
    }
    #expect(!box.keeper.isBehind && box.state.files[.truth(.overflow(2))] == nil)
  }

  @Test func damagedMain_thatCannotBeSetAside_staysAndSitsAreKeptBesideIt() throws {
    for length in [0, 40, 200] {
      let box = WorldBox(3)
      box.keeper.share(in: nil)
      _ = box.keeper.open()
      for index in 0..<3 { _ = box.keeper.add(sit(index)) }
      let damaged = Array(box.state.files[.truth(.main)]?.prefix(length) ?? [])
      let again = WorldBox(3)
      again.state.files = box.state.files
      again.state.files[.truth(.main)] = damaged
      again.state.cannotSetAside = true
      again.restart()
      again.keeper.share(in: nil)
      let reports = again.keeper.add(sit(5))
      guard case .failed? = reports.last else {
        Issue.record("nothing was said: \(reports)")
        continue
      }
      #expect(again.state.files[.truth(.main)] == damaged && again.keeper.isBehind)
      #expect(again.keeper.isTruthBehind == false)
      // Nothing is written for what is written already.
      again.forgetCalls()
      _ = again.keeper.retry()
      #expect(!again.hasWritten)
      let sits = again.store.sessions
      #expect(sits.count >= 3)
      // A power cut now loses nothing, and the next start may have more luck.
      again.shared.files = [:]
      again.restart()
      #expect(again.store.sessions == sits && again.state.files[.truth(.main)] == damaged)
      again.state.cannotSetAside = false
      _ = again.keeper.retry()
      #expect(again.state.aside[.truth(.main)] == damaged)
      #expect(again.state.files[.truth(.main)] == again.store.encode())
      let volumes = again.state.files.keys.filter { if case .truth = $0 { true } else { false } }
      #expect(volumes == [.truth(.main)])
      #expect(again.keeper.isBehind == false)
    }
  }

  @Test func damagedVolume_thatIsNotWanted_isSetAsideAndRemoved() {
    let box = WorldBox(3)
    _ = box.keeper.open()
    _ = box.keeper.add(sit(0))
    box.state.files[.truth(.overflow(3))] = [1, 2, 3]
    #expect(salvages(box.restart()).count == 1)
    #expect(box.state.files[.truth(.overflow(3))] == nil)
    #expect(box.state.aside[.truth(.overflow(3))] == [1, 2, 3])
    #expect(salvages(box.restart()) == [])
  }

  /// A peer of a format far ahead makes ours that format; what our own power cut left is tidied.
  @Test func leftOverVolumes_inANewerFormat_areTidied() throws {
    let box = WorldBox(3)
    _ = box.keeper.open()
    box.keeper.store.format = .max
    _ = box.keeper.add(sit(0))
    var left = SessionStore(owner: owner, device: box.device)
    try left.add(sit(1))
    let header = ReplicaHeader(of: left, .overflow(2)).line
    let lines = left.orderedSits.map(\.line)
    box.state.files[.truth(.overflow(2))] = ReplicaFileWriter.bytes(header, [lines])
    box.restart()
    #expect(box.store.sessions == [sit(0), sit(1)])
    #expect(box.state.files[.truth(.overflow(2))] == nil)
    #expect(try SessionStore(parsing: box.state.files[.truth(.main)] ?? []).usage.sits == 2)
  }

  @Test func folder_changed_isReadAnew() {
    let box = WorldBox(3)
    _ = box.keeper.open()
    _ = box.keeper.add(sit(0))
    let other = SharedFiles()
    box.keeper.share(in: WorldFolder(all: other))
    _ = box.keeper.retry()
    #expect(other[box.path] == box.store.encode())
  }
}
