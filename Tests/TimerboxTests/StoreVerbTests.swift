// The verbs that look at the store and change it, beside a running box and without one.
import Glibc
import Sessions
import Testing

private func object(_ text: String) throws -> JSONValue {
  try JSONValue(parsing: Array(text.utf8.dropLast()))
}

@Suite struct KeyValueTests {
  @Test(arguments: [true, false]) func sets_fromTwentyProcesses_allSucceed(hasBox: Bool) throws {
    let surroundings = try Surroundings()
    let service = hasBox ? try box(surroundings) : nil
    let programs = try (0..<20).map {
      try Program(["kv", "set", "key-\($0)", "{\"n\":\($0)}"], in: surroundings)
    }
    for program in programs {
      let finished = try program.finish()
      #expect(finished.status == 0 && finished.complaints == "")
    }
    let list = try surroundings.run("kv", "list", "--json")
    let rows = try #require(object(list.output).arrayValue)
    #expect(rows.count == 20)
    #expect(
      rows.first
        == .object(of: [
          JSONMember("bytes", .integer(7)), JSONMember("key", .string("key-0")),
        ]))
    if let service { #expect(try service.program.finish(SIGTERM).status == 0) }
    #expect(try surroundings.run("kv", "get", "key-19").output == "{\"n\":19}\n")
  }

  @Test func keys_ofOddCharacters_areSetListedAndDeleted() throws {
    let surroundings = try Surroundings()
    for key in ["a b", "line\nfeed", "--flag", "\u{E9}", "e\u{301}"] {
      #expect(try surroundings.run("kv", "set", "--", key, "1").status == 0)
    }
    let list = try surroundings.run("kv", "list").output
    #expect(list == "--flag\na b\ne\u{301}\n\"line\\nfeed\"\n\u{E9}\n")
    #expect(try surroundings.run("kv", "delete", "--", "line\nfeed").status == 0)
    let gone = try surroundings.run("kv", "get", "--", "line\nfeed")
    #expect(gone.status == 1 && gone.complaints == "timerbox: there is no key \"line\\nfeed\"\n")
    let empty = try surroundings.run("kv", "set", "", "1")
    #expect(empty.status == 1)
    #expect(empty.complaints == "timerbox: a key needs at least one character\n")
  }

  @Test(arguments: [true, false])
  func value_overTheCap_isRefusedAsASentenceWithTheWord(hasBox: Bool) throws {
    let surroundings = try Surroundings()
    let service = hasBox ? try box(surroundings) : nil
    let key = String(repeating: "k", count: 65)
    let long = try surroundings.run("kv", "set", key, "1")
    #expect(long.status == 1)
    #expect(
      long.complaints
        == "timerbox: the key has 65 bytes of UTF-8, 64 are allowed (quotaViolation)\n")
    // Two bytes over the cap, with its quotes, and more than is read of standard input.
    for count in [1_048_576, 2_200_000] {
      let end = try surroundings.set("big", to: "\"\(String(repeating: "x", count: count))\"")
      #expect(end.status == 1)
      #expect(end.complaints.hasPrefix("timerbox: the store would need "))
      #expect(end.complaints.hasSuffix(" 983040 are allowed for this (quotaViolation)\n"))
    }
    #expect(try surroundings.run("kv", "list").output == "")
    if let service { #expect(try service.program.finish(SIGTERM).status == 0) }
  }
}

extension Surroundings {
  /// Sets a key to what a file holds, given as standard input.
  fileprivate func set(_ key: String, to value: String) throws -> Finished {
    try write(value, to: "value")
    try write("", to: "output")
    return try Program(
      ["kv", "set", key, "-"], in: self, terminal: path("value"), output: path("output")
    ).finish()
  }
}

/// A socket that takes callers, and answers at once that there is none.
private func listen(at path: String) throws -> Int32 {
  let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  #expect(fcntl(listener, F_SETFL, O_NONBLOCK) == 0)
  var address = sockaddr_un()
  address.sun_family = UInt16(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let isBound = withUnsafePointer(to: &address) { pointer in
    // Safety: every address of a socket begins as `sockaddr` does, and its length is given.
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
    }
  }
  try #require(isBound && Glibc.listen(listener, 4) == 0)
  return listener
}

@Suite struct TruthTests {
  @Test func mainFile_missingOrDamaged_isReadFromTheOneBeforeIt() throws {
    let surroundings = try Surroundings()
    for key in ["a", "b", "c"] {
      #expect(try surroundings.run("kv", "set", key, "1").status == 0)
    }
    let truth = "state/timerbox/state/truth.kv"
    let path = surroundings.path(truth)
    let name = try #require(surroundings.bytes(truth).split(separator: 0x0A).first)
    try surroundings.write(String(decoding: name, as: UTF8.self) + "\n", to: truth)
    let damaged = try surroundings.run("kv", "list")
    #expect(damaged.output == "a\nb\n")
    #expect(damaged.complaints.hasPrefix("timerbox: \(path): line "))
    #expect(try surroundings.run("history").status == 65)
    #expect(unlink(path) == 0)
    let missing = try surroundings.run("kv", "list")
    #expect(missing.output == "a\nb\n")
    #expect(missing.complaints == "timerbox: \(path) is missing\n")
    let history = try surroundings.run("history")
    #expect(history.status == 65 && history.complaints.contains("sits may be missing"))
  }

