// The machine is kept awake while somebody sits, by a program that ends with the box.
import Glibc
import Testing

private let silentSit = quickSit + "[sound]\ndevice = null\n"

/// A box with a stand-in for `systemd-inhibit`, which writes down what it is told and does the
/// same: it runs a program and holds its lock for as long.
private struct Watchman {
  let surroundings: Surroundings
  let service: Service

  init(_ script: String = Watchman.holding) throws {
    surroundings = try Surroundings()
    mkdir(surroundings.path("bin"), 0o700)
    try surroundings.write(
      "#!/bin/sh\n" + script.replacing("FOLDER", with: surroundings.folder),
      to: "bin/systemd-inhibit")
    chmod(surroundings.path("bin/systemd-inhibit"), 0o700)
    try surroundings.write(silentSit, to: "box.conf")
    service = try Service(
      surroundings, words: ["run", "--config", surroundings.path("box.conf")],
      environment: ["PATH=\(surroundings.folder)/bin:/usr/bin:/bin"])
  }

  static let holding = """
    echo "begin $$ $*" >> FOLDER/log
    while [ "${1#--}" != "$1" ]; do shift; done
    "$@"
    echo "end $$" >> FOLDER/log
    """

  var lines: [String] {
    String(decoding: surroundings.bytes("log"), as: UTF8.self).split(separator: "\n").map {
      String($0)
    }
  }

  func count(_ word: String) -> Int { lines.count { $0.hasPrefix(word) } }

  /// The children of the box, zombies too.
  var children: [String] {
    let path = "/proc/\(service.program.process)/task/\(service.program.process)/children"
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 4_096)
    let count = fread(&text, 1, text.count, file)
    return String(decoding: text.prefix(count), as: UTF8.self).split(separator: " ").map {
      String($0)
    }
  }
}

@Test func sleep_whileASitRuns_isHeldOffAndLetComeAfterIt() throws {
  let watchman = try Watchman()
  #expect(watchman.lines.isEmpty)
  #expect(try watchman.surroundings.run("start").status == 0)
  try eventually("the lock is taken") { watchman.count("begin") == 1 }
  #expect(
    watchman.lines[0].hasSuffix(
      " --what=sleep --who=timerbox --why=A sit is running --mode=block cat"))
  #expect(watchman.children.count == 1 && watchman.count("end") == 0)
  #expect(try watchman.surroundings.run("stop").status == 0)
  try eventually("the lock is given back") { watchman.count("end") == 1 }
  try eventually("nothing is left of the program") { watchman.children.isEmpty }
  // And again.
  #expect(try watchman.surroundings.run("start").status == 0)
  try eventually("the lock is taken again") { watchman.count("begin") == 2 }
}

@Test func sleep_ofABoxThatIsKilled_isHeldOffNoLonger() throws {
  let watchman = try Watchman()
  #expect(try watchman.surroundings.run("start").status == 0)
  try eventually("the lock is taken") { watchman.count("begin") == 1 }
  #expect(try watchman.service.program.finish(SIGKILL).status == 137)
  try eventually("the lock is given back") { watchman.count("end") == 1 }
}

@Test func sleep_thatLogindDoesNotHoldOff_isNotAskedForAgainInTheSameSit() throws {
  let watchman = try Watchman("echo begin >> FOLDER/log\necho 'Access denied' >&2\nexit 1\n")
  #expect(try watchman.surroundings.run("start").status == 0)
  try eventually("it is refused") { watchman.count("begin") == 1 }
  try eventually("nothing is left of the program") { watchman.children.isEmpty }
  try watchman.service.reach("running")
  #expect(try watchman.surroundings.run("pause").status == 0)
  #expect(try watchman.surroundings.run("resume").status == 0)
  #expect(watchman.count("begin") == 1 && watchman.service.program.complaints.isEmpty)
  #expect(try watchman.service.faults() == [])
  #expect(try watchman.surroundings.run("stop").status == 0)
  #expect(try watchman.surroundings.run("start").status == 0)
  try eventually("the next sit asks anew") { watchman.count("begin") == 2 }
}

@Test func sleep_whereThereIsNoSuchProgram_isNobodysTrouble() throws {
  let surroundings = try Surroundings()
  try surroundings.write(silentSit, to: "box.conf")
  let service = try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")],
    environment: ["PATH=\(surroundings.folder)"])
  #expect(try surroundings.run("start").status == 0)
  try service.reach("running")
  #expect(try service.faults() == [] && service.program.complaints == "")
}
