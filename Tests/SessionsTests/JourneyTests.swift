import Sessions
import Testing
import Zones

private func date(_ text: String) throws -> LocalDate { try LocalDate(text: text) }

private func definition(_ id: String, _ json: String) throws -> Definition {
  Definition(key: "journey.\(id)", value: try JSONValue(parsing: Array(json.utf8)))
}

/// A sit of a journey, so many hours after 2026-11-30T00:00:00Z, a minute long.
private func sit(_ hours: Double, _ journey: String?, offset: Int64 = 0) -> MeditationSession {
  let start = WallInstant(milliseconds: 1_795_996_800_000 + Int64(hours * 3_600_000))
  var session = MeditationSession(
    id: Identity(high: 1, low: UInt64(bitPattern: start.milliseconds)), startDate: start,
    endDate: WallInstant(milliseconds: start.milliseconds + 60_000), durationSeconds: 60,
    plannedSeconds: 60)
  session.utcOffsetSeconds = offset
  session.journey = journey
  return session
}

private func days(
  _ sessions: [MeditationSession], begun: String = "2026-11-30", startsSeconds: Int64 = 0
) throws -> Int {
  let journey = Journey(id: "a", name: "n", begun: try date(begun))
  return journey.daysSat(sessions, rule: DayRule(startsSeconds: startsSeconds))
}

@Test func journey_days_areThoseWithASitOfItAlone() throws {
  #expect(try days([]) == 0)
  #expect(try days([sit(6, nil), sit(6, "b")]) == 0)
  #expect(try days([sit(6, "a"), sit(18, "a"), sit(20, "b")]) == 1)
  // The second day is missed, and the third is the second of the journey.
  #expect(try days([sit(6, "a"), sit(54, "a")]) == 2)
  // In any order.
  #expect(try days([sit(54, "a"), sit(18, "a"), sit(6, "a")]) == 2)
}

@Test func journey_days_areThoseOfEachSitsOwnOffset() throws {
  // 22:30 and 23:30 UTC: one day in Greenwich, two in Kathmandu, where it is 04:15 and 05:15.
  let two = { (offset: Int64) in [sit(17.5, "a", offset: offset), sit(18.5, "a", offset: offset)] }
  #expect(try days(two(0)) == 1)
  #expect(try days(two(20_700)) == 2)
  // Kiritimati is fourteen hours ahead: 09:59:59.999 UTC is the last of its day.
  #expect(try days([sit(9.9, "a", offset: 50_400), sit(10, "a", offset: 50_400)]) == 2)
  // Lord Howe Island, ten and a half hours ahead.
  #expect(try days([sit(13.4, "a", offset: 37_800), sit(13.5, "a", offset: 37_800)]) == 2)
}

@Test func journey_days_beginWhenTheDayOfPracticeDoes() throws {
  let night = [sit(22, "a"), sit(27.9, "a"), sit(28, "a")]
  #expect(try days(night) == 2)
  // With a day from 04:00 on, 03:54 is still the evening before.
  #expect(try days(night, startsSeconds: 14_400) == 2)
  #expect(try days(Array(night[..<2]), startsSeconds: 14_400) == 1)
  #expect(try days(Array(night[..<2])) == 2)
}

@Test func journey_days_countFromItsBeginning() throws {
  let sits = [sit(6, "a"), sit(30, "a"), sit(54, "a")]
  #expect(try days(sits, begun: "2026-12-01") == 2)
  #expect(try days(sits, begun: "2026-12-02") == 1)
  #expect(try days(sits, begun: "2026-12-03") == 0)
}

@Test func journey_goal_isReachedAtItsLastDay() throws {
  var journey = Journey(id: "a", name: "n", goalDays: 100, begun: try date("2026-11-30"))
  #expect(!journey.isReached(days: 99) && journey.isReached(days: 100))
  #expect(journey.isReached(days: 101))
  journey.goalDays = nil
  #expect(!journey.isReached(days: 1_000_000))
}

@Test func journey_definition_isReadAndWrittenTheSame() throws {
  let json =
    "{\"begun\":\"2026-11-30\",\"ended\":\"2027-03-09\",\"goalDays\":100,\"name\":\"Ngöndro\"}"
  let journey = try #require(Journey(try definition("a", json)))
  #expect(journey.id == "a" && journey.name == "Ngöndro" && journey.goalDays == 100)
  #expect(journey.begun.text == "2026-11-30" && journey.ended?.text == "2027-03-09")
  #expect(String(decoding: journey.value().encoded(), as: UTF8.self) == json)
  #expect(journey.synced.key == "journey.a")
}

