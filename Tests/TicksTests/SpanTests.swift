import Testing
import Ticks

private let second: Int64 = 1_000_000_000

@Test(arguments: [
  (0, 0, 0), (1, 0, 1), (second - 1, 0, 1), (second, 1, 1), (second + 1, 1, 2),
  (-1, -1, 0), (-second + 1, -1, 0), (-second, -1, -1), (-second - 1, -2, -1),
])
func span_secondsDownAndUp_roundTowardsThePastAndTheFuture(
  nanoseconds: Int64, down: Int64, up: Int64
) {
  #expect(Span(nanoseconds: nanoseconds).wholeSeconds == down)
  #expect(Span(nanoseconds: nanoseconds).secondsRoundedUp == up)
}

@Test func span_units_areExactNanoseconds() {
  #expect(Span.microseconds(3).nanoseconds == 3_000)
  #expect(Span.milliseconds(3).nanoseconds == 3_000_000)
  #expect(Span.seconds(3).nanoseconds == 3 * second)
  #expect(Span.minutes(3) == .seconds(180))
  #expect(Span.hours(3) == .minutes(180))
}

@Test func span_arithmetic_isThatOfItsNanoseconds() {
  var span = Span.seconds(5) + .milliseconds(1) - .seconds(6)
  #expect(span.nanoseconds == -999_000_000)
  #expect(span * -3 == Span(nanoseconds: 2_997_000_000))
  span += .seconds(1)
  #expect(span == .milliseconds(1))
  span -= .milliseconds(1)
  #expect(span == .zero)
}

@Test(arguments: [(7, 2, 3), (6, 2, 3), (5, 2, 2), (-5, 2, -2), (5, -2, -2), (0, 2, 0)])
func span_divided_countsWholeTimesTowardsZero(left: Int64, right: Int64, count: Int64) {
  #expect(Span.seconds(left) / Span.seconds(right) == count)
}

@Test func span_comparison_isByLengthWithItsSign() {
  #expect(Span(nanoseconds: -1) < .zero)
  #expect(Span.seconds(1) < .seconds(1) + Span(nanoseconds: 1))
  #expect(!(Span.seconds(1) < .seconds(1)))
}

@Test func instant_arithmetic_returnsToWhereItCameFrom() {
  let instant = Instant(nanoseconds: 5 * second)
  #expect((instant + .seconds(3)).nanoseconds == 8 * second)
  #expect(instant + .seconds(3) - .seconds(3) == instant)
  let earlier = instant - .seconds(7)
  #expect(earlier - instant == Span.seconds(-7))
  #expect(instant - .zero == .seconds(5))
  var moved = instant
  moved += Span(nanoseconds: -1)
  #expect(moved < instant)
  #expect(!(instant < instant))
}
