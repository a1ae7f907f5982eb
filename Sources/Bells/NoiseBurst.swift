import Ticks

/// The noise of a bank: white noise of a fixed sequence, under an envelope that every strike raises
/// and that decays, then filtered.
///
/// Invariants:
/// - The envelope comes before the filter, and the filter passes nothing at 0 Hz, so the noise of a
///   strike has a mean of zero.
/// - A frame is heard before the strike's increase in it, so the first frame of a strike is zero.
struct NoiseBurst {
  private var isUsed = false
  /// The factor of the envelope in a frame, and the power of e that it is.
  private var shrink = 0.0
  private var decay = 0.0
  private var envelope = 0.0
  private var framesLeft = 0
  private var generator = SeededGenerator(seed: 1)
  /// What the strikes add to the envelope in each frame of the chunk.
  private var rises: [Double]
  private var isRising = false
  private var lowShare = 0.0
  private var highShare = 0.0
  private var first = 0.0
  private var second = 0.0
  private var low = 0.0

  init() {
    rises = Array(repeating: 0, count: Voice.chunkFrames)
  }

  /// Takes on the noise of a sound, in silence.
  mutating func tune(to noise: StrikeNoise?, rateHertz: Int) {
    isUsed = noise != nil
    (envelope, first, second, low, framesLeft) = (0, 0, 0, 0, 0)
    clear()
    guard let noise else { return }
    let rate = Double(rateHertz)
    decay = decayPerT60 / (noise.decaySeconds * rate)
    shrink = Mathematics.exponential(-decay)
    highShare = NoiseBurst.share(of: noise.highHertz, rate: rate)
    lowShare = NoiseBurst.share(of: noise.lowHertz, rate: rate)
    generator = SeededGenerator(seed: 1)
  }

  /// How much of a step a low-pass of one pole follows in a frame.
  private static func share(of frequency: Double, rate: Double) -> Double {
    1 - Mathematics.exponential(-2 * .pi * min(frequency, rate / 2) / rate)
  }

  private mutating func clear() {
    for frame in rises.indices { rises[frame] = 0 }
    isRising = false
  }

  /// Adds to the envelope after a frame of the chunk that is rendered next.
  mutating func add(_ increase: Double, at frame: Int) {
    rises[frame] += increase
    isRising = true
  }

  /// Counts the frames for which it is rendered.
  /// - Returns: for how many of them it can be heard.
  mutating func measure(adding level: Double, onset: Int) -> Double {
    let height = envelope + level
    guard isUsed, height > Sound.inaudibleAmplitude else { return 0 }
    let heard = Mathematics.logarithm(height / Sound.inaudibleAmplitude) / decay
    // Until it is down by 40 dB more.
    framesLeft = onset + Mathematics.nearest(heard + decayPerT60 / 1.5 / decay)
    return heard
  }

  /// Makes it die away sooner.
  mutating func dampen(by decay: Double) {
    self.decay += decay
    shrink *= Mathematics.exponential(-decay)
  }

  /// Adds a chunk of it to both of each frame.
  mutating func render(_ count: Int, into scratch: UnsafeMutableBufferPointer<Double>) {
    guard framesLeft > 0 || isRising else { return }
    for frame in 0..<count {
      let value = next() / 2
      scratch[2 * frame] += value
      scratch[2 * frame + 1] += value
      envelope += rises[frame]
    }
    if isRising { clear() }
    framesLeft = max(0, framesLeft - count)
  }

  private mutating func next() -> Double {
    let white = Double(Int64(bitPattern: generator.next()) >> 11) / 4_503_599_627_370_496
    first += highShare * (white * envelope - first)
    second += highShare * (first - second)
    let value = second - low
    low += lowShare * value
    envelope *= shrink
    return value
  }

  /// Lets time pass without being heard; no further than it can be rendered.
  mutating func skip(frames: Int) {
    envelope += rises[0]
    clear()
    for _ in 0..<min(frames, framesLeft) { _ = next() }
    framesLeft = max(0, framesLeft - frames)
    if framesLeft == 0 { envelope = 0 }
  }
}
