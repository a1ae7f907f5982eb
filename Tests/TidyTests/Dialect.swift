/// Forms that a newer compiler takes and that of Swift 6.0 does not. Words are in `wordRules`.
enum Dialect {
  /// Commas before a closing parenthesis, which Swift 6.0 does not parse.
  static func trailingCommas(_ file: SourceText) -> [Finding] {
    guard file.path.hasSuffix(".swift") else { return [] }
    var findings: [Finding] = []
    var line = 1
    var last: UInt8 = 0
    var lastLine = 1
    for byte in file.code {
      if byte == UInt8(ascii: ")"), last == UInt8(ascii: ",") {
        findings.append(
          Finding(path: file.path, line: lastLine, message: "a comma before `)`: not Swift 6.0"))
      }
      if byte == newline {
        line += 1
      } else if byte != UInt8(ascii: " ") {
        last = byte
        lastLine = line
      }
    }
    return findings
  }

  /// Interpolated strings among the arguments of `@Test`: the compiler of 6.0.3 stops in its own
  /// assertion at them. A table with a name of its own, given as `arguments:`, compiles.
  static func interpolatedArguments(_ file: SourceText) -> [Finding] {
    guard file.path.hasSuffix(".swift") else { return [] }
    let attribute = Array("@Test(".utf8)
    var findings: [Finding] = []
    var open = 0
    var line = 1
    for place in file.code.indices {
      if file.code[place] == newline { line += 1 }
      if open == 0, file.code[place...].starts(with: attribute) { open = -1 }
      if open != 0, file.code[place] == UInt8(ascii: "(") {
        open = max(open, 0) + 1
        if file.written[place - 1] == UInt8(ascii: "\\") {
          findings.append(
            Finding(
              path: file.path, line: line,
              message: "an interpolated argument of @Test stops the compiler of Swift 6.0"))
        }
      }
      if open > 0, file.code[place] == UInt8(ascii: ")") { open -= 1 }
    }
    return findings
  }
}
