import Testing

@Suite struct ImportsTests {
  private let house = House(
    manifest: """
      let pureRooms = [("Ticks", []), ("Bells", ["Ticks"])]
      let sharedRooms = [("Sessions", ["Ticks"])]
      let shellRooms = [("LinuxIO", ["CLinux", "Ticks"])]
      let cLibraries = ["CLinux"]
      """)

  @Test func imports_everySpelling_areRead() {
    let file = SourceText(
      path: "Tests/A/a.swift",
      """
      import Ticks
      internal import CLinux
      @preconcurrency @testable import Bells
      import struct Sessions.Replica
      // import Glibc
      let a = "import Glibc"
      """)
    #expect(Imports.of(file).map(\.module) == ["Ticks", "CLinux", "Bells", "Sessions"])
    #expect(Imports.of(file).map(\.line) == [1, 2, 3, 4])
  }

  @Test(arguments: [
    ("Ticks", "Glibc", false), ("Ticks", "FoundationEssentials", false), ("Ticks", "Bells", false),
    ("Bells", "Ticks", true), ("Bells", "CLinux", false),
    ("Sessions", "FoundationEssentials", true), ("Sessions", "Glibc", false),
    ("Sessions", "Synchronization", false),
    ("LinuxIO", "Glibc", true), ("LinuxIO", "Synchronization", true), ("LinuxIO", "CLinux", true),
    ("LinuxIO", "Dispatch", false), ("LinuxIO", "Bells", false),
  ])
  func imports_ofRooms_areThoseDeclared(_ room: String, _ module: String, _ isFine: Bool) {
    let file = SourceText(path: "Sources/\(room)/a.swift", "import \(module)\n")
    #expect(Imports.undeclared(file, house).isEmpty == isFine)
  }

  @Test(arguments: [
    ("pureRooms", "[(\"Ticks\", [\"Bells\"]), (\"Bells\", [])]", "Ticks imports Bells"),
    ("pureRooms", "[(\"Ticks\", [\"Ticks\"])]", "Ticks imports Ticks"),
    ("pureRooms", "[(\"Ticks\", [\"CLinux\"])]", "Ticks imports CLinux"),
    ("sharedRooms", "[(\"Box\", [\"CLinux\"])]", "Box imports CLinux"),
  ])
  func arrows_upwards_areFound(_ table: String, _ rows: String, _ expected: String) {
    let house = House(manifest: "let \(table) = \(rows)\nlet cLibraries = [\"CLinux\"]\n")
    #expect(
      Imports.upwardArrows(house).map(\.message) == [expected + ", which does not stand above it"])
  }

  @Test func arrows_downwards_areFine() {
    #expect(Imports.upwardArrows(house).isEmpty)
  }

  @Test func cLibraries_ofTwoTargets_areFound() {
    let files = [
      SourceText(path: "Sources/LinuxIO/a.swift", "import CLinux\n"),
      SourceText(path: "Sources/LinuxIO/b.swift", "internal import CLinux\n"),
      SourceText(path: "Tests/LinuxIOTests/a.swift", "\nimport CLinux\n"),
    ]
    #expect(Imports.sharedCLibraries(Array(files[..<2]), house).isEmpty)
    #expect(
      Imports.sharedCLibraries(files, house).map(\.description)
        == ["Tests/LinuxIOTests/a.swift:2: CLinux belongs to Sources/LinuxIO alone"])
  }

  @Test func targets_withoutTests_areFound() {
    let findings = Imports.untested(
      targets: ["Bells", "CLinux", "Ticks", "timerbox"],
      testTargets: ["TicksTests", "TimerboxTests"], house)
    #expect(findings.map(\.path) == ["Sources/Bells"])
  }
}
