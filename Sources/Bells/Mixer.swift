/// All sounds that ring, mixed to interleaved stereo.
///
/// Invariants:
/// - Each sound that rings has one bank; a further strike adds to it, so tails are never cut.
/// - At most `maximumRinging` banks ring. For one more, the quietest is given up within 50 ms. As
///   many again may be dying away; should those run out too, the quietest of them is taken at once.
/// - No output sample reaches full scale, whatever is struck.
/// - Nothing here allocates after `init`, and no result depends on how frames are split into blocks
///   (but for the last bit).
public struct Mixer: Instrument, ~Copyable {
  /// How many sounds can ring at once.
  public static let maximumRinging = 16

  /// The frames per second it renders for.
  public private(set) var rateHertz: Int

  private let sounds: [Sound]
  private var voices: [Voice]
  private var limiter = Limiter()
  private var volume: Ramp
  private var ambience: Ambience

  /// Makes a silent mixer at full volume.
  /// - Parameters:
  ///   - sounds: what `strike` can sound, by position.
  ///   - rateHertz: frames per second.
  /// - Precondition: the rate is 8,000 to 384,000.
  public init(sounds: [Sound] = Sound.catalogue, rateHertz: Int = 48_000) {
    Mixer.check(rateHertz)
    self.sounds = sounds
    self.rateHertz = rateHertz
    voices = []
    voices.reserveCapacity(2 * Mixer.maximumRinging)
    for _ in 0..<(2 * Mixer.maximumRinging) { voices.append(Voice()) }
    volume = Ramp(value: 1)
    ambience = Ambience(rateHertz: rateHertz)
  }

  private static func check(_ rateHertz: Int) {
    precondition((8_000...384_000).contains(rateHertz), "a rate is 8,000 to 384,000 Hz")
  }

  /// Whether nothing rings.
  public var isSilent: Bool {
    for voice in voices where voice.life != .free { return false }
    return ambience.isSilent
  }

  /// How many sounds ring, without those that are dying away after a damping.
  public var ringing: Int {
    var count = 0
    for voice in voices where voice.life == .ringing { count += 1 }
    return count
  }

  /// Renders for another rate from now on. What rings falls silent, since it was tuned to the old
  /// one; with the same rate nothing happens.
  public mutating func retune(rateHertz: Int) {
    guard rateHertz != self.rateHertz else { return }
    Mixer.check(rateHertz)
    self.rateHertz = rateHertz
    for index in voices.indices { voices[index].silence() }
    ambience.retune(rateHertz: rateHertz)
  }

  /// Sets the volumes in perceived steps: an amplitude is the cube of the fraction. They are
  /// reached within 20 ms, without a click; at once while nothing rings.
  public mutating func setVolumes(_ volumes: Volumes) {
    let fraction = Float(volumes[0]) / 100
    volume.lead(
      to: fraction * fraction * fraction, frames: isSilent ? 1 : max(1, rateHertz / 50))
    if isSilent { volume.skip(frames: 1) }
  }

  /// Sets what sounds under the bells from now on.
  public mutating func setAmbient(_ ambient: AmbientSound?) { ambience.lead(to: ambient) }

  /// Strikes a sound. The first frame of the strike, which is zero, is the next one rendered.
  /// - Precondition: there is such a sound, and the gain is not negative.
  public mutating func strike(_ strike: Strike) {
    precondition(sounds.indices.contains(strike.sound), "there is no such sound")
    precondition(strike.gain >= 0, "a gain is not negative")
    let bank = bank(for: strike.sound)
    voices[bank].strike(sounds[strike.sound], gain: Double(strike.gain), rateHertz: rateHertz)
  }

  /// The bank that rings this sound, or else a free one tuned to it.
  private mutating func bank(for sound: Int) -> Int {
    for index in voices.indices
    where voices[index].life == .ringing && voices[index].sound == sound {
      return index
    }
    if ringing == Mixer.maximumRinging, let quietest = quietest(.ringing) {
      voices[quietest].leave(decaySeconds: 0.04, highFirst: false, rateHertz: rateHertz)
    }
    let bank = firstFree ?? quietest(.leaving) ?? 0
    voices[bank].tune(to: sounds[sound], index: sound, rateHertz: rateHertz)
    return bank
  }

