import Appliance
import Bells
import Box
import Controls
import Sessions
import Settings
import Ticks
import TimerMachine
import Zones

/// One box in virtual time with everything around it: hands, output, disk and wall clock.
///
/// Invariants:
/// - Virtual time never goes back, and moves only to the next instant at which something is due.
/// - What fell due before it could be known is done at once, never in the past.
/// - At one instant everything is done in rounds: the box's own deadlines, then one edge, or one
///   thing of the output, or one request of the storage.
/// - Within it every instant is one of the clock of this boot; whatever goes out, to the trace and
///   to expectations, is an instant of the scenario (`scenarioTime`).
/// - While it sleeps or is gone its lines follow the hand, and nothing else happens.
struct SimulatedBox: ~Copyable {
  let name: String
  var box: Box
  var storage: SimulatedStorage
  /// The bells and the cues whose first frame was heard.
  var bells: [(role: String, onset: Instant)] = []
  var cues: [(name: String, onset: Instant)] = []
  /// How many bells did not ring.
  var missed = 0
  /// How often each thing became of a sit.
  var changes: [SessionChange: Int] = [:]
  var inputs: [(name: String, at: Instant)] = []
  var rendering: [Rendering.Event]
  var hands: SimulatedHands
  var output: SimulatedOutput
  /// Whether the strike that is being told was heard.
  var isHeard = true
  var lines: SimulatedLines
  /// The parts there are.
  let wired: LineSet
  /// When the claim was withdrawn that is to be written with the sit that comes next.
  var withdrawnAt: WriteTime?
  /// How the store stood when that was told last.
  var told: StoreStatus?
  /// The name of the journey that is chosen on this device.
  var chosenJourney: String?
  /// What the box is made of, at the start and after each outage.
  let settings: BoxSettings
  let configuration: Configuration
  var zone: ZoneRules
  var wall: SimulatedWall
  var seeds: SeededGenerator
  var power = Power.on
  /// From the beginning of the scenario to the zero of the boot clock.
  var bootSpan = Span.zero
  /// Counts the boots.
  var boot: UInt64 = 1
  var now = Instant.zero
  let ticks: Bool
  let fastMultiplier: Int64
  let trace: (String) -> Void

  init(
    name: String, settings: BoxSettings, configuration: Configuration, wired: LineSet,
    output: consuming SimulatedOutput, folder: SimulatedFolder, owner: Identity, zone: ZoneRules,
    wall: SimulatedWall, ticks: Bool, trace: @escaping (String) -> Void
  ) {
    self.name = name
    var settings = settings
    settings.boot = Identity(high: 0, low: boot)
    self.settings = settings
    self.ticks = ticks
    let (step, fastStep) = (settings.appliance.stepSpan, settings.appliance.fastStepSpan)
    fastMultiplier = fastStep.nanoseconds / step.nanoseconds
    self.trace = trace
    self.configuration = configuration
    self.wall = wall
    self.wired = wired
    self.zone = zone
    hands = SimulatedHands(detentsPerCycle: settings.appliance.controls.detentsPerCycle)
    self.output = output
    var identities = SeededGenerator(seed: ~settings.seed)
    let device = Identity(randomHigh: identities.next(), low: identities.next())
    storage = SimulatedStorage(owner: owner, device: device, folder: folder)
    lines = SimulatedLines(wired: wired, seed: identities.next())
    seeds = identities
    box = Box(settings: settings, zone: zone, wall: wall.reading(at: .zero, bootSpan: .zero))
    rendering = [Rendering.Event(frame: 0, action: .volumes(settings.appliance.volumes))]
  }

  /// The instant of the scenario that one of this boot is.
  func scenarioTime(_ instant: Instant) -> Instant { instant + bootSpan }

  /// How often its copy in the shared folder was written.
  var copies: Int { storage.keeper.folder.map { $0.share.writes(of: $0.box) } ?? 0 }

  /// The sits there are, oldest first.
  var sessions: [MeditationSession] { storage.keeper.store.sessions }

