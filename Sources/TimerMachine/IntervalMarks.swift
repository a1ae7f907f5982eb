import Ticks

// Invariants:
// - Marks rise, and each is at least a tick after the one before it, the first after the start.
// - None lies within a tick of a border between segments, or less than a tick before the end: there
//   the greater bell rings alone.
// - Nothing is laid out: the next mark is a function of the last one, so that a bell a second
//   through a week takes the room of one.

/// Where the interval bells of a sit ring, as spans after its start.
///
/// The sequence is that of a sit in which nothing happens. It always ends: an open-ended sit has
/// its limit.
public struct IntervalMarks: Sequence, Equatable, Sendable {
  private let plan: IntervalPlan
  private let draw: UInt64
  /// The length that parts and windows are cut from; nil for an open-ended sit.
  private let length: Span?
  private let end: Span
  /// The borders between two segments, as spans after the start.
  let borders: [Span]
  /// Bells at listed spans and at parts of the length, in order.
  private let listed: [Span]
  /// Spans before the end, the longest first.
  private let fromEnd: [Span]

  init(of plan: SitPlan, length: Span?) {
    self.plan = plan.intervals
    self.length = length
    end = length ?? plan.openLimit
    // One step of the generator, so that plans of neighbouring seeds share no windows.
    var generator = SeededGenerator(seed: plan.seed)
    draw = generator.next()
    var borders: [Span] = []
    var border = Span.zero
    for segment in plan.segments.dropLast() {
      border += segment.length
      borders.append(border)
    }
    self.borders = borders
    var listed = plan.intervals.at
    if let length {
      for fraction in plan.intervals.fractions {
        listed.append(length.part(fraction.numerator, of: fraction.denominator))
      }
    }
    self.listed = listed.sorted()
    fromEnd = length == nil ? [] : plan.intervals.fromEnd.sorted { $0 > $1 }
  }

  /// Gives the marks in order.
  public struct Iterator: IteratorProtocol {
    let marks: IntervalMarks
    var last = Span.zero
    var ordinal: Int64 = 1

    /// The next mark; nil when there is none.
    public mutating func next() -> Span? {
      guard let mark = marks.mark(ordinal, after: last) else { return nil }
      last = mark
      ordinal += 1
      return mark
    }
  }

  /// Begins at the first mark.
  public func makeIterator() -> Iterator { Iterator(marks: self) }

  /// A mark by the one before it.
  /// - Parameters:
  ///   - ordinal: which, counted from 1.
  ///   - last: the mark before it; zero for the first.
  ///   - movedEnd: the planned end as it stands, where it is no longer that of the beginning.
  func mark(_ ordinal: Int64, after last: Span, movedEnd: Span? = nil) -> Span? {
    if let count = plan.count, ordinal > Int64(count) { return nil }
    let end = movedEnd ?? self.end
    let latest = end - TimerMachine.tickSpan
    var earliest = last + TimerMachine.tickSpan
    while let mark = candidate(from: earliest, end: end), mark <= latest {
      guard let border = border(near: mark) else { return mark }
      earliest = border + TimerMachine.tickSpan
    }
    return nil
  }

  /// The next second of a segment: they count from its beginning.
  func tick(after elapsed: Span) -> Span {
    let index = borders.count(before: elapsed + Span(nanoseconds: 1))
    let from = index == 0 ? .zero : borders[index - 1]
    let tick = from + TimerMachine.tickSpan * ((elapsed - from) / TimerMachine.tickSpan + 1)
    guard index < borders.count, tick > borders[index] else { return tick }
    return borders[index] + TimerMachine.tickSpan
  }

  private func candidate(from earliest: Span, end: Span) -> Span? {
    var next: Span?
    func offer(_ mark: Span?) {
      if let mark { next = Swift.min(next ?? mark, mark) }
    }
    offer(periodic(from: earliest, end: end))
    offer(listed.first(from: earliest))
    offer(fromEnd.first { end - $0 >= earliest }.map { end - $0 })
    offer(drawn(from: earliest))
    return next
  }

  private func periodic(from earliest: Span, end: Span) -> Span? {
    guard let every = plan.every, every <= end, earliest <= end else { return nil }
    return every * ((earliest - Span(nanoseconds: 1)) / every + 1)
  }

  /// The bell of the part in which a span lies, or of a later one. Parts that are too short have
  /// none.
  private func drawn(from earliest: Span) -> Span? {
    let count = Int64(plan.random)
    guard let window = plan.randomWindow ?? length.map({ .zero...$0 }), count > 0,
      earliest < window.upperBound,
      (window.upperBound - window.lowerBound) / IntervalPlan.randomPartSpan >= count
    else { return nil }
    let span = window.upperBound - window.lowerBound
    let first = span.dividing(Swift.max(.zero, earliest - window.lowerBound), times: count)
    for part in first..<Swift.min(first + 2, count) {
      let mark = window.lowerBound + drawn(in: part, of: count, span)
      if mark >= earliest { return mark }
    }
    return nil
  }

  private func drawn(in part: Int64, of count: Int64, _ span: Span) -> Span {
    let from = span.part(part, of: count) + IntervalPlan.randomMarginSpan
    let to = span.part(part + 1, of: count) - IntervalPlan.randomMarginSpan
    var generator = SeededGenerator(seed: draw &+ UInt64(part))
    return from + Span(nanoseconds: Int64(generator.below(UInt64((to - from).nanoseconds) + 1)))
  }

  func border(near mark: Span) -> Span? {
    let near = borders.first(from: mark - TimerMachine.tickSpan + Span(nanoseconds: 1))
    return near.flatMap { $0 < mark + TimerMachine.tickSpan ? $0 : nil }
  }
}

extension SitPlan {
  /// Where the interval bells of this plan ring.
  /// - Parameter length: the length, where the plan itself knows none since it says an end.
  public func marks(length: Span? = nil) -> IntervalMarks {
    IntervalMarks(of: self, length: length ?? self.length)
  }
}

extension [Span] {
  /// How many elements of a rising row are less than a span.
  func count(before span: Span) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < span { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The first element of a rising row that is not less than a span.
  fileprivate func first(from span: Span) -> Span? {
    let index = count(before: span)
    return index < count ? self[index] : nil
  }
}

extension Span {
  /// `numerator` / `denominator` of this span, rounded down, whatever the size of both.
  func part(_ numerator: Int64, of denominator: Int64) -> Span {
    let product = nanoseconds.multipliedFullWidth(by: numerator)
    return Span(nanoseconds: denominator.dividingFullWidth(product).quotient)
  }

  /// `times` × `span` / this span, rounded down, whatever the size of both.
  fileprivate func dividing(_ span: Span, times: Int64) -> Int64 {
    nanoseconds.dividingFullWidth(span.nanoseconds.multipliedFullWidth(by: times)).quotient
  }
}
