/// One mode of vibration of a bell: a pair of decaying sine waves.
///
/// No real bell is perfectly round, so each mode is two, a little apart in frequency; what the ear
/// hears of it is a beat.
public struct Partial: Equatable, Sendable {
  /// The mean frequency of the pair, in hertz.
  public var frequencyHertz: Double
  /// The time in which it falls by 60 dB, in seconds.
  public var decaySeconds: Double
  /// The amplitude of the first of the pair, relative to the sound's other partials.
  public var level: Double
  /// The distance of the pair in hertz: so many beats a second.
  public var beatHertz: Double
  /// The amplitude of the second of the pair relative to the first, 0 to 1: how deep the beat is.
  public var pairRatio: Double

  /// Makes a partial.
  public init(
    frequencyHertz: Double, decaySeconds: Double, level: Double, beatHertz: Double,
    pairRatio: Double
  ) {
    self.frequencyHertz = frequencyHertz
    self.decaySeconds = decaySeconds
    self.level = level
    self.beatHertz = beatHertz
    self.pairRatio = pairRatio
  }
}

/// What a strike has besides its partials: the rustle of a mallet, or the knock of wood, which has
/// no pitch.
public struct StrikeNoise: Equatable, Sendable {
  /// Its amplitude before the filters, relative to the levels of the partials.
  public var level: Double
  /// The time in which it falls by 60 dB, in seconds.
  public var decaySeconds: Double
  /// Below this it falls by 6 dB an octave, in hertz.
  public var lowHertz: Double
  /// Above this it falls by 12 dB an octave, in hertz.
  public var highHertz: Double

  /// Makes a noise.
  public init(level: Double, decaySeconds: Double, lowHertz: Double, highHertz: Double) {
    self.level = level
    self.decaySeconds = decaySeconds
    self.lowHertz = lowHertz
    self.highHertz = highHertz
  }
}

/// What strikes a sound, and how.
public struct Mallet: Equatable, Sendable {
  /// How long it stays on the bell at a full strike, in seconds. The partials' levels are those
  /// after this contact; every partial rises over it as a raised cosine.
  public var contactSeconds: Double
  /// The exponent p by which its force grows with its compression: 1.5 between hard round bodies
  /// (Hertz 1882), 2.2 to 3.5 for felt (Hall and Askenfelt 1988).
  public var hardening: Double

  /// Makes a mallet.
  public init(contactSeconds: Double, hardening: Double = 2.5) {
    self.contactSeconds = contactSeconds
    self.hardening = hardening
  }

  /// How long the contact of a strike lasts. A mallet of mass m on a spring `F = K x^p` stays for
  /// a time that goes with its speed as v^((1 - p) / (1 + p)): with Hertz's p the known v^(-1/5).
  /// - Parameter strength: the speed of the mallet, relative to a full strike.
  func contactSeconds(strength: Double) -> Double {
    let power = (1 - hardening) / (1 + hardening)
    return contactSeconds * Mathematics.exponential(power * Mathematics.logarithm(strength))
  }

  /// How much of a partial a strike brings forth, relative to a full one: its momentum, times what
  /// the spectrum of the longer contact leaves at that frequency.
  func share(ofHertz frequency: Double, strength: Double) -> Double {
    strength * spectrum(frequency * contactSeconds(strength: strength))
      / spectrum(frequency * contactSeconds)
  }

  /// The spectrum of the pulse of force, relative to its value at 0. The compression goes as half
  /// a sine, and the force as its power p: between hard bodies that is near half a sine, while that
  /// of felt begins and ends without a kink, as the square of half a sine does. Beyond the middle
  /// of the first side lobe it is the envelope of the lobes, since no real pulse is so regular that
  /// a partial could fall into a gap between them.
  /// - Parameter cycles: the frequency times the length of the pulse.
  private func spectrum(_ cycles: Double) -> Double {
    hardening < 2 ? Mallet.halfSine(cycles) : Mallet.halfSineSquared(cycles)
  }

  private static func halfSine(_ cycles: Double) -> Double {
    let denominator = 4 * cycles * cycles - 1
    if cycles >= 1 { return 1 / denominator }
    if denominator.magnitude < 1e-6 { return .pi / 4 }
    return -Mathematics.cosine(.pi * cycles) / denominator
  }

  private static func halfSineSquared(_ cycles: Double) -> Double {
    let denominator = .pi * cycles * (1 - cycles * cycles)
    if cycles >= 1.5 { return -1 / denominator }
    if cycles < 1e-6 { return 1 }
    if denominator.magnitude < 1e-6 { return 0.5 }
    return Mathematics.sine(.pi * cycles) / denominator
  }
}

/// A sound as a recipe: it is rendered as it sounds, so it costs no memory, its tail is as long as
/// its decays say, and its definition is small enough to be shared.
public struct Sound: Equatable, Sendable {
  /// What a sound is for.
  public enum Kind: UInt8, Sendable {
    /// It can ring for a role.
    case bell
    /// It answers a hand, and is not offered as a bell.
    case cue
  }

