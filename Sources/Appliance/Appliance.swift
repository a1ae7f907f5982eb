import Bells
import Controls
import Ticks
import TimerMachine

// Invariants:
// - `now` never goes back. What is read late acts when it is read.
// - The controls always know the machine's phase.
// - The plan that was published last is the plan of the present state: it is compared after every
//   piece of news, and published again only if it differs.
// - At most `actionsMax` actions wait: one piece of news makes fewer, and the caller takes them
//   after each.

/// The sit itself, minus input and output: crown, remote, timer and bells as one machine.
///
/// - **look**: `phase`, `setSpan`, `volume`, `isBlackedOut`, and `timer` for the times;
/// - **time**: `advance(to:)` until it returns false, taking the actions after each call;
/// - **news**: `handle(_:at:)`, after everything due at or before that instant has been fired;
/// - **work**: `nextAction()` until nil. `nextDeadline` says when to call `advance` if nothing else
///   happens.
public struct Appliance: Sendable {
  /// The shortest and the longest length that the knob sets (PRODUCT, "The timer").
  public static let knobRange = Span.minutes(1)...Span.hours(24)
  /// What one detent changes the volume by, in percent.
  public static let volumeStepPercent = 5
  /// The knob never turns the volume below this: a knob that silences the end bell in the dark
  /// would break the first promise. A command may.
  public static let volumeFloorPercent = 10
  static let actionsMax = 96

  /// The timer, to look at.
  public private(set) var timer = TimerMachine()
  /// The length that the next press would start.
  public private(set) var setSpan: Span
  /// Volume in percent.
  public private(set) var volume: Int
  /// Whether the face is dark by choice.
  public private(set) var isBlackedOut = false
  /// The length of the sit that was started last.
  public private(set) var lastLength = SitLength.set

  private let settings: ApplianceSettings
  private var controls: Controls
  private var planner: BellPlanner
  private var published: [PlannedStrike] = []
  private var readiness = OutputReadiness.absent
  private var wakingUntil: Instant?
  private var wakingButton: Button?
  private var masked: LineSet = []
  private var actions: [ApplianceAction] = []
  private var now = Instant.zero

  /// Makes an idle appliance.
  /// - Parameters:
  ///   - settings: what the device is set to.
  ///   - levels: the raw level of each line now.
  public init(settings: ApplianceSettings, levels: LineLevels = .rest) {
    self.settings = settings
    setSpan = settings.length
    volume = settings.volume
    controls = Controls(settings: settings.controls, levels: levels)
    planner = BellPlanner(recipes: settings.bells, latest: settings.latestSpan)
  }

  /// Where the sit stands.
  public var phase: Phase { timer.phase }

  /// When `advance(to:)` has something to do; nil when nothing is due by itself.
  public var nextDeadline: Instant? {
    switch (timer.nextDeadline, controls.nextDeadline) {
    case (let timer?, let controls?): min(timer, controls)
    case (let timer, let controls): timer ?? controls
    }
  }

  /// Fires the earliest deadline that is due at or before an instant; the timer's before the
  /// controls' where both are due at once.
  /// - Returns: whether one was fired; if so, take the actions and call again.
  public mutating func advance(to instant: Instant) -> Bool {
    guard let due = nextDeadline, due <= instant else {
      now = max(now, instant)
      return false
    }
    now = max(now, due)
    if !timer.advance(to: due) {
      controls.advance(to: due)
      takeInputs()
    }
    takeTimerOutputs()
    publish()
    return true
  }

  /// Takes a piece of news.
  /// - Parameters:
  ///   - event: the news.
  ///   - instant: when it is so; one before the last handled instant counts as that. An edge that
  ///     is stamped after it counts as of this instant.
  /// - Precondition: everything due at or before `instant` has been fired.
  public mutating func handle(_ event: ApplianceEvent, at instant: Instant) {
    now = max(now, instant)
    switch event {
    case .edge, .turned, .levels, .edgesMissed, .linesLost, .linesTaken: handleHand(event)
    case .command(let command): carryOut(command)
    case .strike(let report):
      if let strike = planner.report(report.number) { tell(.strike(strike, report)) }
    case .output(let readiness): self.readiness = readiness
    case .ticksWanted(let wanted):
      // The timer is told the time first, or it would tell every second since its last deadline.
      while timer.advance(to: now) { takeTimerOutputs() }
      timer.ticksWanted = wanted
    }
    settleTimer()
    publish()
  }

