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
struct SimulatedBox: ~Copyable {
  let name: String
  private(set) var box: Box
  private(set) var storage: SimulatedStorage
  /// The bells and the cues whose first frame was heard.
  private(set) var bells: [(role: String, onset: Instant)] = []
  private(set) var cues: [(name: String, onset: Instant)] = []
  /// How many bells did not ring.
  private(set) var missed = 0
  private(set) var inputs: [(name: String, at: Instant)] = []
  private(set) var rendering: [Rendering.Event]
  private var hands: SimulatedHands
  private(set) var output: SimulatedOutput
  /// Whether the strike that is being told was heard.
  private var isHeard = true
  private var lines: SimulatedLines
  private let lineNames: [String]
  private let sounds: [String]
  private var now = Instant.zero
  private var wall: WallReading
  private let ticks: Bool
  private let fastMultiplier: Int64
  private let trace: (String) -> Void

  init(
    name: String, settings: BoxSettings, wired: LineSet, output: consuming SimulatedOutput,
    folder: SimulatedFolder, owner: Identity, zone: ZoneRules, wall: Timestamp, ticks: Bool,
    trace: @escaping (String) -> Void
  ) {
    self.name = name
    self.ticks = ticks
    let (step, fastStep) = (settings.appliance.stepSpan, settings.appliance.fastStepSpan)
    fastMultiplier = fastStep.nanoseconds / step.nanoseconds
    self.trace = trace
    self.wall = WallReading(at: .zero, unixNanoseconds: wall.unixNanoseconds, isKnown: true)
    hands = SimulatedHands(detentsPerCycle: settings.appliance.controls.detentsPerCycle)
    self.output = output
    var identities = SeededGenerator(seed: ~settings.seed)
    let device = Identity(randomHigh: identities.next(), low: identities.next())
    storage = SimulatedStorage(owner: owner, device: device, folder: folder)
    lines = SimulatedLines(wired: wired, seed: identities.next())
    lineNames = settings.lineNames
    sounds = settings.appliance.sounds.map(\.name)
    box = Box(settings: settings, zone: zone, wall: self.wall)
    rendering = [Rendering.Event(frame: 0, action: .volumes(settings.appliance.volumes))]
  }

  /// Tells the box what it finds at its start; call it once, first.
  mutating func begin() {
    tell(.appliance(.ticksWanted(ticks)))
    tell(.appliance(.output(output.readiness)))
  }

  /// How often its copy in the shared folder was written.
  var copies: Int { storage.keeper.folder.map { $0.share.writes(of: $0.box) } ?? 0 }

  /// The sits there are, oldest first.
  var sessions: [MeditationSession] { storage.keeper.store.sessions }

  /// When something is due by itself.
  var nextDeadline: Instant? {
    var next = box.nextDeadline
    for due in [lines.nextDeadline, output.nextDeadline, storage.nextDeadline] {
      guard let due else { continue }
      next = min(next ?? due, due)
    }
    return next
  }

  /// Does one round of what is due first, if that is up to an instant; else time goes on to it.
  /// - Returns: whether something was done.
  mutating func step(to instant: Instant) -> Bool {
    guard let due = nextDeadline, due <= instant else {
      now = max(now, instant)
      return false
    }
    now = max(now, due)
    work()
    return true
  }

  /// Somebody has changed the shared folder.
  /// - Parameter instant: when; time does not go back for a box that is ahead.
  mutating func look(at instant: Instant) { storage.send(.look, at: max(now, instant)) }

  /// Does what a statement says.
  /// - Precondition: `step` has nothing left to do up to the instant of the statement.
  mutating func perform(_ action: Scenario.Action) {
    switch action {
    case .turn(let detents, let every):
      lines.insert(hands.turn(detents, every: every, from: now))
    case .press(let button, let span):
      lines.insert([
        Edge(line: button.line, level: .low, at: now),
        Edge(line: button.line, level: .high, at: now + span),
      ])
    case .level(let button, let level):
      lines.insert([Edge(line: button.line, level: level, at: now)])
    case .wave(let wave):
      let new = wave.map { Edge(line: $0.line, level: $0.level, at: now + $0.after) }
      hands.follow(new)
      lines.insert(new)
    case .command(let command): tell(.appliance(.command(command)))
    case .wallStep(let span):
      setWall(wall.unixNanoseconds + (now - wall.at).nanoseconds + span.nanoseconds)
    case .wallSet(let timestamp): setWall(timestamp.unixNanoseconds)
    case .disk(let state): storage.set(state)
    case .share(let change):
      let folder = storage.keeper.folder
      let own = Volume.main.exchangePath(of: storage.keeper.store.device)
      folder?.share.change(change, of: folder?.box ?? 0, own: own)
    case .keyValue(let key, let value):
      let time = WriteTime(wall.wall(at: now), isKnown: wall.isKnown)
      storage.send(.set(key, value, time), at: now)
    case .audio(let change): output.change(change, at: now)
    case .lose(let loss): lines.set(loss)
    case .reader(let reading): lines.set(reading, at: now)
    case .line(let line, let condition): set(condition, of: line)
    case .expect: break
    }
  }

