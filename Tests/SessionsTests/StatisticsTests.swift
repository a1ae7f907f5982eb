import Sessions
import Testing
import Zones

private func date(_ text: String) throws -> LocalDate { try LocalDate(text: text) }

private func statistics(
  _ sits: [MeditationSession], today: String = "2026-12-02", showsStreaks: Bool = true
) throws -> SessionStatistics {
  SessionStatistics(
    sits, rule: DayRule(), today: try date(today), showsStreaks: showsStreaks)
}

@Suite struct StatisticsTests {
  @Test func statistics_asJSON_haveTheContractsNames() throws {
    // Two sits on each of two days, and a third day not sat yet.
    let json = try statistics((0..<4).map { sit($0) }).json
    #expect(
      text(json) == """
        {"currentStreak":2,"days":{"2026-11-30":3600,"2026-12-01":3600},"daysSat":2,\
        "longestStreak":2,"meanSeconds":1800,"sits":4,"streakDue":true,"totalSeconds":7200}

        """)
    #expect(
      text(try statistics([]).json) == """
        {"currentStreak":0,"days":{},"daysSat":0,"longestStreak":0,"meanSeconds":0,"sits":0,\
        "streakDue":false,"totalSeconds":0}

        """)
  }

  @Test func statistics_withoutStreaks_tellNoneAnywhere() throws {
    // Row 44: off means no streak in any output.
    let off = try statistics([sit(0)], today: "2026-11-30", showsStreaks: false)
    #expect(
      text(off.json) == """
        {"currentStreak":null,"days":{"2026-11-30":1800},"daysSat":1,"longestStreak":null,\
        "meanSeconds":1800,"sits":1,"streakDue":null,"totalSeconds":1800}

        """)
    #expect(off.text == "sits      1\ntotal     30m\nmean      30m\ndays sat  1\n")
  }

  @Test func statistics_forPeople_sayWhetherTheStreakIsDue() throws {
    #expect(
      try statistics((0..<4).map { sit($0) }).text == """
        sits      4
        total     2h00m
        mean      30m
        days sat  2
        streak    2, due: today is not sat yet
        longest   2

        """)
    let sat = try statistics((0..<4).map { sit($0) }, today: "2026-12-01").text
    #expect(sat.contains("\nstreak    2\n"))
  }

  @Test func impossibleSit_isShownAndNotCounted() throws {
    var backwards = sit(0)
    backwards.durationSeconds = -90
    let counted = try statistics([backwards, sit(1)])
    #expect(counted.sits == 1 && counted.totalSeconds == 1_800)
    let history = SessionHistory([backwards])
    #expect(history.table.contains("-90s"))
    #expect(history.table.hasSuffix("not counted: a length is negative\n"))
    #expect(text(history.json).contains(#""durationSeconds":-90"#))
  }
}

private let expectedDay = ", expected a day of the calendar such as 2026-11-30"

@Suite struct FilterTests {
  private func filter(
    _ options: [String: String], in store: SessionStore? = nil
  ) throws -> SessionFilter {
    let store = store ?? SessionStore(owner: owner, device: kitchen)
    return try SessionFilter(in: store) { options[$0] }
  }

  private func admitted(_ filter: SessionFilter, _ sits: [MeditationSession]) -> [String] {
    SessionHistory(sits).filtered(by: filter).sessions.map { $0.note ?? "" }
  }

  @Test func days_areInclusiveAndLocal() throws {
    // Sits 0 and 1 are of 30 November, 2 and 3 of 1 December, 4 and 5 of 2 December.
    let sits = (0..<6).map { sit($0, note: "\($0)") }
    #expect(try admitted(filter([:]), sits) == ["0", "1", "2", "3", "4", "5"])
    #expect(try admitted(filter(["--from": "2026-12-01"]), sits) == ["2", "3", "4", "5"])
    #expect(try admitted(filter(["--to": "2026-12-01"]), sits) == ["0", "1", "2", "3"])
    let one = try filter(["--from": "2026-12-01", "--to": "2026-12-01"])
    #expect(admitted(one, sits) == ["2", "3"])
  }

  @Test func names_fitByteForByte() throws {
    var some = sit(0, note: "some")
    some.programme = "caf\u{E9}"
    some.journey = "J1"
    some.sourceDevice = .iPhone
    let other = sit(1, note: "other")
    for (options, expected) in [
      (["--programme": "caf\u{E9}"], ["some"]), (["--programme": "cafe\u{301}"], []),
      (["--programme": "simple"], ["other"]), (["--device": "timerBox"], ["other"]),
      (["--device": "iPhone", "--programme": "simple"], []), (["--journey": "J1"], ["some"]),
      (["--journey": ""], []),
    ] as [([String: String], [String])] {
      #expect(try admitted(filter(options), [some, other]) == expected, "\(options)")
    }
  }

  @Test func journey_isFoundByItsNameAndByItsId() throws {
    var store = SessionStore(owner: owner, device: kitchen)
    for (id, name) in [("J1", "hundred days"), ("J2", "hundred days"), ("J3", "rohatsu")] {
      try store.set(
        .journey(id), to: .object(of: [JSONMember("name", .string(name))]), at: now)
    }
    let sits = ["J1", "J2", "J3", "hundred days"].enumerated().map { index, journey in
      var some = sit(index, note: journey)
      some.journey = journey
      return some
    }
    #expect(
      try admitted(filter(["--journey": "hundred days"], in: store), sits)
        == ["J1", "J2", "hundred days"])
    #expect(try admitted(filter(["--journey": "J2"], in: store), sits) == ["J2"])
  }

  @Test(arguments: [
    (["--from": "today"], "--from: found \"today\"" + expectedDay),
    (["--to": "2026-02-29"], "--to: found \"2026-02-29\"" + expectedDay),
    (["--to": ""], "--to: found \"\"" + expectedDay),
    (["--from": "2026-12-02", "--to": "2026-12-01"], "--from 2026-12-02 is after --to 2026-12-01"),
  ])
  func wrongDays_areRefusedWithTheirSentence(options: [String: String], sentence: String) {
    do {
      _ = try filter(options)
      Issue.record("\(options) is taken")
    } catch {
      #expect("\(error)" == sentence)
    }
  }

  @Test func filter_asACaption_namesWhatIsChosen() throws {
    #expect(try filter(["--from": "2026-01-01"]).names == "")
    let both = try filter(["--programme": "zazen", "--device": "timerBox"])
    #expect(both.names == "programme zazen · device timerBox")
  }

  @Test func history_whereNoSitFits_saysSo() throws {
    let none = try filter(["--programme": "seon"])
    #expect(SessionHistory([sit(0)]).filtered(by: none).table == "No sit fits.\n")
    #expect(SessionHistory([]).filtered(by: none).table == "No sits yet.\n")
  }
}
