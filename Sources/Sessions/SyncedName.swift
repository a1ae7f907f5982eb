/// The name of something that this program itself puts into the shared store. Whatever is not in
/// this list stays on the device: a list of what may sync cannot let a new setting slip in, as a
/// list of what must not can.
///
/// Sits and the claim of the running one have no such name: they are records of their own kind. A
/// person's own keys (`kv set`) are free, but for the names that are a device's own.
public struct SyncedName: Hashable, Sendable {
  /// The key in the store.
  public let key: String

  private init(key: String) { self.key = key }

  /// When a day of practice begins: one value for the owner.
  public static let dayStarts = SyncedName(key: "day.starts")
  /// Days off that keep a streak: one value for the owner.
  public static let dayGrace = SyncedName(key: "day.grace")

  /// A programme's definition.
  /// - Parameter id: its id, which is not empty.
  public static func programme(_ id: String) -> SyncedName { of(.programme, id) }

  /// A bell's definition. It holds the bell's level, never a volume.
  /// - Parameter id: its id, which is not empty.
  public static func bell(_ id: String) -> SyncedName { of(.bell, id) }

  /// A journey's definition.
  /// - Parameter id: its id, which is not empty.
  public static func journey(_ id: String) -> SyncedName { of(.journey, id) }

  private enum Definition: String, CaseIterable { case programme, bell, journey }

  private static func of(_ definition: Definition, _ id: String) -> SyncedName {
    precondition(!id.isEmpty, "a definition has an id")
    return SyncedName(key: "\(definition.rawValue).\(id)")
  }

  /// The name that a key is; nil if it is none of the program's.
  public init?(_ key: String) {
    let isDefinition = Definition.allCases.contains { definition in
      let prefix = "\(definition.rawValue)."
      return key.hasPrefix(prefix) && key.utf8.count > prefix.utf8.count
    }
    guard isDefinition || [SyncedName.dayStarts.key, SyncedName.dayGrace.key].contains(key) else {
      return nil
    }
    self.key = key
  }
}

extension SessionStore {
  /// Sets what the program itself shares; everything that it writes under a key goes through here.
  /// - Throws: as `set` of a key does.
  public mutating func set(
    _ name: SyncedName, to value: JSONValue, at time: WriteTime
  ) throws(StoreError) {
    try set(name.key, to: value, at: time)
  }
}
