import Appliance
import Sessions
import Ticks
import TimerMachine
import Zones

// Invariants:
// - A sit has one identity from its begin on, through every outage: to save it again is to save it
//   once.
// - An end goes from the outside in, and each step can be repeated: strikes cancelled, sitting
//   over, claim withdrawn, the end journaled, sit saved. It leaves the journal once the store has
//   said that it is kept.

// What becomes of a sit.
extension Box {
  /// A press so soon after the end still says that somebody sat there.
  public static let creditSpan = Span.minutes(10)
  mutating func begin(at instant: Instant) {
    let programme = appliance.programme
    sit = OpenSit(
      id: newIdentity(), programme: programme.name, journey: journey,
      until: appliance.timer.plan?.end == nil ? nil : askedUntil ?? programme.length.time,
      isClockKnownAtBegin: wall.isKnown, place: .zone(zone))
    (closed, askedUntil, isPreparing) = (nil, nil, false)
    announce(.begun, at: instant)
    writeJournal(isDurable: true, at: now)
    putClaim()
  }

  mutating func close(_ finished: FinishedSit, at instant: Instant) {
    guard let sit else { return }
    announce(.closed, at: instant)
    endSit()
    keep(ClosedSit(sit: sit, finished: finished, boot: settings.boot, wall: wall))
  }

  mutating func discard(at instant: Instant) {
    guard sit != nil else { return }
    announce(.discarded, at: instant)
    endSit()
    writeJournal(isDurable: true, at: now)
  }

  /// Nobody has ended the sit that is on, and it cannot go on: it is kept as far as it is known.
  public mutating func closeAsKnown() {
    guard let snapshot = appliance.timer.snapshot else { return }
    closeSilently(snapshot.closed(at: now))
  }

  /// Ends the sit that is on without a bell.
  /// - Parameter finished: what is kept of it; nil for nothing.
  mutating func closeSilently(_ finished: FinishedSit?) {
    let sit = sit
    // The appliance forgets the sit, and the box does not.
    self.sit = nil
    tell(.command(.timer(.discard)))
    self.sit = sit
    if let finished { close(finished, at: now) } else { discard(at: now) }
  }

  mutating func endSit() {
    sit = nil
    doubt = nil
    self[.journal] = nil
    self[.claim] = nil
    claimed = nil
    actions.append(.claim(nil, at: writeTime))
  }

  // MARK: - The sits that are over

  /// Writes down that a sit is over, and saves it.
  private mutating func keep(_ sit: ClosedSit) {
    var sit = sit
    sit.wall = sit.sit.ordered(
      wall.read(at: now), of: sit.finished, behind: storeStatus?.guessedEnds ?? [])
    (sit.isAmended, sit.savesOpen) = (false, 0)
    closed = sit
    over.append(sit)
    writeJournal(isDurable: true, at: now)
    save(sit)
  }

  private mutating func save(_ sit: ClosedSit) {
    over.change(sit.id) { $0.savesOpen += 1 }
    sendSave(of: sit)
  }

  private mutating func sendSave(of sit: ClosedSit) {
    var session = sit.session
    session.sourceDevice = settings.sourceDevice
    actions.append(.save(session))
  }

  /// The store has a sit as it was saved.
  mutating func storeHas(_ id: Identity) {
    var wasAmended = false
    over.change(id) { sit in
      sit.savesOpen = max(0, sit.savesOpen - 1)
      guard sit.savesOpen == 0 else { return }
      wasAmended = sit.isAmended
      sit.isAmended = false
    }
    settleOver(isChanged: wasAmended)
  }

  /// Lets the sits go for which nothing is left to be done.
  mutating func settleOver(isChanged: Bool = false) {
    let hasLess = over.removeDone(boot: settings.boot, at: now)
    self[.credit] = over.creditEnd(boot: settings.boot, from: now).map {
      $0 + Span(nanoseconds: 1)
    }
    if hasLess || isChanged { writeJournal(isDurable: true, at: now) }
  }

