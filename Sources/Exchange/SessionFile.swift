import Sessions
import Zones

/// A file of sits as it was read: what is in it, and what is wrong with it.
public struct SessionFile: Sendable {
  /// Whose form it has. It is told by what is in the file, not by its name.
  public enum Format: String, Sendable {
    /// A JSON array, as `export` writes it, or as Return's apps encode their sits.
    case json
    /// CSV with the columns that `export` writes.
    case csv
    /// The CSV that Insight Timer exports.
    case insightTimer = "insight-timer"
  }

  /// A sit that was read.
  public struct Row: Equatable, Sendable {
    /// Where it begins in the file, from 1.
    public var line: Int
    /// The sit.
    public var session: MeditationSession
    /// Whether another program recorded it, which gave it no identity of ours.
    public var isForeign: Bool
  }

  /// A row that is no sit.
  public struct Problem: Equatable, Sendable {
    /// Where it begins in the file, from 1.
    public var line: Int
    /// What is wrong, as a sentence.
    public var text: String

    /// Makes a problem.
    public init(line: Int, text: String) {
      self.line = line
      self.text = text
    }
  }

  /// No file with more rows is read, so that what is read has a bound.
  public static let rowsMax = 100_000
  /// No larger file is read: sixteen times what a store holds without an archive.
  public static let bytesMax = 16 << 20
  /// How many problems are named.
  public static let problemsMax = 1_000

  /// The form of the file.
  public let format: Format
  /// The sits, in the order of the file.
  public private(set) var rows: [Row] = []
  /// What is wrong, the first of it.
  public private(set) var problems: [Problem] = []
  /// How many rows are no sits.
  public private(set) var badRows = 0

  /// Reads a file.
  /// - Parameters:
  ///   - bytes: all of it.
  ///   - zone: the zone of the local times in it, where it does not say one itself.
  /// - Throws: where it is no file of sits at all.
  public init(_ bytes: [UInt8], zone: ZoneRules) throws(FieldProblem) {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if first == nil { throw FieldProblem("the file is empty") }
    if let byte = text.prefix(SessionFile.headBytes).first(where: SessionFile.isNoText) {
      throw FieldProblem(
        "found the byte \(byte) near its beginning, expected a text: \(SessionFile.expectedForms)")
    }
    if first == UInt8(ascii: "{") {
      throw FieldProblem("found one object of JSON, expected a list of sits, which begins with \"[\"")
    }
    if first == UInt8(ascii: "[") {
      format = .json
      try read(json: text, zone)
    } else {
      var reader = CSVReader(text)
      let table = try CSVTable(reading: &reader)
      format = table.isForeign ? .insightTimer : .csv
      try read(&reader, table, zone)
    }
  }

  /// What a file of sits may be, for messages.
  static let expectedForms =
    "the columns of timerbox export (startDate, durationSeconds) or of Insight Timer (Started At, "
    + "Duration), or a list in JSON"
  /// So much of a file tells a text from anything else.
  private static let headBytes = 4_096

  private static func isNoText(_ byte: UInt8) -> Bool {
    byte < 0x20 && ![0x09, 0x0A, 0x0D].contains(byte)
  }

  private mutating func read(json text: [UInt8], _ zone: ZoneRules) throws(FieldProblem) {
    var reader = JSONRows(text)
    while let row = reader.next() {
      guard let value = row.value else {
        note(row.line, row.problem ?? "")
        continue
      }
      let isForeign = ReturnSit.isOne(value)
      try take(row.line, isForeign: isForeign) { () throws(FieldProblem) in
        isForeign ? try ReturnSit.session(value, zone) : try MeditationSession(json: value)
      }
    }
  }

  private mutating func read(
    _ reader: inout CSVReader, _ table: CSVTable, _ zone: ZoneRules
  ) throws(FieldProblem) {
    while let row = reader.next() {
      if let problem = row.problem {
        note(row.line, problem)
        continue
      }
      try take(row.line, isForeign: table.isForeign) { () throws(FieldProblem) in
        try table.session(row.cells, zone)
      }
    }
  }

  private mutating func note(_ line: Int, _ text: String) {
    badRows += 1
    if problems.count < SessionFile.problemsMax { problems.append(Problem(line: line, text: text)) }
  }

  private mutating func take(
    _ line: Int, isForeign: Bool, _ read: () throws(FieldProblem) -> MeditationSession
  ) throws(FieldProblem) {
    if rows.count == SessionFile.rowsMax {
      throw FieldProblem("the file has more than \(SessionFile.rowsMax) sits")
    }
    do throws(FieldProblem) {
      let session = try read()
      if let problem = session.problem { throw FieldProblem(problem) }
      rows.append(Row(line: line, session: session, isForeign: isForeign))
    } catch { note(line, error.description) }
  }
}
