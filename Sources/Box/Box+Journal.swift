import Appliance
import Sessions
import Ticks
import TimerMachine
import Zones

// The journal of the running sit and of those that wait, and what becomes of one that is found.
extension Box {
  /// Writes down the sit as it stands, and those that are over and wait for something; erases what
  /// is written where there are none.
  /// - Parameter instant: when that is done: a deadline that is fired late makes one write and not
  ///   one for each that was missed.
  mutating func writeJournal(isDurable: Bool, at instant: Instant) {
    let journal = Journal(running: running, over: over.sits, isPreparing: isPreparing)
    if journal.isEmpty {
      if isJournaled { actions.append(.eraseJournal) }
      isJournaled = false
      return
    }
    isJournaled = true
    actions.append(.journal(journal, isDurable: isDurable))
    guard journal.running != nil else { return }
    pace.wrote(at: instant, isDurable: isDurable)
    planJournal()
  }

  /// The sit that is on and has begun, as it stands.
  private var running: SitJournal? {
    guard let sit, let snapshot = appliance.timer.snapshot, snapshot.phase != .preparing else {
      return nil
    }
    return SitJournal(
      sit: sit.id, snapshot: snapshot, programme: sit.programme, journey: sit.journey,
      until: sit.until, boot: settings.boot, wall: wall.read(at: now),
      isClockKnownAtBegin: sit.isClockKnownAtBegin,
      offsetSeconds: sit.offsetSeconds(snapshot.begun, wall),
      pasts: sit.pasts.map(SitJournal.Past.init))
  }

  /// Has a sit that is on written down as it stands: the end of the box is near, and the next start
  /// goes on with it.
  public mutating func keepJournal() { writeJournal(isDurable: true, at: now) }

  /// Whether the write that is due is one before a bell.
  var isJournalDurable: Bool { nextWrite.isDurable }

  mutating func planJournal() {
    self[.journal] = sit == nil ? nil : nextWrite.at
  }

  private var nextWrite: JournalPace.Write {
    let timer = appliance.timer
    let bell = timer.nextBell(after: max(pace.uncovered, timer.now))
    return pace.next(bell: bell, phaseBegan: appliance.phaseBegan)
  }

  /// A phase of the sit begins; its own begin and end are told apart from it.
  mutating func follow(_ phase: Phase) {
    if phase == .idle { askedUntil = nil }
    // A preparation is written down only to be told of: a kill ends it.
    if isPreparing != (phase == .preparing), sit == nil, phase != .running {
      isPreparing = phase == .preparing
      writeJournal(isDurable: true, at: now)
    }
    guard sit != nil, phase != .ended, phase != .idle else { return }
    writeJournal(isDurable: true, at: now)
    putClaim()
  }

  // MARK: - Recovery

  mutating func recover(_ journal: Journal?, known: Set<Identity>) {
    guard appliance.phase == .idle, sit == nil else {
      if sit == nil { actions.append(.claim(nil, at: writeTime)) }
      return
    }
    let journal = journal ?? Journal()
    isJournaled = !journal.isEmpty
    takeOver(journal.over, known: known)
    sendOver(known: known)
    if let running = journal.running {
      recover(running, isStored: known.contains(running.sit) || over.contains(running.sit))
    } else {
      // What an earlier run has claimed is over with it.
      actions.append(.claim(nil, at: writeTime))
    }
    if journal.isPreparing {
      tell(
        "preparation",
        "A sit was being prepared as the box ended. It has not begun, and is to be started again.")
      writeJournal(isDurable: true, at: now)
    }
    repairDates()
    settleOver()
  }

  private mutating func recover(_ journal: SitJournal, isStored: Bool) {
    let recovery = Recovery.decide(
      journal, isStored: isStored, boot: settings.boot, wall: wall.read(at: now),
      policy: settings.recover)
    sit = recovery.sit.placed(in: zone, journal.wall)
    if recovery.isUnknown { doubt = (journal, now) }
    switch recovery.outcome {
    case .dropped:
      endSit()
      writeJournal(isDurable: true, at: now)
    case .closed(nil): discard(at: now)
    case .closed(let finished?): close(finished, at: now)
    case .goesOn(let snapshot):
      takeUp(snapshot, isAsking: recovery.isUnknown && snapshot.phase != .paused)
      announce(.recovered, at: now)
    case .offered(let snapshot):
      takeUp(snapshot, isAsking: false)
      announce(.offered, at: now)
    }
  }

  /// - Parameter isAsking: whether one soft cue asks after the sitter.
  private mutating func takeUp(_ snapshot: TimerSnapshot, isAsking: Bool) {
    guard let sit else { return }
    appliance.restore(snapshot, programme: sit.programme, at: now)
    if isAsking { appliance.giveCue(at: now) }
    takeApplianceActions()
    moveEnd()
  }

  /// The time has become known, and with it how long an outage was: if nobody can be expected to
  /// have sat there still, and no hand has come since, the sit ends as it was known before, without
  /// a bell.
  mutating func endDoubt() {
    guard let (journal, since) = doubt, sit != nil,
      let length = Recovery.outage(
        journal, boot: settings.boot, wall: wall.read(at: since)),
      length > Recovery.longSpan
    else { return }
    let found = journal.snapshot.shifted(by: since - journal.wall.at)
    closeSilently(found.closed(at: since))
  }
}
