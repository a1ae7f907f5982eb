/// Where something stands in a file. Lines and columns count from 1; columns count characters
/// (Unicode scalars), and a byte-order mark is none.
public struct Place: Equatable, Sendable {
  /// The file's name, as the caller gave it.
  public let file: String
  /// The line.
  public let line: Int
  /// The column.
  public let column: Int

  /// Makes a place.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The place as messages write it: `FILE:LINE:COLUMN`.
  public var text: String { "\(file):\(line):\(column)" }

  func moved(columns: Int) -> Place { Place(file: file, line: line, column: column + columns) }
}

/// What is wrong with a setting. `nearest` is the right name that is closest to the one found.
public enum SettingsFault: Equatable, Sendable {
  /// A byte that begins no UTF-8 character.
  case invalidUTF8(byte: UInt8)
  /// A character below U+0020 other than a tab, or U+007F.
  case controlCharacter(code: UInt32)
  /// A line that is neither a section, a key with a value, a comment nor empty.
  case unknownLine(found: String)
  /// A section that does not end with `]`, has no name, or is followed by text.
  case malformedSection(found: String)
  /// A key before the first section.
  case keyOutsideSection(found: String)
  /// A section that stands twice in one file.
  case duplicateSection(found: String, firstLine: Int)
  /// A key that stands twice in one section.
  case duplicateKey(found: String, firstLine: Int)
  /// A section that does not exist.
  case unknownSection(found: String, expected: String, nearest: String?)
  /// A key that does not exist.
  case unknownKey(found: String, expected: String, nearest: String?)
  /// A value that its key cannot have.
  case value(found: String, expected: String, nearest: String?)
  /// An item that stands twice in one list.
  case duplicateItem(found: String)
  /// A key that must stand in the file and does not.
  case missingKey(expected: String)
  /// A file that is longer than any configuration is.
  case tooLong(byteCount: Int, limit: Int)
}

/// A fault and where it is. Without a place (a value given on a command line) the message begins
/// with what was found.
public struct SettingsError: Error, Equatable, Sendable {
  /// What is wrong.
  public let fault: SettingsFault
  /// Where it is, if it came from a file.
  public let place: Place?

  /// Makes an error.
  public init(_ fault: SettingsFault, at place: Place? = nil) {
    self.fault = fault
    self.place = place
  }

  /// The message: `FILE:LINE:COLUMN: found …, expected …; did you mean "…"?`.
  public var text: String { (place.map { $0.text + ": " } ?? "") + faultText }

  private var faultText: String {
    switch fault {
    case .invalidUTF8(let byte):
      return "found the byte 0x\(hexadecimal(UInt32(byte))), expected UTF-8"
    case .controlCharacter(let code):
      return "found the character U+\(hexadecimal(code, digits: 4)), expected text"
    case .unknownLine(let found):
      return "found \(quoted(found)), expected KEY = VALUE"
    case .malformedSection(let found):
      return "found \(quoted(found)), expected a section in brackets, such as [sit]"
    case .keyOutsideSection(let found):
      return "found the key \(quoted(found)), expected a section before it, such as [sit]"
    case .duplicateSection(let found, let line):
      return "found a second [\(found)], expected it once; the first is on line \(line)"
    case .duplicateKey(let found, let line):
      return "found a second \(quoted(found)), expected it once; the first is on line \(line)"
    case .duplicateItem(let found):
      return "found a second \(quoted(found)), expected it once"
    case .unknownSection(let found, let expected, let nearest):
      return "found [\(found)], expected \(expected)" + suggestion(nearest)
    case .unknownKey(let found, let expected, let nearest),
      .value(let found, let expected, let nearest):
      return "found \(quoted(found)), expected \(expected)" + suggestion(nearest)
    case .missingKey(let expected):
      return "found no such key, expected \(expected)"
    case .tooLong(let count, let limit):
      return "found a file of \(count) bytes, expected at most \(limit)"
    }
  }
}

/// Everything that is wrong with one file: the first errors in the order of the file, and how many
/// more there are. A file of another kind has an error on every line, and five tell as much as all.
public struct SettingsProblems: Error, Equatable, Sendable {
  /// How many errors are kept.
  public static let limit = 5

  /// The first errors, in the order in which they stand in the file.
  public private(set) var errors: [SettingsError] = []
  /// How many errors followed those.
  public private(set) var furtherCount = 0

  /// One line an error, and a last one if there are more.
  public var text: String {
    var lines = errors.map(\.text)
    if furtherCount > 0 { lines.append("and \(furtherCount) more") }
    return lines.joined(separator: "\n")
  }

  var isEmpty: Bool { errors.isEmpty }

  mutating func add(_ fault: SettingsFault, at place: Place?) {
    add(SettingsError(fault, at: place))
  }

  /// Faults of form are found before faults of meaning, so each goes to its place in the file.
  mutating func add(_ error: SettingsError) {
    let index = errors.firstIndex { SettingsProblems.isBefore(error, $0) } ?? errors.endIndex
    errors.insert(error, at: index)
    guard errors.count > SettingsProblems.limit else { return }
    errors.removeLast()
    furtherCount += 1
  }

  private static func isBefore(_ left: SettingsError, _ right: SettingsError) -> Bool {
    let (left, right) = (left.place, right.place)
    return (left?.line ?? .max, left?.column ?? 0) < (right?.line ?? .max, right?.column ?? 0)
  }
}

/// A found text in quotation marks, at most 60 characters of it; `nothing` if it is empty.
public func quoted(_ text: String) -> String {
  guard !text.isEmpty else { return "nothing" }
  let scalars = text.unicodeScalars
  guard scalars.count > 60 else { return "\"\(text)\"" }
  return "\"\(String(String.UnicodeScalarView(scalars.prefix(60))))…\""
}

private func hexadecimal(_ value: UInt32, digits: Int = 2) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
