import Sessions
import Testing
import Zones

@testable import Exchange

/// What an import of these bytes leaves in a new store, exported again.
private func again(_ file: [UInt8], asCSV: Bool) throws -> [UInt8] {
  let read = try SessionFile(file, zone: .utc)
  #expect(read.problems == [] && read.badRows == 0)
  var store = SessionStore(owner: owner, device: kitchen)
  for row in read.rows { try store.add(row.session) }
  return asCSV ? SessionFile.csv(store.sessions) : SessionFile.json(store.sessions)
}

@Suite struct OwnFileTests {
  private func sits() throws -> [MeditationSession] {
    var store = SessionStore(owner: owner, device: kitchen)
    let offsets: [Int64] = [
      0, 32_400, -12_600, 20_700, 45_900, 50_400, -39_600, 30_472, -1, 86_399,
    ]
    for (index, offset) in offsets.enumerated() {
      try store.add(sit(UInt64(index), offset: offset, note: index == 3 ? "" : nil))
    }
    for index in 20..<23 { try store.add(richSit(UInt64(index))) }
    var edges = [sit(40, offset: 50_400), sit(41, offset: -50_400)]
    for (index, instant) in [253_402_300_799_999, -62_167_219_200_000].enumerated() {
      edges[index].startDate = WallInstant(milliseconds: Int64(instant))
      edges[index].endDate = edges[index].startDate
      try store.add(edges[index])
    }
    return store.sessions
  }

