import Controls
import Ticks

/// How edges get lost between a line and whoever reads it.
public enum EdgeLoss: Equatable, Sendable {
  /// None is.
  case none
  /// So many in a hundred, and nobody is told.
  case percent(Int)
  /// The queue of the kernel's first interface: 16 edges a line, the newest dropped.
  case firstKernelQueue
  /// The queue of its second: 16 edges a line in one queue, the oldest dropped, and it can be told.
  case secondKernelQueue
}

/// When edges are read.
public enum EdgeReading: Equatable, Sendable {
  /// As they come.
  case prompt
  /// Every so often.
  case every(Span)
  /// Not for so long, and then as before.
  case stall(Span)
}

/// What a line is like.
public enum LineCondition: Equatable, Sendable {
  /// It follows the hand.
  case ok
  /// Another holds it, under this name.
  case busy(String)
  /// Its chip was unplugged.
  case gone
  /// It stays at this level, whatever the hand does.
  case stuck(Level)
  /// It changes by itself, some 4,000 times a second.
  case noise
}

/// What the lines tell the box.
enum LineNews {
  case edge(Edge)
  case missed(LineSet)
}

/// The lines of a simulated board: what the hand does to them, what the kernel queues of that, and
/// what is read of the queue.
///
/// Invariants:
/// - `levels` is true at every instant, whatever is lost of the edges.
/// - A line that is busy or gone tells nothing; a masked one is not queued.
/// - The queue holds edges in the order of their instants.
/// - While nobody has the lines they follow the hand, and nothing is queued.
struct SimulatedLines {
  private static let edgesPerLine = 16
  private static let noiseSpans = (least: Span.microseconds(150), spread: UInt64(200))

  /// The lines whose edges are not queued, since nobody listens.
  var masked: LineSet = []
  /// Whether nobody has the lines, or the machine that has them sleeps.
  var isDeaf = false
  /// The lines that changed meanwhile.
  private var movedUnheard: LineSet = []
  private var coming = EdgeQueue()
  private var queue: [Edge] = []
  /// Lines of which the second interface has dropped edges since the last reading.
  private var dropped: LineSet = []
  /// Lines whose queue was full under the first interface: edges may have been dropped.
  private var filled: LineSet = []
  private var hand = LineLevels.rest
  /// The levels now.
  private(set) var levels = LineLevels.rest
  private var conditions = [LineCondition](repeating: .ok, count: Line.allCases.count)
  private var noiseAt = [Instant?](repeating: nil, count: Line.allCases.count)
  private var loss = EdgeLoss.none
  private var every: Span?
  private var readAt = Instant.zero
  private var random: SeededGenerator

  /// Makes lines at rest.
  /// - Parameters:
  ///   - wired: the parts there are; others tell nothing.
  ///   - seed: what noise and losses are drawn from.
  init(wired: LineSet, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    for line in Line.allCases where !wired.contains(line) {
      conditions[Int(line.rawValue)] = .gone
    }
  }

  /// When a line changes, or the queue is read.
  var nextDeadline: Instant? {
    var next = nextChange
    if isReadWanted { next = min(next ?? readAt, readAt) }
    return next
  }

  mutating func insert(_ edges: [Edge]) {
    coming.insert(edges)
  }

  mutating func set(_ loss: EdgeLoss) {
    self.loss = loss
  }

  mutating func set(_ reading: EdgeReading, at now: Instant) {
    switch reading {
    case .prompt: (every, readAt) = (nil, now)
    case .every(let span): (every, readAt) = (span, now + span)
    case .stall(let span): readAt = now + span
    }
  }

  /// Sets a line's condition.
  /// - Returns: whether it could be read before, and whether it can be now.
  mutating func set(
    _ condition: LineCondition, of line: Line, at now: Instant
  ) -> (before: Bool, now: Bool) {
    let index = Int(line.rawValue)
    let before = isReadable(line)
    conditions[index] = condition
    noiseAt[index] = condition == .noise ? now : nil
    let level: Level
    switch condition {
    case .ok, .busy, .gone: level = hand[line]
    case .stuck(let stuck): level = stuck
    case .noise: level = levels[line]
    }
    if isReadable(line) && before { change(line, to: level, at: now) }
    levels[line] = level
    if !isReadable(line) { queue.removeAll { $0.line == line } }
    return (before, isReadable(line))
  }

  /// Whoever had the lines is gone, and with it what waited to be read.
  mutating func close() {
    (queue, dropped, filled, masked) = ([], [], [], [])
    isDeaf = true
  }

