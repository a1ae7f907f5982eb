/// What a hand at the keyboard did.
public enum Key: Equatable, Sendable {
  /// One step of the knob; clockwise is 1, the other way -1.
  case turn(Int)
  /// A byte of the press key. Whether and how long it is held is not told.
  case press
  /// The press key went down, and its release will be told.
  case pressDown
  /// The press key was released.
  case pressUp
  /// The end is wanted.
  case quit
}

/// Turns a terminal's bytes into keys, across reads that end in the middle of a sequence.
///
/// It never keeps more than 64 bytes: a longer sequence is no key and is dropped. What is pasted is
/// ignored, and so is everything it does not know. A lone escape means nothing, and the key after
/// it counts.
public struct KeyReader: Sendable {
  private enum Place: Equatable {
    case ground
    case escape
    case control([UInt8])
    case singleShift
    /// In a terminal's answer (OSC, DCS, APC), up to its end.
    case answer(afterEscape: Bool)
    /// In the three bytes of a mouse report of the old form.
    case oldMouse([UInt8])
  }

  private var place = Place.ground
  private var isPasting = false
  private static let sequenceLimit = 64

  /// Makes a reader that has read nothing.
  public init() {}

  /// The keys that these bytes complete, in order.
  public mutating func read(_ bytes: [UInt8]) -> [Key] {
    bytes.compactMap { read($0) }
  }

  private mutating func read(_ byte: UInt8) -> Key? {
    switch place {
    case .ground: return readGround(byte)
    case .escape: return readEscape(byte)
    case .control(let before): return readControl(byte, before)
    case .singleShift:
      place = .ground
      return isPasting ? nil : Self.arrow(byte)
    case .answer(let afterEscape):
      let ends = byte == 0x07 || byte == 0x18 || (afterEscape && byte == UInt8(ascii: "\\"))
      place = ends ? .ground : .answer(afterEscape: byte == 0x1B)
      return nil
    case .oldMouse(let before):
      let report = before + [byte]
      place = report.count < 3 ? .oldMouse(report) : .ground
      return report.count < 3 ? nil : Self.wheel(Int(report[0]) - 32)
    }
  }

  private mutating func readGround(_ byte: UInt8) -> Key? {
    if byte == 0x1B {
      place = .escape
      return nil
    }
    if isPasting { return nil }
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\r"), UInt8(ascii: "\n"): return .press
    case UInt8(ascii: "q"), 0x03: return .quit
    default: return nil
    }
  }

  private mutating func readEscape(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "["): place = .control([])
    case UInt8(ascii: "O"): place = .singleShift
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"):
      place = .answer(afterEscape: false)
    default:
      place = .ground
      return readGround(byte)
    }
    return nil
  }

  private mutating func readControl(_ byte: UInt8, _ before: [UInt8]) -> Key? {
    switch byte {
    case 0x20...0x3F:
      place = before.count < Self.sequenceLimit ? .control(before + [byte]) : .ground
      return nil
    case 0x40...0x7E:
      place = .ground
      return finish(byte, before)
    default:
      // No byte of a sequence: it is broken off, and the byte begins anew.
      place = .ground
      return readGround(byte)
    }
  }

  private mutating func finish(_ last: UInt8, _ parameters: [UInt8]) -> Key? {
    let text = String(decoding: parameters, as: UTF8.self)
    if last == UInt8(ascii: "~"), text == "200" || text == "201" {
      isPasting = text == "200"
      return nil
    }
    if isPasting { return nil }
    if last == UInt8(ascii: "M"), text.isEmpty {
      place = .oldMouse([])
      return nil
    }
    if text.hasPrefix("<") {
      let button = text.dropFirst().split(separator: ";").first.flatMap { Int($0) }
      return last == UInt8(ascii: "M") ? button.flatMap { Self.wheel($0) } : nil
    }
    let report = Report(text)
    if last == UInt8(ascii: "u") { return Self.key(report) }
    return report.isRelease ? nil : Self.arrow(last)
  }

  private static func arrow(_ last: UInt8) -> Key? {
    switch last {
    case UInt8(ascii: "C"): .turn(1)
    case UInt8(ascii: "D"): .turn(-1)
    case UInt8(ascii: "M"): .press  // enter on a keypad in application mode
    default: nil
    }
  }

  /// The wheel's two buttons, whatever modifiers are held (the bits of 4, 8 and 16).
  private static func wheel(_ button: Int) -> Key? {
    switch button & ~0b11100 {
    case 64: .turn(1)
    case 65: .turn(-1)
    default: nil
    }
  }

  /// A key by its code: 32 space, 13 enter, 57414 enter on the keypad, 113 q, 99 c.
  private static func key(_ report: Report) -> Key? {
    switch report.code {
    case 32, 13, 57_414:
      report.isRelease ? .pressUp : report.isRepeat ? nil : .pressDown
    case 113: report.isRelease || report.hasControl ? nil : .quit
    case 99: !report.isRelease && report.hasControl ? .quit : nil
    default: nil
    }
  }

  /// `code:…;modifiers:event;…`, as the kitty keyboard protocol and xterm's modified keys have it.
  private struct Report {
    var code = 1
    var hasControl = false
    var event = 1

    var isRepeat: Bool { event == 2 }
    var isRelease: Bool { event == 3 }

    init(_ text: String) {
      let fields = text.split(separator: ";", omittingEmptySubsequences: false).map {
        $0.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
      }
      if let first = fields.first, let value = first.first ?? nil { code = value }
      guard fields.count > 1 else { return }
      if let value = fields[1].first ?? nil { hasControl = value > 0 && (value - 1) & 4 != 0 }
      if fields[1].count > 1, let value = fields[1][1] { event = value }
    }
  }
}
