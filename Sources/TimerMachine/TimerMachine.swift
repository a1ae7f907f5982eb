import Ticks

// Invariants:
// - `origin` is `begun` plus the length of all pauses that are over, so that elapsed time is a
//   subtraction and a pause of any length changes no remaining time.
// - A deadline is always computed from `origin` (or from the start of its own phase) and an
//   ordinal; never from the deadline before it, never from the moment at which it was handled.
// - `now` never goes back, and nothing that is due at or before an instant is left when a command
//   of that instant is handled.
// - At most `outputsMax` outputs wait: one event makes fewer, and the caller takes them after each.

/// One sit, from the command that starts it to the moment its record is accepted.
///
/// It knows no clock. Its four families:
/// - **look**: `phase`, `elapsed(at:)`, `remaining(at:)`, `overtime(at:)`, `upcomingBells(_:)`;
/// - **time**: call `advance(to:)` until it returns false, taking the outputs after each call;
/// - **commands**: `start` and `command`, each with an instant that is not before any other;
/// - **work**: `nextOutput()` until nil; `nextDeadline` says when to call `advance` if nothing
///   else happens. Calling it earlier is harmless, calling it later gives the same outputs with
///   the same instants.
public struct TimerMachine: Sendable {
  /// How long a pause lasts until one soft cue asks after the sitter.
  public static let pauseCueSpan = Span.minutes(10)
  /// How long a pause lasts until the sit is closed.
  public static let pauseLimitSpan = Span.minutes(60)
  /// How long a finished sit is shown until the box is idle again.
  public static let endedSpan = Span.seconds(60)
  /// How many pauses are kept one by one. Later ones are held and left uncounted like every other,
  /// but are not listed.
  public static let interruptionsMax = 1_000
  static let outputsMax = 8
  static let tickSpan = Span.seconds(1)

  /// Where the sit stands.
  public private(set) var phase = Phase.idle
  /// The plan of the sit; nil in idle.
  public private(set) var plan: SitPlan?
  /// The last instant that was handled.
  public private(set) var now = Instant.zero
  /// Whether an output is wanted for every second. Without it nothing happens between bells, and
  /// the box can sleep.
  public var ticksWanted = false {
    didSet { if ticksWanted && !oldValue { forgetPassedTicks() } }
  }

  var startsAt = Instant.zero
  var begun = Instant.zero
  var origin = Instant.zero
  var pausedAt = Instant.zero
  var endedAt = Instant.zero
  var endedElapsed = Span.zero
  var confirmedElapsed = Span.zero
  var cueGiven = false
  var nextTick: Int64 = 1
  var nextInterval: Int64 = 1
  var interruptions: [Interruption] = []
  var outputs: [TimerOutput] = []

  /// Makes an idle machine.
  public init() {
    outputs.reserveCapacity(TimerMachine.outputsMax)
  }

  /// Begins a sit, or refuses.
  /// - Parameters:
  ///   - plan: what to sit.
  ///   - instant: the instant of the command.
  ///   - earliestStrike: the first instant at which the output can sound a strike that it did not
  ///     know of; the sit begins no sooner.
  /// - Precondition: everything due at or before `instant` has been fired.
  public mutating func start(
    _ plan: SitPlan, at instant: Instant, earliestStrike: Instant = .zero
  ) {
    requireNothingDue(at: instant)
    if case .to = TransitionTable.outcome(of: .start, in: phase) {
      self.plan = plan
      startsAt = max(instant + plan.preparation, earliestStrike)
    }
    handle(.start, at: instant)
  }

  /// Carries out a command other than a start, or refuses it.
  /// - Parameters:
  ///   - event: the command.
  ///   - instant: the instant of the command.
  ///   - earliestStrike: as for `start`; only `skip` needs it.
  /// - Precondition: the event is a command but not a start, and everything due at or before
  ///   `instant` has been fired.
  public mutating func command(
    _ event: TimerEvent, at instant: Instant, earliestStrike: Instant = .zero
  ) {
    precondition(event.isCommand && event != .start, "only a command without a plan fits here")
    requireNothingDue(at: instant)
    if event == .skip && phase == .preparing {
      startsAt = min(startsAt, max(instant, earliestStrike))
    }
    handle(event, at: instant)
  }

