import Glibc
import Sessions
import Testing

private let verbs = [
  "run", "simulate", "status", "watch", "start", "pause", "resume", "stop", "discard", "skip",
  "ring", "set", "unset", "history", "sync", "kv", "sounds", "check-config", "config", "version",
]

@Test func help_ofEveryVerb_saysHowItIsUsed() throws {
  let surroundings = try Surroundings()
  let overview = try surroundings.run("--help")
  #expect(overview.status == 0)
  for verb in verbs {
    #expect(overview.output.contains("\n  \(verb) "))
    let help = try surroundings.run(verb, "--help")
    #expect(help.status == 0 && help.complaints.isEmpty)
    #expect(help.output.hasPrefix("timerbox \(verb)"))
    // Whoever asks the running box gets its configuration and its folders.
    let asks = [
      "status", "watch", "start", "pause", "resume", "stop", "discard", "skip", "ring", "set",
      "unset",
    ].contains(verb)
    #expect(help.output.contains("--config FILE") != asks && help.output.contains("--json"))
  }
}

private let historyUsage =
  "usage: timerbox history [--from DAY] [--to DAY] [--programme NAME] [--journey NAME] "
  + "[--device KIND] [--json]\n"

private let wrongUses: [(words: [String], complaint: String)] = [
  (
    ["statu"],
    "timerbox: found \"statu\", expected a verb (timerbox --help lists them); "
      + "did you mean \"status\"?\n"
  ),
  (["fuzz"], "timerbox: \"fuzz\" is not built yet in this version\n"),
  (
    ["history", "--jason"],
    "timerbox: found \"--jason\", expected an option of history; did you mean \"--json\"?\n"
      + historyUsage
  ),
  (
    ["status", "now"],
    "timerbox: found \"now\", expected nothing more\nusage: timerbox status\n"
  ),
  (
    ["pause", "--state", "/tmp"],
    "timerbox: found \"--state\", expected an option of pause\nusage: timerbox pause\n"
  ),
  (
    ["history", "--state"],
    "timerbox: --state needs a value: DIR\n" + historyUsage
  ),
  (
    ["simulate"],
    "timerbox: something is missing\nusage: timerbox simulate "
      + "FILE… [--trace FILE] [--audio FILE.wav] [--seed N] [--ticks]\n"
  ),
]

@Test(arguments: wrongUses)
func usage_wrong_isToldWithTheNearestName(words: [String], complaint: String) throws {
  let end = try Program(words, in: try Surroundings()).finish()
  #expect(end.status == 64)
  #expect(end.complaints == complaint)
}

@Test func service_notRunning_isStatus69() throws {
  let surroundings = try Surroundings()
  for verb in ["status", "watch", "start", "pause", "skip"] {
    let end = try surroundings.run(verb)
    #expect(end.status == 69)
    #expect(end.complaints == "timerbox: service not running\n")
  }
}

@Test func commands_thatCannotBe_areRefusedWithTheirReason() throws {
  let surroundings = try Surroundings()
  let service = try Service(surroundings)
  let refusals = [
    ("pause", "no sit is running"), ("resume", "no sit is running"), ("stop", "no sit is running"),
    ("discard", "no sit is running"), ("skip", "no sit is running"),
  ]
  for (verb, reason) in refusals {
    let end = try surroundings.run(verb)
    #expect(end.status == 1)
    #expect(end.complaints == "timerbox: \(reason)\n")
  }
  let wrong = try surroundings.run("start", "59s")
  #expect(wrong.status == 64)
  #expect(wrong.complaints == "timerbox: found \"59s\", expected a length from 1m to 7d\n")
  #expect(try surroundings.run("start", "25m").status == 0)
  #expect(try service.phase() == "preparing")
  #expect(try service.state("plannedSeconds").integerValue == 1_500)
  #expect(try surroundings.run("start").complaints == "timerbox: a sit is already running\n")
  #expect(try surroundings.run("skip").status == 0)
  try service.reach("running")
  #expect(try surroundings.run("pause").status == 0)
  #expect(try service.phase() == "paused")
  #expect(try surroundings.run("discard").status == 0)
  #expect(try surroundings.run("start", "--open").status == 0)
  #expect(try service.state("plannedSeconds") == .null)
  #expect(try service.program.finish(15).status == 0)
}

