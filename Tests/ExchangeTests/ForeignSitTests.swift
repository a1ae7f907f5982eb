import Sessions
import Testing
import Zones

@testable import Exchange

@Suite struct InsightTimerTests {
  private func rows(_ lines: String..., in zone: ZoneRules = .utc) throws -> SessionFile {
    let file = (["Started At,Duration,Preset,Activity"] + lines).joined(separator: "\r\n") + "\r\n"
    return try SessionFile(bytes(file), zone: zone)
  }

  @Test func rows_areSitsOfTheirLocalTime() throws {
    let seoul = try zone("Asia/Seoul")
    let read = try rows(
      "04/20/2026 08:21:14,0:45:0,,Meditation", "4/2/2026 23:59:59,1:0:7,\"Slow, long\",Walking",
      in: seoul)
    #expect(read.format == .insightTimer && read.problems == [])
    let (first, second) = (read.rows[0].session, read.rows[1].session)
    #expect(first.startDate.text(offsetSeconds: 32_400) == "2026-04-20T08:21:14+09:00")
    #expect(first.durationSeconds == 2_700 && first.utcOffsetSeconds == 32_400)
    #expect(first.endDate.milliseconds - first.startDate.milliseconds == 2_700_000)
    #expect(first.programme == "Meditation" && first.unknown == [] && first.completed)
    #expect(first.sourceDevice.name == "insightTimer" && first.plannedSeconds == nil)
    #expect(second.startDate.text(offsetSeconds: 32_400) == "2026-04-02T23:59:59+09:00")
    #expect(second.durationSeconds == 3_607 && second.programme == "Slow, long")
    #expect(second.unknown == [JSONMember("activity", .string("Walking"))])
  }

  @Test func theSameRow_isTheSameSit_inAnyZone_andWithATitleBefore() throws {
    let line = "04/20/2026 08:21:14,0:45:0,,Meditation"
    let seoul = try zone("Asia/Seoul")
    let here = try rows(line, in: seoul).rows[0].session
    let there = try rows(line).rows[0].session
    #expect(here.id == there.id && here.startDate != there.startDate)
    // What Python's uuid5 makes of the namespace and the cells with U+001F between them.
    #expect(here.id == Identity("a5c0d48f-03a0-5288-8188-d26c698bb717"))
    let titled = "Insight Timer Logs\n\nStarted At, Duration ,Preset,Activity\n\(line)\n"
    #expect(try SessionFile(bytes(titled), zone: seoul).rows[0].session == here)
  }

  @Test func summerTime_itsGapAndItsOverlap_areDecided() throws {
    let berlin = try zone("Europe/Berlin")
    func start(_ text: String, _ zone: ZoneRules) throws -> String {
      let session = try rows("\(text),0:10:0,,", in: zone).rows[0].session
      return session.startDate.text(offsetSeconds: session.utcOffsetSeconds)
    }
    #expect(try start("03/29/2026 01:59:59", berlin) == "2026-03-29T01:59:59+01:00")
    #expect(try start("03/29/2026 02:30:00", berlin) == "2026-03-29T03:30:00+02:00")
    #expect(try start("03/29/2026 03:00:00", berlin) == "2026-03-29T03:00:00+02:00")
    // What the wall shows twice is the first of the two.
    #expect(try start("10/25/2026 02:30:00", berlin) == "2026-10-25T02:30:00+02:00")
    #expect(try start("10/25/2026 03:00:00", berlin) == "2026-10-25T03:00:00+01:00")
    let howe = try zone("Australia/Lord_Howe")
    #expect(try start("10/04/2026 02:15:00", howe) == "2026-10-04T02:45:00+11:00")
    #expect(try start("04/05/2026 01:45:00", howe) == "2026-04-05T01:45:00+11:00")
    // A day that never was.
    let apia = try zone("Pacific/Apia")
    #expect(try start("12/30/2011 08:00:00", apia) == "2011-12-31T08:00:00+14:00")
    #expect(try start("12/31/2011 05:00:00", apia) == "2011-12-31T05:00:00+14:00")
    #expect(try start("12/29/2011 23:00:00", apia) == "2011-12-29T23:00:00-10:00")
    let kathmandu = try zone("Asia/Kathmandu")
    #expect(try start("01/01/2026 00:00:00", kathmandu) == "2026-01-01T00:00:00+05:45")
  }

