/// What the bytes of a file say that libsndfile keeps to itself: it shortens a WAV file that is cut
/// to what is there, does not say where an Ogg stream has no end, and has one sentence for every
/// rate that is none.
struct Header {
  /// Samples a second; nil where it was not found.
  var rateHertz: Int?
  /// How much of its sound is there, from 0 to 1.
  var shareThere = 1.0
  /// Whether its last page is missing.
  var lacksEnd = false

  /// A writer that does not know yet how much follows leaves 0, or a number near the end of what
  /// fits: ffmpeg 2^32 - 1, sox 2^31 - 4,096 or so.
  private static let knownBytes = 1..<0x7FFF_0000

  init(_ bytes: ArraySlice<UInt8>, _ kind: SourceFile.Kind) {
    switch kind {
    case .wave: readWave(bytes)
    case .flac: readFLAC(bytes)
    case .ogg: readOgg(bytes)
    case .mp3: break
    }
  }

  /// Chunks of a name, a length and that many bytes, made even (Microsoft's RIFF).
  private mutating func readWave(_ bytes: ArraySlice<UInt8>) {
    let isBigEndian = bytes.dropFirst(3).first == UInt8(ascii: "X")
    var rest = bytes.dropFirst(12)
    while rest.count >= 8 {
      let size = Header.number(rest.dropFirst(4).prefix(4), isBigEndian: isBigEndian)
      let body = rest.dropFirst(8)
      if rest.starts(with: "fmt ".utf8), body.count >= 8 {
        rateHertz = Header.number(body.dropFirst(4).prefix(4), isBigEndian: isBigEndian)
      }
      if rest.starts(with: "data".utf8) {
        guard Header.knownBytes.contains(size) else { return }
        shareThere = min(1, Double(body.count) / Double(size))
        return
      }
      rest = body.dropFirst(size + size % 2)
    }
  }

  /// Twenty bits in the first block (RFC 9639, 8.2).
  private mutating func readFLAC(_ bytes: ArraySlice<UInt8>) {
    let block = bytes.dropFirst(18).prefix(3)
    if block.count == 3 { rateHertz = Header.number(block, isBigEndian: true) >> 4 }
  }

  /// The rate of Vorbis stands in its first packet (Vorbis I, 4.2.2); Opus always has 48,000 Hz.
  /// The last page of a stream is marked (RFC 3533, 6).
  private mutating func readOgg(_ bytes: ArraySlice<UInt8>) {
    let packet = bytes.dropFirst(28)
    if packet.starts(with: [1] + Array("vorbis".utf8)), packet.count >= 16 {
      rateHertz = Header.number(packet.dropFirst(12).prefix(4), isBigEndian: false)
    }
    lacksEnd = !Header.endsWithItsLastPage(bytes)
  }

  private static func endsWithItsLastPage(_ bytes: ArraySlice<UInt8>) -> Bool {
    let mark = Array("OggS".utf8)
    var start = bytes.endIndex - mark.count
    while start > bytes.startIndex, !bytes[start...].starts(with: mark) { start -= 1 }
    let page = bytes[max(start, bytes.startIndex)...]
    guard page.count >= 27, let count = page.dropFirst(26).first else { return false }
    let lengths = page.dropFirst(27).prefix(Int(count))
    let size = lengths.reduce(27 + Int(count)) { $0 + Int($1) }
    return page[page.startIndex + 5] & 4 != 0 && page.count >= size
  }

  private static func number(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> Int {
    let ordered = isBigEndian ? Array(bytes) : bytes.reversed()
    return ordered.reduce(0) { $0 << 8 | Int($1) }
  }
}
