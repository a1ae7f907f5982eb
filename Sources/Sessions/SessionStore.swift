/// One replica of the store: the sits of one owner and a few keys with values, as one device knows
/// them. A plain value; reading and writing the file is someone else's.
///
/// Invariants:
/// - A record is held as its canonical line, so equal states have equal bytes and writing a replica
///   is putting its lines in order.
/// - A sit is never both live and deleted; a deleted one stays deleted.
/// - `bodyBytes` and `sitBytes` are the sums over the lines held, line feeds included.
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
  public private(set) var format = SessionStore.currentFormat
  /// What could not be used of the bytes that this was read from. It is not written.
  public internal(set) var damage: [DamagedLine] = []

  var headerRest: [JSONMember] = []
  private(set) var sits: [Identity: Sit] = [:]
  private(set) var deletedSits: [Identity: Register] = [:]
  private(set) var values: [[UInt8]: Register] = [:]
  private(set) var kept: Set<[UInt8]> = []
  private var sitsByMonth: [String: Int] = [:]
  private var bodyBytes = 0
  private var sitBytes = 0

  /// A live sit.
  struct Sit: Sendable {
    let id: Identity
    let start: WallInstant
    let line: ReplicaLine

    /// The bucket of a sit: the UTC month of its start.
    var month: String { String(start.day(offsetSeconds: 0).text.dropLast(3)) }
  }

  /// A value or a tombstone, with its stamp.
  struct Register: Sendable {
    let stamp: Stamp
    let isTombstone: Bool
    let line: ReplicaLine

    /// Later stamp first, a deletion wins a tie, then the greater bytes.
    func wins(over other: Register) -> Bool {
      if stamp != other.stamp { return stamp > other.stamp }
      if isTombstone != other.isTombstone { return isTombstone }
      return other.line.bytes.lexicographicallyPrecedes(line.bytes)
    }
  }

  /// An empty replica.
  public init(owner: Identity, device: Identity) {
    self.owner = owner
    self.device = device
  }

  /// All sits, oldest first; those of one instant by id.
  public var sessions: [MeditationSession] { sessions { _ in true } }

  private func sessions(where isWanted: (Sit) -> Bool) -> [MeditationSession] {
    orderedSits.filter(isWanted).compactMap { sit in
      // Every line held was read once already.
      (try? JSONValue(parsing: sit.line.payload)).flatMap(SessionCodec.session)
    }
  }

  var orderedSits: [Sit] { sits.values.sorted { ($0.start, $0.id) < ($1.start, $1.id) } }

  /// How full the store is.
  public var usage: StoreUsage {
    StoreUsage(
      bytes: fileBytes(body: bodyBytes, lines: lineCount), keys: keyCount, sits: sits.count)
  }

  /// All keys in byte order: the values' and `sits.YEAR-MONTH` for each month with sits.
  public var keys: [String] {
    let live = values.filter { !$0.value.isTombstone }
    let names = live.keys.map { String(decoding: $0, as: UTF8.self) }
    return (names + sitsByMonth.keys.map { SessionStore.monthPrefix + $0 })
      .sorted { $0.precedes($1) }
  }

  /// The value of a key; nil when there is none. A month, as `sits.2026-11`, gives its sits.
  public func value(forKey key: String) -> JSONValue? {
    if key.hasPrefix(SessionStore.monthPrefix) {
      let month = String(key.dropFirst(SessionStore.monthPrefix.count))
      guard sitsByMonth[month] != nil else { return nil }
      return .array(sessions { $0.month == month }.map { $0.json })
    }
    guard let register = values[Array(key.utf8)], !register.isTombstone else { return nil }
    return (try? JSONValue(parsing: register.line.payload))?["v"]
  }

  static let monthPrefix = "sits."
}

// MARK: - Local writes

