/// What sounds under the bells: a fire or rain, made as it sounds, so that it has no loop and no
/// seam.
///
/// Both are of the kind that A. Farnell describes in "Designing Sound" (MIT Press 2010, the
/// chapters on fire and rain; from memory): noise shaped by filters for the mass of small events,
/// and single events with random times, pitches and levels for those that are heard one by one.
/// Levels and rates are chosen by ear and by meter.
///
/// Invariants:
/// - Each sound has a fade of its own, so that one goes over into the other and a wish that changes
///   in the middle of a fade turns it round without a step.
/// - The same rate and the same wishes on the same frames give the same sound, however the frames
///   are split into blocks.
/// - Nothing here allocates after `init`.
struct Ambience {
  /// By how much faster a sound is ended: from full it takes 0.27 s.
  fileprivate static let endingSpeed = 15

  private var fire: FireTexture
  private var rain: RainTexture
  private var fireFade = Fade()
  private var rainFade = Fade()
  private var duck = Duck()
  private var rateHertz: Int

  init(rateHertz: Int) {
    fire = FireTexture(rateHertz: rateHertz)
    rain = RainTexture(rateHertz: rateHertz)
    self.rateHertz = rateHertz
    duck.retune(rateHertz: rateHertz)
    fireFade.retune(rateHertz: rateHertz)
    rainFade.retune(rateHertz: rateHertz)
  }

  /// Whether nothing sounds and nothing is wanted.
  var isSilent: Bool { fireFade.isSilent && rainFade.isSilent }

  /// Goes over to another sound, or to none, in some seconds.
  mutating func lead(to ambient: AmbientSound?) {
    fireFade.lead(isWanted: ambient == .fire)
    rainFade.lead(isWanted: ambient == .rain)
  }

  /// Goes over to none at once, as far as an ear is not startled.
  mutating func end() {
    fireFade.end()
    rainFade.end()
  }

  /// Makes room for a bell that is struck now: some decibels less for a while.
  mutating func makeRoom() { duck.begin(rateHertz: rateHertz) }

  /// Renders for another rate from now on.
  mutating func retune(rateHertz: Int) {
    guard rateHertz != self.rateHertz else { return }
    self.rateHertz = rateHertz
    fire.retune(rateHertz: rateHertz)
    rain.retune(rateHertz: rateHertz)
    duck.retune(rateHertz: rateHertz)
    fireFade.retune(rateHertz: rateHertz)
    rainFade.retune(rateHertz: rateHertz)
  }

  /// Adds the next frames to a block of interleaved stereo.
  mutating func render(_ frames: Range<Int>, into block: inout [Float]) {
    guard !isSilent else { return }
    for frame in frames {
      let room = duck.next()
      if !fireFade.isSilent {
        let sample: SIMD2<Float> = fire.next() * SIMD2(repeating: fireFade.next() * room)
        block[2 * frame] += sample.x
        block[2 * frame + 1] += sample.y
      }
      if !rainFade.isSilent {
        let sample: SIMD2<Float> = rain.next() * SIMD2(repeating: rainFade.next() * room)
        block[2 * frame] += sample.x
        block[2 * frame + 1] += sample.y
      }
    }
  }

  /// Lets time pass without being heard. The fades go on; a fire or rain of which nothing was heard
  /// is as good as the one before it.
  mutating func skip(frames: Int) {
    fireFade.skip(frames: frames)
    rainFade.skip(frames: frames)
    duck.skip(frames: frames)
  }
}

/// A level between 0 and 1 that follows a wish in a raised cosine.
private struct Fade {
  private var isWanted = false
  private var speed = 1
  /// How far it is from silent to full, in frames, and how many that takes.
  private var position = 0
  private var length = 1

  var isSilent: Bool { !isWanted && position == 0 }

  mutating func lead(isWanted: Bool) {
    self.isWanted = isWanted
    speed = 1
  }

  mutating func end() {
    isWanted = false
    speed = Ambience.endingSpeed
  }

  mutating func retune(rateHertz: Int) {
    let new = AmbientSound.fadeSeconds * rateHertz
    position = position * new / length
    length = new
  }

  mutating func next() -> Float {
    if isWanted {
      position = min(length, position + 1)
      if position == length { return 1 }
    } else {
      position = max(0, position - speed)
    }
    let angle = Double.pi * Double(position) / Double(length)
    return Float(0.5 - 0.5 * Mathematics.cosine(angle))
  }

  mutating func skip(frames: Int) {
    position = isWanted ? min(length, position + frames) : max(0, position - frames * speed)
  }
}

/// A level that goes down by 4 dB while a bell is young, and comes back slowly.
private struct Duck {
  private static let low: Float = 0.63
  private static let holdSeconds = 3
  private static let fallSeconds = 0.15
  private static let riseSeconds = 2.5

  private var level: Float = 1
  private var framesLeft = 0
  private var fall: Float = 0
  private var rise: Float = 0

  mutating func retune(rateHertz: Int) {
    let rate = Double(rateHertz)
    fall = Float(1 - Mathematics.exponential(-1 / (Duck.fallSeconds * rate)))
    rise = Float(1 - Mathematics.exponential(-1 / (Duck.riseSeconds * rate)))
    level = 1
    framesLeft = 0
  }

  mutating func begin(rateHertz: Int) { framesLeft = Duck.holdSeconds * rateHertz }

  mutating func next() -> Float {
    if framesLeft > 0 {
      framesLeft -= 1
      level += (Duck.low - level) * fall
    } else {
      level += (1 - level) * rise
    }
    return level
  }

  mutating func skip(frames: Int) {
    framesLeft = max(0, framesLeft - frames)
    if framesLeft == 0 { level = 1 }
  }
}
