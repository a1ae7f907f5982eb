import Sessions
import Testing

@Suite struct RecordTests {
  private var kitchenStore: SessionStore { SessionStore(owner: owner, device: kitchen) }

  @Test func object_setAgain_stampsOnlyWhatChanged() throws {
    var store = kitchenStore
    try store.set("p", to: json(#"{"a":1,"b":2,"c":3}"#), at: at(10))
    #expect(bodies(store) == [#"k {"k":"p","t":"10@\#(kitchenText)","v":{"a":1,"b":2,"c":3}}"#])
    try store.set("p", to: json(#"{"a":1,"b":5}"#), at: at(20))
    let later = "20@\(kitchenText)"
    #expect(
      bodies(store) == [
        #"k {"f":{"a":["10@\#(kitchenText)",1],"b":["\#(later)",5],"c":["\#(later)",null]},"#
          + #""k":"p"}"#
      ])
    try expect(store, "p", is: #"{"a":1,"b":5}"#)
  }

  @Test func equalValue_setAgain_writesNothing() throws {
    var store = kitchenStore
    for (key, text) in [("a", "1"), ("b", "{}"), ("c", #"{"x":1,"y":[null]}"#), ("d", "null")] {
      try store.set(key, to: json(text), at: at(10))
    }
    let bytes = store.encode()
    for (key, text) in [
      ("a", "1"), ("b", "{}"), ("b", #"{"x":null}"#), ("c", #"{"x":1,"y":[null],"z":null}"#),
      ("d", "null"),
    ] {
      try store.set(key, to: json(text), at: at(20))
      #expect(store.encode() == bytes, "\(key)")
    }
  }

  @Test func clearedField_mergedWithAnOldOne_staysCleared() throws {
    var store = kitchenStore
    try store.set("p", to: json(#"{"a":1,"b":2}"#), at: at(10))
    let stale = store
    try store.set("p", to: json(#"{"b":2}"#), at: at(20))
    store.merge(stale)
    try expect(store, "p", is: #"{"b":2}"#)
    try store.set("p", to: json(#"{}"#), at: at(30))
    #expect(bodies(store) == [#"k {"k":"p","t":"30@\#(kitchenText)","v":{}}"#])
    store.merge(stale)
    #expect(store.value(forKey: "p") == .object([]))
  }

  @Test(arguments: [
    // From, to, and the shown value, in turn.
    ["5", #"{"a":1}"#], [#"{"a":1}"#, "5"], [#"{"a":1}"#, #"[{"a":1}]"#], [#"{"":1}"#, "7"],
    ["null", #"{"a":{"b":null}}"#], [#"{"a":1}"#, "{}"], [#"{"a":1}"#, #"{"":1,"a":2}"#],
    ["\"x\"", #"{"a":1}"#, "\"y\"", #"{"a":1}"#],
  ])
  func value_ofOneKindAfterAnother_isShownAndReadBack(_ values: [String]) throws {
    var store = kitchenStore
    for value in values {
      // One instant for all: only the counter tells them apart.
      try store.set("p", to: json(value), at: at(10))
      try expect(store, "p", is: value)
      let read = try SessionStore(parsing: store.encode())
      try expect(read, "p", is: value)
      #expect(read.encode() == store.encode())
      #expect(store.usage.bytes == store.encode().count)
    }
  }

  @Test func whole_mergedWithMembers_hidesThoseThatAreNotLater() throws {
    let whole = try store(of: #"k {"k":"p","t":"10@\#(kitchenText)","v":"long"}"#)
    for (time, isShown) in [(9, false), (10, false), (11, true)] {
      let members = try store(of: #"k {"k":"p","t":"\#(time)@\#(kitchenText)","v":{"a":1}}"#)
      for (first, second) in [(whole, members), (members, whole)] {
        var merged = first
        merged.merge(second)
        try expect(merged, "p", is: isShown ? #"{"a":1}"# : #""long""#)
        // What is hidden for good is not kept.
        let hidden = "k {\"f\":{\"\":[\"10@\(kitchenText)\",null],\"a\":[\"11@\(kitchenText)\",1]},"
        #expect(bodies(merged) == (isShown ? [hidden + "\"k\":\"p\"}"] : bodies(whole)))
      }
    }
  }

  @Test func deletion_againstALateChangeOfOneField_isNotHalfRevived() throws {
    var kitchenStore = kitchenStore
    var studyStore = SessionStore(owner: owner, device: study)
    try kitchenStore.set("p", to: json(#"{"a":1,"b":2}"#), at: at(10))
    studyStore.merge(kitchenStore)
    try kitchenStore.delete(key: "p", at: at(20))
    try studyStore.set("p", to: json(#"{"a":9,"b":2}"#), at: at(30))
    var merged = kitchenStore
    #expect(merged.merge(studyStore) == [])
    #expect(merged.value(forKey: "p") == nil)
    #expect(studyStore.merge(kitchenStore) == ["p"])
    #expect(studyStore.value(forKey: "p") == nil)
    // Who knew of the deletion and sets the key again is heard.
    try studyStore.set("p", to: json(#"{"a":3}"#), at: at(15))
    #expect(merged.merge(studyStore) == ["p"])
    try expect(merged, "p", is: #"{"a":3}"#)
    #expect(
      bodies(merged) == [
        #"k {"k":"p","t":"20.1@\#(studyText)","v":{"a":3},"x":"20@\#(kitchenText)"}"#
      ])
  }

  @Test(arguments: [
    #"k {"k":"p","t":"1@AAAAAAAAQAOAAAAAAAAABA"}"#, #"k {"k":"p","t":"1","v":1}"#,
    #"k {"f":{"a":["1@AAAAAAAAQAOAAAAAAAAABA"]},"k":"p"}"#, #"k {"f":{"a":[1,1]},"k":"p"}"#,
    #"k {"f":{},"k":"p"}"#, #"k {"k":"p","t":"1@AAAAAAAAQAOAAAAAAAAABA","v":1,"x":true}"#,
    #"k {"f":{},"k":"p","x":"1@AAAAAAAAQAOAAAAAAAAABA"}"#, #"k {"k":"p","x":true}"#,
    #"k {"k":"sits.x","t":"1@AAAAAAAAQAOAAAAAAAAABA","v":1}"#, #"k {"k":"p","x":"never"}"#,
    #"k {"k":"p","t":"253402300800000@AAAAAAAAQAOAAAAAAAAABA","v":1}"#,
    #"k {"k":"p","t":"1.9223372036854775807@AAAAAAAAQAOAAAAAAAAABA","v":1}"#,
    #"c {"d":"AAAAAAAAQAOAAAAAAAAABA","t":"1@AAAAAAAAQAOAAAAAAAAABA"}"#,
  ])
  func badShape_read_isKeptInItsBytesAndNoKey(_ body: String) throws {
    var store = try store(of: body)
    #expect(bodies(store) == [body])
    #expect(store.keys == [])
    #expect(store.usage.keys == 0)
    try store.set("p", to: .integer(2), at: at(5))
    #expect(bodies(store).count == 2 && bodies(store).contains(body))
  }

  @Test func lastCounter_followed_goesOnInTheNextMillisecond() throws {
    var store = try store(
      of: #"k {"k":"p","t":"5.9223372036854775806@\#(studyText)","v":1}"#)
    try store.set("p", to: .integer(2), at: at(1))
    #expect(bodies(store) == [#"k {"k":"p","t":"6@\#(kitchenText)","v":2}"#])
  }

  @Test func deepValue_setThenSplitIntoFields_isReadBack() throws {
    let limit = JSONParser.depthLimit
    let deep = String(repeating: "[", count: limit - 1) + String(repeating: "]", count: limit - 1)
    var store = kitchenStore
    try store.set("p", to: json(#"{"a":\#(deep),"b":1}"#), at: at(10))
    try store.set("p", to: json(#"{"a":\#(deep),"b":2}"#), at: at(20))
    try store.set("q", to: json("[\(deep)]"), at: at(20))
    let read = try SessionStore(parsing: store.encode())
    #expect(read.keys == ["p", "q"])
    #expect(read.value(forKey: "p") == store.value(forKey: "p"))
  }

  @Test func mergeOfOthers_saysWhichKeysAreOtherNow() throws {
    var studyStore = SessionStore(owner: owner, device: study)
    try studyStore.set("b", to: .integer(1), at: now)
    try studyStore.set("\u{E9}", to: .integer(1), at: now)
    try studyStore.set("gone", to: .integer(1), at: now)
    try studyStore.delete(key: "gone", at: now)
    try studyStore.add(sit(70))
    try studyStore.add(sit(0))
    var merged = kitchenStore
    try merged.set("same", to: .integer(1), at: now)
    #expect(merged.merge(studyStore) == ["b", "sits.2026-11", "sits.2027-01", "\u{E9}"])
    #expect(merged.merge(studyStore) == [])
    // An equal value that only got a later stamp is no other value.
    var other = studyStore
    try other.set("b", to: .integer(2), at: now)
    try other.set("b", to: .integer(1), at: now)
    try other.publish(
      Claim(device: study, since: now.wall, plannedEnd: nil, at: now), at: now)
    #expect(merged.merge(other) == [])
    try other.edit(sit(70).id, at: now) { $0.startDate = sit(0).startDate }
    try other.delete(sit(0).id, at: now)
    #expect(merged.merge(other) == ["sits.2026-11", "sits.2027-01"])
  }
}
