/// Large digits from half blocks.
///
/// A glyph is a picture of 8 rows; scaled up, its bends are rounded, so that the large ones look
/// drawn and not magnified. All digits have one width: nothing moves when they change.
enum Digits {
  /// Rows of a glyph; two make one row of cells.
  private static let height = 8

  private static let glyphs: [Character: [String]] = [
    "0": [".###.", "#...#", "#...#", "#...#", "#...#", "#...#", "#...#", ".###."],
    "1": ["..#..", ".##..", "..#..", "..#..", "..#..", "..#..", "..#..", ".###."],
    "2": [".###.", "#...#", "....#", "...#.", "..#..", ".#...", "#....", "#####"],
    "3": [".###.", "#...#", "....#", "..##.", "....#", "....#", "#...#", ".###."],
    "4": ["...#.", "..##.", ".#.#.", "#..#.", "#..#.", "#####", "...#.", "...#."],
    "5": ["#####", "#....", "#....", "####.", "....#", "....#", "#...#", ".###."],
    "6": [".###.", "#...#", "#....", "####.", "#...#", "#...#", "#...#", ".###."],
    "7": ["#####", "....#", "...#.", "...#.", "..#..", "..#..", "..#..", "..#.."],
    "8": [".###.", "#...#", "#...#", ".###.", "#...#", "#...#", "#...#", ".###."],
    "9": [".###.", "#...#", "#...#", "#...#", ".####", "....#", "#...#", ".###."],
    ":": [".", ".", "#", ".", ".", "#", ".", "."],
    "+": ["...", "...", "...", ".#.", "###", ".#.", "...", "..."],
  ]

  /// Rows of cells that a text takes at a scale.
  static func rows(scale: Int) -> Int { height * scale / 2 }

  /// Cells in a row that a text takes at a scale.
  static func width(_ text: String, scale: Int) -> Int {
    let widths = text.compactMap { glyphs[$0]?[0].count }
    return (widths.reduce(0, +) + max(0, widths.count - 1)) * scale
  }

  /// A text of digits, colons and a plus sign as rows of half blocks.
  static func draw(_ text: String, scale: Int) -> [String] {
    let picture = Picture(text.compactMap { glyphs[$0] }, height: height)
    return stride(from: 0, to: height * scale, by: 2).map { row in
      var line = ""
      for column in 0..<(picture.width * scale) {
        let upper = picture.isSet(column: column, row: row, scale: scale)
        let lower = picture.isSet(column: column, row: row + 1, scale: scale)
        line.append(upper ? (lower ? "█" : "▀") : (lower ? "▄" : " "))
      }
      return line
    }
  }

  /// Glyphs beside each other with a dot between.
  private struct Picture {
    let width: Int
    private let rows: [[Bool]]

    init(_ glyphs: [[String]], height: Int) {
      let rows = (0..<height).map { row in
        Array(glyphs.map { $0[row] }.joined(separator: ".")).map { $0 == "#" }
      }
      self.rows = rows
      width = rows[0].count
    }

    private func isSet(_ column: Int, _ row: Int) -> Bool {
      rows.indices.contains(row) && rows[row].indices.contains(column) && rows[row][column]
    }

    /// Whether a dot of the scaled picture is set: its source dot, but round where lines bend.
    ///
    /// In a corner of its source dot it is cleared where the dot is the outside of a bend, and set
    /// where it is the inside of one.
    func isSet(column: Int, row: Int, scale: Int) -> Bool {
      let (x, y) = (column / scale, row / scale)
      let (left, up) = (column % scale, row % scale)
      let (right, down) = (scale - 1 - left, scale - 1 - up)
      let isHere = isSet(x, y)
      guard (min(left, right) + min(up, down)) * 2 < scale, scale > 1 else { return isHere }
      let (sideways, upwards) = (left < right ? -1 : 1, up < down ? -1 : 1)
      let isBeside = isSet(x + sideways, y)
      let isAbove = isSet(x, y + upwards)
      if isHere {
        let isBend = isSet(x - sideways, y) && isSet(x, y - upwards)
        return !(isBend && !isBeside && !isAbove)
      }
      return isBeside && isAbove
    }
  }
}
