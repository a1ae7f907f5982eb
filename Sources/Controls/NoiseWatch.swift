import Ticks

/// A line that picks up noise, or has stopped doing so.
public struct LineNoise: Equatable, Sendable {
  /// The line.
  public var line: Line
  /// Whether it is noisy from now on, and its edges are ignored for a while.
  public var isNoisy: Bool

  /// Makes a piece of news.
  public init(line: Line, isNoisy: Bool) {
    self.line = line
    self.isNoisy = isNoisy
  }
}

/// Tells a line that is moved by a hand from one that picks up noise, by its edges alone.
///
/// Invariants:
/// - A line above `edgesPerSecond` in each of `hotSeconds` seconds on end is noise. So is a button
///   whose level has not once lasted `steadySpan` for `chatterSpan`: no hand is so quick, no
///   contact bounces so long, and a line without bias that picks up the mains does just that.
/// - Noise is masked for `maskSpan`; then the line is tried again.
/// - A line is called quiet once it was tried again and behaved for `maskSpan`. Until then further
///   noise is no news.
struct NoiseWatch: Sendable {
  static let edgesPerSecond = 3_000
  static let hotSeconds = 5
  static let chatterSpan = Span.milliseconds(300)
  /// A burst that lasts longer than contacts bounce. A level must then last `steadySpan` to count.
  static let restlessSpan = Span.milliseconds(50)
  static let steadySpan = Span.milliseconds(25)
  static let maskSpan = Span.seconds(10)

  /// What a line is held to be.
  enum State: Equatable, Sendable {
    case quiet
    case masked(until: Instant)
    /// It was noise, and is being tried again.
    case tried(until: Instant)
  }

  private(set) var state = State.quiet
  private let isButton: Bool
  private var secondBegan = Instant(nanoseconds: .min / 2)
  private var edges = 0
  private var hot = 0
  private var burstBegan = Instant(nanoseconds: .min / 2)
  private var latest = Instant(nanoseconds: .min / 2)

  init(line: Line) {
    isButton = Button(line: line) != nil
  }

  var isMasked: Bool {
    if case .masked = state { return true }
    return false
  }

  /// Whether the line moves as no hand moves it, or did so lately.
  var isRestless: Bool { state != .quiet || latest - burstBegan >= NoiseWatch.restlessSpan }

  /// When the state changes by itself.
  var nextDeadline: Instant? {
    switch state {
    case .quiet: nil
    case .masked(let until), .tried(let until): until
    }
  }

  /// Takes the instant of an edge.
  /// - Returns: whether the line is to be masked from now on.
  mutating func handle(at: Instant) -> Bool {
    guard !isMasked else { return false }
    let isHot = countSecond(at)
    if at - latest >= NoiseWatch.steadySpan { burstBegan = at }
    latest = at
    let isChatter = isButton && at - burstBegan >= NoiseWatch.chatterSpan
    guard isHot || isChatter else { return false }
    state = .masked(until: at + NoiseWatch.maskSpan)
    (hot, edges) = (0, 0)
    return true
  }

  /// Goes on at the next deadline.
  mutating func fire() {
    switch state {
    case .quiet: break
    case .masked(let until):
      state = .tried(until: until + NoiseWatch.maskSpan)
      burstBegan = until
      latest = until
      secondBegan = until
    case .tried: state = .quiet
    }
  }

  /// Counts the edges of each second; the first begins with an edge.
  /// - Returns: whether so many seconds on end were too hot.
  private mutating func countSecond(_ at: Instant) -> Bool {
    let past = at - secondBegan
    if past >= .seconds(1) {
      let isFollowed = past < .seconds(2)
      hot = edges > NoiseWatch.edgesPerSecond ? hot + 1 : 0
      secondBegan = isFollowed ? secondBegan + .seconds(1) : at
      edges = 0
      // A second without any edge lay between: it was not hot.
      if !isFollowed { hot = 0 }
    }
    edges += 1
    return hot >= NoiseWatch.hotSeconds
  }
}
