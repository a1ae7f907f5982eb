import Ticks

// Which stretch of the sit is on. While preparing it is the first; past the end, the last.

extension TimerMachine {
  /// The position of the segment in the plan; nil in idle and in a sit of one stretch.
  /// - Parameter instant: not before the last handled instant. At a border the later one is on.
  public func segmentIndex(at instant: Instant) -> Int? {
    guard let plan, !plan.segments.isEmpty else { return nil }
    return marks.borders.count(before: elapsed(at: instant) + Span(nanoseconds: 1))
  }

  /// The segment; nil in idle and in a sit of one stretch.
  /// - Parameter instant: as for `segmentIndex(at:)`.
  public func segment(at instant: Instant) -> Segment? {
    segmentIndex(at: instant).map { sit.plan.segments[$0] }
  }

  /// Time since the segment began, pauses left out; of a sit of one stretch, since it began.
  /// - Parameter instant: as for `segmentIndex(at:)`.
  public func segmentElapsed(at instant: Instant) -> Span {
    let elapsed = elapsed(at: instant)
    guard let index = segmentIndex(at: instant), index > 0 else { return elapsed }
    return elapsed - marks.borders[index - 1]
  }

  /// Time to the end of the segment, zero past the sit's end; of a sit of one stretch, to its end.
  /// Nil where there is no end, and while preparing.
  /// - Parameter instant: as for `segmentIndex(at:)`.
  public func segmentRemaining(at instant: Instant) -> Span? {
    guard phase != .preparing else { return nil }
    guard let index = segmentIndex(at: instant), index < marks.borders.count else {
      return remaining(at: instant)
    }
    return marks.borders[index] - elapsed(at: instant)
  }
}
