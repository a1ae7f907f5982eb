import Controls
import InputDevices
import Settings
import Testing
import Ticks

@Test func key_downAndUp_makesEdgesAtItsStamps() throws {
  let desk = try Desk()
  desk.plugRemote()
  _ = desk.read(at: 0)
  desk.key(0, Code.up, 1, at: 5)
  desk.key(0, Code.up, 0, at: 90)
  #expect(desk.isReadable)
  #expect(desk.read(at: 100) == ["U0 5", "U1 90"])
  #expect(!desk.isReadable)
}

@Test func key_repeatedByTheKernel_makesNoFurtherEdge() throws {
  let desk = try Desk()
  desk.plugRemote()
  _ = desk.read(at: 0)
  desk.key(0, Code.up, 1, at: 5)
  for at in stride(from: 255, to: 900, by: 33) { desk.key(0, Code.up, 2, at: at) }
  #expect(desk.read(at: 900) == ["U0 5"])
  #expect(desk.levels(of: .all) == "U0D1O1 900")
  desk.key(0, Code.up, 0, at: 905)
  #expect(desk.read(at: 910) == ["U1 905"])
}

@Test func key_thatIsNotMapped_isIgnored() throws {
  let desk = try Desk()
  desk.describe(0, "Remote", keys: [Code.up, 30])
  desk.plug(0)
  _ = desk.read(at: 0)
  desk.key(0, 30, 1, at: 5)
  #expect(desk.read(at: 6) == [])
}

@Test func key_heldWhenItsDeviceIsFound_makesNoEdgeButIsLow() throws {
  let desk = try Desk()
  desk.plugRemote(down: [Code.up])
  #expect(desk.read(at: 1) == ["found Remote UDO"])
  #expect(desk.levels(of: [LineSet(.up), LineSet(.down), LineSet(.a)]) == "U0D1 1")
  desk.key(0, Code.up, 0, at: 50)
  #expect(desk.read(at: 51) == ["U1 50"])
  #expect(desk.levels(of: LineSet(.up)) == "U1 51")
}

@Test func line_thatTwoKeysHold_goesHighWithTheLast() throws {
  let desk = try Desk()
  desk.plugRemote()
  _ = desk.read(at: 0)
  desk.key(0, Code.enter, 1, at: 1)
  desk.key(0, Code.select, 1, at: 2)
  desk.key(0, Code.enter, 0, at: 3)
  #expect(desk.read(at: 4) == ["O0 1"])
  #expect(desk.levels(of: LineSet(.select)) == "O0 4")
  desk.key(0, Code.select, 0, at: 5)
  #expect(desk.read(at: 6) == ["O1 5"])
}

@Test func devices_twoAtOnce_areMergedByStamp() throws {
  let desk = try Desk()
  desk.plugRemote(0, name: "Remote A")
  desk.plugRemote(1, name: "Remote B")
  #expect(desk.read(at: 0) == ["found Remote A UDO", "found Remote B UDO"])
  desk.key(1, Code.down, 1, at: 2)
  desk.key(0, Code.up, 1, at: 1)
  desk.key(0, Code.up, 0, at: 3)
  desk.key(1, Code.down, 0, at: 4)
  desk.turn(0, Code.dial, -1, at: 5)
  desk.turn(1, Code.dial, 1, at: 5)
  #expect(desk.read(at: 9) == ["U0 1", "D0 2", "U1 3", "D1 4", "-1 5", "1 5"])
}

@Test func line_ofTwoDevices_isHeldUntilBothLetGo() throws {
  let desk = try Desk()
  desk.plugRemote(0)
  desk.plugRemote(1)
  _ = desk.read(at: 0)
  desk.key(0, Code.up, 1, at: 1)
  desk.key(1, Code.up, 1, at: 2)
  desk.key(0, Code.up, 0, at: 3)
  #expect(desk.read(at: 4) == ["U0 1"])
  desk.unplug(1)
  #expect(desk.read(at: 9) == ["U1 9", "lost Remote U"])
  #expect(desk.faults == ["input device \"Remote\" is gone"])
}

@Test func dial_turns_wholeDetentsWithTheirSign() throws {
  let desk = try Desk()
  desk.plugRemote()
  _ = desk.read(at: 0)
  desk.turn(0, Code.dial, 1, at: 1)
  desk.turn(0, Code.dial, -3, at: 2)
  desk.turn(0, Code.wheel, 1, at: 3)
  #expect(desk.read(at: 4) == ["1 1", "-3 2"])
}

