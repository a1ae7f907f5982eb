import Appliance
import Bells
import Box
import Controls
import Sessions
import Ticks
import TimerMachine
import Zones

/// One box in virtual time with everything around it: hands, output, disk and wall clock.
///
/// Invariants:
/// - Virtual time never goes back, and moves only to the next instant at which something is due.
/// - At one instant all work that is due is done before a statement of that instant, and what the
///   statement makes due is done before the next one's expectations of a later instant.
struct SimulatedBox: ~Copyable {
  static let name = "box"

  private(set) var box: Box
  private(set) var storage: SimulatedStorage
  private(set) var bells: [(role: String, onset: Instant)] = []
  private(set) var inputs: [(name: String, at: Instant)] = []
  private(set) var rendering: [Rendering.Event]
  private var hands: SimulatedHands
  private var output: SimulatedOutput
  private var edges: [Edge] = []
  private var wall: WallReading
  private var readiness: OutputReadiness?
  private let ticks: Bool
  private let trace: (String) -> Void

  init(
    settings: BoxSettings, leadIn: Span, zone: ZoneRules, wall: Timestamp, ticks: Bool,
    trace: @escaping (String) -> Void
  ) {
    self.ticks = ticks
    self.trace = trace
    self.wall = WallReading(at: .zero, unixNanoseconds: wall.unixNanoseconds, isKnown: true)
    hands = SimulatedHands(detentsPerCycle: settings.appliance.controls.detentsPerCycle)
    output = SimulatedOutput(leadIn: leadIn, latest: settings.appliance.latestSpan)
    var identities = SeededGenerator(seed: ~settings.seed)
    storage = SimulatedStorage(
      owner: Identity(randomHigh: identities.next(), low: identities.next()),
      device: Identity(randomHigh: identities.next(), low: identities.next()))
    box = Box(settings: settings, zone: zone, wall: self.wall)
    rendering = [Rendering.Event(frame: 0, action: .volume(settings.appliance.volume))]
  }

  /// Tells the box what it finds at its start; call it once, first.
  mutating func begin() {
    tell(.appliance(.ticksWanted(ticks)), at: .zero)
    tellReadiness(at: .zero)
  }

  /// The sits there are, oldest first.
  var sessions: [MeditationSession] { storage.keeper.store.sessions }

  /// When something is due by itself.
  var nextDeadline: Instant? {
    var next = box.nextDeadline
    for due in [edges.first?.at, output.nextDeadline, storage.nextDeadline] {
      guard let due else { continue }
      next = min(next ?? due, due)
    }
    return next
  }

  /// Does everything that is due up to an instant, in the order of time.
  mutating func advance(to instant: Instant) {
    while let due = nextDeadline, due <= instant { work(at: due) }
  }

  /// Does what a statement says.
  mutating func perform(_ action: Scenario.Action, at now: Instant) {
    switch action {
    case .turn(let detents, let every): insert(hands.turn(detents, every: every, from: now))
    case .press(let button, let span):
      insert([
        Edge(line: button.line, level: .low, at: now),
        Edge(line: button.line, level: .high, at: now + span),
      ])
    case .level(let button, let level): insert([Edge(line: button.line, level: level, at: now)])
    case .wave(let wave):
      insert(wave.map { Edge(line: $0.line, level: $0.level, at: now + $0.after) })
    case .command(let command): tell(.appliance(.command(command)), at: now)
    case .wallStep(let span): setWall(wallNanoseconds(at: now) + span.nanoseconds, at: now)
    case .wallSet(let timestamp): setWall(timestamp.unixNanoseconds, at: now)
    case .disk(let state): storage.set(state)
    case .expect: break
    }
  }

  private func wallNanoseconds(at now: Instant) -> Int64 {
    wall.unixNanoseconds + (now - wall.at).nanoseconds
  }

