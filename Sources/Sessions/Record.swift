/// What is known of one key: fields with a stamp each, and when the key was deleted last.
///
/// A value that is an object is its members, each a field of its own, so that two boxes that change
/// two members keep both. Any other value is one field with the empty name, the whole. An object
/// that has itself a member with the empty name, and an empty object, are wholes too.
///
/// Invariants:
/// - Fields are in the byte order of their names, each name once; no field and no deletion is no
///   record.
/// - A whole hides every member that is not later, and such members are not kept. Where later ones
///   are left, the whole is not shown, and of it only the stamp is kept, with null.
/// - Every field was written by one who knew of `deletedAt`.
/// - `line` is a pure function of the rest, and reading it gives the rest back.
struct Record: Sendable {
  struct Field: Sendable {
    let name: String
    let stamp: Stamp
    /// Null in a member: it was cleared.
    let value: JSONValue

    /// The later stamp first, then the greater bytes.
    func wins(over other: Field) -> Bool {
      if stamp != other.stamp { return stamp > other.stamp }
      return other.value.encoded().lexicographicallyPrecedes(value.encoded())
    }
  }

  let key: String
  let fields: [Field]
  let deletedAt: Stamp?
  /// Members of the line that this version does not know.
  let rest: [JSONMember]
  let line: ReplicaLine

  /// - Parameter fields: in the order of their names, each once.
  init(key: String, fields: [Field], deletedAt: Stamp?, rest: [JSONMember]) {
    self.key = key
    self.fields = Record.visible(fields)
    self.deletedAt = deletedAt
    self.rest = rest
    line = Record.line(key: key, fields: self.fields, deletedAt: deletedAt, rest: rest)
  }

  /// Whether the key has a value.
  var isLive: Bool { !fields.isEmpty }

  /// The value shown: members that were cleared are not there. Nil for a deleted key.
  var value: JSONValue? {
    guard let first = fields.first else { return nil }
    if fields.count == 1 && first.name.isEmpty { return first.value }
    return .object(
      fields.filter { !$0.name.isEmpty && !$0.value.isNull }.map { JSONMember($0.name, $0.value) })
  }

  var stamps: [Stamp] { fields.map(\.stamp) + (deletedAt.map { [$0] } ?? []) }

  private static func visible(_ fields: [Field]) -> [Field] {
    guard let whole = fields.first, whole.name.isEmpty else { return fields }
    let later = fields.dropFirst().filter { $0.stamp > whole.stamp }
    return later.isEmpty ? [whole] : [Field(name: "", stamp: whole.stamp, value: .null)] + later
  }

  /// Whether a value is kept as its members.
  fileprivate static func hasFields(_ value: JSONValue) -> Bool {
    guard let first = value.members?.first else { return false }
    return !first.name.isEmpty
  }
}

// MARK: - The written form

extension Record {
  /// The members of a line that have a meaning here.
  private static let ownNames = ["f", "k", "t", "v", "x"]

  private static func line(
    key: String, fields: [Field], deletedAt: Stamp?, rest: [JSONMember]
  ) -> ReplicaLine {
    var members = rest + [JSONMember("k", .string(key))]
    if let deletedAt { members.append(JSONMember("x", .string(deletedAt.text))) }
    if let value = valueOfOneStamp(fields) {
      members.append(JSONMember("t", .string(fields[0].stamp.text)))
      members.append(JSONMember("v", value))
    } else if !fields.isEmpty {
      let pairs = fields.map { field in
        JSONMember(field.name, .array([.string(field.stamp.text), field.value]))
      }
      members.append(JSONMember("f", .object(pairs)))
    }
    return ReplicaLine(kind: "k", .object(of: members))
  }

  /// The value that says the same as the fields when all have one stamp; nil when none does.
  private static func valueOfOneStamp(_ fields: [Field]) -> JSONValue? {
    guard let first = fields.first else { return nil }
    if first.name.isEmpty {
      return fields.count == 1 && !hasFields(first.value) ? first.value : nil
    }
    guard fields.allSatisfy({ $0.stamp == first.stamp }) else { return nil }
    return .object(fields.map { JSONMember($0.name, $0.value) })
  }

  /// Reads a line's payload; nil when it is not understood.
  init?(payload: JSONValue) {
    guard let members = payload.members, let key = payload["k"]?.stringValue, !key.isReservedKey
    else { return nil }
    let parts = (f: payload["f"], t: payload["t"], v: payload["v"], x: payload["x"])
    let rest = members.filter { !Record.ownNames.contains($0.name) }
    let stamp = Stamp(parts.t)
    var deletedAt = Stamp(parts.x)
    var fields: [Field] = []
    switch parts {
    case (nil, .some, nil, .bool(true)?):
      // The form of the first version: deleted at "t".
      guard let stamp else { return nil }
      deletedAt = stamp
    case (nil, nil, nil, .some): if deletedAt == nil { return nil }
    case (nil, .some, let value?, _):
      guard let stamp, value.depth <= JSONParser.depthLimit else { return nil }
      fields = Record.fields(of: value, stamp)
    case (let written?, nil, nil, _):
      guard let read = Record.fields(written), !read.isEmpty else { return nil }
      fields = read
    default: return nil
    }
    if parts.x != nil && deletedAt == nil { return nil }
    self.init(key: key, fields: fields, deletedAt: deletedAt, rest: rest)
  }

