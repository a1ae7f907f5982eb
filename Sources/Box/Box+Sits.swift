import Appliance
import Sessions
import Ticks
import TimerMachine
import Zones

// Invariants:
// - A sit has one identity from its begin on, through every outage: to save it again is to save it
//   once.
// - An end goes from the outside in, and each step can be repeated: strikes cancelled, sitting
//   over, claim withdrawn, sit saved. Its journal is erased once the store has said that it is
//   kept.

/// A sit that is over and was saved.
struct ClosedSit: Equatable, Sendable {
  var sit: OpenSit
  var finished: FinishedSit
  /// How a hand has rated it.
  var rating: Int64?
}

// What becomes of a sit.
extension Box {
  /// A press so soon after the end still says that somebody sat there.
  public static let creditSpan = Span.minutes(10)
  /// No more sits than these have their dates repaired once the time is known.
  static let undatedMax = 64

  mutating func begin(at instant: Instant) {
    let programme = appliance.programme
    sit = OpenSit(
      id: newIdentity(), programme: programme.name, journey: journey,
      until: appliance.timer.plan?.end == nil ? nil : askedUntil ?? programme.length.time,
      isClockKnownAtBegin: wall.isKnown, place: .zone(zone))
    (closed, unkept, askedUntil) = (nil, nil, nil)
    announce(.begun, at: instant)
    writeJournal(isDurable: true, at: now)
    putClaim()
  }

  mutating func close(_ finished: FinishedSit, at instant: Instant) {
    guard let sit else { return }
    announce(.closed, at: instant)
    keep(ClosedSit(sit: sit, finished: finished))
  }

  mutating func discard(at instant: Instant) {
    guard sit != nil else { return }
    announce(.discarded, at: instant)
    endSit()
    actions.append(.eraseJournal)
  }

  /// Withdraws the claim and saves a sit that is over.
  private mutating func keep(_ over: ClosedSit) {
    endSit()
    closed = over
    save(over)
    unkept = over.sit.id
  }

  private mutating func endSit() {
    sit = nil
    doubt = nil
    self[.journal] = nil
    self[.claim] = nil
    claimed = nil
    actions.append(.claim(nil, at: writeTime))
  }

  private mutating func save(_ over: ClosedSit) {
    var session = over.sit.session(of: over.finished, wall, behind: storeStatus?.guessedEnds ?? [])
    session.sourceDevice = settings.sourceDevice
    session.rating = over.rating
    actions.append(.save(session))
    guard !wall.isKnown else { return }
    if undated.count == Box.undatedMax { undated.removeFirst() }
    undated.append(over)
  }

  /// Sets the dates of sits right that were saved before the time was known.
  mutating func repairDates() {
    guard wall.isKnown else { return }
    for over in undated {
      let session = over.sit.session(of: over.finished, wall)
      // Where nothing is known of the clock before an outage the dates stay a guess.
      guard session.clock == .repaired else { continue }
      let dates = SitEdit.dates(
        start: session.startDate, end: session.endDate,
        offsetSeconds: session.utcOffsetSeconds, interruptions: session.interruptions)
      actions.append(.edit(session.id, dates, at: writeTime))
    }
    undated = []
  }

  mutating func eraseJournal(of id: Identity) {
    guard unkept == id else { return }
    unkept = nil
    actions.append(.eraseJournal)
  }

  // MARK: - What a hand does to the sit that is over

  /// Credits what was in doubt, since a hand has come soon enough.
  mutating func credit(at instant: Instant) {
    guard let over = closed, over.finished.doubtful > .zero,
      instant <= over.finished.ended + Box.creditSpan
    else { return }
    closed?.finished = over.finished.confirmed
    undated = undated.map { $0.sit.id == over.sit.id ? closed ?? $0 : $0 }
    let session = over.sit.session(of: over.finished.confirmed, wall)
    let credit = SitEdit.credit(
      durationSeconds: session.durationSeconds, overtimeSeconds: session.overtimeSeconds,
      unconfirmedSeconds: session.unconfirmedSeconds, completed: session.completed)
    actions.append(.edit(session.id, credit, at: writeTime))
  }

  mutating func rate(_ rating: Int) {
    guard let id = closed?.sit.id else { return }
    closed?.rating = Int64(rating)
    actions.append(.edit(id, .rating(Int64(rating)), at: writeTime))
  }

  mutating func delete() {
    guard let id = closed?.sit.id else { return }
    undated.removeAll { $0.sit.id == id }
    actions.append(.delete(id, at: writeTime))
    if unkept != nil { actions.append(.eraseJournal) }
    unkept = nil
  }

  /// A deleted sit stays deleted: what comes back is a new one with the same values.
  mutating func undo() {
    guard var over = closed else { return }
    over.sit.id = over.sit.id.broughtBack
    closed = over
    save(over)
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
