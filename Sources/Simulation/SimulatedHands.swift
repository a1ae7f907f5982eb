import Controls
import Ticks

/// A crown and buttons that a scenario moves: hands in clean edges, as a good knob does.
struct SimulatedHands {
  private let quartersPerDetent: Int
  private var quarter = 0

  init(detentsPerCycle: DetentsPerCycle) {
    quartersPerDetent = 4 / detentsPerCycle.rawValue
  }

  /// The edges of so many detents. Each begins `every` after the one before, and its quarters are
  /// at most 5 ms apart, so that it is over before the next.
  mutating func turn(_ detents: Int, every: Span, from instant: Instant) -> [Edge] {
    let step = detents < 0 ? -1 : 1
    let widest = every.nanoseconds / Int64(quartersPerDetent + 1)
    let quarterSpan = Span(nanoseconds: min(Span.milliseconds(5).nanoseconds, widest))
    var edges: [Edge] = []
    for detent in 0..<abs(detents) {
      for index in 0..<quartersPerDetent {
        let at = instant + every * Int64(detent) + quarterSpan * Int64(index)
        edges.append(move(step, at: at))
      }
    }
    return edges
  }

  /// One quarter of a cycle. At rest both contacts are open; clockwise, A closes first:
  /// 11, 01, 00, 10.
  private mutating func move(_ step: Int, at instant: Instant) -> Edge {
    let before = SimulatedHands.levels(quarter)
    quarter = (quarter + step + 4) % 4
    let after = SimulatedHands.levels(quarter)
    return before.a != after.a
      ? Edge(line: .a, level: after.a, at: instant) : Edge(line: .b, level: after.b, at: instant)
  }

  private static func levels(_ quarter: Int) -> (a: Level, b: Level) {
    let cycle: [(a: Level, b: Level)] = [
      (.high, .high), (.low, .high), (.low, .low), (.high, .low),
    ]
    return cycle[quarter]
  }
}
