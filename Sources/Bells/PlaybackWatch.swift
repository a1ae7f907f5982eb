import Ticks

/// How far ahead frames are handed over, and how often.
///
/// The spans between refills are odd on purpose, and no two alike: a pointer that moves each 10 ms,
/// or from frame to frame, is then looked at all over its step, and not always at the same place.
enum PlaybackPace {
  /// A bell will strike within moments: 200 ms, so that a wake-up may come 150 ms late.
  case due
  /// Something rings, and what a hand asks for meanwhile is to sound within 100 ms.
  case ringing
  /// The device is open for nothing but what a hand may ask for: few wake-ups.
  case held

  /// From one refill to the next while something sounds or will.
  static let periodSpan = Span.microseconds(47_300)

  var queueSpan: Span {
    switch self {
    case .due: .milliseconds(200)
    case .ringing, .held: .milliseconds(100)
    }
  }

  /// How long to wait at least, also for a device that takes nothing: half a period, or less where
  /// the buffer is small.
  static func leastSpan(of queue: Span) -> Span {
    min(.milliseconds(25), Span(nanoseconds: queue.nanoseconds / 3))
  }

  /// How long to wait between refills of a queue, which is shorter if the buffer is small.
  /// - Parameter count: how many times the device has been looked at.
  func refillSpan(of queue: Span, count: Int) -> Span {
    let odd = Span(nanoseconds: queue.nanoseconds / 200 / 1_000 * Int64(count * 618 % 1_000))
    switch self {
    // At most 25 wake-ups a second.
    case .due, .ringing:
      return min(PlaybackPace.periodSpan, Span(nanoseconds: queue.nanoseconds / 2)) - odd
    // At most 16 wake-ups a second with 100 ms.
    case .held: return Span(nanoseconds: queue.nanoseconds / 3 * 2) - odd
    }
  }
}

/// Whether a device keeps its word: what it has been seen to do, and when it is tried again.
struct PlaybackWatch {
  /// How long a running stream may stand still, or take nothing, before it counts as stuck.
  static let stallSpan = Span.milliseconds(200)
  /// The same before its first frame has left: an output through a sound server takes 0.7 s.
  static let startSpan = Span.seconds(1)
  /// After so many recoveries without a frame played in between, the device counts as lost.
  static let maximumRecoveries = 10
  /// How soon lost outputs are tried again at first, doubled each time, and at most how seldom.
  static let retrySpans = (first: Span.milliseconds(100), last: Span.seconds(5))
  /// How long an output must play until its next loss counts as the first one.
  static let trustSpan = Span.seconds(10)
  /// How often underruns are told at most.
  static let tellingSpan = Span.seconds(10)

  /// Whether a frame has left since the stream was started.
  private(set) var hasMoved = false
  /// When outputs that were lost are tried again.
  private(set) var retryAt = Instant.zero
  /// Whether something was to sound when outputs were tried last, so that all of them were.
  private(set) var wasNeeded = false

  /// How many times the device has been looked at.
  private(set) var count = 0

  private var left: Int64 = 0
  private var begunAt = Instant.zero
  private var movedAt = Instant.zero
  private var isRunningTold = false
  private var recoveries = 0
  private var retrySpan = PlaybackWatch.retrySpans.first
  private var underruns = 0
  private var toldAt: Instant?

  /// A stream has been started.
  mutating func begin(_ now: Instant) {
    hasMoved = false
    left = 0
    begunAt = now
    movedAt = now
  }

  /// Whether frames have left since the last time.
  func hasLeft(_ left: Int64) -> Bool { left != self.left }

  /// How many frames have left, and whether the device takes what it has room for.
  mutating func saw(_ left: Int64, takes: Bool, _ now: Instant) {
    count += 1
    guard left != self.left else { return }
    self.left = left
    recoveries = 0
    guard takes else { return }
    movedAt = now
    hasMoved = true
    if now - begunAt >= PlaybackWatch.trustSpan { forgive() }
  }

  /// Whether a running stream does not move.
  func isStalled(_ now: Instant, bufferSpan: Span) -> Bool {
    let limit = max(PlaybackWatch.stallSpan, bufferSpan)
    return now - movedAt > (hasMoved ? limit : max(limit, PlaybackWatch.startSpan))
  }

  /// Counts a stop, and says whether it is worth going on.
  mutating func mayRecover() -> Bool {
    underruns += 1
    recoveries += 1
    return recoveries <= PlaybackWatch.maximumRecoveries
  }

  /// The output is closed.
  mutating func lost() {
    recoveries = 0
    hasMoved = false
    isRunningTold = false
  }

  /// Whether it is to be told that the output plays: once an opening.
  mutating func takeRunning() -> Bool {
    defer { isRunningTold = true }
    return !isRunningTold
  }

  /// No output could be had.
  mutating func rest(_ now: Instant, isNeeded: Bool) {
    wasNeeded = isNeeded
    retryAt = now + retrySpan
    retrySpan = min(retrySpan * 2, PlaybackWatch.retrySpans.last)
  }

  /// Lost outputs are worth trying now.
  mutating func retry() {
    retryAt = .zero
    forgive()
  }

  /// The next need is a new one, and begins with a short rest again.
  mutating func forgive() { retrySpan = PlaybackWatch.retrySpans.first }

  /// How many underruns are to be told now, if any.
  mutating func takeUnderruns(_ now: Instant) -> Int? {
    guard underruns > 0 else { return nil }
    if let toldAt, now - toldAt < PlaybackWatch.tellingSpan { return nil }
    toldAt = now
    defer { underruns = 0 }
    return underruns
  }
}
