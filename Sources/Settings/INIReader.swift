// The form of configuration and board files.
//
//     [bell end]          # a section; white space inside its name counts as one space
//     sound = large-bowl  # a key and its value, without the white space around them
//     ; a comment
//
// - A line that begins with `#` or `;`, after any white space, is a comment. Behind a section or a
//   value ` #` begins one: a `#` after white space. A `#` inside a word and any later `;` are text.
// - A value is the rest of its line: nothing is quoted, escaped or continued.
// - UTF-8 with or without a byte-order mark; lines end with LF or CRLF and have any length.
// - A section stands once in a file, a key once in a section.
// - A file has at most 256 KiB.
//
// Invariant: whatever the bytes are, each line gives either an entry, nothing, or one error.

/// One key and its value, and where they stand.
struct INIEntry: Equatable, Sendable {
  var key: String
  var keyPlace: Place
  var value: String
  /// Where the value begins; where it would begin, if it is empty.
  var valuePlace: Place
}

/// One section.
struct INISection: Equatable, Sendable {
  var name: String
  var place: Place
  var entries: [INIEntry] = []
}

/// Reads the form of a file; what its names mean is decided elsewhere.
struct INIReader {
  private(set) var sections: [INISection] = []
  private(set) var problems = SettingsProblems()
  private let file: String
  /// Whether keys belong to the last section. After a section that is in error they are dropped, so
  /// that one mistake is one message.
  private var state = State.beforeSections

  private enum State { case beforeSections, inSection, dropping }

  /// The lines on which sections and the last section's keys stand first.
  private var sectionLines: [String: Int] = [:]
  private var keyLines: [String: Int] = [:]

  private typealias Line = ArraySlice<Unicode.Scalar>

  /// The longest file that is read, in bytes: some ten thousand keys.
  static let byteCountMax = 256 << 10

  /// Reads a whole file.
  /// - Parameters:
  ///   - bytes: its bytes.
  ///   - file: its name for messages.
  init(_ bytes: [UInt8], file: String) {
    self.file = file
    guard bytes.count <= INIReader.byteCountMax else {
      problems.add(
        .tooLong(byteCount: bytes.count, limit: INIReader.byteCountMax),
        at: Place(file: file, line: 1, column: 1))
      return
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes[3...] : bytes[...]
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let isCRLF = line.last == UInt8(ascii: "\r")
      readLine(isCRLF ? line.dropLast() : line, number: index + 1)
    }
  }

  private mutating func readLine(_ bytes: ArraySlice<UInt8>, number: Int) {
    guard let scalars = decoded(bytes, number: number) else { return }
    let line = withoutComment(scalars[...])
    guard let first = line.first else { return }
    let place = Place(file: file, line: number, column: line.startIndex + 1)
    if first == "[" { readSection(line, at: place) } else { readKey(line, at: place) }
  }

  /// The characters of a line, or nil after an error.
  private mutating func decoded(_ bytes: ArraySlice<UInt8>, number: Int) -> [Unicode.Scalar]? {
    var scalars: [Unicode.Scalar] = []
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = bytes.startIndex
    while true {
      let place = Place(file: file, line: number, column: scalars.count + 1)
      switch parser.parseScalar(from: &iterator) {
      case .emptyInput: return scalars
      case .error:
        problems.add(.invalidUTF8(byte: bytes[offset]), at: place)
        return nil
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        guard scalar == "\t" || (scalar.value >= 0x20 && scalar.value != 0x7F) else {
          problems.add(.controlCharacter(code: scalar.value), at: place)
          return nil
        }
        offset += encoded.count
        scalars.append(scalar)
      }
    }
  }

  private mutating func readSection(_ line: Line, at place: Place) {
    state = .dropping
    guard let end = line.firstIndex(of: "]"), end == line.endIndex - 1 else {
      problems.add(.malformedSection(found: text(line)), at: place)
      return
    }
    let words = line[(line.startIndex + 1)..<end].split(whereSeparator: isBlank)
    let name = words.map(text).joined(separator: " ")
    guard !name.isEmpty else {
      problems.add(.malformedSection(found: text(line)), at: place)
      return
    }
    if let first = sectionLines[name] {
      problems.add(.duplicateSection(found: name, firstLine: first), at: place)
      return
    }
    sectionLines[name] = place.line
    keyLines = [:]
    sections.append(INISection(name: name, place: place))
    state = .inSection
  }

  private mutating func readKey(_ line: Line, at place: Place) {
    guard state != .dropping else { return }
    guard let sign = line.firstIndex(of: "=") else {
      problems.add(.unknownLine(found: text(line)), at: place)
      return
    }
    let key = text(trimmed(line[..<sign]))
    guard !key.isEmpty else {
      problems.add(.unknownLine(found: text(line)), at: place)
      return
    }
    guard state == .inSection else {
      problems.add(.keyOutsideSection(found: key), at: place)
      return
    }
    let value = trimmed(line[(sign + 1)...])
    let column = value.isEmpty ? sign + 2 : value.startIndex + 1
    if let first = keyLines[key] {
      problems.add(.duplicateKey(found: key, firstLine: first), at: place)
      return
    }
    keyLines[key] = place.line
    sections[sections.count - 1].entries.append(
      INIEntry(
        key: key, keyPlace: place, value: text(value),
        valuePlace: Place(file: file, line: place.line, column: column)))
  }

  /// A line without its comment and the white space around it.
  private func withoutComment(_ line: Line) -> Line {
    let start = trimmed(line)
    if start.first == "#" || start.first == ";" { return [] }
    let comment = start.indices.dropFirst().first { index in
      start[index] == "#" && isBlank(start[index - 1])
    }
    return trimmed(start[..<(comment ?? start.endIndex)])
  }

  private func trimmed(_ line: Line) -> Line {
    guard let first = line.firstIndex(where: { !isBlank($0) }),
      let last = line.lastIndex(where: { !isBlank($0) })
    else { return line[line.endIndex...] }
    return line[first...last]
  }

  private func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

  private func text(_ line: Line) -> String { String(String.UnicodeScalarView(line)) }
}
