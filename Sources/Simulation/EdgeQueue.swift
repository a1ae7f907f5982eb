import Controls
import Ticks

/// The edges that are still to come, in the order of their instants; those of one instant in the
/// order in which they were put in.
struct EdgeQueue {
  private var edges: [(edge: Edge, number: Int)] = []
  private var position = 0
  private var nextNumber = 0

  var first: Edge? { position < edges.count ? edges[position].edge : nil }

  /// The edges of an instant or before that are still to come.
  func due(at now: Instant) -> some Sequence<Edge> {
    edges[position...].lazy.map(\.edge).prefix { $0.at <= now }
  }

  /// Takes edges in. Most come in order and after all others; only where they do not are they
  /// sorted, so that two long waves at once cost no more than one.
  mutating func insert(_ new: [Edge]) {
    var isInOrder = true
    for edge in new {
      if position < edges.count, let last = edges.last, last.edge.at > edge.at { isInOrder = false }
      edges.append((edge, nextNumber))
      nextNumber += 1
    }
    if isInOrder { return }
    edges[position...].sort { ($0.edge.at, $0.number) < ($1.edge.at, $1.number) }
  }

  mutating func moveClock(by span: Span) {
    for index in edges.indices { edges[index].edge.at = edges[index].edge.at - span }
  }

  mutating func removeFirst() {
    position += 1
    guard position == edges.count else { return }
    edges.removeAll(keepingCapacity: true)
    position = 0
  }
}
