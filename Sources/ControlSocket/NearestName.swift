/// The right name that a misspelt one most probably means.
enum NearestName {
  /// The nearest of the names, the earlier one where two are as near; nil where none is near: more
  /// than a third of the letters would have to change.
  static func of(_ name: String, in names: [String]) -> String? {
    let scored = names.map { (name: $0, distance: distance(Array(name.utf8), Array($0.utf8))) }
    guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, max(name.utf8.count, best.name.utf8.count) / 3)
      ? best.name : nil
  }

  /// How many letters must be put in, left out, changed or swapped with their neighbour (optimal
  /// string alignment).
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    // A long word from outside is no misspelt name, and costs no time.
    guard left.count <= 64 else { return .max }
    var before: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var next = [row + 1]
      for (column, other) in right.enumerated() {
        var best = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1)
        best = min(best, next[column] + 1)
        let isSwap =
          row > 0 && column > 0 && letter == right[column - 1] && left[row - 1] == other
        next.append(isSwap ? min(best, before[column - 1] + 1) : best)
      }
      (before, last) = (last, next)
    }
    return last[right.count]
  }

  /// ` (did you mean "start"?)`, or nothing.
  static func hint(_ name: String, in names: [String]) -> String {
    of(name, in: names).map { "; did you mean \"\($0)\"?" } ?? ""
  }
}
