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
/// - Every press is answered: a click that waits for its double is given as soon as the double
///   can no longer come.
struct ButtonRecogniser: Sendable {
  /// A debounced press, until its gesture is decided.
  private struct Press {
    let phase: Phase
    let isDoubleBound: Bool
    /// When it gives its long press or its next repeat.
    var due: Instant?
    /// The phase of the click before it, where the two may make a double.
    var firstClickPhase: Phase?
    /// Whether it has given something, or was turned, and so is no click.
    var isSpent = false
  }

  private enum State {
    /// Active since the start: silent until it has once been let go.
    case heldAtStart
    case released
    case held(Press)
    /// A click that is decided when its double has not come in time.
    case clicked(phase: Phase, due: Instant)
  }

  /// A raw level that differs from the one that counts.
  private struct Change {
    let since: Instant
    let phase: Phase
    let isDoubleBound: Bool
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
    state = level == .low ? .heldAtStart : .released
  }

  /// The phase in which the button went down, while it is held.
  var phaseAtPress: Phase? {
    if case .held(let press) = state { return press.phase }
    return nil
  }

  /// When something is decided unless an edge comes first.
  var nextDeadline: Instant? {
    if let change { return change.since + settings.debounceSpan }
    let due: Instant?
    switch state {
    case .heldAtStart, .released: due = nil
    case .held(let press): due = press.due
    case .clicked(_, let clickDue): due = clickDue
    }
    return due.map { max($0, noiseEnd) }
  }

  /// Takes a raw level. An equal one says nothing new.
  mutating func handle(_ newLevel: Level, at: Instant, phase: Phase, isDoubleBound: Bool) {
    guard newLevel != level else { return }
    level = newLevel
    if change == nil {
      change = Change(since: at, phase: phase, isDoubleBound: isDoubleBound)
    } else {
      change = nil
      noiseEnd = at
    }
  }

  /// Decides what is due at the next deadline.
  mutating func fire(into queue: inout InputQueue) {
    guard let now = nextDeadline else { return }
    if let settled = change {
      change = nil
      if level == .low {
        press(settled, decidedAt: now, into: &queue)
      } else {
        release(at: settled.since, decidedAt: now, into: &queue)
      }
      return
    }
    switch state {
    case .heldAtStart, .released: return
    case .held(var press):
      giveFirstClick(of: &press, at: now, into: &queue)
      append(button.repeats ? .repeat : .long, decidedAt: now, phase: press.phase, into: &queue)
      press.due = button.repeats ? press.due.map { $0 + settings.repeatEverySpan } : nil
      press.isSpent = true
      state = .held(press)
    case .clicked(let phase, _):
      append(.click, decidedAt: now, phase: phase, into: &queue)
      state = .released
    }
  }

  /// The knob was turned while the button was held: the press is neither click nor long.
  mutating func turn(at now: Instant, into queue: inout InputQueue) {
    guard case .held(var press) = state else { return }
    giveFirstClick(of: &press, at: now, into: &queue)
    press.due = nil
    press.isSpent = true
    state = .held(press)
  }

  private mutating func press(
    _ settled: Change, decidedAt now: Instant, into queue: inout InputQueue
  ) {
    let holdSpan = button.repeats ? settings.repeatAfterSpan : settings.longSpan
    var press = Press(
      phase: settled.phase, isDoubleBound: settled.isDoubleBound, due: settled.since + holdSpan)
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
