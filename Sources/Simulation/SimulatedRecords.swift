import Sessions
import Ticks

/// The fields of a sit as `expect record` names and compares them.
enum SimulatedRecords {
  /// Fields whose value is a length, each with the stored seconds that it stands for.
  static let lengths = ["duration", "overtime", "planned", "unconfirmed"]
  /// What stands for a value that is not there.
  static let none = "none"
  /// Shorter names of dates.
  private static let aliases = ["end": "endDate", "start": "startDate"]
  /// Every name that may be asked for.
  static let fields =
    lengths + [
      "clock", "completed", "day", "durationSeconds", "end", "endDate", "id", "interruptions",
      "journey", "kinds", "note", "overtimeSeconds", "plannedSeconds", "programme", "rating",
      "sourceDevice",
      "start", "startDate", "syncedToHealthKit", "unconfirmedSeconds", "utcOffsetSeconds",
    ]

  /// A field's value as a scenario writes it; `none` where there is none.
  static func value(of field: String, in session: MeditationSession, rule: DayRule) -> String {
    if lengths.contains(field) {
      let seconds = member(field + "Seconds", of: session).integerValue
      return seconds.map { Span.seconds($0).lengthText } ?? none
    }
    if field == "day" {
      return rule.day(of: session).text
    }
    if field == "kinds" {
      let kinds = session.interruptions.map(\.kind.name)
      return kinds.isEmpty ? none : kinds.joined(separator: ",")
    }
    let value = member(aliases[field] ?? field, of: session)
    switch value {
    case .null: return none
    case .string(let text): return text
    case .array(let values): return String(values.count)
    case .bool(let flag): return flag ? "true" : "false"
    case .number(let digits): return digits
    case .object: return String(decoding: value.encoded(), as: UTF8.self)
    }
  }

  /// Whether what a scenario expects of a field is what it holds; lengths compare as lengths.
  static func matches(_ expected: String, _ value: String, field: String) -> Bool {
    guard lengths.contains(field), let span = try? Span(length: expected) else {
      return expected == value
    }
    return (try? Span(length: value)) == span
  }

  private static func member(_ name: String, of session: MeditationSession) -> JSONValue {
    session.json.members?.first { $0.name == name }?.value ?? .null
  }
}
