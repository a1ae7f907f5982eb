import Testing

@Suite struct SourceTextTests {
  private func code(_ text: String, _ path: String = "a.swift") -> String {
    String(decoding: SourceText(path: path, text).code, as: UTF8.self)
  }

  @Test(arguments: [
    ("let a = 1 // word", "let a = 1        "),
    ("a /* word */ b", "a            b"),
    ("a /* /* word */ word */ b", "a                       b"),
    (#"f("word")"#, #"f("    ")"#),
    (#"f("\"word")"#, #"f("      ")"#),
    (#"f("a\(word)b")"#, #"f("  (word) ")"#),
    (#"f("\(g("a", (1)))") + word"#, #"f(" (g(" ", (1)))") + word"#),
    ("f(#\"\"word\\\"\"#)", "f(#\"       \"#)"),
    ("f(\"\"\"\n \"word\" \\(a)\n\"\"\")", "f(\"\"\"\n         (a)\n\"\"\")"),
    ("#if word", "#if word"),
    ("\"open\nword", "\"    \nword"),
  ])
  func code_ofSwift_hasNoCommentsAndNoStrings(_ text: String, _ expected: String) {
    #expect(code(text) == expected)
  }

  @Test(arguments: [
    (#"char q = '"'; word("word");"#, #"char q =    ; word("    ");"#),
    (#"char q = '\''; word"#, #"char q =     ; word"#),
    ("/* /* */ word", "         word"),
    (#"f("\(word")"#, #"f("      ")"#),
  ])
  func code_ofC_hasNoCommentsAndNoStrings(_ text: String, _ expected: String) {
    #expect(code(text, "a.c") == expected)
  }

  @Test func lines_ofCode_areWholeWordsOutsideStrings() {
    let file = SourceText(
      path: "a.swift", "Task\nmyTask\nTasks\n\"Task\"\n// Task\n(Task)\nTask; Task\n")
    #expect(file.lines(ofCode: "Task") == [1, 6, 7, 7])
    #expect(file.lines(ofText: "Task") == [1, 4, 5, 6, 7, 7])
  }

  @Test func lines_ofSigns_needNoBoundary() {
    let file = SourceText(path: "a.swift", "Set<Int>\nOptionSet<A>\n.random(in: a)\nrandomly(1)\n")
    #expect(file.lines(ofCode: "Set<") == [1])
    #expect(file.lines(ofCode: "random(") == [3])
  }

  @Test func writtenLines_countTheLastOnceOnly() {
    #expect(SourceText(path: "a.swift", "a\nb\n").writtenLines.count == 2)
    #expect(SourceText(path: "a.swift", "a\nb").writtenLines.count == 2)
    #expect(SourceText(path: "a.swift", "").writtenLines.isEmpty)
  }
}
