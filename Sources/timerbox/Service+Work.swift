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
      case .save(let session): send(session)
      case .retrySave: _ = storage.send(.retry)
      case .saveChoices(let choices):
        settings.file.choose(
          volume: choices.volume, choices: choices.choices, roleVolumes: choices.roleVolumes,
          soundDevice: choices.soundDevice)
        if let fault = settings.writeFault {
          box.handle(.store([.choicesFailed(reason: fault)]), at: box.now)
        } else {
          _ = storage.send(.choices(settings.file.bytes(version: Version.number)))
        }
      case .called(let called): _ = storage.send(.called(called.encoded()))
      case .session: break
      // Every journal is made durable, a heartbeat too (`JournalFile` says why).
      case .journal(let journal, _): self.journal.write(journal.encoded())
      case .eraseJournal: journal.erase()
      case .claim(let claim, let time): send(claim, at: time)
      case .edit(let id, let edit, let time): send(.edit(id, edit, at: time))
      case .delete(let id, let time): send(.deleteSit(id, at: time))
      case .inhibitSleep(let isWanted): inhibitor.set(isWanted)
      case .fault(let fault, _): log(fault)
      }
    }
    sendWithdrawal()
  }

  private mutating func carryOut(_ action: ApplianceAction) {
    switch action {
    case .notice(.refused(_, let reason), _): refusal = reason
    case .notice(.discarded, _): isSitDropped = true
    case .notice(.phase(_, let phase), let instant): outputs.enter(phase, at: instant)
    case .notice(.strike(let strike, let report), _):
      guard report.outcome == .missed, strike.cue == nil else { break }
      let isEnd = strike.role == .end && strike.index == 1
      outputs.missed(strike.strike.due, isEnd: isEnd, at: box.now)
    case .notice: break
    case .plan(let plan):
      let bells = plan.filter { $0.cue == nil }
      let ends = bells.filter { $0.role == .end && $0.index == 1 }
      outputs.plan(bells.map(\.strike.due), ends: ends.map(\.strike.due))
      ordered.plan = plan.map(\.strike)
      audio.send(plan: ordered.plan)
    case .volumes(let volumes): audio.set(volumes)
    case .ambient(let ambient):
      ordered.ambient = ambient
      audio.set(ambient: ambient)
    case .sitting(let isSitting): audio.set(sitting: isSitting)
    case .warmUp: warmUp()
    case .damp: audio.damp()
    // The keyboard's knob loses no edge, and has no level beside what its edges told.
    case .readLevels(let lines):
      let now = box.now
      box.handle(.appliance(.levels(hands.look(at: lines, now: now))), at: now)
    case .mask(let lines): hands.lines.mask(lines)
    }
  }

  mutating func takeStorageAnswers(at now: Instant) {
    var reports: [StoreReport] = []
    for answer in storage.takeAnswers() {
      switch answer {
      case .report(let report): reports.append(report)
      case .set(let done, let token):
        self.answer(StoreOutcome(done), token: token)
        // What was refused is the asker's affair.
        reports += done.filter { if case .refused = $0 { false } else { true } }
      case .changed(let done, let tally, let token):
        self.answer(StoreOutcome(done, tally), token: token)
        reports += done.filter { if case .refused = $0 { false } else { true } }
      case .synced(let merge, let token):
        let reading = Service.readWall(at: now)
        let wall = reading.isKnown ? reading.wall(at: now) : nil
        self.answer(StoreOutcome(merge, at: wall), token: token)
        reports += merge.reports + merge.otherReports.filter(\.isOfStore)
      case .status(let status, _):
        handle(.storeStatus(status), at: now)
        take(status.definitions, at: now)
      case .history, .keys, .value, .usage: break
      }
    }
    for case .kept(let id) in reports { unwritten.removeAll { $0.id == id } }
    // To the box an empty list says that nothing is left to save, and it would forget a fault and
    // its retry. Here it only says that a signal came for what was taken before.
    if !reports.isEmpty { handle(.store(reports), at: now) }
    sendUnsent()
  }

  /// Tells something once on standard error.
  func complain(_ text: String) {
    if !front.isDrawn { complaints.write(Array("timerbox: \(text)\n".utf8)) }
  }

  /// A fault is told once on standard error where no face shows it.
  private func log(_ fault: Fault) {
    // What was missed does not come back; that the next bell rings is heard.
    let isMissedBell = fault.what == Fault.missedBell
    guard !front.isDrawn, !(isMissedBell && fault.isOver) else { return }
    let words = fault.isOver ? "works again" : fault.detail
    // What is wrong with a line or a device begins with its name.
    let text = isMissedBell || words.hasPrefix(fault.what) ? words : "\(fault.what): \(words)"
    complain(text)
  }
}

extension BoxAction {
  /// Whether it only asks for levels.
  fileprivate var isLook: Bool {
    if case .appliance(.readLevels) = self { return true }
    return false
  }
}

extension StoreReport {
  /// Whether it says something of the store itself, and not of a folder beside it.
  fileprivate var isOfStore: Bool {
    switch self {
    case .exchanged, .exchangeFailed, .peers, .restored, .conflictRemoved: false
    default: true
    }
  }
}
