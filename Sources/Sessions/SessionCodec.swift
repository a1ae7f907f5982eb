/// A sit as one line of the replica holds it: a JSON object with short names, since ten years of
/// two sits a day have to fit under the cap (143 bytes a sit).
///
/// | name | field              | written as                    | absent means |
/// |------|--------------------|-------------------------------|--------------|
/// | `b`  | startDate          | milliseconds since 1970       | (required)   |
/// | `c`  | completed          | true, false                   | true         |
/// | `d`  | durationSeconds    | integer                       | 0            |
/// | `e`  | endDate            | milliseconds since 1970       | as `b`       |
/// | `g`  | programme          | string                        | nil          |
/// | `h`  | syncedToHealthKit  | true, false                   | false        |
/// | `i`  | id                 | 22 characters of base64url    | (required)   |
/// | `j`  | journey            | string                        | nil          |
/// | `k`  | clock              | string                        | `synced`     |
/// | `n`  | note               | string                        | nil          |
/// | `o`  | utcOffsetSeconds   | integer                       | 0            |
/// | `p`  | plannedSeconds     | integer                       | nil (open)   |
/// | `q`  | interruptions      | [[from, to, kind], …]         | []           |
/// | `r`  | rating             | integer                       | nil          |
/// | `u`  | unconfirmedSeconds | integer                       | 0            |
/// | `v`  | overtimeSeconds    | integer                       | 0            |
/// | `w`  | sourceDevice       | string                        | `timerBox`   |
/// | `@`  | stamps             | {name: stamp} of edited fields | none        |
///
/// Any other member is unknown and kept. A value without a stamp is as the sit was recorded; it
/// loses to every stamped one. A cleared field is null with a stamp.
enum SessionCodec {
  private static let knownNames = Array("@bcdeghijknopqruvw".utf8)

  private static func isKnown(_ name: String) -> Bool {
    name.utf8.count == 1 && knownNames.contains(name.utf8[name.utf8.startIndex])
  }

  static func problem(ofUnknown members: [JSONMember]) -> String? {
    let names = members.map(\.name)
    if let taken = names.first(where: isKnown) {
      return "the unknown member \"\(taken)\" has a name that the store uses itself"
    }
    let sorted = names.sorted { $0.precedes($1) }
    if let twice = zip(sorted, sorted.dropFirst()).first(where: { $0.hasSameBytes(as: $1) }) {
      return "the unknown member \"\(twice.0)\" is there twice"
    }
    return nil
  }

  /// The sit as it is recorded: no stamps, nothing written that its absence says too.
  static func record(of session: MeditationSession) -> JSONValue {
    let start = JSONValue.integer(session.startDate.milliseconds)
    let usual: [String: JSONValue] = [
      "c": .bool(true), "d": .integer(0), "e": start, "h": .bool(false), "k": .string("synced"),
      "o": .integer(0), "q": .array([]), "u": .integer(0), "v": .integer(0),
      "w": .string("timerBox"),
    ]
    let written = members(of: session).filter { $0.value != usual[$0.name] ?? .null }
    return .object(of: written + session.unknown + [JSONMember("i", .string(session.id.compact))])
  }

  /// The known fields but the id, in the order of their names, each with its value; null for none.
  private static func members(of session: MeditationSession) -> [JSONMember] {
    [
      JSONMember("b", .integer(session.startDate.milliseconds)),
      JSONMember("c", .bool(session.completed)),
      JSONMember("d", .integer(session.durationSeconds)),
      JSONMember("e", .integer(session.endDate.milliseconds)),
      JSONMember("g", session.programme.map(JSONValue.string) ?? .null),
      JSONMember("h", .bool(session.syncedToHealthKit)),
      JSONMember("j", session.journey.map(JSONValue.string) ?? .null),
      JSONMember("k", .string(session.clock.name)),
      JSONMember("n", session.note.map(JSONValue.string) ?? .null),
      JSONMember("o", .integer(session.utcOffsetSeconds)),
      JSONMember("p", session.plannedSeconds.map(JSONValue.integer) ?? .null),
      JSONMember("q", .array(session.interruptions.map(written))),
      JSONMember("r", session.rating.map(JSONValue.integer) ?? .null),
      JSONMember("u", .integer(session.unconfirmedSeconds)),
      JSONMember("v", .integer(session.overtimeSeconds)),
      JSONMember("w", .string(session.sourceDevice.name)),
    ]
  }

