import Ticks

/// Notices that the machine was asleep, by the boot-time clock having run ahead of the monotonic
/// one, which stands still in sleep.
///
/// - A sleep of a second or less is none: no tick is lost in it, and no machine that is put to
///   sleep is awake again so soon.
/// - It is noticed at the first look after it. The kernel wakes an event loop with a step of the
///   wall clock then, so the sleep ended just before, and when it began follows from its length.
public struct SleepWatch: Sendable {
  /// A sleep is longer than this.
  public static let shortestSpan = Span.seconds(1)

  private var offset = SleepOffset()

  /// Begins to watch.
  /// - Parameter measure: measures the offset: `Clock.bootTime(ofMonotonic: 0) - .zero`.
  public init(_ measure: () -> Span) { offset.update(measure) }

  /// The sleep since the last look, if there was one.
  /// - Parameters:
  ///   - now: this instant.
  ///   - measure: as in `init`.
  public mutating func sleep(
    before now: Instant, _ measure: () -> Span
  ) -> (from: Instant, to: Instant)? {
    let before = offset.span
    offset.update(measure)
    let asleep = offset.span - before
    return asleep > SleepWatch.shortestSpan ? (now - asleep, now) : nil
  }
}
