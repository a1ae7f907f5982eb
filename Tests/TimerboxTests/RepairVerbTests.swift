// Sits changed by hand, and brought in from files, beside a running box and without one.
import Glibc
import Sessions
import Testing

extension Surroundings {
  /// Adds a sit of 20 minutes at an hour of 2020-11-30 in Seoul, and gives its id back.
  fileprivate func add(hour: String, _ more: String...) throws -> String {
    let words = ["add", "--start", "2020-11-30T\(hour):00:00+09:00", "--duration", "20m"] + more
    let added = try Program(words, in: self).finish()
    #expect(added.status == 0 && added.complaints == "")
    return String(added.output.dropLast())
  }

  fileprivate func sits() throws -> [JSONValue] {
    let list = try run("export").output
    return try #require(JSONValue(parsing: Array(list.utf8)).arrayValue)
  }

  /// What a verb that is to fail says, with its status before it.
  fileprivate func complaint(_ words: String...) throws -> String {
    let end = try Program(words, in: self).finish()
    let said = end.complaints.split(separator: "\n").first ?? ""
    return "\(end.status) \(said.replacing("timerbox: ", with: ""))"
  }
}

@Suite struct RepairVerbTests {
  @Test(arguments: [true, false]) func sit_addedEditedDeletedAndBroughtBack(hasBox: Bool) throws {
    let surroundings = try Surroundings()
    let service = hasBox ? try box(surroundings) : nil
    let id = try surroundings.add(hour: "06", "--note", "quiet, \"still\"", "--rating", "4")
    #expect(Identity(id) != nil)
    let sit = try #require(surroundings.sits().first)
    #expect(sit["startDate"] == .string("2020-11-30T06:00:00+09:00"))
    #expect(sit["endDate"] == .string("2020-11-30T06:20:00+09:00"))
    #expect(sit["plannedSeconds"] == .integer(1_200) && sit["rating"] == .integer(4))
    let edited = try surroundings.run(
      "edit", String(id.prefix(8)), "--duration", "25m", "--note", "", "--programme", "zazen")
    #expect(edited.status == 0 && edited.output == "" && edited.complaints == "")
    let after = try #require(surroundings.sits().first)
    #expect(after["endDate"] == .string("2020-11-30T06:25:00+09:00"))
    #expect(after["note"] == .null && after["programme"] == .string("zazen"))
    #expect(try surroundings.run("delete", id).status == 0)
    #expect(try surroundings.sits() == [])
    let undone = try surroundings.run("undo")
    #expect(undone.status == 0 && undone.complaints == "")
    let back = try #require(surroundings.sits().first)
    #expect(back["id"] == .string(String(undone.output.dropLast())) && back["id"] != after["id"])
    #expect(back["programme"] == .string("zazen"))
    if let service { #expect(try service.program.finish(SIGTERM).status == 0) }
  }

  @Test(arguments: [true, false]) func whatCannotBe_isRefusedWithItsReason(hasBox: Bool) throws {
    let surroundings = try Surroundings()
    let service = hasBox ? try box(surroundings) : nil
    let id = try surroundings.add(hour: "06")
    let start = "2020-11-30T06:19:59+09:00"
    #expect(
      try surroundings.complaint("add", "--start", start, "--duration", "1h")
        == "1 it overlaps the sit \(id) from 2020-11-30T06:00:00+09:00 to "
        + "2020-11-30T06:20:00+09:00; --force keeps both")
    #expect(
      try surroundings.run("add", "--start", start, "--duration", "1h", "--force").status == 0)
    #expect(try surroundings.complaint("add", "--start", start) == "64 --duration is missing")
    #expect(try surroundings.complaint("add", "--duration", "1h") == "64 --start is missing")
    #expect(
      try surroundings.complaint("add", "--start", "2020-11-30 06:00", "--duration", "1h")
        == "65 --start: found \"2020-11-30 06:00\", expected an instant with its offset, such as "
        + "2026-11-30T06:00:00+09:00")
    #expect(
      try surroundings.complaint("add", "--start", start, "--duration", "20")
        == "65 --duration: found \"20\", expected a length in whole seconds, such as 25m or 1h2m3s, "
        + "up to 8d")
    #expect(
      try surroundings.complaint("add", "--start", start, "--duration", "9d")
        == "65 --duration: found \"9d\", expected a length in whole seconds, such as 25m or "
        + "1h2m3s, up to 8d")
    #expect(
      try surroundings.complaint("add", "--start", start, "--duration", "10m", "--overtime", "15m")
        == "65 overtimeSeconds: found 900, expected at most the 600 of durationSeconds")
    #expect(
      try surroundings.complaint("edit", id, "--overtime", "21m")
        == "1 overtimeSeconds: found 1260, expected at most the 1200 of durationSeconds")
    #expect(
      try surroundings.complaint("add", "--start", start, "--duration", "0")
        == "65 --duration: a sit lasts one second or more")
    #expect(
      try surroundings.complaint("add", "--start", "9999-12-31T23:59:59Z", "--duration", "1h")
        == "65 a date is outside the years 0 to 9999")
    #expect(
      try surroundings.complaint("edit", id, "--rating", "6")
        == "65 --rating: found \"6\", expected 1, 2, 3, 4 or 5, or nothing")
    #expect(
      try surroundings.complaint("edit", id, "--completed", "maybe")
        == "65 --completed: found \"maybe\", expected yes or no")
    #expect(
      try surroundings.complaint("edit", id, "--ratign", "5").hasPrefix(
        "64 found \"--ratign\", expected an option of edit"))
    #expect(try surroundings.complaint("edit", id) == "64 no field is given")
    #expect(try surroundings.complaint("delete", "01234567") == "1 there is no sit 01234567")
    #expect(
      try surroundings.complaint("delete", id, "tuesday")
        == "65 found \"tuesday\", expected the id of a sit, or its first 8 digits or more")
    #expect(
      try surroundings.complaint("undo") == "1 nothing was deleted here that could be brought back")
    #expect(try surroundings.sits().count == 2)
    if let service { #expect(try service.program.finish(SIGTERM).status == 0) }
  }

  @Test(arguments: [true, false])
  func report48_manyProcessesOnOneLog_loseNoSit(hasBox: Bool) throws {
    let surroundings = try Surroundings()
    let service = hasBox ? try box(surroundings) : nil
    for _ in 0..<3 {
      let programs = try (0..<20).map { number in
        let start = "2020-10-\(10 + number)T06:00:00Z"
        return try Program(
          ["add", "--start", start, "--duration", "1s", "--force"], in: surroundings)
      }
      for program in programs {
        let finished = try program.finish()
        #expect(finished.status == 0 && finished.complaints == "")
      }
    }
    #expect(try surroundings.sits().count == 60)
    if let service { #expect(try service.program.finish(SIGTERM).status == 0) }
  }
}

