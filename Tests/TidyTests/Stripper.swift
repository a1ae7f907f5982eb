/// Turns comments and the insides of strings to spaces, and leaves every newline where it is.
struct Stripper {
  /// Where the reader stands. Strings nest in code, and code in a string's interpolation.
  private enum Place {
    /// Code inside `\(`, with the parentheses open there; the file's own code has none to close.
    case code(open: Int)
    case string(hashes: Int, quotes: Int)
  }

  private let source: [UInt8]
  private let isC: Bool
  private var output: [UInt8]
  private var at = 0
  private var places: [Place] = []

  init(_ source: [UInt8], isC: Bool) {
    self.source = source
    self.isC = isC
    output = source
  }

  mutating func strip() -> [UInt8] {
    while at < source.count {
      if case .string(let hashes, let quotes) = places.last {
        readString(hashes: hashes, quotes: quotes)
      } else {
        readCode()
      }
    }
    return output
  }

  private mutating func readCode() {
    let hashes = count(of: UInt8(ascii: "#"), from: at)
    if starts("//") {
      while at < source.count, source[at] != newline { blank(1) }
    } else if starts("/*") {
      readBlockComment()
    } else if byte(at + hashes) == UInt8(ascii: "\"") {
      let quotes = count(of: UInt8(ascii: "\""), from: at + hashes) >= 3 && !isC ? 3 : 1
      places.append(.string(hashes: hashes, quotes: quotes))
      at += hashes + quotes
    } else if isC, source[at] == UInt8(ascii: "'") {
      readCharacter()
    } else {
      countParentheses()
      at += 1
    }
  }

  private mutating func readString(hashes: Int, quotes: Int) {
    if source[at] == UInt8(ascii: "\\"), count(of: UInt8(ascii: "#"), from: at + 1) >= hashes {
      if byte(at + 1 + hashes) == UInt8(ascii: "("), !isC {
        places.append(.code(open: 1))
        blank(1 + hashes)
        at += 1
      } else {
        blank(2 + hashes)
      }
    } else if count(of: UInt8(ascii: "\""), from: at) >= quotes,
      count(of: UInt8(ascii: "#"), from: at + quotes) >= hashes
    {
      places.removeLast()
      at += quotes + hashes
    } else {
      // A string of one line that is not closed there is no Swift; the next line starts anew.
      if source[at] == newline, quotes == 1, !isC { places.removeLast() }
      blank(1)
    }
  }

  private mutating func readBlockComment() {
    var depth = 0
    repeat {
      if starts("/*"), depth == 0 || !isC {
        depth += 1
        blank(2)
      } else if starts("*/") {
        depth -= 1
        blank(2)
      } else {
        blank(1)
      }
    } while depth > 0 && at < source.count
  }

  /// A character of C, as `'"'` or `'\''`.
  private mutating func readCharacter() {
    blank(1)
    while at < source.count, source[at] != UInt8(ascii: "'"), source[at] != newline {
      blank(source[at] == UInt8(ascii: "\\") ? 2 : 1)
    }
    blank(1)
  }

  private mutating func countParentheses() {
    guard case .code(let open) = places.last else { return }
    let change =
      switch source[at] {
      case UInt8(ascii: "("): 1
      case UInt8(ascii: ")"): -1
      default: 0
      }
    places.removeLast()
    if open + change > 0 { places.append(.code(open: open + change)) }
  }

  private mutating func blank(_ length: Int) {
    let end = min(at + length, source.count)
    while at < end {
      if source[at] != newline { output[at] = UInt8(ascii: " ") }
      at += 1
    }
  }

  private func byte(_ index: Int) -> UInt8? { index < source.count ? source[index] : nil }

  private func count(of wanted: UInt8, from start: Int) -> Int {
    var end = start
    while byte(end) == wanted { end += 1 }
    return end - start
  }

  private func starts(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { letters in
      for (offset, letter) in letters.enumerated() where byte(at + offset) != letter {
        return false
      }
      return true
    }
  }
}
