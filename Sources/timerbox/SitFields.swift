import Sessions
import Settings
import Ticks

/// The fields of a sit that a person can give on a command line.
enum SitFields {
  private enum Kind {
    case instant, length, lengthOrOpen, text, rating, answer
  }

  /// Each option, the field it is of, and what its value is.
  private static let rows: [(option: Option, field: String, kind: Kind)] = [
    row("--start", "INSTANT", "when it began, as 2026-11-30T06:00:00+09:00", "startDate", .instant),
    row("--duration", "LENGTH", "how long was sat, as 25m", "durationSeconds", .length),
    row(
      "--planned", "LENGTH|open", "what was planned (--duration)", "plannedSeconds", .lengthOrOpen),
    row("--overtime", "LENGTH", "how much of it was overtime", "overtimeSeconds", .length),
    row("--completed", "yes|no", "whether it reached its planned end", "completed", .answer),
    row("--programme", "NAME", "the programme", "programme", .text),
    row("--journey", "NAME", "the journey", "journey", .text),
    row("--rating", "1-5", "how it was", "rating", .rating),
    row("--note", "TEXT", "the sitter's words", "note", .text),
    row("--device", "NAME", "the kind of device (timerBox)", "sourceDevice", .text),
  ]

  private static func row(
    _ name: String, _ value: String, _ help: String, _ field: String, _ kind: Kind
  ) -> (option: Option, field: String, kind: Kind) {
    (Option(name: name, value: value, help: help), field, kind)
  }

  static var options: [Option] {
    rows.map(\.option) + [force]
  }

  static let force = Option(
    name: "--force", value: nil, help: "also where another sit is at that time, or it is not over")

  /// The fields that were given, as members of a sit.
  static func members(_ options: Options) throws(VerbError) -> [JSONMember] {
    var members: [JSONMember] = []
    for row in rows {
      guard let text = options.value(row.option.name) else { continue }
      guard let value = value(text, row.kind) else {
        throw VerbError(
          status: .badData,
          message:
            "\(row.option.name): found \(quoted(text)), expected \(expectation(of: row.kind))"
        )
      }
      members.append(JSONMember(row.field, value))
    }
    return members
  }

  /// - Returns: nil where it is none. Nothing clears what may be missing.
  private static func value(_ text: String, _ kind: Kind) -> JSONValue? {
    switch kind {
    case .instant: return WallInstant.read(text) == nil ? nil : .string(text)
    case .length: return seconds(text)
    case .lengthOrOpen: return text == "open" ? .null : seconds(text)
    case .text: return text.isEmpty ? .null : .string(text)
    case .rating:
      if text.isEmpty { return .null }
      return Int64(text).flatMap { (1...5).contains($0) ? .integer($0) : nil }
    case .answer: return ["yes": .bool(true), "no": .bool(false)][text]
    }
  }

  /// A length in whole seconds, which is all that a sit keeps.
  private static func seconds(_ text: String) -> JSONValue? {
    guard let span = try? Span(length: text), span.nanoseconds % 1_000_000_000 == 0,
      span.wholeSeconds <= MeditationSession.longestSeconds
    else { return nil }
    return .integer(span.wholeSeconds)
  }

  private static func expectation(of kind: Kind) -> String {
    switch kind {
    case .instant: "an instant with its offset, such as 2026-11-30T06:00:00+09:00"
    case .length: "a length in whole seconds, such as 25m or 1h2m3s, up to 8d"
    case .lengthOrOpen: "a length in whole seconds, such as 25m, up to 8d, or open"
    case .text: "a text"
    case .rating: "1, 2, 3, 4 or 5, or nothing"
    case .answer: "yes or no"
    }
  }
}
