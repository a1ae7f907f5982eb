/// All sounds that ring, mixed to interleaved stereo.
///
/// Invariants:
/// - Each sound that rings on a channel has one bank; a further strike adds to it, so tails are
///   never cut. A recording has players of its own, which are bounded likewise.
/// - At most `maximumRinging` banks ring. For one more, the quietest is given up within 50 ms. As
///   many again may be dying away; should those run out too, the quietest of them is taken at once.
/// - No output sample reaches full scale, whatever is struck.
/// - Nothing here allocates after `init`, and no result depends on how frames are split into
///   blocks.
public struct Mixer: Instrument, ~Copyable {
  /// How many sounds can ring at once.
  public static let maximumRinging = 16

  /// The frames per second it renders for.
  public private(set) var rateHertz: Int

  private let sounds: [Sound]
  private var voices: [Voice]
  private var players: RecordingPlayers
  private var limiter = Limiter()
  /// One a channel.
  private var volumes: [Ramp]
  private var ambience: Ambience
  /// Room for a chunk of a bank's frames.
  private var scratch: [Double]

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
    volumes = Array(repeating: Ramp(value: 1), count: Volumes.channelCount)
    scratch = Array(repeating: 0, count: 2 * Voice.chunkFrames)
    ambience = Ambience(rateHertz: rateHertz)
    players = RecordingPlayers(rateHertz: rateHertz)
  }

  private static func check(_ rateHertz: Int) {
    precondition((8_000...384_000).contains(rateHertz), "a rate is 8,000 to 384,000 Hz")
  }

  /// Whether nothing rings.
  public var isSilent: Bool {
    for voice in voices where voice.life != .free { return false }
    return players.isSilent && ambience.isSilent
  }

  /// How often the limiter has begun to turn the bus down.
  public var limiterActivations: Int { limiter.activations }

  /// How many banks ring, without those that are dying away after a damping.
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
    players.retune(rateHertz: rateHertz)
    ambience.retune(rateHertz: rateHertz)
  }

  /// Sets the volumes in perceived steps: an amplitude is the cube of the fraction. They are
  /// reached within 20 ms, without a click; at once while nothing rings.
  public mutating func setVolumes(_ volumes: Volumes) {
    let frames = isSilent ? 0 : max(1, rateHertz / 50)
    for channel in self.volumes.indices {
      let fraction = Float(volumes[channel]) / 100
      self.volumes[channel].lead(to: fraction * fraction * fraction, frames: frames)
    }
  }

  /// Sets what sounds under the bells from now on.
  public mutating func setAmbient(_ ambient: AmbientSound?) { ambience.lead(to: ambient) }

  /// Ends what sounds under the bells within 300 ms.
  public mutating func endAmbient() { ambience.end() }

  /// Strikes a sound. The first frame of the strike, which is zero, is the next one rendered.
  /// - Precondition: there is such a sound and such a channel, the gain is not negative, and the
  ///   strength is above 0 and at most 1.
  public mutating func strike(_ strike: Strike) {
    precondition(sounds.indices.contains(strike.sound), "there is no such sound")
    precondition(strike.gain >= 0, "a gain is not negative")
    precondition(strike.strength > 0 && strike.strength <= 1, "a strength is above 0, at most 1")
    precondition(volumes.indices.contains(Int(strike.channel)), "there is no such channel")
    // What only answers a hand is no bell that one would listen to.
    if sounds[strike.sound].isBell { ambience.makeRoom() }
    if let recording = sounds[strike.sound].recording {
      players.strike(strike, of: recording)
      return
    }
    let bank = bank(for: strike.sound, channel: Int(strike.channel))
    // Nobody strikes more softly than this and is heard.
    let strength = max(0.001, Double(strike.strength))
    voices[bank].strike(
      sounds[strike.sound], gain: Double(strike.gain), strength: strength, rateHertz: rateHertz)
  }

  /// The bank that rings this sound on this channel, or else a free one tuned to it.
  private mutating func bank(for sound: Int, channel: Int) -> Int {
    for index in voices.indices
    where voices[index].life == .ringing && voices[index].sound == sound
      && voices[index].channel == channel
    {
      return index
    }
    if ringing == Mixer.maximumRinging, let quietest = quietest(.ringing) {
      voices[quietest].leave(withinSeconds: 0.05, highFirst: false, rateHertz: rateHertz)
    }
    let bank = firstFree ?? quietest(.leaving) ?? 0
    voices[bank].tune(to: sounds[sound], index: sound, channel: channel, rateHertz: rateHertz)
    return bank
  }

  private var firstFree: Int? {
    for index in voices.indices where voices[index].life == .free { return index }
    return nil
  }

  private func quietest(_ life: Voice.Life) -> Int? {
    var best: Int?
    var least = 0.0
    for index in voices.indices where voices[index].life == life {
      let heard = voices[index].amplitude * Double(volumes[voices[index].channel].value)
      guard best == nil || heard < least else { continue }
      (best, least) = (index, heard)
    }
    return best
  }

  /// Stops all that rings as a hand does it: gone within 300 ms, high partials first. A strike
  /// after it is whole.
  public mutating func damp() {
    players.damp()
    for index in voices.indices where voices[index].life == .ringing {
      voices[index].leave(withinSeconds: 0.3, highFirst: true, rateHertz: rateHertz)
    }
  }

  /// Lets time pass without rendering it, as when an output was away: what rings has rung on.
  public mutating func skip(frames: Int) {
    precondition(frames >= 0, "time does not run backwards")
    for index in voices.indices where voices[index].life != .free {
      voices[index].skip(frames: frames, rateHertz: rateHertz)
    }
    for channel in volumes.indices { volumes[channel].skip(frames: frames) }
    players.skip(frames: frames, sounds: sounds)
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
      pass(frames.count)
      limiter.rest()
      return
    }
    renderAmbience(frames, into: &block)
    for index in voices.indices where voices[index].life != .free {
      voices[index].render(
        frames, volume: volumes[voices[index].channel], rateHertz: rateHertz, scratch: &scratch,
        into: &block)
    }
    players.render(frames, of: sounds, volumes: volumes, into: &block)
    pass(frames.count)
    for frame in frames {
      let left = block[2 * frame]
      let right = block[2 * frame + 1]
      let gain = limiter.gain(for: max(left.magnitude, right.magnitude))
      block[2 * frame] = left * gain
      block[2 * frame + 1] = right * gain
    }
  }

  /// What sounds under the bells follows the box's own volume.
  private mutating func renderAmbience(_ frames: Range<Int>, into block: inout [Float]) {
    guard !ambience.isSilent else { return }
    ambience.render(frames, into: &block)
    var volume = volumes[0]
    for frame in frames {
      let factor = volume.next()
      block[2 * frame] *= factor
      block[2 * frame + 1] *= factor
    }
  }

  private mutating func pass(_ frames: Int) {
    for channel in volumes.indices { volumes[channel].skip(frames: frames) }
  }
}

