// What the sits add up to, asked of the binary.
import Glibc
import Sessions
import Testing

private let empty =
  "{\"currentStreak\":0,\"days\":{},\"daysSat\":0,\"longestStreak\":0,\"meanSeconds\":0,"
  + "\"sits\":0,\"streakDue\":false,\"totalSeconds\":0}\n"

extension Surroundings {
  /// Three sits of January 2026: 20 and 10 minutes around midnight, and an hour on the 5th.
  fileprivate func addSits() throws {
    for words in [
      ["--start", "2026-01-03T23:30:00+09:00", "--duration", "20m", "--programme", "zazen"],
      ["--start", "2026-01-04T00:10:00+09:00", "--duration", "10m", "--programme", "seon"],
      ["--start", "2026-01-05T07:00:00+09:00", "--duration", "1h", "--device", "iPhone"],
    ] {
      let added = try Program(["add"] + words, in: self).finish()
      try #require(added.status == 0, "\(added.complaints)")
    }
  }
}

private func days(_ finished: Finished) throws -> [String] {
  let json = try JSONValue(parsing: Array(finished.output.utf8))
  let members = json["days"]?.members ?? []
  return members.map { "\($0.name) \($0.value.integerValue ?? -1)" }
}

@Suite struct StatsVerbTests {
  @Test func stats_ofNoSits_areNothing() throws {
    let surroundings = try Surroundings()
    let stats = try surroundings.run("stats", "--json")
    #expect(stats.status == 0 && stats.output == empty && stats.complaints == "")
    let text = try surroundings.run("stats")
    #expect(text.output.hasPrefix("sits      0\ntotal     0s\nmean      0s\ndays sat  0\n"))
    #expect(try surroundings.run("history", "--from", "2026-01-01").output == "No sits yet.\n")
  }

  @Test func filters_chooseForHistoryAndStatsAlike() throws {
    let surroundings = try Surroundings()
    try surroundings.addSits()
    for (words, expected, sits) in [
      ([], ["2026-01-03 1200", "2026-01-04 600", "2026-01-05 3600"], 3),
      (["--from", "2026-01-04", "--to", "2026-01-04"], ["2026-01-04 600"], 1),
      (["--programme=zazen"], ["2026-01-03 1200"], 1),
      (["--device", "iPhone"], ["2026-01-05 3600"], 1),
      (["--journey", "none"], [], 0),
    ] as [([String], [String], Int)] {
      let stats = try Program(["stats", "--json"] + words, in: surroundings).finish()
      #expect(try days(stats) == expected, "\(words)")
      let history = try Program(["history", "--json"] + words, in: surroundings).finish()
      #expect(try JSONValue(parsing: Array(history.output.utf8)).arrayValue?.count == sits)
    }
  }

