// What the box does when something around it does not work: it says so, goes on, and loses no sit.
import Glibc
import Testing

let quickSit = "[sit]\npreparation = 0\nminimum = 0\n"

/// Starts a box whose first second of a sit is kept.
func box(_ surroundings: Surroundings, _ arguments: String...) throws -> Service {
  try surroundings.write(quickSit, to: "box.conf")
  let words = ["run", "--config", surroundings.path("box.conf")] + arguments
  return try Service(surroundings, words: words)
}

@Test func box_withoutASoundCard_saysSoAndKeepsTheSit() throws {
  let service = try box(try Surroundings())
  #expect(try service.surroundings.run("start").status == 0)
  try service.reach("running")
  try eventually("the missing card is told") {
    try service.degraded().contains {
      $0.hasPrefix("No sound ('default' ") && $0.hasSuffix("). The timer goes on.")
        && $0.utf8.count <= 80
    }
  }
  #expect(try service.surroundings.run("stop").status == 0)
  try eventually("the sit is kept") { try service.history().count == 1 }
  #expect(try service.program.finish(SIGTERM).status == 0)
}

@Test func box_withAnUnwritableStateFolder_saysSoAndGoesOn() throws {
  let surroundings = try Surroundings()
  try surroundings.write("a file, not a folder", to: "file")
  let service = try box(surroundings, "--state", surroundings.path("file/state"))
  #expect(try surroundings.run("start").status == 0)
  try service.reach("running")
  #expect(try surroundings.run("stop").status == 0)
  try eventually("the unsaved sit is told") {
    try service.degraded().contains {
      $0.hasPrefix("Not saved: ")
        && $0.hasSuffix(" Sits are kept in memory until they can be written.")
    }
  }
  let end = try service.program.finish(SIGTERM)
  #expect(end.status == 74 && end.seconds < 2)
  // It is on no disk, so it is at least in the log, whole.
  let sit = try #require(end.complaints.split(separator: "\n").last)
  #expect(sit.hasPrefix("timerbox: a sit could not be written: {"))
  #expect(sit.contains("\"plannedSeconds\":1200,") && sit.hasSuffix("}"))
}

@Test func box_withAnUnwritableStoreFolder_keepsTheSitOnTheDevice() throws {
  let surroundings = try Surroundings()
  try surroundings.write("a file, not a folder", to: "file")
  let service = try box(surroundings, "--store", surroundings.path("file/store"))
  #expect(try surroundings.run("start").status == 0)
  try service.reach("running")
  #expect(try surroundings.run("stop").status == 0)
  try eventually("the sit is kept") { try service.history().count == 1 }
  try eventually("the shared folder's fault is told") {
    try service.degraded().contains {
      $0.hasPrefix("Not shared: ") && $0.hasSuffix(" Sits are safe on this box.")
    }
  }
  // The sit is safe in the truth, so this is an end like any other.
  let end = try service.program.finish(SIGTERM)
  #expect(end.status == 0 && end.seconds < 2)
}

@Test(.enabled(if: getuid() == 0, "mounting a small disk needs root"))
func box_onAFullDisk_keepsTheSitAndSaysWhatIsWrong() throws {
  let surroundings = try Surroundings()
  let disk = surroundings.path("disk")
  mkdir(disk, 0o700)
  try #require(mount("tmpfs", disk, "tmpfs", 0, "size=64k") == 0)
  defer { umount2(disk, Int32(MNT_DETACH)) }
  let service = try box(surroundings, "--state", disk + "/state", "--store", disk + "/store")
  // Fill what is left, to the last byte.
  let filler = try #require(fopen(disk + "/filler", "w"))
  while fputc(0x20, filler) != EOF && fflush(filler) == 0 {}
  fclose(filler)
  #expect(try surroundings.run("start").status == 0)
  try service.reach("running")
  #expect(try surroundings.run("stop").status == 0)
  try eventually("the full disk is told") {
    try service.degraded().contains { $0.contains("the disk is full") }
  }
  unlink(disk + "/filler")
  let end = try service.program.finish(SIGTERM)
  #expect(end.status == 0 && end.seconds < 2)
  let history = try surroundings.run("history", "--json", "--state", disk + "/state")
  #expect(history.output.contains("\"durationSeconds\""))
}

