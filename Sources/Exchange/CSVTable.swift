import Sessions
import Zones

/// What the columns of a CSV file are.
struct CSVTable {
  /// The members of a sit that are columns of our own, in their order. What has no column of its
  /// own is in the last one, as a JSON object.
  static let columns = [
    "id", "startDate", "endDate", "durationSeconds", "plannedSeconds", "overtimeSeconds",
    "unconfirmedSeconds", "completed", "programme", "journey", "rating", "note", "sourceDevice",
    "clock", "utcOffsetSeconds", "interruptions", "syncedToHealthKit", othersColumn,
  ]
  static let othersColumn = "others"
  /// Columns whose cells are texts; all others are JSON.
  private static let textColumns = [
    "id", "startDate", "endDate", "programme", "journey", "note", "sourceDevice", "clock",
  ]

  private let names: [String]
  /// Whether it is Insight Timer's.
  let isForeign: Bool

  /// Reads the row of names. Another program may have written a title before it.
  init(reading reader: inout CSVReader) throws(FieldProblem) {
    var found = ""
    for _ in 0..<3 {
      guard let row = reader.next() else { break }
      let names = row.cells.map { CSVTable.trimmed($0.text) }
      if names.contains("startDate") {
        try CSVTable.check(names)
        self.names = names
        isForeign = false
        return
      }
      if InsightTimerSit.isHeader(names) {
        self.names = names
        isForeign = true
        return
      }
      if found.isEmpty {
        found = row.problem ?? "found the columns \"\(names.joined(separator: ",").prefix(60))\""
      }
    }
    throw FieldProblem("\(found), expected \(SessionFile.expectedForms)")
  }

  private static func check(_ names: [String]) throws(FieldProblem) {
    for (index, name) in names.enumerated() {
      if !columns.contains(name) {
        throw FieldProblem(
          "found the column \"\(name.prefix(60))\", expected one of "
            + columns.joined(separator: ", "))
      }
      if names[..<index].contains(name) {
        throw FieldProblem("the column \"\(name)\" is there twice")
      }
    }
    if !names.contains("durationSeconds") {
      throw FieldProblem("there is no column \"durationSeconds\"")
    }
  }

  /// The sit of a row.
  func session(_ cells: [CSVCell], _ zone: ZoneRules) throws(FieldProblem) -> MeditationSession {
    if cells.count != names.count {
      throw FieldProblem("found \(cells.count) cells, expected \(names.count)")
    }
    if isForeign { return try InsightTimerSit.session(names, cells.map(\.text), zone) }
    var members: [JSONMember] = []
    for (name, cell) in zip(names, cells) {
      if cell.text.isEmpty && !cell.isQuoted { continue }
      if CSVTable.textColumns.contains(name) {
        members.append(JSONMember(name, .string(cell.text)))
        continue
      }
      // What is no JSON is shown as it stands by whoever expects a number there.
      let value = (try? JSONValue(parsing: Array(cell.text.utf8))) ?? .string(cell.text)
      if name != CSVTable.othersColumn {
        members.append(JSONMember(name, value))
      } else if let others = value.members {
        members += others
      } else {
        throw FieldProblem("\(name): expected a JSON object")
      }
    }
    let sorted = members.map(\.name).sorted()
    if let twice = zip(sorted, sorted.dropFirst()).first(where: { $0 == $1 }) {
      throw FieldProblem("\"\(twice.0)\" is there twice")
    }
    return try MeditationSession(json: .object(of: members))
  }

  /// The row of a sit.
  static func row(of session: MeditationSession) -> String {
    let members = session.exported.members ?? []
    let cells = columns.dropLast().map { name in
      cell(members.first { $0.name == name }?.value ?? .null)
    }
    let others = members.filter { !columns.dropLast().contains($0.name) }
    let last = others.isEmpty ? "" : cell(.object(of: others))
    return (cells + [last]).joined(separator: ",") + "\r\n"
  }

  private static func cell(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): quoted(text)
    default: quoted(String(decoding: value.encoded(), as: UTF8.self))
    }
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte > 0x20 && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"")
    }
    if isPlain && !text.isEmpty { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "\""
  }

  static func trimmed(_ text: String) -> String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    let rest = text.drop(while: isSpace)
    return String(rest.reversed().drop(while: isSpace).reversed())
  }
}

extension SessionFile {
  /// Sits as a JSON array, one a line: all that is known of each.
  public static func json(_ sessions: [MeditationSession]) -> [UInt8] {
    var bytes = Array("[".utf8)
    for (index, session) in sessions.enumerated() {
      bytes += Array((index == 0 ? "\n" : ",\n").utf8)
      bytes += session.exported.encoded()
    }
    return bytes + Array((sessions.isEmpty ? "]\n" : "\n]\n").utf8)
  }

  /// Sits as CSV (RFC 4180) in UTF-8, after a row with the columns' names: all that is known of
  /// each.
  public static func csv(_ sessions: [MeditationSession]) -> [UInt8] {
    var bytes = Array((CSVTable.columns.joined(separator: ",") + "\r\n").utf8)
    for session in sessions { bytes += CSVTable.row(of: session).utf8 }
    return bytes
  }
}
