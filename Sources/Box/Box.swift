import Appliance
import Bells
import Controls
import Sessions
import Ticks
import TimerMachine
import Zones

// Invariants:
// - The core never waits: a sit that cannot be saved, a sound that cannot be heard and a clock that
//   is not known become lines of `degraded`, and nothing else changes.
// - A failed save is tried again at once, and then every `retrySpan` until it is done.
// - Dates are made when a sit ends, from the newest reading of the wall clock, so that a clock that
//   was set in mid-sit dates both ends alike.

/// The whole product, minus input and output: the appliance, the wall clock, and what is kept.
///
/// The same four families as the appliance: look, `advance(to:)`, `handle(_:at:)`, `nextAction()`.
public struct Box: Sendable {
  /// From one try to save to the next, after the second.
  public static let retrySpan = Span.seconds(60)
  /// How long a choice must have stood to be kept: a hand that turns the volume up and down makes
  /// one write of it.
  public static let choicesSpan = Span.seconds(5)
  /// How long a bell that was missed is told, if no other rings.
  public static let missedBellSpan = Span.hours(24)
  /// How long a reminder that is due as the box starts waits at most to hear of the store what was
  /// sat on its day.
  public static let storeSpan = Span.seconds(10)

  /// The appliance, to look at.
  public internal(set) var appliance: Appliance
  /// What does not work, each with what still does.
  public internal(set) var degraded: [String] = []

  let settings: BoxSettings
  var zone: ZoneRules
  var wall: WallReading
  var identities: SeededGenerator
  /// The sit that is on and has begun.
  var sit: OpenSit?
  /// The journal of a sit that goes on, or waits, after an outage of unknown length, and since
  /// when; nil once a hand has come.
  var doubt: (journal: SitJournal, since: Instant)?
  /// The sit that was closed last, for what a hand still does to it.
  var closed: ClosedSit?
  /// The sits that are over and wait for something.
  var over = ClosedSits()
  /// Whether the journal says that a sit is being prepared.
  var isPreparing = false
  /// Whether there is a journal.
  var isJournaled = false
  /// The local time until which the sit that is preparing was asked for.
  var askedUntil: Span?
  /// What was told of the ends of programmes.
  var untilEnds: [UntilEnd] = []
  var journey: String?
  var pace = JournalPace()
  var reminders: ReminderSchedule
  /// What is kept of them, and whether one wakes somebody now.
  var called: CalledDays
  var isWaking = false
  /// What was told of the sit elsewhere, and of our own.
  var elsewhere: Elsewhere?
  var seenClaims: [SeenClaim] = []
  var claimed: SitClaim?
  /// When each of the box's own deadlines is due, by `BoxTimer`.
  var deadlines: [Instant?] = BoxTimer.allCases.map { _ in nil }
  var faults: [Fault] = []
  var saveFailures = 0
  /// What was last seen of the choices, to notice a change.
  var choices: Choices
  var roleVolumes: [Int?]
  var soundDevice: String?
  var storeStatus: StoreStatus?
  var actions: [BoxAction] = []
  /// The last instant that was handled.
  public internal(set) var now = Instant.zero

  /// Makes an idle box.
  /// - Parameters:
  ///   - settings: what it is.
  ///   - zone: the rules of the zone it stands in.
  ///   - wall: the wall clock's first reading.
  ///   - levels: the raw level of each line now.
  public init(
    settings: BoxSettings, zone: ZoneRules, wall: WallReading, levels: LineLevels = .rest
  ) {
    self.settings = settings
    self.zone = zone
    self.wall = wall
    identities = SeededGenerator(seed: settings.seed)
    appliance = Appliance(settings: settings.appliance, levels: levels)
    choices = appliance.choices
    roleVolumes = appliance.roleVolumes
    soundDevice = settings.soundDevice
    now = wall.at
    journey = settings.journey
    called = settings.called
    reminders = ReminderSchedule(
      settings.reminders, called: settings.called, earliest: wall.at + Box.storeSpan)
    followClock()
  }

  /// When `advance(to:)` has something to do; nil when nothing is due by itself.
  public var nextDeadline: Instant? { nextTimer?.due }

  private var nextTimer: (timer: BoxTimer, due: Instant)? {
    var next: (timer: BoxTimer, due: Instant)?
    for timer in BoxTimer.allCases {
      let deadline = timer == .appliance ? appliance.nextDeadline : self[timer]
      guard let due = deadline else { continue }
      if next.map({ due < $0.due }) ?? true { next = (timer, due) }
    }
    return next
  }

  /// When one of the box's own deadlines is due.
  subscript(_ timer: BoxTimer) -> Instant? {
    get { deadlines[timer.rawValue] }
    set { deadlines[timer.rawValue] = newValue }
  }