  private mutating func setWall(_ unixNanoseconds: Int64, at now: Instant) {
    wall = WallReading(at: now, unixNanoseconds: unixNanoseconds, isKnown: true)
    tell(.wall(wall), at: now)
  }

  /// Keeps the edges in order; equal instants stay in the order of the statements.
  private mutating func insert(_ new: [Edge]) {
    for edge in new {
      let index = edges.lastIndex { $0.at <= edge.at }.map { $0 + 1 } ?? 0
      edges.insert(edge, at: index)
    }
  }

  /// One round of what is due: the box's own deadlines first, then edges, output and storage.
  private mutating func work(at now: Instant) {
    while box.advance(to: now) { takeActions(at: now) }
    takeActions(at: now)
    if let edge = edges.first, edge.at <= now {
      edges.removeFirst()
      tell(.appliance(.edge(edge)), at: now)
      return
    }
    if let due = output.nextDeadline, due <= now {
      let report = output.advance(to: now)
      tellReadiness(at: now)
      if let report { finish(report, at: now) }
      return
    }
    guard let due = storage.nextDeadline, due <= now else { return }
    let reports = storage.advance(to: now)
    for report in reports {
      if let line = TraceLine(report, at: now, box: Self.name) { trace(line.line) }
    }
    tell(.store(reports), at: now)
  }

  private mutating func finish(_ report: StrikeReport, at now: Instant) {
    if report.outcome != .missed, let last = output.sounded.last {
      rendering.append(
        Rendering.Event(
          frame: Int(last.frame),
          action: .strike(sound: last.strike.sound, gain: last.strike.gain)))
    }
    tell(.appliance(.strike(report)), at: now)
  }

  private mutating func tell(_ event: BoxEvent, at now: Instant) {
    while box.advance(to: now) { takeActions(at: now) }
    takeActions(at: now)
    box.handle(event, at: now)
    takeActions(at: now)
  }

  private mutating func tellReadiness(at now: Instant) {
    guard output.readiness != readiness else { return }
    readiness = output.readiness
    tell(.appliance(.output(output.readiness)), at: now)
  }

  private mutating func takeActions(at now: Instant) {
    while let action = box.nextAction() {
      switch action {
      case .appliance(let action): take(action, at: now)
      case .session(let change, let identity, let at):
        trace(TraceLine(change, identity, at: at, box: Self.name).line)
      case .save(let session): storage.send(.save(session), at: now)
      case .retrySave: storage.send(.retry, at: now)
      case .fault(let fault, let at): trace(TraceLine(fault, at: at, box: Self.name).line)
      }
    }
  }

  private mutating func take(_ action: ApplianceAction, at now: Instant) {
    let frame = Int(SimulatedOutput.frame(at: now).frame)
    switch action {
    case .notice(let notice, let at):
      keep(notice)
      if let line = TraceLine(notice, at: at, box: Self.name, ticks: ticks) { trace(line.line) }
    case .plan(let plan): output.plan(plan)
    case .volume(let percent):
      rendering.append(Rendering.Event(frame: frame, action: .volume(percent)))
    case .warmUp:
      output.warmUp(at: now)
      tellReadiness(at: now)
    case .damp: rendering.append(Rendering.Event(frame: frame, action: .damp))
    }
  }

  private mutating func keep(_ notice: Notice) {
    switch notice {
    case .input(let input): inputs.append((SimulatedBox.name(of: input), input.decidedAt))
    case .strike(let planned, let report):
      if planned.index == 1 && report.outcome != .missed {
        bells.append((planned.role.name.description, report.started))
      }
    case .phase, .set, .volume, .refused, .tick, .begun, .closed, .discarded: break
    }
  }

  /// An input as `expect inputs` writes it: the crown's bare, a detent as its sign.
  private static func name(of input: Input) -> String {
    if case .detent(let step, _, _) = input.kind { return step > 0 ? "+1" : "-1" }
    let kind = input.kind.name.description
    return input.button == .crown ? kind : "\(input.button.name).\(kind)"
  }
}
