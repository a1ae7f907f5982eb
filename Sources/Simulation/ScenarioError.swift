import Settings

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

/// Why a scenario's board cannot be had.
public struct BoardLookupError: Error, Equatable, Sendable {
  /// What was found, and what was expected.
  public var message: String

  /// Makes an error.
  public init(message: String) {
    self.message = message
  }

  /// The lookup of whoever has no files.
  public static func noFile(_ name: String) -> Result<[UInt8], BoardLookupError> {
    .failure(BoardLookupError(message: "found \(quoted(name)), expected a file that can be read"))
  }

  /// The lookup of whoever has no board but the simulated one.
  public static func only(_ name: String) -> Result<Board, BoardLookupError> {
    if name == Board.simulated.name { return .success(.simulated) }
    return .failure(
      BoardLookupError(message: "found the board \(quoted(name)), expected simulated"))
  }
}
