import Sessions
import Testing

/// Files as they were written once. They are never made anew: what was written stays readable.
@Suite struct FixtureTests {
  /// Format 1, before keys had fields: four sits and a rich one, one deleted, keys of every kind.
  private static let first = """
    e7159c3a h {"d":"AAAAAAAAQAOAAAAAAAAABA","f":1,"o":"AAAAAAAAQAGAAAAAAAAAAg"}
    bc34c0ad k {"k":"bell","t":"1795990000000@AAAAAAAAQAOAAAAAAAAABA","v":"large-b\
    owl"}
    accb0295 k {"k":"day.starts","t":"1795990000500@AAAAAAAAQAOAAAAAAAAABA","v":14\
    400}
    28339a41 k {"k":"empty","t":"1795990000000@AAAAAAAAQAOAAAAAAAAABA","v":{}}
    5f34785f k {"k":"gone","t":"1795990000000.1@AAAAAAAAQAOAAAAAAAAABA","x":true}
    4714c79f k {"k":"list","t":"1795990000000@AAAAAAAAQAOAAAAAAAAABA","v":[1,null]\
    }
    40bf1266 k {"k":"nothing","t":"1795990000000@AAAAAAAAQAOAAAAAAAAABA","v":null}
    68ad5fc0 k {"k":"programme.evening","t":"1795990000000@AAAAAAAAQAOAAAAAAAAABA"\
    ,"v":{"bells":{"start":"large-bowl"},"cleared":null,"name":"Evening","rank":"m\
    ","segments":[{"kind":"sit","seconds":1500}]}}
    5ac0bb03 s {"b":1795986013450,"d":1800,"e":1795987813450,"g":"simple","i":"AAA\
    AAAAAQACAAAAAAAAAAA","o":32400,"p":1800}
    2bc60ad1 s {"b":1796029213450,"d":1800,"e":1796031013450,"g":"simple","i":"njd\
    5uX9KTBWAAAAAAAAAAQ","o":32400,"p":1800}
    9f72234d s {"b":1796115613450,"d":1800,"e":1796117413450,"g":"simple","i":"2qZ\
    tLH3fRD-AAAAAAAAAAw","o":32400,"p":1800}
    7440ca96 s {"b":1796288413450,"c":false,"d":1800,"e":1796290213450,"g":"evenin\
    g","h":true,"heartRate":{"mean":61.50},"i":"U4RUEnsJRJOAAAAAAAAABw","j":"hundr\
    ed days","k":"unsynced","n":"still \\"there\\"\\n🔔 é é","o":-12600,"q":[[1796\
    288413450,1796290213450,"pause"],[1796288413450,1796290213450,"telephone"]],"r\
    ":5,"u":12,"v":61,"w":"holodeck","y":123456789012345678901234567890}
    da1c4d63 x {"i":"PG7zcv6USCqAAAAAAAAAAg","t":"1795990000000@AAAAAAAAQAOAAAAAAA\
    AABA"}
    ea19df0f z 13 09e3709c

    """

  @Test func firstForm_read_isAllThere() throws {
    let store = try SessionStore(parsing: Array(FixtureTests.first.utf8))
    #expect(store.damage == [])
    #expect(store.owner == owner && store.device == kitchen && store.format == 1)
    #expect(store.sessions == [sit(0), sit(1), sit(3), richSit()])
    #expect(
      store.keys == [
        "bell", "day.starts", "empty", "list", "nothing", "programme.evening", "sits.2026-11",
        "sits.2026-12",
      ])
    let values = [
      ("bell", "\"large-bowl\""), ("day.starts", "14400"), ("empty", "{}"), ("list", "[1,null]"),
      ("nothing", "null"),
      (
        "programme.evening",
        #"{"bells":{"start":"large-bowl"},"name":"Evening","rank":"m","#
          + #""segments":[{"kind":"sit","seconds":1500}]}"#
      ),
    ]
    for (key, value) in values { try expect(store, key, is: value) }
  }

  @Test func firstForm_writtenAgain_isTheSameButForItsDeletions() throws {
    let store = try SessionStore(parsing: Array(FixtureTests.first.utf8))
    let stamp = "1795990000000.1@\(kitchenText)"
    let old = FixtureTests.first.split(separator: "\n").map { String($0.dropFirst(9)) }
    let expected = old[1..<13].map { body in
      body == #"k {"k":"gone","t":"\#(stamp)","x":true}"#
        ? #"k {"k":"gone","x":"\#(stamp)"}"# : body
    }
    #expect(bodies(store) == expected)
  }

  /// A decision: in the first form the later stamp won, be it a deletion's or a value's. A line of
  /// that form does not say whether its writer knew of a deletion, and one who did not must not
  /// revive a key today. So a key that was made again in that form stays deleted where the older
  /// deletion is still found in a copy; what is set since has the deletion's stamp with it.
  @Test func firstForm_deletedInOneCopyAndSetLaterInAnother_staysDeleted() throws {
    let deleted = #"k {"k":"gone","t":"5@\#(kitchenText)","x":true}"#
    let again = #"k {"k":"gone","t":"10@\#(studyText)","v":1}"#
    for lines in [[deleted, again], [again, deleted]] {
      var store = try store(of: lines)
      #expect(store.value(forKey: "gone") == nil)
      try store.set("gone", to: .integer(2), at: at(1))
      store.merge(try SessionsTests.store(of: lines))
      try expect(store, "gone", is: "2")
    }
  }

  @Test func firstForm_changedInOneField_givesItsOtherFieldsTheirStamps() throws {
    var store = try SessionStore(parsing: Array(FixtureTests.first.utf8))
    let bells = #"{"bells":{"start":"rin"},"name":"Evening","rank":"m","segments":[]}"#
    try store.set("programme.evening", to: json(bells), at: at(1_795_990_000_009))
    let (old, new) = ("1795990000000@\(kitchenText)", "1795990000009@\(kitchenText)")
    #expect(
      bodies(store).contains(
        #"k {"f":{"bells":["\#(new)",{"start":"rin"}],"cleared":["\#(old)",null],"#
          + #""name":["\#(old)","Evening"],"rank":["\#(old)","m"],"segments":["\#(new)",[]]},"#
          + #""k":"programme.evening"}"#))
    // A copy that an older version rolled back brings nothing old up.
    let bytes = store.encode()
    #expect(store.merge(try SessionStore(parsing: Array(FixtureTests.first.utf8))) == [])
    #expect(store.encode() == bytes)
  }
}
