/// A sound that somebody recorded, in the box's own form: interleaved stereo of 16 bits at 48,000
/// frames a second. It is read and checked before the sound card is ever opened.
public final class Recording: Sendable, Equatable {
  /// Frames a second.
  public static let rateHertz = 48_000

  /// Two samples a frame, left first.
  public let samples: [Int16]
  /// The factor from the samples, full scale 1, to the level of the built-in sounds.
  public let gain: Float

  /// Makes a recording.
  /// - Precondition: there are two samples a frame, and at least one frame.
  public init(samples: [Int16], gain: Float) {
    precondition(samples.count >= 2 && samples.count % 2 == 0, "a recording has whole frames")
    self.samples = samples
    self.gain = gain
  }

  /// How many frames it has.
  public var frameCount: Int { samples.count / 2 }

  /// Two recordings are equal if they are the same one.
  public static func == (left: Recording, right: Recording) -> Bool { left === right }
}
