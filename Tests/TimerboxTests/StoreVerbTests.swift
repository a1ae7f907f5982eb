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
    #expect(try surroundings.run("kv", "list").output == "")
    if let service { #expect(try service.program.finish(SIGTERM).status == 0) }
  }
}

@Suite struct SyncTests {
  @Test(arguments: [true, false]) func stick_bothWays_bringsSitsAndTakesThem(hasBox: Bool) throws {
    let (here, there) = (try Surroundings(), try Surroundings())
    mkdir(here.path("stick"), 0o700)
    let stick = here.path("stick")
    #expect(try there.run("kv", "set", "there", "1").status == 0)
    #expect(try there.run("sync", stick).status == 0)
    let service = hasBox ? try box(here) : nil
    let first = try here.run("sync", stick, "--json")
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
    let file = open(path, O_RDWR)
    #expect(flock(file, LOCK_EX) == 0)
    let waiting = try Program(["kv", "set", "b", "2"], in: surroundings)
    usleep(1_000_000)
    close(file)
    #expect(try waiting.finish().status == 0)
    #expect(try surroundings.run("kv", "list").output == "a\nb\n")
  }
}
