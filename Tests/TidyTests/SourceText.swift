import Glibc

/// A source file seen twice: as written, and as code alone.
///
/// `code` is what was written, with each comment and the inside of each string turned to spaces
/// byte for byte: a word in it is a word of the program, and its line is its line in the file. What
/// stands in a string's `\( … )` is code and stays. Regex literals are not known: there are none.
struct SourceText {
  var path: String
  var written: [UInt8]
  var code: [UInt8]

  init(path: String, written: [UInt8]) {
    self.path = path
    self.written = written
    var stripper = Stripper(written, isC: path.hasSuffix(".c") || path.hasSuffix(".h"))
    code = stripper.strip()
  }

  init(path: String, _ text: String) {
    self.init(path: path, written: Array(text.utf8))
  }

  var writtenLines: [ArraySlice<UInt8>] {
    var lines = written.split(separator: newline, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  var codeLines: [ArraySlice<UInt8>] {
    code.split(separator: newline, omittingEmptySubsequences: false)
  }

  /// The lines, counted from 1, on which `word` stands in the code by itself: where it begins or
  /// ends with a letter, its neighbour there is none.
  func lines(ofCode word: String) -> [Int] {
    lines(of: Array(word.utf8), in: code)
  }

  /// The same, in comments and strings too.
  func lines(ofText word: String) -> [Int] {
    lines(of: Array(word.utf8), in: written)
  }

  private func lines(of word: [UInt8], in text: [UInt8]) -> [Int] {
    var lines: [Int] = []
    var line = 1
    var counted = 0
    for start in places(of: word, in: text) {
      let end = start + word.count
      if isWordByte(word[0]), start > 0, isWordByte(text[start - 1]) { continue }
      if isWordByte(word[word.count - 1]), end < text.count, isWordByte(text[end]) { continue }
      while counted < start {
        if text[counted] == newline { line += 1 }
        counted += 1
      }
      lines.append(line)
    }
    return lines
  }

  private func places(of word: [UInt8], in text: [UInt8]) -> [Int] {
    var places: [Int] = []
    text.withUnsafeBytes { bytes in
      // Safety: every search stays inside the buffer, and no pointer leaves this closure.
      guard let base = bytes.baseAddress else { return }
      var start = 0
      while start + word.count <= bytes.count,
        let first = memchr(base + start, Int32(word[0]), bytes.count - word.count - start + 1)
      {
        let place = UnsafeRawPointer(first) - base
        if memcmp(first, word, word.count) == 0 { places.append(place) }
        start = place + 1
      }
    }
    return places
  }
}

let newline = UInt8(ascii: "\n")

/// Whether a byte may stand in an identifier. Every byte above ASCII counts as a letter.
func isWordByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
    true
  default: false
  }
}

func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
