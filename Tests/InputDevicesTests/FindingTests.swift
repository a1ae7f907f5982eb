import Controls
import InputDevices
import LinuxIO
import Settings
import Testing
import Ticks

@Test func device_thatFitsByNameAndKeys_isFoundGrabbedAndStampsMonotonic() throws {
  let desk = try Desk()
  desk.plugRemote(name: "TV Remote CEC")
  #expect(desk.isReadable)
  #expect(desk.read(at: 0) == ["found TV Remote CEC UDO"])
  #expect(desk.asked(0) == ["clock 1", "grab"])
  #expect(desk.lines == "UDO")
  #expect(!desk.isReadable)
}

@Test func device_ofAnotherName_isLeftAlone() throws {
  let desk = try Desk()
  desk.plugRemote(name: "Keyboard")
  #expect(desk.read(at: 0) == [])
  #expect(desk.asked(0) == ["clock 1"])
  #expect(desk.lines == "")
}

@Test func wirings_thatAreNone_openNothingAndNeverWakeTheLoop() throws {
  let desk = try Desk([])
  desk.plugRemote()
  #expect(desk.read(at: 0) == [])
  #expect(desk.asked(0) == [])
  desk.plugRemote(1)
  #expect(!desk.isReadable)
}

@Test func device_withoutAnyMappedKey_isLeftAlone() throws {
  let desk = try Desk()
  desk.describe(0, "Remote", keys: [Code.power], axes: [Code.wheel])
  desk.plug(0)
  #expect(desk.read(at: 0) == [])
}

@Test func device_withTheAxisAlone_isFound() throws {
  let desk = try Desk()
  desk.describe(0, "Remote", axes: [Code.dial])
  desk.plug(0)
  #expect(desk.read(at: 0) == ["found Remote "])
}

@Test func device_thatTwoWiringsFit_playsTheFirst() throws {
  let other = InputDeviceWiring(name: "Remote", keys: ["KEY_UP": .down], axis: nil)
  let desk = try Desk([other, remoteWiring])
  desk.plugRemote()
  #expect(desk.read(at: 0) == ["found Remote D"])
}

@Test func device_thatAnotherProgramHolds_isNamed_andItsKeysStillCount() throws {
  let desk = try Desk()
  desk.describe(0, "Remote", keys: [Code.up], more: ["busy"])
  desk.plug(0)
  #expect(desk.read(at: 0) == ["found Remote U"])
  let held =
    "input device \"Remote\" (\(desk.folders.nodes)/event0) is held by another program, and its "
    + "keys come only once that one lets go"
  #expect(desk.faults == [held])
  desk.key(0, Code.up, 1, at: 5)
  #expect(desk.read(at: 6) == ["U0 5"])
  #expect(desk.faults == [held])
}

@Test func device_thatAnotherProgramLetsGo_isGrabbedWithItsFirstKey() throws {
  let desk = try Desk()
  desk.describe(0, "Remote", keys: [Code.up], more: ["busy"])
  desk.plug(0)
  _ = desk.read(at: 0)
  desk.describe(0, "Remote", keys: [Code.up])
  #expect(desk.read(at: 1) == [])
  #expect(desk.faults.count == 1)
  desk.key(0, Code.up, 1, at: 5)
  #expect(desk.read(at: 6) == ["U0 5"])
  #expect(desk.faults == [])
  #expect(desk.asked(0) == ["clock 1", "grab"])
}

@Test func device_thatAnotherProgramLetsGo_isGrabbedWhenNodesChange() throws {
  let desk = try Desk()
  desk.describe(0, "Remote", keys: [Code.up], more: ["busy"])
  desk.plug(0)
  _ = desk.read(at: 0)
  desk.describe(0, "Remote", keys: [Code.up])
  desk.plugRemote(1, name: "Keyboard")
  #expect(desk.read(at: 1) == [])
  #expect(desk.faults == [])
}

@Test func device_heldAndUnplugged_isGoneAndNotHeld() throws {
  let desk = try Desk()
  desk.describe(0, "Remote", keys: [Code.up], more: ["busy"])
  desk.plug(0)
  _ = desk.read(at: 0)
  desk.unplug(0)
  _ = desk.read(at: 1)
  #expect(desk.faults == ["input device \"Remote\" is gone"])
}

@Test func device_withAPowerKey_isSharedAndNoFault() throws {
  let desk = try Desk()
  desk.describe(0, "Remote", keys: [Code.up, Code.power])
  desk.plug(0)
  #expect(desk.read(at: 0) == ["found Remote U"])
  #expect(desk.faults == [])
  #expect(desk.asked(0) == ["clock 1"])
  desk.key(0, Code.power, 1, at: 5)
  desk.key(0, Code.up, 1, at: 6)
  #expect(desk.read(at: 7) == ["U0 6"])
}

@Test func device_whosePowerKeyIsMapped_isGrabbed() throws {
  let wiring = InputDeviceWiring(name: "Remote", keys: ["KEY_POWER": .back], axis: nil)
  let desk = try Desk([wiring])
  desk.describe(0, "Remote", keys: [Code.power])
  desk.plug(0)
  #expect(desk.read(at: 0) == ["found Remote K"])
  #expect(desk.asked(0) == ["clock 1", "grab"])
}

