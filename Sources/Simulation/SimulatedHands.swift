import Controls
import Ticks

/// A crown that a scenario turns: a hand in clean edges, as a good knob does.
///
/// Invariants:
/// - The knob stands where the edges so far have left it, also those of a wave.
/// - It is one knob: a turn that begins before the last one is over waits for it.
struct SimulatedHands {
  private let quartersPerDetent: Int
  private var a = Level.high
  private var b = Level.high
  private var freeAt = Instant.zero

  init(detentsPerCycle: DetentsPerCycle) {
    quartersPerDetent = 4 / detentsPerCycle.rawValue
  }

  /// The edges of so many detents. Each begins `every` after the one before, and its quarters are
  /// at most 5 ms apart, so that it is over before the next.
  mutating func turn(_ detents: Int, every: Span, from instant: Instant) -> [Edge] {
    let step = detents < 0 ? -1 : 1
    let widest = every.nanoseconds / Int64(quartersPerDetent + 1)
    // Whole microseconds, as every instant that a scenario can name.
    let quarterSpan = Span.microseconds(min(5_000, widest / 1_000))
    let begin = max(instant, freeAt)
    var edges: [Edge] = []
    for detent in 0..<abs(detents) {
      for index in 0..<quartersPerDetent {
        let at = begin + every * Int64(detent) + quarterSpan * Int64(index)
        edges.append(move(step, at: at))
        freeAt = at + quarterSpan
      }
    }
    return edges
  }

  mutating func moveClock(by span: Span) { freeAt = freeAt - span }

  /// The contacts are moved by a wave.
  mutating func follow(_ wave: [Edge]) {
    for edge in wave {
      switch edge.line {
      case .a: a = edge.level
      case .b: b = edge.level
      default: break
      }
    }
  }

  /// One quarter of a cycle. At rest both contacts are open; clockwise, A closes first:
  /// 11, 01, 00, 10. So A moves where the contacts are alike, and B where they differ.
  private mutating func move(_ step: Int, at instant: Instant) -> Edge {
    let isAlike = a == b
    if isAlike == (step > 0) {
      a = a == .high ? .low : .high
      return Edge(line: .a, level: a, at: instant)
    }
    b = b == .high ? .low : .high
    return Edge(line: .b, level: b, at: instant)
  }
}
