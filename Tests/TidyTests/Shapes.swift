/// Rules of form: how long lines, functions and files are, and what must stand beside what.
enum Shapes {
  static let columnsMax = 100
  static let linesMax = 400

  /// Files with a measure of their own: tables of markdown and statements of scenarios may be long,
  /// and a licence is what it is.
  static func limitsColumns(_ path: String) -> Bool {
    !path.hasSuffix(".scenario") && path != "LICENSE"
  }

  static func limitsLines(_ path: String) -> Bool {
    [".swift", ".c", ".h", ".md"].contains { path.hasSuffix($0) } || path.hasPrefix(".ci/")
  }

  static func allowsTabs(_ path: String) -> Bool {
    path == "Makefile" || path == "debian/rules"
  }

  /// Long lines, tabs, space at a line's end, a missing last newline.
  static func lines(_ file: SourceText) -> [Finding] {
    var findings: [Finding] = []
    func report(_ line: Int, _ message: String) {
      findings.append(Finding(path: file.path, line: line, message: message))
    }
    let lines = file.writtenLines
    for (index, line) in lines.enumerated() {
      let isTable = file.path.hasSuffix(".md") && line.first == UInt8(ascii: "|")
      if line.count > columnsMax, limitsColumns(file.path), !isTable {
        let columns = text(line).count
        if columns > columnsMax {
          report(index + 1, "\(columns) columns; at most \(columnsMax)")
        }
      }
      if line.last == UInt8(ascii: " ") || line.last == UInt8(ascii: "\t") {
        report(index + 1, "space at the end of the line")
      }
      if line.contains(UInt8(ascii: "\t")), !allowsTabs(file.path) {
        report(index + 1, "a tab; indent with spaces")
      }
    }
    if file.written.last != newline, !file.written.isEmpty {
      report(lines.count, "no newline at the end of the file")
    }
    return findings
  }

  static func lengths(_ file: SourceText) -> [Finding] {
    var findings: [Finding] = []
    let lineCount = file.writtenLines.count
    if lineCount > linesMax, limitsLines(file.path) {
      findings.append(
        Finding(
          path: file.path, line: lineCount, message: "\(lineCount) lines; at most \(linesMax)"))
    }
    guard isCode(file.path) else { return findings }
    for function in Functions(file).found where function.lineCount > Functions.linesMax {
      findings.append(
        Finding(
          path: file.path, line: function.line,
          message: "a function of \(function.lineCount) lines; at most \(Functions.linesMax)"))
    }
    return findings
  }

  static func isCode(_ path: String) -> Bool {
    [".swift", ".c", ".h"].contains { path.hasSuffix($0) }
  }

  /// Types and literals of the form `[Key: Value]`. A label of a subscript begins small, a type's
  /// name does not.
  static func dictionaries(_ file: SourceText, _ house: House) -> [Finding] {
    guard Scope.pure.holds(file.path, house) else { return [] }
    var findings: [Finding] = []
    for (index, line) in file.codeLines.enumerated() {
      for start in line.indices where line[start] == UInt8(ascii: "[") {
        let key = line[(start + 1)...].prefix { isWordByte($0) || $0 == UInt8(ascii: ".") }
        guard let first = key.first, UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first else {
          continue
        }
        if key.endIndex < line.endIndex, line[key.endIndex] == UInt8(ascii: ":") {
          findings.append(
            Finding(
              path: file.path, line: index + 1,
              message: "a dictionary has a random order; use an array or a sorted table"))
        }
      }
    }
    return findings
  }

  static let vouchers = ["@unchecked Sendable", "nonisolated(unsafe)", "@preconcurrency"]

  /// What the compiler is told to believe has a comment on the line above that says why it is true.
  static func vouching(_ file: SourceText) -> [Finding] {
    guard file.path.hasSuffix(".swift") else { return [] }
    let lines = file.writtenLines
    return vouchers.flatMap { word in
      file.lines(ofCode: word).filter { line in
        let above = line > 1 ? lines[line - 2].drop { $0 == UInt8(ascii: " ") } : []
        return !(above.starts(with: Array("//".utf8)) && above.contains { isWordByte($0) })
      }.map {
        Finding(path: file.path, line: $0, message: "`\(word)` without a comment above: why?")
      }
    }
  }
}