@Suite struct ExchangeVerbTests {
  @Test(arguments: [true, false])
  func export_import_onAnotherBox_isByteEqual_andTheSecondAddsNothing(hasBox: Bool) throws {
    let (here, there) = (try Surroundings(), try Surroundings())
    for hour in ["06", "12", "23"] {
      _ = try here.add(hour: hour, "--note", "\(hour), \"\u{1F514}\"\r\nnext")
    }
    let service = hasBox ? try box(there) : nil
    for format in ["json", "csv"] {
      let exported = try here.run("export", "--format", format)
      #expect(exported.status == 0 && exported.complaints == "")
      try there.write(exported.output, to: "sits")
      let first = try there.run("import", there.path("sits"))
      #expect(first.status == 0 && first.complaints == "")
      #expect(first.output == "new \(format == "json" ? "3, known 0" : "0, known 3"), bad 0\n")
      #expect(try there.run("import", there.path("sits")).output == "new 0, known 3, bad 0\n")
      #expect(try there.run("export", "--format", format).output == exported.output)
    }
    #expect(try there.run("export", "--from", "2020-12-01").output == "[]\n")
    if let service { #expect(try service.program.finish(SIGTERM).status == 0) }
  }

  @Test(arguments: [true, false]) func badRows_areToldByLine_andTheRestIsKept(hasBox: Bool) throws {
    let surroundings = try Surroundings()
    let service = hasBox ? try box(surroundings) : nil
    let file = """
      Started At,Duration,Preset,Activity\r
      04/20/2020 08:21:14,0:45:0,,Meditation\r
      today,0:45:0,,Meditation\r
      04/21/2020 08:21:14,0:45:0,,Meditation\r

      """
    try surroundings.write(file, to: "log")
    let words = ["import", surroundings.path("log"), "--zone", "Asia/Seoul"]
    let end = try Program(words, in: surroundings).finish()
    #expect(end.status == 65 && end.complaints == "")
    #expect(
      end.output == "new 2, known 0, bad 1\nline 3: Started At: found \"today\", expected "
        + "month/day/year hour:minute:second\n")
    let starts = try surroundings.sits().map { $0["startDate"]?.stringValue }
    #expect(starts == ["2020-04-20T08:21:14+09:00", "2020-04-21T08:21:14+09:00"])
    let id = try #require(surroundings.sits()[0]["id"]?.stringValue)
    #expect(try surroundings.run("delete", id).status == 0)
    let again = try Program(words + ["--json"], in: surroundings).finish()
    let told = try JSONValue(parsing: Array(again.output.utf8.dropLast()))
    let counts = ["new", "known", "deleted", "bad"].map { told[$0]?.integerValue }
    #expect(counts == [0, 2, 1, 1])
    if let service { #expect(try service.program.finish(SIGTERM).status == 0) }
  }

  @Test(arguments: [true, false])
  func rowsThatOverlap_areToldByLine_unlessTheyAreForced(hasBox: Bool) throws {
    let surroundings = try Surroundings()
    let service = hasBox ? try box(surroundings) : nil
    let id = try surroundings.add(hour: "06")
    let file = """
      startDate,durationSeconds
      2020-11-30T06:10:00+09:00,1200
      2020-11-30T06:20:00+09:00,1200
      2020-11-30T06:50:00+09:00,1800
      2020-11-30T06:45:00+09:00,302
      2020-11-30T08:00:00+09:00,691201

      """
    try surroundings.write(file, to: "rows")
    let words = ["import", surroundings.path("rows")]
    let first = try Program(words, in: surroundings).finish()
    let lines = first.output.split(separator: "\n").map(String.init)
    #expect(first.status == 65 && lines.count == 4 && lines[0] == "new 2, known 0, bad 3")
    #expect(
      lines[1] == "line 2: it overlaps the sit \(id) from 2020-11-30T06:00:00+09:00 to "
        + "2020-11-30T06:20:00+09:00; --force keeps both")
    #expect(lines[2].hasPrefix("line 5: it overlaps the sit "))
    #expect(
      lines[3] == "line 6: durationSeconds: found 691201, expected 691200 (eight days) at most")
    let forced = try Program(words + ["--force"], in: surroundings).finish()
    #expect(forced.output == "new 2, known 2, bad 1\n\(lines[3])\n")
    let again = try Program(words, in: surroundings).finish()
    #expect(again.output == "new 0, known 4, bad 1\n\(lines[3])\n")
    // 06:00 to 06:40, and 06:45 to 07:20 but for a moment.
    let told = try surroundings.run("stats").output
    #expect(told.contains("total     1h15m\n") && told.contains("shared    20m02s, counted once\n"))
    let table = try surroundings.run("history").output
    #expect(table.contains("counts 10m: the rest is another sit's time too"))
    if let service { #expect(try service.program.finish(SIGTERM).status == 0) }
  }