  @Test func badRows_areToldByLine_andTheOthersAreRead() throws {
    let read = try rows(
      "20/04/2026 08:21:14,0:45:0,,", "04/20/2026 08:21,0:45:0,,", "04/20/2026 08:21:14,45 min,,",
      "04/20/2026 08:21:14,0:0:0,,", "02/29/2026 08:21:14,0:45:0,,", "02/29/2024 24:00:00,0:1:0,,",
      "02/29/2024 08:21:14,0:1:0,,", ",,,", "02/29/2024 08:21:14,0:1:0,")
    #expect(read.rows.map(\.line) == [8])
    #expect(read.problems.map(\.line) == [2, 3, 4, 5, 6, 7, 9, 10])
    let date = "expected month/day/year hour:minute:second"
    let length = "expected hours:minutes:seconds, one second or more"
    #expect(read.problems[0].text == "Started At: found \"20/04/2026 08:21:14\", \(date)")
    #expect(read.problems[2].text == "Duration: found \"45 min\", \(length)")
    #expect(read.problems[3].text == "Duration: found \"0:0:0\", \(length)")
    #expect(read.problems[7].text == "found 3 cells, expected 4")
  }
}

@Suite struct ReturnSitTests {
  @Test func sitsOfTheApps_areReadWithTheirIds_inTheZoneGiven() throws {
    // JSONEncoder's default for a struct with a UUID and two dates.
    let file = #"""
      [{"id":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","startDate":802213213.45,
        "endDate":802215013.45,"durationSeconds":1800,"sourceDevice":"appleWatch",
        "syncedToHealthKit":true},
       {"id":"E621E1F8-C36C-495A-93FC-0C247A3E6E60","startDate":802213213,
        "endDate":802213273.999,"durationSeconds":60.5,"sourceDevice":"visionPro","mood":{"a":1}},
       {"startDate":-86400.25,"endDate":-86339.25}]
      """#
    let seoul = try zone("Asia/Seoul")
    let read = try SessionFile(bytes(file), zone: seoul)
    #expect(read.problems == [] && read.rows.map(\.isForeign) == [true, true, true])
    let sits = read.rows.map(\.session)
    #expect(sits[0].id.description == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    #expect(sits[0].startDate.text(offsetSeconds: 32_400) == "2026-06-04T06:00:13.450+09:00")
    #expect(sits[0].durationSeconds == 1_800 && sits[0].utcOffsetSeconds == 32_400)
    #expect(sits[0].syncedToHealthKit && sits[0].sourceDevice == .appleWatch)
    #expect(sits[1].durationSeconds == 60 && sits[1].sourceDevice.name == "visionPro")
    #expect(sits[1].unknown.map(\.name) == ["mood"])
    #expect(sits[2].durationSeconds == 61 && sits[2].sourceDevice.name == "unknown")
    #expect(sits[2].startDate.text(offsetSeconds: 0) == "2000-12-30T23:59:59.750Z")
  }

  @Test func impossibleSits_areToldByLine() throws {
    let file = #"""
      [{"startDate":1e300,"endDate":0},
      {"startDate":0,"endDate":-1},
      {"startDate":0,"endDate":"soon"},
      {"startDate":0,"durationSeconds":-1},
      {"startDate":0}]
      """#
    let read = try SessionFile(bytes(file), zone: .utc)
    let told = read.problems.map { "\($0.line) \($0.text)" }
    let expected: [String] = [
      "1 startDate: expected seconds since 2001-01-01", "2 endDate is before startDate",
      "3 endDate: expected seconds since 2001-01-01", "4 endDate is before startDate",
      "5 durationSeconds: nothing found, expected a whole number",
    ]
    #expect(told == expected && read.rows == [])
  }
}
