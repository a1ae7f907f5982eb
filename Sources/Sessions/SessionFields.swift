/// Why a value cannot be a field of a sit.
public struct FieldProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sentence a person reads.
  public let description: String

  /// Makes a problem of a sentence.
  public init(_ description: String) { self.description = description }

  /// - Parameter value: nil where the field is missing.
  init(_ name: String, found value: JSONValue?, expected: String) {
    let found = value.map { "found \(FieldProblem.shortened($0))" } ?? "nothing found"
    self.init("\(name): \(found), expected \(expected)")
  }

  /// A value as JSON, of which enough is shown to be found in a file.
  private static func shortened(_ value: JSONValue) -> String {
    let text = String(decoding: value.encoded(), as: UTF8.self)
    return text.count <= 60 ? text : "\(text.prefix(60))…"
  }
}

// The fields of a sit under the names of PRODUCT.md, as `json` writes them, and back.
extension MeditationSession {
  /// What `json` says that is not kept.
  private static let derivedNames = ["day"]
  /// The member that holds members whose names mean something else here.
  private static let unknownName = "unknown"

  /// The whole sit: `json`, and beside that what this version does not know and `json` has no name
  /// for. `init(json:)` gives the very sit back.
  public var exported: JSONValue {
    var members = (json.members ?? []).filter { !MeditationSession.isReserved($0.name) }
    let hidden = unknown.filter { member in
      MeditationSession.isReserved(member.name)
        || MeditationSession.fieldNames.contains(member.name)
    }
    if !hidden.isEmpty {
      members.append(JSONMember(MeditationSession.unknownName, .object(of: hidden)))
    }
    let extended = interruptions.map { interruption in
      var members = [
        JSONMember("from", date(interruption.from)), JSONMember("to", date(interruption.to)),
        JSONMember("kind", .string(interruption.kind.name)),
      ]
      if !interruption.unknown.isEmpty {
        members.append(JSONMember(MeditationSession.unknownName, .array(interruption.unknown)))
      }
      return JSONValue.object(of: members)
    }
    members.removeAll { $0.name == "interruptions" }
    return .object(of: members + [JSONMember("interruptions", .array(extended))])
  }

  private func date(_ instant: WallInstant) -> JSONValue {
    .string(instant.text(offsetSeconds: utcOffsetSeconds))
  }

  private static func isReserved(_ name: String) -> Bool {
    name == unknownName || derivedNames.contains(name)
  }

  /// Reads what `exported` writes, and what people write by its example: all but `startDate` and
  /// `durationSeconds` may be missing. Without an end the sit ends when its duration is over;
  /// without an offset it has that of its start. Unknown members are kept.
  /// - Throws: the first problem, or the one that keeps it from being a sit.
  public init(json: JSONValue) throws(FieldProblem) {
    guard let members = json.members else {
      throw FieldProblem("a sit", found: json, expected: "an object")
    }
    for name in ["startDate", "durationSeconds"] where json[name] == nil {
      throw FieldProblem(name, found: nil, expected: MeditationSession.expectation(of: name))
    }
    self.init(
      id: Identity(high: 0, low: 0), startDate: WallInstant(milliseconds: 0),
      endDate: WallInstant(milliseconds: 0), durationSeconds: 0, plannedSeconds: nil)
    // The start brings its offset, which an offset of its own then corrects.
    for name in MeditationSession.fieldNames {
      if let value = json[name] { try set(name, to: value) }
    }
    for member in members where !MeditationSession.fieldNames.contains(member.name) {
      if MeditationSession.derivedNames.contains(member.name) { continue }
      if member.name == MeditationSession.unknownName {
        guard let hidden = member.value.members else {
          throw FieldProblem(member.name, found: member.value, expected: "an object")
        }
        unknown += hidden
      } else {
        unknown.append(member)
      }
    }
    unknown.sort { $0.name.precedes($1.name) }
    if json["endDate"] == nil {
      endDate.milliseconds = try MeditationSession.end(of: startDate, after: durationSeconds)
    }
    if json["id"] == nil { id = contentIdentity }
    if let problem { throw FieldProblem(problem) }
  }

  /// - Throws: where it is further than any date.
  static func end(of start: WallInstant, after seconds: Int64) throws(FieldProblem) -> Int64 {
    let (span, isLong) = seconds.multipliedReportingOverflow(by: 1_000)
    let (end, isFar) = start.milliseconds.addingReportingOverflow(span)
    if isLong || isFar || !WallInstant.range.contains(end) {
      throw FieldProblem("a date is outside the years 0 to 9999")
    }
    return end
  }

