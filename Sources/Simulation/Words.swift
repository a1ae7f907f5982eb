import Settings

/// One word of a statement, with its column. A quoted word may hold spaces.
struct Word {
  var text: String
  var column: Int
}

/// The words of one line, taken one after the other.
struct Words {
  let file: String
  let line: Int
  private var words: [Word] = []
  private let scalars: [Unicode.Scalar]
  private var endColumn = 1
  private var next = 0

  /// Splits a line at spaces and tabs; `#` begins a comment outside quotes.
  init(line text: Substring, number: Int, file: String) throws(ScenarioError) {
    self.file = file
    line = number
    scalars = Array(text.unicodeScalars)
    var word: Word?
    var quoteColumn: Int?
    var column = 0
    for scalar in text.unicodeScalars {
      column += 1
      if quoteColumn == nil && scalar == "#" { break }
      if quoteColumn == nil && (scalar == " " || scalar == "\t") {
        take(&word)
        continue
      }
      if scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F {
        let code = String(scalar.value, radix: 16, uppercase: true)
        throw error("found the control character 0x\(code), expected text", column)
      }
      if word == nil { word = Word(text: "", column: column) }
      if scalar == "\"" {
        quoteColumn = quoteColumn == nil ? column : nil
      } else {
        word?.text.unicodeScalars.append(scalar)
      }
      endColumn = column + 1
    }
    if let quoteColumn {
      throw error("found a quotation mark, expected a second one after it", quoteColumn)
    }
    take(&word)
  }

  private mutating func take(_ word: inout Word?) {
    if let word { words.append(word) }
    word = nil
  }

  var isEmpty: Bool { next == words.count }
  var peek: Word? { isEmpty ? nil : words[next] }
  /// Where the next word begins, or the line ends.
  var nextColumn: Int { peek?.column ?? endColumn }

  func place(_ column: Int) -> Place { Place(file: file, line: line, column: column) }

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

  /// The rest of the statement as it stands there, quotation marks included.
  mutating func rawRest() -> String {
    let rest = scalars[(nextColumn - 1)..<max(nextColumn - 1, endColumn - 1)]
    next = words.count
    var text = String.UnicodeScalarView()
    text.append(contentsOf: rest)
    return String(text)
  }

  func end() throws(ScenarioError) {
    if let word = peek { throw wrong(word, "the end of the line") }
  }

  func wrong(_ word: Word?, _ expected: String, column: Int? = nil) -> ScenarioError {
    let found = word.map { quoted($0.text) } ?? "the end of the line"
    return error("found \(found), expected \(expected)", column ?? word?.column ?? endColumn)
  }

  func notBuilt(_ word: Word) -> ScenarioError {
    error("\(quoted(word.text)) is not built yet in this version", word.column)
  }

  func error(_ message: String, _ column: Int) -> ScenarioError {
    ScenarioError(file: file, line: line, column: column, message: message)
  }
}
