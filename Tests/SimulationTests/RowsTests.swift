import FoundationEssentials
import Testing

/// The tables of Tests/scenarios/README.md, held against what there is.
private enum Rows {
  static let lines: [Substring] = {
    let path = Scenarios.folder + "/README.md"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter {
      $0.hasPrefix("| alsa ") || $0.hasPrefix("| mission ") || $0.hasPrefix("| store ")
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

  /// The names of all functions in them.
  static func functions() throws -> Set<String> {
    Set(try tests().split(separator: "func ").map { String($0.prefix { $0 != "(" }) })
  }

  /// The number of a report that a name begins with: `report07_…` or `store-07-…`.
  static func report(_ name: String) -> Int? {
    guard let start = ["report", "store-"].first(where: { name.hasPrefix($0) }) else { return nil }
    let digits = name.dropFirst(start.utf8.count).prefix { $0.isNumber }
    return digits.count == 2 ? Int(digits) : nil
  }
}

@Test func rows_ofTheFieldsFailures_nameWhatIsThere() throws {
  let functions = try Rows.functions()
  #expect(Rows.names.count > 120)
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
  let mission: [Int] =
    [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18, 20, 21, 23, 24, 25]
    + Array(27...32) + Array(34...41) + [43, 44, 45, 47, 48, 49, 50, 59]
  let store: [Int] =
    Array(1...17) + Array(19...22) + Array(25...28) + Array(30...34) + [36, 37, 38]
    + Array(40...44)
  #expect(
    rows == alsa.map { "alsa \($0)" } + mission.map { "mission \($0)" }
      + store.map { "store \($0)" })
}

/// A scenario that is named after a row stands in the table.
@Test func scenarios_thatAreNamedAfterARow_standInItsTable() {
  for name in Scenarios.names where name.hasPrefix("alsa-") || name.hasPrefix("mission-") {
    #expect(Rows.names.contains(name))
  }
}

/// A test or scenario that is named after a report stands in the row of its number, and each row of
/// a report on a store has one.
@Test func reports_standInTheirRows() throws {
  let named = try Rows.functions().union(Scenarios.names).filter { Rows.report($0) != nil }
  #expect(named.count > 50)
  var rows: [String: Set<Int>] = [:]
  for line in Rows.lines where line.hasPrefix("| store ") || line.hasPrefix("| mission ") {
    let number = try #require(Int(line.split(separator: " ")[2].prefix { $0.isNumber }))
    let names = line.split(separator: "`").map(String.init)
    for name in names { rows[name, default: []].insert(number) }
    let isStore = line.hasPrefix("| store ")
    #expect(!isStore || names.contains { Rows.report($0) == number }, "\(line)")
  }
  for name in named {
    #expect(rows[name]?.contains(Rows.report(name) ?? 0) == true, "\(name)")
  }
}
