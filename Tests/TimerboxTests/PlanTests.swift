// What a sit rings, before it is sat.
import Glibc
import Sessions
import Testing

@Suite struct PlanTests {
  @Test func plan_ofTheREADME_isPrintedAsItIs() throws {
    let surroundings = try Surroundings()
    try surroundings.write(
      """
      [programme evening]
      segments = walk 10m, sit 25m
      rounds = 2
      interval.from-end = 5m
      bell.segment.sound = inkin
      bell.walk.begin.strikes = 2
      bell.end.strikes = 2

      """, to: "a.conf")
    let end = try surroundings.run(
      "plan", "evening", "--json", "--config", surroundings.path("a.conf"))
    #expect(end.status == 0 && end.complaints == "")
    let json = try JSONValue(parsing: Array(end.output.utf8.dropLast()))
    let bells = try #require(json["bells"]?.arrayValue)
    let rows = bells.map { bell in
      "\(bell["offsetMilliseconds"]?.integerValue ?? -1) \(bell["role"]?.stringValue ?? "") "
        + "\(bell["sound"]?.stringValue ?? "") \(bell["strikes"]?.integerValue ?? -1)"
    }
    #expect(
      rows == [
        "0 start large-bowl 1", "600000 segment inkin 1", "2100000 segment inkin 2",
        "2700000 segment inkin 1", "3900000 interval large-bowl 1", "4200000 end large-bowl 2",
      ])
    #expect(json["plannedSeconds"]?.integerValue == 4_200)
  }

  @Test func plan_asText_hasALineABellAndTheTotal() throws {
    let surroundings = try Surroundings()
    let end = try surroundings.run("plan", "zazen")
    #expect(end.status == 0)
    let lines = end.output.split(separator: "\n").map { String($0) }
    #expect(lines.count == 9)
    #expect(lines.first == "zazen" && lines.last == "total 1h30m, after a preparation of 10s")
    #expect(
      lines.filter { !$0.hasPrefix(" ") }.dropFirst().dropLast() == [
        "sit 40m", "walk 10m", "sit 40m",
      ])
    #expect(lines[4].hasPrefix("       40:00  ") && lines[4].hasSuffix("inkin         2 strikes"))
    let open = try surroundings.run("plan", "--open").output
    #expect(open.hasSuffix("\nopen, until a hand ends it, at most 3h\n"))
  }

  @Test func plan_randomBells_areMarkedAndDrawnWithTheSeed() throws {
    let surroundings = try Surroundings()
    try surroundings.write("[interval]\nrandom = 3\nat = 1m\n", to: "a.conf")
    func plan(_ seed: String) throws -> String {
      try surroundings.run("plan", "--seed", seed, "--config", surroundings.path("a.conf")).output
    }
    let seven = try plan("7")
    #expect(seven.split(separator: "\n").filter { $0.hasSuffix(", random") }.count == 3)
    #expect(seven.hasSuffix("random bells drawn with seed 7; each sit draws its own\n"))
    #expect(try plan("7") == seven)
    #expect(try plan("8") != seven)
  }

  @Test func plan_ofAChosenLength_namesWhatItDoesNotRing() throws {
    let surroundings = try Surroundings()
    try surroundings.write(
      "[interval]\nevery = 25m\nat = 5m, 20m\nfrom-end = 20m\nrandom = 3 in 5m..25m\n", to: "a.conf"
    )
    func plan(_ words: String...) throws -> [String] {
      let end = try Program(
        ["plan"] + words + ["--config", surroundings.path("a.conf")], in: surroundings
      ).finish()
      #expect(end.status == 0 && end.complaints == "")
      return end.output.split(separator: "\n").map { String($0) }.filter { $0.hasPrefix("not ") }
    }
    #expect(
      try plan() == [
        "not rung: interval.every = 25m, since the sit lasts 20m",
        "not rung: interval.at = 20m, since the sit lasts 20m",
        "not rung: interval.from-end = 20m, since the sit lasts 20m",
        "not rung: interval.random = 3 in 5m..25m, since the sit lasts 20m",
      ])
    #expect(try plan("26m") == [])
    #expect(
      try plan("--open") == [
        "not rung: interval.from-end = 20m, since an open sit has no length to count by"
      ])
    let json = try surroundings.run("plan", "--json", "--config", surroundings.path("a.conf"))
    let value = try JSONValue(parsing: Array(json.output.utf8.dropLast()))
    #expect(value["notRung"]?.arrayValue?.count == 4)
    #expect(value["notRung"]?.arrayValue?.first?["key"]?.stringValue == "interval.every")
  }

  @Test func plan_thatCannotBeRung_isRefusedWithItsLine() throws {
    let surroundings = try Surroundings()
    try surroundings.write("[programme x]\nsit.length = 5m\ninterval.every = 5m\n", to: "a.conf")
    let path = surroundings.path("a.conf")
    let end = try surroundings.run("plan", "x", "--config", path)
    #expect(end.status == 78 && end.output == "")
    let expected = "expected at most 4m59s, since the sit lasts 5m"
    #expect(end.complaints == "timerbox: \(path):3:1: found \"interval.every = 5m\", \(expected)\n")
    try surroundings.write("[programme x]\nsit.length = 5m\ninterval.at = -1m\n", to: "a.conf")
    let negative = try surroundings.run("check-config", path)
    #expect(negative.status == 78)
    #expect(
      negative.complaints
        == "timerbox: \(path):3:15: found \"-1m\", expected a length from 1s to 7d; a length is "
        + "never negative\n")
  }

  @Test func plan_ofTheStore_isReadWithoutTheLock() throws {
    let surroundings = try Surroundings()
    let json = "{\"name\":\"dawn\",\"sit.length\":\"30m\",\"interval.every\":\"10m\"}"
    #expect(try surroundings.run("kv", "set", "programme.a", json).status == 0)
    #expect(try surroundings.run("plan", "dawn").output.contains("       20:00  "))
    // What can be rung in a sit of 30 minutes cannot in the 20 of another configuration.
    try surroundings.write("[sit]\nlength = 30m\n", to: "a.conf")
    let set = try surroundings.run(
      "kv", "set", "programme.b", "{\"interval.every\":\"21m\"}", "--config",
      surroundings.path("a.conf"))
    #expect(set.status == 0, "\(set.complaints)")
    let end = try surroundings.run("plan", "b")
    let fault =
      "programme.b: found \"interval.every = 21m\", expected at most 19m59s, since the sit lasts 20m"
    #expect(end.status == 64)
    #expect(
      end.complaints
        == "timerbox: \(fault); the programme is left out\n"
        + "timerbox: found the programme \"b\", expected simple, zazen, seon, metta, wake, dawn\n")
    let doctor = try surroundings.run("doctor").output
    #expect(
      doctor.hasSuffix(
        "!! store: \(fault); the programme is left out. `timerbox kv set` mends it.\n"))
    let service = try Service(surroundings)
    try eventually("it is said") { try service.degraded().contains { $0.contains(fault) } }
    let stopped = try service.program.finish(SIGTERM)
    #expect(stopped.complaints.split(separator: "\n").filter { $0.contains(fault) }.count == 1)
  }

  @Test func value_thatTheProgramCannotUse_isRefusedByKv() throws {
    let surroundings = try Surroundings()
    func refusal(_ key: String, _ json: String) throws -> String {
      let end = try surroundings.run("kv", "set", key, json)
      #expect(end.status == 65, "\(key)")
      return end.complaints
    }
    #expect(
      try refusal("day.grace", "\"x\"")
        == "timerbox: day.grace: found \"\"x\"\", expected a whole number from 0 to 7\n")
    #expect(
      try refusal("programme.x", "{\"sit.length\":\"5m\",\"interval.every\":\"5m\"}")
        == "timerbox: programme.x: found \"interval.every = 5m\", expected at most 4m59s, since the sit "
        + "lasts 5m\n")
    let service = try Service(surroundings)
    #expect(try refusal("journey.x", "5").hasPrefix("timerbox: journey.x: found \"5\", expected "))
    #expect(try surroundings.run("kv", "list").output == "")
    #expect(try surroundings.run("kv", "set", "day.gracious", "\"x\"").status == 0)
    let slip = try surroundings.run("kv", "set", "programme.y", "{\"round\":2}")
    #expect(slip.status == 0)
    #expect(
      slip.complaints
        == "timerbox: programme.y: \"round\" is not known to this version and ignored; did you mean "
        + "\"rounds\"?\n")
    #expect(try service.program.finish(SIGTERM).status == 0)
  }

  @Test(arguments: [
    (["plan", "20x"], "timerbox: found \"20x\", expected a length from 1m to 7d\n"),
    (
      ["plan", "25"],
      "timerbox: found \"25\", expected a length from 1m to 7d; did you mean \"25m\"?\n"
    ),
    (
      ["plan", "--until", "7:00"],
      "timerbox: --until: found \"7:00\", expected a time such as 07:00\n"
    ),
    (["plan", "--open", "zazen"], "timerbox: found \"zazen\" and --open, expected one of them\n"),
    (
      ["plan", "zazne"],
      "timerbox: found the programme \"zazne\", expected simple, zazen, seon, metta, wake; did you "
        + "mean \"zazen\"?\n"
    ),
  ])
  func plan_wronglyAsked_isRefused(words: [String], complaint: String) throws {
    let end = try Program(words, in: try Surroundings()).finish()
    #expect(end.status == 64 && end.complaints.hasPrefix(complaint), "\(end.complaints)")
  }
}

