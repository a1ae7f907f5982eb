import Appliance
import Bells
import Box
import Controls
import Settings
import Ticks
import TimerMachine

// What a box wants done.
extension SimulatedBox {
  mutating func takeActions() {
    defer { sendWithdrawal() }
    while let action = box.nextAction() {
      switch action {
      case .appliance(let action): take(action)
      case .session(let change, let identity, let at):
        changes[change, default: 0] += 1
        let plan = box.appliance.timer.plan
        let hasChance = change == .begun && plan?.intervals.random ?? 0 > 0
        trace(
          TraceLine(
            change, identity, seed: hasChance ? plan?.seed : nil, at: scenarioTime(at), box: name
          ).line)
      case .save(let session):
        storage.send(.save(session, withdrawnAt: withdrawnAt.take()), at: now)
      case .retrySave: storage.send(.retry, at: now)
      case .saveChoices(let choices):
        var file = SettingsFile()
        file.choose(
          volume: choices.volume, choices: choices.choices, roleVolumes: choices.roleVolumes,
          soundDevice: choices.soundDevice)
        storage.send(.choices(file.bytes(version: "simulated")), at: now)
      case .called(let called): storage.send(.called(called.encoded()), at: now)
      case .journal(let journal, isDurable: _): storage.write(journal, at: now)
      case .eraseJournal: storage.write(nil, at: now)
      // As the service has it: a claim that goes and the sit that comes are one write.
      case .claim(nil, let time): withdrawnAt = time
      case .claim(let claim, let time): storage.send(.claim(claim, time), at: now)
      case .edit(let sit, let edit, let time): storage.send(.edit(sit, edit, time), at: now)
      case .delete(let sit, let time): storage.send(.delete(sit, time), at: now)
      // A scenario says when the machine sleeps.
      case .inhibitSleep: break
      case .fault(let fault, let at):
        trace(TraceLine(fault, at: scenarioTime(at), box: name).line)
      }
    }
  }

  private mutating func sendWithdrawal() {
    if let time = withdrawnAt.take() { storage.send(.claim(nil, time), at: now) }
  }

  private mutating func take(_ action: ApplianceAction) {
    switch action {
    case .notice(let notice, let at):
      keep(notice)
      let line = TraceLine(
        notice, at: at, bootSpan: bootSpan, box: name, ticks: ticks,
        fastMultiplier: fastMultiplier, sounds: settings.appliance.sounds)
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
    case .input(let input):
      inputs.append((SimulatedBox.name(of: input), scenarioTime(input.decidedAt)))
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
    let onset = scenarioTime(report.started)
    if let cue = planned.cue {
      cues.append((cue.name, onset))
    } else {
      bells.append((planned.role.name.description, onset))
    }
  }

  /// What is told of an instant that has passed goes before what has happened since.
  mutating func render(_ action: Rendering.Event.Action, at instant: Instant) {
    let frame = Int(Crystal().nextFrame(at: scenarioTime(instant)))
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
