/// What stands in the store under a name that the program itself shares: a programme, a bell, a
/// journey, what makes a day.
public struct Definition: Equatable, Sendable {
  /// The key: `programme.ID`.
  public let key: String
  /// What stands there.
  public let value: JSONValue

  /// Makes a definition.
  public init(key: String, value: JSONValue) {
    self.key = key
    self.value = value
  }

  /// What makes a key one of a programme's, a bell's or a journey's, with its dot.
  public enum Kind: String, CaseIterable, Sendable {
    /// A programme.
    case programme = "programme."
    /// A bell.
    case bell = "bell."
    /// A journey.
    case journey = "journey."
  }

  /// The id of a definition of a kind; nil where it is of another one.
  public func id(as kind: Kind) -> String? {
    let prefix = kind.rawValue
    guard key.hasPrefix(prefix), key.utf8.count > prefix.utf8.count else { return nil }
    return String(key.dropFirst(prefix.count))
  }
}

extension SessionStore {
  /// All definitions, in the order of their keys.
  public var definitions: [Definition] {
    records.values.filter { record in
      record.isLive && SyncedName(record.key) != nil
    }.compactMap { record in record.value.map { Definition(key: record.key, value: $0) } }
      .sorted { $0.key.precedes($1.key) }
  }
}
