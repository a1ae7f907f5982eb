import CGPIO
import Controls
import Ticks

// Invariants:
// - Edges are handed out by their stamps, across lines and across readings: no stamp is before one
//   that was handed out earlier. An edge that comes too late for that gets the latest stamp, and
//   its line counts as one with a gap.
// - A gap is told where edges may be missing, never where they cannot be.

/// What the library has counted of the edges of one request. The first library counts nothing.
struct EdgeCounts {
  // The number that the last edge had; nil: the next one may have any.
  private var lines: [UInt32?]
  private var request: UInt32?

  /// - Parameter isNew: whether the next edge is the request's first.
  init(isNew: Bool) {
    let start: UInt32? = isNew ? 0 : nil
    (lines, request) = ([start, start], start)
  }

  /// Counts a batch.
  /// - Returns: one bit for each line that may have lost edges.
  mutating func count(_ batch: ArraySlice<cgpio_edge>) -> UInt32 {
    guard let first = batch.first, first.edge_number != 0 else { return 0 }
    var lost: UInt32 = 0
    for edge in batch {
      let index = Int(edge.index)
      if let last = lines[index], edge.line_number != last &+ 1 { lost |= 1 << UInt32(index) }
      lines[index] = edge.line_number
    }
    // The queue may hold edges of two lines the other way round, so the newest need not be last.
    // The numbers wrap.
    let before = request ?? first.edge_number &- 1
    let advance = batch.map { Int32(bitPattern: $0.edge_number &- before) }.max() ?? 0
    // More numbers than edges: some are missing of a line that may have none in this batch.
    if request != nil, Int(advance) > batch.count { lost = ~0 }
    request = before &+ UInt32(max(advance, 0))
    return lost
  }
}

/// Edges of all lines on the way out.
struct EdgeMerge {
  private var edges: [(edge: Edge, order: UInt32)] = []
  private var latest = Instant.zero
  private var sleepOffset: Int64 = 0
  private(set) var gap = LineSet()

  /// Begins a reading.
  /// - Parameter sleepOffset: measures the boot-time clock less the monotonic one. It changes only
  ///   in sleep; a measurement that another process interrupted is wrong, and would change the
  ///   distance between edges. So only a change that shows three times is taken over.
  mutating func begin(sleepOffset measure: () -> Int64) {
    gap = []
    var measured = sleepOffset
    for _ in 0..<3 {
      measured = measure()
      if abs(measured - sleepOffset) < Span.milliseconds(1).nanoseconds { return }
    }
    sleepOffset = measured
  }

  mutating func add(gap lines: LineSet) { gap.formUnion(lines) }

  /// Adds an edge of the kernel's, unless it was before an instant.
  mutating func add(_ edge: cgpio_edge, of line: Line, since: Instant) {
    let at = Instant(nanoseconds: edge.monotonic_ns + sleepOffset)
    guard at >= since else { return }
    add(Edge(line: line, level: Level(isActive: edge.is_active != 0), at: at), edge.edge_number)
  }

  /// Adds an edge.
  /// - Parameter order: which of two edges with one stamp was first; lines without a common count
  ///   have none.
  mutating func add(_ edge: Edge, _ order: UInt32 = 0) {
    edges.append((edge, order))
  }

  /// Ends a reading: everything that was added, in order.
  mutating func take() -> [Edge] {
    // Sorting keeps what is equal in the order of reading.
    let sorted = edges.enumerated().sorted { left, right in
      (left.element.edge.at.nanoseconds, Int64(left.element.order), left.offset)
        < (right.element.edge.at.nanoseconds, Int64(right.element.order), right.offset)
    }.map(\.element.edge)
    edges = []
    return sorted.map { edge in
      var edge = edge
      if edge.at < latest {
        edge.at = latest
        gap.insert(LineSet(edge.line))
      }
      latest = edge.at
      return edge
    }
  }
}

extension Level {
  /// The level of a line that is pressed or closed (active), or at rest.
  init(isActive: Bool) {
    self = isActive ? .low : .high
  }
}

extension LevelReading {
  /// Adds lines of which some are active.
  mutating func add(_ lines: LineSet, active: LineSet) {
    self.lines.formUnion(lines)
    for line in lines.lines { levels[line] = Level(isActive: active.contains(line)) }
  }
}
