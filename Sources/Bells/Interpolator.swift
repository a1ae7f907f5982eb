/// Reads a recording at another rate than its own: a windowed sinc of 32 taps, in 256 steps between
/// two frames and in a straight line between two steps.
///
/// Invariants:
/// - At a rate below the recording's, the sinc is as much wider, but its window is not: the edge of
///   the band is so much less steep there, and a little of what lies above it folds back.
/// - The coefficients of each step add up to 1: a constant stays the same.
/// - Nothing here allocates after `init`.
struct Interpolator {
  private static let taps = 32
  private static let steps = 256
  /// The first of the taps stands so many frames before the place that is read.
  private static let tapsBefore = taps / 2 - 1

  /// By how much the place moves a frame, in parts of 2^32.
  private(set) var step: UInt64
  /// Whether each frame is one of the recording's, so that nothing is interpolated.
  private var isExact: Bool
  private var coefficients: [Float]

  init(rateHertz: Int) {
    step = 0
    isExact = true
    coefficients = Array(repeating: 0, count: (Interpolator.steps + 1) * Interpolator.taps)
    retune(rateHertz: rateHertz)
  }

  /// Reads for another rate from now on.
  mutating func retune(rateHertz: Int) {
    step = (UInt64(Recording.rateHertz) << 32 + UInt64(rateHertz) / 2) / UInt64(rateHertz)
    isExact = rateHertz == Recording.rateHertz
    guard !isExact else { return }
    // The band ends a little before the lower of the two halves of a rate.
    let cutoff = min(1, Double(rateHertz) / Double(Recording.rateHertz)) * 0.94
    for row in 0...Interpolator.steps {
      fill(row, offset: Double(row) / Double(Interpolator.steps), cutoff: cutoff)
    }
  }

  private mutating func fill(_ row: Int, offset: Double, cutoff: Double) {
    let start = row * Interpolator.taps
    var sum = 0.0
    for tap in 0..<Interpolator.taps {
      let distance = Double(tap - Interpolator.tapsBefore) - offset
      sum += Interpolator.weight(distance, cutoff)
    }
    for tap in 0..<Interpolator.taps {
      let distance = Double(tap - Interpolator.tapsBefore) - offset
      coefficients[start + tap] = Float(Interpolator.weight(distance, cutoff) / sum)
    }
  }

  /// The sinc under a Blackman window.
  private static func weight(_ distance: Double, _ cutoff: Double) -> Double {
    let half = Double(taps) / 2
    guard distance.magnitude < half else { return 0 }
    let angle = Double.pi * distance / half
    let window = 0.42 + 0.5 * Mathematics.cosine(angle) + 0.08 * Mathematics.cosine(2 * angle)
    let turn = Double.pi * distance * cutoff
    return window * (turn.magnitude < 1e-9 ? 1 : Mathematics.sine(turn) / turn)
  }

  /// The frame at a place of a recording, full scale 32,767; beyond its ends it is silent.
  func frame(of recording: Recording, at frame: Int, _ fraction: UInt32) -> (Float, Float) {
    if isExact {
      return (Float(recording.samples[2 * frame]), Float(recording.samples[2 * frame + 1]))
    }
    let row = Int(fraction >> 24)
    let rest = Float(fraction & 0xFF_FFFF) / 16_777_216
    let start = row * Interpolator.taps
    var left: Float = 0
    var right: Float = 0
    for tap in 0..<Interpolator.taps {
      let place = frame + tap - Interpolator.tapsBefore
      guard place >= 0 && place < recording.frameCount else { continue }
      let low = coefficients[start + tap]
      let weight = low + (coefficients[start + Interpolator.taps + tap] - low) * rest
      left += Float(recording.samples[2 * place]) * weight
      right += Float(recording.samples[2 * place + 1]) * weight
    }
    return (left, right)
  }
}