  @Test(arguments: [true, false])
  func value_thatNeedsMostBytesOnTheSocket_isKept(hasBox: Bool) throws {
    let surroundings = try Surroundings()
    let service = hasBox ? try box(surroundings) : nil
    let value = "\"" + String(repeating: "\\\"", count: 490_000) + "\""
    let end = try surroundings.set("quotes", to: value)
    #expect(end.status == 0 && end.complaints == "")
    #expect(try surroundings.run("kv", "get", "quotes").output == value + "\n")
    if let service { #expect(try service.program.finish(SIGTERM).status == 0) }
  }
}

@Suite struct SyncTests {
  @Test func folder_thatIsTheStateFolderOrNone_isRefused() throws {
    let surroundings = try Surroundings()
    let state = surroundings.path("state/timerbox/state")
    #expect(try surroundings.run("kv", "set", "a", "1").status == 0)
    #expect(symlink(state, surroundings.path("link")) == 0)
    for path in [state, state + "/", surroundings.path("link")] {
      let end = try surroundings.run("sync", path)
      #expect(end.status == 64 && end.complaints.contains("DIR is the state folder"))
      let stored = try surroundings.run("kv", "set", "a", "2", "--store", path)
      #expect(stored.status == 64)
      #expect(stored.complaints.contains("--store: the shared folder is the state folder"))
    }
    try surroundings.write("[store]\nfolder = \(state)\n", to: "conf")
    let conf = try surroundings.run("sync", "--config", surroundings.path("conf"))
    #expect(conf.status == 78 && conf.complaints.contains("[store] folder"))
    let none = try surroundings.run("sync", "")
    #expect(none.status == 64 && none.complaints.contains("found \"\", expected a DIR"))
    #expect(try surroundings.run("kv", "get", "a").output == "1\n")
  }

  @Test func service_thatEndsBeforeItAnswers_isAskedOnceAndSaid() throws {
    let surroundings = try Surroundings()
    #expect(try surroundings.run("kv", "set", "a", "1").status == 0)
    let file = open(surroundings.path("state/timerbox/state/lock"), O_RDWR | O_CLOEXEC)
    #expect(flock(file, LOCK_EX) == 0)
    let number = Array("\(getpid())\n".utf8)
    #expect(ftruncate(file, 0) == 0 && pwrite(file, number, number.count, 0) == number.count)
    let listener = try listen(at: surroundings.path("run/control.sock"))
    let program = try Program(["kv", "set", "b", "2"], in: surroundings)
    var client: Int32 = -1
    try eventually("it asks") {
      client = accept(listener, nil, nil)
      return client >= 0
    }
    close(client)
    let end = try program.finish()
    #expect(end.status == 74)
    #expect(end.complaints.contains("whether it did what was asked is not known"))
    // Nobody else has called.
    #expect(accept(listener, nil, nil) == -1)
    close(listener)
    close(file)
  }

  @Test(arguments: [true, false]) func stick_bothWays_bringsSitsAndTakesThem(hasBox: Bool) throws {
    let (here, there) = (try Surroundings(), try Surroundings())
    mkdir(here.path("stick"), 0o700)
    let stick = here.path("stick")
    #expect(try there.run("kv", "set", "there", "1").status == 0)
    #expect(try there.run("sync", stick).status == 0)
    let service = hasBox ? try box(here) : nil
    let first = try here.run("sync", stick, "--adopt", "--json")
    #expect(first.status == 0 && first.complaints == "")
    let outcome = try object(first.output)
    #expect(outcome.member("changedKeys") == .array([.string("there")]))
    #expect(outcome.member("isShared") == .bool(true))
    #expect(try here.run("kv", "get", "there").output == "1\n")
    #expect(try here.run("kv", "set", "here", "2").status == 0)
    #expect(try here.run("sync", stick).output.hasSuffix("wrote our copy\n"))
    #expect(try here.run("sync", stick).output.hasSuffix("our copy is up to date\n"))
    #expect(try there.run("sync", stick).status == 0)
    #expect(try there.run("kv", "list").output == "here\nthere\n")
    if let service { #expect(try service.program.finish(SIGTERM).status == 0) }
  }

  @Test(arguments: [true, false]) func folder_thatIsNone_isSaidAndTheRestIsDone(hasBox: Bool) throws
  {
    let surroundings = try Surroundings()
    let service = hasBox ? try box(surroundings) : nil
    try surroundings.write("a file", to: "file")
    let file = try surroundings.run("sync", surroundings.path("file"))
    #expect(file.status == 74)
    #expect(file.complaints.hasPrefix("timerbox: \(surroundings.path("file")) is no folder ("))
    #expect(file.output.hasPrefix("0 sits, none of them new\n"))
    let none = try surroundings.run("sync", surroundings.path("none"))
    #expect(none.status == 74)
    #expect(none.complaints.hasPrefix("timerbox: \(surroundings.path("none")) is not there ("))
    #expect(access(surroundings.path("none"), F_OK) != 0)
    if let service {
      // A stick that cannot be used is no fault of the box.
      #expect(try !service.degraded().contains { $0.hasPrefix("Not shared") })
      #expect(try service.program.finish(SIGTERM).status == 0)
    }
  }

  @Test func box_whileAnotherWritesIntoItsFolder_mergesAndShowsIt() throws {
    let (here, there) = (try Surroundings(), try Surroundings())
    let shared = here.path("shared")
    mkdir(shared, 0o700)
    let service = try box(here, "--store", shared)
    #expect(try there.run("kv", "set", "there", "1", "--store", shared).status == 0)
    try eventually("the other's key is here") { try here.run("kv", "get", "there").output == "1\n" }
    try eventually("the other's copy is shown") {
      try service.state("store").member("peers")?.arrayValue?.count == 1
    }
    let store = try service.state("store")
    #expect(store.member("keys") == .integer(1))
    #expect(store.member("isVolatile") == .bool(false))
    let lines = try here.run("status").output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1].hasPrefix("store · 0 sits · 1 key · 0 % full"))
    #expect(try service.program.finish(SIGTERM).status == 0)
  }