  private var firstFree: Int? {
    for index in voices.indices where voices[index].life == .free { return index }
    return nil
  }

  private func quietest(_ life: Voice.Life) -> Int? {
    var best: Int?
    for index in voices.indices where voices[index].life == life {
      if let known = best, voices[known].amplitude <= voices[index].amplitude { continue }
      best = index
    }
    return best
  }

  /// Stops all that rings as a hand does it: gone within 300 ms, high partials first. A strike
  /// after it is whole.
  public mutating func damp() {
    for index in voices.indices where voices[index].life == .ringing {
      voices[index].leave(decaySeconds: 0.15, highFirst: true, rateHertz: rateHertz)
    }
  }

  /// Lets time pass without rendering it, as when an output was away: what rings has rung on.
  public mutating func skip(frames: Int) {
    precondition(frames >= 0, "time does not run backwards")
    for index in voices.indices where voices[index].life != .free {
      voices[index].skip(frames: frames)
    }
    ambience.skip(frames: frames)
  }

  /// Renders the next frames.
  /// - Parameters:
  ///   - frames: where in the block, in frames.
  ///   - block: interleaved stereo, full scale ±1; what it held in these frames is overwritten.
  /// - Precondition: the block has two samples for each of the frames.
  public mutating func render(_ frames: Range<Int>, into block: inout [Float]) {
    precondition(block.count >= 2 * frames.upperBound, "the block is too small")
    for sample in (2 * frames.lowerBound)..<(2 * frames.upperBound) { block[sample] = 0 }
    if isSilent {
      volume.skip(frames: frames.count)
      limiter.rest()
      return
    }
    for index in voices.indices where voices[index].life != .free {
      voices[index].render(frames, into: &block)
    }
    ambience.render(frames, into: &block)
    for frame in frames {
      let factor = volume.next()
      let left = block[2 * frame] * factor
      let right = block[2 * frame + 1] * factor
      let gain = limiter.gain(for: max(left.magnitude, right.magnitude))
      block[2 * frame] = left * gain
      block[2 * frame + 1] = right * gain
    }
  }
}

/// A factor that moves to its target in a straight line.
struct Ramp {
  private(set) var value: Float
  private var target: Float
  private var step: Float = 0
  private var framesLeft = 0

  init(value: Float) {
    self.value = value
    target = value
  }

  mutating func lead(to target: Float, frames: Int) {
    self.target = target
    framesLeft = frames
    step = (target - value) / Float(frames)
  }

  mutating func next() -> Float {
    guard framesLeft > 0 else { return value }
    framesLeft -= 1
    value = framesLeft == 0 ? target : value + step
    return value
  }

  mutating func skip(frames: Int) {
    guard framesLeft > 0 else { return }
    let passed = min(frames, framesLeft)
    framesLeft -= passed
    value = framesLeft == 0 ? target : value + step * Float(passed)
  }
}

/// Keeps the bus below full scale by turning it down, both channels alike.
///
/// It looks at no future sample, so it delays nothing and moves no onset; it turns down at once and
/// lets go slowly. Below the knee (-3 dBFS) it does nothing at all.
struct Limiter {
  private static let knee: Float = 0.708
  private static let ceiling: Float = 0.98
  /// How much of the turning down is left after one frame: about a third of a second to let go.
  private static let release: Float = 0.99994

  private var envelope: Float = 0

  mutating func gain(for peak: Float) -> Float {
    envelope = max(peak, envelope * Limiter.release)
    guard envelope > Limiter.knee else { return 1 }
    let span = Limiter.ceiling - Limiter.knee
    let excess = (envelope - Limiter.knee) / span
    return (Limiter.knee + span * excess / (1 + excess)) / envelope
  }

  mutating func rest() { envelope = 0 }
}