@Test func node_thatMayNotBeRead_isAFaultAfterASecondUntilItGoes() throws {
  let desk = try Desk()
  desk.plugRemote()
  try desk.show(0, as: "Remote")
  desk.setPermissions(0, 0)
  let owner = Machine.user == 0 ? "root" : nil
  asNobody {
    #expect(desk.read(at: 0) == [])
    #expect(desk.read(at: 999) == [])
    #expect(desk.faults == [])
    #expect(desk.read(at: 1_000) == [])
    let beginning = "input device \"Remote\" (\(desk.folders.nodes)/event0) may not be read: "
    for at in [1_000, 3_000] {
      #expect(desk.read(at: at) == [])
      #expect(desk.faults.count == 1)
      #expect(desk.faults.first?.hasPrefix(beginning + "its owner is \(owner ?? "")") == true)
    }
    #expect(!desk.isReadable)
  }
  desk.unplug(0)
  #expect(desk.isReadable)
  #expect(desk.read(at: 4_000) == [])
  #expect(desk.faults == [])
  #expect(!desk.isReadable)
}

@Test func node_thatMayBeReadLater_isNoFaultFromThenOn() throws {
  let desk = try Desk()
  desk.plugRemote()
  try desk.show(0, as: "Remote")
  desk.setPermissions(0, 0)
  asNobody {
    _ = desk.read(at: 0)
    _ = desk.read(at: 1_000)
    #expect(desk.faults.count == 1)
  }
  desk.setPermissions(0, 0o644)
  asNobody {
    #expect(desk.read(at: 1_001) == ["found Remote UDO"])
    #expect(desk.faults == [])
  }
}

@Test func device_thatIsBackAndMayNotBeRead_isRefusedAndNotGone() throws {
  let desk = try Desk()
  desk.plugRemote()
  _ = desk.read(at: 0)
  desk.unplug(0)
  _ = desk.read(at: 1)
  desk.plugRemote(1)
  try desk.show(1, as: "Remote")
  desk.setPermissions(1, 0)
  asNobody {
    _ = desk.read(at: 2)
    #expect(desk.faults == ["input device \"Remote\" is gone"])
    _ = desk.read(at: 1_002)
    #expect(desk.faults.count == 1)
    #expect(desk.faults.first?.contains(" may not be read: ") == true)
  }
}

@Test func node_thatNoWiringMeans_isNotNamed() throws {
  let desk = try Desk()
  desk.plugRemote(name: "Keyboard")
  try desk.show(0, as: "Keyboard")
  desk.setPermissions(0, 0)
  asNobody {
    #expect(desk.read(at: 0) == [])
    #expect(desk.read(at: 1_000) == [])
    #expect(desk.faults == [])
  }
}

@Test func node_whosePermissionsComeLater_isFoundThenAndNeverNamed() throws {
  let desk = try Desk()
  try desk.show(0, as: "Remote")
  asNobody { #expect(desk.read(at: 0) == []) }
  desk.describe(0, "Remote", keys: [Code.up])
  desk.plug(0, permissions: 0o600)
  desk.setPermissions(0, 0)
  asNobody { #expect(desk.read(at: 10) == []) }
  desk.setPermissions(0, 0o644)
  #expect(desk.isReadable)
  asNobody {
    #expect(desk.read(at: 20) == ["found Remote U"])
    #expect(desk.read(at: 2_000) == [])
    #expect(desk.faults == [])
  }
}

@Test func node_thatIsNoInputDevice_isNamedWithItsError() throws {
  let desk = try Desk()
  desk.describe(3, "Remote", more: ["failing"])
  desk.plug(3)
  try desk.show(3, as: "Remote")
  #expect(desk.read(at: 0) == [])
  #expect(desk.faults == [])
  #expect(desk.read(at: 1_000) == [])
  #expect(
    desk.faults == [
      "input device \"Remote\" (\(desk.folders.nodes)/event3) cannot be used: Input/output error"
    ])
}

@Test func device_pluggedInLater_wakesTheLoopAndIsFound() throws {
  let desk = try Desk()
  #expect(desk.read(at: 0) == [])
  #expect(!desk.isReadable)
  desk.plugRemote(4)
  #expect(desk.isReadable)
  #expect(desk.read(at: 5) == ["found Remote UDO"])
  desk.key(4, Code.down, 1, at: 6)
  #expect(desk.isReadable)
  #expect(desk.read(at: 7) == ["D0 6"])
  #expect(!desk.isReadable)
}

@Test func folder_thatAppearsWithTheFirstDevice_isFound() throws {
  let desk = try Desk(hasNodes: false)
  #expect(desk.read(at: 0) == [])
  #expect(!desk.isReadable)
  try Files.makeFolder(desk.folders.nodes)
  #expect(desk.isReadable)
  #expect(desk.read(at: 1) == [])
  desk.plugRemote()
  #expect(desk.isReadable)
  #expect(desk.read(at: 2) == ["found Remote UDO"])
}

@Test func fileOfAnotherName_beside_isNoDevice() throws {
  let desk = try Desk()
  #expect(desk.read(at: 0) == [])
  for name in ["mouse0", "event", "eventful", "event1.bak", "js0"] {
    try Files.makeFolder(desk.folders.nodes + "/" + name)
  }
  #expect(desk.read(at: 1) == [])
  #expect(desk.read(at: 1_001) == [])
}
