import Box

/// The box's face in characters (FACES, "Terminal face"): one large thing, everything else quiet.
///
/// It only says what is to be written; it writes nothing itself.
///
/// - No line is wider than the terminal.
/// - Nothing changes but what the state changed, so a running sit redraws once a second.
/// - What `enter` turns on, `leave` turns off.
public enum Face {
  // The fewest cells in which digits, ring, names, a fault and help stand under each other.
  private static let leastColumns = 30
  private static let leastRows = 10

  /// The face as one string a row, the first row first.
  /// - Parameter palette: the colours; with `none` the strings hold no escape sequence.
  /// - Returns: exactly `rows` strings, each padded to `columns` cells, so that drawing one row
  ///   over another needs no erasing, which would flicker.
  public static func lines(
    _ state: StateLine, columns: Int, rows: Int, palette: Palette
  ) -> [String] {
    guard columns > 0, rows > 0 else { return [] }
    var face = [FaceRow](repeating: .blank, count: rows)
    if state.panel.blackout {
      // Dark by choice: nothing at all is shown.
    } else if columns < leastColumns || rows < leastRows {
      face[(rows - 1) / 2] = FaceRow(Cells.cut(shortLine(state), to: columns), .strong)
    } else {
      arrange(state, columns, into: &face)
    }
    return face.map { $0.drawn(columns: columns, palette: palette) }
  }

  /// The bytes that change the screen from one face to the next; only rows that differ are drawn.
  /// - Parameter previous: what the screen shows; nil draws everything anew, as after a resize.
  public static func frame(_ lines: [String], after previous: [String]?, palette: Palette)
    -> [UInt8]
  {
    let ground = palette == .none ? "" : "\u{1B}[\(palette.ground)m"
    var text = ""
    if previous?.count != lines.count { text += ground + "\u{1B}[2J" }
    for (row, line) in lines.enumerated() {
      if let previous, previous.count == lines.count, previous[row] == line { continue }
      text += "\u{1B}[\(row + 1);1H\(ground)\(line)"
    }
    return Array(text.utf8)
  }

  /// Written before the first frame: the alternate screen, no cursor, no wrapping, wheel and paste
  /// told apart from keys, and, where the terminal knows how, the release of keys
  /// (https://sw.kovidgoyal.net/kitty/keyboard-protocol: 1 and 8 make space and enter sequences of
  /// their own, without which 2 tells no release of them).
  public static let enter: [UInt8] = Array(
    "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[>11u".utf8)

  /// Written last: undoes `enter`, in the opposite order.
  public static let leave: [UInt8] = Array(
    "\u{1B}[<u\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
      .utf8)

  /// The state in one plain line, for an output that is no terminal. It holds no running figure:
  /// written when it differs from the last one, it is one line a change and not one a second.
  public static func plainLine(_ state: StateLine) -> String {
    let isHeld = ["paused", "ended"].contains(state.phase)
    return line(state, progress: isHeld ? FaceWords.progress(state) : nil)
  }

  /// The same for who asks once, with what is left of a sit that is on.
  public static func statusLine(_ state: StateLine) -> String {
    line(state, progress: FaceWords.progress(state))
  }

  private static func line(_ state: StateLine, progress: String?) -> String {
    let parts = [FaceWords.phase(state), progress, FaceWords.names(state, columns: .max)]
    return (parts.compactMap { $0 } + FaceWords.faults(state)).joined(separator: " · ")
  }

  private static func shortLine(_ state: StateLine) -> String {
    let parts = [FaceWords.time(state), FaceWords.phase(state)] + FaceWords.faults(state)
    return (parts + ["volume \(state.volume)"]).joined(separator: " · ")
  }

