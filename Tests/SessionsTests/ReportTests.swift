import Sessions
import Testing

/// What other programs lost, by the numbers of the reports.
@Suite struct ReportTests {
  private func boxes() -> (SessionStore, SessionStore) {
    (SessionStore(owner: owner, device: kitchen), SessionStore(owner: owner, device: study))
  }

  @Test func report19_onePresetEditedOnTwoBoxes_keepsBothEdits() throws {
    var (left, right) = boxes()
    try left.set("p", to: json(#"{"length":1200,"name":"Evening"}"#), at: at(10))
    right.merge(left)
    try left.set("p", to: json(#"{"length":1200,"name":"Night"}"#), at: at(30))
    try right.set("p", to: json(#"{"length":1800,"name":"Evening"}"#), at: at(20))
    left.merge(right)
    right.merge(left)
    let expected = try json(#"{"length":1800,"name":"Night"}"#)
    #expect(left.value(forKey: "p") == expected && right.value(forKey: "p") == expected)
    #expect(bodies(left) == bodies(right))
  }

  @Test func report21_replicaOfLongAgo_bringsNothingDeletedBack() throws {
    var (left, right) = boxes()
    for index in 0..<3 { try left.add(sit(index)) }
    try left.set("p", to: json(#"{"name":"Evening"}"#), at: at(10))
    right.merge(left)
    try left.delete(sit(1).id, at: at(20))
    try left.delete(key: "p", at: at(20))
    // Two years offline, and still writing.
    try right.set("p", to: json(#"{"name":"Night"}"#), at: at(63_072_000_000))
    try right.edit(sit(1).id, at: at(63_072_000_000)) { $0.note = "still here" }
    for _ in 0..<2 {
      left.merge(right)
      right.merge(left)
    }
    for store in [left, right] {
      #expect(store.sessions == [sit(0), sit(2)])
      #expect(store.value(forKey: "p") == nil)
    }
  }

  @Test func report28_deviceAndRoleOfTheFuture_areReadAndRewrittenAsTheyCame() throws {
    let written = [
      #"k {"k":"p","t":"1@\#(studyText)","v":{"bells":{"dusk":{"sound":"gong","level":0.70}}}}"#,
      #"s {"b":1,"i":"\#(studyText)","k":"lunar","q":[[1,2,"eclipse"]],"w":"hologram"}"#,
      #"s {"b":2,"i":"\#(kitchenText)"}"#,
    ]
    // The members of a value come out in their order; nothing else changes.
    let canonical = #"{"bells":{"dusk":{"level":0.70,"sound":"gong"}}}"#
    var store = try store(of: written)
    #expect(store.sessions.map(\.sourceDevice.name) == ["hologram", "timerBox"])
    #expect(store.sessions.first?.clock.name == "lunar")
    #expect(store.sessions.first?.interruptions.map(\.kind.name) == ["eclipse"])
    #expect(store.value(forKey: "p")?.encoded() == Array(canonical.utf8))
    try store.edit(study, at: at(5)) { $0.rating = 2 }
    let kept = #","k":"lunar","q":[[1,2,"eclipse"]],"r":2,"w":"hologram"}"#
    #expect(bodies(store)[1].hasSuffix(kept))
  }

  @Test func report30_unknownMembers_areKeptAtEveryLevel() throws {
    let header =
      #"h {"d":"\#(kitchenText)","f":1,"new":{"deep":[{}]},"o":"AAAAAAAAQAGAAAAAAAAAAg"}"#
    let written = [
      #"k {"f":{"name":["1@\#(studyText)",{"in":{"new":1.0}}],"z":["2@\#(studyText)",0]},"#
        + #""k":"p","new":[1]}"#,
      #"c {"c":{"new":{"a":1},"s":1,"w":2},"d":"\#(studyText)","new":2,"t":"1@\#(studyText)"}"#,
      #"s {"b":1,"i":"\#(studyText)","new":{"deep":[1.50]},"q":[[1,2,"pause",{"new":1}]]}"#,
      #"x {"i":"\#(kitchenText)","new":null,"t":"3@\#(studyText)"}"#, #"y {"new":"line"}"#,
    ]
    let bytes = replica([line(header)] + written.map(line))
    var store = try SessionStore(parsing: bytes)
    #expect(text(store.encode()) == text(bytes))
    // Writing beside them, and into them, strips none of them.
    try store.set("p", to: json(#"{"name":"Evening","z":0}"#), at: at(9))
    try store.edit(study, at: at(9)) { $0.interruptions[0].kind = .suspend }
    var merged = SessionStore(owner: owner, device: kitchen)
    merged.merge(store)
    let after = bodies(merged)
    #expect(after[0].hasSuffix(#""k":"p","new":[1]}"#))
    #expect(after[1] == written[1])
    #expect(after[2].hasSuffix(#""new":{"deep":[1.50]},"q":[[1,2,"suspend",{"new":1}]]}"#))
    #expect(Array(after[3...]) == Array(written[3...]))
    #expect(lines(store.encode()).first == line(header))
  }

  @Test func report31_missingAndStrangeFields_costNoOtherSit() throws {
    let bare = #"s {"b":1000,"i":"\#(kitchenText)"}"#
    let strange = #"s {"b":2000,"c":"maybe","d":[],"e":{},"i":"\#(studyText)","o":9999999}"#
    let unreadable = #"s {"b":"yesterday","i":"AAAAAAAAQAEAAAAAAAAABg"}"#
    let store = try store(of: bare, strange, unreadable)
    #expect(bodies(store) == [bare, strange, unreadable])
    let instants = [1_000, 2_000].map { WallInstant(milliseconds: $0) }
    let plain = zip([kitchen, study], instants).map { id, instant in
      MeditationSession(
        id: id, startDate: instant, endDate: instant, durationSeconds: 0, plannedSeconds: nil)
    }
    #expect(store.sessions == plain)
  }

  @Test func report37_valueTooLarge_isRefusedAloneAndSaysSo() throws {
    var store = try SessionsTests.store(sits: 3)
    try store.set("p", to: .integer(1), at: now)
    let bytes = store.encode()
    let allowed = StoreCaps.fileBytes
    let value = JSONValue.string(String(repeating: "\u{1F514}", count: allowed / 4))
    do throws(StoreError) {
      try store.set("p", to: value, at: now)
      Issue.record("it was taken")
    } catch {
      guard case .quotaViolation(.fileBytes, let needed, _) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(needed > allowed)
    }
    #expect(store.encode() == bytes)
    try store.set("p", to: .integer(2), at: now)
    try store.add(sit(4))
    #expect(store.value(forKey: "p") == .integer(2) && store.usage.sits == 4)
  }

  @Test func report38_refusal_reachesTheCallerOfEveryWrite() throws {
    var store = SessionStore(owner: owner, device: kitchen)
    try store.add(sit(0))
    var other = SessionStore(owner: owner, device: study)
    let filler = JSONValue.string(String(repeating: "x", count: 900_000))
    try other.set("a", to: filler, at: now)
    var another = SessionStore(owner: owner, device: Identity(randomHigh: 9, low: 9))
    try another.set("b", to: filler, at: now)
    store.merge(other)
    store.merge(another)
    let bytes = store.encode()
    let claim = Claim(device: kitchen, since: now.wall, plannedEnd: nil, at: now)
    #expect(throws: StoreError.self) { try store.set("c", to: .null, at: now) }
    #expect(throws: StoreError.self) { try store.edit(sit(0).id, at: now) { $0.note = "n" } }
    #expect(throws: StoreError.self) { try store.publish(claim, at: now) }
    #expect(store.encode() == bytes)
    // What makes it smaller is let through.
    try store.set("a", to: .null, at: now)
    try store.delete(key: "b", at: now)
    try store.publish(claim, at: now)
    #expect(store.usage.bytes < StoreCaps.fileBytes)
  }

  /// Sets and dictionaries are in another order in every process; these bytes are in none of them.
  @Test func report44_sameState_hasTheSameBytesInEveryProcess() throws {
    var store = SessionStore(owner: owner, device: kitchen)
    for index in [5, 3, 9, 1] { try store.add(sit(index)) }
    for key in ["b", "\u{E9}", "a", "e\u{301}"] {
      try store.set(key, to: json(#"{"z":1,"a":{"y":2,"b":3}}"#), at: at(10))
      try store.set(key, to: json(#"{"z":2,"a":{"y":2,"b":3}}"#), at: at(20))
    }
    for index in [9, 3] { try store.delete(sit(index).id, at: at(20)) }
    let ended = lines(store.encode()).last
    #expect(ended == "929e296f z 9 5a972653")
  }
}
