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
    var session = sit(0)
    session.utcOffsetSeconds = 28_800
    let history = SessionHistory([session], rule: DayRule(startsSeconds: 5 * 3_600))
    #expect(text(history.json).contains(#""day":"2026-11-30""#))
    let later = SessionHistory([session], rule: DayRule(startsSeconds: 5 * 3_600 + 14))
    #expect(text(later.json).contains(#""day":"2026-11-29""#))
  }

  /// One sit at half past midnight by the summer's clock and one by the winter's, and one flown to
  /// the other side of the date line.
  private func travelled() -> [MeditationSession] {
    let places: [(date: Int64, offset: Int64)] = [
      // 2026-10-24 00:30 +02:00, 2026-10-26 00:30 +01:00, 2026-10-27 00:30 -11:00.
      (1_792_794_600_000, 7_200), (1_792_971_000_000, 3_600), (1_793_100_600_000, -39_600),
    ]
    return places.enumerated().map { index, place in
      var session = sit(index)
      session.startDate = WallInstant(milliseconds: place.date)
      session.endDate = WallInstant(milliseconds: place.date + 1_800_000)
      session.utcOffsetSeconds = place.offset
      return session
    }
  }

  private func days(_ history: SessionHistory) throws -> [String] {
    let sits = try JSONValue(parsing: history.json).arrayValue ?? []
    return sits.compactMap { $0["day"]?.stringValue }
  }

  @Test func report41_day_isOfTheSitsOwnOffset_andAnotherDayStartChangesNoFile() throws {
    var store = SessionStore(owner: owner, device: kitchen)
    for session in travelled() { try store.add(session) }
    let sits = bodies(store)
    let fromMidnight = SessionHistory(store.sessions)
    #expect(try days(fromMidnight) == ["2026-10-24", "2026-10-26", "2026-10-27"])
    try store.set(.dayStarts, to: .string("04:00"), at: now)
    let fromFour = SessionHistory(store.sessions, rule: DayRule(startsSeconds: 4 * 3_600))
    #expect(try days(fromFour) == ["2026-10-23", "2026-10-25", "2026-10-26"])
    // Every day is derived anew: the sits are as they were, and back is where it was before.
    #expect(bodies(store).filter { $0.hasPrefix("s ") } == sits)
    try store.set(.dayStarts, to: .string("00:00"), at: at(now.wall.milliseconds + 1))
    #expect(try days(SessionHistory(store.sessions)) == days(fromMidnight))
    // Both views agree.
    let table = fromFour.table.split(separator: "\n").dropFirst().map { String($0.prefix(10)) }
    #expect(try table == days(fromFour))
  }

  /// The day a sit counts for, reckoned apart from the product's code.
  private func isDay(_ text: String, of session: MeditationSession, _ dayStarts: Int64) -> Bool {
    let numbers: [Int64] = text.split(separator: "-").compactMap { Int64($0) }
    guard numbers.count == 3 else { return false }
    // Days since 1970 by the Julian day number of a civil date (Fliegel and Van Flandern).
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    let march = (month - 14) / 12
    let julian =
      1_461 * (year + 4_800 + march) / 4 + 367 * (month - 2 - 12 * march) / 12
      - 3 * ((year + 4_900 + march) / 100) / 4 + day - 32_075
    let begin = (julian - 2_440_588) * 86_400_000 + dayStarts * 1_000
    let local = session.startDate.milliseconds + session.utcOffsetSeconds * 1_000
    return (begin..<begin + 86_400_000).contains(local)
  }

  @Test func report43_sumOverDays_isTheSumOverSits() throws {
    var generator = SeededGenerator(seed: 43)
    for dayStarts in [0, 3_600, 14_400, 21_600] as [Int64] {
      var store = SessionStore(owner: owner, device: kitchen)
      for index in 0..<500 {
        var session = realSit(index)
        let moved = Int64(generator.below(86_400_000))
        session.startDate.milliseconds += moved
        session.endDate.milliseconds += moved
        session.utcOffsetSeconds = (Int64(generator.below(105)) - 48) * 900
        try store.add(session)
      }
      let history = SessionHistory(store.sessions, rule: DayRule(startsSeconds: dayStarts))
      let shown = try JSONValue(parsing: history.json).arrayValue ?? []
      var days: [String: Int64] = [:]
      for (session, shown) in zip(store.sessions, shown) {
        let day = try #require(shown["day"]?.stringValue)
        #expect(isDay(day, of: session, dayStarts), "\(session.startDate) is on \(day)")
        days[day, default: 0] += try #require(shown["durationSeconds"]?.integerValue)
      }
      #expect(shown.count == 500 && days.count > 200)
      let total = store.sessions.reduce(0) { $0 + $1.durationSeconds }
      #expect(days.values.reduce(0, +) == total)
    }
  }

  @Test func history_asTable_isReadable() {
    var open = sit(1)
    open.plannedSeconds = nil
    open.durationSeconds = 3_905
    open.endDate.milliseconds = open.startDate.milliseconds + 3_905_000
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

  @Test func programmeOfAPeer_withControlCharacters_steersNoTerminal() {
    var session = sit(0)
    session.programme = "a\u{1B}[2J\nb\u{9B}c"
    let line = SessionHistory([session]).table.split(separator: "\n").last ?? ""
    #expect(line.hasSuffix("  a\u{FFFD}[2J\u{FFFD}b\u{FFFD}c"))
  }

  @Test func credit_inWholeSeconds_isRoundedDown() {
    #expect(MeditationSession.wholeSeconds(Span(nanoseconds: 1_999_999_999)) == 1)
    #expect(MeditationSession.wholeSeconds(Span(nanoseconds: 2_000_000_000)) == 2)
  }
}
