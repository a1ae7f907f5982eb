import FoundationEssentials

/// The project's files, read once.
struct Repository {
  /// What the top level may hold. Anything else there (a build folder, an editor's) is not ours and
  /// is not read.
  static let topLevel = [
    ".ci", ".gitignore", ".swift-format", "ARCHITECTURE.md", "LICENSE", "Makefile",
    "Package.swift", "README.md", "Sources", "Tests", "board", "debian", "sounds",
  ]

  static let shared = Repository(root: root)

  var files: [SourceText] = []
  var house: House
  /// Each folder of Sources and of Tests, by name.
  var targets: [String]
  var testTargets: [String]

  private static var root: String {
    // Tests/TidyTests/Repository.swift, three names below the root.
    #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }
  }

  private init(root: String) {
    var found: [SourceText] = []
    for name in Repository.topLevel { Repository.read(name, under: root, into: &found) }
    files = found
    let manifest = found.first { $0.path == "Package.swift" }
    house = House(manifest: String(decoding: manifest?.written ?? [], as: UTF8.self))
    targets = Repository.list(root + "/Sources")
    testTargets = Repository.list(root + "/Tests").filter { $0.hasSuffix("Tests") }
  }

  /// Reads a file, or all files of a folder; a name that is not there is nothing, and neither is a
  /// picture.
  private static func read(_ path: String, under root: String, into files: inout [SourceText]) {
    if path.hasSuffix(".png") { return }
    let children = list(root + "/" + path)
    if children.isEmpty, let data = FileManager.default.contents(atPath: root + "/" + path) {
      files.append(SourceText(path: path, written: Array(data)))
    }
    for child in children { read(path + "/" + child, under: root, into: &files) }
  }

  private static func list(_ path: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: path)
    return (names ?? []).sorted()
  }
}
