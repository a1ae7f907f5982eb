import Glibc
import Testing

@Test func board_file_givesTheConfigurationItsKeys() throws {
  let surroundings = try Surroundings()
  try surroundings.write("[button]\nlong = 300ms\n", to: "box.conf")
  try surroundings.write(
    "[board]\nname = a\nchip = simulated\n[button]\ndebounce = 100ms\ndouble = 100ms\n",
    to: "box.ini")
  let board = surroundings.path("box.ini")
  let right = try surroundings.run("check-config", surroundings.path("box.conf"), "--board", board)
  #expect(right.status == 0)
  // What the configuration says must agree with what the board says.
  try surroundings.write("[button]\ndouble = 90ms\n", to: "box.conf")
  let wrong = try surroundings.run("check-config", surroundings.path("box.conf"), "--board", board)
  #expect(wrong.status == 78)
  #expect(
    wrong.complaints
      == "timerbox: \(board):5:1: found \"button.debounce = 100ms\", expected at most "
      + "button.double (90ms)\n")
}

@Test func board_wrongFile_isRefusedWithItsPlace() throws {
  let surroundings = try Surroundings()
  try surroundings.write(
    "[board]\nname = a\nchip = auto\n[lines]\nup = 5\ndown = GPIO5\n", to: "b.ini")
  let end = try surroundings.run("run", "--board", surroundings.path("b.ini"))
  #expect(end.status == 78)
  #expect(
    end.complaints
      == "timerbox: \(surroundings.path("b.ini")):6:8: found \"GPIO5\", expected another line, for "
      + "up has this one\n")
}

@Test func board_fileThatIsNotThere_isRefused() throws {
  let end = try Surroundings().run("run", "--board", "/nowhere/board.ini")
  #expect(end.status == 78)
  #expect(end.complaints == "timerbox: /nowhere/board.ini: No such file or directory\n")
}

@Test(.enabled(if: access("/proc/device-tree", F_OK) != 0, "this machine has a device tree"))
func board_autoOnAMachineWithoutADeviceTree_saysSo() throws {
  let end = try Surroundings().run("run", "--board", "auto")
  #expect(end.status == 78)
  #expect(
    end.complaints.hasPrefix(
      "timerbox: --board auto found no device tree, expected a machine that has a board; give one "
        + "of "))
}

@Test(.enabled(if: access("board/tv.ini", R_OK) == 0, "the tests run in the source tree"))
func board_shippedName_isFoundInTheSourceTree() throws {
  let surroundings = try Surroundings()
  try surroundings.write("", to: "box.conf")
  let path = surroundings.path("box.conf")
  for name in ["raspberry-pi-4", "tv", "orange-pi-3"] {
    let end = try surroundings.run("check-config", path, "--board", name)
    #expect(end.status == 0, "\(end.complaints)")
  }
  let misspelt = try surroundings.run("check-config", path, "--board", "raspberry-pi4")
  #expect(misspelt.status == 78)
  #expect(
    misspelt.complaints.hasSuffix("or a board file; did you mean \"raspberry-pi-4\"?\n"))
}