@Test func wheel_withFineSteps_countsTheWholeOnesOnly() throws {
  let wiring = InputDeviceWiring(name: "Knob", keys: [:], axis: "REL_WHEEL")
  let desk = try Desk([wiring])
  desk.describe(0, "Knob", axes: [Code.wheel, Code.fineWheel])
  desk.plug(0)
  _ = desk.read(at: 0)
  desk.turn(0, Code.fineWheel, 120, at: 1)
  desk.turn(0, Code.wheel, 1, at: 1)
  #expect(desk.read(at: 2) == ["1 1"])
}

@Test func dial_ofABrokenDevice_isBounded() throws {
  let desk = try Desk()
  desk.plugRemote()
  _ = desk.read(at: 0)
  desk.turn(0, Code.dial, 127, at: 1)
  desk.turn(0, Code.dial, 128, at: 2)
  desk.turn(0, Code.dial, .min, at: 3)
  #expect(desk.read(at: 4) == ["127 1", "127 2", "-127 3"])
}

@Test func device_unpluggedWithAKeyHeld_releasesItAndCostsNothingMore() throws {
  let desk = try Desk()
  desk.plugRemote()
  _ = desk.read(at: 0)
  desk.key(0, Code.up, 1, at: 5)
  #expect(desk.read(at: 6) == ["U0 5"])
  desk.unplug(0)
  #expect(desk.isReadable)
  #expect(desk.read(at: 20) == ["U1 20", "lost Remote U"])
  #expect(desk.lines == "")
  #expect(desk.levels(of: .all) == " 20")
  #expect(!desk.isReadable)
  #expect(desk.read(at: 2_000) == [])
}

@Test func device_unpluggedAtRest_releasesNothing_andIsFoundAgain() throws {
  let desk = try Desk()
  desk.plugRemote()
  _ = desk.read(at: 0)
  desk.unplug(0)
  #expect(desk.read(at: 10) == ["lost Remote "])
  #expect(desk.faults == ["input device \"Remote\" is gone"])
  desk.plugRemote()
  #expect(desk.read(at: 20) == ["found Remote UDO"])
  #expect(desk.faults == [])
  desk.key(0, Code.up, 1, at: 21)
  #expect(desk.read(at: 22) == ["U0 21"])
}

@Test func device_replacedBetweenTwoTurns_isLostAndFound() throws {
  let desk = try Desk()
  desk.plugRemote(0, name: "Remote A")
  _ = desk.read(at: 0)
  desk.unplug(0)
  desk.plugRemote(0, name: "Remote B")
  #expect(desk.read(at: 5) == ["lost Remote A ", "found Remote B UDO"])
  #expect(desk.faults == ["input device \"Remote A\" is gone"])
}

@Test func queue_thatRanOver_isHealedByTheKernelsState() throws {
  let desk = try Desk()
  desk.plugRemote()
  _ = desk.read(at: 0)
  desk.key(0, Code.up, 1, at: 1)
  #expect(desk.read(at: 2) == ["U0 1"])
  // Lost with the queue: up let go, down pressed.
  desk.overrun(0, at: 10)
  desk.key(0, Code.select, 1, at: 11)
  desk.plugRemoteState(down: [Code.down])
  #expect(desk.read(at: 20) == ["U1 20", "D0 20"])
  #expect(desk.levels(of: .all) == "U1D0O1 20")
  desk.key(0, Code.down, 0, at: 30)
  #expect(desk.read(at: 31) == ["D1 30"])
}

@Test func queue_thatRanOverWithoutADifference_makesNoEdge() throws {
  let desk = try Desk()
  desk.plugRemote()
  _ = desk.read(at: 0)
  desk.overrun(0, at: 10)
  #expect(desk.read(at: 20) == [])
  desk.key(0, Code.up, 1, at: 30)
  #expect(desk.read(at: 31) == ["U0 30"])
}

extension Desk {
  /// What the kernel says is down on the remote from now on.
  fileprivate func plugRemoteState(down: [UInt16]) {
    let keys = [Code.up, Code.down, Code.enter, Code.select]
    describe(0, "Remote", keys: keys, axes: [Code.dial], down: down)
  }
}
