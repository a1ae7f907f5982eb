/// What a piece of the face is drawn for; FACES.md gives each its colour.
enum Ink: Equatable {
  /// The one large thing.
  case strong
  /// Names.
  case name
  /// All other words.
  case quiet
  /// What is alive: the ring.
  case ember
  /// The ring while it waits.
  case emberResting
  /// The ring's way still to go.
  case track
  /// What is wrong.
  case fault
}

/// The colours that a terminal has.
public enum Palette: Equatable, Sendable {
  /// None: shape alone tells.
  case none
  /// The sixteen that every colour terminal has.
  case sixteen
  /// Any (24 bits).
  case full

  /// The select-graphic-rendition parameters of an ink on black.
  func parameters(_ ink: Ink) -> String {
    switch self {
    case .none: ""
    case .sixteen: "0;40;" + Self.sixteen(ink)
    case .full: "0;48;2;0;0;0;38;2;" + Self.full(ink)
    }
  }

  /// What the empty cells are drawn with.
  var ground: String {
    switch self {
    case .none: ""
    case .sixteen: "0;40"
    case .full: "0;48;2;0;0;0"
    }
  }

  private static func sixteen(_ ink: Ink) -> String {
    switch ink {
    case .strong: "97"
    case .name: "37"
    case .quiet: "2;37"
    case .ember, .fault: "33"
    case .emberResting: "2;33"
    case .track: "90"
    }
  }

  // Warm white is #F4EDE4, ember #E8A25C, a fault #C9A227. The quiet words have 50 % of the white
  // instead of 38 %: less would miss the 4.5:1 of contrast that every text must have on black.
  private static func full(_ ink: Ink) -> String {
    switch ink {
    case .strong: "244;237;228"
    case .name: "146;142;137"
    case .quiet: "122;119;114"
    case .ember: "232;162;92"
    case .emberResting: "138;90;43"
    case .track: "58;56;54"
    case .fault: "201;162;39"
    }
  }
}

/// How the face is shown.
public enum FaceStyle: Equatable, Sendable {
  /// One plain line of text at each change, without any escape sequence.
  case plain
  /// Drawn in place.
  case drawn(Palette)

  /// The style for an output.
  /// - Parameters:
  ///   - isTerminal: whether the output is one.
  ///   - environment: gives a variable of the environment: `TERM`, `NO_COLOR` (any value but an
  ///     empty one means no colour, https://no-color.org), `COLORTERM`.
  public static func chosen(
    isTerminal: Bool, environment: (String) -> String?
  ) -> FaceStyle {
    guard isTerminal, let term = environment("TERM"), !term.isEmpty, term != "dumb" else {
      return .plain
    }
    if let refusal = environment("NO_COLOR"), !refusal.isEmpty { return .drawn(.none) }
    if term.hasPrefix("vt") { return .drawn(.none) }
    switch environment("COLORTERM") {
    case "truecolor", "24bit": return .drawn(.full)
    default: return .drawn(.sixteen)
    }
  }
}

/// One row of the face: pieces of text, each in its ink.
struct FaceRow: Equatable {
  private(set) var pieces: [(text: String, ink: Ink)] = []

  static let blank = FaceRow()

  init() {}

  init(_ text: String, _ ink: Ink) {
    append(text, ink)
  }

  mutating func append(_ text: String, _ ink: Ink) {
    if !text.isEmpty { pieces.append((text, ink)) }
  }

  var width: Int { pieces.reduce(0) { $0 + Cells.width($1.text) } }

  /// The row in the middle of so many columns, as the terminal takes it.
  func drawn(columns: Int, palette: Palette) -> String {
    let left = max(0, (columns - width) / 2)
    var line = String(repeating: " ", count: left)
    for piece in pieces {
      if palette != .none { line += "\u{1B}[\(palette.parameters(piece.ink))m" }
      line += piece.text
    }
    if palette != .none, !pieces.isEmpty { line += "\u{1B}[\(palette.ground)m" }
    return line + String(repeating: " ", count: max(0, columns - width - left))
  }

  static func == (left: FaceRow, right: FaceRow) -> Bool {
    left.pieces.elementsEqual(right.pieces) { $0.text == $1.text && $0.ink == $1.ink }
  }
}