@Test func watch_ofAChange_printsALineForEach() throws {
  let surroundings = try Surroundings()
  let service = try Service(surroundings)
  let watcher = try Program(["watch", "--json"], in: surroundings)
  try eventually("the first line is there") { watcher.output.contains("\"phase\":\"idle\"") }
  #expect(try surroundings.run("start").status == 0)
  try eventually("the change is there") { watcher.output.contains("\"phase\":\"preparing\"") }
  #expect(try service.program.finish(15).status == 0)
  let end = try watcher.finish()
  #expect(end.status == 69)
  let lines = end.output.split(separator: "\n")
  for line in lines { #expect(throws: Never.self) { try JSONValue(parsing: Array(line.utf8)) } }
}

@Test func simulate_ofScenarios_exitsByWhatTheyShow() throws {
  let surroundings = try Surroundings()
  try surroundings.write("at 0 start 1m\nexpect bells 10s:start 1m10s:end\nend 2m\n", to: "good")
  try surroundings.write("at 5s expect phase running\nend 10s\n", to: "untrue")
  try surroundings.write("at 5s expect phas running\nend 10s\n", to: "wrong")
  let good = surroundings.path("good")
  #expect(try surroundings.run("simulate", good).status == 0)
  let untrue = try surroundings.run("simulate", good, surroundings.path("untrue"))
  #expect(untrue.status == 1)
  #expect(
    untrue.output == "\(surroundings.path("untrue")):1: expected phase running, got idle\n")
  let wrong = try surroundings.run("simulate", surroundings.path("wrong"))
  #expect(wrong.status == 65)
  let place = "\(surroundings.path("wrong")):1:14"
  #expect(wrong.complaints.hasPrefix("timerbox: \(place): found \"phas\""))
  #expect(wrong.complaints.hasSuffix("did you mean \"phase\"?\n"))
}

@Test func simulate_withAFifoForAPeer_refusesItAndDoesNotWait() throws {
  let surroundings = try Surroundings()
  mkfifo(surroundings.path("study.kv"), 0o600)
  try surroundings.write("at 1s peer study.kv\nend 1m\n", to: "fifo.scenario")
  let path = surroundings.path("fifo.scenario")
  let end = try surroundings.run("simulate", path)
  #expect(end.status == 65)
  #expect(
    end.complaints
      == "timerbox: \(path):1:12: \(surroundings.path("study.kv")): found no ordinary file\n")
}

@Test func simulate_withAudio_writesTheBellOnItsFrame() throws {
  let surroundings = try Surroundings()
  try surroundings.write(
    "set sit.preparation 0\nset bell.end.sound none\nat 2s start 1m\nend 3s\n", to: "one")
  let end = try surroundings.run(
    "simulate", surroundings.path("one"), "--audio", surroundings.path("one.wav"))
  #expect(end.status == 0)
  let bytes = surroundings.bytes("one.wav")
  #expect(bytes.prefix(4) == [0x52, 0x49, 0x46, 0x46])
  #expect(bytes.count > 44 + 30 * 48_000 * 4)
  let first = try #require(bytes.dropFirst(44).firstIndex { $0 != 0 })
  let frame = (first - 44) / 4
  // A raised-cosine onset reaches the first step of 16 bits within a millisecond or two.
  #expect(frame >= 2 * 48_000 && frame < 2 * 48_000 + 100)
}

@Test func sounds_listed_areThoseThatCanBeRendered() throws {
  let surroundings = try Surroundings()
  let list = try JSONValue(parsing: Array(try surroundings.run("sounds", "--json").output.utf8))
  let sounds = try #require(list.arrayValue)
  let bells = sounds.filter { $0.member("kind")?.stringValue == "bell" }
  #expect(sounds.count == 19 && bells.count == 15)
  #expect(
    sounds.allSatisfy { sound in
      if case .number(let seconds)? = sound.member("seconds") {
        Double(seconds) ?? 0 > 0
      } else {
        false
      }
    })
  let table = try surroundings.run("sounds").output.split(separator: "\n")
  #expect(table.count == 21 && table.last?.hasPrefix("rain ") == true)
  #expect(bells.first?.member("name")?.stringValue == "large-bowl")
  let wav = surroundings.path("bowl.wav")
  #expect(try surroundings.run("sounds", "render", "large-bowl", wav).status == 0)
  #expect(surroundings.bytes("bowl.wav").count > 30 * 48_000 * 4)
}