  private static func written(_ interruption: MeditationSession.Interruption) -> JSONValue {
    .array(
      [
        .integer(interruption.from.milliseconds), .integer(interruption.to.milliseconds),
        .string(interruption.kind.name),
      ] + interruption.unknown)
  }

  static func id(of record: JSONValue) -> Identity? {
    record["i"]?.stringValue.flatMap(Identity.init(compact:))
  }

  /// The sit that a record holds; nil when it has no start or no id. A field of a kind that this
  /// version does not understand reads as absent; the record itself keeps it.
  static func session(of record: JSONValue) -> MeditationSession? {
    guard let id = id(of: record), let start = WallInstant(record["b"]) else { return nil }
    var session = MeditationSession(
      id: id, startDate: start, endDate: WallInstant(record["e"]) ?? start,
      durationSeconds: record["d"]?.integerValue ?? 0, plannedSeconds: record["p"]?.integerValue)
    session.completed = record["c"]?.boolValue ?? true
    session.programme = record["g"]?.stringValue
    session.syncedToHealthKit = record["h"]?.boolValue ?? false
    session.journey = record["j"]?.stringValue
    if let name = record["k"]?.stringValue { session.clock = .init(name) }
    session.note = record["n"]?.stringValue
    session.utcOffsetSeconds = offsetSeconds(record["o"]?.integerValue)
    session.interruptions = record["q"]?.arrayValue?.compactMap(interruption) ?? []
    session.rating = record["r"]?.integerValue
    session.unconfirmedSeconds = record["u"]?.integerValue ?? 0
    session.overtimeSeconds = record["v"]?.integerValue ?? 0
    if let name = record["w"]?.stringValue { session.sourceDevice = .init(name) }
    session.unknown = (record.members ?? []).filter { member in
      // One that was cleared is a stamped null, and not there any more.
      !isKnown(member.name) && !(member.value.isNull && record["@"]?[member.name] != nil)
    }
    return session
  }

  /// An offset as it is written. One of a day or more is nobody's, and the arithmetic of dates
  /// relies on that.
  static func offsetSeconds(_ written: Int64?) -> Int64 {
    written.flatMap { (-86_399...86_399).contains($0) ? $0 : nil } ?? 0
  }

  private static func interruption(_ value: JSONValue) -> MeditationSession.Interruption? {
    guard let parts = value.arrayValue, parts.count >= 3, let from = WallInstant(parts[0]),
      let to = WallInstant(parts[1]), let kind = parts[2].stringValue
    else { return nil }
    return .init(from: from, to: to, kind: .init(kind), unknown: Array(parts[3...]))
  }
}

// MARK: - Edited fields

extension SessionCodec {
  /// A field of a record, with its stamp if it was edited.
  private struct Field {
    var name: String
    var stamp: Stamp?
    var value: JSONValue

    /// A stamped one first, then the later stamp, then the greater bytes.
    func wins(over other: Field) -> Bool {
      if stamp != other.stamp { return Stamp.later(stamp, other.stamp) == stamp }
      return other.value.encoded().lexicographicallyPrecedes(value.encoded())
    }
  }

  /// The stamps of a record's edited fields; nil when they cannot be read.
  static func stamps(of record: JSONValue) -> [(name: String, stamp: Stamp)]? {
    guard let member = record["@"] else { return [] }
    guard let members = member.members else { return nil }
    var stamps: [(name: String, stamp: Stamp)] = []
    for member in members {
      guard let stamp = Stamp(member.value) else { return nil }
      stamps.append((member.name, stamp))
    }
    return stamps
  }

