/// A UUID (RFC 9562): whose a sit is, which device, which sit. It is 128 bits that the caller
/// brings; nothing here makes one up.
public struct Identity: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The first eight bytes, in network order.
  public let high: UInt64
  /// The last eight bytes, in network order.
  public let low: UInt64

  /// Makes an identity of its 128 bits as they are.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes an identity of random bits: those six that say "version 4, random" are set.
  public init(randomHigh high: UInt64, low: UInt64) {
    self.high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    self.low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
  }

  /// Reads the 36 characters of a UUID, in either case of letters; nil when it is none.
  public init?(_ text: String) {
    let characters = Array(text.utf8)
    guard characters.count == 36 else { return nil }
    var words: (high: UInt64, low: UInt64) = (0, 0)
    for (index, character) in characters.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        if character != UInt8(ascii: "-") { return nil }
        continue
      }
      let folded = character >= 0x41 && character <= 0x46 ? character + 0x20 : character
      guard let digit = Hexadecimal.value(folded) else { return nil }
      words.high = words.high << 4 | words.low >> 60
      words.low = words.low << 4 | UInt64(digit)
    }
    self.init(high: words.high, low: words.low)
  }

  /// The UUID's 36 characters, letters as capitals as Apple's platforms write them.
  public var description: String {
    var characters: [UInt8] = []
    for index in 0..<32 {
      if [8, 12, 16, 20].contains(index) { characters.append(UInt8(ascii: "-")) }
      let word = index < 16 ? high : low
      let digit = Hexadecimal.digit(UInt8(word >> UInt64(60 - index % 16 * 4) & 15))
      characters.append(digit >= UInt8(ascii: "a") ? digit - 0x20 : digit)
    }
    return String(decoding: characters, as: UTF8.self)
  }

  /// In the order of their bytes.
  public static func < (left: Identity, right: Identity) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension Identity {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// What each byte stands for in that alphabet; 255 for nothing.
  private static let sextets: [UInt8] = (0...255).map { byte in
    alphabet.firstIndex(of: byte).map { UInt8($0) } ?? 255
  }

  /// The 22 characters of base64url (RFC 4648) without padding: in a file that is to hold ten years
  /// of sits, 14 characters a sit count.
  var compact: String {
    var characters: [UInt8] = []
    characters.reserveCapacity(22)
    for index in 0..<22 {
      // Character k holds bits 6k ..< 6k+6 from the top; the last holds two bits and four zeros.
      let shift = 122 - 6 * index
      let sextet = shift >= 0 ? shifted(right: shift) : low << 4
      characters.append(Identity.alphabet[Int(sextet & 63)])
    }
    return String(decoding: characters, as: UTF8.self)
  }

  private func shifted(right count: Int) -> UInt64 {
    count >= 64
      ? high >> UInt64(count - 64) : low >> UInt64(count) | (count > 0 ? high << (64 - count) : 0)
  }

  init?(compact text: String) {
    self.init(compact: text.utf8)
  }

  init?(compact characters: some Sequence<UInt8>) {
    var words: (high: UInt64, low: UInt64) = (0, 0)
    var count = 0
    for character in characters {
      let sextet = UInt64(Identity.sextets[Int(character)])
      if sextet == 255 || count == 22 || count == 21 && sextet & 15 != 0 { return nil }
      let width: UInt64 = count < 21 ? 6 : 2
      words.high = words.high << width | words.low >> (64 - width)
      words.low = words.low << width | sextet >> (6 - width)
      count += 1
    }
    guard count == 22 else { return nil }
    self.init(high: words.high, low: words.low)
  }
}
