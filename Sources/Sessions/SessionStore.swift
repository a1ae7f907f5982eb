/// One replica of the store: the sits of one owner, a few keys with values and the claims of
/// running sits, as one device knows them. A plain value; reading and writing files is someone
/// else's.
///
/// Invariants:
/// - Everything is held as its canonical line, so equal states have equal bytes and writing a
///   replica is putting its lines in order.
/// - A sit is never both live and deleted; a deleted one stays deleted.
/// - `bodyBytes` is the sum over the lines held, line feeds included; `months` counts the sits held
///   and their bytes; `liveKeys` counts the records with a value.
/// - A local write that a cap forbids changes nothing. Reading and merging drop nothing to fit.
/// - A line that is whole but not understood is kept in its very bytes.
public struct SessionStore: Sendable {
  /// The format that this version writes.
  public static let currentFormat: Int64 = 1

  /// Whose sits these are.
  public let owner: Identity
  /// The device whose replica this is.
  public let device: Identity
  /// The format of the file: a newer one stays the newer one.
  public internal(set) var format = SessionStore.currentFormat {
    didSet { revision += 1 }
  }
  /// What whoever read this last could not use of the bytes. It is no part of the state: it is
  /// neither written nor merged.
  public internal(set) var damage: [DamagedLine] = []

  /// Whether a copy of another device has brought something: once in a device's life it has not.
  var hasMerged = false {
    didSet { revision += 1 }
  }
  /// Counts the changes of all that is written: where it is the same, so are the files.
  var revision = 0

  var headerRest: [JSONMember] = [] {
    didSet { revision += 1 }
  }
  private(set) var sits: [Identity: Sit] = [:]
  private(set) var deletedSits: [Identity: Register] = [:]
  private(set) var records: [[UInt8]: Record] = [:]
  private(set) var claims: [Identity: Register] = [:]
  private(set) var kept: Set<[UInt8]> = []
  /// What the lines kept say of owners.
  private(set) var adoptions: Set<Adoption> = []
  private(set) var months: [Month: Tally] = [:]
  private(set) var bodyBytes = 0
  private(set) var liveKeys = 0

  /// The sits of a month.
  struct Tally: Equatable, Sendable {
    var sits = 0
    /// Their lines, line feeds included.
    var bytes = 0

    mutating func add(_ line: Int) {
      sits += 1
      bytes += line
    }
  }

  /// A line that a later one replaces: a sit's tombstone, a device's claim.
  struct Register: Sendable {
    let stamp: Stamp
    let line: ReplicaLine

    /// Later stamp first, then the greater bytes.
    func wins(over other: Register) -> Bool {
      if stamp != other.stamp { return stamp > other.stamp }
      return other.line.payload.lexicographicallyPrecedes(line.payload)
    }
  }

  /// An empty replica.
  public init(owner: Identity, device: Identity) {
    self.owner = owner
    self.device = device
  }

  /// All sits, oldest first; those of one instant by id.
  public var sessions: [MeditationSession] { orderedSits.compactMap(\.session) }

  var orderedSits: [Sit] { SessionStore.ordered(sits.values) }

  private static func ordered(_ sits: some Sequence<Sit>) -> [Sit] {
    sits.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
  }

  /// All keys in byte order: the values' and `sits.YEAR-MONTH` for each month with sits.
  public var keys: [String] {
    let named = records.values.filter(\.isLive).map(\.key)
    return (named + months.keys.map(\.key)).sorted { $0.precedes($1) }
  }

  /// The value of a key; nil when there is none. A month, as `sits.2026-11`, gives its sits.
  public func value(forKey key: String) -> JSONValue? {
    guard key.isReservedKey else { return records[Array(key.utf8)]?.value }
    guard let month = Month(String(key.dropFirst(Month.keyPrefix.count))), months[month] != nil
    else { return nil }
    let ofMonth = sits.values.filter { $0.month == month }
    return .array(SessionStore.ordered(ofMonth).compactMap { $0.session?.json })
  }
}

// MARK: - Holding lines

extension SessionStore {
  /// Makes room for the sits of a file, so that they are not put in order again and again as they
  /// come. A line with a sit has 70 bytes at least.
  mutating func reserve(fileBytes: Int) {
    sits.reserveCapacity(sits.count + min(fileBytes, StoreCaps.fileBytes) / 128)
  }

  mutating func hold(_ sit: Sit) {
    revision += 1
    sits[sit.id] = sit
    let bytes = sit.line.bytes.count + 1
    months[sit.month, default: Tally()].add(bytes)
    bodyBytes += bytes
  }

  mutating func release(_ sit: Sit) {
    revision += 1
    sits[sit.id] = nil
    let bytes = sit.line.bytes.count + 1
    var tally = months[sit.month] ?? Tally()
    tally.sits -= 1
    tally.bytes -= bytes
    months[sit.month] = tally.sits == 0 ? nil : tally
    bodyBytes -= bytes
  }

  mutating func hold(_ record: Record) {
    let old = records.updateValue(record, forKey: Array(record.key.utf8))
    liveKeys += (record.isLive ? 1 : 0) - (old?.isLive == true ? 1 : 0)
    replaceLine(old?.line, by: record.line)
  }

  mutating func hold(tombstone: Register, of id: Identity) {
    replaceLine(deletedSits.updateValue(tombstone, forKey: id)?.line, by: tombstone.line)
  }

  mutating func hold(claim: Register, of device: Identity) {
    replaceLine(claims.updateValue(claim, forKey: device)?.line, by: claim.line)
  }

  /// Keeps a line in its very bytes: one that this version does not understand, or an adoption.
  mutating func keep(_ line: [UInt8]) {
    guard kept.insert(line).inserted else { return }
    if let adoption = Adoption(line: line) { adoptions.insert(adoption) }
    revision += 1
    bodyBytes += line.count + 1
  }

  private mutating func replaceLine(_ old: ReplicaLine?, by new: ReplicaLine) {
    if old?.bytes != new.bytes { revision += 1 }
    if let old { bodyBytes -= old.bytes.count + 1 }
    bodyBytes += new.bytes.count + 1
  }
}
