import FoundationEssentials
import Testing

/// The tables of Tests/scenarios/README.md, held against what there is.
private enum Rows {
  static let lines: [Substring] = {
    let path = Scenarios.folder + "/README.md"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter {
      $0.hasPrefix("| alsa ") || $0.hasPrefix("| mission ")
    }
  }()

  /// What stands in backquotes in the last column.
  static let names: [String] = lines.flatMap { line in
    let column = line.split(separator: "|").last ?? ""
    return column.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  /// The text of every test.
  static func tests() throws -> String {
    let folder = Scenarios.folder + "/.."
    var text = ""
    for room in try FileManager.default.contentsOfDirectory(atPath: folder)
    where room.hasSuffix("Tests") {
      for file in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(room)")
      where file.hasSuffix(".swift") {
        text += try String(contentsOfFile: "\(folder)/\(room)/\(file)", encoding: .utf8)
      }
    }
    return text
  }
}

@Test func rows_ofTheFieldsFailures_nameWhatIsThere() throws {
  let functions = Set(
    try Rows.tests().split(separator: "func ").map { String($0.prefix { $0 != "(" }) })
  #expect(Rows.names.count > 60)
  for name in Rows.names {
    let isThere =
      name.hasSuffix(".scenario") ? Scenarios.names.contains(name) : functions.contains(name)
    #expect(isThere, "\(name)")
  }
}

@Test func rows_ofTheFieldsFailures_areAllThereInOrder() {
  let rows = Rows.lines.flatMap { line in
    let words = line.split(separator: "|")[0].split { " ,".contains($0) }
    return words.dropFirst().map { "\(words[0]) \($0)" }
  }
  let alsa: [Int] =
    [1, 2, 3] + Array(5...15) + Array(17...24) + [26, 28, 29, 31, 32, 33] + Array(35...43)
  let mission: [Int] = [9, 10, 11, 12, 14, 15, 16, 17, 18, 20, 21, 23, 24]
  #expect(rows == alsa.map { "alsa \($0)" } + mission.map { "mission \($0)" })
}

/// A scenario that is named after a row stands in the table.
@Test func scenarios_thatAreNamedAfterARow_standInItsTable() {
  for name in Scenarios.names where name.hasPrefix("alsa-") || name.hasPrefix("mission-") {
    #expect(Rows.names.contains(name))
  }
}
