import Ticks

/// Tells a fast detent from a single one by the stamps of the edges that completed them.
struct Acceleration: Sendable {
  private var last: (step: Int, at: Instant)?

  /// The next detent is not fast, whenever it comes.
  mutating func forget() {
    last = nil
  }

  /// Takes a detent and says whether it is fast: in the direction of the last one, and sooner after
  /// it than the fast span. The first and a reversal are not.
  mutating func isFast(step: Int, at: Instant) -> Bool {
    defer { last = (step, at) }
    guard let last, last.step == step else { return false }
    return at - last.at < ControlSettings.fastSpan
  }
}

/// Knows when a detent is only the jog that a hand gives the knob as it presses or lets go.
///
/// The window opens at the first raw edge of a press or of a release, however long the switch
/// bounces after it. An edge is the first if the switch was quiet for the debounce span before. A
/// burst that ends where it began was noise, and its window is void.
struct JogWindow: Sendable {
  private let debounceSpan: Span
  private var level: Level
  private var burst: (levelBefore: Level, first: Instant, last: Instant)?

  init(debounceSpan: Span, level: Level) {
    self.debounceSpan = debounceSpan
    self.level = level
  }

  /// Begins anew from this level: nothing moves.
  mutating func restart(level: Level) {
    self.level = level
    burst = nil
  }

  /// Takes an edge of the switch.
  mutating func handle(_ newLevel: Level, at: Instant) {
    guard newLevel != level else { return }
    if let last = burst?.last, at - last < debounceSpan {
      burst?.last = at
    } else {
      burst = (levelBefore: level, first: at, last: at)
    }
    level = newLevel
  }

  /// Whether a detent completed at this instant is a jog.
  func contains(_ instant: Instant) -> Bool {
    guard let burst, instant >= burst.first else { return false }
    let isNoise = level == burst.levelBefore && instant - burst.last >= debounceSpan
    return !isNoise && instant - burst.first <= ControlSettings.jogSpan
  }
}
