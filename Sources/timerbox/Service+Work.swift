import ALSAOutput
import Appliance
import Box
import ControlSocket
import LinuxIO
import Sessions
import Settings
import StoreFiles
import Ticks

// What the box wants done, and what the threads answer.
extension Service {
  /// Does all work that waits.
  mutating func work() {
    while let action = box.nextAction() {
      isChanged = isChanged || !action.isLook
      switch action {
      case .appliance(let action): carryOut(action)
      case .save(let session):
        unsent.append(session)
        unwritten.append(session)
        sendUnsent()
      case .retrySave: _ = storage.send(.retry)
      case .saveChoices(let choices):
        let bytes = ChoicesFile.bytes(volume: choices.volume, choices: choices.choices)
        _ = storage.send(.choices(bytes))
      case .session: break
      case .fault(let fault, _): log(fault)
      }
    }
  }

  private mutating func carryOut(_ action: ApplianceAction) {
    switch action {
    case .notice(.refused(_, let reason), _): refusal = reason.description
    case .notice(.discarded, _): isSitDropped = true
    case .notice(.phase(_, let phase), let instant): outputs.enter(phase, at: instant)
    case .notice: break
    case .plan(let plan):
      outputs.plan(plan.map(\.strike.due))
      audio.send(plan: plan.map(\.strike))
    case .volumes(let volumes): audio.set(volumes)
    case .ambient(let ambient): audio.set(ambient: ambient)
    case .sitting(let isSitting): audio.set(sitting: isSitting)
    case .warmUp: audio.warm()
    case .damp: audio.damp()
    // The keyboard's knob loses no edge, and has no level beside what its edges told.
    case .readLevels(let lines):
      let now = box.now
      box.handle(.appliance(.levels(hands.look(at: lines, now: now))), at: now)
    case .mask(let lines): hands.lines.mask(lines)
    }
  }

  /// Hands over the sits that wait, as far as the storage thread has room.
  private mutating func sendUnsent() {
    while let session = unsent.first, storage.send(.add(session)) { unsent.removeFirst() }
  }

  mutating func takeStorageAnswers(at now: Instant) {
    let reports = storage.takeAnswers().compactMap { answer in
      if case .report(let report) = answer { report } else { nil }
    }
    for case .written in reports { unwritten = [] }
    // To the box an empty list says that nothing is left to save, and it would forget a fault and
    // its retry. Here it only says that a signal came for what was taken before.
    if !reports.isEmpty { handle(.store(reports), at: now) }
    sendUnsent()
  }

  mutating func takeAudioReports(at now: Instant) {
    for report in audio.takeReports() {
      switch report {
      case .strike(let report): handle(.appliance(.strike(report)), at: now)
      case .opened(let opening):
        outputs.setAmplified(true)
        outputs.setSoundLost(false)
        tellReadiness(.open(from: opening.ready, latency: Service.latencySpan), at: now)
        handle(.outputWorks, at: now)
      case .closing, .closed:
        outputs.setAmplified(false)
        tellReadiness(.closed(leadIn: leadIn + Service.latencySpan), at: now)
      case .lost(let error, _):
        outputs.setAmplified(false)
        outputs.setSoundLost(true)
        tellReadiness(.absent, at: now)
        handle(.outputLost(reason: error.short), at: now)
      }
    }
  }

  mutating func tellReadiness(_ readiness: OutputReadiness, at now: Instant) {
    handle(.appliance(.output(readiness)), at: now)
  }

  /// A fault is told once on standard error where no face shows it.
  private func log(_ fault: Fault) {
    guard !front.isDrawn else { return }
    let words = fault.isOver ? "works again" : fault.detail
    // What is wrong with a line or a device begins with its name.
    let text = words.hasPrefix(fault.what) ? words : "\(fault.what): \(words)"
    complaints.write(Array("timerbox: \(text)\n".utf8))
  }
}

// What clients of the control socket ask.
extension Service {
  mutating func takeCalls(_ event: LoopEvent, at now: Instant) {
    let calls = server?.handle(event, loop: loop) ?? []
    for call in calls {
      let answer = answer(call.request, at: now)
      server?.answer(call.caller, answer, loop: loop)
    }
  }

  private mutating func answer(_ request: ControlRequest, at now: Instant) -> ControlAnswer {
    switch request.command {
    case .status, .watch:
      advance(to: now)
      return .state(box.state(at: now))
    case .start:
      switch length(of: request) {
      case .success(let length): return command(.start(length), at: now)
      case .failure(let error): return .error(message: error.message)
      }
    case .pause: return command(.timer(.pause), at: now)
    case .resume: return command(.timer(.resume), at: now)
    case .stop:
      isSitDropped = false
      let answer = command(.timer(.stop), at: now)
      return isSitDropped && answer == .ok
        ? .data("the sit was shorter than sit.minimum and is not kept") : answer
    case .discard: return command(.timer(.discard), at: now)
    case .skip: return command(.timer(.skip), at: now)
    case .ring, .undo, .set, .unset:
      return .error(message: "\"\(request.command.rawValue)\" is not built yet in this version")
    }
  }

  private mutating func command(_ command: ApplianceCommand, at now: Instant) -> ControlAnswer {
    advance(to: now)
    refusal = nil
    handle(.appliance(.command(command)), at: now)
    return refusal.map { .refused(reason: $0) } ?? .ok
  }

  private struct LengthError: Error {
    var message: String
  }

  private func length(of request: ControlRequest) -> Result<SitLength, LengthError> {
    if request.until != nil {
      return .failure(LengthError(message: "\"until\" is not built yet in this version"))
    }
    if let programme = request.programme, programme != "simple" {
      return .failure(
        LengthError(message: "found the programme \"\(programme)\", expected \"simple\""))
    }
    if request.open { return .success(.open) }
    guard let text = request.length else { return .success(.set) }
    guard let span = try? Span(length: text), Verb.startRange.contains(span) else {
      return .failure(
        LengthError(message: "found \"\(text)\", expected a length from 1m to 7d"))
    }
    return .success(.fixed(span))
  }
}

extension BoxAction {
  /// Whether it only asks for levels.
  fileprivate var isLook: Bool {
    if case .appliance(.readLevels) = self { return true }
    return false
  }
}