  /// How many partials a sound can have.
  public static let maximumPartials = 16

  /// The amplitude at which a sound counts as gone: -100 dB of full scale. With the loudest strike
  /// at the sound pressure of a raised voice this is below the threshold of hearing.
  public static let inaudibleAmplitude = 1e-5

  /// In what time the inaudible rest of a sound is led to zero.
  static let releaseSeconds = 0.2

  /// What the sound is called in settings.
  public var name: String
  /// What it is, for people.
  public var title: String
  /// Where its figures come from.
  public var source: String
  /// What it is for.
  public var kind: Kind
  /// Its modes.
  public var partials: [Partial]
  /// What strikes it.
  public var mallet: Mallet
  /// What it has besides its modes.
  public var noise: StrikeNoise?
  /// How far the members of a pair stand apart in stereo: 0 is both in the middle, 1 is one each.
  public var width: Double
  /// The factor from the partials' levels to full scale, chosen by measurement: see
  /// `sounds/README.md`.
  public var amplitude: Double
  /// That factor for a small loudspeaker.
  public var smallAmplitude: Double
  /// What is played in place of partials, if the sound is somebody's recording.
  public let recording: Recording?

  /// Makes a sound of a recording.
  public init(name: String, source: String, recording: Recording) {
    self.name = name
    self.title = name
    self.source = source
    self.recording = recording
    kind = .bell
    partials = []
    mallet = Mallet(contactSeconds: 0.001)
    noise = nil
    width = 0
    amplitude = 1
    smallAmplitude = 1
  }

  /// Makes a sound.
  /// - Precondition: there are 1 to `maximumPartials` partials, each with a frequency and a decay
  ///   above zero, and the contact is longer than zero.
  public init(
    name: String, title: String, source: String, kind: Kind = .bell, partials: [Partial],
    mallet: Mallet, noise: StrikeNoise? = nil, width: Double = 0.15, amplitude: Double,
    smallAmplitude: Double
  ) {
    precondition(
      !partials.isEmpty && partials.count <= Sound.maximumPartials,
      "a sound has 1 to 16 partials")
    for partial in partials {
      precondition(
        partial.frequencyHertz > 0 && partial.decaySeconds > 0,
        "a partial has a frequency and a decay above zero")
    }
    precondition(
      mallet.contactSeconds > 0 && mallet.hardening >= 1, "a sound rises over some time")
    self.name = name
    self.title = title
    self.source = source
    self.kind = kind
    self.partials = partials
    self.mallet = mallet
    self.noise = noise
    self.width = width
    self.amplitude = amplitude
    self.smallAmplitude = smallAmplitude
    recording = nil
  }

  /// Makes a plain sound, struck softly.
  public init(
    name: String, source: String, partials: [Partial], onsetSeconds: Double, amplitude: Double
  ) {
    self.init(
      name: name, title: name, source: source, partials: partials,
      mallet: Mallet(contactSeconds: onsetSeconds), amplitude: amplitude,
      smallAmplitude: amplitude)
  }

  /// Whether it can ring for a role.
  public var isBell: Bool { kind == .bell }

  /// How long a strike of gain 1 is heard, in seconds, until nothing of it exceeds
  /// `inaudibleAmplitude`, and the moment after in which that rest is led to zero. Its tail is
  /// never cut before that.
  public var seconds: Double {
    if let recording { return Double(recording.frameCount) / Double(Recording.rateHertz) }
    // Each partial alone first, then by how much all together are still above what is inaudible.
    var alone = 0.0
    var slowest = 0.0
    for partial in partials {
      let level = partial.level * (1 + partial.pairRatio) * amplitude * (1 + width)
      slowest = max(slowest, partial.decaySeconds)
      guard level > Sound.inaudibleAmplitude else { continue }
      let fall = Mathematics.logarithm(level / Sound.inaudibleAmplitude)
      alone = max(alone, fall * partial.decaySeconds / decayPerT60)
    }
    let rest = amplitudeBound(after: alone) / Sound.inaudibleAmplitude
    if rest > 1 { alone += Mathematics.logarithm(rest) * slowest / decayPerT60 }
    if let noise, noise.level * amplitude > Sound.inaudibleAmplitude {
      let fall = Mathematics.logarithm(noise.level * amplitude / Sound.inaudibleAmplitude)
      alone = max(alone, fall * noise.decaySeconds / decayPerT60)
    }
    return mallet.contactSeconds + alone + Sound.releaseSeconds
  }

  /// The greatest amplitude that one channel can have at a time after the strike.
  private func amplitudeBound(after seconds: Double) -> Double {
    var sum = 0.0
    for partial in partials {
      let decay = Mathematics.exponential(-decayPerT60 * seconds / partial.decaySeconds)
      sum += partial.level * (1 + partial.pairRatio) * decay
    }
    return sum * amplitude * (1 + width)
  }
}

/// ln(1000): a fall of 60 dB as a power of e.
let decayPerT60 = 6.907755278982137
