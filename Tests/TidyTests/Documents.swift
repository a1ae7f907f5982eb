/// Rules of every file, whatever its language.
enum Documents {
  /// Markers of unfinished work, spelled so that this file holds none.
  static let markers = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]

  /// Paths of one machine, which mean nothing on another.
  static let machinePaths = ["/wo" + "rk/", "/ro" + "ot/", "../sha" + "red"]

  static func leftovers(_ file: SourceText) -> [Finding] {
    let marked = markers.flatMap { marker in
      file.lines(ofText: marker).map { (line: $0, message: "a leftover `\(marker)`") }
    }
    let paths = machinePaths.flatMap { path in
      file.lines(ofText: path).map { (line: $0, message: "`\(path)` is a path of one machine") }
    }
    return (marked + paths).map { Finding(path: file.path, line: $0.line, message: $0.message) }
  }

  /// A markdown file has one title, the only line outside of code that begins with one `#`.
  static func titles(_ file: SourceText) -> [Finding] {
    guard file.path.hasSuffix(".md") else { return [] }
    var titleLines: [Int] = []
    var isInCode = false
    for (index, line) in file.writtenLines.enumerated() {
      let line = text(line)
      if line.hasPrefix("```") { isInCode.toggle() }
      if line.hasPrefix("# "), !isInCode { titleLines.append(index + 1) }
    }
    if titleLines.count == 1 { return [] }
    return [
      Finding(
        path: file.path, line: titleLines.dropFirst().first ?? 1,
        message: "\(titleLines.count) titles; a document has one")
    ]
  }
}