  /// The next piece of work, oldest first; nil when there is none.
  public mutating func nextAction() -> ApplianceAction? {
    actions.isEmpty ? nil : actions.removeFirst()
  }

  // MARK: - What the hand does

  private mutating func handleHand(_ event: ApplianceEvent) {
    switch event {
    case .edge(var edge):
      // The stamp is converted from another clock, and may end up a little in the future.
      edge.at = min(edge.at, now)
      controls.handle(edge)
    case .turned(let detents): controls.turn(by: detents, at: now)
    case .levels(var reading):
      reading.at = now
      controls.handle(reading)
    case .edgesMissed(let lines): controls.missed(lines, at: now)
    case .linesLost(let lines): controls.lose(lines, at: now)
    case .linesTaken(var reading):
      reading.at = now
      controls.take(reading)
    case .command, .strike, .output, .ticksWanted: break
    }
    takeInputs()
  }

  private mutating func takeInputs() {
    while let input = controls.nextInput() {
      now = max(now, input.decidedAt)
      tell(.input(input), at: input.decidedAt)
      if isTouch(input) && phase != .running { put(.warmUp) }
      act(on: input)
      settleTimer()
    }
    while let noise = controls.nextNoise() { tell(.noise(noise)) }
    if controls.masked != masked {
      masked = controls.masked
      put(.mask(masked))
    }
    if let lines = controls.nextLook() { put(.readLevels(lines)) }
  }

  /// A detent or a press may lead to a strike, so the output is opened with it.
  private func isTouch(_ input: Input) -> Bool {
    switch input.kind {
    case .detent, .press: true
    case .release, .click, .double, .long, .repeat: false
    }
  }

  private mutating func act(on input: Input) {
    if isWaking(input) { return }
    let isCrown = input.button == .crown
    if isCrown && settings.isCrownLocked && input.phaseAtPress == .running {
      guard input.kind == .long else {
        if CrownPanel.command(for: input) != nil { refuse("crown", "the crown is locked") }
        return
      }
    }
    guard let command = isCrown ? CrownPanel.command(for: input) : RemotePanel.command(for: input)
    else { return }
    carryOut(command, input)
  }

  /// Whether this gesture only wakes a dark face. On the crown a click always acts.
  private mutating func isWaking(_ input: Input) -> Bool {
    switch input.kind {
    case .detent:
      // A waking turn is swallowed whole: until the knob has rested, it is one gesture.
      if isBlackedOut || wakingUntil.map({ input.decidedAt < $0 }) == true {
        isBlackedOut = false
        wakingUntil = input.decidedAt + .milliseconds(200)
        return true
      }
      return false
    case .long:
      defer { isBlackedOut = false }
      return isBlackedOut
    case .click, .repeat:
      guard input.button != .crown else { return false }
      // A key that is held wakes with its first repeat, and the others belong to it.
      let isHeldOn = input.kind == .repeat && input.button == wakingButton
      guard isBlackedOut || isHeldOn else { return false }
      isBlackedOut = false
      wakingButton = input.button
      return true
    case .press:
      wakingButton = nil
      return false
    case .release, .double: return false
    }
  }

  private mutating func carryOut(_ command: PanelCommand, _ input: Input) {
    switch command {
    case .changeLength: changeLength(input)
    case .changeVolume: changeVolume(input)
    case .start: start(.set)
    case .startLast: start(lastLength)
    case .skip: time(.skip)
    case .discard: time(.discard)
    case .pause: time(.pause)
    case .resume: time(.resume)
    case .endAndKeep, .finish: time(.stop)
    case .accept: time(.accept)
    case .toggleBlackout: isBlackedOut.toggle()
    case .nextProgramme: refuse("next programme", "there is only one programme")
    case .rate: break
    case .askDelete: refuse("delete", "a sit cannot be deleted here yet")
    case .moveFocus, .changeRow, .activateFocus, .toggleTime, .askEnd, .keepOn:
      refuse("remote", "the remote has no focus row yet")
    }
  }

  private mutating func changeLength(_ input: Input) {
    guard case .detent(let step, let isFast, _) = input.kind else { return }
    let change = isFast ? settings.fastStepSpan : settings.stepSpan
    let wanted = setSpan + change * Int64(step)
    let range = Appliance.knobRange
    let length = min(max(wanted, range.lowerBound), range.upperBound)
    guard length != setSpan else { return }
    setSpan = length
    tell(.set(length))
  }