  /// Fires the earliest deadline that is due at or before an instant.
  /// - Returns: whether one was fired; if so, take the outputs and call again.
  public mutating func advance(to instant: Instant) -> Bool {
    guard let (timer, due) = nextTimer, due <= instant else {
      now = max(now, instant)
      return false
    }
    precondition(due >= now, "a deadline lies before the last handled instant")
    now = due
    fire(timer)
    return true
  }

  /// The next output, oldest first; nil when there is none.
  public mutating func nextOutput() -> TimerOutput? {
    outputs.isEmpty ? nil : outputs.removeFirst()
  }

  private mutating func fire(_ timer: Timer) {
    switch timer {
    case .tick:
      nextTick += 1
      put(.tick(remaining: (remaining(at: now) ?? .zero).secondsRoundedUp))
    case .interval:
      put(.bell(Bell(role: .interval, ordinal: nextInterval, due: now)))
      nextInterval += 1
    case .start: handle(.startDue, at: now)
    case .end: handle(endEvent, at: now)
    case .pauseCue: handle(.pauseCueDue, at: now)
    case .pauseLimit: handle(.pauseLimitDue, at: now)
    case .ended: handle(.endedDue, at: now)
    }
  }

  private mutating func handle(_ event: TimerEvent, at instant: Instant) {
    precondition(instant >= now, "an event lies before the last handled instant")
    now = instant
    switch TransitionTable.outcome(of: event, in: phase) {
    case .to(let next, let effect): perform(effect, next: next)
    case .refused(let refusal): put(.refused(event, refusal))
    case .never: preconditionFailure("a deadline came in a phase that does not set it")
    }
  }

  private mutating func perform(_ effect: Effect, next: Phase) {
    let previous = phase
    phase = next
    if next != previous { put(.phase(from: previous, to: next)) }
    switch effect {
    case .prepare: forgetLastSit()
    case .strikeSooner: break
    case .begin:
      begin()
      put(.begun, .bell(Bell(role: .start, ordinal: 0, due: now)))
    case .hold: hold()
    case .goOn: goOn()
    case .cue:
      cueGiven = true
      put(.bell(Bell(role: .cue, ordinal: 0, due: now)))
    case .passTheBell: put(.bell(Bell(role: .end, ordinal: 0, due: now)))
    case .complete:
      put(.bell(Bell(role: .end, ordinal: 0, due: now)))
      close(from: previous, confirmed: true)
    case .close: close(from: previous, confirmed: true)
    case .closeUnconfirmed: close(from: previous, confirmed: false)
    case .forget:
      plan = nil
      if previous != .preparing { put(.discarded) }
    case .leave: plan = nil
    }
  }

  private mutating func forgetLastSit() {
    interruptions.removeAll(keepingCapacity: true)
    nextInterval = 1
    confirmedElapsed = .zero
  }

  private mutating func begin() {
    begun = now
    origin = now
    nextTick = 1
  }

  private mutating func hold() {
    pausedAt = now
    confirmedElapsed = now - origin
    cueGiven = false
  }

  private mutating func goOn() {
    origin += now - pausedAt
    if interruptions.count < TimerMachine.interruptionsMax {
      interruptions.append(Interruption(from: pausedAt, to: now))
    }
  }

  private mutating func close(from previous: Phase, confirmed: Bool) {
    guard let plan else { preconditionFailure("a sit without a plan was closed") }
    let end = previous == .paused ? pausedAt : now
    let elapsed = end - origin
    // What a fixed sit counts to its planned end needs no press: the sitter's eyes are closed.
    let certain =
      confirmed ? elapsed : min(elapsed, max(confirmedElapsed, plan.length ?? .zero))
    let reachedEnd = plan.length.map { elapsed >= $0 }
    endedAt = now
    endedElapsed = elapsed
    guard reachedEnd == true || elapsed >= plan.minimum else { return put(.discarded) }
    put(
      .closed(
        FinishedSit(
          begun: begun, ended: end, planned: plan.length, credited: certain,
          overtime: max(.zero, certain - (plan.length ?? certain)),
          unconfirmed: elapsed - certain, completed: reachedEnd ?? confirmed,
          interruptions: interruptions)))
  }

  private func requireNothingDue(at instant: Instant) {
    precondition(
      nextDeadline.map { $0 > instant } ?? true, "a deadline before this command was not fired")
  }

  private mutating func put(_ news: TimerOutput.News...) {
    for item in news {
      precondition(outputs.count < TimerMachine.outputsMax, "outputs were not taken")
      outputs.append(TimerOutput(at: now, news: item))
    }
  }
}
