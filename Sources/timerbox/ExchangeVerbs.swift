import Exchange
import LinuxIO
import Sessions
import Settings
import Zones

// Sits as files that people and other programs read and write.
extension Verb {
  static let export = Verb(
    "export", "[--format json|csv] " + ChosenSits.usage,
    "print sits, with all that is known of each",
    details: """
      import reads it back, here or on another box, and the same sits are there.

      """ + ChosenSits.details,
    options: [
      Option(name: "--format", value: "json|csv", help: "what is printed (json)")
    ] + ChosenSits.options, run: ExchangeVerbs.export)

  static let importing = Verb(
    "import", "FILE [--zone NAME] [--force]", words: 1...1, "take sits from a file; - is standard input",
    details: """
      FILE is what export prints, as JSON or CSV; what Insight Timer exports; or a JSON array as
      Return's apps encode their sits. Which one it is, is told by what is in it. A sit that is here
      already is left as it is, one that was deleted here stays deleted. A row that is no sit,
      overlaps one of the same kind of device or is not over yet is told with its line, and all
      others are taken. What only overlaps or lies ahead is taken too where that is forced.
      """,
    options: [
      Option(
        name: "--zone", value: "NAME",
        help: "the zone of local times in FILE, as Asia/Seoul (this machine's)"),
      SitFields.force,
    ], run: ExchangeVerbs.importing)
}

enum ExchangeVerbs {
  static func export(_ options: Options) throws(VerbError) -> ExitStatus {
    let format = options.value("--format") ?? "json"
    guard format == "json" || format == "csv" else {
      throw Verb.export.usageError(
        "--format: found \(quoted(format)), expected json or csv"
          + suggestion(for: format, among: ["json", "csv"]))
    }
    let sits = try ChosenSits(options, of: .export)
    let sessions = sits.history.sessions
    Output.write(format == "csv" ? SessionFile.csv(sessions) : SessionFile.json(sessions))
    sits.warnOfNames()
    return try sits.status()
  }

  static func importing(_ options: Options) throws(VerbError) -> ExitStatus {
    let path = options.words[0]
    let zone = try Inputs.zone(options.value("--zone") ?? Machine.zoneName())
    let bytes = try content(of: path)
    let file: SessionFile
    do throws(FieldProblem) { file = try SessionFile(bytes, zone: zone) } catch {
      throw VerbError(
        status: .badData, message: "\(name(of: path)): \(StoreWords.plain(error.description))")
    }
    let changes = file.rows.map { row in
      SitChange.take(
        row.session, isForeign: row.isForeign, isForced: options.has("--force"))
    }
    let outcome = changes.isEmpty ? StoreOutcome([]) : try StoreDoor.change(changes, options)
    for line in outcome.salvaged + outcome.folderProblems { Output.complain("timerbox: \(line)") }
    if outcome.status != .done {
      throw VerbError(status: outcome.status, message: outcome.problems.joined(separator: "; "))
    }
    let refused = outcome.tally.refusals.filter { $0.index < file.rows.count }.map { refusal in
      SessionFile.Problem(line: file.rows[refusal.index].line, text: refusal.reason)
    }
    let bad = (file.problems + refused).sorted { $0.line < $1.line }
    let count = file.badRows + refused.count
    tell(outcome.tally, bad, count, file.format, options)
    return count == 0 ? .done : .badData
  }

  private static func tell(
    _ tally: SitTally, _ bad: [SessionFile.Problem], _ badCount: Int,
    _ format: SessionFile.Format, _ options: Options
  ) {
    if options.has("--json") {
      let rows = bad.map { problem in
        JSONValue.object(of: [
          JSONMember("line", .integer(Int64(problem.line))),
          JSONMember("problem", .string(problem.text)),
        ])
      }
      let object = JSONValue.object(of: [
        JSONMember("bad", .integer(Int64(badCount))), JSONMember("badLines", .array(rows)),
        JSONMember("deleted", .integer(Int64(tally.deleted))),
        JSONMember("format", .string(format.rawValue)),
        JSONMember("known", .integer(Int64(tally.known))),
        JSONMember("new", .integer(Int64(tally.new))),
      ])
      Output.write(object.encoded() + [UInt8(ascii: "\n")])
      return
    }
    var lines = ["new \(tally.new), known \(tally.known), bad \(badCount)"]
    if tally.deleted > 0 {
      lines.append("deleted here before, and left so: \(tally.deleted)")
    }
    lines += bad.map { "line \($0.line): \(StoreWords.plain($0.text))" }
    if bad.count < badCount { lines.append("and \(badCount - bad.count) more lines") }
    Output.write(lines.map { $0 + "\n" }.joined())
  }

  private static func name(of path: String) -> String { path == "-" ? "standard input" : path }

  private static func content(of path: String) throws(VerbError) -> [UInt8] {
    do throws(SystemError) {
      if path != "-" { return try Files.readWhole(path, limit: SessionFile.bytesMax) }
      var bytes: [UInt8] = []
      while bytes.count <= SessionFile.bytesMax,
        let part = try LentDescriptor.standardInput.read(limit: 1 << 16), !part.isEmpty
      {
        bytes += part
      }
      if bytes.count <= SessionFile.bytesMax { return bytes }
    } catch {
      if error.errno != .fileTooLarge {
        throw VerbError(
          status: Inputs.status(of: error), message: "\(name(of: path)): \(error.errno.text)")
      }
    }
    throw VerbError(
      status: .badData,
      message: "\(name(of: path)): it has more than \(SessionFile.bytesMax) bytes")
  }
}
