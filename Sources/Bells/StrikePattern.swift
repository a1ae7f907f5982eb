import Ticks

/// The strikes of one bell: when each falls after the first instant of the bell, and how hard.
public struct StrikePattern: Equatable, Sendable {
  /// One strike of a pattern.
  public struct Beat: Equatable, Sendable {
    /// How long after the bell's own instant it falls.
    public var offset: Span
    /// How hard the mallet comes, above 0 and at most 1.
    public var strength: Float

    /// Makes a beat.
    public init(offset: Span, strength: Float) {
      self.offset = offset
      self.strength = strength
    }

    /// Whether it can be in a pattern.
    public var isValid: Bool { offset >= .zero && strength > 0 && strength <= 1 }
  }

  /// How many strikes a pattern has at most.
  public static let maximumBeats = 108

  /// The strikes, in the order of their instants.
  public let beats: [Beat]

  /// Makes a pattern.
  /// - Precondition: there are 1 to `maximumBeats` beats, each valid, none before the one in front
  ///   of it.
  public init(_ beats: [Beat]) {
    precondition(
      !beats.isEmpty && beats.count <= StrikePattern.maximumBeats, "a pattern has 1 to 108 beats")
    var before = Span.zero
    for beat in beats {
      precondition(beat.isValid && beat.offset >= before, "beats are in order, from 0 on, up to 1")
      before = beat.offset
    }
    self.beats = beats
  }

  /// From the first instant to the last strike.
  public var length: Span { beats[beats.count - 1].offset }

  /// The names of the patterns that are built in.
  public static let names: [String] = ["roll", "7-5-3", "wake"]

  /// The built-in pattern of a name.
  public static func named(_ name: String) -> StrikePattern? {
    switch name {
    case "roll": roll
    case "7-5-3": sevenFiveThree
    case "wake": wake
    default: nil
    }
  }

  /// A roll-down as on a wooden board or a temple drum: from slow and full to fast and soft, and
  /// one strike alone that closes it. The tempo is ours: 26 strikes in 13 s.
  public static let roll: StrikePattern = {
    var beats: [Beat] = []
    var offset = 0.0
    var gap = 1.6
    var strength = 1.0
    for _ in 0..<25 {
      beats.append(beat(seconds: offset, strength: strength))
      offset += gap
      gap *= 0.87
      strength *= 0.94
    }
    beats.append(beat(seconds: offset + 1.6, strength: 0.7))
    return StrikePattern(beats)
  }()

  /// Seven, five and three strikes, as the board before a zendo calls its three rounds
  /// (shichi-go-san: oneheartzen.org/tenken, zensite.de/Kultinstrumente/han.htm). There, 30 s
  /// part the strikes and a roll closes each round; for a bell the strikes stand 2 s apart and the
  /// rounds 6 s, by our choice. The last of each round is the softest, as a closing.
  public static let sevenFiveThree: StrikePattern = {
    var beats: [Beat] = []
    var offset = 0.0
    for count in [7, 5, 3] {
      for place in 1...count {
        beats.append(beat(seconds: offset, strength: place == count ? 0.6 : 0.85))
        offset += place == count ? 6 : 2
      }
    }
    return StrikePattern(beats)
  }()

  /// To wake by: 31 strikes in 5 minutes, 10 s apart, from hardly to be heard to full.
  public static let wake: StrikePattern = {
    var beats: [Beat] = []
    for place in 0...30 {
      let part = Double(place) / 30
      let strength = Mathematics.factor(decibels: 26 * (part - 1))
      beats.append(beat(seconds: 10 * Double(place), strength: strength))
    }
    return StrikePattern(beats)
  }()

  /// A beat, to the millisecond.
  private static func beat(seconds: Double, strength: Double) -> Beat {
    Beat(
      offset: .milliseconds(Int64(Mathematics.nearest(seconds * 1_000))),
      strength: Float(min(1, strength)))
  }
}
