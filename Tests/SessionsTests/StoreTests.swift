import Sessions
import Testing

@Suite struct StoreTests {
  @Test func sit_withEveryField_comesBackWhole() throws {
    var store = SessionStore(owner: owner, device: kitchen)
    try store.add(richSit())
    try store.add(sit(0))
    let read = try SessionStore(parsing: store.encode())
    #expect(read.sessions == [sit(0), richSit()])
    #expect(read.damage == [])
    #expect(read.owner == owner && read.device == kitchen && read.format == 1)
  }

  @Test func sameState_reachedInAnyOrder_hasTheSameBytes() throws {
    var forward = SessionStore(owner: owner, device: kitchen)
    var backward = forward
    for index in 0..<40 { try forward.add(sit(index)) }
    for index in (0..<40).reversed() { try backward.add(sit(index)) }
    #expect(forward.encode() == backward.encode())
    let bytes = forward.encode()
    #expect(try SessionStore(parsing: bytes).encode() == bytes)
  }

  @Test func file_ofOneSit_isTheseBytes() throws {
    let bytes = try store(sits: 1).encode()
    let expected = replica([
      line(#"h {"d":"AAAAAAAAQAOAAAAAAAAABA","f":1,"o":"AAAAAAAAQAGAAAAAAAAAAg"}"#),
      line(
        #"s {"b":1795986013450,"d":1800,"e":1795987813450,"g":"simple","#
          + #""i":"AAAAAAAAQACAAAAAAAAAAA","o":32400,"p":1800}"#),
    ])
    #expect(text(bytes) == text(expected))
  }

  @Test func tenYears_ofTwoSitsADay_fitUnderTheCap() throws {
    var store = SessionStore(owner: owner, device: kitchen)
    for index in 0..<7_305 { try store.add(sit(index)) }
    let usage = store.usage
    #expect(usage.sits == 7_305)
    #expect(usage.keys == 121)
    #expect(usage.bytes <= StoreCaps.fileBytes)
    #expect(usage.bytes / usage.sits <= 143)
    #expect(usage.bytes == store.encode().count)
    #expect(try SessionStore(parsing: store.encode()).usage == usage)
  }

  @Test func lines_notUnderstood_areKeptInTheirVeryBytes() throws {
    let strange = [
      line(#"h {"d":"AAAAAAAAQAOAAAAAAAAABA","f":1,"more":[1,2.0],"o":"AAAAAAAAQAGAAAAAAAAAAg"}"#),
      line(#"k {"k":"a","t":"5.2@AAAAAAAAQAWAAAAAAAAABg","v":1.50,"why":{"deep":null}}"#),
      line(
        #"""
        s {"b":1000,"i":"AAAAAAAAQAEAAAAAAAAABQ","q":[[1,2,"nap",{"x":1}]],\#
        "w":"toaster","zz":{}}
        """#
      ),
      line(#"k {"k":"later","kind":7}"#),
      line("q not JSON at all"),
      line(#"s {"b":"no number","i":"AAAAAAAAQAEAAAAAAAAABg"}"#),
    ]
    // What is not understood stands behind the rest, in byte order.
    let bytes = replica(Array(strange[..<3]) + strange[3...].sorted())
    var store = try SessionStore(parsing: bytes)
    #expect(text(store.encode()) == text(bytes))
    #expect(store.damage == [])
    #expect(store.sessions.map(\.sourceDevice.name) == ["toaster"])
    #expect(store.sessions.map { $0.unknown.map(\.name) } == [["zz"]])
    try store.add(sit(1))
    for kept in strange[1...] { #expect(lines(store.encode()).contains(kept)) }
    #expect(store.usage.bytes == store.encode().count)
  }

  @Test func newerFormat_readAndWritten_staysTheNewer() throws {
    let bytes = replica([
      line(#"h {"d":"AAAAAAAAQAOAAAAAAAAABA","f":9,"o":"AAAAAAAAQAGAAAAAAAAAAg"}"#),
      line(#"s {"b":1000,"i":"AAAAAAAAQAEAAAAAAAAABQ"}"#),
    ])
    let store = try SessionStore(parsing: bytes)
    #expect(store.format == 9)
    #expect(store.sessions.count == 1)
    #expect(store.encode() == bytes)
  }

  @Test func sit_addedAgain_isCountedOnce() throws {
    var store = try store(sits: 1)
    let bytes = store.encode()
    #expect(try store.add(sit(0, note: "again")) == false)
    #expect(store.encode() == bytes)
  }

  @Test func sit_deleted_staysDeleted() throws {
    var store = try store(sits: 2)
    let stale = store
    try store.delete(sit(0).id, at: now)
    #expect(store.sessions == [sit(1)])
    #expect(throws: StoreError.deletedSit(sit(0).id)) { try store.add(sit(0)) }
    #expect(throws: StoreError.noSuchSit(sit(0).id)) { try store.delete(sit(0).id, at: now) }
    var merged = stale
    merged.merge(store)
    store.merge(stale)
    #expect(store.sessions == [sit(1)])
    #expect(merged.encode() == store.encode())
    #expect(try SessionStore(parsing: store.encode()).sessions == [sit(1)])
    #expect(store.usage.bytes == store.encode().count)
  }

  @Test func impossibleSit_added_isRefusedWithItsReason() throws {
    var wrong = sit(0)
    wrong.endDate = WallInstant(milliseconds: wrong.startDate.milliseconds - 1)
    expectRefused(wrong, "endDate is before startDate")
    wrong = sit(0)
    wrong.overtimeSeconds = -1
    expectRefused(wrong, "a length is negative")
    wrong = sit(0)
    wrong.rating = 6
    expectRefused(wrong, "rating 6 is not within 1 to 5")
    wrong = sit(0)
    wrong.utcOffsetSeconds = -86_400
    expectRefused(wrong, "utcOffsetSeconds is a day or more")
    wrong = sit(0)
    wrong.unknown = [JSONMember("b", .null)]
    expectRefused(wrong, "the unknown member \"b\" has a name that the store uses itself")
    wrong.unknown = [JSONMember("pulse", .null), JSONMember("pulse", .null)]
    expectRefused(wrong, "the unknown member \"pulse\" is there twice")
    wrong = sit(0)
    wrong.startDate = WallInstant(milliseconds: .min)
    expectRefused(wrong, "a date is outside the years 0 to 9999")
  }

  private func expectRefused(_ session: MeditationSession, _ problem: String) {
    var store = SessionStore(owner: owner, device: kitchen)
    #expect(throws: StoreError.impossibleSit(session.id, problem: problem)) {
      try store.add(session)
    }
    #expect(store.usage.sits == 0)
  }

  @Test func keys_setReadAndDeleted_behave() throws {
    var store = try store(sits: 1)
    try store.set("b", to: .string("x"), at: now)
    try store.set("é", to: .integer(1), at: now)
    try store.set("e\u{301}", to: .integer(2), at: now)
    #expect(store.keys == ["b", "e\u{301}", "sits.2026-11", "\u{E9}"])
    #expect(store.value(forKey: "\u{E9}") == .integer(1))
    #expect(store.value(forKey: "sits.2026-11") == .array([sit(0).json]))
    #expect(store.value(forKey: "sits.2026-12") == nil)
    try store.delete(key: "b", at: now)
    #expect(store.value(forKey: "b") == nil)
    #expect(store.usage.keys == 3)
    #expect(throws: StoreError.noSuchKey("b")) { try store.delete(key: "b", at: now) }
    #expect(throws: StoreError.emptyKey) { try store.set("", to: .null, at: now) }
    #expect(throws: StoreError.reservedKey("sits.x")) {
      try store.set("sits.x", to: .null, at: now)
    }
    #expect(throws: StoreError.reservedKey("sits.2026-11")) {
      try store.delete(key: "sits.2026-11", at: now)
    }
    let read = try SessionStore(parsing: store.encode())
    #expect(read.encode() == store.encode())
    #expect(read.keys == store.keys)
  }

  @Test func key_writtenWithAClockInThePast_stillFollowsWhatItReplaces() throws {
    var store = SessionStore(owner: owner, device: kitchen)
    try store.set("a", to: .integer(1), at: WriteTime(WallInstant(milliseconds: 2_208_988_800_000)))
    var other = SessionStore(owner: owner, device: study)
    other.merge(store)
    try other.set("a", to: .integer(2), at: WriteTime(WallInstant(milliseconds: 1_000)))
    try other.set("b", to: .integer(3), at: WriteTime(WallInstant(milliseconds: 1_000)))
    store.merge(other)
    #expect(store.value(forKey: "a") == .integer(2))
    // Only the key that followed the wrong clock took its time.
    #expect(text(store.encode()).contains(#""k":"b","t":"1000@"#))
  }
}