  private static func fields(of value: JSONValue, _ stamp: Stamp) -> [Field] {
    guard hasFields(value), let members = value.members else {
      return [Field(name: "", stamp: stamp, value: value)]
    }
    return members.map { Field(name: $0.name, stamp: stamp, value: $0.value) }
  }

  private static func fields(_ written: JSONValue) -> [Field]? {
    var fields: [Field] = []
    for member in written.members ?? [] {
      guard let pair = member.value.arrayValue, pair.count == 2, let stamp = Stamp(pair[0]),
        pair[1].depth <= JSONParser.depthLimit
      else { return nil }
      fields.append(Field(name: member.name, stamp: stamp, value: pair[1]))
    }
    return fields
  }
}

// MARK: - Joining

extension Record {
  /// The join with another record of the same key: the later deletion wins whole, so that a late
  /// change of one field does not half revive a deleted key; below one deletion each field is the
  /// greatest of its values. Both are greatest elements of total orders, so the join is
  /// commutative, associative and idempotent.
  func joined(with other: Record) -> Record {
    if line.payload == other.line.payload { return self }
    let rest = joinedByName(self.rest, other.rest, name: \.name) {
      $0.value.encoded().lexicographicallyPrecedes($1.value.encoded()) ? $1 : $0
    }
    let deletedAt = Stamp.later(self.deletedAt, other.deletedAt)
    let fields =
      if self.deletedAt == other.deletedAt {
        joinedByName(self.fields, other.fields, name: \.name) { $1.wins(over: $0) ? $1 : $0 }
      } else {
        self.deletedAt == deletedAt ? self.fields : other.fields
      }
    return Record(key: key, fields: fields, deletedAt: deletedAt, rest: rest)
  }
}

/// All of two lists that are in the byte order of their names; where both have a name, what
/// `choose` makes of the two.
func joinedByName<Item>(
  _ left: [Item], _ right: [Item], name: (Item) -> String, choose: (Item, Item) -> Item
) -> [Item] {
  var joined: [Item] = []
  joined.reserveCapacity(max(left.count, right.count))
  var (index, other) = (0, 0)
  while index < left.count && other < right.count {
    let (mine, theirs) = (name(left[index]), name(right[other]))
    if mine.hasSameBytes(as: theirs) {
      joined.append(choose(left[index], right[other]))
      (index, other) = (index + 1, other + 1)
    } else if mine.precedes(theirs) {
      joined.append(left[index])
      index += 1
    } else {
      joined.append(right[other])
      other += 1
    }
  }
  return joined + left[index...] + right[other...]
}

// MARK: - Local writes

extension Record {
  /// The record after a key was set; nil when it shows that value already.
  /// - Parameters:
  ///   - value: what it is to show. Members that are null are not shown, so they are none.
  ///   - stamp: makes the stamp of a write that follows another one.
  static func setting(
    _ key: String, of old: Record?, to value: JSONValue, stamp: (Stamp?) -> Stamp
  ) -> Record? {
    let isObject = hasFields(value)
    let members = isObject ? (value.members ?? []).filter { !$0.value.isNull } : []
    let shown = isObject ? JSONValue.object(members) : value
    if old?.value == shown { return nil }
    let fields: [Field]
    if members.isEmpty {
      fields = [Field(name: "", stamp: stamp(old?.stamps.max()), value: shown)]
    } else {
      fields = changed(old?.fields ?? [], to: members) { earlier in
        let whole = old?.fields.first { $0.name.isEmpty }?.stamp
        return stamp(Stamp.later(earlier, Stamp.later(whole, old?.deletedAt)))
      }
    }
    return Record(key: key, fields: fields, deletedAt: old?.deletedAt, rest: old?.rest ?? [])
  }

  /// Only what changed gets a new stamp; what is no longer there is cleared.
  private static func changed(
    _ old: [Field], to members: [JSONMember], stamp: (Stamp?) -> Stamp
  ) -> [Field] {
    let wanted = members.map { (name: $0.name, old: Field?.none, value: JSONValue?.some($0.value)) }
    let known = old.map { (name: $0.name, old: Field?.some($0), value: JSONValue?.none) }
    let both = joinedByName(known, wanted, name: \.name) { ($0.name, $0.old, $1.value) }
    return both.map { name, old, value in
      if let old, name.isEmpty || old.value == (value ?? .null) { return old }
      return Field(name: name, stamp: stamp(old?.stamp), value: value ?? .null)
    }
  }

  /// The record after its key was deleted.
  func deleted(stamp: (Stamp?) -> Stamp) -> Record {
    Record(key: key, fields: [], deletedAt: stamp(stamps.max()), rest: rest)
  }
}
