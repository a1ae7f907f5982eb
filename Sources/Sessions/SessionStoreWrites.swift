// MARK: - Sits

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
    guard let sit = Sit(record: SessionCodec.record(of: session)) else { return false }
    try gate(sit.line)
    hold(sit)
    return true
  }

  /// Changes a sit. Only the fields that `change` changed get a stamp and win over what other
  /// devices have; a field that was set to nothing stays empty there too.
  /// `syncedToHealthKit` cannot be taken back: once true, it is left true.
  /// - Parameters:
  ///   - time: when this is.
  ///   - change: changes the sit, but not its `id`.
  /// - Throws: `noSuchSit`, `deletedSit`, `impossibleSit`, `quotaViolation`; nothing is changed
  ///   then.
  public mutating func edit(
    _ id: Identity, at time: WriteTime, _ change: (inout MeditationSession) -> Void
  ) throws(StoreError) {
    if deletedSits[id] != nil { throw .deletedSit(id) }
    guard let old = sits[id], let record = old.record, let before = old.session else {
      throw .noSuchSit(id)
    }
    var after = before
    change(&after)
    if after.id != id { throw .impossibleSit(id, problem: "an edit cannot change its id") }
    // What another version took for possible does not keep the other fields from being edited.
    if let problem = after.problem, problem != before.problem {
      throw .impossibleSit(id, problem: problem)
    }
    let edited = SessionCodec.edited(record, from: before, to: after) { earlier in
      stamp(at: time, after: earlier)
    }
    guard let edited, let new = Sit(record: edited) else { return }
    try gate(new.line)
    release(old)
    hold(new)
  }

  /// Deletes a sit for good, here and wherever this replica is merged.
  /// - Parameter time: when this is.
  /// - Throws: `noSuchSit`.
  public mutating func delete(_ id: Identity, at time: WriteTime) throws(StoreError) {
    guard let sit = sits[id] else { throw .noSuchSit(id) }
    let stamp = stamp(at: time, after: sit.stamps.max())
    let members = [
      JSONMember("i", .string(id.compact)), JSONMember("t", .string(stamp.text)),
    ]
    let tombstone = Register(stamp: stamp, line: ReplicaLine(kind: "x", .object(of: members)))
    absorb(tombstone: tombstone, of: id)
  }
}

// MARK: - Keys

extension SessionStore {
  /// Sets a key. Of an object each member is a field of its own: only those that changed are
  /// written, so that what another device changes in other members at the same time is kept. A
  /// member that is null is as one that is not there. Setting an equal value writes nothing.
  /// - Parameters:
  ///   - key: 1 to 64 bytes of UTF-8, compared byte for byte.
  ///   - time: when this is.
  /// - Precondition: the value is nested no deeper than `JSONParser.depthLimit`, as all that was
  ///   read is.
  /// - Throws: `quotaViolation`, `emptyKey`, `reservedKey`; nothing is changed then.
  public mutating func set(
    _ key: String, to value: JSONValue, at time: WriteTime
  ) throws(StoreError) {
    precondition(value.depth <= JSONParser.depthLimit, "a value can be read again")
    if key.isEmpty { throw .emptyKey }
    if key.isReservedKey { throw .reservedKey(key) }
    if key.utf8.count > StoreCaps.keyBytes {
      throw .quotaViolation(.keyBytes, needed: key.utf8.count, allowed: StoreCaps.keyBytes)
    }
    let old = records[Array(key.utf8)]
    let new = Record.setting(key, of: old, to: value) { stamp(at: time, after: $0) }
    guard let new else { return }
    try gate(
      bytes: new.line.bytes.count + 1 - (old.map { $0.line.bytes.count + 1 } ?? 0),
      lines: old == nil ? 1 : 0, keys: old?.isLive == true ? 0 : 1)
    hold(new)
  }

  /// Deletes a key, here and wherever this replica is merged. No cap refuses that, or a full store
  /// could not be emptied: the line of a deletion may be longer than that of a short value.
  /// - Parameter time: when this is.
  /// - Throws: `noSuchKey`, `reservedKey`.
  public mutating func delete(key: String, at time: WriteTime) throws(StoreError) {
    if key.isReservedKey { throw .reservedKey(key) }
    guard let old = records[Array(key.utf8)], old.isLive else { throw .noSuchKey(key) }
    hold(old.deleted { stamp(at: time, after: $0) })
  }
}

// MARK: - Caps and clocks

extension SessionStore {
  /// Refuses a key, or a longer value of one, where it would not leave the main volume the room
  /// that is the sits' alone. What shrinks a store that a merge has filled over the cap is let
  /// through, or it could never be emptied. Sits take no part: their oldest months can leave.
  func gate(bytes: Int, lines: Int, keys: Int) throws(StoreError) {
    let needed = fileBytes(
      body: bodyBytes - sitBytes + bytes, lines: lineCount - sits.count + lines)
    let allowed = StoreCaps.fileBytes - StoreCaps.bytesForSits
    if bytes > 0 && needed > allowed {
      throw .quotaViolation(.fileBytes, needed: needed, allowed: allowed)
    }
    let keysAllowed = StoreCaps.keys - StoreCaps.keysForSits
    if keys > 0 && liveKeys + keys > keysAllowed {
      throw .quotaViolation(.keys, needed: liveKeys + keys, allowed: keysAllowed)
    }
  }

  /// Refuses a line that no volume could hold.
  func gate(_ line: ReplicaLine) throws(StoreError) {
    if line.bytes.count > StoreCaps.lineBytes {
      throw .quotaViolation(.fileBytes, needed: line.bytes.count, allowed: StoreCaps.lineBytes)
    }
  }

  /// The stamp of a write here that follows `earlier`. While the time is not known, it also follows
  /// all that this device wrote by its own clock: a board wakes up in the past. A stamp with a
  /// counter may have its time from a box whose clock runs ahead, and does not move the others.
  func stamp(at time: WriteTime, after earlier: Stamp?) -> Stamp {
    let floor =
      time.isKnown
      ? earlier
      : Stamp.later(earlier, newestStamp { $0.device == device && $0.counter == 0 })
    return Stamp(at: time.wall, device: device, after: floor)
  }

  /// The devices whose clocks were far ahead of ours when they wrote, in their order, with how far.
  /// A stamp with a counter took its time from what it replaced, and says nothing of its writer's
  /// clock.
  /// - Returns: nothing while the time is not known.
  public func clockTrouble(at time: WriteTime) -> [(device: Identity, milliseconds: Int64)] {
    guard time.isKnown else { return [] }
    var newest: [Identity: Int64] = [:]
    forEachStamp { stamp in
      if stamp.counter == 0 {
        newest[stamp.device] = max(newest[stamp.device] ?? 0, stamp.milliseconds)
      }
    }
    return newest.map { (device: $0, milliseconds: $1 - max(0, time.wall.milliseconds)) }
      .filter { $0.milliseconds > Claim.clockToleranceMilliseconds }
      .sorted { $0.device < $1.device }
  }

  /// The newest stamp that is wanted.
  func newestStamp(where isWanted: (Stamp) -> Bool = { _ in true }) -> Stamp? {
    var newest: Stamp?
    forEachStamp { if isWanted($0) { newest = Stamp.later(newest, $0) } }
    return newest
  }

  private func forEachStamp(_ body: (Stamp) -> Void) {
    for record in records.values { record.stamps.forEach(body) }
    for register in claims.values { body(register.stamp) }
    for register in deletedSits.values { body(register.stamp) }
    for sit in sits.values { sit.stamps.forEach(body) }
  }
}
