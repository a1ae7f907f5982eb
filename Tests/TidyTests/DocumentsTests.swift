import Testing

@Suite struct DocumentsTests {
  @Test(arguments: Documents.markers + Documents.machinePaths)
  func leftovers_anywhere_areFound(_ word: String) {
    for path in ["a.swift", "Makefile", "README.md"] {
      let file = SourceText(path: path, "a\n// see \(word) b\n")
      #expect(Documents.leftovers(file).map(\.line) == [2])
    }
  }

  @Test(arguments: Documents.markers) func leftovers_insideWords_areNone(_ word: String) {
    #expect(Documents.leftovers(SourceText(path: "a.sh", "\(word)X \(word.lowercased())")).isEmpty)
  }

  @Test(arguments: [
    ("# a\n\n## b\n", nil), ("## a\n", 1), ("# a\n\n# b\n", 3), ("# a\n```\n# b\n```\n", nil),
    ("", 1),
  ])
  func titles_otherThanOne_areFound(_ text: String, _ line: Int?) {
    #expect(Documents.titles(SourceText(path: "a.md", text)).first?.line == line)
    #expect(Documents.titles(SourceText(path: "a.swift", text)).isEmpty)
  }
}
