extension SessionStore {
  /// A live sit.
  struct Sit: Sendable {
    let id: Identity
    let start: WallInstant
    /// The bucket of a sit: the month of UTC in which it began.
    let month: Month
    /// Seconds east of Greenwich where it began.
    let offsetSeconds: Int64
    /// Whether its dates are a guess (`MeditationSession.Clock.unsynced`).
    let isGuess: Bool
    /// Whether anything is credited: one that nobody is known to have sat makes no day.
    let isCredited: Bool
    /// The stamps of its edited fields.
    let stamps: [Stamp]
    let line: ReplicaLine

    /// The sit that a record in its normal form holds; nil when it is not understood.
    /// - Parameter line: what the record was read from, if it was.
    init?(record: JSONValue, from line: ReplicaLine? = nil) {
      guard let id = SessionCodec.id(of: record), let start = WallInstant(record["b"]),
        let stamps = SessionCodec.stamps(of: record)
      else { return nil }
      self.id = id
      self.start = start
      self.stamps = stamps.map(\.stamp)
      offsetSeconds = SessionCodec.offsetSeconds(record["o"]?.integerValue)
      isGuess = record["k"]?.stringValue == MeditationSession.Clock.unsynced.name
      isCredited = SessionCodec.session(of: record).map { $0.durationSeconds > 0 } ?? false
      month = Month(of: start)
      self.line = ReplicaLine(kind: "s", record, sameAs: line)
    }

    /// The sit of a line in the plainest form, which most are; nil where it takes a closer look.
    init?(plain line: ReplicaLine) {
      var reader = PlainRecord(line.payload)
      guard reader.isPlain(), let id = Identity(compact: line.payload[reader.id]),
        let milliseconds = reader.start, WallInstant.range.contains(milliseconds)
      else { return nil }
      self.id = id
      start = WallInstant(milliseconds: milliseconds)
      stamps = []
      offsetSeconds = SessionCodec.offsetSeconds(reader.offset)
      isGuess = line.payload[reader.clock].elementsEqual(
        MeditationSession.Clock.unsynced.name.utf8)
      isCredited = reader.duration ?? 0 > 0
      month = Month(of: start)
      self.line = line
    }

    /// The record; nil never, since every line held was read once already.
    var record: JSONValue? {
      try? JSONValue(parsing: line.payload, depthLimit: SessionStore.lineDepthLimit)
    }

    var session: MeditationSession? { record.flatMap(SessionCodec.session) }
  }
}

extension ReplicaLine {
  /// The line of a payload: `other` itself where that is the very line.
  init(kind: Character, _ payload: JSONValue, sameAs other: ReplicaLine?) {
    let bytes = payload.encoded()
    if let other, other.payload.elementsEqual(bytes) {
      self = other
    } else {
      self.init(kind: kind.asciiValue ?? 0, payload: bytes)
    }
  }
}

/// Looks through a record for the plainest form: members named by one small letter each, in their
/// order, with whole numbers, truth values or strings of printable ASCII without escapes. Such a
/// record is canonical, has no edited field, and need not be taken apart to be held: a replica of
/// ten years is read in a fraction of the time.
struct PlainRecord {
  /// Where the characters of the id are.
  private(set) var id = 0..<0
  /// Where those of `k` are; empty where there is none.
  private(set) var clock: Range<Int>
  /// The value of `b`.
  private(set) var start: Int64?
  /// The value of `d`.
  private(set) var duration: Int64?
  /// The value of `o`.
  private(set) var offset: Int64?
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
    clock = position..<position
  }

  /// Whether the whole record has that form. `id` and `start` are found then.
  mutating func isPlain() -> Bool {
    var last: UInt8 = 0
    var opening = UInt8(ascii: "{")
    while take(opening) {
      guard take(UInt8(ascii: "\"")), let name = next(), name > last,
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(name), take(UInt8(ascii: "\"")),
        take(UInt8(ascii: ":")), takeValue(of: name)
      else { return false }
      last = name
      opening = UInt8(ascii: ",")
    }
    return take(UInt8(ascii: "}")) && position == bytes.endIndex && !id.isEmpty
  }

  private mutating func next() -> UInt8? {
    guard position < bytes.endIndex else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.endIndex, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func takeValue(of name: UInt8) -> Bool {
    guard position < bytes.endIndex else { return false }
    switch bytes[position] {
    case UInt8(ascii: "\""): return takeString(of: name)
    case UInt8(ascii: "t"): return "true".utf8.allSatisfy { take($0) }
    case UInt8(ascii: "f"): return "false".utf8.allSatisfy { take($0) }
    default: return takeInteger(of: name)
    }
  }

  private mutating func takeString(of name: UInt8) -> Bool {
    let first = position + 1
    position = first
    while let byte = next() {
      if byte == UInt8(ascii: "\"") {
        if name == UInt8(ascii: "i") { id = first..<position - 1 }
        if name == UInt8(ascii: "k") { clock = first..<position - 1 }
        return true
      }
      if byte < 0x20 || byte > 0x7E || byte == UInt8(ascii: "\\") { return false }
    }
    return false
  }

  private mutating func takeInteger(of name: UInt8) -> Bool {
    let isNegative = take(UInt8(ascii: "-"))
    var value: Int64 = 0
    let first = position
    while position < bytes.endIndex, (0x30...0x39).contains(bytes[position]) {
      // No date has more digits, and 18 cannot overflow.
      if position - first == 18 || position > first && value == 0 { return false }
      value = value * 10 + Int64(bytes[position] - 0x30)
      position += 1
    }
    if name == UInt8(ascii: "b") { start = isNegative ? -value : value }
    if name == UInt8(ascii: "d") { duration = isNegative ? -value : value }
    if name == UInt8(ascii: "o") { offset = isNegative ? -value : value }
    return position > first
  }
}
