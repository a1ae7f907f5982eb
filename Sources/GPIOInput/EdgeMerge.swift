import CGPIO
import Controls
import LinuxIO
import Ticks

// Invariants:
// - Edges are handed out by their stamps, across lines and across readings: no stamp is before one
//   that was handed out earlier. An edge that comes too late for that gets the latest stamp, and
//   its line counts as one with a gap.
// - A gap is told where edges may be missing, never where they cannot be.

/// What the library has counted of the edges of one request. The first library counts nothing.
///
/// The kernel numbers an edge when it happens and queues it later, so that of two lines' edges the
/// newer may be queued first, and its batch may be read before the older is there. A line has no
/// more than one edge on its way, and a request two lines: one number may come with the next batch.
struct EdgeCounts {
  // The number that the last edge had; nil: the next one may have any.
  private var lines: [UInt32?]
  // The highest number so far.
  private var request: UInt32?
  // The number below it that is still to come.
  private var late: UInt32?

  /// - Parameter isNew: whether the next edge is the request's first.
  init(isNew: Bool) {
    let start: UInt32? = isNew ? 0 : nil
    (lines, request) = ([start, start], start)
  }

  /// Counts a batch.
  /// - Parameter isFull: the queue may have been full, and edges thrown away.
  /// - Returns: one bit for each line that may have lost edges.
  mutating func count(_ batch: ArraySlice<cgpio_edge>, isFull: Bool) -> UInt32 {
    guard let first = batch.first else { return 0 }
    // Without numbers every full queue is under suspicion. It is that of one line.
    if first.edge_number == 0 { return isFull ? 1 << UInt32(first.index) : 0 }
    var lost: UInt32 = 0
    for edge in batch {
      let index = Int(edge.index)
      if let last = lines[index], edge.line_number != last &+ 1 { lost |= 1 << UInt32(index) }
      lines[index] = edge.line_number
    }
    return hasHole(batch, isFull: isFull) ? ~0 : lost
  }

  /// Whether numbers are missing, maybe of a line that has no edge in this batch.
  private mutating func hasHole(_ batch: ArraySlice<cgpio_edge>, isFull: Bool) -> Bool {
    var isMissing = false
    let overdue = late
    // The numbers wrap.
    let numbers = batch.map(\.edge_number).sorted { Int32(bitPattern: $0 &- $1) < 0 }
    var highest = request ?? numbers[0] &- 1
    for number in numbers {
      if number == late { late = nil }
      let skipped = Int32(bitPattern: number &- highest) - 1
      if skipped < 0 { continue }
      if skipped == 1, late == nil, !isFull {
        late = highest &+ 1
      } else if skipped > 0 {
        isMissing = true
      }
      highest = number
    }
    request = highest
    if late == nil || late != overdue { return isMissing }
    late = nil
    return true
  }
}

/// Edges of all lines on the way out.
struct EdgeMerge {
  private var edges: [(edge: Edge, order: UInt32)] = []
  private var latest = Instant.zero
  private var offset = SleepOffset()
  private(set) var gap = LineSet()

  /// Begins a reading.
  mutating func begin() {
    gap = []
    offset.update { Clock.bootTime(ofMonotonic: 0) - .zero }
  }

  mutating func add(gap lines: LineSet) { gap.formUnion(lines) }

  /// Adds an edge of the kernel's, unless it was before an instant.
  mutating func add(_ edge: cgpio_edge, of line: Line, since: Instant) {
    let at = Instant(nanoseconds: edge.monotonic_ns) + offset.span
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
