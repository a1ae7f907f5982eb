import LinuxIO
import Testing
import Ticks

@Suite struct SleepOffsetTests {
  /// The offset after measurements of so many microseconds, and how many of them were made.
  private func update(_ offset: inout SleepOffset, _ measured: [Int64]) -> [Int64] {
    var count = 0
    offset.update {
      count += 1
      return .microseconds(measured[count - 1])
    }
    return [offset.span.nanoseconds / 1_000, Int64(count)]
  }

  @Test func offset_thatDiffersByLessThanAMillisecond_isKept() {
    var offset = SleepOffset()
    #expect(update(&offset, [999]) == [0, 1])
    #expect(update(&offset, [-999]) == [0, 1])
    #expect(update(&offset, [1_000, 1_000, 1_000]) == [1_000, 3])
  }

  @Test func offset_ofAMeasurementThatWasInterrupted_isKept() {
    var offset = SleepOffset()
    #expect(update(&offset, [40_000, 0]) == [0, 2])
    #expect(update(&offset, [40_000, -40_000, 0]) == [0, 3])
  }

  @Test func offset_thatChangedInSleep_isTheMiddleOfThree() {
    let cases: [[Int64]] = [
      [5_000, 5_001, 9_000], [9_000, 5_001, 5_000], [5_001, 9_000, 2_000],
    ]
    for measured in cases {
      var offset = SleepOffset()
      #expect(update(&offset, measured) == [5_001, 3])
    }
  }
}