  private mutating func set(_ condition: LineCondition, of line: Line) {
    let isReadable = lines.set(condition, of: line, at: now)
    let name = lineNames[Int(line.rawValue)]
    let still = "The timer goes on."
    switch condition {
    case .busy(let consumer):
      tell(.failed(what: name, detail: "\(name) is in use by \"\(consumer)\". \(still)"))
    case .gone: tell(.failed(what: name, detail: "\(name) is gone. \(still)"))
    case .ok, .stuck, .noise: tell(.works(what: name))
    }
    switch isReadable {
    case (true, false): tell(.appliance(.linesLost(LineSet(line))))
    case (false, true):
      tell(.appliance(.linesTaken(lines.reading(of: LineSet(line), at: now))))
    default: break
    }
  }

  private mutating func setWall(_ unixNanoseconds: Int64) {
    // Steps add up; the clock stops at the ends of the years that a scenario may name.
    let range = Scenario.wallRange
    let kept = min(max(unixNanoseconds, range.lowerBound), range.upperBound)
    wall = WallReading(at: now, unixNanoseconds: kept, isKnown: true)
    tell(.wall(wall))
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
    for report in reports {
      if let line = TraceLine(report, at: now, box: name) { trace(line.line) }
    }
    tell(.store(reports))
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

  private mutating func tell(_ event: BoxEvent) {
    fireDeadlines()
    box.handle(event, at: now)
    takeActions()
  }

  private mutating func fireDeadlines() {
    while box.advance(to: now) { takeActions() }
    takeActions()
  }

  private mutating func takeActions() {
    while let action = box.nextAction() {
      switch action {
      case .appliance(let action): take(action)
      case .session(let change, let identity, let at):
        trace(TraceLine(change, identity, at: at, box: name).line)
      case .save(let session): storage.send(.save(session), at: now)
      case .retrySave: storage.send(.retry, at: now)
      case .saveChoices(let choices):
        var file = SettingsFile()
        file.choose(
          volume: choices.volume, choices: choices.choices, roleVolumes: choices.roleVolumes,
          soundDevice: choices.soundDevice)
        storage.send(.choices(file.bytes(version: "simulated")), at: now)
      case .journal, .eraseJournal, .claim, .edit, .delete, .inhibitSleep: break
      case .fault(let fault, let at): trace(TraceLine(fault, at: at, box: name).line)
      }
    }
  }

  private mutating func take(_ action: ApplianceAction) {
    switch action {
    case .notice(let notice, let at):
      keep(notice)
      let line = TraceLine(
        notice, at: at, box: name, ticks: ticks, fastMultiplier: fastMultiplier,
        sounds: sounds)
      if let line { trace(line.line) }
    case .plan(let plan): output.plan(plan, at: now)
    case .volumes(let volumes): render(.volumes(volumes), at: now)
    case .ambient(let ambient):
      output.setAmbient(ambient, at: now)
      render(.ambient(ambient), at: now)
    case .sitting(let isSitting): output.setSitting(isSitting, at: now)
    case .warmUp: output.warmUp(at: now)
    case .damp:
      output.damp(at: now)
      render(.damp, at: now)
    case .readLevels(let asked):
      // Answered before anything else, as a real board answers.
      box.handle(.appliance(.levels(lines.reading(of: asked, at: now))), at: now)
      takeActions()
    case .mask(let masked): lines.masked = masked
    }
  }

  private mutating func keep(_ notice: Notice) {
    switch notice {
    case .input(let input): inputs.append((SimulatedBox.name(of: input), input.decidedAt))
    case .strike(let planned, let report): keep(planned, report)
    case .phase, .set, .volume, .refused, .tick, .begun, .closed, .discarded, .noise, .heldAtStart,
      .programme, .rated, .askedDelete, .deleted, .undone, .touched, .reminder:
      break
    }
  }

  private mutating func keep(_ planned: PlannedStrike, _ report: StrikeReport) {
    if report.outcome == .missed {
      missed += planned.index == 1 && planned.cue == nil ? 1 : 0
      return
    }
    render(.strike(planned.strike), at: report.started)
    guard planned.index == 1 && isHeard else { return }
    if let cue = planned.cue {
      cues.append((cue.name, report.started))
    } else {
      bells.append((planned.role.name.description, report.started))
    }
  }

  /// What is told of an instant that has passed goes before what has happened since.
  private mutating func render(_ action: Rendering.Event.Action, at instant: Instant) {
    let frame = Int(Crystal().nextFrame(at: instant))
    let place = (rendering.lastIndex { $0.frame <= frame } ?? -1) + 1
    rendering.insert(Rendering.Event(frame: frame, action: action), at: place)
  }

  /// An input as `expect inputs` writes it: the crown's bare, a detent as its sign.
  private static func name(of input: Input) -> String {
    if case .detent(let step, _, _) = input.kind { return step > 0 ? "+1" : "-1" }
    let kind = input.kind.name.description
    return input.button == .crown ? kind : "\(input.button.name).\(kind)"
  }
}