extension SessionStore {
  /// Adds a sit.
  /// - Returns: whether it was new. A sit that is there already is left as it is, so that adding
  ///   one again after a crash is harmless.
  /// - Throws: `quotaViolation`, `deletedSit`, `impossibleSit`; nothing is changed then.
  @discardableResult
  public mutating func add(_ session: MeditationSession) throws(StoreError) -> Bool {
    if let problem = session.problem { throw .impossibleSit(session.id, problem: problem) }
    if deletedSits[session.id] != nil { throw .deletedSit(session.id) }
    if sits[session.id] != nil { return false }
    let line = ReplicaLine(kind: "s", SessionCodec.record(of: session))
    let sit = Sit(id: session.id, start: session.startDate, line: line)
    let newKeys = sitsByMonth[sit.month] == nil ? 1 : 0
    try gate(bytes: line.bytes.count + 1, lines: 1, keys: newKeys, forSits: true)
    hold(sit)
    return true
  }

  /// Deletes a sit for good, here and wherever this replica is merged.
  /// - Parameter time: when this is.
  /// - Throws: `noSuchSit`.
  public mutating func delete(_ id: Identity, at time: WriteTime) throws(StoreError) {
    guard let sit = sits[id] else { throw .noSuchSit(id) }
    let tombstone = tombstone(of: id, at: time)
    let bytes = tombstone.line.bytes.count - sit.line.bytes.count
    try gate(bytes: bytes, lines: 0, keys: 0, forSits: true)
    absorb(tombstone, of: id)
  }

  private func tombstone(of id: Identity, at time: WriteTime) -> Register {
    let stamp = Stamp(at: time.wall, device: device, after: nil)
    let members = [
      JSONMember("i", .string(id.compact)), JSONMember("t", .string(stamp.text)),
    ]
    let line = ReplicaLine(kind: "x", .object(of: members))
    return Register(stamp: stamp, isTombstone: true, line: line)
  }

  /// Sets a key.
  /// - Parameters:
  ///   - key: 1 to 64 bytes of UTF-8, compared byte for byte.
  ///   - time: when this is.
  /// - Throws: `quotaViolation`, `emptyKey`, `reservedKey`; nothing is changed then.
  public mutating func set(
    _ key: String, to value: JSONValue, at time: WriteTime
  ) throws(StoreError) {
    if key.isEmpty { throw .emptyKey }
    if key.hasPrefix(SessionStore.monthPrefix) { throw .reservedKey(key) }
    if key.utf8.count > StoreCaps.keyBytes {
      throw .quotaViolation(.keyBytes, needed: key.utf8.count, allowed: StoreCaps.keyBytes)
    }
    if self.value(forKey: key) == value { return }
    try write(key, JSONMember("v", value), at: time)
  }

  /// Deletes a key, here and wherever this replica is merged.
  /// - Parameter time: when this is.
  /// - Throws: `noSuchKey`, `reservedKey`.
  public mutating func delete(key: String, at time: WriteTime) throws(StoreError) {
    if key.hasPrefix(SessionStore.monthPrefix) { throw .reservedKey(key) }
    guard value(forKey: key) != nil else { throw .noSuchKey(key) }
    try write(key, JSONMember("x", .bool(true)), at: time)
  }

  private mutating func write(
    _ key: String, _ content: JSONMember, at time: WriteTime
  ) throws(StoreError) {
    let name = Array(key.utf8)
    let earlier = values[name]
    let stamp = Stamp(at: time.wall, device: device, after: earlier?.stamp)
    let isTombstone = content.name == "x"
    let members = [JSONMember("k", .string(key)), JSONMember("t", .string(stamp.text)), content]
    let line = ReplicaLine(kind: "k", .object(of: members))
    let wasLive = earlier.map { !$0.isTombstone } ?? false
    try gate(
      bytes: line.bytes.count + 1 - (earlier.map { $0.line.bytes.count + 1 } ?? 0),
      lines: earlier == nil ? 1 : 0,
      keys: (isTombstone ? 0 : 1) - (wasLive ? 1 : 0), forSits: false)
    absorb(Register(stamp: stamp, isTombstone: isTombstone, line: line), of: name)
  }

