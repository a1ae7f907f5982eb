import Sessions
import Testing
import Ticks

@Suite struct MergeTests {
  @Test func threeReplicas_mergedInEveryOrder_agreeToTheByte() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<150 {
      let replicas = try (0..<3).map { _ in try replica(&random) }
      var results: Set<[UInt8]> = []
      for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        var left = SessionStore(owner: owner, device: kitchen)
        for index in order { left.merge(replicas[index]) }
        var pair = replicas[order[1]]
        pair.merge(replicas[order[2]])
        var right = SessionStore(owner: owner, device: kitchen)
        right.merge(pair)
        right.merge(replicas[order[0]])
        right.merge(right)
        #expect(left.usage.bytes == left.encode().count)
        results.insert(left.encode())
        results.insert(right.encode())
      }
      #expect(results.count == 1)
    }
  }

  /// A replica over few ids, keys, stamps and values, so that ties are the rule.
  private func replica(_ random: inout SeededGenerator) throws -> SessionStore {
    var lines = [
      line(#"h {"d":"AAAAAAAAQAOAAAAAAAAABA","f":1,"o":"AAAAAAAAQAGAAAAAAAAAAg"}"#)
    ]
    for _ in 0..<6 {
      let id = "AAAAAAAAQACAAAAAAAAA" + ["AA", "AQ"][Int(random.below(2))]
      let stamp = "\(random.below(2))@AAAAAAAAQAOAAAAAAAAAB" + ["A", "g"][Int(random.below(2))]
      let value = random.below(3)
      switch random.below(8) {
      case 0: lines.append(line(#"x {"i":"\#(id)","t":"\#(stamp)"}"#))
      case 1: lines.append(line(#"k {"k":"a","t":"\#(stamp)","v":\#(value)}"#))
      case 2: lines.append(line(#"k {"k":"a","t":"\#(stamp)","x":true}"#))
      case 3: lines.append(line(#"s {"@":{"r":"\#(stamp)"},"b":\#(value),"i":"\#(id)"}"#))
      case 4: lines.append(line(#"s {"b":1,"h":true,"i":"\#(id)","new":\#(value)}"#))
      case 5: lines.append(line("q \(value)"))
      default:
        lines.append(
          line(
            #"s {"@":{"h":"\#(stamp)","n":"\#(stamp)"},"b":1,"h":false,"i":"\#(id)","n":\#(value)}"#
          )
        )
      }
    }
    return try SessionStore(parsing: SessionsTests.replica(lines))
  }

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
