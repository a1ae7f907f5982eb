import Testing

@Suite struct WordsTests {
  private let house = House(
    manifest: """
      let pureRooms: [Row] = [
        ("Ticks", []),
        ("Bells", ["Ticks"]),
      ]
      let sharedRooms: [Row] = [("Sessions", ["Ticks"])]
      let shellRooms: [Row] = [
        (
          "LinuxIO",
          [
            "CLinux", "Ticks",
          ]
        ),
      ]
      let cLibraries = ["CLinux"]
      """)

  private static let places: [(path: String, holds: [Scope])] = [
    ("Sources/Ticks/a.swift", [.swift, .product, .pureOrShared, .pure, .integerTime]),
    ("Sources/Bells/a.swift", [.swift, .product, .pureOrShared, .pure]),
    ("Sources/Sessions/a.swift", [.swift, .product, .pureOrShared]),
    ("Sources/LinuxIO/a.swift", [.swift, .product]),
    ("Sources/timerbox/a.swift", [.swift, .product]),
    ("Tests/TicksTests/a.swift", [.swift]),
    ("Package.swift", [.swift]),
    ("Sources/CLinux/a.c", []),
    ("README.md", []),
  ]

  @Test(arguments: places) func scope_eachPlace_holdsAsTabled(
    _ path: String, _ expected: [Scope]
  ) {
    let all: [Scope] = [.swift, .product, .pureOrShared, .pure, .integerTime]
    #expect(all.filter { $0.holds(path, house) } == expected)
  }

  @Test(arguments: wordRules) func rule_eachWord_isFoundInItsScopeOnly(_ rule: WordRule) {
    for word in rule.words {
      let text = "// \(word)\nlet a = \"\(word)\"\n  \(word)\nlet my\(word)0 = 1\n"
      for (path, scopes) in WordsTests.places {
        let findings = rule.findings(in: SourceText(path: path, text), house)
        let startsWithLetter = isWordByte(Array(word.utf8)[0])
        let lines = startsWithLetter || isWordByte(Array(word.utf8).last ?? 0) ? [3] : [3, 4]
        let expected = scopes.contains(rule.scope) ? lines : []
        #expect(findings.map(\.line) == expected, "\(word) in \(path)")
      }
    }
  }

  @Test func finding_printed_namesFileLineWordAndReason() {
    let file = SourceText(path: "Sources/Ticks/a.swift", "\nlet seconds: Double = 1\n")
    #expect(
      wordRules.flatMap { $0.findings(in: file, house) }.map(\.description)
        == ["Sources/Ticks/a.swift:2: `Double`: time is whole nanoseconds"])
  }

  @Test func house_tables_areRead() {
    #expect(house.pure.map(\.name) == ["Ticks", "Bells"])
    #expect(house.pure[1].imports == ["Ticks"])
    #expect(house.shared.map(\.name) == ["Sessions"])
    #expect(house.shell.map(\.name) == ["LinuxIO"])
    #expect(house.shell[0].imports == ["CLinux", "Ticks"])
    #expect(house.cLibraries == ["CLinux"])
  }
}
