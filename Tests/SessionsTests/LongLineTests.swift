import Testing

@testable import Sessions

/// A line of a replica, which is quick for a long one too.
func wholeLine(_ body: String) -> ReplicaLine {
  ReplicaLine(kind: body.utf8.first ?? 0, payload: Array(body.utf8.dropFirst(2)))
}

/// Lines that merges have made longer than a volume.
@Suite struct LongLineTests {
  private func fields(_ prefix: String, _ count: Int, bytes: Int) -> JSONValue {
    let value = JSONValue.string(String(repeating: "y", count: bytes))
    return .object(of: (0..<count).map { JSONMember("\(prefix)\($0)", value) })
  }

  private func expectWhole(
    _ store: SessionStore, at place: SourceLocation = #_sourceLocation
  ) {
    let files = store.files()
    #expect(files.count > 1, sourceLocation: place)
    for file in files {
      #expect(file.bytes.count <= StoreCaps.fileBytes, sourceLocation: place)
    }
    let read = SessionStore(salvaging: files, owner: owner, device: kitchen)
    #expect(read.damage == [] && read.files() == files, sourceLocation: place)
  }

  @Test func record_of32000Fields_isLaidOutInLittleTime() throws {
    var left = SessionStore(owner: owner, device: kitchen)
    var right = SessionStore(owner: owner, device: study)
    try left.set("bell", to: fields("a", 16_000, bytes: 20), at: now)
    try right.set("bell", to: fields("b", 16_000, bytes: 20), at: now)
    left.merge(right)
    let clock = ContinuousClock()
    let start = clock.now
    expectWhole(left)
    // It took a minute when each field made a line of its own to be measured.
    #expect(start.duration(to: clock.now) < .seconds(20))
  }

  @Test(arguments: 0..<4 as Range<Int>)
  func fields_ofALineAtTheCap_areAllThereWithAnother(_ missing: Int) throws {
    // One stamp for all is the shorter form, but where there is one field.
    for count in 1...2 {
      var merged = SessionStore(owner: owner, device: kitchen)
      for name in ["a", "b"] {
        var line = longLine(name, count, bytes: 1_000_000)
        line = longLine(
          name, count, bytes: 1_000_000 + StoreCaps.lineBytes - missing - line.bytes.count)
        #expect(line.bytes.count == StoreCaps.lineBytes - missing)
        merged.take(line)
      }
      expectWhole(merged)
      let read = SessionStore(salvaging: merged.files(), owner: owner, device: kitchen)
      #expect(read.value(forKey: "bell")?.members?.count == 2 * count)
    }
  }

  /// A line whose fields have so many bytes of text.
  private func longLine(_ name: String, _ count: Int, bytes: Int) -> ReplicaLine {
    let members = (0..<count).map { index in
      let length = index == 0 ? bytes - (count - 1) : 1
      return JSONMember("\(name)\(index)", .string(String(repeating: "y", count: length)))
    }
    return ReplicaLine(
      kind: "k",
      .object(of: [
        JSONMember("k", .string("bell")), JSONMember("t", .string("5@\(kitchenText)")),
        JSONMember("v", .object(members)),
      ]))
  }

  @Test func unknownMembers_ofALongRecord_areKept() throws {
    let long = String(repeating: "y", count: 400_000)
    for end in [#""x":"1@\#(kitchenText)""#, #""t":"1@\#(kitchenText)","v":{"m":1}"#] {
      var whole = SessionStore(owner: owner, device: kitchen)
      for name in ["la", "lb", "lc", "ld"] {
        whole.take(wholeLine(#"k {"k":"a","\#(name)":"\#(long)",\#(end)}"#))
      }
      expectWhole(whole)
      let read = SessionStore(salvaging: whole.files(), owner: owner, device: kitchen)
      let written = text(read.files().flatMap(\.bytes))
      for name in ["la", "lb", "lc", "ld"] { #expect(written.contains("\"\(name)\":")) }
    }
  }

  @Test func sit_longerThanALine_isSplitByFieldsWithTheirStamps() throws {
    let long = String(repeating: "y", count: 400_000)
    var whole = SessionStore(owner: owner, device: kitchen)
    for name in ["la", "lb", "lc", "n"] {
      whole.take(
        wholeLine(
          #"s {"@":{"\#(name)":"5@\#(kitchenText)"},"b":1,"i":"\#(kitchenText)","#
            + #""\#(name)":"\#(long)"}"#))
    }
    expectWhole(whole)
    let read = SessionStore(salvaging: whole.files(), owner: owner, device: kitchen)
    #expect(read.sessions == whole.sessions)
  }
}
