import Ticks

/// A level change of one line of the simulated crown.
public struct KnobEdge: Equatable, Sendable {
  /// A line of the crown: its two contacts and its switch.
  public enum Line: Sendable {
    /// The contact that a clockwise turn closes first.
    case a
    /// The other contact.
    case b
    /// The push switch.
    case s
  }

  /// The line.
  public let line: Line
  /// The level from now on: 1 at rest, 0 closed.
  public let level: UInt8
  /// When it changed.
  public let at: Instant

  /// Makes an edge.
  public init(line: Line, level: UInt8, at: Instant) {
    self.line = line
    self.level = level
    self.at = at
  }
}

/// Moves a simulated crown by the keys of a keyboard. It knows no clock: instants are handed in.
///
/// - Edges leave in the order of their instants, and none before its instant.
/// - A turn is one clean detent. It keeps clear of the switch's edges, since a detent near them is
///   held for a jog of the pressing hand, and of the detent before, since two close ones are fast.
/// - What was done first reaches the lines first: a press waits for the turns before it.
/// - At most `edgeLimit` edges wait; a turn or a press beyond that is dropped whole.
///
/// A keyboard that tells no release is read by its repetition. A byte holds the switch for 520 ms,
/// long enough for most keyboards to begin repeating; bytes that then follow within 120 ms of each
/// other hold it until 150 ms after the last. A byte sooner than a keyboard begins to repeat is a
/// second tap, and so is one that nothing follows.
public struct KeyboardKnob: Sendable {
  // A detent's four edges are 2 ms apart, no faster than a quick hand on a real encoder.
  private static let edgeSpan = Span.milliseconds(2)
  // Detents under 30 ms apart count as fast (PRODUCT, "The box: crown panel").
  private static let detentSpan = Span.milliseconds(32)
  // Detents completed within 80 ms after an edge of the switch are jogs.
  private static let jogSpan = Span.milliseconds(82)
  // Three times the default debounce of 10 ms, down and up.
  private static let shortestLevelSpan = Span.milliseconds(30)
  private static let tapSpan = Span.milliseconds(520)
  private static let repeatGap = Span.milliseconds(120)
  private static let heldGap = Span.milliseconds(150)
  // No keyboard begins to repeat sooner.
  private static let shortestRepeatDelay = Span.milliseconds(200)
  // A press that is still in doubt ends here: 600 ms would be a long press.
  private static let doubtLimit = Span.milliseconds(590)
  private static let secondTapSpan = Span.milliseconds(100)
  private static let edgeLimit = 128

  private enum Press: Equatable {
    case up
    /// One byte so far, or a tap that is known to be one.
    case tap(since: Instant, until: Instant)
    /// A second byte has come that may be the first repetition or a second tap.
    case doubt(since: Instant, until: Instant)
    /// The key repeats.
    case held(until: Instant)
    /// The keyboard will tell the release.
    case told
  }

  private var press = Press.up
  private var waiting: [KnobEdge] = []
  private var lastEdge: Instant?
  private var lastDetent: Instant?
  private var lastSwitch: Instant?

  /// Makes a crown at rest.
  public init() {}

  /// Whether the switch is held, or will be as soon as the turns before it are done. It answers at
  /// the instant of the key.
  public var isHeld: Bool { press != .up }

  /// When `advance(to:)` next has something to do; nil: not before the next key.
  public var nextDeadline: Instant? {
    switch (waiting.first?.at, pressDeadline) {
    case (let edge?, let decision?): min(edge, decision)
    case (let edge, let decision): edge ?? decision
    }
  }

  private var pressDeadline: Instant? {
    switch press {
    case .up, .told: nil
    case .tap(_, let until), .doubt(_, let until), .held(let until): until
    }
  }

  /// Takes a key. What it moves comes from `advance(to:)`, some of it at this very instant.
  public mutating func handle(_ key: Key, at now: Instant) {
    decide(to: now)
    switch key {
    case .turn(let direction): turn(direction, now)
    case .press: takeByte(now)
    case .pressDown:
      if press == .up, push(now) { press = .told }
    case .pressUp:
      if press == .told { release(now) }
    case .quit: break
    }
  }

  /// The edges that are due, in order.
  public mutating func advance(to now: Instant) -> [KnobEdge] {
    decide(to: now)
    let due = waiting.prefix { $0.at <= now }
    waiting.removeFirst(due.count)
    return Array(due)
  }

  /// Ends presses whose time is over, each at its own instant.
  private mutating func decide(to now: Instant) {
    while let due = pressDeadline, due <= now {
      let wasInDoubt = if case .doubt = press { true } else { false }
      release(due)
      if wasInDoubt { pushAgain(due, for: Self.secondTapSpan) }
    }
  }

  private mutating func takeByte(_ now: Instant) {
    switch press {
    case .up:
      if push(now) { press = .tap(since: now, until: now + Self.tapSpan) }
    case .tap(let since, _) where now - since < Self.shortestLevelSpan:
      break
    case .tap(let since, _) where now - since < Self.shortestRepeatDelay:
      release(now)
      pushAgain(now, for: Self.tapSpan)
    case .tap(let since, _):
      press = .doubt(since: since, until: min(now + Self.repeatGap, since + Self.doubtLimit))
    case .doubt, .held:
      press = .held(until: now + Self.heldGap)
    case .told:
      break
    }
  }

  private mutating func turn(_ direction: Int, _ now: Instant) {
    // A turn after a tap means that the hand has left the switch; one during a real hold is a turn
    // of the pressed knob.
    switch press {
    case .tap, .doubt: release(now)
    case .up, .held, .told: break
    }
    guard waiting.count + 4 <= Self.edgeLimit else { return }
    var at = earliest(now)
    if let lastDetent { at = max(at, lastDetent + Self.detentSpan) }
    if let lastSwitch { at = max(at, lastSwitch + Self.jogSpan) }
    lastDetent = at
    let order: [KnobEdge.Line] = direction > 0 ? [.a, .b] : [.b, .a]
    for (level, line) in [(0, order[0]), (0, order[1]), (1, order[0]), (1, order[1])] {
      append(KnobEdge(line: line, level: UInt8(level), at: at))
      at += Self.edgeSpan
    }
  }

  /// Closes the switch.
  /// - Returns: false when too much is waiting.
  private mutating func push(_ now: Instant) -> Bool {
    guard waiting.count + 2 <= Self.edgeLimit else { return false }
    moveSwitch(0, now)
    return true
  }

  private mutating func pushAgain(_ now: Instant, for span: Span) {
    guard push(now) else { return }
    press = .tap(since: now, until: now + Self.shortestLevelSpan + span)
  }

  private mutating func release(_ now: Instant) {
    press = .up
    moveSwitch(1, now)
  }

  private mutating func moveSwitch(_ level: UInt8, _ now: Instant) {
    var at = earliest(now)
    if let lastSwitch { at = max(at, lastSwitch + Self.shortestLevelSpan) }
    lastSwitch = at
    append(KnobEdge(line: .s, level: level, at: at))
  }

  /// No earlier than now, and after every edge before.
  private func earliest(_ now: Instant) -> Instant {
    lastEdge.map { max(now, $0 + Self.edgeSpan) } ?? now
  }

  private mutating func append(_ edge: KnobEdge) {
    waiting.append(edge)
    lastEdge = edge.at
  }
}
