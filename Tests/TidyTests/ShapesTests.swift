import Testing

@Suite struct ShapesTests {
  private func file(_ text: String, _ path: String = "Sources/Ticks/a.swift") -> SourceText {
    SourceText(path: path, text)
  }

  private func found(_ findings: [Finding]) -> [String] {
    findings.map { "\($0.line): \($0.message)" }
  }

  @Test func columns_at100_fitAndAt101DoNot() {
    let line = String(repeating: "é", count: 100)
    #expect(Shapes.lines(file(line + "\n")).isEmpty)
    #expect(found(Shapes.lines(file("\n" + line + "é\n"))) == ["2: 101 columns; at most 100"])
  }

  @Test func columns_ofTablesAndScenarios_areFree() {
    let long = String(repeating: "a", count: 120) + "\n"
    #expect(Shapes.lines(file("| " + long, "README.md")).isEmpty)
    #expect(Shapes.lines(file(long, "Tests/scenarios/a.scenario")).isEmpty)
    #expect(Shapes.lines(file(long, "README.md")).count == 1)
  }

  @Test(arguments: [
    ("a \n", "1: space at the end of the line"),
    ("\n  \n", "2: space at the end of the line"),
    ("\ta\n", "1: a tab; indent with spaces"),
    ("a\nb", "2: no newline at the end of the file"),
  ])
  func lines_untidy_areFound(_ text: String, _ expected: String) {
    #expect(found(Shapes.lines(file(text))) == [expected])
  }

  @Test func tabs_inTheMakefile_areItsSyntax() {
    #expect(Shapes.lines(file("a:\n\tb\n", "Makefile")).isEmpty)
  }

  @Test func files_at400Lines_fitAndAt401DoNot() {
    let lines = String(repeating: "\n", count: 400)
    #expect(Shapes.lengths(file(lines)).isEmpty)
    #expect(found(Shapes.lengths(file(lines + "\n"))) == ["401: 401 lines; at most 400"])
    #expect(Shapes.lengths(file(lines + "\n", "sounds/a.conf")).isEmpty)
  }

  @Test(arguments: [
    "func f() {", "init(a: Int) throws(E) where A: B {", "deinit {", "subscript(i: Int) -> Int {",
    "var a: Int {", "static func f(\n_ g: () -> Void = { _ = 1 }) -> [Int] {",
  ])
  func functions_at70Lines_fitAndAt71DoNot(_ head: String) {
    let headCount = head.split(separator: "\n").count
    func body(_ count: Int) -> String {
      "struct A {\n" + head + String(repeating: "\n", count: count - headCount) + "}\n}\n"
    }
    #expect(Shapes.lengths(file(body(70))).isEmpty)
    #expect(found(Shapes.lengths(file(body(71)))) == ["2: a function of 71 lines; at most 70"])
  }

  @Test func functions_ofC_areMeasured() {
    let long = "int f(int a)\n{\n" + String(repeating: "  if (a) { a = '{'; }\n", count: 69) + "}\n"
    #expect(found(Shapes.lengths(file(long, "a.c"))) == ["2: a function of 71 lines; at most 70"])
    #expect(Shapes.lengths(file(long.replacing1("  if (a) { a = '{'; }\n"), "a.c")).isEmpty)
  }

  @Test func functions_nestedAndRequired_areToldApart() {
    let text = """
      protocol P {
        func a()
        var b: Int { get }
        init()
      }
      struct S: P {
        var c = [1]
        var d: Int
        enum E { case f }
        func a() {
          func inner() {
            self.init("}")
          }
        }
      }
      """
    #expect(
      Functions(file(text)).found == [
        Functions.Function(line: 3, lineCount: 1), Functions.Function(line: 11, lineCount: 3),
        Functions.Function(line: 10, lineCount: 5),
      ])
  }

  @Test(arguments: [
    ("var a: [Int: String]", 1), ("let a: [A.B: [C]] = b", 1), ("a[phase: 1]", 0), ("[A]", 0),
    ("let a = [Phase.idle: 1]", 1), ("[a ? B : C]", 0),
  ])
  func dictionaries_ofPureRooms_areFound(_ text: String, _ count: Int) {
    let house = House(manifest: "let pureRooms = [(\"Ticks\", [])]\n")
    #expect(Shapes.dictionaries(file(text), house).count == count)
    #expect(Shapes.dictionaries(file(text, "Sources/LinuxIO/a.swift"), house).isEmpty)
  }

  @Test(arguments: [
    ("struct A: @unchecked Sendable {}", false),
    ("\n  nonisolated(unsafe) var a = 1", false),
    ("  //\n  nonisolated(unsafe) var a = 1", false),
    ("let a = 1  // why\n@preconcurrency import A", false),
    ("// The lock protects it.\nstruct A: @unchecked Sendable {}", true),
    ("  /// Written once.\n  nonisolated(unsafe) var a = 1", true),
  ])
  func vouching_needsACommentAbove(_ text: String, _ isFine: Bool) {
    #expect(Shapes.vouching(file(text)).isEmpty == isFine)
  }
}

extension String {
  /// The text without its first `part`.
  fileprivate func replacing1(_ part: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return String(self[..<range.lowerBound] + self[range.upperBound...])
  }
}