  @Test func filters_thatCannotBeMeant_areRefused() throws {
    let surroundings = try Surroundings()
    for verb in ["history", "stats"] {
      let day = try surroundings.run(verb, "--from", "2026-02-30")
      #expect(day.status == 64 && day.output == "")
      #expect(
        day.complaints.hasPrefix(
          "timerbox: --from: found \"2026-02-30\", expected a day of the calendar such as "
            + "2026-11-30\nusage: timerbox \(verb) "))
      let order = try surroundings.run(verb, "--from", "2026-01-02", "--to", "2026-01-01")
      #expect(order.status == 64)
      #expect(
        order.complaints.hasPrefix("timerbox: --from 2026-01-02 is after --to 2026-01-01\nusage: "))
    }
  }

  @Test func nameThatNoSitHas_isToldWithTheNearest() throws {
    let surroundings = try Surroundings()
    try surroundings.addSits()
    let history = try surroundings.run("history", "--programme", "zazn")
    #expect(history.status == 0 && history.output == "No sit fits.\n")
    #expect(
      history.complaints
        == "timerbox: no sit has the programme \"zazn\"; did you mean \"zazen\"?\n")
  }

  @Test func dayStarts_ofTheStore_winsInEveryView() throws {
    let surroundings = try Surroundings()
    try surroundings.addSits()
    try surroundings.write("[day]\nstarts = 06:00\ngrace = 1\n", to: "own.conf")
    let own = surroundings.path("own.conf")
    let evening = ["2026-01-03 1800", "2026-01-05 3600"]
    #expect(try days(surroundings.run("stats", "--json", "--config", own)) == evening)
    let graceful = try surroundings.run("stats", "--json", "--config", own).output
    #expect(graceful.contains("\"longestStreak\":2"))
    #expect(try surroundings.run("kv", "set", "day.starts", "\"00:00\"").status == 0)
    #expect(try days(surroundings.run("stats", "--json", "--config", own)).count == 3)
    #expect(try surroundings.run("kv", "set", "day.starts", "\"04:00\"").status == 0)
    #expect(try days(surroundings.run("stats", "--json")) == evening)
    let history = try surroundings.run("history").output
    #expect(history.contains("2026-01-03  00:10"))
    #expect(try days(surroundings.run("stats", "--json", "--to", "2026-01-03")) == [evening[0]])
  }

  @Test func streaks_turnedOff_areInNoOutput() throws {
    let surroundings = try Surroundings()
    try surroundings.addSits()
    try surroundings.write("[day]\nstreak = no\n", to: "own.conf")
    let (own, path) = (surroundings.path("own.conf"), surroundings.path("year.svg"))
    let json = try surroundings.run("stats", "--json", "--config", own).output
    for member in ["currentStreak", "streakDue", "longestStreak"] {
      #expect(json.contains("\"\(member)\":null"))
    }
    let text = try surroundings.run("stats", "--svg", path, "--config", own)
    #expect(text.status == 0 && text.output.contains("days sat  3\n"))
    for word in ["streak", "longest"] {
      #expect(!text.output.contains(word))
      #expect(!String(decoding: surroundings.bytes("year.svg"), as: UTF8.self).contains(word))
    }
  }

  @Test func svg_isWrittenWholeAndTheSameEachTime() throws {
    let surroundings = try Surroundings()
    try surroundings.addSits()
    let path = surroundings.path("year.svg")
    try surroundings.write("an older picture", to: "year.svg")
    let first = try surroundings.run("stats", "--svg", path, "--to", "2026-01-31")
    #expect(first.status == 0 && first.complaints == "")
    let bytes = surroundings.bytes("year.svg")
    let drawn = String(decoding: bytes, as: UTF8.self)
    #expect(drawn.hasPrefix("<?xml version=\"1.0\"") && drawn.hasSuffix("</svg>\n"))
    #expect(drawn.contains("<title>2026-01-05: 1 h</title>"))
    #expect(try surroundings.run("stats", "--svg", path, "--to", "2026-01-31").status == 0)
    #expect(surroundings.bytes("year.svg") == bytes)
  }

  @Test func svg_thatCannotBeWritten_isRefusedWithItsPath() throws {
    let surroundings = try Surroundings()
    let other = try surroundings.run("stats", "--svg", "year.png")
    #expect(other.status == 64)
    #expect(
      other.complaints.hasPrefix(
        "timerbox: --svg: found \"year.png\", expected a file that ends in .svg\nusage: "))
    let path = surroundings.path("none/year.svg")
    let missing = try surroundings.run("stats", "--svg", path)
    #expect(missing.status == 74)
    #expect(missing.complaints == "timerbox: \(path): No such file or directory\n")
    let folder = surroundings.path("folder.svg")
    mkdir(folder, 0o700)
    let taken = try surroundings.run("stats", "--svg", folder)
    #expect(taken.status == 74)
    #expect(
      taken.complaints == "timerbox: \(folder): found no ordinary file, and it is left alone\n")
  }

  @Test func heatmap_hasColourOnATerminalThatTakesItAlone() throws {
    let surroundings = try Surroundings()
    #expect(try !surroundings.run("stats").output.contains("\u{1B}"))
    for (variables, hasColour) in [
      ([], true), (["NO_COLOR=1"], false), (["TERM=dumb"], false), (["TERM=vt100"], false),
    ] as [([String], Bool)] {
      let hand = try Hand()
      let program = try Program(
        ["stats"], in: surroundings, terminal: hand.terminal, environment: variables)
      #expect(try program.finish().status == 0)
      hand.look()
      #expect(hand.text.contains("Mon") && hand.text.contains("·"))
      #expect(hand.text.contains("\u{1B}[") == hasColour, "\(variables)")
    }
  }
}