  /// The fields in the order of their names. One that has only a stamp was cleared.
  private static func fields(of record: JSONValue) -> [Field] {
    let values = (record.members ?? []).map { Field(name: $0.name, value: $0.value) }
    let stamps = (stamps(of: record) ?? []).map { name, stamp in
      Field(name: name, stamp: stamp, value: .null)
    }
    let fields = joinedByName(values, stamps, name: \.name) { value, stamp in
      Field(name: value.name, stamp: stamp.stamp, value: value.value)
    }
    return fields.filter { $0.name != "@" }
  }

  private static func record(of fields: [Field]) -> JSONValue {
    var members = fields.map { JSONMember($0.name, $0.value) }
    let stamped = fields.compactMap { field in
      field.stamp.map { JSONMember(field.name, .string($0.text)) }
    }
    if !stamped.isEmpty { members.append(JSONMember("@", .object(stamped))) }
    return .object(of: members)
  }

  /// The record in the one way to write it; nil when its stamps cannot be read.
  static func normal(_ record: JSONValue) -> JSONValue? {
    if record["@"] == nil { return record }
    return stamps(of: record) == nil ? nil : self.record(of: fields(of: record))
  }

  /// The join of two records of one sit: field by field the later stamp, on a tie the greater
  /// bytes; a field that one side lacks comes from the other. Commutative, associative, idempotent,
  /// since each field is the greatest of its values in a total order.
  /// - Precondition: the stamps of both can be read.
  static func joined(_ left: JSONValue, _ right: JSONValue) -> JSONValue {
    let joined = joinedByName(fields(of: left), fields(of: right), name: \.name) { left, right in
      var best = right.wins(over: left) ? right : left
      // A phone's "handed over" is a fact, whoever says it and whenever.
      let isTrue = left.value.boolValue == true || right.value.boolValue == true
      if best.name == "h", isTrue { best.value = .bool(true) }
      return best
    }
    return record(of: joined)
  }

  /// The record after an edit; nil when nothing changed.
  /// - Parameter stamp: makes the stamp of a write that follows another one.
  static func edited(
    _ record: JSONValue, from before: MeditationSession, to after: MeditationSession,
    stamp: (Stamp?) -> Stamp
  ) -> JSONValue? {
    let fields = fields(of: record)
    var changes = joinedByName(
      allFields(of: before).map { (name: $0.name, old: $0.value, new: JSONValue.null) },
      allFields(of: after).map { (name: $0.name, old: JSONValue.null, new: $0.value) },
      name: \.name
    ) { ($0.name, $0.old, $1.new) }
    .filter { $0.old != $0.new && ($0.name != "h" || $0.new.boolValue == true) }
    if changes.isEmpty { return nil }
    // Where no end is written it is the start, and does not move with it.
    let movesStart = changes.contains { $0.name == "b" } && WallInstant(record["e"]) == nil
    if movesStart, !changes.contains(where: { $0.name == "e" }) {
      changes.append(("e", .null, .integer(after.endDate.milliseconds)))
      changes.sort { $0.name.precedes($1.name) }
    }
    let written = changes.map { name, _, value in
      guard name == "q", let entries = value.arrayValue else {
        return Field(name: name, value: value)
      }
      // What is no interruption to this version stays among them.
      let others = (record["q"]?.arrayValue ?? []).filter { interruption($0) == nil }
      return Field(name: name, value: .array(entries + others))
    }
    let stamped = joinedByName(
      fields.map { (old: Field?.some($0), new: Field?.none, name: $0.name) },
      written.map { (old: Field?.none, new: Field?.some($0), name: $0.name) }, name: \.name
    ) { ($0.old, $1.new, $0.name) }
    .compactMap { old, new, name in
      new.map { Field(name: name, stamp: stamp(old?.stamp), value: $0.value) } ?? old
    }
    return self.record(of: stamped)
  }

  private static func allFields(of session: MeditationSession) -> [JSONMember] {
    (members(of: session) + session.unknown).sorted { $0.name.precedes($1.name) }
  }
}