  /// What the wall clock shows now.
  var time: WriteTime {
    let reading = wall.reading(at: now, bootSpan: bootSpan)
    return WriteTime(reading.wall(at: now), isKnown: reading.isKnown)
  }

  /// When something is due by itself, in the scenario's time.
  var nextDeadline: Instant? { nextDue.map { scenarioTime($0) } }

  private var nextDue: Instant? {
    var next = lines.nextDeadline
    func include(_ due: Instant?) {
      guard let due else { return }
      next = min(next ?? due, due)
    }
    switch power {
    case .asleep(_, let until), .away(_, _, let until): include(until)
    case .on:
      include(box.nextDeadline)
      include(output.nextDeadline)
      include(storage.nextDeadline)
    }
    return next
  }

  /// Does one round of what is due first, if that is up to an instant of the scenario; else time
  /// goes on to it.
  /// - Returns: whether something was done.
  mutating func step(to scenarioInstant: Instant) -> Bool {
    let instant = scenarioInstant - bootSpan
    guard let due = nextDue, due <= instant else {
      now = max(now, instant)
      return false
    }
    now = max(now, due)
    if power == .on { work() } else { pass() }
    return true
  }

  /// Somebody has changed the shared folder. A box that is gone will look when it comes back.
  /// - Parameter scenarioInstant: when; time does not go back for a box that is ahead.
  mutating func look(at scenarioInstant: Instant) {
    if case .away = power { return }
    storage.send(.look, at: max(now, scenarioInstant - bootSpan))
  }

  /// One round of what is due. Edges that are read late are handed in before anything is decided
  /// that they might change, as whoever reads a queue hands in all of it.
  private mutating func work() {
    if let late = lines.lateEdge(at: now) {
      while box.advance(to: late.at) { takeActions() }
      _ = lines.advance(to: now)
      box.handle(.appliance(.edge(late)), at: now)
      return takeActions()
    }
    fireDeadlines()
    if let due = lines.nextDeadline, due <= now {
      switch lines.advance(to: now) {
      case .edge(let edge): tell(.appliance(.edge(edge)))
      case .missed(let missed): tell(.appliance(.edgesMissed(missed)))
      case nil: break
      }
      return
    }
    if let due = output.nextDeadline, due <= now {
      output.advance(to: now)
      while let news = output.nextNews() { take(news) }
      return
    }
    guard let reports = storage.advance(to: now) else { return }
    tell(reports)
  }

  /// What the storage has done, and how the store stands after it where that is news.
  mutating func tell(_ reports: [StoreReport]) {
    for report in reports {
      if let line = TraceLine(report, at: scenarioTime(now), box: name) { trace(line.line) }
    }
    tell(.store(reports))
    let status = storage.status(at: time)
    guard status != told else { return }
    let isNewlyDefined = status.definitions != told?.definitions ?? []
    told = status
    tell(.storeStatus(status))
    guard isNewlyDefined else { return }
    tell(status.definitions)
    tellJourney()
  }

  private mutating func take(_ news: SimulatedOutput.News) {
    switch news {
    case .readiness(let readiness): tell(.appliance(.output(readiness)))
    case .works: tell(.outputWorks)
    case .fellBack(let detail): tell(.failed(what: "sound", detail: detail))
    case .lost(let reason): tell(.outputLost(reason: reason))
    case .strike(let report, let isHeard):
      self.isHeard = isHeard
      tell(.appliance(.strike(report)))
    }
  }

  /// The store defines this now.
  private mutating func tell(_ definitions: [Definition]) {
    let sounds = settings.appliance.sounds
    let list = configuration.programmes(sounds: sounds, definitions: definitions)
    tell(.appliance(.programmes(list.programmes)))
    let (flaws, what) = (configuration.flaws(in: definitions, sounds: sounds), "store definitions")
    tell(flaws.isEmpty ? .works(what: what) : .failed(what: what, detail: flaws.sentence))
  }

  mutating func tell(_ event: BoxEvent) {
    fireDeadlines()
    box.handle(event, at: now)
    takeActions()
  }

  mutating func fireDeadlines() {
    while box.advance(to: now) { takeActions() }
    takeActions()
  }
}
