import Testing

@Suite struct DialectTests {
  private func file(_ text: String) -> SourceText { SourceText(path: "Tests/A/a.swift", text) }

  @Test(arguments: [("f(a,)", [1]), ("f(\n  a,  // b\n)", [2]), ("f(a, b)", []), ("[a,]", [])])
  func commas_beforeParenthesis_areFound(_ text: String, _ lines: [Int]) {
    #expect(Dialect.trailingCommas(file(text)).map(\.line) == lines)
  }

  @Test(arguments: [
    ("@Test(arguments: [\n(1, \"a\\(b)\")])\nfunc f()", [2]),
    ("@Test(arguments: [f(1), \"(\"])\nfunc f() { g(\"a\\(b)\") }", []),
    ("@Test func f() { g(\"a\\(b)\") }", []),
    ("@Test(arguments: [#\"\\(b)\"#])", []),
  ])
  func arguments_interpolated_areFound(_ text: String, _ lines: [Int]) {
    #expect(Dialect.interpolatedArguments(file(text)).map(\.line) == lines)
  }
}
