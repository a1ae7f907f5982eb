extension SessionStore {
  /// How deep a line's payload may be nested: what is in it, and the line's own levels.
  static let lineDepthLimit = JSONParser.depthLimit + 4

  /// Joins what another replica of the same owner knows into this one; nothing is lost to a cap.
  /// The join of any number of replicas is the same in whatever order and however often they meet.
  /// - Returns: the keys whose value is another one now, in byte order; a month of sits, as
  ///   `sits.2026-11`, where any of its sits is new, changed or deleted. Claims are no keys.
  @discardableResult
  public mutating func merge(_ other: SessionStore) -> [String] {
    var changed: Set<Month> = []
    for (id, tombstone) in other.deletedSits {
      if let sit = sits[id] { changed.insert(sit.month) }
      absorb(tombstone: tombstone, of: id)
    }
    for sit in other.sits.values {
      let old = sits[sit.id]
      guard absorb(sit), let new = sits[sit.id] else { continue }
      changed.insert(new.month)
      if let old { changed.insert(old.month) }
    }
    var keys = changed.map(\.key)
    for record in other.records.values {
      let old = records[Array(record.key.utf8)]
      if absorb(record), old?.value != value(forKey: record.key) { keys.append(record.key) }
    }
    for (device, claim) in other.claims { absorb(claim: claim, of: device) }
    for line in other.kept { keep(line) }
    if other.format > format { format = other.format }
    return keys.sorted { $0.precedes($1) }
  }

  mutating func absorb(tombstone: Register, of id: Identity) {
    if let sit = sits[id] { release(sit) }
    if let old = deletedSits[id], !tombstone.wins(over: old) { return }
    hold(tombstone: tombstone, of: id)
  }

  mutating func absorb(claim: Register, of device: Identity) {
    if let old = claims[device], !claim.wins(over: old) { return }
    hold(claim: claim, of: device)
  }

  /// Takes a sit in.
  /// - Returns: whether that changed anything.
  @discardableResult
  mutating func absorb(_ sit: Sit) -> Bool {
    if deletedSits[sit.id] != nil { return false }
    guard let old = sits[sit.id] else {
      hold(sit)
      return true
    }
    guard old.line.bytes != sit.line.bytes, let left = old.record, let right = sit.record,
      let joined = Sit(record: SessionCodec.joined(left, right)),
      joined.line.bytes != old.line.bytes
    else { return false }
    release(old)
    hold(joined)
    return true
  }

  /// Takes a record in.
  /// - Returns: whether that changed anything.
  @discardableResult
  mutating func absorb(_ record: Record) -> Bool {
    guard let old = records[Array(record.key.utf8)] else {
      hold(record)
      return true
    }
    let joined = old.joined(with: record)
    if joined.line.bytes == old.line.bytes { return false }
    hold(joined)
    return true
  }

  /// Takes in what a file of our own says of itself.
  mutating func adopt(_ header: ReplicaHeader) {
    format = max(format, header.format)
    guard header.volume == .main else { return }
    headerRest = header.rest
    hasMerged = header.hasMerged || hasMerged
  }

  /// Takes a whole line: as what it says where it is understood, else as it is.
  /// - Returns: the sit that the line holds, if it holds one.
  @discardableResult
  mutating func take(_ line: ReplicaLine) -> Identity? {
    guard line.kind == UInt8(ascii: "s") else {
      takeOther(line)
      return nil
    }
    guard let sit = Sit(plain: line) ?? Sit(reading: line) else {
      keep(line.bytes)
      return nil
    }
    absorb(sit)
    return sit.id
  }

  private mutating func takeOther(_ line: ReplicaLine) {
    let payload = try? JSONValue(
      parsing: line.payload, depthLimit: SessionStore.lineDepthLimit)
    guard let payload else { return keep(line.bytes) }
    switch line.kind {
    case UInt8(ascii: "k"):
      if let record = Record(payload: payload) {
        absorb(record)
        return
      }
    case UInt8(ascii: "x"):
      if let id = SessionCodec.id(of: payload), let register = Register(payload, of: line.kind) {
        return absorb(tombstone: register, of: id)
      }
    case UInt8(ascii: "c"):
      if payload["c"] != nil,
        let device = payload["d"]?.stringValue.flatMap(Identity.init(compact:)),
        let register = Register(payload, of: line.kind)
      {
        return absorb(claim: register, of: device)
      }
    default: break
    }
    keep(line.bytes)
  }
}

extension SessionStore.Sit {
  fileprivate init?(reading line: ReplicaLine) {
    let payload = try? JSONValue(
      parsing: line.payload, depthLimit: SessionStore.lineDepthLimit)
    guard let payload, let record = SessionCodec.normal(payload) else { return nil }
    self.init(record: record, from: line)
  }
}

extension SessionStore.Register {
  fileprivate init?(_ payload: JSONValue, of kind: UInt8) {
    guard let stamp = Stamp(payload["t"]) else { return nil }
    self.init(stamp: stamp, line: ReplicaLine(kind: kind, payload: payload.encoded()))
  }
}
