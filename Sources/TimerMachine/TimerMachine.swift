import Ticks

// Invariants:
// - `sit.origin` is its beginning plus the length of all pauses that are over, so that elapsed time
//   is a subtraction and a pause of any length changes no remaining time. Only the end of a sit
//   until an instant is that instant, whatever pauses it has.
// - A deadline is always computed from the origin (or from the start of its own phase) and where it
//   lies in the plan; never from the moment at which another was handled.
// - `now` never goes back, and nothing that is due at or before an instant is left when a command
//   of that instant is handled.
// - At most `outputsMax` outputs wait: one event makes fewer, and the caller takes them after each.

/// One sit, from the command that starts it to the moment its record is accepted.
///
/// It knows no clock. Its five families:
/// - **look**: `phase`, `elapsed(at:)`, `remaining(at:)`, `overtime(at:)`, `segment(at:)`,
///   `upcomingBells(_:)`, `nextBell(after:)`;
/// - **time**: call `advance(to:)` until it returns false, taking the outputs after each call;
/// - **commands**: `start` and `command`, each with an instant that is not before any other; and
///   news of the same kind: `confirm`, `replan`, `slept`;
/// - **value**: `snapshot` is the sit as it stands, `restore` takes one up;
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
  /// How many interruptions are kept one by one. Of more the oldest are kept as one of their
  /// length, so that sums stay right.
  public static let interruptionsMax = 1_000
  static let outputsMax = 8
  static let tickSpan = Span.seconds(1)

  /// Where the sit stands.
  public internal(set) var phase = Phase.idle
  /// The plan of the sit; nil in idle. That of a sit until an instant has the length that it had as
  /// it began; `plannedLength` says how long it is now.
  public var plan: SitPlan? { phase == .idle ? nil : sit.plan }
  /// The last instant that was handled.
  public internal(set) var now = Instant.zero
  /// Whether an output is wanted for every second. Without it nothing happens between bells, and
  /// the box can sleep.
  public var ticksWanted = false {
    didSet { if ticksWanted && !oldValue { forgetPassedTicks() } }
  }

  /// The sit that is on, or the last one; its phase is that before the event that is handled.
  var sit = TimerSnapshot(plan: SitPlan(length: nil), phase: .preparing, begun: .zero)
  var marks = IntervalMarks(of: SitPlan(length: nil), length: nil)
  /// Where the next interval bell lies under the end as it stands.
  var nextMark: Span?
  var bordersPassed = 0
  /// The elapsed time up to which seconds have been told.
  var tickedElapsed = Span.zero
  var cueGiven = false
  var endedAt = Instant.zero
  var outputs: [TimerOutput] = []

  /// Makes an idle machine.
  public init() {
    outputs.reserveCapacity(TimerMachine.outputsMax)
  }

  /// Begins a sit, or refuses: a sit until an instant also where that leaves less than a second.
  /// - Parameters:
  ///   - plan: what to sit.
  ///   - instant: the instant of the command.
  ///   - earliestStrike: the first instant at which the output can sound a strike that it did not
  ///     know of; the sit begins no sooner.
  ///   - isUnattended: whether it begins without a hand: then all of it is in doubt until one
  ///     comes, as after an outage of unknown length.
  /// - Precondition: everything due at or before `instant` has been fired; the segments make up the
  ///   length, unless there are none or the sit is until an instant.
  public mutating func start(
    _ plan: SitPlan, at instant: Instant, earliestStrike: Instant = .zero,
    isUnattended: Bool = false
  ) {
    requireNothingDue(at: instant)
    precondition(plan.end != nil || plan.segmentsFit, "the segments make up the length")
    if case .to = TransitionTable.outcome(of: .start, in: phase) {
      let startsAt = max(instant + plan.preparation, earliestStrike)
      guard plan.end.map({ $0 - startsAt >= TimerMachine.tickSpan }) ?? true else {
        now = instant
        return put(.refused(.start, .noTimeLeft))
      }
      sit = TimerSnapshot(plan: plan, phase: .preparing, begun: startsAt)
      if isUnattended { sit.doubtfulFrom = .zero }
      layOut()
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
      sit.startsAt = min(sit.startsAt, max(instant, earliestStrike))
      layOut()
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
      if phase != .preparing { tickedElapsed = now - sit.origin }
      put(.tick(remaining: (remaining(at: now) ?? .zero).secondsRoundedUp))
    case .interval:
      passMarks()
      put(.bell(Bell(role: .interval, ordinal: sit.intervalsPassed, due: now)))
    case .segment:
      bordersPassed += 1
      put(.bell(Bell(role: .segment, ordinal: Int64(bordersPassed), due: now)))
    case .start: handle(.startDue, at: now)
    case .end: handle(endEvent, at: now)
    case .pauseCue: handle(.pauseCueDue, at: now)
    case .pauseLimit: handle(.pauseLimitDue, at: now)
    case .ended: handle(.endedDue, at: now)
    }
  }

  mutating func handle(_ event: TimerEvent, at instant: Instant) {
    now = instant
    if event.isCommand { hear() }
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
    case .prepare, .strikeSooner, .leave: break
    case .begin:
      begin()
      put(.begun, .bell(Bell(role: .start, ordinal: 0, due: now)))
    case .hold:
      sit.pausedAt = now
      cueGiven = false
    case .goOn:
      sit.origin += now - sit.pausedAt
      sit.interrupt(from: sit.pausedAt, to: now, .pause)
      passMarks()
    case .cue:
      cueGiven = true
      put(.bell(Bell(role: .cue, ordinal: 0, due: now)))
    case .passTheBell: put(.bell(Bell(role: .end, ordinal: 0, due: now)))
    case .complete:
      put(.bell(Bell(role: .end, ordinal: 0, due: now)))
      close(.confirmed)
    case .close: close(.all)
    case .closeUnconfirmed: close(.confirmed)
    case .closeKnown: close(.known)
    case .forget: if previous != .preparing { put(.discarded) }
    }
    sit.phase = next
  }

  private mutating func begin() {
    sit.startsAt = now
    sit.begun = now
    sit.origin = now
    tickedElapsed = .zero
  }

  private mutating func close(_ credit: Credit) {
    endedAt = now
    // From here on elapsed time stands still.
    if sit.phase != .paused { sit.pausedAt = now }
    put(sit.finished(at: now, credit).map(TimerOutput.News.closed) ?? .discarded)
  }

  /// Cuts the plan to the start strike as it stands.
  mutating func layOut() {
    if let end = sit.plan.end {
      sit.plan.segments = []
      sit.plan.length = end - sit.startsAt
    }
    marks = sit.plan.marks()
    nextMark = marks.mark(1, after: .zero)
    bordersPassed = 0
  }

  /// Finds the next interval bell. What lies in the past counts as passed: the one that rings now,
  /// those of a restored sit, and those before an end that has come nearer.
  mutating func passMarks() {
    let elapsed = elapsed(at: now)
    nextMark = mark(sit.intervalsPassed + 1, after: sit.lastInterval)
    while let mark = nextMark, mark <= elapsed {
      sit.intervalsPassed += 1
      sit.lastInterval = mark
      nextMark = self.mark(sit.intervalsPassed + 1, after: mark)
    }
  }

  /// A hand was there: what ran in doubt counts.
  mutating func hear() {
    switch phase {
    case .preparing: sit.doubtfulFrom = nil
    case .running, .paused, .overtime: sit.confirm(at: now)
    case .idle, .ended: break
    }
  }

  func requireNothingDue(at instant: Instant) {
    precondition(instant >= now, "an event lies before the last handled instant")
    precondition(
      nextDeadline.map { $0 > instant } ?? true, "a deadline before this command was not fired")
  }

  mutating func put(_ news: TimerOutput.News...) {
    for item in news {
      precondition(outputs.count < TimerMachine.outputsMax, "outputs were not taken")
      outputs.append(TimerOutput(at: now, news: item))
    }
  }
}
