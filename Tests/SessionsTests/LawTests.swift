import Testing
import Ticks

@testable import Sessions

/// Merging is commutative, associative and idempotent, to the byte, on states that local writes
/// lead to and on such as only a file can hold.
@Suite struct LawTests {
  @Test(arguments: 0..<8 as Range<UInt64>)
  func merge_of25000Triples_isTheSameInEveryOrderAndGrouping(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pool = try Pool(seed: seed)
    for index in 0..<25_000 {
      let parts = pool.triple(&random, isTied: index % 3 == 0)
      let (a, b, c) = (parts[0], parts[1], parts[2])
      let (ab, ba, bc) = (merged(a, b), merged(b, a), merged(b, c))
      let (ac, ca, cb) = (merged(a, c), merged(c, a), merged(c, b))
      let expected = merged(ab, c)
      var others = [
        merged(ba, c), merged(ac, b), merged(ca, b), merged(bc, a), merged(cb, a),
        merged(a, bc), merged(a, cb), merged(b, ac), merged(b, ca), merged(c, ab), merged(c, ba),
      ]
      if index % 4 == 0 {
        others += [merged(expected, a), merged(expected, bc), merged(expected, expected)]
      }
      for other in others where !other.hasSameLines(as: expected) {
        let inputs = parts.map(bodies)
        Issue.record("\(inputs)\n\(bodies(expected))\n\(bodies(other))")
        return
      }
      // What holds for the lines held holds for the bytes written, and for what is read of them.
      if index % 32 == 0 {
        let bytes = expected.encode()
        #expect(others.allSatisfy { $0.encode() == bytes })
        #expect(expected.usage.bytes == bytes.count)
        let read = try SessionStore(parsing: bytes)
        #expect(read.encode() == bytes && read.usage == expected.usage && read.damage.isEmpty)
      }
    }
  }

  /// What is written, changed, cleared or deleted here is not brought back by a copy from before.
  @Test func localWrite_mergedWithWhatWasThereBefore_isLeftAsItIs() throws {
    var random = SeededGenerator(seed: 77)
    let pool = try Pool(seed: 9)
    for index in 0..<20_000 {
      let before = pool.triple(&random, isTied: index % 3 == 0)[0]
      var after = before
      try Writers.write(into: &after, &random)
      for other in [merged(after, before), merged(before, after)]
      where !other.hasSameLines(as: after) {
        Issue.record("\(bodies(before))\n\(bodies(after))\n\(bodies(other))")
        return
      }
    }
  }

  private func merged(_ left: SessionStore, _ right: SessionStore) -> SessionStore {
    var left = left
    left.merge(right)
    return left
  }
}

extension SessionStore {
  /// Whether the same lines are held, and counted alike.
  fileprivate func hasSameLines(as other: SessionStore) -> Bool {
    bodyBytes == other.bodyBytes && months == other.months && liveKeys == other.liveKeys
      && kept == other.kept && records.count == other.records.count
      && sits.count == other.sits.count && claims.count == other.claims.count
      && deletedSits.count == other.deletedSits.count
      && records.allSatisfy { other.records[$0]?.line.bytes == $1.line.bytes }
      && sits.allSatisfy { other.sits[$0]?.line.bytes == $1.line.bytes }
      && claims.allSatisfy { other.claims[$0]?.line.bytes == $1.line.bytes }
      && deletedSits.allSatisfy { other.deletedSits[$0]?.line.bytes == $1.line.bytes }
  }
}

/// States to choose from: one for each line that may stand in a file, by what it is about and by
/// its stamp, and some that random local writes led to.
private struct Pool {
  private static let stamps = [
    "1@\(kitchenText)", "1@\(studyText)", "1.1@\(kitchenText)", "2@\(kitchenText)",
    "2@\(studyText)",
  ]
  private static let values = ["1", "2", "null", "\"x\""]

  /// By subject, then by stamp, then the values and forms.
  private var lines: [[[SessionStore]]] = []
  private var written: [SessionStore] = []

  init(seed: UInt64) throws {
    for subject in 0..<4 {
      let byStamp = try Pool.stamps.indices.map { stamp in
        try Pool.bodies(of: subject, at: stamp).map { try store(of: $0) }
      }
      lines.append(byStamp)
    }
    var random = SeededGenerator(seed: seed &+ 1_000)
    for _ in 0..<30 {
      // All as one device's, whose name is in the first line.
      written += try Writers(&random).states.map { state in
        var own = SessionStore(owner: owner, device: kitchen)
        own.merge(state)
        return own
      }
    }
  }

  /// Three states. Tied ones are about one thing, at equal stamps or at equal times.
  func triple(_ random: inout SeededGenerator, isTied: Bool) -> [SessionStore] {
    let subject = Int(random.below(4))
    let stamp = Int(random.below(4))
    return (0..<3).map { _ in
      if !isTied && random.below(3) == 0 {
        return written[Int(random.below(UInt64(written.count)))]
      }
      var state: SessionStore?
      for _ in 0...random.below(isTied ? 2 : 3) {
        // Stamps 0 and 1, and 3 and 4, are one time of two devices.
        let tied = stamp + (stamp % 3 == 0 ? Int(random.below(2)) : 0)
        let options =
          isTied ? lines[subject][tied] : lines[Int(random.below(4))][Int(random.below(5))]
        let next = options[Int(random.below(UInt64(options.count)))]
        if state == nil { state = next } else { state?.merge(next) }
      }
      return state ?? written[0]
    }
  }

