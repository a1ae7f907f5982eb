import Appliance
import Bells
import Controls
import Sessions
import Ticks
import TimerMachine
import Zones

// What does not work, and what is told of it.
extension Box {
  /// A bell that nobody heard is told until the next one rings, and for a day at most. Its further
  /// strikes are no news.
  mutating func take(_ strike: PlannedStrike, _ report: StrikeReport) {
    guard strike.cue == nil else { return }
    guard report.outcome == .missed else { return forgetMissedBell() }
    guard strike.index == 1 else { return }
    let time = wall.isKnown ? " at \(timeOfDay(at: strike.strike.due))" : ""
    let detail = "The \(strike.role.name) bell\(time) was missed."
    set(Fault(what: Fault.missedBell, detail: detail, isOver: false))
    self[.missedBell] = now + Box.missedBellSpan
  }

  mutating func forgetMissedBell() {
    self[.missedBell] = nil
    clear(Fault.missedBell)
  }

  /// The local time of day as `HH:MM:SS`.
  func timeOfDay(at instant: Instant) -> String {
    let date = wall.wall(at: instant)
    let text = date.text(offsetSeconds: zone.offsetSeconds(at: date))
    return String(text.split(separator: "T").last?.prefix(8) ?? "")
  }

  mutating func take(heldAtStart lines: LineSet) {
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

  mutating func take(_ noise: LineNoise) {
    let name = settings.lineNames[Int(noise.line.rawValue)]
    let what = "noise on \(name)"
    guard noise.isNoisy else { return clear(what) }
    let detail =
      "\(name) changes without a hand and is not listened to. Check its wire and its bias."
    set(Fault(what: what, detail: detail + " The timer goes on.", isOver: false))
  }

  mutating func take(_ reports: [StoreReport]) {
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
      case .kept, .salvaged, .refused, .archived, .changed, .restored, .peers,
        .conflictRemoved, .cloned, .choicesWritten, .choicesFailed:
        break
      }
    }
    if hasWorked {
      saveFailures = 0
      self[.retry] = nil
    }
    if hasFailed { tryAgain() }
  }

  mutating func take(_ report: StoreReport) {
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
      self[.choices] = now + Box.retrySpan
      let detail = "Choices are not saved: \(reason). They are kept in memory."
      set(Fault(what: "choices", detail: detail, isOver: false))
    case .kept(let sit): storeHas(sit)
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

  mutating func take(_ status: StoreStatus) {
    see(status.claimsElsewhere)
    if storeStatus == nil {
      reminders.earliest = now
      planReminders()
    }
    storeStatus = status
    followElsewhere()
    if status.folderProblem == nil { clear("shared folder") }
    hold(
      "state folder", if: status.isVolatile,
      "The state folder is in memory: what is saved is lost when the power goes.")
    hold(
      "store size", if: status.isOverQuota,
      "The store is over its cap. Sits are kept; keys can only be deleted.")
  }

  mutating func hold(_ what: String, if isSo: Bool, _ detail: String) {
    if isSo { set(Fault(what: what, detail: detail, isOver: false)) } else { clear(what) }
  }

  /// Says once what is over already.
  mutating func tell(_ what: String, _ detail: String) {
    actions.append(.fault(Fault(what: what, detail: detail, isOver: false), at: now))
  }

  mutating func tryAgain() {
    saveFailures += 1
    self[.retry] = saveFailures == 1 ? now : now + Box.retrySpan
  }

  mutating func set(_ fault: Fault) {
    guard !faults.contains(fault) else { return }
    faults.removeAll { $0.what == fault.what }
    faults.append(fault)
    actions.append(.fault(fault, at: now))
    updateDegraded()
  }

  mutating func clear(_ what: String) {
    guard let fault = faults.first(where: { $0.what == what }) else { return }
    faults.removeAll { $0.what == what }
    actions.append(.fault(Fault(what: what, detail: fault.detail, isOver: true), at: now))
    updateDegraded()
  }

  mutating func updateDegraded() {
    degraded = faults.map(\.detail)
    if !wall.isKnown {
      degraded.append("The time of day is not known yet. Sits are marked and kept.")
    }
  }
}
