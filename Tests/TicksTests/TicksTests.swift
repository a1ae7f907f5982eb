import Testing
import Ticks

@Test func span_negativeParts_wholeSecondsRoundDown() {
  #expect(Span(nanoseconds: -1).wholeSeconds == -1)
}
