import Ticks
import TimerMachine

/// An interval bell that never rings, in words: as what is expected in its place, and as what is
/// told of a sit that goes without it.
public struct UnrungWords {
  /// Its key: `interval.at`.
  public let key: String
  /// Its place in the list of that key; nil where the key has one value.
  let place: Int?
  /// Its value, as somebody would write it.
  public let value: String
  /// Why it does not ring: `the sit lasts 20m`.
  public let reason: String
  /// What would ring.
  let expected: String

  /// Puts one into words.
  /// - Parameters:
  ///   - unrung: what does not ring.
  ///   - plan: the plan that says it.
  ///   - length: how long the sit is; nil for an open one.
  ///   - isUntil: whether that is the most that one until a time of day can last.
  public init(
    _ unrung: UnrungInterval, of plan: SitPlan, length: Span?, isUntil: Bool = false
  ) {
    let intervals = plan.intervals
    var part = false
    switch unrung.part {
    case .every: (key, place, value) = ("interval.every", nil, intervals.every?.lengthText ?? "0")
    case .fraction(let index):
      let fraction = intervals.fractions[index]
      (key, place) = ("interval.fractions", index)
      value = "\(fraction.numerator)/\(fraction.denominator)"
      part = true
    case .at(let index):
      (key, place, value) = ("interval.at", index, intervals.at[index].lengthText)
    case .fromEnd(let index):
      (key, place, value) = ("interval.from-end", index, intervals.fromEnd[index].lengthText)
    case .random:
      (key, place, value) = ("interval.random", nil, UnrungWords.random(intervals))
    }
    let end = length ?? plan.openLimit
    let whose =
      isUntil
      ? "a sit until a time lasts at most "
      : length == nil ? "an open sit lasts at most " : "the sit lasts "
    let lasts = whose + end.lengthText
    let most = unrung.part == .random ? end : end - .seconds(1)
    switch unrung.reason {
    case .noLength:
      reason = "an open sit has no length to count by"
      expected = "no \(key.dropFirst(9)) in an open sit, which has no length to count by"
    case .beforeStart, .afterEnd:
      reason = lasts
      expected =
        part
        ? "a part at least a second from both ends, since \(lasts)"
        : (unrung.part == .random ? "a window up to " : "at most ")
          + "\(most.lengthText), since \(lasts)"
    case .onBorder(let border):
      reason = "a segment ends at \(border.lengthText)"
      expected = "another \(part ? "part" : "span"), since \(reason) with a bell of its own"
    case .noRoom(let room):
      let window = intervals.randomWindow
      let span = window.map { $0.upperBound - $0.lowerBound } ?? end
      expected = RandomWords.expected(room, in: span, of: window == nil ? "sit" : "window")
      reason = "\(lasts), and each needs \(IntervalPlan.randomPartSpan.lengthText)"
    }
  }

  private static func random(_ intervals: IntervalPlan) -> String {
    guard let window = intervals.randomWindow else { return "\(intervals.random)" }
    let (from, to) = (window.lowerBound.lengthText, window.upperBound.lengthText)
    return "\(intervals.random) in \(from)..\(to)"
  }
}
