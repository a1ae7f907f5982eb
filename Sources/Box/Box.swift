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

  /// The appliance, to look at.
  public private(set) var appliance: Appliance
  /// What does not work, each with what still does.
  public internal(set) var degraded: [String] = []

  let settings: BoxSettings
  var zone: ZoneRules
  var wall: WallReading
  var identities: SeededGenerator
  var sit = Identity(high: 0, low: 0)
  var isClockKnownAtBegin = false
  var faults: [Fault] = []
  var saveFailures = 0
  var retryAt: Instant?
  var choicesAt: Instant?
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
    updateDegraded()
  }

  /// When `advance(to:)` has something to do; nil when nothing is due by itself.
  public var nextDeadline: Instant? {
    var next = appliance.nextDeadline
    for case let due? in [retryAt, choicesAt] { next = min(next ?? due, due) }
    return next
  }

  /// Fires the earliest deadline that is due at or before an instant.
  /// - Returns: whether one was fired; if so, take the actions and call again.
  public mutating func advance(to instant: Instant) -> Bool {
    if let retryAt, retryAt <= instant, retryAt <= appliance.nextDeadline ?? retryAt {
      now = max(now, retryAt)
      self.retryAt = nil
      actions.append(.retrySave)
      return true
    }
    if let choicesAt, choicesAt <= instant, choicesAt <= appliance.nextDeadline ?? choicesAt {
      now = max(now, choicesAt)
      keepChoices()
      return true
    }
    now = max(now, min(appliance.nextDeadline ?? instant, instant))
    let fired = appliance.advance(to: instant)
    takeApplianceActions()
    return fired
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
      appliance.handle(event, at: instant)
      takeApplianceActions()
    case .wall(let reading):
      wall = reading
      updateDegraded()
    case .outputLost(let reason):
      set(Fault(what: "sound", detail: "\(reason). The timer goes on.", isOver: false))
    case .outputWorks: clear("sound")
    case .soundDevice(let device):
      soundDevice = device
      choicesAt = now + Box.choicesSpan
    case .failed(let what, let detail):
      set(Fault(what: what, detail: detail, isOver: false))
    case .works(let what): clear(what)
    case .store(let reports): take(reports)
    case .storeStatus(let status): take(status)
    case .zone(let rules): zone = rules
    case .slept, .journal, .journey: break
    }
  }

  /// The next piece of work, oldest first; nil when there is none.
  public mutating func nextAction() -> BoxAction? {
    actions.isEmpty ? nil : actions.removeFirst()
  }

  /// Has the choices kept that wait to be, at once: the end of the box is near.
  public mutating func keepChoices() {
    guard choicesAt != nil else { return }
    choicesAt = nil
    actions.append(
      .saveChoices(
        DeviceChoices(
          volume: appliance.volume, choices: appliance.choices,
          roleVolumes: appliance.roleVolumes, soundDevice: soundDevice)))
  }

  // MARK: - Sits

  mutating func takeApplianceActions() {
    if appliance.choices != choices || appliance.roleVolumes != roleVolumes {
      choices = appliance.choices
      roleVolumes = appliance.roleVolumes
      choicesAt = now + Box.choicesSpan
    }
    while let action = appliance.nextAction() {
      actions.append(.appliance(action))
      guard case .notice(let notice, let instant) = action else { continue }
      switch notice {
      case .begun:
        sit = Identity(randomHigh: identities.next(), low: identities.next())
        isClockKnownAtBegin = wall.isKnown
        actions.append(.session(.begun, sit, at: instant))
      case .closed(let finished):
        actions.append(.session(.closed, sit, at: instant))
        actions.append(.save(session(of: finished)))
      case .discarded: actions.append(.session(.discarded, sit, at: instant))
      case .noise(let noise): take(noise)
      case .heldAtStart(let lines): take(heldAtStart: lines)
      case .volume: choicesAt = instant + Box.choicesSpan
      case .strike(let strike, let report): take(strike, report)
      case .input, .phase, .set, .refused, .tick, .programme, .rated, .askedDelete, .deleted,
        .undone, .touched, .reminder:
        break
      }
    }
  }
}
