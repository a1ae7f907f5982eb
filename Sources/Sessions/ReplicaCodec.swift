extension SessionStore {
  /// The replica as a file holds it: same state, same bytes.
  public func encode() -> [UInt8] {
    let ordered =
      [[header.bytes]]
      + [records.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value.line.bytes)]
      + [claims.sorted { $0.key < $1.key }.map(\.value.line.bytes)]
      + [orderedSits.map(\.line.bytes)]
      + [deletedSits.sorted { $0.key < $1.key }.map(\.value.line.bytes)]
      + [kept.sorted { $0.lexicographicallyPrecedes($1) }]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(usage.bytes)
    var checksum = Checksum()
    for line in ordered.joined() {
      bytes += line
      bytes.append(0x0A)
      checksum.add(line[..<8])
    }
    bytes += ReplicaLine.trailer(lines: lineCount, checksum: checksum.value).bytes
    bytes.append(0x0A)
    return bytes
  }

  var header: ReplicaLine {
    let own = [
      JSONMember("d", .string(device.compact)), JSONMember("f", .integer(format)),
      JSONMember("o", .string(owner.compact)),
    ]
    return ReplicaLine(kind: "h", .object(of: own + headerRest))
  }

  /// Reads a replica. `damage` says which lines could not be used; all others are in.
  /// - Throws: `notAReplica` when the first line does not say whose it is.
  public init(parsing bytes: [UInt8]) throws(StoreError) {
    var reader = ReplicaReader(bytes)
    guard let header = reader.header,
      let owner = header["o"]?.stringValue.flatMap(Identity.init(compact:)),
      let device = header["d"]?.stringValue.flatMap(Identity.init(compact:))
    else { throw .notAReplica }
    self.init(owner: owner, device: device)
    reader.fill(&self)
  }

  /// Reads what can be read of this device's own replica. Where the first line is lost, or names
  /// another device, the given identity stands in.
  public init(salvaging bytes: [UInt8], owner: Identity, device: Identity) {
    var reader = ReplicaReader(bytes)
    let written = reader.header?["o"]?.stringValue.flatMap(Identity.init(compact:))
    self.init(owner: written ?? owner, device: device)
    reader.fill(&self)
  }
}

/// Reads a replica line by line, and notes what cannot be used.
private struct ReplicaReader {
  private let bytes: [UInt8]
  private var damage: [DamagedLine] = []
  private var checksum = Checksum()
  private var wholeLines = 0
  private var trailer: (number: Int, payload: ArraySlice<UInt8>)?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The members of the first line; nil when it is damaged or no header.
  var header: JSONValue? {
    let first = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
    guard let line = try? ReplicaLine(parsing: bytes[..<first]), line.kind == UInt8(ascii: "h")
    else { return nil }
    return try? JSONValue(parsing: line.payload)
  }

  mutating func fill(_ store: inout SessionStore) {
    var number = 0
    var position = bytes.startIndex
    while position < bytes.endIndex {
      number += 1
      let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.endIndex
      take(bytes[position..<end], number, into: &store)
      position = end + 1
    }
    checkEnd(lines: number)
    store.damage = damage
  }

  private mutating func take(
    _ text: ArraySlice<UInt8>, _ number: Int, into store: inout SessionStore
  ) {
    let line: ReplicaLine
    do { line = try ReplicaLine(parsing: text) } catch {
      damage.append(
        DamagedLine(number: number, reason: error == .malformed ? .malformed : .checksum))
      if number == 1 { damage.append(DamagedLine(number: 1, reason: .noHeader)) }
      return
    }
    if line.kind == UInt8(ascii: "z") {
      // The first one counts; whatever follows it makes the file end in the wrong place.
      if trailer == nil { trailer = (number, line.payload) }
      return
    }
    wholeLines += 1
    checksum.add(line.bytes[..<8])
    if number == 1, line.kind == UInt8(ascii: "h"), takeHeader(line, into: &store) { return }
    if number == 1 { damage.append(DamagedLine(number: 1, reason: .noHeader)) }
    store.take(line)
  }

  private func takeHeader(_ line: ReplicaLine, into store: inout SessionStore) -> Bool {
    guard let header = try? JSONValue(parsing: line.payload), let members = header.members,
      let format = header["f"]?.integerValue, header["d"] != nil, header["o"] != nil
    else { return false }
    let rest = members.filter { !["d", "f", "o"].contains($0.name) }
    store.adopt(format: max(format, SessionStore.currentFormat), rest: rest)
    return true
  }

  /// Says how the file ends, unless damaged lines say already why it cannot end well.
  private mutating func checkEnd(lines: Int) {
    guard let trailer, trailer.number == lines, bytes.last == 0x0A else {
      damage.append(DamagedLine(number: max(lines, 1), reason: .notClosed))
      return
    }
    guard damage.isEmpty else { return }
    let expected = ReplicaLine.trailer(lines: wholeLines, checksum: checksum.value).payload
    if trailer.payload == expected { return }
    let written = trailer.payload.split(separator: UInt8(ascii: " ")).first
      .flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    let reason: DamagedLine.Reason =
      if let written, written != wholeLines {
        .lineCount(found: wholeLines, written: written)
      } else {
        .fileChecksum
      }
    damage.append(DamagedLine(number: lines, reason: reason))
  }
}
