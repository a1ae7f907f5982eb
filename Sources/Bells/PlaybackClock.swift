import Ticks

/// When the frames of a stream leave, told from what the device says now and then: a straight line
/// through the last ten seconds, so that the card's own rate is known as well as its position.
///
/// A device tells its position late rather than early: the pointer moves in bursts (each 10 ms on a
/// Pi's own outputs, 1 ms on USB), and a stamp may be taken after it. So the slope of the line is
/// that of least squares, but it lies as low as the earliest positions do. (The very earliest may
/// be a slip.)
///
/// Invariants:
/// - Nothing here allocates after `init`.
/// - A position that is off by more than half a period is not believed, unless nothing else has
///   come for two seconds.
/// - The rate is kept over a restart, since it is the crystal's.
struct PlaybackClock {
  /// The positions told during a span. Times are nanoseconds after the anchor by the nominal rate,
  /// and how many nanoseconds later than that it was.
  private struct Bucket {
    var count = 0.0
    var at = 0.0
    var late = 0.0
    var lowest: (at: Double, late: Double)

    init(at: Double, late: Double) { lowest = (at, late) }

    mutating func add(at newAt: Double, late newLate: Double, slope: Double) {
      count += 1
      at += (newAt - at) / count
      late += (newLate - late) / count
      if newLate - slope * newAt < lowest.late - slope * lowest.at { lowest = (newAt, newLate) }
    }
  }

  private static let greatestBucketCount = 24
  /// A bucket is an eighth as long as the line is old, within these limits.
  private static let bucketSpans = (least: 15e6, most: 0.5e9)
  /// Crystals are off by 100 to 150 ppm in the field (shairport-sync #459).
  private static let usualSlope = 150e-6
  private static let greatestSlope = 500e-6
  private static let greatestStep = 25e6
  private static let doubtSpan = Span.seconds(2)

  private(set) var rateHertz = 48_000
  private var anchorFrame: Int64 = 0
  private var anchor = Instant.zero
  // Walked by index: over a private type the library's iterators allocate in a debug build.
  private var buckets: [Bucket]
  private var bucketCount = 0
  private var bucketEnd = 0.0
  private var strangeSince: Instant?

  // The line: `offset` late at `center`, and `slope` more for each nanosecond after it.
  private var slope = 0.0
  private var offset = 0.0
  private var center = 0.0
  /// The slope of the line before.
  private var knownSlope = 0.0

  init() {
    let empty = Bucket(at: 0, late: 0)
    buckets = Array(repeating: empty, count: PlaybackClock.greatestBucketCount)
  }

  /// Forgets the rate too, since this is another card.
  mutating func begin(rateHertz: Int) {
    self.rateHertz = rateHertz
    slope = 0
    knownSlope = 0
  }

  /// Begins a line anew where a frame leaves at an instant, as far as is known.
  mutating func restart(frame: Int64, at instant: Instant) {
    anchorFrame = frame
    anchor = instant
    if bucketCount > 3 { knownSlope = slope }
    slope = knownSlope
    offset = 0
    center = 0
    bucketCount = 0
    strangeSince = nil
  }

  /// Takes what the device says of a frame.
  mutating func learn(frame: Int64, leavesAt instant: Instant) {
    if bucketCount == 0 { restart(frame: frame, at: instant) }
    let at = Double(nominal(frame - anchorFrame).nanoseconds)
    let late = Double((instant - anchor).nanoseconds) - at
    guard isBelieved(off: late - lateness(at), age: at, instant) else {
      restart(frame: frame, at: instant)
      return learn(frame: frame, leavesAt: instant)
    }
    guard strangeSince == nil else { return }
    if bucketCount == 0 || at >= bucketEnd {
      addBucket(Bucket(at: at, late: late))
      let limits = PlaybackClock.bucketSpans
      bucketEnd = at + min(limits.most, max(limits.least, at / 8))
    }
    buckets[bucketCount - 1].add(at: at, late: late, slope: slope)
    fit()
  }