  private static func bodies(of subject: Int, at index: Int) -> [String] {
    let (stamp, next) = (stamps[index], stamps[(index + 1) % stamps.count])
    return values.flatMap { value in
      switch subject {
      case 0: keyBodies(stamp, next, value)
      case 1: sitBodies(stamp, next, value)
      case 2:
        [
          #"c {"c":{"s":1,"w":\#(value)},"d":"\#(kitchenText)","t":"\#(stamp)"}"#,
          #"c {"c":null,"d":"\#(kitchenText)","more":\#(value),"t":"\#(stamp)"}"#,
        ]
      default:
        ["q \(value) \(stamp)", #"k {"k":"a","t":\#(value)}"#, #"s {"b":\#(value)}"#]
          + keyBodies(stamp, next, value)
      }
    }
  }

  private static func keyBodies(_ stamp: String, _ next: String, _ value: String) -> [String] {
    [
      #"k {"k":"a","t":"\#(stamp)","v":\#(value)}"#,
      #"k {"k":"a","t":"\#(stamp)","v":[\#(value)],"why":\#(value)}"#,
      #"k {"k":"a","t":"\#(stamp)","v":{}}"#,
      #"k {"k":"a","t":"\#(stamp)","v":{"":\#(value),"m":1}}"#,
      #"k {"k":"a","t":"\#(stamp)","v":{"m":\#(value),"n":2}}"#,
      #"k {"k":"a","t":"\#(stamp)","v":{"m":\#(value)},"x":"\#(next)"}"#,
      #"k {"f":{"m":["\#(stamp)",\#(value)],"n":["\#(next)",null]},"k":"a"}"#,
      #"k {"f":{"":["\#(stamp)",\#(value)],"m":["\#(next)",\#(value)]},"k":"a"}"#,
      #"k {"f":{"":["\#(stamp)",{"m":\#(value)}]},"k":"a","x":"\#(stamp)"}"#,
      #"k {"k":"a","t":"\#(stamp)","x":true}"#,
      #"k {"k":"a","whom":\#(value),"x":"\#(stamp)"}"#,
    ]
  }

  private static func sitBodies(_ stamp: String, _ next: String, _ value: String) -> [String] {
    let id = #""i":"\#(kitchenText)""#
    return [
      #"s {"b":1,\#(id),"n":\#(value)}"#, #"s {"b":1,"h":true,\#(id),"new":\#(value)}"#,
      #"s {"@":{"n":"\#(stamp)"},"b":1,\#(id),"n":\#(value)}"#,
      #"s {"@":{"n":"\#(stamp)","new":"\#(next)"},"b":1,\#(id),"new":\#(value)}"#,
      #"s {"@":{"h":"\#(stamp)"},"b":1,"h":false,\#(id),"r":\#(value)}"#,
      #"s {"@":{"h":"\#(stamp)","r":"\#(next)"},"b":1,"h":\#(value),\#(id),"r":3}"#,
      #"s {"@":{"b":"\#(stamp)"},"b":9000000000,\#(id),"q":[[1,2,"x",\#(value)]]}"#,
      #"s {"@":{"b":"\#(stamp)","e":"\#(stamp)"},"b":1,"e":\#(value),\#(id)}"#,
      #"s {"@":{"":"\#(stamp)","zz":"\#(next)"},"b":2,\#(id)}"#,
    ] + (value == "null" ? [#"x {\#(id),"t":"\#(stamp)"}"#] : [])
  }
}

/// Three boxes that write at random and sometimes hear of one another.
private struct Writers {
  private(set) var states: [SessionStore] = []

  init(_ random: inout SeededGenerator) throws {
    let devices = [kitchen, study, Identity(randomHigh: 7, low: 8)]
    var stores = devices.map { SessionStore(owner: owner, device: $0) }
    for _ in 0..<24 {
      let index = Int(random.below(3))
      if random.below(4) == 0 { stores[index].merge(stores[Int(random.below(3))]) }
      try Writers.write(into: &stores[index], &random)
      if random.below(3) == 0 { states.append(stores[index]) }
    }
  }

  static func write(into store: inout SessionStore, _ random: inout SeededGenerator) throws {
    let wall = WallInstant(milliseconds: Int64(random.below(4)))
    let time = WriteTime(wall, isKnown: random.below(4) != 0)
    let key = ["a", "b"][Int(random.below(2))]
    let values = [
      "1", "[]", "{}", #"{"m":1}"#, #"{"m":2,"n":1}"#, #"{"n":{"o":null}}"#, #"{"":1}"#,
    ]
    let id = sit(Int(random.below(2)) * 62).id
    switch random.below(8) {
    case 0: _ = try? store.add(sit(random.below(2) == 0 ? 0 : 62))
    case 1: try? store.edit(id, at: time) { $0.rating = Int64(random.below(5)) + 1 }
    case 2: try? store.edit(id, at: time) { $0.note = random.below(2) == 0 ? nil : "n" }
    case 3 where random.below(4) == 0: try? store.delete(id, at: time)
    case 4: try? store.delete(key: key, at: time)
    case 5:
      try store.publish(
        Claim(device: store.device, since: wall, plannedEnd: nil, at: time), at: time)
    case 6: store.withdraw(at: time)
    default: try store.set(key, to: json(values[Int(random.below(7))]), at: time)
    }
  }
}
