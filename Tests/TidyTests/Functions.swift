/// How long each function, initializer, subscript and computed property of a file is.
///
/// A reader of braces and a few words, no parser: it knows strings and comments (they are blank by
/// then), requirements of protocols (no body), closures in arguments (their braces stand in
/// parentheses), and functions inside functions.
struct Functions {
  struct Function: Equatable {
    var line: Int
    var lineCount: Int
  }

  static let linesMax = 70

  private(set) var found: [Function] = []
  /// A declaration whose body has not begun, with the parentheses open since its word.
  private var pending: (line: Int, isProperty: Bool, parentheses: Int)?
  private var open: [(line: Int, depth: Int)] = []
  private var depth = 0
  private var line = 1
  private var last = newline

  init(_ file: SourceText) {
    let isC = file.path.hasSuffix(".c") || file.path.hasSuffix(".h")
    var word: [UInt8] = []
    for byte in file.code {
      if isWordByte(byte) {
        word.append(byte)
        continue
      }
      if !word.isEmpty {
        if !isC { read(word: String(decoding: word, as: UTF8.self)) }
        last = word[word.count - 1]
        word.removeAll(keepingCapacity: true)
      }
      read(sign: byte, isC: isC)
    }
  }

  /// `last` is the sign before the word: a dot makes `init` a call.
  private mutating func read(word: String) {
    switch word {
    case "func", "init", "deinit", "subscript":
      if last == UInt8(ascii: ".") { return }
      if pending == nil || pending?.parentheses == 0 { pending = (line, false, 0) }
    case "var":
      if pending == nil || pending?.parentheses == 0 { pending = (line, true, 0) }
    case "let", "case", "struct", "enum", "class", "extension", "protocol", "typealias":
      if pending?.parentheses == 0 { pending = nil }
    default: break
    }
  }

  private mutating func read(sign: UInt8, isC: Bool) {
    switch sign {
    case newline:
      line += 1
      // A stored property ends with its line.
      if pending?.isProperty == true, pending?.parentheses == 0 { pending = nil }
    case UInt8(ascii: "="):
      if pending?.isProperty == true { pending = nil }
    case UInt8(ascii: "("), UInt8(ascii: "["): pending?.parentheses += 1
    case UInt8(ascii: ")"), UInt8(ascii: "]"): pending?.parentheses -= 1
    case UInt8(ascii: "{"): openBrace(isC: isC)
    case UInt8(ascii: "}"): closeBrace()
    default: break
    }
    if sign != UInt8(ascii: " "), sign != newline { last = sign }
  }

  private mutating func openBrace(isC: Bool) {
    depth += 1
    if isC {
      if depth == 1, last == UInt8(ascii: ")") { open.append((line, depth)) }
    } else if let start = pending, start.parentheses == 0 {
      open.append((start.line, depth))
      pending = nil
    }
  }

  private mutating func closeBrace() {
    if let function = open.last, function.depth == depth {
      found.append(Function(line: function.line, lineCount: line - function.line + 1))
      open.removeLast()
    }
    depth -= 1
    if pending?.parentheses == 0 { pending = nil }
  }
}