  private mutating func changeVolume(_ input: Input) {
    var step = RemotePanel.step(of: input.button)
    if case .detent(let detents, _, _) = input.kind { step = detents }
    let wanted = volume + step * Appliance.volumeStepPercent
    // Whoever is below the floor by command is not lifted by a turn towards silence.
    let floor = min(volume, Appliance.volumeFloorPercent)
    setVolume(min(max(wanted, floor), 100))
  }

  // MARK: - What programs and panels ask for

  private mutating func carryOut(_ command: ApplianceCommand) {
    switch command {
    case .start(let length): start(length)
    case .timer(let event): time(event)
    case .setVolume(let percent): setVolume(percent)
    }
  }

  private mutating func start(_ length: SitLength) {
    var plan = settings.plan
    switch length {
    case .set: plan.length = setSpan
    case .fixed(let span): plan.length = span
    case .open: plan.length = nil
    }
    timer.start(plan, at: now, earliestStrike: readiness.earliestStrike(at: now))
    if phase == .preparing && timer.plan == plan {
      lastLength = plan.length.map { .fixed($0) } ?? .open
    }
  }

  private mutating func time(_ event: TimerEvent) {
    timer.command(event, at: now, earliestStrike: readiness.earliestStrike(at: now))
  }

  private mutating func setVolume(_ percent: Int) {
    precondition((0...100).contains(percent), "a volume lies between 0 and 100")
    guard percent != volume else { return }
    volume = percent
    put(.volume(percent))
    tell(.volume(percent))
  }

  // MARK: - What the timer tells

  /// Takes what the timer tells, and fires what is due by now: a start without preparation begins
  /// at its own instant, before anything else is done at it.
  private mutating func settleTimer() {
    takeTimerOutputs()
    while timer.advance(to: now) { takeTimerOutputs() }
  }

  private mutating func takeTimerOutputs() {
    while let output = timer.nextOutput() {
      switch output.news {
      case .phase(let from, let to):
        controls.enter(to, at: output.at)
        follow(from: from, to: to, at: output.at)
        tell(.phase(from: from, to: to), at: output.at)
      case .begun: tell(.begun, at: output.at)
      case .bell(let bell): planner.becomeDue(bell)
      case .tick(let remaining): tell(.tick(remaining: remaining), at: output.at)
      case .closed(let sit): tell(.closed(sit), at: output.at)
      case .discarded: tell(.discarded, at: output.at)
      case .refused(let event, let refusal): refuse(event.name, refusal.reason, at: output.at)
      }
    }
  }

  /// What a change of phase does to the bells that are striking. Bells that the timer no longer
  /// foresees leave the plan by themselves. An end goes from the outside in: where a hand ended it,
  /// the strikes are cancelled before what rings is damped and the sit is kept.
  private mutating func follow(from: Phase, to: Phase, at instant: Instant) {
    switch to {
    case .preparing: planner.cancelAll()
    case .paused: planner.cancelRemainingStrikes()
    case .ended:
      let isEndedByHand = from == .running && timer.remaining(at: instant) != .zero
      if isEndedByHand {
        planner.cancelStriking()
        publish()
      }
    case .idle:
      // Left by hand, the box is to be quiet; left by itself, a long row of strikes goes on.
      let isLeftByItself =
        from == .ended && instant - timer.endedSince == TimerMachine.endedSpan
      if !isLeftByItself { planner.cancelAll() }
      publish()
      if from != .ended { put(.damp) }
    case .running, .overtime: break
    }
  }

  private mutating func publish() {
    planner.announce(timer.upcomingBells())
    let plan = planner.plan(at: now)
    guard plan != published else { return }
    published = plan
    put(.plan(plan))
  }

  private mutating func refuse(
    _ command: StaticString, _ reason: StaticString, at instant: Instant? = nil
  ) {
    tell(.refused(command: command, reason: reason), at: instant)
  }

  private mutating func tell(_ notice: Notice, at instant: Instant? = nil) {
    put(.notice(notice, at: instant ?? now))
  }

  private mutating func put(_ action: ApplianceAction) {
    precondition(actions.count < Appliance.actionsMax, "actions were not taken")
    actions.append(action)
  }
}
