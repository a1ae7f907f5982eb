/// Which module a file may import. SwiftPM already refuses an import that Package.swift does not
/// declare; these rules hold Package.swift itself to the house's arrows, and the system's modules,
/// which need no declaration, to the rooms that may use them.
enum Imports {
  /// The modules named by a file's import declarations, each with its line.
  static func of(_ file: SourceText) -> [(module: String, line: Int)] {
    guard file.path.hasSuffix(".swift") else { return [] }
    var found: [(module: String, line: Int)] = []
    for line in file.lines(ofCode: "import") {
      let words = text(file.codeLines[line - 1]).split(separator: " ")
      guard let place = words.firstIndex(of: "import"),
        words[..<place].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains($0) })
      else { continue }
      let rest = words[(place + 1)...].drop { kinds.contains($0) }
      guard let module = rest.first?.split(separator: ".").first else { continue }
      found.append((String(module), line))
    }
    return found
  }

  private static let accessLevels: [Substring] = ["public", "package", "internal", "private"]
  private static let kinds: [Substring] = [
    "struct", "class", "enum", "protocol", "typealias", "func", "var", "let",
  ]

  /// What each family of rooms may import of the system.
  static func systemModules(_ room: String, _ house: House) -> [String] {
    if house.pure.contains(where: { $0.name == room }) { return [] }
    if house.shared.contains(where: { $0.name == room }) { return ["FoundationEssentials"] }
    return ["FoundationEssentials", "Glibc", "Synchronization"]
  }

  /// Imports of a room that are neither in its row nor the system's modules of its family.
  static func undeclared(_ file: SourceText, _ house: House) -> [Finding] {
    let names = file.path.split(separator: "/")
    guard names.first == "Sources", names.count > 2,
      let room = house.rooms.first(where: { $0.name == names[1] })
    else { return [] }
    let allowed = room.imports + systemModules(room.name, house)
    return of(file).filter { !allowed.contains($0.module) }.map {
      Finding(
        path: file.path, line: $0.line,
        message: "\(room.name) may not import \($0.module); it may \(allowed)")
    }
  }

  /// Arrows that point up the table of rooms, or from a family to one it must not know.
  static func upwardArrows(_ house: House) -> [Finding] {
    var findings: [Finding] = []
    var above: [String] = []
    for room in house.rooms {
      let isShell = house.shell.contains { $0.name == room.name }
      for name in room.imports
      where !(above.contains(name) || isShell && house.cLibraries.contains(name)) {
        findings.append(
          Finding(
            path: "Package.swift", line: 1,
            message: "\(room.name) imports \(name), which does not stand above it"))
      }
      above.append(room.name)
    }
    return findings
  }

  /// C libraries that more than one target imports, or that a test imports.
  static func sharedCLibraries(_ files: [SourceText], _ house: House) -> [Finding] {
    var owners: [String: String] = [:]
    var findings: [Finding] = []
    for file in files {
      for (module, line) in of(file) where house.cLibraries.contains(module) {
        let target = file.path.split(separator: "/").prefix(2).joined(separator: "/")
        let owner = owners[module, default: target]
        owners[module] = owner
        if owner != target {
          findings.append(
            Finding(path: file.path, line: line, message: "\(module) belongs to \(owner) alone"))
        }
      }
    }
    return findings
  }

  /// Targets without a tests target. A C library is tested through the room that imports it.
  static func untested(targets: [String], testTargets: [String], _ house: House) -> [Finding] {
    targets.filter { target in
      let words = target.split(separator: "-")
      let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Tests"
      return !house.cLibraries.contains(target) && !testTargets.contains(name)
    }.map { Finding(path: "Sources/\($0)", line: 1, message: "has no tests target") }
  }
}
