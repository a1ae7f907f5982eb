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

/// A sound as a recipe: it is rendered as it sounds, so it costs no memory, its tail is as long as
/// its decays say, and its definition is small enough to be shared.
public struct Sound: Equatable, Sendable {
  /// How many partials a sound can have.
  public static let maximumPartials = 16

  /// The amplitude at which a sound counts as gone: -100 dB of full scale. With the loudest strike
  /// at the sound pressure of a raised voice this is below the threshold of hearing.
  public static let inaudibleAmplitude = 1e-5

  /// How far the members of a pair stand apart in stereo: 0 is both in the middle, 1 is one each.
  static let pairWidth = 0.15

  /// What the sound is called in settings.
  public var name: String
  /// Where its figures come from.
  public var source: String
  /// Its modes.
  public var partials: [Partial]
  /// How long the mallet feeds the bell, in seconds: every partial rises over it as a raised
  /// cosine from exactly zero. The partials' levels are those after this contact.
  public var onsetSeconds: Double
  /// The factor from the partials' levels to full scale, chosen so that a strike of gain 1 has a
  /// greatest momentary loudness (400 ms, ITU-R BS.1770) of -18 LUFS and a true peak of at most
  /// -6 dBTP.
  public var amplitude: Double
  /// What is played in place of partials, if the sound is somebody's recording.
  public let recording: Recording?

  /// Makes a sound of a recording.
  public init(name: String, source: String, recording: Recording) {
    self.name = name
    self.source = source
    self.recording = recording
    partials = []
    onsetSeconds = 0
    amplitude = 1
  }

  /// Makes a sound.
  /// - Precondition: there are 1 to `maximumPartials` partials, each with a frequency and a decay
  ///   above zero, and the onset is longer than zero.
  public init(
    name: String, source: String, partials: [Partial], onsetSeconds: Double, amplitude: Double
  ) {
    precondition(
      !partials.isEmpty && partials.count <= Sound.maximumPartials,
      "a sound has 1 to 16 partials")
    for partial in partials {
      precondition(
        partial.frequencyHertz > 0 && partial.decaySeconds > 0,
        "a partial has a frequency and a decay above zero")
    }
    precondition(onsetSeconds > 0, "a sound rises over some time")
    self.name = name
    self.source = source
    self.partials = partials
    self.onsetSeconds = onsetSeconds
    self.amplitude = amplitude
    recording = nil
  }

  /// How long a strike of gain 1 is heard, in seconds, until nothing of it exceeds
  /// `inaudibleAmplitude`. Its tail is never cut before that.
  public var seconds: Double {
    if let recording { return Double(recording.frameCount) / Double(Recording.rateHertz) }
    var slowest = 0.0
    for partial in partials where partial.decaySeconds > slowest { slowest = partial.decaySeconds }
    let total = amplitudeBound(after: 0)
    guard total > Sound.inaudibleAmplitude else { return onsetSeconds }
    // All partials decaying like the slowest is an upper bound; the answer is found by halving.
    var early = 0.0
    var late = slowest * Mathematics.logarithm(total / Sound.inaudibleAmplitude) / decayPerT60
    for _ in 0..<40 {
      let middle = (early + late) / 2
      if amplitudeBound(after: middle) > Sound.inaudibleAmplitude {
        early = middle
      } else {
        late = middle
      }
    }
    return late
  }

  /// The greatest amplitude that one channel can have at a time after the strike.
  private func amplitudeBound(after seconds: Double) -> Double {
    var sum = 0.0
    for partial in partials {
      let decay = Mathematics.exponential(-decayPerT60 * seconds / partial.decaySeconds)
      sum += partial.level * (1 + partial.pairRatio) * decay
    }
    return sum * amplitude * (1 + Sound.pairWidth)
  }
}

/// ln(1000): a fall of 60 dB as a power of e.
let decayPerT60 = 6.907755278982137

extension Sound {
  /// The built-in sounds. `Strike.sound` is a position in this list.
  public static let catalogue: [Sound] = [largeBowl]

  /// The position of a built-in sound in the catalogue, or `nil` if none has that name.
  public static func index(named name: String) -> Int? {
    for index in catalogue.indices where catalogue[index].name == name { return index }
    return nil
  }

  /// A large singing bowl, 180 mm wide, 934 g, struck with a suede mallet.
  ///
  /// The frequencies are the seven modes (2,0) to (8,0) measured by O. Inácio, L. Henrique and
  /// J. Antunes, "The Dynamics of Tibetan Singing Bowls", Acta Acustica 92 (2006), as listed in the
  /// modal appendix of the Csound manual. Decays, levels and beats are chosen inside the ranges
  /// measured there (modal damping of about 0.005 %, splits of 0.3 to 10 Hz).
  private static let largeBowl = Sound(
    name: "large-bowl",
    source: "modes of a 180 mm, 934 g bowl: Inácio, Henrique and Antunes 2006",
    partials: [
      Partial(
        frequencyHertz: 221, decaySeconds: 70, level: 1, beatHertz: 1, pairRatio: 0.8),
      Partial(
        frequencyHertz: 614, decaySeconds: 38, level: 0.55, beatHertz: 0.8, pairRatio: 0.7),
      Partial(
        frequencyHertz: 1145, decaySeconds: 22, level: 0.22, beatHertz: 3.8, pairRatio: 0.6),
      Partial(
        frequencyHertz: 1804, decaySeconds: 11, level: 0.09, beatHertz: 0.3, pairRatio: 0.6),
      Partial(
        frequencyHertz: 2577, decaySeconds: 6, level: 0.03, beatHertz: 6, pairRatio: 0.6),
      Partial(
        frequencyHertz: 3456, decaySeconds: 3, level: 0.01, beatHertz: 1.3, pairRatio: 0.6),
      Partial(
        frequencyHertz: 4419, decaySeconds: 1.5, level: 0.004, beatHertz: 5, pairRatio: 0.6),
    ],
    onsetSeconds: 0.005,
    amplitude: 0.083)
}
