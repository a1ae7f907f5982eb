// Invariants:
// - Each millisecond that was sat is counted in one sit, however many sits hold it.
// - What a sit counts follows from the set of sits alone, never from the order in which they came.
// - A sit that shares nothing counts `durationSeconds`, to the second.

/// What each of an owner's sits counts, with the time that two of them share counted once.
///
/// Boxes that did not know of each other may each keep a sit of one and the same hour. Both stand
/// as they were sat, and the first stop wins: time that they share is counted in the sit that ended
/// first and, where two ended at one instant, in that of the lesser id. The other one counts what
/// is left of it, in whole seconds rounded down.
///
/// The time of a sit is what it is credited with, where it lies: from the beginning on, without
/// interruptions. So a pause takes nothing from whoever sat elsewhere meanwhile, nor does the time
/// at its end that nobody confirmed.
struct CountedSits {
  /// The sits that can count (`MeditationSession.isCounted`), the earliest first.
  let sessions: [MeditationSession]
  /// What each of them counts, in seconds; zero where others have all its time.
  private(set) var seconds: [Int64]
  /// What those count of whose time others have a part.
  private(set) var shortened: [Identity: Int64] = [:]

  /// Looks through sits in any order. It takes n log n steps for n sits and their interruptions,
  /// and n where the sits come in their order and no two of them share time.
  init(_ all: some Sequence<MeditationSession>) {
    let counted = all.filter(\.isCounted)
    let isOrdered = zip(counted, counted.dropFirst()).allSatisfy { $0.startDate <= $1.startDate }
    sessions = isOrdered ? counted : counted.sorted { $0.startDate < $1.startDate }
    seconds = sessions.map(\.durationSeconds)
    var first = 0
    var end = sessions.first?.endDate
    for index in sessions.indices.dropFirst() {
      if let last = end, sessions[index].startDate >= last {
        share(first..<index)
        first = index
        end = nil
      }
      end = max(end ?? sessions[index].endDate, sessions[index].endDate)
    }
    share(first..<sessions.count)
  }

  /// How many sits count.
  var count: Int { seconds.count { $0 > 0 } }

  /// The seconds that sits hold and others count.
  var sharedSeconds: Int64 {
    zip(sessions, seconds).reduce(0) { $0.addingOrMost($1.0.durationSeconds - $1.1) }
  }

  /// Shares out the time of sits of which each may overlap others.
  private mutating func share(_ range: Range<Int>) {
    guard range.count > 1 else { return }
    var pieces = FreePieces(range.map { sessions[$0].creditedStretches })
    let order = range.sorted { left, right in
      let (left, right) = (sessions[left], sessions[right])
      return (left.endDate, left.id) < (right.endDate, right.id)
    }
    for index in order {
      let (whole, left) = pieces.take(index - range.lowerBound)
      guard left < whole else { continue }
      seconds[index] = min(sessions[index].durationSeconds, left / 1_000)
      shortened[sessions[index].id] = seconds[index]
    }
  }
}

/// The time between all ends of stretches, piece by piece, and which pieces nobody has taken.
private struct FreePieces {
  private let stretches: [[Range<Int64>]]
  private let borders: [Int64]
  /// For each piece one at or behind it that may be free; the piece itself where it is. A piece
  /// begins at the border of its index, and the last border begins none that is ever taken.
  private var next: [Int]

  init(_ stretches: [[Range<Int64>]]) {
    self.stretches = stretches
    let all = stretches.joined().flatMap { [$0.lowerBound, $0.upperBound] }.sorted()
    borders = zip(all, all.dropFirst() + [.max]).compactMap { $0 == $1 ? nil : $0 }
    next = Array(borders.indices)
  }

  /// Takes all that is free of a sit's stretches.
  /// - Returns: how many milliseconds they have, and how many of them were free.
  mutating func take(_ sit: Int) -> (whole: Int64, free: Int64) {
    var (whole, free): (Int64, Int64) = (0, 0)
    for stretch in stretches[sit] {
      whole += stretch.upperBound - stretch.lowerBound
      var piece = firstFree(index(of: stretch.lowerBound))
      while borders[piece] < stretch.upperBound {
        free += borders[piece + 1] - borders[piece]
        next[piece] = piece + 1
        piece = firstFree(piece)
      }
    }
    return (whole, free)
  }

  private mutating func firstFree(_ start: Int) -> Int {
    var piece = start
    while next[piece] != piece {
      next[piece] = next[next[piece]]
      piece = next[piece]
    }
    return piece
  }

  /// The index of a border, by halving.
  private func index(of border: Int64) -> Int {
    var (low, high) = (0, borders.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if borders[middle] < border { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension MeditationSession {
  /// When it was sat, as far as it is credited, in milliseconds since 1970.
  fileprivate var creditedStretches: [Range<Int64>] {
    var stretches: [Range<Int64>] = []
    var left = durationSeconds * 1_000
    var from = startDate.milliseconds
    let breaks = interruptions.map { ($0.from.milliseconds, $0.to.milliseconds) }
    let end = (endDate.milliseconds, endDate.milliseconds)
    for (begun, over) in breaks.sorted(by: <) + [end] {
      let to = min(begun, end.0, from + left)
      if to > from {
        stretches.append(from..<to)
        left -= to - from
      }
      from = max(from, over)
    }
    return stretches
  }
}
