import Controls

/// The edges that are still to come, in the order of their instants; those of one instant in the
/// order in which they were put in.
struct EdgeQueue {
  private var edges: [Edge] = []
  private var position = 0

  var first: Edge? { position < edges.count ? edges[position] : nil }

  /// Takes edges in. Most come after all others, so the place is looked for from the back.
  mutating func insert(_ new: [Edge]) {
    for edge in new {
      var index = edges.count
      while index > position && edges[index - 1].at > edge.at { index -= 1 }
      edges.insert(edge, at: index)
    }
  }

  mutating func removeFirst() {
    position += 1
    guard position == edges.count else { return }
    edges.removeAll(keepingCapacity: true)
    position = 0
  }
}