  /// Somebody has the lines again.
  /// - Returns: those that have changed meanwhile.
  mutating func hearAgain() -> LineSet {
    isDeaf = false
    defer { movedUnheard = [] }
    return movedUnheard
  }

  /// The boot clock begins anew, so much later than the last one.
  mutating func moveClock(by span: Span) {
    coming.moveClock(by: span)
    noiseAt = noiseAt.map { $0.map { $0 - span } }
    readAt = readAt - span
  }

  /// What is the matter with a line; nil for one that is well.
  func trouble(of line: Line) -> LineCondition? {
    let condition = conditions[Int(line.rawValue)]
    return condition == .ok ? nil : condition
  }

  /// Makes one thing happen that is due: a line changes, or an edge is read.
  /// - Returns: what is read; nil if only a line has changed.
  mutating func advance(to now: Instant) -> LineNews? {
    if let edge = coming.first, edge.at <= now {
      coming.removeFirst()
      hand[edge.line] = edge.level
      if conditions[Int(edge.line.rawValue)] == .ok { move(edge) }
      return isPrompt ? read(at: now) : nil
    }
    for line in Line.allCases {
      guard let at = noiseAt[Int(line.rawValue)], at <= now else { continue }
      let (least, spread) = SimulatedLines.noiseSpans
      noiseAt[Int(line.rawValue)] = at + least + .microseconds(Int64(random.below(spread)))
      move(Edge(line: line, level: levels[line] == .low ? .high : .low, at: at))
      return isPrompt ? read(at: now) : nil
    }
    return read(at: now)
  }

  /// The edge of an earlier instant that `advance` will read next, if it will read one.
  func lateEdge(at now: Instant) -> Edge? {
    guard dropped.isEmpty, readAt <= now, let edge = queue.first, edge.at < now else { return nil }
    let isChangeFirst = nextChange.map { $0 <= now } ?? false
    return isChangeFirst ? nil : edge
  }

  /// When a line changes next.
  private var nextChange: Instant? {
    var next = coming.first?.at
    for case let at? in noiseAt { next = min(next ?? at, at) }
    return next
  }

  /// The levels of some lines, without those of which edges are still to be read.
  func reading(of lines: LineSet, at now: Instant) -> LevelReading {
    var known = lines
    for line in lines.lines where !isReadable(line) { known.remove(LineSet(line)) }
    for edge in queue { known.remove(LineSet(edge.line)) }
    for edge in coming.due(at: now) { known.remove(LineSet(edge.line)) }
    return LevelReading(lines: known, levels: levels, at: now)
  }

  private var isPrompt: Bool { every == nil }
  private var isReadWanted: Bool { !queue.isEmpty || !dropped.isEmpty || !filled.isEmpty }

  private func isReadable(_ line: Line) -> Bool {
    switch conditions[Int(line.rawValue)] {
    case .busy, .gone: false
    case .ok, .stuck, .noise: true
    }
  }

  private mutating func change(_ line: Line, to level: Level, at now: Instant) {
    if levels[line] != level { move(Edge(line: line, level: level, at: now)) }
  }

  /// A line changes, or tells its level once more: its edge is queued, if the kernel has room.
  private mutating func move(_ edge: Edge) {
    levels[edge.line] = edge.level
    if isDeaf { movedUnheard.insert(LineSet(edge.line)) }
    if isDeaf || masked.contains(edge.line) { return }
    if let every, !isReadWanted, readAt < edge.at {
      let missed = (edge.at - readAt).nanoseconds + every.nanoseconds - 1
      readAt += every * (missed / every.nanoseconds)
    }
    switch loss {
    case .none: queue.append(edge)
    case .percent(let percent):
      if random.below(100) >= UInt64(percent) { queue.append(edge) }
    case .firstKernelQueue:
      let waiting = queue.count { $0.line == edge.line }
      if waiting < SimulatedLines.edgesPerLine { queue.append(edge) }
      if waiting + 1 >= SimulatedLines.edgesPerLine { filled.insert(LineSet(edge.line)) }
    case .secondKernelQueue:
      queue.append(edge)
      if queue.count > SimulatedLines.edgesPerLine * Line.allCases.count {
        dropped.insert(LineSet(queue.removeFirst().line))
      }
    }
  }

  /// Reads one edge, or what the interface tells of those it dropped. A reader that comes every so
  /// often reads all there is at its instant.
  private mutating func read(at now: Instant) -> LineNews? {
    guard isReadWanted, readAt <= now else { return nil }
    if !dropped.isEmpty {
      defer { dropped = [] }
      return .missed(dropped)
    }
    if queue.isEmpty {
      defer { filled = [] }
      return .missed(filled)
    }
    return .edge(queue.removeFirst())
  }
}
