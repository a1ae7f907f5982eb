import Ticks

// Spans in frames and back, at the rate of the player.
extension Playback where Device: ~Copyable, Player: ~Copyable {
  /// The nearest number of frames. Whole seconds are taken apart, so that no span overflows.
  func frames(in span: Span) -> Int {
    let rate = Int64(player.rateHertz)
    let seconds = span.wholeSeconds
    let rest = span.nanoseconds - seconds * 1_000_000_000
    return Int(seconds * rate + (rest * rate + 500_000_000) / 1_000_000_000)
  }

  /// How long so many frames last, less than a nanosecond short.
  func span(of frames: Int) -> Span {
    let rate = Int64(player.rateHertz)
    let (seconds, rest) = Int64(frames).quotientAndRemainder(dividingBy: rate)
    return Span(nanoseconds: seconds * 1_000_000_000 + rest * 1_000_000_000 / rate)
  }
}
