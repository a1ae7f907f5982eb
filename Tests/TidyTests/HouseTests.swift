import Testing

/// The rules, held against every file of the project. What each rule finds is tested in the other
/// files, on snippets that break it.
@Suite struct HouseTests {
  private let repository = Repository.shared

  private func expectNone(_ findings: [Finding], _ place: SourceLocation = #_sourceLocation) {
    for finding in findings {
      Issue.record(Comment(rawValue: finding.description), sourceLocation: place)
    }
  }

  @Test func repository_isRead_whole() {
    let paths = repository.files.map(\.path)
    for path in ["Package.swift", "Makefile", ".ci/run", "Sources/Ticks/Instant.swift"] {
      #expect(paths.contains(path))
    }
    #expect(repository.house.pure.map(\.name).contains("Appliance"))
    #expect(repository.house.cLibraries.contains("CLinux"))
    // A room that is in no table would be held to no rule.
    let named = repository.house.rooms.map(\.name) + repository.house.cLibraries
    #expect(repository.targets.filter { !named.contains($0) } == ["timerbox", "timerbox-import"])
  }

  @Test(arguments: wordRules) func words_everyFile_useNoneForbidden(_ rule: WordRule) {
    for file in repository.files { expectNone(rule.findings(in: file, repository.house)) }
  }

  @Test func lines_everyFile_fit() {
    for file in repository.files { expectNone(Shapes.lines(file)) }
  }

  @Test func lengths_everyFile_fit() {
    for file in repository.files { expectNone(Shapes.lengths(file)) }
  }

  @Test func dialect_everyFile_isOfSwift6() {
    for file in repository.files {
      expectNone(Dialect.trailingCommas(file) + Dialect.interpolatedArguments(file))
    }
  }

  @Test func dictionaries_pureRooms_areNone() {
    for file in repository.files { expectNone(Shapes.dictionaries(file, repository.house)) }
  }

  @Test func vouching_everyFile_saysWhy() {
    for file in repository.files { expectNone(Shapes.vouching(file)) }
  }

  @Test func imports_everyRoom_areDeclared() {
    for file in repository.files { expectNone(Imports.undeclared(file, repository.house)) }
  }

  @Test func arrows_everyRoom_pointUpTheTable() {
    expectNone(Imports.upwardArrows(repository.house))
  }

  @Test func cLibraries_each_haveOneOwner() {
    expectNone(Imports.sharedCLibraries(repository.files, repository.house))
  }

  @Test func targets_each_haveTests() {
    expectNone(
      Imports.untested(
        targets: repository.targets, testTargets: repository.testTargets, repository.house))
  }

  @Test func documents_everyFile_areFinished() {
    for file in repository.files {
      expectNone(Documents.leftovers(file) + Documents.titles(file))
    }
  }
}
