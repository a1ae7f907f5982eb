import Bells
import Controls
import CrownFront
import RemoteFront
import Ticks
import TimerMachine

// Invariants:
// - `now` never goes back. What is read late acts when it is read.
// - The controls and the remote panel always know the machine's phase.
// - The plan that was published last is the plan of the present state: it is compared after every
//   piece of news, and published again only if it differs.
// - At most `actionsMax` actions wait: one piece of news makes fewer, and the caller takes them
//   after each. Strikes that were dropped are told as far as there is room, the rest at once after
//   these were taken.

/// The sit itself, minus input and output: crown, remote, timer and bells as one machine.
///
/// - **look**: `phase`, `setSpan`, `volume`, `choices`, `lamp`, what the fronts show, and `timer`
///   for the times;
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
  /// The most detents of one piece of news: no hand turns more at once.
  public static let detentsMax = 16
  static let actionsMax = 96
  /// From so many on, what can be told later waits.
  private static let actionsFull = 64

  /// The timer, to look at.
  public internal(set) var timer = TimerMachine()
  /// The length that the next press would start.
  public internal(set) var setSpan: Span
  /// The box's own volume in percent.
  public internal(set) var volume: Int
  /// The volumes of the roles that have one of their own, in the order of `BellRole`.
  public internal(set) var roleVolumes: [Int?]
  /// What is chosen on this device for each sit that begins on it.
  public internal(set) var choices: Choices
  /// Whether the face is dark by choice.
  public internal(set) var isBlackedOut = false
  /// Whether the time left is hidden by choice; the end of the sit shows it again.
  public internal(set) var isTimeHidden = false
  /// When the phase began.
  public private(set) var phaseBegan = Instant.zero
  /// The sit that was started last.
  public internal(set) var lastLength = SitLength.set
  /// The programmes there are, in their order.
  public internal(set) var programmes: [Programme]
  /// The programme of the sit that is on, or was last.
  var sitting: Programme?
  var untilEnds: [UntilEnd] = []
  /// Why no sit may begin here now, and when the last start was refused for it.
  var elsewhere: String?
  var heldOffAt: Instant?
  var seeds: SeededGenerator
  /// What can still be done to the sit that is over.
  var over = Aftermath()
  /// The reminder that calls.
  var call: Call?
  /// The gesture that made it quiet.
  var swallowing = Swallowing()

  let settings: ApplianceSettings
  /// The remote panel; nil on a box without one.
  var remote: RemotePanel?
  var crown: CrownPanel
  var controls: Controls
  var planner: BellPlanner
  var cuePlanner = CuePlanner()
  /// Whether somebody may see a face.
  var isFaceSeen = true
  /// Whether anything was refused since the last input.
  var isRefused = false
  private var published: [PlannedStrike] = []
  var readiness = OutputReadiness.absent
  var masked: LineSet = []
  var heldAtStart: LineSet = []
  private var actions: [ApplianceAction] = []
  var now = Instant.zero

  /// Makes an idle appliance.
  /// - Parameters:
  ///   - settings: what the device is set to.
  ///   - levels: the raw level of each line now.
  public init(settings: ApplianceSettings, levels: LineLevels = .rest) {
    self.settings = settings
    setSpan = settings.length
    volume = settings.volume
    roleVolumes = settings.roleVolumes
    choices = Choices(settings)
    programmes = settings.programmes
    seeds = SeededGenerator(seed: settings.seed)
    crown = CrownPanel(mapping: settings.crown, isLocked: settings.isCrownLocked)
    if settings.hasRemote {
      remote = RemotePanel(
        mapping: settings.remote, programmes: settings.programmes.map { $0.name },
        setLength: settings.length)
    }
    var controlSettings = settings.controls
    controlSettings.doubleBound = settings.crown.doubleBound
    controls = Controls(settings: controlSettings, levels: levels)
    planner = BellPlanner(
      recipes: settings.bells, latest: settings.latestSpan, undecided: settings.undecidedSpan)
  }

  /// Where the sit stands.
  public var phase: Phase { timer.phase }

  /// When `advance(to:)` has something to do; nil when nothing is due by itself.
  public var nextDeadline: Instant? {
    if planner.hasDropped { return now }
    var next = timer.nextDeadline
    let others: [Instant?] = [
      controls.nextDeadline, remote?.nextDeadline, cuePlanner.nextDeadline, planner.nextDeadline,
      over.askedUntil, call?.until,
    ]
    for case let due? in others {
      next = min(next ?? due, due)
    }
    return next
  }

  /// Fires the earliest deadline that is due at or before an instant; of those that are due at
  /// once the timer's first, then the picture's, those of a question and of a call, the controls',
  /// the cues' and the bells'.
  /// - Returns: whether one was fired; if so, take the actions and call again.
  public mutating func advance(to instant: Instant) -> Bool {
    guard let due = nextDeadline, due <= instant else {
      now = max(now, instant)
      return false
    }
    now = max(now, due)
    if !timer.advance(to: due) {
      remote?.advance(to: due)
      over.advance(to: due)
      advanceCall(to: due)
      controls.advance(to: due)
      cuePlanner.advance(to: due)
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
    case .command(let command):
      isRefused = false
      if command.isOfHand { touch() }
      carryOut(command)
      settleTimer()
      if isRefused { give(.no) }
    case .strike(let report): take(report)
    case .output(let readiness): self.readiness = readiness
    case .faceSeen(let isSeen): isFaceSeen = isSeen
    case .ticksWanted(let wanted):
      // The timer is told the time first, or it would tell every second since its last deadline.
      while timer.advance(to: now) { takeTimerOutputs() }
      timer.ticksWanted = wanted
    case .programmes(let list): take(list)
    case .untilEnds(let ends): untilEnds = ends
    case .elsewhere(let reason): elsewhere = reason
    case .reminder(let reminder): take(reminder)
    case .slept(let woken): timer.slept(from: now, to: woken)
    case .endMoved(let end): timer.replan(end: end, at: now)
    }
    settleTimer()
    publish()
  }

  /// The next piece of work, oldest first; nil when there is none.
  public mutating func nextAction() -> ApplianceAction? {
    actions.isEmpty ? nil : actions.removeFirst()
  }

  private mutating func take(_ report: StrikeReport) {
    let bell = planner.report(report.number)
    if let bell, report.outcome != .missed {
      cuePlanner.bellSounds(at: max(bell.strike.due, report.started))
    }
    if let strike = bell ?? cuePlanner.report(report.number) { tell(.strike(strike, report)) }
  }

  // MARK: - What programs and panels ask for

  mutating func carryOut(_ command: ApplianceCommand) {
    switch command {
    case .start(let length, let anyway): start(length, anyway: anyway)
    case .choose(let name): choose(named: name)
    case .setRating(let isOn): choices.hasRating = isOn
    case .setPicture(let picture): choices.choose(picture)
    case .undo: undo()
    case .timer(let event): time(event)
    case .setVolume(let percent): setVolume(percent)
    case .setRoleVolume(let role, let percent): setVolume(of: role, percent)
    case .ring(let sound): ring(sound)
    }
  }

  mutating func time(_ event: TimerEvent) {
    timer.command(event, at: now, earliestStrike: readiness.earliestStrike(at: now))
  }

  // MARK: - What the timer tells

  /// Takes what the timer tells, and fires what is due by now: a start without preparation begins
  /// at its own instant, before anything else is done at it.
  mutating func settleTimer() {
    takeTimerOutputs()
    while timer.advance(to: now) { takeTimerOutputs() }
  }

  private mutating func takeTimerOutputs() {
    while let output = timer.nextOutput() {
      switch output.news {
      case .phase(let from, let to):
        enter(to, at: output.at)
        follow(from: from, to: to, at: output.at)
        soundUnder(from: from, to: to)
        tell(.phase(from: from, to: to), at: output.at)
      case .begun:
        over = Aftermath()
        tell(.begun, at: output.at)
      case .bell(let bell): planner.becomeDue(bell)
      case .tick(let remaining): tell(.tick(remaining: remaining), at: output.at)
      case .closed(let sit):
        over.isKept = true
        tell(.closed(sit), at: output.at)
      case .discarded: tell(.discarded, at: output.at)
      case .refused(let event, let refusal):
        refuse(event.name, refusal.reason.description, at: output.at)
      }
    }
  }

  private mutating func enter(_ phase: Phase, at instant: Instant) {
    phaseBegan = instant
    controls.enter(phase, at: instant)
    remote?.enter(phase, at: instant)
    if phase == .ended || phase == .idle { isTimeHidden = false }
    if phase == .preparing { endCall() }
    if phase != .ended { over.leave() }
  }

  /// What a change of phase does to the bells that are striking. Bells that the timer no longer
  /// foresees leave the plan by themselves. An end goes from the outside in: where a hand ended it,
  /// the strikes are cancelled before what rings is damped and the sit is kept. In overtime it is
  /// the end bell that rings, and it may ring out.
  private mutating func follow(from: Phase, to: Phase, at instant: Instant) {
    switch to {
    case .preparing: planner.cancelAll()
    case .paused: planner.cancelRemainingStrikes()
    case .ended:
      let isEndedByItself = from == .running && timer.remaining(at: instant) == .zero
      if !isEndedByItself {
        planner.cancelStriking()
        publish()
        if from != .overtime { put(.damp) }
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

  mutating func publish() {
    planner.announce(timer.upcomingBells())
    let bells = planner.plan(at: now)
    while actions.count < Appliance.actionsFull, let strike = planner.nextDropped() {
      let number = strike.strike.number
      tell(.strike(strike, StrikeReport(number: number, started: now, outcome: .missed)))
    }
    let cues = cuePlanner.plan(beside: bells)
    let plan = cues.isEmpty ? bells : BellPlanner.merged(bells, cues)
    guard plan != published else { return }
    published = plan
    put(.plan(plan))
  }

  mutating func refuse(
    _ command: StaticString, _ reason: String, at instant: Instant? = nil
  ) {
    isRefused = true
    tell(.refused(command: command, reason: reason), at: instant)
  }

  mutating func tell(_ notice: Notice, at instant: Instant? = nil) {
    put(.notice(notice, at: instant ?? now))
  }

  mutating func put(_ action: ApplianceAction) {
    precondition(actions.count < Appliance.actionsMax, "actions were not taken")
    actions.append(action)
  }
}
