import Testing
import Ticks

@testable import Sessions

/// Four boxes with a shared folder that loses, doubles, delays and rolls back, and with power cuts
/// and disks that return to an older state: at the end all are equal, and what was acknowledged is
/// there.
@Suite struct ConvergenceTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func fourReplicas_afterAnyExchange_areEqualAndLoseNothing(_ part: UInt64) throws {
    for seed in part * 500..<(part + 1) * 500 {
      var random = SeededGenerator(seed: seed)
      var house = House()
      for _ in 0..<60 { try house.step(&random) }
      house.settle()
      let states = house.boxes.map { bodies($0.memory) }
      #expect(states.allSatisfy { $0 == states[0] }, "seed \(seed)")
      let ids = Set(house.boxes[0].memory.sessions.map(\.id))
      #expect(ids.isSuperset(of: house.sitsPromised.subtracting(house.allDeleted)), "seed \(seed)")
      #expect(ids.isDisjoint(with: house.deletionsPromised), "seed \(seed)")
      if states.contains(where: { $0 != states[0] }) { return }
    }
  }
}

private struct House {
  struct Box {
    var memory: SessionStore
    /// What its disk holds, and what it held before.
    var durable: SessionStore
    var earlier: [SessionStore] = []
  }

  var boxes: [Box]
  /// Each box's copy in the shared folder, oldest version first.
  var copies: [[SessionStore]]
  /// Sits and deletions that were said to be saved, and that no disk forgot alone.
  var sitsPromised: Set<Identity> = []
  var deletionsPromised: Set<Identity> = []
  var allDeleted: Set<Identity> = []
  private var sitCount = 0

  init() {
    boxes = (0..<4).map { index in
      let store = SessionStore(owner: owner, device: Identity(randomHigh: 9, low: UInt64(index)))
      return Box(memory: store, durable: store)
    }
    copies = boxes.map { [$0.durable] }
  }

  mutating func step(_ random: inout SeededGenerator) throws {
    let index = Int(random.below(4))
    let peer = Int(random.below(4))
    switch random.below(16) {
    case 0..<6: try write(index, &random)
    case 6, 7: save(index)
    case 8: publish(index)
    case 9..<12:
      // Late copies and doubled ones come too; a lost one does not.
      let versions = copies[peer]
      let back = random.below(3) == 0 ? Int(random.below(UInt64(versions.count))) : 0
      receive(versions[versions.count - 1 - back], at: index)
    case 12: boxes[index].memory = boxes[index].durable
    case 13: rollBack(index, &random)
    case 14: spoilCopy(of: peer, with: copies[peer][0])
    default:
      spoilCopy(of: peer, with: SessionStore(owner: owner, device: boxes[peer].memory.device))
    }
  }

  private mutating func write(_ index: Int, _ random: inout SeededGenerator) throws {
    let time = WriteTime(
      WallInstant(milliseconds: Int64(random.below(50))), isKnown: random.below(3) != 0)
    let known = boxes[index].memory.sessions.map(\.id)
    let chosen = known.isEmpty ? nil : known[Int(random.below(UInt64(known.count)))]
    let keys = ["a", "b", "c"]
    let key = keys[Int(random.below(3))]
    let members = #"{"m":\#(random.below(3)),"\#(keys[Int(random.below(3))])":1}"#
    switch (random.below(8), chosen) {
    case (0...2, _):
      sitCount += 1
      try boxes[index].memory.add(sit(sitCount))
    case (3, let id?): try boxes[index].memory.edit(id, at: time) { $0.note = members }
    case (4, let id?) where random.below(3) == 0:
      try boxes[index].memory.delete(id, at: time)
      allDeleted.insert(id)
    case (5, _): try? boxes[index].memory.delete(key: key, at: time)
    case (6, _): try boxes[index].memory.set(key, to: .integer(1), at: time)
    default: try boxes[index].memory.set(key, to: json(members), at: time)
    }
  }

  /// Truth first: what is durable is promised.
  private mutating func save(_ index: Int) {
    boxes[index].earlier.append(boxes[index].durable)
    boxes[index].durable = boxes[index].memory
    sitsPromised.formUnion(boxes[index].memory.sits.keys)
    deletionsPromised.formUnion(boxes[index].memory.deletedSits.keys)
  }

  /// What stands in the folder under the box's own name is read before it is written over.
  private mutating func publish(_ index: Int) {
    if let copy = copies[index].last { receive(copy, at: index) }
    save(index)
    copies[index].append(boxes[index].durable)
  }

  private mutating func receive(_ copy: SessionStore, at index: Int) {
    boxes[index].memory.merge(copy)
  }

  /// The disk is an older one again; its own copy in the folder brings back what it has. What
  /// neither that nor another disk or copy holds cannot be promised by any store.
  private mutating func rollBack(_ index: Int, _ random: inout SeededGenerator) {
    guard !boxes[index].earlier.isEmpty else { return }
    let count = UInt64(boxes[index].earlier.count)
    let old = boxes[index].earlier[Int(random.below(count))]
    boxes[index].durable = old
    boxes[index].memory = old
    if random.below(2) == 0, let copy = copies[index].last { receive(copy, at: index) }
    // An old disk's later generations are gone with it.
    boxes[index].earlier = [old]
    forgetWhatNobodyHolds()
  }

  /// The engine rolls a copy back or empties it.
  private mutating func spoilCopy(of index: Int, with copy: SessionStore) {
    copies[index].append(copy)
    forgetWhatNobodyHolds()
  }

  private mutating func forgetWhatNobodyHolds() {
    let held = boxes.map(\.durable) + copies.compactMap(\.last)
    let deleted = held.flatMap { Array($0.deletedSits.keys) }
    sitsPromised.formIntersection(held.flatMap { Array($0.sits.keys) } + deleted)
    deletionsPromised.formIntersection(deleted)
  }

  /// Everything is carried everywhere.
  mutating func settle() {
    for _ in 0..<2 {
      for index in boxes.indices { publish(index) }
      for index in boxes.indices { for copy in copies { receive(copy[copy.count - 1], at: index) } }
    }
  }
}