  @Test(arguments: [true, false])
  func manySits_areOneWrite_orAFewRequests(hasBox: Bool) throws {
    let surroundings = try Surroundings()
    let service = hasBox ? try box(surroundings) : nil
    let rows = (0..<7_000).map { number in
      let day = 1 + number / 2 % 28
      let month = 1 + number / 56 % 12
      let text = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
      return
        "\(2000 + number / 672)-\(text(month))-\(text(day))T\(text(6 + number % 2 * 12)):00:00Z,"
        + "1200,simple\n"
    }
    try surroundings.write("startDate,durationSeconds,programme\n" + rows.joined(), to: "many")
    let end = try surroundings.run("import", surroundings.path("many"))
    #expect(end.status == 0 && end.complaints == "" && end.output == "new 7000, known 0, bad 0\n")
    #expect(end.seconds < 60)
    #expect(try surroundings.sits().count == 7_000)
    if let service { #expect(try service.program.finish(SIGTERM).status == 0) }
  }

  @Test func files_thatAreNone_areRefusedAsAWhole() throws {
    let surroundings = try Surroundings()
    func complaint(_ text: String) throws -> String {
      try surroundings.write(text, to: "file")
      return try surroundings.complaint("import", surroundings.path("file"))
    }
    let path = surroundings.path("file")
    #expect(try complaint("") == "65 \(path): the file is empty")
    let forms =
      "expected the columns of timerbox export (startDate, durationSeconds) or of Insight Timer "
      + "(Started At, Duration), or a list in JSON"
    #expect(
      try complaint("a\u{0}b")
        == "65 \(path): found the byte 0 near its beginning, "
        + forms.replacing("expected ", with: "expected a text: "))
    #expect(
      try complaint("{}")
        == "65 \(path): found one object of JSON, expected a list of sits, which begins with \"[\"")
    #expect(
      try complaint("a\"b\n")
        == "65 \(path): a quote stands within a cell that does not begin with one, \(forms)")
    #expect(try complaint(" \n") == "65 \(path): the file is empty")
    #expect(try complaint("a,b\n") == "65 \(path): found the columns \"a,b\", \(forms)")
    #expect(
      try surroundings.complaint("import", surroundings.path("none"))
        == "74 \(surroundings.path("none")): No such file or directory")
    #expect(
      try surroundings.complaint("import", surroundings.folder)
        == "74 \(surroundings.folder): Is a directory")
    #expect(
      try surroundings.complaint("import", path, "--zone", "Asia/../Seoul").hasPrefix("65 found"))
    #expect(
      try surroundings.complaint("export", "--format", "cvs").hasPrefix(
        "64 --format: found \"cvs\", expected json or csv"))
    #expect(truncate(path, (16 << 20) + 1) == 0)
    #expect(
      try surroundings.complaint("import", path) == "65 \(path): it has more than 16777216 bytes")
  }
}
