import Sessions
import Ticks
import TimerMachine

// Invariants:
// - A sit stands in the list from its end until nothing is left to be done for it: the store has
//   it as it stands here, and its dates are known, or never will be since its boot is over.
// - All that is not done is in the journal too, so that a start goes on with it.

/// A sit that is over.
struct ClosedSit: Equatable, Sendable {
  var sit: OpenSit
  var finished: FinishedSit
  /// How a hand has rated it.
  var rating: Int64?
  /// The boot that its instants are of.
  var boot: Identity
  /// The reading of the wall clock that dates it.
  var wall: WallReading
  /// Whether it was changed since it was saved, and the store may not know it yet.
  var isAmended = false
  /// How many saves of it the store has not answered; not in the journal.
  var savesOpen = 0

  var id: Identity { sit.id }

  /// Whether the store has it as it stands here.
  var isKept: Bool { savesOpen == 0 && !isAmended }

  /// Whether its dates are known, or can never be.
  func isDated(boot now: Identity) -> Bool { wall.isKnown || boot != now }

  /// Until when a press credits what is in doubt; nil where none can.
  func creditEnd(boot now: Identity) -> Instant? {
    finished.doubtful > .zero && boot == now ? finished.ended + Box.creditSpan : nil
  }

  /// Whether nothing is left to be done for it.
  func isDone(boot now: Identity, at instant: Instant) -> Bool {
    let isDoubtful = creditEnd(boot: now).map { instant <= $0 } ?? false
    return isKept && isDated(boot: now) && !isDoubtful
  }

  /// The sit as it is kept, but for the kind of the device.
  var session: MeditationSession {
    var session = sit.session(of: finished, wall)
    session.rating = rating
    return session
  }

  /// The sit by the clock of another boot, where both know the time: the ten minutes in which a
  /// press credits it go on there. As it is where that is not so.
  func moved(to now: Identity, _ reading: WallReading) -> ClosedSit {
    guard boot != now,
      let length = Recovery.outage(since: wall, of: boot, boot: now, wall: reading)
    else { return self }
    var moved = self
    let shift = reading.at - length - wall.at
    moved.boot = now
    moved.wall.at += shift
    moved.sit = sit.shifted(by: shift)
    moved.finished = finished.shifted(by: shift)
    return moved
  }

  /// What a store is told that may have the sit as it was before a change.
  var edits: [SitEdit] {
    let session = session
    var edits = [session.creditEdit]
    if session.clock == .repaired { edits.append(session.datesEdit) }
    if let rating { edits.append(.rating(rating)) }
    return edits
  }
}

extension MeditationSession {
  /// The edit that credits a sit as this one is.
  var creditEdit: SitEdit {
    .credit(
      durationSeconds: durationSeconds, overtimeSeconds: overtimeSeconds,
      unconfirmedSeconds: unconfirmedSeconds, completed: completed)
  }

  /// The edit that gives a sit these dates.
  var datesEdit: SitEdit {
    .dates(
      start: startDate, end: endDate, offsetSeconds: utcOffsetSeconds,
      interruptions: interruptions)
  }
}

/// The sits that are over and wait for something, oldest first.
///
/// Of more than `max` the oldest that is kept is forgotten: its dates stay a guess. Where none is
/// kept, the oldest of all is: the storage thread still has it, and a power cut would lose it.
struct ClosedSits: Equatable, Sendable {
  static let max = 64

  private(set) var sits: [ClosedSit] = []

  init(_ sits: [ClosedSit] = []) { self.sits = sits }

  func contains(_ id: Identity) -> Bool { sits.contains { $0.id == id } }

  mutating func append(_ sit: ClosedSit) {
    if sits.count == ClosedSits.max { sits.remove(at: sits.firstIndex { $0.isKept } ?? 0) }
    sits.append(sit)
  }

  /// Changes the sit with an identity, if it is here.
  mutating func change(_ id: Identity, _ change: (inout ClosedSit) -> Void) {
    guard let index = sits.firstIndex(where: { $0.id == id }) else { return }
    change(&sits[index])
  }

  mutating func remove(_ id: Identity) { sits.removeAll { $0.id == id } }

  /// Lets those go for which nothing is left to be done.
  /// - Returns: whether there were any.
  mutating func removeDone(boot: Identity, at instant: Instant) -> Bool {
    let count = sits.count
    sits.removeAll { $0.isDone(boot: boot, at: instant) }
    return sits.count < count
  }

  /// Until when the next one can be credited that can be still.
  func creditEnd(boot: Identity, from instant: Instant) -> Instant? {
    sits.compactMap { $0.creditEnd(boot: boot) }.filter { instant <= $0 }.min()
  }
}
