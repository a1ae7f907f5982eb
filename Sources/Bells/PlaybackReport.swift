import Ticks

/// How an output is to be treated.
public struct PlaybackSettings: Equatable, Sendable {
  /// How much silence runs before the first strike after each opening, so that an output that
  /// wakes slowly swallows silence and not the bell. Announced strikes are opened for in time;
  /// others wait for it.
  public var leadIn: Span
  /// How late a strike may still ring; later it is missed.
  public var latest: Span
  /// How long the device is held, running silence, after the last tail.
  public var hold: Span
  /// How long silence goes on after `closing` was told: the time for an amplifier to be switched
  /// off before the device stops.
  public var quiet: Span

  /// Makes settings.
  public init(
    leadIn: Span = .milliseconds(100), latest: Span = .seconds(5), hold: Span = .seconds(2),
    quiet: Span = .zero
  ) {
    self.leadIn = leadIn
    self.latest = latest
    self.hold = hold
    self.quiet = quiet
  }
}

/// News from `Playback`.
public enum PlaybackReport<Failure: Error>: Sendable {
  /// What became of a strike. A strike that has begun is reported when its frame is handed over.
  case strike(StrikeReport)
  /// The device runs.
  case opened(PCMFormat)
  /// The device failed, and will be tried again while it is needed.
  case lost(Failure)
  /// The device runs but takes no frames, and will be opened anew.
  case stalled
  /// The device is about to be closed: nothing more sounds, and silence runs for `quiet`.
  case closing
  /// The device was closed, since nothing more is to sound.
  case closed
}
