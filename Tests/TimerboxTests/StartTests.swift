// What a sit is to be, as a command says it.
import Glibc
import Sessions
import Testing

@Test func start_thatSaysTooMuchOrWrong_isRefusedWithWhatIsExpected() throws {
  let service = try box(try Surroundings())
  let cases: [(words: [String], complaint: String)] = [
    (["5m", "--open"], "found length and open, expected one of length, programme, until and open"),
    (
      ["simple", "--until", "07:00"],
      "found programme and until, expected one of length, programme, until and open"
    ),
    (["30s"], "found \"30s\", expected a length from 1m to 7d"),
    (["--until", "7:00"], "found \"7:00\", expected a time of day from 00:00 to 23:59"),
    (["--until", "24:00"], "found \"24:00\", expected a time of day from 00:00 to 23:59"),
  ]
  for (words, complaint) in cases {
    let end = try Program(["start"] + words, in: service.surroundings).finish()
    #expect(end.status == 64 && end.complaints == "timerbox: \(complaint)\n", "\(words)")
  }
  let end = try service.surroundings.run("start", "simpel")
  #expect(end.status == 64)
  #expect(end.complaints.hasPrefix("timerbox: found \"simpel\", expected a programme: simple"))
  #expect(end.complaints.hasSuffix("; did you mean \"simple\"?\n"))
  #expect(try service.phase() == "idle")
}

@Test func start_openOrOfAProgramme_begins() throws {
  let service = try box(try Surroundings())
  #expect(try service.surroundings.run("start", "--open").status == 0)
  try service.reach("running")
  #expect(try service.state("plannedSeconds") == .null)
  #expect(try service.surroundings.run("stop").status == 0)
  #expect(try service.surroundings.run("start", "simple").status == 0)
  try service.reach("running")
  #expect(try service.state("plannedSeconds") == .integer(1_200))
}

/// The clock of this machine may be known or not; both are answered.
@Test func start_untilATimeOfDayThatIsNotKnown_isRefused() throws {
  let service = try box(try Surroundings())
  let isKnown = try service.state("clock").stringValue != "unknown"
  let end = try Program(["start", "--until", "12:34"], in: service.surroundings).finish()
  #expect(end.status == (isKnown ? 0 : 1))
  #expect(end.complaints == (isKnown ? "" : "timerbox: the time of day is not known\n"))
}
