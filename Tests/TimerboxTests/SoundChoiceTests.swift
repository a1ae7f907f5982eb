// What is heard, as a person sets it: volumes, the card, a bell by command, recordings.
import Glibc
import Sessions
import Testing

@Test func choices_setByCommand_areAppliedAtOnceAndKept() throws {
  let surroundings = try Surroundings()
  let service = try Service(surroundings)
  for words in [["volume", "35"], ["volume.end", "20"], ["sound.device", "null"]] {
    #expect(try surroundings.run("set", words[0], words[1]).status == 0)
  }
  #expect(try service.state("volume").integerValue == 35)
  #expect(try service.state("roleVolumes").member("end")?.integerValue == 20)
  #expect(try service.program.finish(SIGTERM).status == 0)
  let kept = String(decoding: surroundings.bytes("state/timerbox/state/settings"), as: UTF8.self)
  #expect(
    kept
      == "# timerbox 0.1.0\n[settings]\nvolume = 35\nvolume.end = 20\nsound.device = null\n")
  let again = try Service(surroundings)
  #expect(try again.state("roleVolumes").member("end")?.integerValue == 20)
  for key in ["volume", "volume.end", "sound.device"] {
    #expect(try surroundings.run("unset", key).status == 0)
  }
  #expect(try again.state("volume").integerValue == 60)
  #expect(try again.state("roleVolumes").members?.isEmpty == true)
  #expect(try again.program.finish(SIGTERM).status == 0)
  let rest = String(decoding: surroundings.bytes("state/timerbox/state/settings"), as: UTF8.self)
  #expect(rest == "# timerbox 0.1.0\n[settings]\nvolume = 60\n")
}

@Test func choices_wrong_areRefusedWithTheNearestNameOrWhatIsAllowed() throws {
  let surroundings = try Surroundings()
  let cases: [(words: [String], status: Int32, complaint: String)] = [
    (["set", "volume.ned", "5"], 64, "did you mean \"volume.end\"?"),
    (["set", "volume", "101"], 65, "found \"101\", expected a whole number from 0 to 100"),
    (["set", "sound.device", "hw:0"], 65, "such as default or hw:CARD=DAC"),
    (["unset", "volum"], 64, "did you mean \"volume\"?"),
    (["set", "volume"], 64, "something is missing"),
    (["set", "volume", "5"], 69, ""), (["unset", "volume"], 69, ""), (["ring"], 69, ""),
  ]
  for (words, status, complaint) in cases {
    let end = try Program(words, in: surroundings).finish()
    #expect(end.status == status, "\(words)")
    #expect(end.complaints.contains(complaint), "\(end.complaints)")
  }
}

@Test func selftest_deviceThatWasChosenHere_isTheOneThatIsHeard() throws {
  let surroundings = try Surroundings()
  for folder in ["state", "state/timerbox", "state/timerbox/state"] {
    mkdir(surroundings.path(folder), 0o700)
  }
  try surroundings.write(
    "[settings]\nvolume = 60\nsound.device = null\n", to: "state/timerbox/state/settings")
  let test = try Program(["selftest", "--board", "simulated"], in: surroundings)
  try eventually("its sound is told") { test.output.contains(" sound ") }
  #expect(test.output.contains("48000 Hz"), "\(test.output)")
  #expect(try test.finish(SIGTERM).status == 0)
}

@Test func ring_byCommand_ringsAndRefusesAnUnknownSound() throws {
  let surroundings = try Surroundings()
  let service = try Service(surroundings)
  #expect(try surroundings.run("ring").status == 0)
  #expect(try surroundings.run("ring", "rin").status == 0)
  let wrong = try surroundings.run("ring", "ring")
  #expect(wrong.status == 64)
  #expect(wrong.complaints.contains("did you mean \"rin\"?"))
  #expect(try service.phase() == "idle")
  #expect(try service.program.finish(SIGTERM).status == 0)
}