  @Test func lock_heldByAProcessThatIsNoService_isWaitedForAndSaid() throws {
    let surroundings = try Surroundings()
    #expect(try surroundings.run("kv", "set", "a", "1").status == 0)
    let path = surroundings.path("state/timerbox/state/lock")
    let file = open(path, O_RDWR | O_CLOEXEC)
    #expect(flock(file, LOCK_EX) == 0)
    let waiting = try Program(["kv", "set", "b", "2"], in: surroundings)
    // A single try to lock lasts a fifth of a second.
    var looks = 0
    try eventually("it was often seen waiting") {
      looks += waiting.hasOpen(path) ? 1 : 0
      return looks == 50
    }
    close(file)
    #expect(try waiting.finish().status == 0)
    #expect(try surroundings.run("kv", "list").output == "a\nb\n")
  }
}

/// Reports of others' stores (the number is that of the report), on the binary itself.
@Suite struct StoreReportTests {
  @Test func report05_boxKilledRightAfterItSaidSaved_hasWhatItSaid() throws {
    let surroundings = try Surroundings()
    let service = try box(surroundings)
    for number in 0..<5 {
      #expect(try surroundings.run("kv", "set", "key", "\(number)").status == 0)
    }
    #expect(try service.program.finish(SIGKILL).status == 128 + SIGKILL)
    #expect(try surroundings.run("kv", "get", "key").output == "4\n")
  }

  @Test func report06_choiceAndSit_areKeptWithoutACleanExit() throws {
    let surroundings = try Surroundings()
    let service = try box(surroundings)
    #expect(try surroundings.run("start").status == 0)
    try service.reach("running")
    #expect(try surroundings.run("stop").status == 0)
    try eventually("the sit is kept") { try service.history().count == 1 }
    #expect(try service.program.finish(SIGKILL).status == 128 + SIGKILL)
    #expect(try service.history().count == 1)
  }

  @Test func report12_textThatLooksBroken_isNoDamage() throws {
    let (here, there) = (try Surroundings(), try Surroundings())
    mkdir(here.path("stick"), 0o700)
    let values = [
      "\"}{ {} }}\"", "\"\\\"quotes\\\" and \\\\\"", "\"\\u0000\"", "\"\u{1F9D8}\u{200D}\u{2642}\"",
      "[[[\"]]\"]]]", "{\"\":\"}\\n{\"}",
    ]
    for (number, value) in values.enumerated() {
      #expect(try here.run("kv", "set", "}\"{\(number)", value).status == 0)
    }
    #expect(try here.run("sync", here.path("stick")).status == 0)
    let brought = try there.run("sync", here.path("stick"), "--adopt")
    #expect(brought.status == 0 && brought.complaints == "")
    for number in values.indices {
      let mine = try here.run("kv", "get", "}\"{\(number)")
      let theirs = try there.run("kv", "get", "}\"{\(number)")
      #expect(mine.status == 0 && mine.complaints == "")
      #expect(mine.output == theirs.output)
    }
  }

  @Test func report16_readOnlyStateFolder_isSaidAndTheBoxRuns() throws {
    let surroundings = try Surroundings()
    try surroundings.write("a file where the folder should be", to: "blocked")
    let service = try box(surroundings, "--state", surroundings.path("blocked/state"))
    #expect(try surroundings.run("start").status == 0)
    try service.reach("running")
    try eventually("it is said") {
      try service.degraded().contains { $0.hasPrefix("Not saved: ") }
    }
  }
}
