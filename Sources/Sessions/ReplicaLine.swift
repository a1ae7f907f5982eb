/// One line of a replica: `CHECKSUM KIND PAYLOAD`, ended by a line feed.
///
/// This framing is the format's promise to every later version: eight lower-case hexadecimal digits
/// of the CRC-32 (as zlib and gzip compute it) over the rest of the line, a space, one ASCII
/// letter, a space, and a payload without a line feed. So an older program can keep what a newer
/// one wrote, and one damaged line costs one record. The kinds:
///
/// | kind | payload                                                      | lines          |
/// |------|--------------------------------------------------------------|----------------|
/// | `h`  | `{"d": device, "f": format, "o": owner}`                      | the first      |
/// | `k`  | `{"k": key, "t": stamp, "v": value}`, see `Record`            | by key         |
/// | `c`  | `{"c": claim or null, "d": device, "t": stamp}`, see `Claim`  | by device      |
/// | `s`  | a sit, see `SessionCodec`                                     | by start, id   |
/// | `x`  | `{"i": id, "t": stamp}`: a deleted sit                        | by id          |
/// | `o`  | `{"c": count, "f": owner, "t": owner}`, see `Adoption`    | with any other |
/// | `z`  | number of lines before it, CRC-32 of their checksums' digits   | the last       |
///
/// Lines of any other kind stand before the last one, in byte order.
struct ReplicaLine: Sendable {
  /// Why a line cannot be used.
  enum Fault: Error, Equatable {
    case malformed
    case checksum(found: UInt32, computed: UInt32)
  }

  let kind: UInt8
  let payload: ArraySlice<UInt8>
  /// The whole line without its line feed.
  let bytes: [UInt8]

  init(kind: UInt8, payload: [UInt8]) {
    let body = [kind, UInt8(ascii: " ")] + payload
    bytes = Hexadecimal.text(Checksum.of(body[...])) + [UInt8(ascii: " ")] + body
    self.kind = kind
    self.payload = bytes[11...]
  }

  init(kind: Character, _ payload: JSONValue) {
    self.init(kind: kind.asciiValue ?? 0, payload: payload.encoded())
  }

  init(parsing text: ArraySlice<UInt8>) throws(Fault) {
    let line = Array(text)
    let space = UInt8(ascii: " ")
    guard line.count >= 11, line[8] == space, line[10] == space, line[9] > space, line[9] < 0x7F,
      let found = Hexadecimal.word(line[..<8])
    else { throw .malformed }
    let computed = Checksum.of(line[9...])
    if found != computed { throw .checksum(found: found, computed: computed) }
    kind = line[9]
    payload = line[11...]
    bytes = line
  }

  /// The last line, over the lines before it.
  static func trailer(lines: Int, checksum: UInt32) -> ReplicaLine {
    let payload = Array(String(lines).utf8) + [UInt8(ascii: " ")] + Hexadecimal.text(checksum)
    return ReplicaLine(kind: UInt8(ascii: "z"), payload: payload)
  }

  /// The length of the last line, its line feed included.
  static func trailerLength(lines: Int) -> Int { 11 + String(lines).utf8.count + 1 + 8 + 1 }
}

/// CRC-32 with the polynomial of IEEE 802.3, as zlib computes it: it sees every error of up to 32
/// neighbouring bits, so every flipped byte.
struct Checksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
    }
  }

  private var state: UInt32 = 0xFFFF_FFFF

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes { state = state >> 8 ^ Checksum.table[Int((state ^ UInt32(byte)) & 0xFF)] }
  }

  var value: UInt32 { ~state }

  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var checksum = Checksum()
    checksum.add(bytes)
    return checksum.value
  }
}
