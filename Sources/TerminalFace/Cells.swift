/// How much room text takes in a terminal.
enum Cells {
  /// Scalars that take two cells: East Asian wide and full width, and pictures (Unicode's
  /// EastAsianWidth.txt, classes W and F, joined where only unassigned ones lie between).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x2E80...0x303E,
    0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
    0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
  ]

  /// Scalars that take none: marks on the letter before, joiners, variation selectors.
  private static let empty: [ClosedRange<UInt32>] = [
    0x0300...0x036F, 0x1160...0x11FF, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F,
    0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFEFF...0xFEFF,
  ]

  /// The cells that one scalar takes.
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    if empty.contains(where: { $0.contains(scalar.value) }) { return 0 }
    return wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// The cells that a text takes. Each scalar counts for itself, as most terminals count: a joined
  /// picture may then take less than this, never more.
  static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  /// A text without control characters: a name from outside must not steer the terminal.
  static func clean(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars
    where scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
      && !(0x2028...0x2029).contains(scalar.value)
    {
      kept.append(scalar)
    }
    return String(kept)
  }

  /// A text cut to a width, its end then marked by an ellipsis.
  static func cut(_ text: String, to limit: Int) -> String {
    guard width(text) > limit else { return text }
    guard limit > 0 else { return "" }
    var kept = ""
    var used = 0
    for character in text {
      let next = width(String(character))
      if used + next > limit - 1 { break }
      kept.append(character)
      used += next
    }
    while kept.last == " " { kept.removeLast() }
    return kept + "…"
  }
}
