import Ticks

/// An input line of the box: a part of a panel that has a line of its own. Its name is that of
/// board files, its letter that of scenario files.
public enum Line: UInt8, CaseIterable, Sendable {
  /// The crown's first contact; it moves first when the crown turns clockwise.
  case a
  /// The crown's second contact.
  case b
  /// The crown's push switch.
  case s
  /// The remote's upper key.
  case up
  /// The remote's lower key.
  case down
  /// The remote's left key.
  case left
  /// The remote's right key.
  case right
  /// The remote's middle key.
  case select
  /// The remote's key that leads back.
  case back
  /// The remote's key that plays and pauses.
  case play

  /// The name of this line's part in board files.
  public var name: StaticString {
    switch self {
    case .a: "crown-a"
    case .b: "crown-b"
    case .s: "crown-switch"
    case .up: "up"
    case .down: "down"
    case .left: "left"
    case .right: "right"
    case .select: "select"
    case .back: "back"
    case .play: "play"
    }
  }

  /// The letter of this line in scenario files, in ASCII.
  public var letter: UInt8 {
    switch self {
    case .a: UInt8(ascii: "A")
    case .b: UInt8(ascii: "B")
    case .s: UInt8(ascii: "S")
    case .up: UInt8(ascii: "U")
    case .down: UInt8(ascii: "D")
    case .left: UInt8(ascii: "L")
    case .right: UInt8(ascii: "R")
    case .select: UInt8(ascii: "O")
    case .back: UInt8(ascii: "K")
    case .play: UInt8(ascii: "P")
    }
  }

  /// The line with this letter, or `nil` if there is none.
  /// - Parameter letter: an upper-case letter in ASCII.
  public init?(letter: UInt8) {
    for line in Line.allCases where line.letter == letter {
      self = line
      return
    }
    return nil
  }
}

/// The raw level of a line. Lines are pulled up: high at rest, low when pressed or closed.
public enum Level: UInt8, Sendable {
  /// Pressed or closed.
  case low = 0
  /// At rest.
  case high = 1
}

/// A level change of a line with the kernel's stamp of it.
///
/// Two equal levels in a row on one line are normal: the kernel stamps the interrupt and reads the
/// level later, so a short pulse can show as two equal edges or as none.
public struct Edge: Equatable, Sendable {
  /// Which line it was.
  public var line: Line
  /// The raw level after the change.
  public var level: Level
  /// When the kernel saw it.
  public var at: Instant

  /// Makes an edge.
  /// - Parameters:
  ///   - line: which line it was.
  ///   - level: the raw level after the change.
  ///   - at: when the kernel saw it.
  public init(line: Line, level: Level, at: Instant) {
    self.line = line
    self.level = level
    self.at = at
  }
}

/// The raw levels of all lines at one time.
public struct LineLevels: Equatable, Sendable {
  private var bits: UInt16

  /// Every line high: nothing is pressed, and the crown rests.
  public static let rest = LineLevels(bits: ~0)

  private init(bits: UInt16) {
    self.bits = bits
  }

  /// The level of one line.
  public subscript(line: Line) -> Level {
    get { bits & (1 << UInt16(line.rawValue)) == 0 ? .low : .high }
    set {
      let mask: UInt16 = 1 << UInt16(line.rawValue)
      bits = newValue == .low ? bits & ~mask : bits | mask
    }
  }
}