@Test func device_chosenWhileRunning_takesOverFromALostOne() throws {
  let surroundings = try Surroundings()
  let service = try Service(surroundings)
  #expect(try surroundings.run("ring").status == 0)
  let isLost = { try service.degraded().contains { $0.hasPrefix("No sound (") } }
  try eventually("the missing card is told") { try isLost() }
  #expect(try surroundings.run("set", "sound.device", "null").status == 0)
  try eventually("the other card is heard") { try !isLost() }
  #expect(try surroundings.run("ring").status == 0)
  #expect(try service.program.finish(SIGTERM).status == 0)
}

@Test func fallback_thatIsThere_ringsAndIsTold() throws {
  let surroundings = try Surroundings()
  try surroundings.write("[sound]\nfallback = nothing, null\n", to: "box.conf")
  let service = try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")])
  #expect(try surroundings.run("ring").status == 0)
  try eventually("the fallback is told") {
    try service.degraded().contains { $0.hasSuffix(". Bells ring on the fallback null.") }
  }
  #expect(try service.program.finish(SIGTERM).status == 0)
}

@Test func device_chosenThatIsNotThere_isToldAtOnce() throws {
  let surroundings = try Surroundings()
  try surroundings.write("[sound]\ndevice = null\n", to: "box.conf")
  let service = try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")])
  #expect(try surroundings.run("set", "sound.device", "nosuch").status == 0)
  try eventually("what was chosen is tried") {
    try service.degraded().contains { $0.hasPrefix("No sound ('nosuch' is no sound device).") }
  }
  #expect(try service.program.finish(SIGTERM).status == 0)
}

@Test func outputs_ofWhichNoneIsThere_areAllNamed() throws {
  let surroundings = try Surroundings()
  try surroundings.write("[sound]\ndevice = nosuch\nfallback = neither\n", to: "box.conf")
  let service = try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")])
  #expect(try surroundings.run("ring").status == 0)
  let line =
    "No sound ('nosuch' is no sound device). No sound ('neither' is no sound device). "
    + "The timer goes on."
  try eventually("both are told") { try service.degraded().contains(line) }
  #expect(try service.program.finish(SIGTERM).status == 0)
}

@Test func checkConfiguration_ownSoundThatIsMissing_isWarnedOf() throws {
  let surroundings = try Surroundings()
  try surroundings.write("[bell end]\nsound = own/nope\n", to: "box.conf")
  let path = surroundings.path("box.conf")
  let end = try surroundings.run("check-config", path)
  #expect(end.status == 0 && end.output == "\(path): in order\n")
  #expect(
    end.complaints == "timerbox: warning: own/nope: there is no such recording. "
      + "The built-in bell rings in its place.\n")
}

@Test func ownSound_thatIsMissing_isToldAtTheStart() throws {
  let surroundings = try Surroundings()
  try surroundings.write("[bell end]\nsound = own/gong\n", to: "box.conf")
  let service = try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")])
  let line = "own/gong: there is no such recording. The built-in bell rings in its place."
  #expect(try service.degraded().first == line)
  let end = try service.program.finish(SIGTERM)
  #expect(end.status == 0 && end.complaints == "timerbox: \(line)\n")
}

@Test func config_printsEachValueWithItsOriginAndTheChoices() throws {
  let surroundings = try Surroundings()
  try surroundings.write("[bell end]\npattern = roll\n", to: "box.conf")
  let file = surroundings.path("box.conf")
  let service = try Service(surroundings)
  #expect(try surroundings.run("set", "volume.end", "20").status == 0)
  #expect(try service.program.finish(SIGTERM).status == 0)
  let end = try surroundings.run("config", "--config", file)
  let lines = end.output.split(separator: "\n").map { line in
    line.split(separator: " ").joined(separator: " ")
  }
  #expect(lines.contains("bell.end.pattern = roll # \(file):2:1"))
  #expect(lines.contains("sound.speaker = full # default"))
  #expect(lines.last == "volume.end = 20 # \(surroundings.path("state/timerbox/state/settings"))")
}
