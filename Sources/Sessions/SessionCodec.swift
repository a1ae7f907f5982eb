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
  static let knownNames = Array("@bcdeghijknopqruvw").map(String.init)

  static func problem(ofUnknown members: [JSONMember]) -> String? {
    let names = members.map(\.name)
    if let taken = names.first(where: { name in knownNames.contains { $0.hasSameBytes(as: name) } })
    {
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
    var members = session.unknown
    func write(_ name: String, _ value: JSONValue?, unless usual: JSONValue = .null) {
      if let value, value != usual { members.append(JSONMember(name, value)) }
    }
    write("b", .integer(session.startDate.milliseconds))
    write("c", .bool(session.completed), unless: .bool(true))
    write("d", .integer(session.durationSeconds), unless: .integer(0))
    let start = JSONValue.integer(session.startDate.milliseconds)
    write("e", .integer(session.endDate.milliseconds), unless: start)
    write("g", session.programme.map(JSONValue.string))
    write("h", .bool(session.syncedToHealthKit), unless: .bool(false))
    write("i", .string(session.id.compact))
    write("j", session.journey.map(JSONValue.string))
    write("k", .string(session.clock.name), unless: .string("synced"))
    write("n", session.note.map(JSONValue.string))
    write("o", .integer(session.utcOffsetSeconds), unless: .integer(0))
    write("p", session.plannedSeconds.map(JSONValue.integer))
    let interruptions = session.interruptions.map { interruption in
      JSONValue.array([
        .integer(interruption.from.milliseconds), .integer(interruption.to.milliseconds),
        .string(interruption.kind.name),
      ])
    }
    write("q", .array(interruptions), unless: .array([]))
    write("r", session.rating.map(JSONValue.integer))
    write("u", .integer(session.unconfirmedSeconds), unless: .integer(0))
    write("v", .integer(session.overtimeSeconds), unless: .integer(0))
    write("w", .string(session.sourceDevice.name), unless: .string("timerBox"))
    return .object(of: members)
  }

  /// The sit that a record holds; nil when it has no start or no id. A field of a kind that this
  /// version does not understand reads as absent; the record itself keeps it.
  static func session(of record: JSONValue) -> MeditationSession? {
    guard let id = record["i"]?.stringValue.flatMap(Identity.init(compact:)),
      let start = instant(record["b"])
    else { return nil }
    var session = MeditationSession(
      id: id, startDate: start, endDate: instant(record["e"]) ?? start,
      durationSeconds: record["d"]?.integerValue ?? 0, plannedSeconds: record["p"]?.integerValue)
    session.completed = record["c"]?.boolValue ?? true
    session.programme = record["g"]?.stringValue
    session.syncedToHealthKit = record["h"]?.boolValue ?? false
    session.journey = record["j"]?.stringValue
    if let name = record["k"]?.stringValue { session.clock = .init(name) }
    session.note = record["n"]?.stringValue
    // An offset of a day or more is nobody's, and the arithmetic of dates relies on that.
    let offset = record["o"]?.integerValue ?? 0
    session.utcOffsetSeconds = (-86_399...86_399).contains(offset) ? offset : 0
    session.interruptions = record["q"]?.arrayValue?.compactMap(interruption) ?? []
    session.rating = record["r"]?.integerValue
    session.unconfirmedSeconds = record["u"]?.integerValue ?? 0
    session.overtimeSeconds = record["v"]?.integerValue ?? 0
    if let name = record["w"]?.stringValue { session.sourceDevice = .init(name) }
    session.unknown = (record.members ?? []).filter { member in
      !knownNames.contains { $0.hasSameBytes(as: member.name) }
    }
    return session
  }

  private static func instant(_ value: JSONValue?) -> WallInstant? {
    guard let milliseconds = value?.integerValue, WallInstant.range.contains(milliseconds) else {
      return nil
    }
    return WallInstant(milliseconds: milliseconds)
  }

  private static func interruption(_ value: JSONValue) -> MeditationSession.Interruption? {
    guard let parts = value.arrayValue, parts.count >= 3, let from = instant(parts[0]),
      let to = instant(parts[1]), let kind = parts[2].stringValue
    else { return nil }
    return .init(from: from, to: to, kind: .init(kind))
  }
}

extension SessionCodec {
  /// The stamps of a record's edited fields; nil when they cannot be read.
  static func stamps(of record: JSONValue) -> [(name: String, stamp: Stamp)]? {
    guard let member = record["@"] else { return [] }
    guard let members = member.members else { return nil }
    var stamps: [(name: String, stamp: Stamp)] = []
    for member in members {
      guard let stamp = member.value.stringValue.flatMap(Stamp.init) else { return nil }
      stamps.append((member.name, stamp))
    }
    return stamps
  }

  /// The join of two records of one sit: field by field the later stamp, on a tie the greater
  /// bytes; a field that one side lacks comes from the other. Commutative, associative, idempotent,
  /// since each field is the greatest of its values in a total order.
  /// - Precondition: the stamps of both can be read.
  static func joined(_ left: JSONValue, _ right: JSONValue) -> JSONValue {
    let sides = [left, right].map { side in (fields: side, stamps: stamps(of: side) ?? []) }
    var names: [String] = []
    for side in sides {
      let all = (side.fields.members ?? []).map(\.name) + side.stamps.map(\.name)
      for name in all where !names.contains(where: { $0.hasSameBytes(as: name) }) {
        names.append(name)
      }
    }
    var members: [JSONMember] = []
    var stamped: [JSONMember] = []
    for name in names where name != "@" {
      var best: (stamp: Stamp?, bytes: [UInt8], value: JSONValue)?
      for side in sides {
        let stamp = side.stamps.first { $0.name.hasSameBytes(as: name) }?.stamp
        guard let value = side.fields[name] ?? (stamp == nil ? nil : .null) else { continue }
        let candidate = (stamp: stamp, bytes: value.encoded(), value: value)
        if best.map({ wins(candidate.stamp, candidate.bytes, over: $0.stamp, $0.bytes) }) ?? true {
          best = candidate
        }
      }
      guard var best else { continue }
      // A phone's "handed over" is a fact, whoever says it and whenever.
      if name == "h", sides.contains(where: { $0.fields[name]?.boolValue == true }) {
        best.value = .bool(true)
      }
      members.append(JSONMember(name, best.value))
      if let stamp = best.stamp { stamped.append(JSONMember(name, .string(stamp.text))) }
    }
    if !stamped.isEmpty { members.append(JSONMember("@", .object(of: stamped))) }
    return .object(of: members)
  }

  private static func wins(
    _ left: Stamp?, _ leftBytes: [UInt8], over right: Stamp?, _ rightBytes: [UInt8]
  ) -> Bool {
    switch (left, right) {
    case (nil, nil): rightBytes.lexicographicallyPrecedes(leftBytes)
    case (nil, _): false
    case (_, nil): true
    case (let left?, let right?):
      left == right ? rightBytes.lexicographicallyPrecedes(leftBytes) : left > right
    }
  }
}
