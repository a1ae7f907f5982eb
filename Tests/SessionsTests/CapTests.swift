import Testing

@testable import Sessions

@Suite struct CapTests {
  @Test func fileBytes_ofAValue_belowAtAndAboveWhatSitsLeave() throws {
    let allowed = StoreCaps.fileBytes - StoreCaps.bytesForSits
    var probe = SessionStore(owner: owner, device: kitchen)
    try probe.set("k\u{E9}", to: .string(""), at: now)
    let room = allowed - probe.usage.bytes
    for (excess, isAllowed) in [(-1, true), (0, true), (1, false)] {
      var store = SessionStore(owner: owner, device: kitchen)
      // Two bytes of UTF-8 a letter, and one more where the room is odd.
      let length = room + excess
      let value = String(repeating: "\u{E9}", count: length / 2) + (length % 2 == 0 ? "" : "x")
      let before = store.encode()
      let error = refusal { () throws(StoreError) in
        try store.set("k\u{E9}", to: .string(value), at: now)
      }
      #expect(
        error
          == (isAllowed
            ? nil : .quotaViolation(.fileBytes, needed: allowed + 1, allowed: allowed)))
      #expect(isAllowed ? store.usage.bytes == allowed + excess : store.encode() == before)
    }
  }

  @Test func fileBytes_ofASit_aboveTheCapArchivesAnOlderMonth() throws {
    var full = SessionStore(owner: owner, device: kitchen)
    let long = String(
      repeating: "x", count: StoreCaps.fileBytes - StoreCaps.bytesForSits - 2_000)
    try full.set("k", to: .string(long), at: now)
    try full.add(sit(0))
    full.hasMerged = true
    var probe = full
    try probe.add(sit(62, note: ""))
    // Of the first line, what a newer version may write there is kept free.
    let room = StoreCaps.fileBytes - ReplicaHeader.restLength
    let free = room - probe.usage.bytes
    for excess in [-1, 0, 1] {
      var store = full
      let length = free + excess
      let note =
        String(repeating: "\u{E9}", count: length / 2) + (length % 2 == 0 ? "" : "n")
      try store.add(sit(62, note: note))
      let files = store.files()
      #expect(files.map(\.volume) == [.main] + (excess > 0 ? [.archive(year: 2026, part: 1)] : []))
      #expect(excess > 0 || files[0].bytes.count == room + excess)
      #expect(store.usage.bytes == files[0].bytes.count)
      #expect(store.usage.archivedSits == (excess > 0 ? 1 : 0))
      // The newest stays.
      #expect(text(files[0].bytes).contains(sit(62).id.compact))
      let read = SessionStore(salvaging: files, owner: study, device: kitchen)
      #expect(read.damage == [] && read.sessions == store.sessions)
    }
  }

  @Test func fileBytes_ofOneSit_thatNoFileCouldHold_isRefused() throws {
    var store = SessionStore(owner: owner, device: kitchen)
    let error = refusal { () throws(StoreError) in
      try store.add(sit(0, note: String(repeating: "n", count: StoreCaps.fileBytes)))
    }
    guard case .quotaViolation(.fileBytes, _, StoreCaps.lineBytes) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(store.usage.sits == 0)
  }

  @Test func keyBytes_at64And65_areTakenAndRefused() throws {
    var store = SessionStore(owner: owner, device: kitchen)
    let key = String(repeating: "\u{1F514}", count: 16)
    try store.set(key, to: .null, at: now)
    #expect(store.value(forKey: key) == .null)
    let bytes = store.encode()
    #expect(throws: StoreError.quotaViolation(.keyBytes, needed: 65, allowed: 64)) {
      try store.set(key + "x", to: .null, at: now)
    }
    #expect(store.encode() == bytes)
  }

  @Test func keys_ofValues_endWhereTheSitsBegin() throws {
    var store = try storeOf(keys: 1_007)
    try store.set("last", to: .null, at: now)
    #expect(store.usage.keys == 1_008)
    #expect(throws: StoreError.quotaViolation(.keys, needed: 1_009, allowed: 1_008)) {
      try store.set("too many", to: .null, at: now)
    }
    try store.set("last", to: .bool(true), at: now)
    try store.delete(key: "last", at: now)
    try store.set("another", to: .null, at: now)
    #expect(store.usage.keys == 1_008)
  }

  @Test func key_deletedOnAFullStore_isNotRefused() throws {
    var store = SessionStore(owner: owner, device: kitchen)
    // A clock in 1970 wrote it: the stamp of its deletion is longer than it and the value.
    try store.set("short", to: .integer(1), at: at(1))
    try store.set("k", to: .string(""), at: now)
    let free = StoreCaps.fileBytes - StoreCaps.bytesForSits - store.usage.bytes
    try store.set("k", to: .string(String(repeating: "x", count: free - 2)), at: now)
    let bytes = store.usage.bytes
    try store.delete(key: "short", at: now)
    #expect(store.usage.bytes > bytes)
    #expect(store.keys == ["k"])
  }

  @Test func keys_ofMonths_above1024_goToTheArchive() throws {
    var store = try storeOf(keys: 1_008)
    // 62 sits are at least a month apart.
    for month in 0..<15 { try store.add(sit(month * 62)) }
    #expect(store.usage.keys == 1_023)
    try store.add(sit(15 * 62))
    #expect(store.usage.keys == 1_024 && store.usage.archivedSits == 0)
    try store.add(sit(16 * 62))
    #expect(store.usage.keys == 1_024 && store.usage.archivedSits == 1)
    #expect(store.files().map(\.volume) == [.main, .archive(year: 2026, part: 1)])
    #expect(store.keys.count == 1_025)
    #expect(store.sessions.count == 17)
  }

  private func storeOf(keys count: Int) throws -> SessionStore {
    var store = SessionStore(owner: owner, device: kitchen)
    for index in 0..<count { try store.set("key \(index)", to: .null, at: now) }
    return store
  }

  private func refusal(_ body: () throws(StoreError) -> Void) -> StoreError? {
    do throws(StoreError) { try body() } catch { return error }
    return nil
  }
}
