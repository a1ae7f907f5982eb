import Sessions
import Testing

@Suite struct MergeTests {
  @Test func fields_ofOneSit_winEachForItself() throws {
    let header = line(#"h {"d":"AAAAAAAAQAOAAAAAAAAABA","f":1,"o":"AAAAAAAAQAGAAAAAAAAAAg"}"#)
    let device = "AAAAAAAAQAOAAAAAAAAABA"
    let bodies = [
      #"s {"@":{"r":"3@\#(device)"},"b":1,"i":"\#(device)","r":1}"#,
      #"s {"@":{"n":"2@\#(device)"},"b":1,"i":"\#(device)","n":"five"}"#,
      #"s {"@":{"n":"1@\#(device)"},"b":1,"i":"\#(device)","n":"seven"}"#,
      #"s {"b":1,"c":false,"i":"\#(device)","n":"as recorded","r":4}"#,
    ]
    var store = SessionStore(owner: owner, device: kitchen)
    for body in bodies.reversed() {
      store.merge(try SessionStore(parsing: SessionsTests.replica([header, line(body)])))
    }
    let joined = line(
      #"""
      s {"@":{"n":"2@\#(device)","r":"3@\#(device)"},\#
      "b":1,"c":false,"i":"\#(device)","n":"five","r":1}
      """#
    )
    #expect(lines(store.encode())[1] == joined)
  }

  @Test func twoReplicas_ofMoreThanHalfTheCap_mergedLoseNothing() throws {
    let filler = JSONValue.string(String(repeating: "x", count: 600_000))
    var left = SessionStore(owner: owner, device: kitchen)
    var right = SessionStore(owner: owner, device: study)
    try left.set("left", to: filler, at: now)
    try right.set("right", to: filler, at: now)
    try right.add(sit(0))
    left.merge(right)
    #expect(left.value(forKey: "right") == filler)
    #expect(left.sessions.count == 1)
    let files = left.files()
    #expect(files.map(\.volume) == [.main, .overflow(2)])
    #expect(files.allSatisfy { $0.bytes.count <= StoreCaps.fileBytes })
    #expect(SessionStore(salvaging: files, owner: owner, device: kitchen).files() == files)
    #expect(throws: StoreError.self) { try left.set("more", to: .null, at: now) }
    #expect(left.files() == files)
    // Sits take no part in that.
    try left.add(sit(1))
    #expect(left.files().map(\.volume) == [.main, .overflow(2)])
    try left.delete(key: "left", at: now)
    #expect(left.files().map(\.volume) == [.main])
  }
}
