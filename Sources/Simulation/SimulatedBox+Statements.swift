import Controls
import Sessions
import Ticks

// What statements do to a box.
extension SimulatedBox {
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
    case .disk(let state): storage.set(state)
    case .truthDamaged: storage.damageTruth()
    case .share(let change):
      let folder = storage.keeper.folder
      let own = Volume.main.exchangePath(of: storage.keeper.store.device)
      folder?.share.change(change, of: folder?.box ?? 0, own: own)
    case .audio(let change): output.change(change, at: now)
    case .lose(let loss): lines.set(loss)
    case .reader(let reading): lines.set(reading, at: now)
    case .line(let line, let condition): set(condition, of: line)
    case .wallStep(let span): setWall { $0.step(by: span, elapsed: $1) }
    case .wallSet(let timestamp): setWall { $0.set(timestamp.unixNanoseconds, elapsed: $1) }
    case .synced: setWall { wall, _ in wall.synchronize() }
    case .zone(let rules):
      zone = rules
      if power == .on { tell(.zone(rules)) }
    case .suspend(let span): suspend(for: span)
    case .outage(let outage, let span): goAway(outage, for: span)
    case .command, .startUntil, .keyValue, .journey: ask(action)
    case .expect: break
    }
  }

  /// Who asks a box that sleeps or is gone gets no answer.
  private mutating func ask(_ action: Scenario.Action) {
    guard power == .on else { return }
    switch action {
    case .command(let command): tell(.appliance(.command(command)))
    case .startUntil(let time, let anyway): tell(.startUntil(time, anyway: anyway))
    case .keyValue(let key, let value):
      let flaw = value.flatMap { value in
        configuration.refusal(
          of: value, under: key, beside: storage.keeper.store.definitions,
          sounds: settings.appliance.sounds)
      }
      if let flaw { return refuse("kv set", "\(key): \(flaw.fault)") }
      storage.send(.set(key, value, time), at: now)
    case .journey(let change): perform(change)
    default: break
    }
  }

  /// What a verb refuses that is not the box's.
  func refuse(_ command: String, _ reason: String) {
    trace(TraceLine(refused: command, reason, at: scenarioTime(now), box: name).line)
  }

  private mutating func setWall(_ change: (inout SimulatedWall, Span) -> Void) {
    change(&wall, scenarioTime(now) - Instant.zero)
    if power == .on { tell(.wall(wall.reading(at: now, bootSpan: bootSpan))) }
  }

  private mutating func set(_ condition: LineCondition, of line: Line) {
    let isReadable = lines.set(condition, of: line, at: now)
    guard power == .on else { return }
    tell(condition, of: line)
    switch isReadable {
    case (true, false): tell(.appliance(.linesLost(LineSet(line))))
    case (false, true):
      tell(.appliance(.linesTaken(lines.reading(of: LineSet(line), at: now))))
    default: break
    }
  }

  mutating func tell(_ condition: LineCondition, of line: Line) {
    let name = settings.lineNames[Int(line.rawValue)]
    let still = "The timer goes on."
    switch condition {
    case .busy(let consumer):
      tell(.failed(what: name, detail: "\(name) is in use by \"\(consumer)\". \(still)"))
    case .gone: tell(.failed(what: name, detail: "\(name) is gone. \(still)"))
    case .ok, .stuck, .noise: tell(.works(what: name))
    }
  }
}
