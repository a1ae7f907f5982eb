import Appliance
import Box
import Sessions
import StoreFiles
import Ticks

// The journal of the sit that is on, and what the store is told of it.
extension Service {
  private static let journalFault = "journal"

  /// Goes on with a sit that was on when this box ended the last time, or keeps what is known of
  /// it.
  mutating func takeUp(_ found: FoundJournal) {
    for complaint in found.complaints { complain(complaint) }
    handle(.journal(found.journal, known: found.known), at: box.now)
  }

  mutating func takeJournalReport(at now: Instant) {
    switch journal.takeReport() {
    case .failed(let reason)?:
      let still = "The sit goes on; a power cut would lose what was sat since."
      handle(
        .failed(what: Service.journalFault, detail: "Not journaled: \(reason). \(still)"), at: now)
    case .written?, .erased?: handle(.works(what: Service.journalFault), at: now)
    case nil: break
    }
  }

  // MARK: - What the store is told of a sit

  /// Says to the owner's other devices that a sit runs here. That none does any more waits for the
  /// sit itself, if that comes next: both are one write.
  mutating func send(_ claim: SitClaim?, at time: WriteTime) {
    guard let claim else {
      withdrawnAt = time
      return
    }
    withdrawnAt = nil
    send(
      .claim(
        since: claim.since, plannedEnd: claim.plannedEnd, isPaused: claim.isPaused,
        name: claim.name, at: time))
  }

  mutating func send(_ session: MeditationSession) {
    unwritten.append(session)
    guard let time = withdrawnAt.take() else { return send(.add(session)) }
    send(.endSit(session, at: time))
  }

  /// The sit was not kept, and only its claim is to go.
  mutating func sendWithdrawal() {
    if let time = withdrawnAt.take() { send(.withdrawClaim(at: time)) }
  }

  mutating func send(_ request: StorageRequest) {
    unsent.append(request)
    sendUnsent()
  }

  /// Hands over what waits, as far as the storage thread has room.
  mutating func sendUnsent() {
    while let request = unsent.first, storage.send(request) { unsent.removeFirst() }
  }
}
