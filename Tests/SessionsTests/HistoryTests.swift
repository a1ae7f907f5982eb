import Sessions
import Testing
import Ticks

@Suite struct HistoryTests {
  @Test func history_asJSON_hasTheContractsNames() throws {
    let history = SessionHistory([sit(0)])
    #expect(
      text(history.json) == """
        [
        {"clock":"synced","completed":true,"day":"2026-11-30","durationSeconds":1800,\
        "endDate":"2026-11-30T06:30:13.450+09:00","id":"00000000-0000-4000-8000-000000000000",\
        "interruptions":[],"journey":null,"note":null,"overtimeSeconds":0,"plannedSeconds":1800,\
        "programme":"simple","rating":null,"sourceDevice":"timerBox",\
        "startDate":"2026-11-30T06:00:13.450+09:00","syncedToHealthKit":false,\
        "unconfirmedSeconds":0,"utcOffsetSeconds":32400}
        ]

        """)
    #expect(text(SessionHistory([]).json) == "[]\n")
  }

  @Test func history_withUnknownMembers_showsThemBesideItsOwn() throws {
    var session = richSit()
    session.unknown.append(JSONMember("day", .integer(3)))
    let value = try JSONValue(parsing: SessionHistory([session, sit(9)]).json)
    let first = try #require(value.arrayValue?.first)
    #expect(first["sourceDevice"] == .string("holodeck"))
    #expect(first["y"] == .number("123456789012345678901234567890"))
    #expect(first["plannedSeconds"] == .null)
    #expect(first["interruptions"]?.arrayValue?.last?["kind"] == .string("telephone"))
    #expect(first["day"] == .string("2026-12-03"))
  }

  @Test func day_ofASitAfterMidnight_canBeTheEveningBefore() {
    let history = SessionHistory([sit(0)], dayStartsSeconds: 6 * 3_600)
    #expect(text(history.json).contains(#""day":"2026-11-30""#))
    let later = SessionHistory([sit(0)], dayStartsSeconds: 6 * 3_600 + 14)
    #expect(text(later.json).contains(#""day":"2026-11-29""#))
  }

  @Test func history_asTable_isReadable() {
    var open = sit(1)
    open.plannedSeconds = nil
    open.durationSeconds = 3_905
    open.completed = false
    var short = sit(2)
    short.durationSeconds = 59
    short.programme = nil
    #expect(
      SessionHistory([sit(0), open, short]).table == """
        day         began   sat       planned   programme
        2026-11-30  06:00   30m       30m      simple
        2026-11-30  18:00   1h05m     open     simple, stopped early
        2026-12-01  06:00   59s       30m

        """)
    #expect(SessionHistory([]).table == "No sits yet.\n")
  }

  @Test func credit_inWholeSeconds_isRoundedDown() {
    #expect(MeditationSession.wholeSeconds(Span(nanoseconds: 1_999_999_999)) == 1)
    #expect(MeditationSession.wholeSeconds(Span(nanoseconds: 2_000_000_000)) == 2)
  }
}