@Test func sounds_renderThatCannotBe_isWrongUsageAndWritesNothing() throws {
  let surroundings = try Surroundings()
  let wav = surroundings.path("out.wav")
  let misspelt = try surroundings.run("sounds", "render", "fires", wav)
  // The status that `ring` has for it too.
  #expect(misspelt.status == 64)
  #expect(misspelt.complaints.hasSuffix(", fire, rain; did you mean \"fire\"?\n"))
  for path in ["-", surroundings.path("out.mp3"), surroundings.path("out"), ".wav"] {
    let refused = try surroundings.run("sounds", "render", "rin", path)
    #expect(refused.status == 64)
    #expect(
      refused.complaints == "timerbox: found \"\(path)\", expected a file that ends in .wav\n")
  }
  for options in [["--strength", "0.5"], ["--speaker", "small"], ["--partials"]] {
    let words = ["sounds", "render", "rain", wav] + options
    let refused = try Program(words, in: surroundings).finish()
    #expect(refused.status == 64)
    #expect(
      refused.complaints.hasPrefix("timerbox: found \(options[0]), which means nothing to rain\n"))
  }
  #expect(try surroundings.run("sounds", "list", "--name", "x").status == 64)
  #expect(try surroundings.run("sounds", "add", "x.wav", "--strength", "1").status == 64)
  #expect(try surroundings.run("simulate", "none", "--audio", "x.mp3").status == 64)
  #expect(surroundings.bytes("out.wav").isEmpty && surroundings.bytes("out.mp3").isEmpty)
}

@Test func values_ofTheStore_areKeptReadAndDeleted() throws {
  let surroundings = try Surroundings()
  #expect(try surroundings.run("kv", "set", "practice.goal", "{\"days\":100}").status == 0)
  #expect(try surroundings.run("kv", "list").output == "practice.goal\n")
  #expect(try surroundings.run("kv", "get", "practice.goal").output == "{\"days\":100}\n")
  let long = String(repeating: "k", count: 65)
  let refused = try surroundings.run("kv", "set", long, "1")
  #expect(refused.status == 1 && refused.complaints.contains("64"))
  #expect(try surroundings.run("kv", "usage", "--json").output.contains("\"keys\":1,"))
  #expect(try surroundings.run("kv", "delete", "practice.goal").status == 0)
  let gone = try surroundings.run("kv", "get", "practice.goal")
  #expect(gone.status == 1 && gone.complaints == "timerbox: there is no key \"practice.goal\"\n")
}

@Test func stop_belowTheMinimum_saysThatNothingIsKept() throws {
  let surroundings = try Surroundings()
  try surroundings.write("[sit]\npreparation = 0\n", to: "box.conf")
  let service = try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")])
  #expect(try surroundings.run("start").status == 0)
  try service.reach("running")
  let stop = try surroundings.run("stop")
  #expect(stop.status == 0)
  #expect(stop.output == "the sit was shorter than sit.minimum and is not kept\n")
  #expect(try service.history().isEmpty)
  #expect(try service.program.finish(15).status == 0)
}

@Test func history_ofADamagedStore_isNoGoodAnswer() throws {
  let surroundings = try Surroundings()
  try surroundings.write("", to: "truth.kv")
  let end = try surroundings.run("history", "--state", surroundings.folder)
  #expect(end.status == 65)
  #expect(end.complaints.contains("the store is damaged, and sits may be missing here"))
}

@Test func state_thatIsNoFolder_isNamedAndIsNoEmptyHistory() throws {
  let surroundings = try Surroundings()
  for verb in ["history", "stats", "export"] {
    let end = try surroundings.run(verb, "--state", surroundings.path("none"))
    #expect(end.status == 74 && end.output == "")
    #expect(end.complaints == "timerbox: \(surroundings.path("none")): there is no such folder\n")
  }
}
