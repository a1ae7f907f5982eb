import Controls
import LinuxIO
import Testing
import Ticks

@testable import InputDevices
@testable import Settings

@Test func kernelName_isOfAKeyOrAnAxis() {
  #expect(KernelName.isKnown("KEY_UP"))
  #expect(!KernelName.isKnown("KEY_UPP"))
  #expect(KernelName.isKey("KEY_UP"))
  #expect(KernelName.isKey("BTN_0"))
  #expect(!KernelName.isKey("REL_DIAL"))
  #expect(KernelName.isAxis("REL_DIAL"))
  #expect(!KernelName.isAxis("ABS_X"))
  #expect(!KernelName.isAxis(""))
}

@Test func kernelName_thatABoardFileMayHave_isKnown() {
  #expect(KeyNames.all.filter { !KernelName.isKey($0) } == [])
  #expect(InputDeviceEntry.axes.filter { !KernelName.isAxis($0) } == [])
}

@Test func key_byItsSecondName_isTheSame() throws {
  let wiring = InputDeviceWiring(name: "Remote", keys: ["KEY_ZOOM": .up], axis: nil)
  let desk = try Desk([wiring])
  desk.describe(0, "Remote", keys: [Code.fullScreen])
  desk.plug(0)
  #expect(desk.read(at: 0) == ["found Remote U"])
  desk.key(0, Code.fullScreen, 1, at: 1)
  #expect(desk.read(at: 2) == ["U0 1"])
}

@Test func pattern_withStars_fitsAnyCharacters() {
  let fitting = [
    ("rotary@11", "rotary@*"), ("rotary@", "rotary@*"), ("vc4-hdmi-0", "*hdmi*"), ("", "*"),
    ("", ""),
    ("aXbXc", "a*b*c"), ("abab", "*ab"), ("Fernsteuerung Ü", "*Ü"), ("a*b", "a*b"),
    ("abc", "a**c"),
  ]
  for (name, pattern) in fitting { #expect(NamePattern.fits(name, pattern), "\(pattern)") }
  let other = [
    ("rotary", "rotary@*"), ("abc", ""), ("abc", "ab"), ("abc", "bc"), ("abc", "a*b"), ("", "a"),
    ("Remote", "remote"), ("ab", "a*b*c"),
  ]
  for (name, pattern) in other { #expect(!NamePattern.fits(name, pattern), "\(pattern)") }
}

@Test func wiring_withAnUnknownKey_isRefusedByName() {
  let wiring = InputDeviceWiring(name: "Remote*", keys: ["KEY_UPP": .up], axis: nil)
  let expected = InputDeviceError.unknownKey("KEY_UPP", device: "Remote*")
  #expect(throws: expected) { _ = try InputDevices.open([wiring]) }
  #expect(throws: expected) { _ = try InputDeviceListing.all([wiring]) }
  #expect(
    "\(expected)"
      == "input device \"Remote*\": found \"KEY_UPP\", expected a key of the kernel such as KEY_UP")
}

@Test func wiring_withAKeyForAnAxis_isRefusedByName() {
  let wiring = InputDeviceWiring(name: "Knob", keys: [:], axis: "KEY_UP")
  let expected = InputDeviceError.unknownAxis("KEY_UP", device: "Knob")
  #expect(throws: expected) { _ = try InputDevices.open([wiring]) }
  #expect(
    "\(expected)"
      == "input device \"Knob\": found \"KEY_UP\", expected a relative axis of the kernel such as "
      + "REL_DIAL")
}

@Test func fault_ofPermission_namesOwnerGroupAndTheCure() {
  let joinable = InputDeviceFault.refused(
    node: "/dev/input/event3", name: "Remote", owner: "root", group: "input", permissions: 0o660)
  #expect(
    "\(joinable)"
      == "input device \"Remote\" (/dev/input/event3) may not be read: its owner is root, its "
      + "group input, its permissions 0660; add the user that runs timerbox to that group: "
      + "usermod -aG input USER")
  let closed = InputDeviceFault.refused(
    node: "/dev/input/event3", name: nil, owner: "root", group: "root", permissions: 0o600)
  #expect(
    "\(closed)"
      == "input device /dev/input/event3 may not be read: its owner is root, its group root, its "
      + "permissions 0600; let udev give it to a group: SUBSYSTEM==\"input\", GROUP=\"input\", "
      + "MODE=\"0660\"")
}

@Test func fault_ofAGrabOrAWatch_saysWhatFollows() {
  let notGrabbed = InputDeviceFault.notGrabbed(
    node: "/dev/input/event3", name: "Remote", errno: .invalidArgument)
  #expect(
    "\(notGrabbed)"
      == "input device \"Remote\" (/dev/input/event3) could not be taken for timerbox alone, and "
      + "its keys reach other programs too: Invalid argument")
  let notWatched = InputDeviceFault.notWatched(folder: "/dev/input", errno: .noSpace)
  #expect(
    "\(notWatched)"
      == "/dev/input cannot be watched, and input devices plugged in later go unnoticed: No space "
      + "left on device")
}

@Test func subject_ofAFault_beginsItsDescription() {
  let faults: [InputDeviceFault] = [
    .refused(node: "/dev/e0", name: "Remote", owner: "root", group: "root", permissions: 0),
    .unusable(node: "/dev/e0", name: nil, errno: .inputOutput),
    .notGrabbed(node: "/dev/e0", name: "Remote", errno: .busy), .gone(name: "Remote"),
    .notWatched(folder: "/dev/input", errno: .noSpace),
  ]
  let remote = "input device \"Remote\""
  #expect(
    faults.map(\.subject) == [remote, "input device /dev/e0", remote, remote, "/dev/input"])
  for fault in faults { #expect(fault.description.hasPrefix(fault.subject)) }
}

@Test func owner_ofANode_isNamed() throws {
  let owner = try #require(NodeOwner(of: "/dev/null"))
  #expect([owner.user, owner.group] == ["root", "root"])
  #expect(owner.permissions == 0o666)
  #expect(NodeOwner(of: "/dev/no-such-node") == nil)
}

@Test func listing_showsEachDeviceInTheOrderOfItsNumber() throws {
  let desk = try Desk()
  desk.plugRemote(10)
  desk.plugRemote(2, name: "Keyboard")
  desk.describe(3, "Remote", more: ["failing"])
  desk.plug(3)
  try desk.show(3, as: "Remote")
  let found = try InputDeviceListing.all([remoteWiring], folders: desk.folders)
  let nodes = desk.folders.nodes
  #expect(found.map(\.node) == ["\(nodes)/event2", "\(nodes)/event3", "\(nodes)/event10"])
  #expect(found.map(\.name) == ["Keyboard", "Remote", "Remote"])
  #expect(found.map { $0.lines.map { letters($0) } } == [nil, nil, "UDO"])
  #expect(found.map(\.turnsCrown) == [false, false, true])
  let fault = InputDeviceFault.unusable(
    node: "\(nodes)/event3", name: "Remote", errno: .inputOutput)
  #expect(found.map(\.fault) == [nil, fault, nil])
  #expect(desk.asked(10) == ["clock 1"])
}