  @Test(arguments: [false, true])
  func export_import_export_isByteEqual_andTheSitsAreEqual(isCSV: Bool) throws {
    let sits = try sits()
    let file = isCSV ? SessionFile.csv(sits) : SessionFile.json(sits)
    let read = try SessionFile(file, zone: .utc)
    #expect(read.rows.map(\.session) == sits)
    #expect(text(try again(file, asCSV: isCSV)) == text(file))
    // From one form into the other, and with the mark that some programs put before a text.
    let marked = [0xEF, 0xBB, 0xBF] + file
    #expect(
      try again(marked, asCSV: !isCSV) == (isCSV ? SessionFile.json(sits) : SessionFile.csv(sits)))
  }

  @Test func anEmptyStore_isAnEmptyList_orOneRow() throws {
    #expect(text(SessionFile.json([])) == "[]\n")
    #expect(text(SessionFile.csv([])).split(separator: "\r\n").count == 1)
    #expect(try SessionFile(SessionFile.json([]), zone: .utc).rows == [])
    #expect(try SessionFile(SessionFile.csv([]), zone: .utc).rows == [])
  }

  @Test func aRowByHand_needsAStartAndADuration_andIsTheSameSitOnEveryBox() throws {
    let file = "startDate,durationSeconds,note\n2026-11-30T06:00:00+09:00,600,\n"
    let read = try SessionFile(bytes(file), zone: .utc)
    let session = try #require(read.rows.first?.session)
    #expect(session.endDate.milliseconds - session.startDate.milliseconds == 600_000)
    #expect(session.utcOffsetSeconds == 32_400 && session.note == nil && session.completed)
    #expect(try SessionFile(bytes(file), zone: zone("Europe/Berlin")).rows == read.rows)
    let list = #"[{"startDate":"2026-11-30T06:00:00+09:00","durationSeconds":600}]"#
    #expect(try SessionFile(bytes(list), zone: .utc).rows.map(\.session) == [session])
  }

  @Test func badRows_areToldByLine_andTheOthersAreRead() throws {
    let file = """
      startDate,durationSeconds,rating,endDate,others
      2026-11-30T06:00:00+09:00,600,3,,
      2026-11-30,600,3,,
      2026-11-30T06:00:00+09:00,ten,3,,
      2026-11-30T06:00:00+09:00,-1,3,,
      2026-11-30T06:00:00+09:00,600,6,,
      2026-11-30T06:00:00+09:00,600,3,2026-11-30T05:59:59+09:00,
      2026-11-30T06:00:00+09:00,600
      2026-11-30T06:00:00+09:00,600,3,,7
      2026-11-30T06:00:00+09:00,600,3,,"{""b"":1}"
      2026-12-01T06:00:00+09:00,600,3,,"{""rating"":1}"
      2026-12-01T06:00:00+09:00,600,3,,
      """
    let read = try SessionFile(bytes(file), zone: .utc)
    #expect(read.rows.map(\.line) == [2, 12])
    let told = read.problems.map { "\($0.line) \($0.text)" }
    let expected: [String] = [
      "3 startDate: found \"2026-11-30\", expected an instant such as 2026-11-30T06:00:00+09:00",
      "4 durationSeconds: found \"ten\", expected a whole number", "5 endDate is before startDate",
      "6 rating 6 is not within 1 to 5", "7 endDate is before startDate",
      "8 found 2 cells, expected 5", "9 others: expected a JSON object",
      "10 the unknown member \"b\" has a name that the store uses itself",
      "11 \"rating\" is there twice",
    ]
    #expect(told == expected)
    #expect(read.badRows == expected.count)
  }

  @Test func badElements_areToldByLine_andTheOthersAreRead() throws {
    let good = #"{"startDate":"2026-11-30T06:00:00+09:00","durationSeconds":600}"#
    let file = """
      [
      \(good),
      {"startDate":"2026-11-30T06:00:00+09:00"},
      {"startDate":"2026-11-30T06:00:00+09:00","durationSeconds":600,,"a":"]},{"},
      7, {"startDate":true,"durationSeconds":600},
      {
        "startDate":"2026-12-30T06:00:00+09:00",
        "durationSeconds":6e2
      }, \(good.replacing("11-30", with: "12-30"))
      ] x
      """
    let read = try SessionFile(bytes(file), zone: .utc)
    #expect(read.rows.map(\.line) == [2, 9])
    let told = read.problems.map { "\($0.line) \($0.text)" }
    let expected: [String] = [
      "3 durationSeconds: nothing found, expected a whole number",
      "4 line 4, column 64: found \",\", expected a name in quotes",
      "5 a sit: found 7, expected an object",
      "5 startDate: found true, expected an instant such as 2026-11-30T06:00:00+09:00",
      "6 durationSeconds: found 6e2, expected a whole number",
      "10 something stands behind the list",
    ]
    #expect(told == expected)
  }

  @Test func aFileThatIsNone_isRefusedAsAWhole() {
    func problem(_ text: String) -> String? {
      do throws(FieldProblem) {
        _ = try SessionFile(bytes(text), zone: .utc)
        return nil
      } catch { return error.description }
    }
    #expect(problem("") == "the file is empty")
    #expect(problem(" \n") == "the file is empty")
    let columns =
      "expected the columns of timerbox export (startDate, durationSeconds) or of Insight Timer "
      + "(Started At, Duration), or a list in JSON"
    #expect(
      problem(" {}") == "found one object of JSON, expected a list of sits, which begins with \"[\"")
    #expect(
      problem("startDate\u{1}")
        == "found the byte 1 near its beginning, "
        + columns.replacing("expected ", with: "expected a text: "))
    #expect(problem("a\"\n") == "a quote stands within a cell that does not begin with one, \(columns)")
    #expect(problem("a,b\n1,2\n") == "found the columns \"a,b\", \(columns)")
    #expect(problem("startDate,id") == "there is no column \"durationSeconds\"")
    #expect(problem("startDate,id,id") == "the column \"id\" is there twice")
    #expect(
      problem("startDate,dairy")?.hasPrefix("found the column \"dairy\", expected one of id,")
        == true)
    #expect(problem("[") == nil)
  }

  @Test func anyBytes_areReadInBoundedTime_andNeverCrash() throws {
    var state: UInt64 = 3
    func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
    let whole = [SessionFile.json([sit(1), richSit(2)]), SessionFile.csv([sit(1), richSit(2)])]
    for _ in 0..<4_000 {
      var file = whole[below(2)]
      for _ in 0...below(6) {
        switch below(3) {
        case 0: file[below(file.count)] = UInt8(below(256))
        case 1: file.removeSubrange(0..<below(min(file.count, 9)))
        default: file = Array(file.prefix(max(1, file.count - below(40))))
        }
      }
      let read = try? SessionFile(file, zone: .utc)
      #expect((read?.rows.count ?? 0) <= 4)
    }
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 200_000)
    #expect(try SessionFile(deep, zone: .utc).badRows == 2)
    let commas = bytes("[") + [UInt8](repeating: UInt8(ascii: ","), count: 200_000)
    let read = try SessionFile(commas, zone: .utc)
    #expect(read.badRows == 200_001 && read.problems.count == SessionFile.problemsMax)
  }
}
