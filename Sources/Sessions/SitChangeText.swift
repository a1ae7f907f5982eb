// Changes and tallies as JSON: what a verb asks of the process that has the store, and the answer.
extension SitChange {
  /// The change as an object.
  public var json: JSONValue {
    func change(_ name: String, _ members: JSONMember...) -> JSONValue {
      .object(of: members + [JSONMember("do", .string(name))])
    }
    return switch self {
    case .add(let session, let isForced):
      change(
        "add", JSONMember("force", .bool(isForced)), JSONMember("sit", session.exported))
    case .take(let session, let isForeign, let isForced):
      change(
        "take", JSONMember("force", .bool(isForced)), JSONMember("foreign", .bool(isForeign)),
        JSONMember("sit", session.exported))
    case .edit(let id, let members, let isForced):
      change(
        "edit", JSONMember("fields", .object(of: members)), JSONMember("force", .bool(isForced)),
        JSONMember("id", .string(id)))
    case .delete(let id): change("delete", JSONMember("id", .string(id)))
    case .undo(let isForced): change("undo", JSONMember("force", .bool(isForced)))
    }
  }

  /// Reads what `json` writes.
  public init(json: JSONValue) throws(FieldProblem) {
    func flag(_ name: String) -> Bool { json[name]?.boolValue ?? false }
    func text(_ name: String) throws(FieldProblem) -> String {
      guard let text = json[name]?.stringValue else {
        throw FieldProblem(name, found: json[name], expected: "a text")
      }
      return text
    }
    func sit() throws(FieldProblem) -> MeditationSession {
      try MeditationSession(json: json["sit"] ?? .null)
    }
    switch json["do"]?.stringValue {
    case "add": self = .add(try sit(), isForced: flag("force"))
    case "take": self = .take(try sit(), isForeign: flag("foreign"), isForced: flag("force"))
    case "edit":
      self = .edit(
        id: try text("id"), json["fields"]?.members ?? [], isForced: flag("force"))
    case "delete": self = .delete(id: try text("id"))
    case "undo": self = .undo(isForced: flag("force"))
    default:
      throw FieldProblem(
        "do", found: json["do"], expected: "\"add\", \"take\", \"edit\", \"delete\" or \"undo\"")
    }
  }

  /// Reads a list of changes.
  /// - Parameter text: a JSON array of what `json` writes.
  public static func list(parsing text: String) throws(FieldProblem) -> [SitChange] {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(
        parsing: Array(text.utf8)[...], depthLimit: SessionStore.lineDepthLimit)
    } catch {
      throw FieldProblem("the changes: \(error)")
    }
    guard let rows = value.arrayValue else {
      throw FieldProblem("the changes", found: value, expected: "a list")
    }
    var changes: [SitChange] = []
    for row in rows { changes.append(try SitChange(json: row)) }
    return changes
  }
}

extension SitTally {
  /// The tally as an object.
  public var json: JSONValue {
    let refused = refusals.map { refusal in
      JSONValue.array([.integer(Int64(refusal.index)), .string(refusal.reason)])
    }
    return .object(of: [
      JSONMember("deleted", .integer(Int64(deleted))),
      JSONMember("ids", .array(identities.map { .string($0.description) })),
      JSONMember("known", .integer(Int64(known))), JSONMember("new", .integer(Int64(new))),
      JSONMember("refused", .array(refused)),
    ])
  }

  /// Reads what `json` writes; nil when it is none.
  public init?(json: JSONValue) {
    guard let new = json["new"]?.integerValue, let known = json["known"]?.integerValue,
      let deleted = json["deleted"]?.integerValue, let ids = json["ids"]?.arrayValue,
      let refused = json["refused"]?.arrayValue
    else { return nil }
    (self.new, self.known, self.deleted) = (Int(new), Int(known), Int(deleted))
    identities = ids.compactMap { $0.stringValue.flatMap { Identity($0) } }
    refusals = refused.compactMap { row in
      guard let parts = row.arrayValue, parts.count == 2, let index = parts[0].integerValue,
        let reason = parts[1].stringValue
      else { return nil }
      return Refusal(index: Int(index), reason: reason)
    }
  }
}
