import Ticks

/// Some of the lines of a box.
public struct LineSet: OptionSet, Hashable, Sendable {
  /// One bit a line, in the order of `Line`.
  public let rawValue: UInt16

  /// Makes a set from its bits.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The set of one line.
  public init(_ line: Line) {
    rawValue = 1 << UInt16(line.rawValue)
  }

  /// Every line there is.
  public static let all = LineSet(rawValue: UInt16((1 << Line.allCases.count) - 1))
  /// Both contacts of the crown.
  public static let contacts: LineSet = [LineSet(.a), LineSet(.b)]

  /// Whether a line is in the set.
  public func contains(_ line: Line) -> Bool {
    contains(LineSet(line))
  }

  /// The lines in the set, in the order of `Line`.
  public var lines: [Line] { Line.allCases.filter { contains($0) } }
}

/// The levels that some lines were read to have at one instant: what is true whether or not its
/// edges arrived.
public struct LevelReading: Equatable, Sendable {
  /// The lines that could be read. Of the others nothing is known.
  public var lines: LineSet
  /// Their levels.
  public var levels: LineLevels
  /// When they were read. Every edge of these lines that was stamped before has been handed in
  /// before.
  public var at: Instant

  /// Makes a reading.
  /// - Parameters:
  ///   - lines: the lines that could be read.
  ///   - levels: their levels; those of other lines do not matter.
  ///   - at: when they were read.
  public init(lines: LineSet, levels: LineLevels, at: Instant) {
    self.lines = lines
    self.levels = levels
    self.at = at
  }
}
