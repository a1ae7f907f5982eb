import Testing

@testable import Sessions

/// Boxes of several owners that become one owner's, each with a folder of its own and an engine
/// between them that carries what it likes, when it likes.
@Suite struct AdoptionTests {
  private func number(_ low: UInt64) -> Identity { Identity(randomHigh: low, low: low) }

  private func box(_ low: UInt64) -> WorldBox {
    let box = WorldBox(low, owner: number(low))
    _ = box.keeper.open()
    _ = box.keeper.add(sit(Int(low)))
    return box
  }

  private func carry(_ from: WorldBox, to: WorldBox) {
    to.shared[from.path] = from.shared[from.path]
  }

  private func settle(_ boxes: [WorldBox]) {
    for _ in 0..<4 {
      for from in boxes { for to in boxes where to !== from { carry(from, to: to) } }
      for box in boxes { _ = box.keeper.look() }
    }
  }

  @Test(arguments: [false, true])
  func twoBoxes_thatAdoptAtOnce_endWithOneOwner_whoeverLooksFirst(isLeftFirst: Bool) {
    let (left, right) = (box(1), box(2))
    carry(left, to: right)
    carry(right, to: left)
    _ = left.keeper.adopt()
    _ = right.keeper.adopt()
    #expect(left.store.owner == number(2) && right.store.owner == number(1))
    let order = isLeftFirst ? [left, right] : [right, left]
    for _ in 0..<2 {
      for box in order {
        carry(left, to: right)
        carry(right, to: left)
        _ = box.keeper.look()
      }
    }
    for box in order {
      #expect(box.store.owner == number(1) && box.store.sessions == [sit(1), sit(2)])
      #expect(!box.keeper.peers.contains { $0.problem != nil })
    }
    #expect(left.content == right.content)
    // It stays so, however often either is told to adopt, and whatever its power does.
    for box in order {
      box.restart()
      box.forgetCalls()
      #expect(box.keeper.adopt() == [] && !box.hasWritten)
      #expect(box.store.owner == number(1))
    }
  }

  @Test func adopting_joinsTheOthersOwner_andAPeerOfBeforeFollows() {
    let (left, right) = (box(1), box(2))
    let peer = WorldBox(3, owner: number(1))
    _ = peer.keeper.open()
    _ = peer.keeper.add(sit(3))
    settle([left, peer])
    carry(right, to: left)
    _ = left.keeper.adopt()
    #expect(left.store.owner == number(2))
    settle([left, right, peer])
    for box in [left, right, peer] {
      #expect(box.store.owner == number(2) && box.store.usage.sits == 3)
    }
  }

  @Test func copyFromBeforeTheAdoption_isMerged_andChangesNoOwner() {
    let (left, right) = (box(1), box(2))
    let old = left.shared[left.path]
    carry(right, to: left)
    _ = left.keeper.adopt()
    // An engine brings the old copy back, under our own name and as a conflict.
    left.shared[left.path] = old
    left.shared[left.path.dropLast(3) + ".sync-conflict-20260101-120000-ABCDEFG.kv"] = old
    _ = left.keeper.look()
    #expect(left.store.owner == number(2) && left.store.usage.sits == 2)
    right.shared[left.path] = old
    _ = right.keeper.look()
    #expect(right.keeper.peers.map(\.isForeign) == [true])
    carry(left, to: right)
    _ = right.keeper.look()
    #expect(right.keeper.peers.map(\.isForeign) == [false] && right.store.usage.sits == 2)
    right.shared[left.path] = old
    _ = right.keeper.look()
    #expect(right.keeper.peers.map(\.isForeign) == [false] && right.store.owner == number(2))
  }

  @Test func stateFolder_rolledBackToBeforeTheAdoption_isTheNewOwnersAgain() {
    let (left, right) = (box(1), box(2))
    let before = left.state.files
    carry(right, to: left)
    _ = left.keeper.adopt()
    left.state.files = before
    left.restart()
    #expect(left.store.owner == number(2) && left.store.usage.sits == 2)
  }

  @Test func unknownMembers_andGreatCounts_ofAnAdoption_doNoHarm() throws {
    let counts = ["1", "1000000000000", "1000000000001", "9223372036854775807", "-1", "0", "\"1\""]
    let written = counts.map {
      #"o {"c":\#($0),"f":"\#(kitchenText)","new":1,"t":"\#(studyText)"}"#
    }
    var store = try store(of: written)
    #expect(bodies(store).sorted() == written.sorted())
    #expect(store.adoptions.map(\.count).sorted() == [1, 1_000_000_000_000])
    store.noteAdoption(by: kitchen, knowing: [])
    #expect(store.adoptions.map(\.count).sorted() == [1, 1_000_000_000_000, 1_000_000_000_000])
  }

  @Test func boxesOfManyOwners_adoptingInAnyOrder_agreeOnOneOwner_andLoseNoSit() {
    for seed in 1...UInt64(400) {
      var random = Random(state: seed)
      let boxes = (1...4).map { box(UInt64($0)) }
      for _ in 0..<20 {
        let (from, to) = (boxes[random.below(4)], boxes[random.below(4)])
        switch random.below(4) {
        case 0: _ = to.keeper.adopt()
        case 1: _ = to.keeper.look()
        case 2: to.restart()
        default: if from !== to { carry(from, to: to) }
        }
      }
      settle(boxes)
      // Whoever has not met the others yet does now.
      _ = boxes[3].keeper.adopt()
      settle(boxes)
      while let left = boxes.first(where: { $0.keeper.peers.contains(where: \.isForeign) }) {
        _ = left.keeper.adopt()
        settle(boxes)
      }
      #expect(Set(boxes.map(\.content)).count == 1, "seed \(seed)")
      #expect(boxes[0].store.usage.sits == 4, "seed \(seed)")
      for box in boxes { box.forgetCalls() }
      for box in boxes { _ = box.keeper.look() }
      #expect(!boxes.contains { $0.hasWritten }, "seed \(seed) does not rest")
    }
  }

  private struct Random {
    var state: UInt64
    mutating func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
  }
}
