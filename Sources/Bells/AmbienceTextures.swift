import Ticks

/// A fire of wood: the rumble of the flames in slow gusts, the hiss of the draught, and crackles,
/// which are short resonances with a burst of noise, mostly quiet and now and then loud.
struct FireTexture {
  private var noise = WhiteNoise(seed: 0x46_4952_45)
  private var grains = Grains()
  private var parts: Parts

  /// What depends on the rate.
  private struct Parts {
    var gust: Wander
    var spell: Wander
    var rumble: Band
    var hiss: Band
    var rate: Double
    /// How likely one crackle a second is in one frame.
    var chance: Float

    init(rateHertz: Int) {
      rate = Double(rateHertz)
      chance = Float(1 / rate)
      gust = Wander(seconds: 0.9, rate: rate)
      spell = Wander(seconds: 2.5, rate: rate)
      rumble = Band(lowHertz: 35, highHertz: 110, rate: rate)
      hiss = Band(lowHertz: 900, highHertz: 3_500, rate: rate)
    }
  }

  init(rateHertz: Int) { parts = Parts(rateHertz: rateHertz) }

  /// Begins anew for another rate.
  mutating func retune(rateHertz: Int) {
    parts = Parts(rateHertz: rateHertz)
    grains.clear()
  }

  mutating func next() -> SIMD2<Float> {
    let wind = parts.gust.next(&noise)
    let white = noise.stereo()
    let low = parts.rumble.next(white * 0.55 + SIMD2(repeating: white.x + white.y) * 0.35)
    let air = parts.hiss.next(white)
    // Crackles come in spells: none for moments, then a dozen in a second.
    let liveliness = parts.spell.next(&noise)
    let wanted = 3 + 20 * liveliness * liveliness * liveliness
    if noise.unit() < parts.chance * wanted { crackle() }
    let flames = low * (0.22 + 0.38 * wind) + air * (0.019 + 0.05 * wind * wind)
    return flames + grains.next(burst: noise.stereo())
  }

  private mutating func crackle() {
    let hertz = pitch(fromHertz: 800, octaves: 3.3, spread: (noise.unit() + noise.unit()) / 2)
    let strength = noise.unit()
    // Few are large: they are louder and longer.
    let level = 0.01 + 0.09 * strength * strength * strength
    let grain = Grain(
      hertz: hertz, decaySeconds: Double(0.001 + 0.0018 * strength), riseSeconds: 0.0002,
      rate: parts.rate)
    grains.add(grain, level: level, burst: level, place: noise.signed())
  }
}

/// Rain: the wash of a great many drops as noise, and the near ones, each of which rings with the
/// pitch of the bubble that it makes.
struct RainTexture {
  private var noise = WhiteNoise(seed: 0x52_4149_4E)
  private var grains = Grains()
  private var parts: Parts

  /// What depends on the rate.
  private struct Parts {
    var swell: Wander
    var wash: Band
    var patter: Band
    var rate: Double
    /// How likely the drops of a second are in one frame.
    var chance: Float

    init(rateHertz: Int) {
      rate = Double(rateHertz)
      chance = Float(70 / rate)
      swell = Wander(seconds: 3, rate: rate)
      wash = Band(lowHertz: 350, highHertz: 1_600, rate: rate)
      patter = Band(lowHertz: 1_800, highHertz: 7_000, rate: rate)
    }
  }

  init(rateHertz: Int) { parts = Parts(rateHertz: rateHertz) }

  /// Begins anew for another rate.
  mutating func retune(rateHertz: Int) {
    parts = Parts(rateHertz: rateHertz)
    grains.clear()
  }

  mutating func next() -> SIMD2<Float> {
    let force = parts.swell.next(&noise)
    let white = noise.stereo()
    let body = parts.wash.next(white) * (0.052 + 0.02 * force)
    let spray = parts.patter.next(white) * (0.021 + 0.016 * force)
    if noise.unit() < parts.chance * (0.6 + 0.8 * force) { drop() }
    return body + spray + grains.next(burst: .zero)
  }

  private mutating func drop() {
    // A bubble's pitch falls with its size (Minnaert 1933). Spread over octaves, and thinner
    // towards both ends, so that no pitch stands out of the others.
    let hertz = pitch(fromHertz: 650, octaves: 3.8, spread: (noise.unit() + noise.unit()) / 2)
    let near = noise.unit()
    let grain = Grain(
      hertz: hertz, decaySeconds: 0.002 + 16 / hertz, riseSeconds: 0.001, rate: parts.rate)
    grains.add(
      grain, level: 0.0046 + 0.016 * near * near * near, burst: 0, place: noise.signed())
  }
}

/// A pitch some octaves above another, evenly spread to the ear.
/// - Parameter spread: from 0, the lowest, to 1.
private func pitch(fromHertz lowest: Double, octaves: Double, spread: Float) -> Double {
  lowest * Mathematics.exponential(0.693_147_2 * octaves * Double(spread))
}

/// White noise, two samples from each number.
struct WhiteNoise {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Two independent samples, evenly spread between -1 and 1.
  mutating func stereo() -> SIMD2<Float> {
    let bits = generator.next()
    return SIMD2(
      Float(Int32(truncatingIfNeeded: bits)), Float(Int32(truncatingIfNeeded: bits >> 32)))
      * 4.656_612_9e-10
  }