/// A factor that moves to its target in a straight line. Where it is depends on the frames that
/// have passed alone, and not on how they were counted.
struct Ramp {
  private var origin: Float
  private var target: Float
  private var length = 0
  private var passed = 0

  init(value: Float) {
    origin = value
    target = value
  }

  var value: Float {
    passed >= length ? target : origin + (target - origin) * Float(passed) / Float(length)
  }

  /// Sets out for a target; with no frames it is there.
  mutating func lead(to target: Float, frames: Int) {
    origin = value
    self.target = target
    length = frames
    passed = 0
  }

  @inline(__always)
  mutating func next() -> Float {
    guard passed < length else { return target }
    passed += 1
    return value
  }

  mutating func skip(frames: Int) { passed = min(length, passed + frames) }
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
  private(set) var activations = 0

  mutating func gain(for peak: Float) -> Float {
    let before = envelope
    envelope = max(peak, envelope * Limiter.release)
    if envelope > Limiter.knee, before <= Limiter.knee { activations += 1 }
    guard envelope > Limiter.knee else { return 1 }
    let span = Limiter.ceiling - Limiter.knee
    let excess = (envelope - Limiter.knee) / span
    return (Limiter.knee + span * excess / (1 + excess)) / envelope
  }

  mutating func rest() { envelope = 0 }
}
