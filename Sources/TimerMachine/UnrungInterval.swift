import Ticks

/// An interval bell of a plan that a sit of some length never rings.
///
/// This is the one place that decides it: a programme whose length is known is refused for it, and
/// a sit whose length is chosen as it is begun goes without that bell, as `timerbox plan` says.
public struct UnrungInterval: Equatable, Sendable {
  /// What of the plan it is; a number is a place in the plan's list.
  public enum Part: Equatable, Sendable {
    /// The bell after each span.
    case every
    /// A bell at a part of the length.
    case fraction(Int)
    /// A bell at a span after the start.
    case at(Int)
    /// A bell at a span before the end.
    case fromEnd(Int)
    /// The bells at random.
    case random
  }

  /// Why it never rings.
  public enum Reason: Equatable, Sendable {
    /// It counts by the length, and an open sit has none.
    case noLength
    /// It comes less than a tick after the start, or before it.
    case beforeStart
    /// It comes less than a tick before the end, or after it.
    case afterEnd
    /// It comes with the bell of the border between two segments, which lies so long after the
    /// start.
    case onBorder(Span)
    /// There are more than the window has room for; so many fit.
    case noRoom(Int64)
  }

  /// What it is.
  public let part: Part
  /// Why it does not ring.
  public let reason: Reason

  /// Puts both together.
  public init(part: Part, reason: Reason) {
    self.part = part
    self.reason = reason
  }
}

extension SitPlan {
  /// The interval bells that a sit never rings, whatever limit `count` sets; in the order of the
  /// plan's parts. One that comes with another interval bell rings as that.
  /// - Parameter length: how long the sit is; nil for an open one.
  public func unrungIntervals(length: Span?) -> [UnrungInterval] {
    let intervals = intervals
    var unrung: [UnrungInterval] = []
    func judge(_ part: UnrungInterval.Part, _ set: (inout IntervalPlan) -> Void) {
      var alone = IntervalPlan()
      set(&alone)
      guard let reason = silence(of: alone, length: length) else { return }
      unrung.append(UnrungInterval(part: part, reason: reason))
    }
    if let every = intervals.every { judge(.every) { $0.every = every } }
    for (place, fraction) in intervals.fractions.enumerated() {
      judge(.fraction(place)) { $0.fractions = [fraction] }
    }
    for (place, span) in intervals.at.enumerated() { judge(.at(place)) { $0.at = [span] } }
    for (place, span) in intervals.fromEnd.enumerated() {
      judge(.fromEnd(place)) { $0.fromEnd = [span] }
    }
    if intervals.random > 0, let reason = silenceOfRandom(length: length) {
      unrung.append(UnrungInterval(part: .random, reason: reason))
    }
    return unrung
  }

  /// Why a single bell does not ring; nil where it does.
  private func silence(of alone: IntervalPlan, length: Span?) -> UnrungInterval.Reason? {
    let isCounted = !alone.fractions.isEmpty || !alone.fromEnd.isEmpty
    if length == nil && isCounted { return .noLength }
    var plan = self
    plan.intervals = alone
    let marks = plan.marks(length: length)
    var iterator = marks.makeIterator()
    if iterator.next() != nil { return nil }
    let end = length ?? openLimit
    let first =
      alone.every ?? alone.at.first ?? alone.fromEnd.first.map { end - $0 }
      ?? alone.fractions.first.map { end.part($0.numerator, of: $0.denominator) } ?? .zero
    if first < TimerMachine.tickSpan { return .beforeStart }
    if first > end - TimerMachine.tickSpan { return .afterEnd }
    return .onBorder(marks.border(near: first) ?? first)
  }

  private func silenceOfRandom(length: Span?) -> UnrungInterval.Reason? {
    guard let window = intervals.randomWindow ?? length.map({ .zero...$0 }) else {
      return .noLength
    }
    let room = (window.upperBound - window.lowerBound) / IntervalPlan.randomPartSpan
    if room < Int64(intervals.random) { return .noRoom(room) }
    return window.upperBound > length ?? openLimit ? .afterEnd : nil
  }
}
