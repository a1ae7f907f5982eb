import Ticks

/// The boot-time clock less the monotonic one, which stamps of the kernel are moved by.
///
/// - It changes only in sleep. A measurement is a few hundred nanoseconds off, which could swap two
///   stamps, so that a difference of less than 1 ms changes nothing.
/// - A measurement that another process interrupted is wrong, and would change the distance between
///   stamps. So a change counts only if it shows three times, and then the middle one is taken.
public struct SleepOffset: Sendable {
  /// The offset as it was last taken over.
  public private(set) var span = Span.zero

  /// Begins without any sleep.
  public init() {}

  /// Measures anew, which is wanted before stamps are moved.
  /// - Parameter measure: measures the offset: `Clock.bootTime(ofMonotonic: 0) - .zero`.
  public mutating func update(_ measure: () -> Span) {
    var measured: [Span] = []
    while measured.count < 3 {
      let one = measure()
      if abs((one - span).nanoseconds) < Span.milliseconds(1).nanoseconds { return }
      measured.append(one)
    }
    span = measured.sorted()[1]
  }
}