  /// Fires the earliest deadline that is due at or before an instant.
  /// - Returns: whether one was fired; if so, take the actions and call again.
  public mutating func advance(to instant: Instant) -> Bool {
    guard let (timer, due) = nextTimer, due <= instant, timer != .appliance else {
      now = max(now, min(appliance.nextDeadline ?? instant, instant))
      let fired = appliance.advance(to: instant)
      takeApplianceActions()
      return fired
    }
    now = max(now, due)
    self[timer] = nil
    switch timer {
    case .appliance: break
    case .retry: actions.append(.retrySave)
    case .choices: putChoices()
    case .journal: writeJournal(isDurable: isJournalDurable, at: instant)
    case .claim: putClaim()
    case .elsewhere: followElsewhere()
    case .untilEnds: followUntilEnds()
    case .reminder: remind(at: instant)
    case .credit: settleOver()
    case .missedBell: forgetMissedBell()
    }
    return true
  }

  /// Takes a piece of news.
  /// - Parameters:
  ///   - event: the news.
  ///   - instant: when it is so.
  /// - Precondition: everything due at or before `instant` has been fired.
  public mutating func handle(_ event: BoxEvent, at instant: Instant) {
    now = max(now, instant)
    switch event {
    case .appliance(let event):
      let isOfProgrammes = if case .programmes = event { true } else { false }
      appliance.handle(event, at: instant)
      takeApplianceActions()
      if isOfProgrammes { followUntilEnds() }
    case .wall(let reading):
      wall = reading
      followClock()
    case .zone(let rules):
      zone = rules
      followClock()
    case .slept(let end):
      appliance.handle(.slept(to: end), at: instant)
      takeApplianceActions()
    case .journal(let journal, let known): recover(journal, known: known)
    case .startUntil(let time, let anyway): start(until: time, anyway: anyway)
    case .journey(let journey): self.journey = journey
    case .outputLost(let reason):
      set(Fault(what: "sound", detail: "\(reason). The timer goes on.", isOver: false))
    case .outputWorks: clear("sound")
    case .soundDevice(let device):
      soundDevice = device
      self[.choices] = now + Box.choicesSpan
    case .failed(let what, let detail):
      set(Fault(what: what, detail: detail, isOver: false))
    case .works(let what): clear(what)
    case .store(let reports): take(reports)
    case .storeStatus(let status): take(status)
    }
  }

  /// The next piece of work, oldest first; nil when there is none.
  public mutating func nextAction() -> BoxAction? {
    actions.isEmpty ? nil : actions.removeFirst()
  }

  /// Has the choices kept that wait to be, at once: the end of the box is near.
  public mutating func keepChoices() {
    guard self[.choices] != nil else { return }
    self[.choices] = nil
    putChoices()
  }

  private mutating func putChoices() {
    actions.append(
      .saveChoices(
        DeviceChoices(
          volume: appliance.volume, choices: appliance.choices,
          roleVolumes: appliance.roleVolumes, soundDevice: soundDevice)))
  }

  mutating func takeApplianceActions() {
    if appliance.choices != choices || appliance.roleVolumes != roleVolumes {
      choices = appliance.choices
      roleVolumes = appliance.roleVolumes
      self[.choices] = now + Box.choicesSpan
    }
    while let action = appliance.nextAction() {
      actions.append(.appliance(action))
      switch action {
      case .notice(let notice, let instant): take(notice, at: instant)
      case .sitting(let isSitting): actions.append(.inhibitSleep(isSitting))
      case .plan, .volumes, .ambient, .warmUp, .damp, .readLevels, .mask: break
      }
    }
    if isWaking && !appliance.isWaking {
      isWaking = false
      keepCalled()
    }
    planJournal()
  }

  private mutating func take(_ notice: Notice, at instant: Instant) {
    switch notice {
    case .begun: begin(at: instant)
    case .closed(let finished): close(finished, at: instant)
    case .discarded: discard(at: instant)
    case .phase(_, let phase): follow(phase)
    case .touched:
      doubt = nil
      credit(at: instant)
    case .rated(let rating): rate(rating)
    case .deleted: delete()
    case .undone: undo()
    case .noise(let noise): take(noise)
    case .heldAtStart(let lines): take(heldAtStart: lines)
    case .volume: self[.choices] = instant + Box.choicesSpan
    case .strike(let strike, let report): take(strike, report)
    case .input, .set, .refused, .tick, .programme, .askedDelete, .reminder: break
    }
  }
}

/// The box's deadlines. Equal ones fire in this order.
enum BoxTimer: Int, CaseIterable {
  /// To try again what could not be saved.
  case retry
  /// To keep what was chosen.
  case choices
  /// What the appliance has to do.
  case appliance
  /// To write down the running sit.
  case journal
  /// To say again that a sit runs here.
  case claim
  /// A sit elsewhere is not believed in any longer.
  case elsewhere
  /// A time of day has passed until which a programme would have gone.
  case untilEnds
  /// A reminder.
  case reminder
  /// A sit that is over can be credited no longer.
  case credit
  /// A bell that was missed is told no longer.
  case missedBell
}
