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
  public private(set) var degraded: [String] = []

  private let settings: BoxSettings
  private let zone: ZoneRules
  private var wall: WallReading
  private var identities: SeededGenerator
  private var sit = Identity(high: 0, low: 0)
  private var isClockKnownAtBegin = false
  private var faults: [Fault] = []
  private var saveFailures = 0
  private var retryAt: Instant?
  private var choicesAt: Instant?
  /// What was last seen of the choices, to notice a change.
  private var choices: Choices
  private var roleVolumes: [Int?]
  private var soundDevice: String?
  private var storeStatus: StoreStatus?
  private var actions: [BoxAction] = []
  /// The last instant that was handled.
  public private(set) var now = Instant.zero

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

  /// What the box shows at an instant.
  public func state(at instant: Instant) -> StateLine {
    let timer = appliance.timer
    var line = StateLine()
    line.phase = timer.phase.name.description
    line.programme = appliance.programme.name
    line.segment = timer.plan == nil ? nil : "sit"
    line.plannedSeconds = timer.plan?.length?.wholeSeconds
    line.elapsedSeconds = timer.elapsed(at: instant).wholeSeconds
    line.remainingSeconds = timer.remaining(at: instant)?.secondsRoundedUp
    line.overtimeSeconds = timer.overtime(at: instant).wholeSeconds
    line.setSeconds = appliance.setSpan.wholeSeconds
    line.volume = appliance.volume
    for (role, percent) in zip(BellRole.allCases, appliance.roleVolumes) {
      line.roleVolumes["\(role.name)"] = percent
    }
    line.panel = StateLine.Panel(appliance)
    line.degraded = degraded
    if wall.isKnown, let end = timer.plannedEnd {
      let date = wall.wall(at: end)
      line.endsAt = date.text(offsetSeconds: zone.offsetSeconds(at: date))
    }
    return line
  }

  /// The same with how the store stands: for who asks once, since the ages of copies change all the
  /// time.
  public func stateWithStore(at instant: Instant) -> StateLine {
    var line = state(at: instant)
    line.store = storeStatus.map {
      StateStore($0, at: wall.isKnown ? wall.wall(at: instant) : nil) { [zone] in
        $0.text(offsetSeconds: zone.offsetSeconds(at: $0))
      }
    }
    return line
  }

  // MARK: - Sits

  private mutating func takeApplianceActions() {
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

  /// A bell that nobody heard is told until the next one rings. Its further strikes are no news.
  private mutating func take(_ strike: PlannedStrike, _ report: StrikeReport) {
    guard strike.cue == nil else { return }
    guard report.outcome == .missed else { return clear(Fault.missedBell) }
    guard strike.index == 1 else { return }
    let time = wall.isKnown ? " at \(timeOfDay(at: strike.strike.due))" : ""
    let detail = "The \(strike.role.name) bell\(time) was missed."
    set(Fault(what: Fault.missedBell, detail: detail, isOver: false))
  }

  /// The local time of day as `HH:MM:SS`.
  private func timeOfDay(at instant: Instant) -> String {
    let date = wall.wall(at: instant)
    let text = date.text(offsetSeconds: zone.offsetSeconds(at: date))
    return String(text.split(separator: "T").last?.prefix(8) ?? "")
  }

  private mutating func take(heldAtStart lines: LineSet) {
    for line in Line.allCases {
      let name = settings.lineNames[Int(line.rawValue)]
      guard lines.contains(line) else {
        clear("held \(name)")
        continue
      }
      let detail = "\(name) is held since the start and is listened to once it was let go."
      set(Fault(what: "held \(name)", detail: detail + " The timer goes on.", isOver: false))
    }
  }

  private mutating func take(_ noise: LineNoise) {
    let name = settings.lineNames[Int(noise.line.rawValue)]
    let what = "noise on \(name)"
    guard noise.isNoisy else { return clear(what) }
    let detail =
      "\(name) changes without a hand and is not listened to. Check its wire and its bias."
    set(Fault(what: what, detail: detail + " The timer goes on.", isOver: false))
  }

  private func session(of finished: FinishedSit) -> MeditationSession {
    let start = wall.wall(at: finished.begun)
    var session = MeditationSession(
      id: sit, startDate: start, endDate: wall.wall(at: finished.ended),
      durationSeconds: MeditationSession.wholeSeconds(finished.credited),
      plannedSeconds: finished.planned?.wholeSeconds)
    session.sourceDevice = settings.sourceDevice
    session.overtimeSeconds = MeditationSession.wholeSeconds(finished.overtime)
    session.unconfirmedSeconds = MeditationSession.wholeSeconds(finished.unconfirmed)
    session.completed = finished.completed
    session.interruptions = finished.interruptions.map {
      MeditationSession.Interruption(
        from: wall.wall(at: $0.from), to: wall.wall(at: $0.to), kind: .pause)
    }
    session.utcOffsetSeconds = zone.offsetSeconds(at: start)
    session.programme = state(at: now).programme
    session.clock = clock
    return session
  }

  private var clock: MeditationSession.Clock {
    guard wall.isKnown else { return .unsynced }
    return isClockKnownAtBegin ? .synced : .repaired
  }

  // MARK: - What does not work

  private mutating func take(_ reports: [StoreReport]) {
    var hasFailed = false
    // No report at all says that nothing was left to do: what failed before is done.
    var hasWorked = reports.isEmpty
    if reports.isEmpty {
      clear("store")
      clear("shared folder")
    }
    for report in reports {
      take(report)
      switch report {
      case .failed, .exchangeFailed: hasFailed = true
      case .opened, .written, .exchanged: hasWorked = true
      case .salvaged, .refused, .archived, .changed, .restored, .peers, .conflictRemoved,
        .cloned, .choicesWritten, .choicesFailed:
        break
      }
    }
    if hasWorked {
      saveFailures = 0
      retryAt = nil
    }
    if hasFailed { tryAgain() }
  }

  private mutating func take(_ report: StoreReport) {
    switch report {
    case .opened, .written: clear("store")
    case .failed(let reason):
      let still = "Sits are kept in memory until they can be written."
      set(Fault(what: "store", detail: "Not saved: \(reason). \(still)", isOver: false))
    case .exchanged: clear("shared folder")
    case .exchangeFailed(let reason):
      let still = "Sits are safe on this box."
      set(Fault(what: "shared folder", detail: "Not shared: \(reason). \(still)", isOver: false))
    case .choicesWritten: clear("choices")
    case .choicesFailed(let reason):
      choicesAt = now + Box.retrySpan
      let detail = "Choices are not saved: \(reason). They are kept in memory."
      set(Fault(what: "choices", detail: detail, isOver: false))
    case .archived, .changed, .peers, .conflictRemoved: break
    case .restored(let path):
      tell("shared copy", "\(path) had less than was written, and was written again.")
    case .cloned(let old, let new):
      let detail = "The card of \(old) came into this machine, which is \(new) from now on."
      tell("device", detail + " Its sits are kept.")
    case .refused(let reason):
      set(Fault(what: "store", detail: "A sit was refused: \(reason).", isOver: false))
    case .salvaged(let path, _, _) where !Volume.isTruth(path):
      // The truth is whole; that our copy was spoiled and is written again is told by `restored`.
      break
    case .salvaged(_, let lines, let name):
      let kept = name.map { " The damaged file is kept as \($0)." } ?? ""
      let places = lines.count == 1 ? "one place" : "\(lines.count) places"
      let detail = "The store was damaged in \(places); the rest was read.\(kept)"
      set(Fault(what: "store file", detail: detail, isOver: false))
    }
  }

  private mutating func take(_ status: StoreStatus) {
    storeStatus = status
    if status.folderProblem == nil { clear("shared folder") }
    hold(
      "state folder", if: status.isVolatile,
      "The state folder is in memory: what is saved is lost when the power goes.")
    hold(
      "store size", if: status.isOverQuota,
      "The store is over its cap. Sits are kept; keys can only be deleted.")
  }

  private mutating func hold(_ what: String, if isSo: Bool, _ detail: String) {
    if isSo { set(Fault(what: what, detail: detail, isOver: false)) } else { clear(what) }
  }

  /// Says once what is over already.
  private mutating func tell(_ what: String, _ detail: String) {
    actions.append(.fault(Fault(what: what, detail: detail, isOver: false), at: now))
  }

  private mutating func tryAgain() {
    saveFailures += 1
    retryAt = saveFailures == 1 ? now : now + Box.retrySpan
  }

  private mutating func set(_ fault: Fault) {
    guard !faults.contains(fault) else { return }
    faults.removeAll { $0.what == fault.what }
    faults.append(fault)
    actions.append(.fault(fault, at: now))
    updateDegraded()
  }

  private mutating func clear(_ what: String) {
    guard let fault = faults.first(where: { $0.what == what }) else { return }
    faults.removeAll { $0.what == what }
    actions.append(.fault(Fault(what: what, detail: fault.detail, isOver: true), at: now))
    updateDegraded()
  }

  private mutating func updateDegraded() {
    degraded = faults.map(\.detail)
    if !wall.isKnown {
      degraded.append("The time of day is not known yet. Sits are marked and kept.")
    }
  }
}
