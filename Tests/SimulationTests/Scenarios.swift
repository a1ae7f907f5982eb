import FoundationEssentials
import Settings
import Simulation
import Testing
import Zones

/// The scenario files of the project, and how a test plays them.
enum Scenarios {
  static let folder: String = {
    let tests = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    return tests.joined(separator: "/") + "/scenarios"
  }()

  /// The names of all scenario files.
  static let names: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".scenario") }.sorted()
  }()

  static func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  /// Reads a scenario under the name `t`.
  static func parse(_ text: String) throws -> Scenario {
    try ScenarioParser.parse(text, file: "t", boards: board, zones: zone)
  }

  /// A board of the project by its name, as the program finds it.
  private static func board(_ name: String) -> Result<Board, LookupError> {
    if name == Board.simulated.name { return .success(.simulated) }
    let path = "\(folder)/../../board/\(name).ini"
    do {
      let bytes = try Data(contentsOf: URL(filePath: path))
      return .success(try Board(Array(bytes), file: name))
    } catch {
      return .failure(LookupError(message: "found the board \"\(name)\", expected a board"))
    }
  }

  private static func zone(_ name: String) -> Result<ZoneRules, LookupError> {
    if name == "UTC" { return .success(.utc) }
    do {
      let path = "/usr/share/zoneinfo/" + name
      return .success(try ZoneRules(tzif: Array(Data(contentsOf: URL(filePath: path)))))
    } catch {
      return .failure(LookupError(message: "found the zone \"\(name)\", expected one"))
    }
  }

  /// Plays a scenario under the name `t`.
  static func play(
    _ text: String, seed: UInt64? = nil, ticks: Bool = false,
    trace: @escaping (String) -> Void = { _ in }
  ) throws -> SimulationResult {
    Simulation.run(try parse(text), seed: seed, ticks: ticks, trace: trace)
  }

  /// What did not hold.
  static func failures(_ text: String) throws -> [String] { try play(text).failures }

  /// The trace of a scenario, one line an event.
  static func trace(_ text: String, seed: UInt64? = nil, ticks: Bool = false) throws -> [String] {
    let lines = Lines()
    _ = try play(text, seed: seed, ticks: ticks) { lines.all.append($0) }
    return lines.all
  }

  private final class Lines {
    var all: [String] = []
  }

  /// The message of a wrong scenario; nil if it is in order.
  static func message(_ text: String) -> String? {
    do {
      _ = try play(text)
      return nil
    } catch let error as ScenarioError {
      return error.text
    } catch {
      return "\(error)"
    }
  }
}