@Test func journey_ended_keepsMembersThatAreNotKnown() throws {
  let earlier = try definition("a", "{\"begun\":\"2026-11-30\",\"later\":[1],\"name\":\"n\"}")
  var journey = try #require(Journey(earlier))
  journey.ended = try date("2026-12-01")
  let value = String(decoding: journey.value(over: earlier.value).encoded(), as: UTF8.self)
  #expect(
    value == "{\"begun\":\"2026-11-30\",\"ended\":\"2026-12-01\",\"later\":[1],\"name\":\"n\"}")
}

@Test func definitions_thatAreNoJourney_arePassedOver() throws {
  let others = [
    try definition("a", "{\"name\":\"n\"}"), try definition("b", "{\"begun\":\"2026-11-30\"}"),
    try definition("c", "{\"name\":\"n\",\"begun\":\"2026-02-30\"}"), try definition("d", "5"),
    Definition(
      key: "programme.x",
      value: try definition("x", "{\"name\":\"n\",\"begun\":\"2026-11-30\"}").value),
  ]
  #expect(Journeys(others).all == [])
  let odd = try definition(
    "e", "{\"name\":\"n\",\"begun\":\"2026-11-30\",\"goalDays\":0,\"ended\":5}")
  let journey = try #require(Journeys([odd]).all.first)
  #expect(journey.goalDays == nil && journey.ended == nil)
}

@Test func journeys_begunAnew_areOfOneNameAndTheLastOneGoesOn() throws {
  let journeys = Journeys([
    try definition("b", "{\"name\":\"n\",\"begun\":\"2026-12-09\"}"),
    try definition("a", "{\"name\":\"n\",\"begun\":\"2026-11-30\",\"ended\":\"2026-12-09\"}"),
    try definition("c", "{\"name\":\"other\",\"begun\":\"2026-12-01\"}"),
  ])
  #expect(journeys.all.map(\.id) == ["a", "c", "b"])
  #expect(journeys.running("n")?.id == "b")
  #expect(journeys.running("N") == nil)
  #expect(journeys.ids(named: "n") == ["a", "b"])
  #expect(journeys.ids(named: "none") == [])
}

@Test func journeys_begunOnTwoBoxesAtOnce_areTheSameOneOnBoth() throws {
  let two = [
    try definition("b", "{\"name\":\"n\",\"begun\":\"2026-11-30\"}"),
    try definition("a", "{\"name\":\"n\",\"begun\":\"2026-11-30\"}"),
  ]
  #expect(Journeys(two).running("n")?.id == "b")
  #expect(Journeys(two.reversed()).running("n")?.id == "b")
}

@Test func journey_names_areTextsOtherThanNone() {
  #expect(Journey.isName("100 days") && Journey.isName(String(repeating: "ö", count: 63)))
  for wrong in ["", "none", "a\nb", String(repeating: "ö", count: 64)] {
    #expect(!Journey.isName(wrong), "\(wrong)")
  }
}

@Test func store_definitions_areThoseOfTheProgramInTheOrderOfTheirKeys() throws {
  let nobody = Identity(high: 1, low: 1)
  var store = SessionStore(owner: nobody, device: nobody)
  let time = WriteTime(WallInstant(milliseconds: 1_795_996_800_000), isKnown: true)
  for key in ["tea", "programme.b", "journey.a", "day.starts", "bell.c", "programme.gone"] {
    try store.set(key, to: .integer(1), at: time)
  }
  try store.delete(key: "programme.gone", at: time)
  #expect(store.definitions.map(\.key) == ["bell.c", "day.starts", "journey.a", "programme.b"])
  #expect(store.definitions[3].id(as: .programme) == "b")
  #expect(store.definitions[3].id(as: .journey) == nil)
}

@Test func journey_begunAnew_isWrittenBeforeTheOneOfItsNameEnds() throws {
  let (first, later) = (try LocalDate(text: "2026-01-01"), try LocalDate(text: "2026-02-01"))
  let old = Journey(id: "a", name: "x", begun: first)
  let other = Journey(id: "b", name: "y", begun: first)
  let journeys = Journeys(
    [old, other].map { Definition(key: $0.synced.key, value: $0.value()) })
  let new = Journey(id: "c", name: "x", goalDays: 7, begun: later)
  var ended = old
  ended.ended = later
  #expect(journeys.beginning(new) == [new, ended])
  let alone = Journey(id: "d", name: "z", begun: later)
  #expect(journeys.beginning(alone) == [alone])
}
