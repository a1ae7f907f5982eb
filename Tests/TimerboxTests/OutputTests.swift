// What the verbs say where something is not as it should be: an output that takes nothing, a
// configuration that is not there, a store that was damaged.
import Glibc
import Testing

private let printing: [[String]] = [
  ["history", "--json"], ["kv", "usage"], ["version"], ["sounds", "--json"], ["--help"],
]

@Test(arguments: printing)
func output_onAFullDisk_isAnErrorAndNotSilence(words: [String]) throws {
  let surroundings = try Surroundings()
  // Every write to this device fails as on a full disk (full(4)).
  let end = try Program(words, in: surroundings, terminal: "/dev/full").finish()
  #expect(end.status == 74)
  #expect(end.complaints == "timerbox: standard output: No space left on device\n")
}

@Test func configuration_checked_isSaidToBeInOrderOnlyWhereItIs() throws {
  let surroundings = try Surroundings()
  try surroundings.write("[sit]\nlength = 25m\n", to: "box.conf")
  let path = surroundings.path("box.conf")
  #expect(try surroundings.run("check-config", path).output == "\(path): in order\n")
  let usual = "/etc/timerbox/timerbox.conf"
  let words = access(usual, F_OK) == 0 ? "in order" : "not there; the defaults hold"
  #expect(try surroundings.run("check-config").output == "\(usual): \(words)\n")
}

@Test func store_damaged_isToldByWhoChangesIt() throws {
  let surroundings = try Surroundings()
  #expect(try surroundings.run("kv", "set", "practice.goal", "100").status == 0)
  let truth = surroundings.path("state/timerbox/state/truth.kv")
  let file = try #require(fopen(truth, "a"))
  fputs("not a line of a store\n", file)
  fclose(file)
  let end = try surroundings.run("kv", "set", "practice.room", "\"east\"")
  #expect(end.status == 0)
  #expect(end.complaints.hasPrefix("timerbox: truth.kv was damaged in "))
  #expect(end.complaints.hasSuffix("; the damaged file is kept as \(truth).damaged-1\n"))
  #expect(try surroundings.run("kv", "get", "practice.goal").output == "100\n")
  #expect(try surroundings.run("kv", "get", "practice.room").output == "\"east\"\n")
}

@Test func value_setWhereTheSharedFolderIsAway_isKeptAndToldOnce() throws {
  let surroundings = try Surroundings()
  let store = surroundings.path("disk/store")
  let end = try surroundings.run("kv", "set", "practice.goal", "1", "--store", store)
  #expect(end.status == 0)
  #expect(end.complaints == "timerbox: \(surroundings.path("disk")) is not there\n")
  #expect(try surroundings.run("kv", "get", "practice.goal").output == "1\n")
}

@Test func value_setWhereTheSharedFolderIsBelowAFile_isKeptAndToldOnce() throws {
  let surroundings = try Surroundings()
  try surroundings.write("a file, not a folder", to: "file")
  let file = surroundings.path("file")
  let end = try surroundings.run("kv", "set", "practice.goal", "1", "--store", "\(file)/store")
  #expect(end.status == 0)
  #expect(
    end.complaints
      == "timerbox: \(file) is no folder (stat \(file): Not a directory)\n")
  #expect(try surroundings.run("kv", "get", "practice.goal").output == "1\n")
}
