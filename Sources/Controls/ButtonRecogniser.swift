import Ticks
import TimerMachine

/// Turns the raw edges of one button into presses, releases and gestures.
///
/// Invariants:
/// - A level counts once it has been stable for the debounce span, and then from the raw edge at
///   which it became so. All other spans count from those edges.
/// - Debounce settles: whatever the line did before, the level it keeps is the level that counts.
/// - While a change is settling, no other deadline fires: the change may be the release that a long
///   press or a repeat did not wait for, or the press that makes a double. If the change proves
///   noise, what fell due meanwhile is decided at the edge that took it back.
/// - A press gives at most one of click, double, long and repeats, and a turned one gives none.
/// - A long press or a repeat is given only after the level was looked at: the release may have
///   been lost. A button that is held on is looked at now and then, for the same reason.
/// - Every press is answered: a click that waits for its double is given as soon as the double
///   can no longer come.
struct ButtonRecogniser: Sendable {
  /// A debounced press, until its gesture is decided.
  private struct Press {
    let phase: Phase
    let isDoubleBound: Bool
    let at: Instant
    /// When the level is looked at: to give the long press or the next repeat, or, where it is
    /// spent, only to see whether the button is still held.
    var due: Instant?
    /// Whether the look was asked for and is not answered yet.
    var isLookedAt = false
    /// The phase of the click before it, where the two may make a double.
    var firstClickPhase: Phase?
    /// Whether it has given something, or was turned, and so is no click.
    var isSpent = false
  }

  private enum State {
    /// Active since the start, or since a mask has ended: silent until it has once been let go.
    case heldAtStart(isTrial: Bool)
    case released
    case held(Press)
    /// A click that is decided when its double has not come in time.
    case clicked(phase: Phase, due: Instant)
  }

  /// For how long a held button is looked at after its long press or its turn.
  static let lookedAfterSpan = Span.seconds(10)

  /// A raw level that differs from the one that counts.
  private struct Change {
    let since: Instant
    let phase: Phase
    let isDoubleBound: Bool
    /// How long the level must last to count.
    let span: Span
  }

  let button: Button
  private let settings: ControlSettings
  private var level: Level
  private var state: State
  private var change: Change?
  private var noiseEnd = Instant(nanoseconds: .min)

  init(button: Button, settings: ControlSettings, level: Level) {
    self.button = button
    self.settings = settings
    self.level = level
    state = level == .low ? .heldAtStart(isTrial: false) : .released
  }

  /// Whether the button is active since its line was taken.
  var isHeldAtStart: Bool {
    if case .heldAtStart(isTrial: false) = state { return true }
    return false
  }

  /// The phase in which the button went down, while it is held.
  var phaseAtPress: Phase? {
    if case .held(let press) = state { return press.phase }
    return nil
  }

  /// When something is decided unless an edge comes first.
  var nextDeadline: Instant? {
    if let change { return change.since + change.span }
    let due: Instant?
    switch state {
    case .heldAtStart, .released: due = nil
    case .held(let press): due = press.isLookedAt ? nil : press.due
    case .clicked(_, let clickDue): due = clickDue
    }
    return due.map { max($0, noiseEnd) }
  }

  /// Takes a raw level.
  /// - Parameter isRestless: whether the line is suspected of noise, so that its level must last
  ///   longer than noise does.
  /// - Returns: false if it is the level that was known.
  mutating func handle(
    _ newLevel: Level, at: Instant, phase: Phase, isDoubleBound: Bool, isRestless: Bool
  ) -> Bool {
    guard newLevel != level else { return false }
    level = newLevel
    if change == nil {
      let debounceSpan = settings.debounceSpan
      let span = isRestless ? max(debounceSpan, NoiseWatch.steadySpan) : debounceSpan
      change = Change(since: at, phase: phase, isDoubleBound: isDoubleBound, span: span)
    } else {
      change = nil
      noiseEnd = at
    }
    return true
  }

  /// Decides what is due at the next deadline.
  /// - Returns: whether the level must be looked at first; `decideHeld` then decides.
  mutating func fire(into queue: inout InputQueue) -> Bool {
    guard let now = nextDeadline else { return false }
    if let settled = change {
      change = nil
      if level == .low {
        press(settled, decidedAt: now, into: &queue)
      } else {
        release(at: settled.since, decidedAt: now, into: &queue)
      }
      return false
    }
    switch state {
    case .heldAtStart, .released: return false
    case .held(var press):
      press.isLookedAt = true
      state = .held(press)
      return true
    case .clicked(let phase, _):
      append(.click, decidedAt: now, phase: phase, into: &queue)
      state = .released
      return false
    }
  }