  /// Takes the place of the oldest one if there are enough.
  private mutating func addBucket(_ bucket: Bucket) {
    if bucketCount == PlaybackClock.greatestBucketCount {
      for index in 1..<bucketCount { buckets[index - 1] = buckets[index] }
      bucketCount -= 1
    }
    buckets[bucketCount] = bucket
    bucketCount += 1
  }

  /// Whether the line still holds. A young line may have begun with something late.
  private mutating func isBelieved(off: Double, age: Double, _ instant: Instant) -> Bool {
    guard off.magnitude > PlaybackClock.greatestStep else {
      strangeSince = nil
      return true
    }
    let doubt = PlaybackClock.doubtSpan
    if off < 0, age < Double(doubt.nanoseconds) { return false }
    let since = strangeSince ?? instant
    strangeSince = since
    return instant - since < doubt
  }

  /// Lays the line.
  private mutating func fit() {
    var count = 0.0
    center = 0
    offset = 0
    for index in 0..<bucketCount {
      let bucket = buckets[index]
      count += bucket.count
      center += (bucket.at - center) * bucket.count / count
      offset += (bucket.late - offset) * bucket.count / count
    }
    if bucketCount > 3 { fitSlope() }
    var lowest = Double.infinity
    var second = Double.infinity
    for index in 0..<bucketCount {
      let bucket = buckets[index]
      let rest = bucket.lowest.late - lateness(bucket.lowest.at)
      second = min(second, max(lowest, rest))
      lowest = min(lowest, rest)
    }
    offset += bucketCount > 2 ? second : lowest
  }

  /// The slope is that of least squares, believed as far as the scatter lets; the rest is what was
  /// known of the card before.
  private mutating func fitSlope() {
    var square = 0.0
    var product = 0.0
    for index in 0..<bucketCount {
      let bucket = buckets[index]
      square += bucket.count * (bucket.at - center) * (bucket.at - center)
      product += bucket.count * (bucket.at - center) * (bucket.late - offset)
    }
    let least = product / square
    var scatter = 0.0
    for index in 0..<bucketCount {
      let bucket = buckets[index]
      let rest = bucket.late - offset - least * (bucket.at - center)
      scatter += bucket.count * rest * rest
    }
    let usual = PlaybackClock.usualSlope
    let doubt = scatter / Double(bucketCount) / (usual * usual)
    let limit = PlaybackClock.greatestSlope
    let change = (least - knownSlope) * square / (square + doubt)
    slope = max(-limit, min(limit, knownSlope + change))
  }

  private func lateness(_ at: Double) -> Double { offset + slope * (at - center) }

  // MARK: Frames and instants

  /// When a frame leaves.
  func instant(of frame: Int64) -> Instant {
    let span = nominal(frame - anchorFrame)
    return anchor + span + Span(nanoseconds: Int64(lateness(Double(span.nanoseconds))))
  }

  /// The frame that leaves nearest to an instant.
  func frame(at instant: Instant) -> Int64 {
    let span = Double((instant - anchor).nanoseconds)
    let at = (span - offset + slope * center) / (1 + slope)
    return anchorFrame + frames(in: Span(nanoseconds: Int64(at)))
  }

  /// How long frames last by the nominal rate, less than a nanosecond short.
  func nominal(_ frames: Int64) -> Span {
    let rate = Int64(rateHertz)
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: rate)
    return Span(nanoseconds: seconds * 1_000_000_000 + rest * 1_000_000_000 / rate)
  }

  /// The nearest number of frames by the nominal rate. Whole seconds are taken apart, so that no
  /// span overflows.
  func frames(in span: Span) -> Int64 {
    let rate = Int64(rateHertz)
    let seconds = span.wholeSeconds
    let rest = span.nanoseconds - seconds * 1_000_000_000
    return seconds * rate + (rest * rate + 500_000_000) / 1_000_000_000
  }
}
