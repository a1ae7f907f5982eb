import Controls
import InputDevices
import Settings
import Testing
import Ticks

@Test func flood_ofOneDevice_isTakenInParts_andWakesTheLoopForTheRest() throws {
  let desk = try Desk()
  desk.plugRemote()
  _ = desk.read(at: 0)
  // Two events a detent, since the report's end is one: 128 events are 64 detents.
  for at in 1...300 { desk.turn(0, Code.dial, 1, at: at) }
  var counts: [Int] = []
  while desk.isReadable, counts.count < 9 { counts.append(desk.read(at: 400).count) }
  #expect(counts == [64, 64, 64, 64, 44])
}

@Test func flood_whoseRestIsInLibevdevsOwnQueue_wakesTheLoopAllTheSame() throws {
  let desk = try Desk()
  desk.plugRemote()
  _ = desk.read(at: 0)
  for at in 1...66 { desk.turn(0, Code.dial, 1, at: at) }
  #expect(desk.read(at: 400).count == 64)
  #expect(desk.isReadable)
  #expect(desk.read(at: 400) == ["1 65", "1 66"])
  #expect(!desk.isReadable)
}

@Test func flood_whileAnotherDeviceGoes_wakesTheLoopForTheRest() throws {
  let desk = try Desk()
  desk.plugRemote(0)
  desk.plugRemote(1, name: "Remote B")
  _ = desk.read(at: 0)
  for at in 1...66 { desk.turn(0, Code.dial, 1, at: at) }
  desk.unplug(1)
  let first = desk.read(at: 400)
  #expect(first.count == 65)
  #expect(first.last == "lost Remote B ")
  // What is left was before the end of the other, which is told.
  #expect(desk.isReadable)
  #expect(desk.read(at: 401) == ["1 400", "1 400"])
  #expect(!desk.isReadable)
}

@Test func flood_ofOneDevice_holdsLaterNewsOfAnotherBack() throws {
  let desk = try Desk()
  desk.plugRemote(0)
  desk.plugRemote(1)
  _ = desk.read(at: 0)
  for at in 1...100 { desk.turn(0, Code.dial, 1, at: at) }
  desk.key(1, Code.up, 1, at: 30)
  desk.key(1, Code.up, 0, at: 80)
  let first = desk.read(at: 300)
  #expect(first.count == 65)
  #expect(Array(first[29...30]) == ["1 30", "U0 30"])
  // The release is held back, and so the level would say less than the edges will.
  #expect(desk.levels(of: .all) == "D1O1 64")
  let second = desk.read(at: 300)
  #expect(second.count == 37)
  #expect(Array(second[14...15]) == ["1 79", "U1 80"])
  #expect(desk.levels(of: LineSet(.up)) == "U1 300")
  #expect(!desk.isReadable)
}

@Test func batching_ofReads_changesNoEdge() throws {
  for seed in UInt64(1)...20 {
    var generator = SeededGenerator(seed: seed)
    let whole = try Desk()
    let parts = try Desk()
    for desk in [whole, parts] {
      for number in 0..<3 { desk.plugRemote(number) }
      _ = desk.read(at: 0)
    }
    var expected: [String] = []
    var found: [String] = []
    for at in 1...60 {
      let number = Int(generator.next() % 3)
      let code = [Code.up, Code.down, Code.enter, Code.select][Int(generator.next() % 4)]
      let value = Int32(generator.next() % 3)
      for desk in [whole, parts] { desk.key(number, code, value, at: at) }
      if generator.next() % 4 == 0 { found += parts.read(at: at) }
    }
    expected += whole.read(at: 61)
    found += parts.read(at: 61)
    #expect(found == expected, "seed \(seed)")
    #expect(parts.levels(of: .all) == whole.levels(of: .all), "seed \(seed)")
  }
}

@Test func edges_ofALine_alternate() throws {
  for seed in UInt64(1)...20 {
    var generator = SeededGenerator(seed: seed)
    let desk = try Desk()
    for number in 0..<2 { desk.plugRemote(number) }
    _ = desk.read(at: 0)
    for at in 1...100 {
      let code = [Code.enter, Code.select][Int(generator.next() % 2)]
      desk.key(Int(generator.next() % 2), code, Int32(generator.next() % 3), at: at)
    }
    let edges = desk.read(at: 101).map { String($0.prefix(2)) }
    for (index, edge) in edges.enumerated() {
      #expect(edge == (index % 2 == 0 ? "O0" : "O1"), "seed \(seed)")
    }
  }
}
