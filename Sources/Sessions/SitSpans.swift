/// When the sits of a store are, for the question whether one is there at a time. The store is
/// looked through once, for however many changes.
///
/// Invariants:
/// - The spans stand in the order of their beginning, and none is longer than `longest`.
/// - What cannot have been sat (`MeditationSession.impossibility`) is at no time.
struct SitSpans {
  private struct Span {
    var start: WallInstant
    var end: WallInstant
    var id: Identity
    var sourceDevice: MeditationSession.SourceDevice

    init(_ session: MeditationSession) {
      start = session.startDate
      end = session.endDate
      id = session.id
      sourceDevice = session.sourceDevice
    }
  }

  private var spans: [Span] = []
  /// In milliseconds.
  private var longest: Int64 = 0

  init(_ store: SessionStore) {
    let possible = store.sits.values.compactMap(\.session).filter { $0.impossibility == nil }
    spans = possible.map(Span.init).sorted { ($0.start, $0.id) < ($1.start, $1.id) }
    longest = spans.reduce(0) { max($0, $1.end.milliseconds - $1.start.milliseconds) }
  }

  mutating func insert(_ session: MeditationSession) {
    spans.insert(Span(session), at: firstIndex(from: session.startDate.milliseconds))
    longest = max(longest, session.endDate.milliseconds - session.startDate.milliseconds)
  }

  /// The earliest sit of the same source device that is there at the time of one; nil when there is
  /// none.
  func overlapped(by session: MeditationSession) -> Identity? {
    let first = firstIndex(from: session.startDate.milliseconds - longest)
    return spans[first...].lazy.prefix { $0.start < session.endDate }.first { span in
      session.startDate < span.end && span.id != session.id
        && span.sourceDevice == session.sourceDevice
    }?.id
  }

  /// The index of the first that begins then or later, by halving.
  private func firstIndex(from milliseconds: Int64) -> Int {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].start.milliseconds < milliseconds { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