  /// The identity of a sit that came without one: the same on every box that reads the same.
  private var contentIdentity: Identity {
    let name = "sit\n\(startDate.milliseconds)\n\(durationSeconds)\n\(sourceDevice.name)"
    return Identity(named: Array(name.utf8), in: MeditationSession.namespace)
  }

  /// The namespace of what is named by its content here; a random UUID, chosen once.
  public static let namespace = Identity(high: 0x6B1E_9F0C_52D7_4A38, low: 0x9C41_E07A_33B8_5D16)
}

extension MeditationSession {
  /// The known fields, in the order in which they are read.
  public static let fieldNames = [
    "id", "startDate", "utcOffsetSeconds", "endDate", "durationSeconds", "plannedSeconds",
    "overtimeSeconds", "unconfirmedSeconds", "completed", "interruptions", "programme", "journey",
    "rating", "note", "clock", "sourceDevice", "syncedToHealthKit",
  ]

  /// What a field takes, for messages.
  static func expectation(of name: String) -> String {
    switch name {
    case "id": "a UUID"
    case "startDate", "endDate": "an instant such as 2026-11-30T06:00:00+09:00"
    case "completed", "syncedToHealthKit": "true or false"
    case "interruptions": "a list of from, to and kind"
    case "programme", "journey", "note": "a text or null"
    case "clock", "sourceDevice": "a text"
    case "plannedSeconds", "rating": "a whole number or null"
    default: "a whole number"
    }
  }

  /// Sets one field to what JSON says.
  /// - Precondition: `name` is one of `fieldNames`.
  public mutating func set(_ name: String, to value: JSONValue) throws(FieldProblem) {
    if !take(name, value) {
      throw FieldProblem(name, found: value, expected: MeditationSession.expectation(of: name))
    }
  }

  /// - Returns: false where the value is none of that field.
  private mutating func take(_ name: String, _ value: JSONValue) -> Bool {
    switch name {
    case "id": Self.put(value.stringValue.flatMap { Identity($0) }, into: &id)
    case "startDate": takeStart(value)
    case "endDate":
      Self.put(value.stringValue.flatMap { WallInstant.read($0)?.instant }, into: &endDate)
    case "utcOffsetSeconds": Self.put(value.integerValue, into: &utcOffsetSeconds)
    case "durationSeconds": Self.put(value.integerValue, into: &durationSeconds)
    case "plannedSeconds": Self.put(value.integerValue, orNull: value, into: &plannedSeconds)
    case "overtimeSeconds": Self.put(value.integerValue, into: &overtimeSeconds)
    case "unconfirmedSeconds": Self.put(value.integerValue, into: &unconfirmedSeconds)
    case "completed": Self.put(value.boolValue, into: &completed)
    case "interruptions": takeInterruptions(value)
    case "programme": Self.put(value.stringValue, orNull: value, into: &programme)
    case "journey": Self.put(value.stringValue, orNull: value, into: &journey)
    case "rating": Self.put(value.integerValue, orNull: value, into: &rating)
    case "note": Self.put(value.stringValue, orNull: value, into: &note)
    case "clock": Self.put(value.stringValue.map { Clock($0) }, into: &clock)
    case "sourceDevice": Self.put(value.stringValue.map { SourceDevice($0) }, into: &sourceDevice)
    case "syncedToHealthKit": Self.put(value.boolValue, into: &syncedToHealthKit)
    default: preconditionFailure("a known field")
    }
  }

  private static func put<Value>(_ value: Value?, into field: inout Value) -> Bool {
    guard let value else { return false }
    field = value
    return true
  }

  private static func put<Value>(
    _ value: Value?, orNull json: JSONValue, into field: inout Value?
  ) -> Bool {
    field = value
    return value != nil || json.isNull
  }

  private mutating func takeStart(_ value: JSONValue) -> Bool {
    guard let read = value.stringValue.flatMap({ WallInstant.read($0) }) else { return false }
    startDate = read.instant
    utcOffsetSeconds = read.offsetSeconds
    return true
  }

  private mutating func takeInterruptions(_ value: JSONValue) -> Bool {
    guard let rows = value.arrayValue else { return false }
    var taken: [Interruption] = []
    for row in rows {
      guard let from = row["from"]?.stringValue.flatMap({ WallInstant.read($0) }),
        let to = row["to"]?.stringValue.flatMap({ WallInstant.read($0) }),
        let kind = row["kind"]?.stringValue
      else { return false }
      let unknown = row[MeditationSession.unknownName]?.arrayValue ?? []
      taken.append(
        Interruption(
          from: from.instant, to: to.instant, kind: .init(kind), unknown: unknown))
    }
    interruptions = taken
    return true
  }
}
