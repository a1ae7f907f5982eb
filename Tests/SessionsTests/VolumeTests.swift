import Testing

@testable import Sessions

@Suite struct VolumeTests {
  /// A store at the edge of the cap, whose next sit sends its oldest month to the archive.
  private func almostFull() throws -> SessionStore {
    var store = SessionStore(owner: owner, device: kitchen)
    let long = String(repeating: "x", count: StoreCaps.fileBytes - StoreCaps.bytesForSits - 1_000)
    try store.set("k", to: .string(long), at: now)
    let note = String(repeating: "n", count: 10_000)
    for index in 0..<6 { try store.add(sit(index * 62, note: note)) }
    return store
  }

  /// Adding, deleting, editing and a freed key move lines between files in all directions.
  @Test func power_goneAtAnyCallOfAMove_losesNothing() throws {
    for isDone in [false, true] {
      for last in 0..<24 {
        let box = WorldBox(3)
        _ = box.keeper.open()
        box.keeper.store.merge(try almostFull())
        _ = box.keeper.retry()
        box.state.callsLeft = last
        box.state.lastIsDone = isDone
        var kept: Set<Identity> = Set(box.store.sessions.map(\.id))
        let note = String(repeating: "m", count: 10_000)
        for index in 6..<9 {
          let session = sit(index * 62, note: note)
          _ = box.keeper.add(session)
          if !box.keeper.isTruthBehind { kept.insert(session.id) }
        }
        let moved = sit(0)
        _ = box.keeper.edit(moved.id, at: now) {
          $0.startDate.milliseconds += 40 * 86_400_000
          $0.endDate = $0.startDate
        }
        kept.remove(sit(62).id)
        _ = box.keeper.delete(sit(62).id, at: now)
        let isDeleted = !box.keeper.isTruthBehind
        _ = box.keeper.set("k", to: nil, at: now)
        let all = box.content
        let isAll = !box.keeper.isTruthBehind
        // Without the shared folder: the truth alone has to do.
        let again = WorldBox(3)
        again.state.files = box.state.files
        let told = again.restart()
        let isDamaged = told.contains { if case .salvaged = $0 { true } else { false } }
        #expect(!isDamaged, "power gone after \(last) calls: \(told)")
        let ids = Set(again.store.sessions.map(\.id))
        #expect(kept.subtracting(ids) == [], "power gone after \(last) calls")
        #expect(!isDeleted || !ids.contains(sit(62).id))
        #expect(!isAll || again.content == all)
        let volumes = again.store.files().map(\.volume)
        let files = again.state.files.keys.filter { if case .truth = $0 { true } else { false } }
        #expect(files.count == volumes.count)
      }
    }
  }

  @Test func sit_overTheCap_archivesAMonthAndSaysSo() throws {
    let box = WorldBox(3)
    _ = box.keeper.open()
    box.keeper.store.merge(try almostFull())
    _ = box.keeper.retry()
    var reports: [StoreReport] = []
    for index in 6..<8 {
      reports += box.keeper.add(sit(index * 62, note: String(repeating: "m", count: 10_000)))
    }
    #expect(reports.contains(.archived(months: ["2026-11"])))
    #expect(box.state.files[.truth(.archive(year: 2026, part: 1))] != nil)
    #expect(box.shared["archive/" + box.path.dropLast(3) + ".2026.kv"] != nil)
    // The archive is not written again for a new sit.
    box.forgetCalls()
    _ = box.keeper.add(sit(7 * 62 + 1))
    #expect(box.state.writes == [.truth(.main)] && box.shared.writes == [box.path])
    // Lost, it is noticed, and comes back from our own copy.
    let sits = box.store.sessions
    box.state.files[.truth(.archive(year: 2026, part: 1))] = nil
    let told = box.restart()
    #expect(
      told.contains(
        .salvaged(
          path: "truth.kv",
          lines: [DamagedLine(number: 1, reason: .archiveIncomplete(found: 0, written: 2))],
          setAside: nil)))
    #expect(box.store.sessions == sits)
    #expect(box.state.files[.truth(.archive(year: 2026, part: 1))] != nil)
  }

  @Test func archive_damagedAnywhere_isSetAsideAndSalvaged() throws {
    let box = WorldBox(3)
    _ = box.keeper.open()
    var store = try almostFull()
    for index in 6..<9 {
      try store.add(sit(index * 62, note: String(repeating: "m", count: 9_000)))
    }
    box.keeper.store.merge(store)
    _ = box.keeper.retry()
    let sits = box.store.sessions
    let volume = ReplicaFile.truth(.archive(year: 2026, part: 1))
    let whole = box.state.files[volume] ?? []
    for place in stride(from: 0, to: whole.count, by: 1_511) {
      box.state.files[volume] = whole
      box.state.files[volume]?[place] ^= 4
      let told = box.restart()
      #expect(
        told.contains {
          if case .salvaged("archive/2026.kv", _, "aside") = $0 { true } else { false }
        })
      #expect(box.store.sessions == sits && box.state.files[volume] == whole)
    }
  }
}