  /// The level was looked at, and `handle` was told if it is another: gives what fell due if the
  /// button is held as far as anybody knows.
  mutating func decideHeld(into queue: inout InputQueue) {
    guard case .held(var press) = state, press.isLookedAt, let due = press.due else { return }
    press.isLookedAt = false
    defer { state = .held(press) }
    guard change == nil else { return }
    if button.repeats || !press.isSpent {
      let now = max(due, noiseEnd)
      giveFirstClick(of: &press, at: now, into: &queue)
      append(button.repeats ? .repeat : .long, decidedAt: now, phase: press.phase, into: &queue)
      press.isSpent = true
    }
    press.due = nextLook(of: press, after: due)
  }

  /// The knob was turned while the button was held: the press is neither click nor long.
  mutating func turn(at now: Instant, into queue: inout InputQueue) {
    guard case .held(var press) = state else { return }
    giveFirstClick(of: &press, at: now, into: &queue)
    press.isSpent = true
    press.due = nextLook(of: press, after: now)
    press.isLookedAt = false
    state = .held(press)
  }

  /// The line is gone or is no longer believed: what was held is let go, and gives nothing more.
  mutating func lose(at now: Instant, into queue: inout InputQueue) {
    change = nil
    if case .held(let press) = state {
      append(.release, decidedAt: now, phase: press.phase, into: &queue)
    }
    if case .clicked(let phase, _) = state {
      append(.click, decidedAt: now, phase: phase, into: &queue)
    }
    level = .high
    state = .released
  }

  /// The line was taken, now or again. What it held before is let go; a button that is active gives
  /// nothing until it was let go.
  /// - Parameter isTrial: whether the level is only supposed, after a mask.
  mutating func take(
    _ newLevel: Level, isTrial: Bool, at now: Instant, into queue: inout InputQueue
  ) {
    lose(at: now, into: &queue)
    level = newLevel
    state = newLevel == .low ? .heldAtStart(isTrial: isTrial) : .released
  }

  /// Repeats go on for as long as the button is held; other looks end after a while, so that a
  /// jammed button wakes nobody for ever.
  private func nextLook(of press: Press, after instant: Instant) -> Instant? {
    let next = instant + settings.repeatEverySpan
    if button.repeats { return next }
    return next - press.at <= ButtonRecogniser.lookedAfterSpan ? next : nil
  }

  private mutating func press(
    _ settled: Change, decidedAt now: Instant, into queue: inout InputQueue
  ) {
    let holdSpan = button.repeats ? settings.repeatAfterSpan : settings.longSpan
    var press = Press(
      phase: settled.phase, isDoubleBound: settled.isDoubleBound, at: settled.since,
      due: settled.since + holdSpan)
    if case .clicked(let phase, _) = state { press.firstClickPhase = phase }
    state = .held(press)
    append(.press, at: settled.since, decidedAt: now, phase: press.phase, into: &queue)
  }

  private mutating func release(
    at: Instant, decidedAt now: Instant, into queue: inout InputQueue
  ) {
    guard case .held(let press) = state else {
      state = .released
      return
    }
    state = .released
    append(.release, at: at, decidedAt: now, phase: press.phase, into: &queue)
    if press.isSpent { return }
    if let firstPhase = press.firstClickPhase {
      append(.double, decidedAt: now, phase: firstPhase, into: &queue)
    } else if press.isDoubleBound {
      state = .clicked(phase: press.phase, due: at + settings.doubleSpan)
    } else {
      append(.click, decidedAt: now, phase: press.phase, into: &queue)
    }
  }

  private func giveFirstClick(
    of press: inout Press, at now: Instant, into queue: inout InputQueue
  ) {
    guard let phase = press.firstClickPhase else { return }
    press.firstClickPhase = nil
    append(.click, decidedAt: now, phase: phase, into: &queue)
  }

  private func append(
    _ kind: Input.Kind, at: Instant? = nil, decidedAt: Instant, phase: Phase,
    into queue: inout InputQueue
  ) {
    queue.append(
      Input(kind, button: button, at: at, decidedAt: decidedAt, phaseAtPress: phase))
  }
}
