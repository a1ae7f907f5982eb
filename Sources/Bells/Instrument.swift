/// What sounds, as `Playback` needs it: strikes go in, frames come out.
///
/// `Mixer` is the one that is heard. Another may stand in its place where only the life of a device
/// is of interest and nobody listens.
///
/// Nothing here allocates, so that it can be played on the audio thread.
public protocol Instrument: ~Copyable {
  /// The frames per second it renders for.
  var rateHertz: Int { get }

  /// Whether nothing rings, and no ambient sound is wanted or dying away.
  var isSilent: Bool { get }

  /// After how many frames it is worth asking again whether it is silent, if nothing is struck; not
  /// below 1. Where nobody must be handed frames meanwhile, nobody wakes before.
  var soundingFrames: Int { get }

  /// Renders for another rate from now on; with the same rate nothing happens.
  mutating func retune(rateHertz: Int)

  /// Sets the volumes, each reached within 20 ms, without a click.
  mutating func setVolumes(_ volumes: Volumes)

  /// Sets what sounds under the bells from now on, faded in or out over some seconds.
  mutating func setAmbient(_ ambient: AmbientSound?)

  /// Ends what sounds under the bells within 300 ms, since the output is about to be let go.
  mutating func endAmbient()

  /// Strikes a sound. The first frame of the strike, which is zero, is the next one rendered.
  mutating func strike(_ strike: Strike)

  /// Stops all that rings as a hand does it: gone within 300 ms, high partials first. A strike
  /// after it is whole.
  mutating func damp()

  /// Lets time pass without rendering it, as when an output was away: what rings has rung on.
  mutating func skip(frames: Int)

  /// Renders the next frames into a block of interleaved stereo, full scale ±1, in place of what
  /// it held in these frames.
  mutating func render(_ frames: Range<Int>, into block: inout [Float])
}

extension Instrument where Self: ~Copyable {
  /// Half a second, for one that cannot tell.
  public var soundingFrames: Int { max(1, rateHertz / 2) }

  /// No sooner than at any other time, for one that nobody hears.
  public mutating func endAmbient() { setAmbient(nil) }
}

/// A sound without end, under a sit.
public enum AmbientSound: UInt8, CaseIterable, Sendable {
  /// How long a fade in or out takes, in seconds.
  public static let fadeSeconds = 4

  /// A fire of wood.
  case fire
  /// Rain.
  case rain

  /// The name that settings use.
  public var name: StaticString {
    switch self {
    case .fire: "fire"
    case .rain: "rain"
    }
  }
}