  /// Places everything: help at the foot, the rest around the middle of what is above it.
  private static func arrange(_ state: StateLine, _ columns: Int, into face: inout [FaceRow]) {
    let foot = face.count >= 14 ? face.count - 2 : face.count - 1
    face[foot] = FaceRow(
      FaceWords.help(state, columns: columns), state.panel.dialog == nil ? .quiet : .ember)
    let digits = time(state, columns, rows: face.count)
    let names = FaceRow(FaceWords.names(state, columns: columns), .quiet)
    // Beside the digits: phase, ring and names, and at least one row for a fault or for air.
    let spare = foot - digits.count - 3
    let faults = faultRows(state, columns, limit: max(1, spare / 2))
    var air = foot - digits.count - 3 - faults.count
    func takeAir(_ wanted: Int) -> [FaceRow] {
      let taken = min(wanted, max(0, air))
      air -= taken
      return [FaceRow](repeating: .blank, count: taken)
    }
    let overRing = takeAir(1) + takeAir(face.count >= 20 ? 1 : 0)
    let underRing = takeAir(1)
    let overDigits = takeAir(face.count >= 20 ? 2 : 1)
    let overFaults = faults.isEmpty ? [] : takeAir(1)
    var block = [FaceRow(Cells.cut(FaceWords.phase(state), to: columns), .name)]
    block += overDigits + digits + overRing
    block += [ring(state, columns)] + underRing + [names] + overFaults + faults
    let top = max(0, (foot - block.count) / 2)
    for (offset, row) in block.enumerated() where top + offset < foot {
      face[top + offset] = row
    }
  }

  /// The large figure, as large as a third of the height and nine tenths of the width allow.
  private static func time(_ state: StateLine, _ columns: Int, rows: Int) -> [FaceRow] {
    let widest = FaceWords.widestTime(state)
    func fits(_ scale: Int) -> Bool {
      Digits.rows(scale: scale) * 3 <= rows
        && Digits.width(widest, scale: scale) * 10 <= columns * 9
    }
    let scale = stride(from: 6, through: 2, by: -1).first(where: fits) ?? 1
    let text = FaceWords.time(state)
    guard Digits.width(text, scale: scale) <= columns else {
      return [.blank, FaceRow(Cells.cut(text, to: columns), .strong), .blank]
    }
    return Digits.draw(text, scale: scale).map { FaceRow($0, .strong) }
  }

  /// The ring, unrolled: what has passed is heavy, what is to come is light; the borders of
  /// segments are gaps in it, and interval bells are dots on it.
  private static func ring(_ state: StateLine, _ columns: Int) -> FaceRow {
    guard let planned = FaceWords.planned(state).map({ max(1, $0) }) else { return .blank }
    let width = max(10, min(columns * 3 / 5, 64))
    let passed = state.phase == "idle" ? 0 : state.remainingSeconds.map { planned - $0 } ?? planned
    let isOver = state.phase == "overtime" || state.phase == "ended"
    let halves = isOver ? width * 2 : Int(max(0, min(planned, passed)) * Int64(width) * 2 / planned)
    func cells(_ seconds: [Int64]) -> [Int] {
      seconds.filter { $0 > 0 && $0 < planned }.map { Int($0 * Int64(width) / planned) }
    }
    let dots = cells(state.panel.intervals)
    let gaps = cells(FaceWords.borders(state))
    let ink = state.phase == "running" || state.phase == "overtime" ? Ink.ember : .emberResting
    var row = FaceRow()
    for cell in 0..<width {
      let isPassed = halves >= cell * 2 + 2
      let isHalf = halves == cell * 2 + 1
      let isBell = dots.contains(cell)
      let mark =
        gaps.contains(cell) ? " " : isBell ? "•" : isPassed ? "━" : isHalf ? "╾" : "─"
      row.append(mark, isPassed || isHalf ? ink : isBell ? .quiet : .track)
    }
    return row
  }

  private static func faultRows(_ state: StateLine, _ columns: Int, limit: Int) -> [FaceRow] {
    let faults = FaceWords.faults(state)
    guard faults.count > limit else {
      return faults.map { FaceRow(Cells.cut($0, to: columns), .fault) }
    }
    // The last line that there is room for also says how many more there are.
    let more = " +\(faults.count - limit)"
    var rows = faults.prefix(limit - 1).map { FaceRow(Cells.cut($0, to: columns), .fault) }
    rows.append(
      FaceRow(Cells.cut(faults[limit - 1], to: columns - Cells.width(more)) + more, .fault))
    return rows
  }
}
