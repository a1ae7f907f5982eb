/// One word of a statement, with its column. A quoted word may hold spaces.
struct Word {
  var text: String
  var column: Int
}

/// The words of one line, taken one after the other.
struct Words {
  let file: String
  let line: Int
  private let words: [Word]
  private let endColumn: Int
  private var next = 0

  /// Splits a line at spaces and tabs; `#` begins a comment outside quotes.
  init(line text: Substring, number: Int, file: String) {
    self.file = file
    line = number
    var words: [Word] = []
    var word: [UInt8] = []
    var start = 0
    var isQuoted = false
    var isOpen = false
    var column = 0
    func close() {
      if isOpen { words.append(Word(text: String(decoding: word, as: UTF8.self), column: start)) }
      word.removeAll()
      isOpen = false
    }
    for byte in text.utf8 {
      column += 1
      if byte == UInt8(ascii: "\"") {
        if !isOpen { start = column }
        isOpen = true
        isQuoted.toggle()
      } else if !isQuoted && byte == UInt8(ascii: "#") {
        column -= 1
        break
      } else if !isQuoted && (byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")) {
        close()
      } else {
        if !isOpen { start = column }
        isOpen = true
        word.append(byte)
      }
    }
    close()
    self.words = words
    endColumn = (words.last.map { $0.column + $0.text.utf8.count } ?? 1)
  }

  var isEmpty: Bool { next == words.count }
  var place: Scenario.Place { Scenario.Place(line: line, column: peek?.column ?? endColumn) }
  var peek: Word? { isEmpty ? nil : words[next] }

  mutating func take() -> Word? {
    defer { next += isEmpty ? 0 : 1 }
    return peek
  }

  mutating func take(_ expected: String) throws(ScenarioError) -> Word {
    guard let word = take() else { throw wrong(nil, expected) }
    return word
  }

  /// Takes the next word if it is this one.
  mutating func skip(_ text: String) -> Bool {
    guard peek?.text == text else { return false }
    next += 1
    return true
  }

  /// All words that are left, as one text.
  mutating func rest() -> String {
    defer { next = words.count }
    return words[next...].map(\.text).joined(separator: " ")
  }

  func end() throws(ScenarioError) {
    if let word = peek { throw wrong(word, "the end of the line") }
  }

  func wrong(_ word: Word?, _ expected: String, column: Int? = nil) -> ScenarioError {
    let found = word.map { "\"\($0.text)\"" } ?? "the end of the line"
    return ScenarioError(
      file: file, line: line, column: column ?? word?.column ?? endColumn,
      message: "found \(found), expected \(expected)")
  }

  func notBuilt(_ word: Word) -> ScenarioError {
    ScenarioError(
      file: file, line: line, column: word.column,
      message: "\"\(word.text)\" is not built yet in this version")
  }
}
