/// The candidate with the fewest single-character changes from a misspelt name, the first of
/// equals; nil where none is within two changes or a third of the name's length, whichever is more.
public func nearest(to name: String, among candidates: [String]) -> String? {
  // A long word from outside is no misspelt name, and costs no time.
  guard name.utf8.count <= 64 else { return nil }
  let limit = max(2, name.unicodeScalars.count / 3)
  var best: (name: String, distance: Int)?
  for candidate in candidates {
    let distance = editDistance(Array(name.unicodeScalars), Array(candidate.unicodeScalars))
    // A distance as long as the candidate shares no letter with it.
    guard distance <= limit, distance < candidate.unicodeScalars.count else { continue }
    if distance < (best?.distance ?? .max) { best = (candidate, distance) }
  }
  return best?.name
}

/// What follows a message about a misspelt name: `; did you mean "…"?`, or nothing.
public func suggestion(for name: String, among candidates: [String]) -> String {
  suggestion(nearest(to: name, among: candidates))
}

func suggestion(_ nearest: String?) -> String {
  nearest.map { "; did you mean \"\($0)\"?" } ?? ""
}

/// How many insertions, deletions and replacements lead from one to the other (Levenshtein), by one
/// row of the table at a time.
func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  var row = Array(0...right.count)
  for (index, scalar) in left.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in right.indices {
      let replaced = diagonal + (scalar == right[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
    }
  }
  return row[right.count]
}
