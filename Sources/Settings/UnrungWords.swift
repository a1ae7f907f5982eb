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
    let name: String
    (name, place, value) = UnrungWords.setting(unrung.part, in: plan.intervals)
    key = "interval." + name
    let end = length ?? plan.openLimit
    let whose =
      length == nil
      ? "an open sit lasts at most"
      : isUntil
        ? "a sit until a time lasts at most" : "the sit lasts"
    let lasts = "\(whose) \(end.lengthText)"
    let isFraction = name == "fractions"
    switch unrung.reason {
    case .noLength:
      reason = "an open sit has no length to count by"
      expected = "no \(name) in an open sit, which has no length to count by"
    case .beforeStart, .afterEnd:
      reason = lasts
      let most = unrung.part == .random ? end : end - .seconds(1)
      let what = unrung.part == .random ? "a window up to" : "at most"
      expected =
        (isFraction ? "a part at least a second from both ends" : "\(what) \(most.lengthText)")
        + ", since \(lasts)"
    case .onBorder(let border):
      reason = "a segment ends at \(border.lengthText)"
      expected = "another \(isFraction ? "part" : "span"), since \(reason) with a bell of its own"
    case .noRoom(let room):
      let window = plan.intervals.randomWindow
      let span = window.map { $0.upperBound - $0.lowerBound } ?? end
      expected = RandomWords.expected(room, in: span, of: window == nil ? "sit" : "window")
      reason = "\(lasts), and each needs \(IntervalPlan.randomPartSpan.lengthText)"
    }
  }

  /// The key of a part of a plan, its place in the list of that key, and its value.
  private static func setting(
    _ part: UnrungInterval.Part, in intervals: IntervalPlan
  ) -> (name: String, place: Int?, value: String) {
    switch part {
    case .every: ("every", nil, (intervals.every ?? .zero).lengthText)
    case .fraction(let place):
      (
        "fractions", place,
        "\(intervals.fractions[place].numerator)/\(intervals.fractions[place].denominator)"
      )
    case .at(let place): ("at", place, intervals.at[place].lengthText)
    case .fromEnd(let place): ("from-end", place, intervals.fromEnd[place].lengthText)
    case .random: ("random", nil, random(intervals))
    }
  }

  private static func random(_ intervals: IntervalPlan) -> String {
    guard let window = intervals.randomWindow else { return "\(intervals.random)" }
    let (from, to) = (window.lowerBound.lengthText, window.upperBound.lengthText)
    return "\(intervals.random) in \(from)..\(to)"
  }
}