  /// Evenly spread between 0 and 1.
  mutating func unit() -> Float { Float(generator.next() >> 40) * 5.960_464_5e-8 }

  /// Evenly spread between -1 and 1.
  mutating func signed() -> Float { 2 * unit() - 1 }
}

/// A level between 0 and 1 that drifts: now and then it chooses another, and goes there softly.
struct Wander {
  private var target: Float = 0.5
  private var middle: Float = 0.5
  private var value: Float = 0.5
  private var framesLeft = 0
  private let smoothing: Float
  private let framesOfStep: Float

  init(seconds: Double, rate: Double) {
    smoothing = Float(1 - Mathematics.exponential(-3 / (seconds * rate)))
    framesOfStep = Float(seconds * rate)
  }

  mutating func next(_ noise: inout WhiteNoise) -> Float {
    if framesLeft == 0 {
      target = noise.unit()
      framesLeft = 1 + Int(framesOfStep * (0.4 + 1.2 * noise.unit()))
    }
    framesLeft -= 1
    middle += (target - middle) * smoothing
    value += (middle - value) * smoothing
    return value
  }
}

/// What lies between two frequencies, with slopes of 12 dB an octave below and above; nothing at 0.
struct Band {
  private let low: Float
  private let high: Float
  private var states: (SIMD2<Float>, SIMD2<Float>, SIMD2<Float>, SIMD2<Float>)

  init(lowHertz: Double, highHertz: Double, rate: Double) {
    low = Band.share(lowHertz, rate)
    high = Band.share(min(highHertz, 0.4 * rate), rate)
    states = (.zero, .zero, .zero, .zero)
  }

  /// How much of the way a one-pole low-pass goes in one frame.
  private static func share(_ hertz: Double, _ rate: Double) -> Float {
    Float(1 - Mathematics.exponential(-2 * .pi * hertz / rate))
  }

  mutating func next(_ sample: SIMD2<Float>) -> SIMD2<Float> {
    states.0 += (sample - states.0) * high
    states.1 += (states.0 - states.1) * high
    states.2 += (states.1 - states.2) * low
    let above = states.1 - states.2
    states.3 += (above - states.3) * low
    return above - states.3
  }
}

/// A short resonance: a point that turns and shrinks once a frame; its height is heard.
struct Grain {
  private var across: Float = 0
  private var up: Float = 0
  private let turnAcross: Float
  private let turnUp: Float
  private let shrink: Float
  /// The rise of the noise that comes with it, and its level, which falls as the resonance does.
  private var level: Float = 0
  private var burst: Float = 0
  private var risen: Float = 0
  private let rise: Float
  private var sides = SIMD2<Float>(0, 0)

  /// A grain of which nothing is heard.
  static let silent = Grain(hertz: 1_000, decaySeconds: 0.001, riseSeconds: 0.001, rate: 48_000)

  init(hertz: Double, decaySeconds: Double, riseSeconds: Double, rate: Double) {
    let angle = 2 * .pi * min(hertz, 0.4 * rate) / rate
    turnAcross = Float(Mathematics.cosine(angle))
    turnUp = Float(Mathematics.sine(angle))
    shrink = Float(Mathematics.exponential(-1 / (decaySeconds * rate)))
    rise = Float(1 - Mathematics.exponential(-1 / (riseSeconds * rate)))
  }

  /// Begins to sound.
  /// - Parameter place: from -1, left, to 1, right.
  mutating func begin(level: Float, burst: Float, place: Float) {
    across = 1
    up = 0
    self.level = level
    self.burst = burst
    sides = SIMD2(0.5 - 0.4 * place, 0.5 + 0.4 * place) * 2
  }

  var isOver: Bool { level < 1e-6 }

  mutating func next(burst white: SIMD2<Float>) -> SIMD2<Float> {
    risen += (1 - risen) * rise
    let turned = across * turnAcross - up * turnUp
    up = across * turnUp + up * turnAcross
    across = turned
    level *= shrink
    burst *= shrink * shrink
    return (sides * (up * level) + sides * white * burst) * risen
  }
}

/// Grains that sound at the same time. One more than there is room for is left out: nobody can
/// count them.
struct Grains {
  private static let maximumSounding = 12

  private var grains: [Grain]
  private var count = 0

  init() {
    grains = Array(repeating: Grain.silent, count: Grains.maximumSounding)
  }

  mutating func clear() { count = 0 }

  mutating func add(_ grain: Grain, level: Float, burst: Float, place: Float) {
    guard count < Grains.maximumSounding else { return }
    grains[count] = grain
    grains[count].begin(level: level, burst: burst, place: place)
    count += 1
  }

  mutating func next(burst: SIMD2<Float>) -> SIMD2<Float> {
    var sum = SIMD2<Float>.zero
    var index = 0
    while index < count {
      sum += grains[index].next(burst: burst)
      if grains[index].isOver {
        count -= 1
        grains[index] = grains[count]
      } else {
        index += 1
      }
    }
    return sum
  }
}