  /// Refuses growth over a cap. What shrinks a store that a merge has filled over the cap is let
  /// through, or it could never be emptied.
  private func gate(
    bytes: Int, lines: Int, keys: Int, forSits: Bool
  ) throws(StoreError) {
    let now = usage
    let needed = fileBytes(body: bodyBytes + bytes, lines: lineCount + lines)
    let bytesKept = forSits ? 0 : max(0, StoreCaps.bytesForSits - sitBytes)
    let bytesAllowed = StoreCaps.fileBytes - bytesKept
    if needed > now.bytes && needed > bytesAllowed {
      throw .quotaViolation(.fileBytes, needed: needed, allowed: bytesAllowed)
    }
    let keysKept = forSits ? 0 : max(0, StoreCaps.keysForSits - sitsByMonth.count)
    let keysAllowed = StoreCaps.keys - keysKept
    if keys > 0 && now.keys + keys > keysAllowed {
      throw .quotaViolation(.keys, needed: now.keys + keys, allowed: keysAllowed)
    }
  }
}

// MARK: - Taking in what others wrote

extension SessionStore {
  /// Joins what another replica of the same owner knows into this one; nothing is lost to a cap.
  /// The join of any number of replicas is the same in whatever order and however often they meet.
  public mutating func merge(_ other: SessionStore) {
    for (id, tombstone) in other.deletedSits { absorb(tombstone, of: id) }
    for sit in other.sits.values { absorb(sit) }
    for (name, register) in other.values { absorb(register, of: name) }
    for line in other.kept { keep(line) }
    format = max(format, other.format)
  }

  mutating func absorb(_ tombstone: Register, of id: Identity) {
    if let sit = sits[id] { release(sit) }
    if let old = deletedSits[id] {
      guard tombstone.wins(over: old) else { return }
      count(old.line, -1)
    }
    deletedSits[id] = tombstone
    count(tombstone.line, 1)
  }

  mutating func absorb(_ sit: Sit) {
    if deletedSits[sit.id] != nil { return }
    guard let old = sits[sit.id] else { return hold(sit) }
    guard old.line.bytes != sit.line.bytes,
      let left = try? JSONValue(parsing: old.line.payload),
      let right = try? JSONValue(parsing: sit.line.payload)
    else { return }
    release(old)
    hold(Sit(record: SessionCodec.joined(left, right)) ?? old)
  }

  mutating func absorb(_ register: Register, of name: [UInt8]) {
    if let old = values[name] {
      guard register.wins(over: old) else { return }
      count(old.line, -1)
    }
    values[name] = register
    count(register.line, 1)
  }

  /// Keeps a line that this version does not understand.
  mutating func keep(_ line: [UInt8]) {
    if kept.insert(line).inserted { bodyBytes += line.count + 1 }
  }

  mutating func adopt(format: Int64, rest: [JSONMember]) {
    self.format = format
    headerRest = rest
  }

  private mutating func hold(_ sit: Sit) {
    sits[sit.id] = sit
    sitsByMonth[sit.month, default: 0] += 1
    sitBytes += sit.line.bytes.count + 1
    count(sit.line, 1)
  }

  private mutating func release(_ sit: Sit) {
    sits[sit.id] = nil
    let left = (sitsByMonth[sit.month] ?? 1) - 1
    sitsByMonth[sit.month] = left == 0 ? nil : left
    sitBytes -= sit.line.bytes.count + 1
    count(sit.line, -1)
  }

  private mutating func count(_ line: ReplicaLine, _ times: Int) {
    bodyBytes += times * (line.bytes.count + 1)
  }

  var lineCount: Int { 1 + values.count + sits.count + deletedSits.count + kept.count }

  private var keyCount: Int {
    values.values.reduce(sitsByMonth.count) { $1.isTombstone ? $0 : $0 + 1 }
  }

  private func fileBytes(body: Int, lines: Int) -> Int {
    header.bytes.count + 1 + body + ReplicaLine.trailerLength(lines: lines)
  }
}
