/// Reads TZif bytes: RFC 9636 section 3, and RFC 8536 before it. A file is a header, a block with
/// 32-bit instants and, from version 2 on, a second header, a block with 64-bit ones and a rule.
struct ZoneFileReader {
  private let bytes: [UInt8]
  private var position = 0

  /// The six counts of a header, in the order in which they stand there.
  private struct Header {
    var version: UInt8
    var utcFlags: Int
    var standardFlags: Int
    var leapSeconds: Int
    var transitions: Int
    var types: Int
    var characters: Int

    /// How many bytes the block after the header has.
    func blockSize(instantSize: Int) -> Int {
      transitions * (instantSize + 1) + types * 6 + characters
        + leapSeconds * (instantSize + 4) + standardFlags + utcFlags
    }
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func read() throws(ZoneError) -> ZoneRules {
    let first = try header()
    guard first.version >= UInt8(ascii: "2") else {
      return try block(first, instantSize: 4)
    }
    position = try end(of: first, instantSize: 4)
    let second = try header()
    var rules = try block(second, instantSize: 8)
    rules.rule = try rule()
    return rules
  }

  private mutating func header() throws(ZoneError) -> Header {
    let start = position
    guard bytes.count - start >= 44 else { throw .truncated(offset: bytes.count) }
    guard bytes[start..<start + 4].elementsEqual("TZif".utf8) else {
      throw .notTZif(offset: start)
    }
    let version = bytes[start + 4]
    guard version == 0 || (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(version) else {
      throw .version(found: version, offset: start + 4)
    }
    position = start + 20
    var counts: [UInt32] = []
    for _ in 0..<6 { counts.append(integer()) }
    let types = counts[4]
    let valid = [
      counts[0] == 0 || counts[0] == types, counts[1] == 0 || counts[1] == types, true, true,
      (1...256).contains(types), counts[5] >= 1,
    ]
    if let wrong = valid.firstIndex(of: false) {
      throw .count(found: counts[wrong], offset: start + 20 + 4 * wrong)
    }
    return Header(
      version: version, utcFlags: Int(counts[0]), standardFlags: Int(counts[1]),
      leapSeconds: Int(counts[2]), transitions: Int(counts[3]), types: Int(types),
      characters: Int(counts[5]))
  }

  /// Where the block that begins here ends. After this all of it can be read unchecked.
  private func end(of header: Header, instantSize: Int) throws(ZoneError) -> Int {
    let size = header.blockSize(instantSize: instantSize)
    guard bytes.count - position >= size else { throw .truncated(offset: bytes.count) }
    return position + size
  }

  private mutating func block(
    _ header: Header, instantSize: Int
  ) throws(ZoneError) -> ZoneRules {
    let end = try end(of: header, instantSize: instantSize)
    guard header.leapSeconds == 0 else { throw .leapSeconds(offset: position) }
    let instants = try instants(header.transitions, size: instantSize)
    let indexStart = position
    let names = indexStart + header.transitions + header.types * 6
    position += header.transitions
    let types = try types(header.types, names: names..<names + header.characters)
    var changes: [ZoneRules.Change] = []
    changes.reserveCapacity(instants.count)
    for (place, instant) in instants.enumerated() {
      let index = bytes[indexStart + place]
      guard Int(index) < types.count else {
        throw .index(found: index, offset: indexStart + place)
      }
      changes.append(ZoneRules.Change(instant: instant, time: types[Int(index)]))
    }
    position = end
    return ZoneRules(first: types[0], changes: changes)
  }

  private mutating func instants(_ count: Int, size: Int) throws(ZoneError) -> [Int64] {
    var instants: [Int64] = []
    instants.reserveCapacity(count)
    for _ in 0..<count {
      let start = position
      let high = integer()
      let instant =
        size == 4
        ? Int64(Int32(bitPattern: high))
        : Int64(bitPattern: UInt64(high) << 32 | UInt64(integer()))
      if let last = instants.last, last >= instant { throw .unordered(offset: start) }
      instants.append(instant)
    }
    return instants
  }

  private mutating func types(
    _ count: Int, names: Range<Int>
  ) throws(ZoneError) -> [LocalTime] {
    var types: [LocalTime] = []
    for _ in 0..<count {
      let start = position
      let offset = Int32(bitPattern: integer())
      guard (-89_999...93_599).contains(offset) else {
        throw .offsetFromUTC(found: offset, offset: start)
      }
      let summer = bytes[start + 4]
      guard summer <= 1 else { throw .index(found: summer, offset: start + 4) }
      let name = bytes[start + 5]
      let rest = bytes[names].dropFirst(Int(name))
      guard let end = rest.firstIndex(of: 0) else {
        throw .index(found: name, offset: start + 5)
      }
      position = start + 6
      types.append(
        LocalTime(
          offsetSeconds: offset, isSummerTime: summer == 1,
          abbreviation: String(decoding: rest[rest.startIndex..<end], as: UTF8.self)))
    }
    return types
  }

  /// The rule between two line feeds; nil where it is empty.
  private mutating func rule() throws(ZoneError) -> PosixZone? {
    guard position < bytes.count else { throw .truncated(offset: position) }
    guard bytes[position] == UInt8(ascii: "\n") else { throw .rule(offset: position) }
    let start = position + 1
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
      throw .truncated(offset: bytes.count)
    }
    guard start < end else { return nil }
    var reader = PosixZoneReader(bytes, range: start..<end)
    return try reader.read()
  }

  /// Four bytes, the most significant first. The caller has checked that they are there.
  private mutating func integer() -> UInt32 {
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] { value = value << 8 | UInt32(byte) }
    position += 4
    return value
  }
}