  /// Takes over the sits that were over and waited for something as the box ended.
  /// - Parameter known: those that the store knows.
  mutating func takeOver(_ found: [ClosedSit], known: Set<Identity>) {
    over = ClosedSits(
      found.map { found in
        var sit = found.moved(to: settings.boot, wall.read(at: now))
        sit.sit = sit.sit.placed(in: zone, found.wall)
        sit.savesOpen = known.contains(found.sit.id) && !found.isAmended ? 0 : 1
        return sit
      })
    if let last = over.sits.last, last.creditEnd(boot: settings.boot) != nil { closed = last }
  }

  /// Sends what these sits wait for, before another one needs their place.
  mutating func sendOver(known: Set<Identity>) {
    for sit in over.sits where sit.savesOpen > 0 {
      if known.contains(sit.id) {
        sit.edits.forEach { actions.append(.edit(sit.id, $0, at: writeTime)) }
      }
      sendSave(of: sit)
    }
  }

  /// Changes a sit that is over: here, and in the store. The caller writes the journal.
  private mutating func amend(
    _ id: Identity, _ change: (inout ClosedSit) -> Void, edit: (MeditationSession) -> SitEdit
  ) {
    if var sit = closed, sit.id == id {
      change(&sit)
      closed = sit
    }
    over.change(id) { sit in
      change(&sit)
      sit.isAmended = true
    }
    let waiting = over.sits.first { $0.id == id }
    guard let sit = waiting ?? closed else { return }
    actions.append(.edit(id, edit(sit.session), at: writeTime))
    // Its answer says that the edit is kept too.
    if waiting != nil { save(sit) }
  }

  /// Sets the dates of sits right that were saved before the time was known.
  mutating func repairDates() {
    guard wall.isKnown else { return }
    let reading = wall.read(at: now)
    var isChanged = false
    for undated in over.sits where !undated.isDated(boot: settings.boot) {
      let id = undated.id
      var sit = undated
      sit.wall = reading
      isChanged = true
      // Where nothing is known of the clock before an outage the dates stay a guess.
      if sit.session.clock == .repaired {
        amend(id, { $0.wall = reading }, edit: \.datesEdit)
      } else {
        over.change(id) { $0.wall = reading }
      }
    }
    settleOver(isChanged: isChanged)
  }

  // MARK: - What a hand does to the sit that is over

  /// Credits what was in doubt, since a hand has come soon enough.
  mutating func credit(at instant: Instant) {
    guard let over = closed, over.finished.doubtful > .zero,
      instant <= over.finished.ended + Box.creditSpan
    else { return }
    amend(over.id, { $0.finished = $0.finished.confirmed }, edit: \.creditEdit)
    settleOver(isChanged: true)
  }

  mutating func rate(_ rating: Int) {
    guard let id = closed?.id else { return }
    amend(id, { $0.rating = Int64(rating) }, edit: { _ in .rating(Int64(rating)) })
    if over.contains(id) { writeJournal(isDurable: true, at: now) }
  }

  mutating func delete() {
    guard let id = closed?.id else { return }
    actions.append(.delete(id, at: writeTime))
    guard over.contains(id) else { return }
    over.remove(id)
    writeJournal(isDurable: true, at: now)
  }

  /// A deleted sit stays deleted: what comes back is a new one with the same values.
  mutating func undo() {
    guard var sit = closed else { return }
    sit.sit.id = sit.sit.id.broughtBack
    keep(sit)
  }

  // MARK: - Small things

  /// The time as whatever is written now is stamped.
  var writeTime: WriteTime { WriteTime(wall.wall(at: now), isKnown: wall.isKnown) }

  private mutating func newIdentity() -> Identity {
    Identity(randomHigh: identities.next(), low: identities.next())
  }

  mutating func announce(_ change: SessionChange, at instant: Instant) {
    guard let sit else { return }
    actions.append(.session(change, sit.id, at: instant))
  }
}

extension Programme.Length {
  /// The time of day until which it goes; nil where it has a length.
  var time: Span? {
    if case .until(let time) = self { time } else { nil }
  }
}
