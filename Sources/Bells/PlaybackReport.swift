import Ticks

/// How far ahead frames are handed over.
public enum PlaybackQueue: UInt8, Sendable {
  /// As far as a device needs it that plays from a buffer.
  case ahead
  /// Not at all: each step hands over the frames that have left since the one before. For an output
  /// without latency that keeps no time of its own; see `PCMStatus`.
  case immediate
}

/// How strikes and the device are to be treated, whatever the output.
public struct PlaybackSettings: Equatable, Sendable {
  /// From how late on a strike is missed, and not rung late. One that is on time always rings.
  public var latest: Span
  /// How long the device is held, running silence, after the last tail.
  public var hold: Span
  /// How long silence goes on after `closing` was told: the time for an amplifier to be switched
  /// off before the device stops.
  public var quiet: Span
  /// How far ahead frames are handed over.
  public var queue: PlaybackQueue

  /// Makes settings.
  public init(
    latest: Span = .seconds(5), hold: Span = .seconds(2), quiet: Span = .zero,
    queue: PlaybackQueue = .ahead
  ) {
    self.latest = latest
    self.hold = hold
    self.quiet = quiet
    self.queue = queue
  }
}

/// News from `Playback`.
public enum PlaybackReport<Failure: Error>: Sendable {
  /// What became of a strike. A strike that has begun is reported when its frame is handed over.
  case strike(StrikeReport)
  /// A device was started. Whether it plays is not known yet.
  case opened(Opening)
  /// The first frames since an opening have left an output: it plays.
  case running(output: Int)
  /// An output failed. The next one is tried, or, after the last, all of them again while they are
  /// needed.
  case lost(Failure, output: Int)
  /// An output runs but takes no frames; it is treated as lost.
  case stalled(output: Int)
  /// The stream had run empty, or the machine had slept, and it goes on in time. It is told at most
  /// once in 10 s, with how many times that was since the last telling.
  case underrun(count: Int)
  /// The device is about to be closed: nothing more sounds, and silence runs for `quiet`.
  case closing
  /// The device was closed, since nothing more is to sound.
  case closed
}

/// A device that has begun to run.
public struct Opening: Equatable, Sendable {
  /// Which of the device's outputs it is; 0 is the wanted one.
  public var output: Int
  /// What it came up with.
  public var format: PCMFormat
  /// When it is led in: the first instant at which a strike is placed.
  public var ready: Instant

  /// Makes an opening.
  public init(output: Int, format: PCMFormat, ready: Instant) {
    self.output = output
    self.format = format
    self.ready = ready
  }
}