@Test(.enabled(if: getuid() == 0, "mounting a small disk needs root"))
func box_onADiskThatStaysFull_savesTheSitInTheRoomItHasKept() throws {
  let surroundings = try Surroundings()
  let disk = surroundings.path("disk")
  mkdir(disk, 0o700)
  try #require(mount("tmpfs", disk, "tmpfs", 0, "size=8m") == 0)
  defer { umount2(disk, Int32(MNT_DETACH)) }
  let service = try box(surroundings, "--state", disk + "/state", "--store", disk + "/store")
  let filler = try #require(fopen(disk + "/filler", "w"))
  while fputc(0x20, filler) != EOF && fflush(filler) == 0 {}
  fclose(filler)
  #expect(try surroundings.run("start").status == 0)
  try service.reach("running")
  #expect(try surroundings.run("stop").status == 0)
  #expect(try service.program.finish(SIGTERM).status == 0)
  let history = try surroundings.run("history", "--json", "--state", disk + "/state")
  #expect(history.output.contains("\"durationSeconds\""))
}

// SIGTERM leaves it to the next start: see JournalLifeTests.
@Test func box_interruptedInMidSit_endsWithinTwoSecondsAndKeepsIt() throws {
  for signal in [SIGINT, SIGQUIT] {
    let service = try box(try Surroundings())
    #expect(try service.surroundings.run("start").status == 0)
    try service.reach("running")
    let end = try service.program.finish(signal)
    #expect(end.status == 0)
    #expect(end.seconds < 2)
    let sits = try service.history()
    #expect(sits.count == 1)
    #expect(sits.first?.member("completed")?.boolValue == false)
    #expect(sits.first?.member("plannedSeconds")?.integerValue == 1_200)
  }
}

@Test func box_onATakenStateFolder_triesAgainLater() throws {
  let service = try box(try Surroundings())
  let second = try service.surroundings.run("run")
  #expect(second.status == 75)
  #expect(second.complaints.contains(service.surroundings.path("state")))
  // What changes the store asks the box that has it.
  let set = try service.surroundings.run("kv", "set", "practice.goal", "1")
  #expect(set.status == 0)
  #expect(try service.surroundings.run("kv", "get", "practice.goal").output == "1\n")
  #expect(try service.phase() == "idle")
}

@Test func box_whileAVerbHasTheStateFolder_runsAndKeepsItsSitAfterIt() throws {
  let surroundings = try Surroundings()
  #expect(try surroundings.run("kv", "set", "a", "1").status == 0)
  let lock = open(surroundings.path("state/timerbox/state/lock"), O_RDWR | O_CLOEXEC)
  #expect(flock(lock, LOCK_EX) == 0)
  let service = try box(surroundings)
  try eventually("it is said") {
    try service.degraded().contains { $0.hasPrefix("Not saved: another") }
  }
  #expect(try surroundings.run("start").status == 0)
  try service.reach("running")
  close(lock)
  #expect(try surroundings.run("stop").status == 0)
  try eventually("the sit is kept") { try service.history().count == 1 }
  #expect(try service.program.finish(SIGTERM).status == 0)
}

@Test func configuration_wrong_isRefusedWithItsPlace() throws {
  let surroundings = try Surroundings()
  try surroundings.write("[sit]\npreparaton = 5s\n", to: "box.conf")
  for verb in [["run", "--config"], ["check-config"]] {
    let end = try Program(verb + [surroundings.path("box.conf")], in: surroundings).finish()
    #expect(end.status == 78)
    #expect(
      end.complaints == """
        timerbox: \(surroundings.path("box.conf")):2:1: found "preparaton", expected length, \
        preparation, minimum, overtime, overtime-limit, open-limit or recover in [sit]; \
        did you mean "preparation"?

        """)
  }
}

@Test func configuration_namedAndMissing_isRefused() throws {
  let end = try Surroundings().run("run", "--config", "/nowhere/box.conf")
  #expect(end.status == 78)
  #expect(end.complaints == "timerbox: /nowhere/box.conf: No such file or directory\n")
}

@Test func board_unknown_isRefused() throws {
  let end = try Surroundings().run("run", "--board", "simulatd")
  #expect(end.status == 78)
  #expect(end.complaints.hasPrefix("timerbox: found the board \"simulatd\", expected auto, "))
  #expect(
    end.complaints.hasSuffix("simulated or a board file; did you mean \"simulated\"?\n")
      || end.complaints.hasSuffix("tv or a board file; did you mean \"simulated\"?\n"))
}

@Test func history_ofWhatIsNoFile_isRefusedAtOnce() throws {
  let surroundings = try Surroundings()
  mkfifo(surroundings.path("truth.kv"), 0o600)
  let end = try surroundings.run("history", "--state", surroundings.folder)
  #expect(end.status == 74)
  let reason = "is no ordinary file, and nothing else is read as a store"
  #expect(end.complaints == "timerbox: \(surroundings.path("truth.kv")) \(reason)\n")
}
