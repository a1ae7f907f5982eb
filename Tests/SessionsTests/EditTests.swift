import Sessions
import Testing

@Suite struct EditTests {
  private func edited(
    _ change: (inout MeditationSession) -> Void, of session: MeditationSession = sit(0)
  ) throws -> SessionStore {
    var store = SessionStore(owner: owner, device: kitchen)
    try store.add(session)
    try store.edit(session.id, at: at(50), change)
    return store
  }

  @Test func fields_edited_areStampedAloneAndReadBack() throws {
    let store = try edited { session in
      session.note = "calm"
      session.programme = nil
      session.completed = false
    }
    let stamp = "50@\(kitchenText)"
    #expect(
      bodies(store) == [
        #"s {"@":{"c":"\#(stamp)","g":"\#(stamp)","n":"\#(stamp)"},"b":1795986013450,"#
          + #""c":false,"d":1800,"e":1795987813450,"g":null,"i":"AAAAAAAAQACAAAAAAAAAAA","#
          + #""n":"calm","o":32400,"p":1800}"#
      ])
    var expected = sit(0, note: "calm")
    expected.programme = nil
    expected.completed = false
    #expect(store.sessions == [expected])
    #expect(try SessionStore(parsing: store.encode()).encode() == store.encode())
    #expect(store.usage.bytes == store.encode().count)
  }

  @Test func everyField_editedBackAndForth_isWhatWasSet() throws {
    let rich = richSit()
    var plain = sit(7)
    plain.syncedToHealthKit = true
    for (from, to) in [(plain, rich), (rich, plain)] {
      let store = try edited({ $0 = to }, of: from)
      #expect(store.sessions == [to])
      #expect(try SessionStore(parsing: store.encode()).sessions == [to])
    }
  }

  @Test func editWithoutAChange_writesNothing() throws {
    let store = try edited({ $0.note = $0.note }, of: richSit())
    var plain = SessionStore(owner: owner, device: kitchen)
    try plain.add(richSit())
    #expect(store.encode() == plain.encode())
  }

  @Test func clearedNote_mergedWithTheOldOne_staysCleared() throws {
    var stale = SessionStore(owner: owner, device: study)
    try stale.add(sit(0, note: "old"))
    var store = stale
    try store.edit(sit(0).id, at: now) { $0.note = nil }
    store.merge(stale)
    #expect(store.sessions.map(\.note) == [nil])
    // A member that this version does not know is cleared as one that it knows.
    try stale.add(richSit())
    var other = stale
    try other.edit(richSit().id, at: now) { $0.unknown.removeFirst() }
    other.merge(stale)
    let unknown = other.sessions.last?.unknown.map(\.name)
    #expect(unknown == ["y"])
  }

  @Test func editsOfTwoBoxes_inTwoFields_bothStay() throws {
    var left = SessionStore(owner: owner, device: kitchen)
    try left.add(sit(0))
    var right = SessionStore(owner: owner, device: study)
    right.merge(left)
    try left.edit(sit(0).id, at: at(60)) { $0.rating = 4 }
    try right.edit(sit(0).id, at: at(50)) { $0.note = "rain" }
    left.merge(right)
    right.merge(left)
    #expect(bodies(left) == bodies(right))
    #expect(left.sessions.map(\.rating) == [4] && left.sessions.map(\.note) == ["rain"])
  }

  @Test func start_edited_movesTheSitToItsMonthAndKeepsItsEnd() throws {
    var instant = sit(0)
    instant.endDate = instant.startDate
    let store = try edited(
      { $0.startDate.milliseconds -= 31 * 86_400_000 }, of: instant)
    #expect(store.keys == ["sits.2026-10"])
    #expect(store.sessions.map(\.endDate) == [instant.endDate])
    #expect(store.usage.bytes == store.encode().count)
    #expect(store.usage.keys == 1)
  }

  @Test func impossibleEdit_isRefusedAndChangesNothing() throws {
    var store = try edited { $0.note = "kept" }
    try store.add(sit(1))
    try store.delete(sit(1).id, at: now)
    let bytes = store.encode()
    let id = sit(0).id
    #expect(throws: StoreError.impossibleSit(id, problem: "rating 9 is not within 1 to 5")) {
      try store.edit(id, at: now) { $0.rating = 9 }
    }
    #expect(throws: StoreError.impossibleSit(id, problem: "an edit cannot change its id")) {
      try store.edit(id, at: now) { $0.id = sit(3).id }
    }
    #expect(throws: StoreError.deletedSit(sit(1).id)) {
      try store.edit(sit(1).id, at: now) { $0.note = "back" }
    }
    #expect(throws: StoreError.noSuchSit(sit(2).id)) {
      try store.edit(sit(2).id, at: now) { $0.note = "new" }
    }
    #expect(throws: StoreError.self) {
      try store.edit(id, at: now) { $0.note = String(repeating: "n", count: StoreCaps.fileBytes) }
    }
    #expect(store.encode() == bytes)
  }

  @Test func sitThatANewerVersionAllowed_canBeEditedInOtherFields() throws {
    var store = try SessionsTests.store(
      of: #"s {"b":1,"i":"\#(kitchenText)","q":[[1,2,"x",3],{"at":1}],"r":9}"#)
    try store.edit(kitchen, at: at(50)) { $0.note = "n" }
    try store.edit(kitchen, at: at(60)) { session in
      session.interruptions.append(.init(from: now.wall, to: now.wall, kind: .pause))
    }
    #expect(
      bodies(store) == [
        #"s {"@":{"n":"50@\#(kitchenText)","q":"60@\#(kitchenText)"},"b":1,"#
          + #""i":"\#(kitchenText)","n":"n","#
          + #""q":[[1,2,"x",3],[1795990000000,1795990000000,"pause"],{"at":1}],"r":9}"#
      ])
  }

  @Test func syncedToHealthKit_onceTrue_isTrueEverywhere() throws {
    var stale = SessionStore(owner: owner, device: study)
    try stale.add(sit(0))
    var store = stale
    try store.edit(sit(0).id, at: at(50)) { $0.syncedToHealthKit = true }
    let bytes = store.encode()
    try store.edit(sit(0).id, at: at(60)) { $0.syncedToHealthKit = false }
    #expect(store.encode() == bytes)
    let taken = #"s {"@":{"h":"99@\#(studyText)"},"b":1795986013450,"h":false,"#
    let later = try SessionsTests.store(of: taken + #""i":"AAAAAAAAQACAAAAAAAAAAA"}"#)
    store.merge(later)
    #expect(store.sessions.map(\.syncedToHealthKit) == [true])
  }

  @Test func stampWithoutItsField_read_isAClearedField() throws {
    let stamped = #"s {"@":{"n":"5@\#(kitchenText)"},"b":1,"i":"\#(kitchenText)""#
    let store = try SessionsTests.store(of: stamped + "}")
    #expect(bodies(store) == [stamped + #","n":null}"#])
    let empty = try SessionsTests.store(of: #"s {"@":{},"b":1,"i":"\#(kitchenText)"}"#)
    #expect(bodies(empty) == [#"s {"b":1,"i":"\#(kitchenText)"}"#])
  }
}
