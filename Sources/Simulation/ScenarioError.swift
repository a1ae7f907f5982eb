import Settings
import Zones

/// What is wrong with a scenario file, and where.
public struct ScenarioError: Error, Equatable, Sendable {
  /// The file, as it was named.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The column, from 1, in characters (Unicode scalars).
  public var column: Int
  /// What stands there, and what was expected; or what is not built yet.
  public var message: String

  /// The whole line for people: `FILE:LINE:COLUMN: found …, expected …`.
  public var text: String { "\(file):\(line):\(column): \(message)" }
}

/// Why a board, a file or a zone that a scenario names cannot be had.
public struct LookupError: Error, Equatable, Sendable {
  /// What was found, and what was expected.
  public var message: String

  /// Makes an error.
  public init(message: String) {
    self.message = message
  }

  /// The lookup of whoever has no files.
  public static func noFile(_ name: String) -> Result<[UInt8], LookupError> {
    .failure(LookupError(message: "found \(quoted(name)), expected a file that can be read"))
  }

  /// The lookup of whoever has no zone files.
  public static func onlyUTC(_ name: String) -> Result<ZoneRules, LookupError> {
    if name == "UTC" { return .success(.utc) }
    return .failure(LookupError(message: "found the zone \(quoted(name)), expected UTC"))
  }

  /// The lookup of whoever has no board but the simulated one.
  public static func only(_ name: String) -> Result<Board, LookupError> {
    if name == Board.simulated.name { return .success(.simulated) }
    return .failure(
      LookupError(message: "found the board \(quoted(name)), expected simulated"))
  }
}