@Suite struct JourneyVerbTests {
  private func days(_ surroundings: Surroundings) throws -> [String] {
    let text = try surroundings.run("journey", "--json").output
    let rows = try JSONValue(parsing: Array(text.utf8.dropLast())).arrayValue ?? []
    return rows.map { row in
      "\(row["name"]?.stringValue ?? "") \(row["goalDays"]?.integerValue ?? 0) "
        + "\(row["ended"]?.stringValue == nil ? "goes on" : "ended")"
        + (row["chosen"]?.boolValue == true ? " chosen" : "")
    }
  }

  @Test func journey_begunAnew_endsTheOneOfItsName() throws {
    let surroundings = try Surroundings()
    #expect(try surroundings.run("journey").output == "No journeys yet.\n")
    let begun = try surroundings.run("journey", "begin", "Hundred days", "--days", "100")
    #expect(begun.status == 0 && begun.output == "\"Hundred days\" has begun.\n")
    #expect(try days(surroundings) == ["Hundred days 100 goes on"])
    let anew = try surroundings.run("journey", "begin", "Hundred days", "--days", "50")
    #expect(anew.output == "\"Hundred days\" has begun anew.\n")
    #expect(
      try days(surroundings).sorted() == ["Hundred days 100 ended", "Hundred days 50 goes on"])
    #expect(try surroundings.run("journey", "end", "Hundred days").status == 0)
    let again = try surroundings.run("journey", "end", "Hundred days")
    #expect(again.status == 1)
    #expect(again.complaints == "timerbox: the journey \"Hundred days\" has ended\n")
    let unknown = try surroundings.run("journey", "end", "x")
    #expect(unknown.complaints == "timerbox: there is no journey \"x\"\n")
  }

  @Test func journey_chosen_isTheSitsThatBeginThen() throws {
    let surroundings = try Surroundings()
    #expect(try surroundings.run("journey", "begin", "seven", "--days", "7").status == 0)
    let service = try box(surroundings)
    #expect(try surroundings.run("journey", "choose", "sevn").status == 1)
    #expect(try surroundings.run("journey", "choose", "seven").status == 0)
    #expect(try days(surroundings) == ["seven 7 goes on chosen"])
    #expect(try surroundings.run("set", "journey", "none").status == 0)
    #expect(try days(surroundings) == ["seven 7 goes on"])
    #expect(try service.program.finish(SIGTERM).status == 0)
  }
}
