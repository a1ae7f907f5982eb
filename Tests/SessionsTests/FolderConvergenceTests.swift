import Testing

@testable import Sessions

/// Four boxes, each with a folder of its own, and an engine between them that copies, delays,
/// duplicates, rolls back, empties, loses and puts aside; boxes lose their power at any write.
@Suite struct FolderConvergenceTests {
  private struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let mixed = (state ^ state >> 33) &* 0xFF51_AFD7_ED55_8CCD
      return mixed ^ mixed >> 29
    }
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
  }

  private final class World {
    var random: Random
    let boxes = (0..<4).map { WorldBox(UInt64($0)) }
    var acknowledged: Set<Identity> = []
    var deleted: Set<Identity> = []
    var past: [(box: Int, path: String, bytes: [UInt8])] = []
    var sits = 0

    init(seed: UInt64) {
      random = Random(state: seed &* 0x9E37_79B9_7F4A_7C15)
      for box in boxes { _ = box.keeper.open() }
    }

    func step() {
      let index = random.below(4)
      let box = boxes[index]
      switch random.below(12) {
      case 0...2: add(box)
      case 3: _ = box.keeper.set("bell", to: .integer(Int64(random.below(9))), at: time())
      case 4: delete(box)
      case 5: _ = box.keeper.look()
      case 6...8: carry(from: box, to: boxes[random.below(4)])
      case 9: disturb(index)
      case 10:
        box.state.callsLeft = random.below(5)
        box.state.lastIsDone = random.below(2) == 0
        _ = random.below(2) == 0 ? box.keeper.look() : []
        add(box)
        box.restart()
      default: box.restart()
      }
    }

    private func time() -> WriteTime {
      WriteTime(WallInstant(milliseconds: now.wall.milliseconds + Int64(random.below(5))))
    }

    private func add(_ box: WorldBox) {
      sits += 1
      let session = sit(sits)
      let reports = box.keeper.add(session)
      if !box.keeper.isTruthBehind { acknowledged.insert(session.id) }
      _ = reports
    }

    private func delete(_ box: WorldBox) {
      guard let session = box.store.sessions.randomElement(using: &random) else { return }
      _ = box.keeper.delete(session.id, at: time())
      deleted.insert(session.id)
    }

    func carry(from: WorldBox, to: WorldBox) {
      for (path, file) in from.shared.files where to.shared[path] != file.bytes {
        // An engine carries what its device wrote; now and then also what is old.
        guard path.hasPrefix(String(from.path.dropLast(3))) || random.below(4) == 0 else {
          continue
        }
        if let old = to.shared[path] {
          past.append((0, path, old))
          if random.below(4) == 0 {
            to.shared[path.dropLast(3) + ".sync-conflict-20260101-120000-ABCDEFG.kv"] = old
          }
        }
        to.shared[path] = file.bytes
      }
    }

    private func disturb(_ index: Int) {
      let shared = boxes[index].shared
      let paths = shared.files.keys.sorted()
      guard let path = paths.randomElement(using: &random) else { return }
      switch random.below(5) {
      case 0: shared[path] = []
      case 1: shared[path] = nil
      case 2: if let old = past.randomElement(using: &random) { shared[old.path] = old.bytes }
      case 3:
        var bytes = shared[path] ?? []
        if bytes.isEmpty { return }
        bytes[random.below(bytes.count)] ^= 1
        shared[path] = bytes
      default:
        shared["copy \(random.below(3)).kv"] = shared[path]
      }
    }

    /// Everything arrives everywhere.
    func settle() {
      for box in boxes { box.restart() }
      for _ in 0..<3 {
        for from in boxes {
          for to in boxes where to !== from { to.shared[from.path] = from.shared[from.path] }
        }
        for box in boxes { _ = box.keeper.look() }
      }
    }
  }

  @Test func fourBoxes_withAnyEngineAndPowerCuts_agreeAndRest() {
    for seed in 1...UInt64(2_000) {
      let world = World(seed: seed)
      for _ in 0..<24 { world.step() }
      world.settle()
      let contents = Set(world.boxes.map(\.content))
      #expect(contents.count == 1, "seed \(seed)")
      let ids = Set(world.boxes[0].store.sessions.map(\.id))
      #expect(world.acknowledged.subtracting(world.deleted).subtracting(ids) == [], "seed \(seed)")
      for box in world.boxes { box.forgetCalls() }
      for box in world.boxes { _ = box.keeper.look() }
      #expect(!world.boxes.contains { $0.hasWritten }, "seed \(seed) does not rest")
    }
  }
}
