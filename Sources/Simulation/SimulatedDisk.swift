import Box
import Sessions
import Ticks

/// Why the simulated disk refused.
struct SimulatedDiskError: Error, CustomStringConvertible, Sendable {
  var description: String
}

extension DiskState {
  /// How long a write takes.
  var latency: Span { if case .slow(let span) = self { span } else { .zero } }

  func expectReadable() throws(SimulatedDiskError) {
    if self == .error { throw SimulatedDiskError(description: "the disk reports an error") }
  }

  func expectWritable() throws(SimulatedDiskError) {
    switch self {
    case .ok, .slow: break
    case .full: throw SimulatedDiskError(description: "the disk is full")
    case .readOnly: throw SimulatedDiskError(description: "the disk is read-only")
    case .error: try expectReadable()
    }
  }
}

/// A disk in memory that fails as it is told.
struct SimulatedDisk: ReplicaDisk {
  var state = DiskState.ok
  private var files: [(file: ReplicaFile, bytes: [UInt8])] = []

  func volumes() throws(SimulatedDiskError) -> [Volume] {
    try state.expectReadable()
    return files.compactMap { entry in
      if case .truth(let volume) = entry.file { volume } else { nil }
    }.sorted()
  }

  func read(_ file: ReplicaFile) throws(SimulatedDiskError) -> [UInt8]? {
    try state.expectReadable()
    return files.first { $0.file == file }?.bytes
  }

  mutating func replace(
    _ file: ReplicaFile, with bytes: [UInt8], keepingEarlier: Bool
  ) throws(SimulatedDiskError) {
    try expectWritable()
    if keepingEarlier, let now = files.first(where: { $0.file == file }) {
      put(.earlierTruth, now.bytes)
    }
    put(file, bytes)
  }

  mutating func setAside(_ file: ReplicaFile) throws(SimulatedDiskError) -> String {
    // The second name is for people, and there are none here.
    try expectWritable()
    return "damaged"
  }

  mutating func remove(_ file: ReplicaFile) throws(SimulatedDiskError) {
    try expectWritable()
    files.removeAll { $0.file == file }
  }

  /// Flips a bit in the middle of the truth, as worn memory does, without anybody being told.
  mutating func damageTruth() {
    guard let index = files.firstIndex(where: { $0.file == .truth(.main) }),
      !files[index].bytes.isEmpty
    else { return }
    files[index].bytes[files[index].bytes.count / 2] ^= 0x04
  }

  private func expectWritable() throws(SimulatedDiskError) { try state.expectWritable() }

  private mutating func put(_ file: ReplicaFile, _ bytes: [UInt8]) {
    files.removeAll { $0.file == file }
    files.append((file, bytes))
  }
}

/// The storage thread of a simulation: one request at a time, each taking as long as the disk does.
/// What the real thread's full queue turns away is sent again, so here everything waits.
struct SimulatedStorage: ~Copyable {
  enum Request {
    case save(MeditationSession, withdrawnAt: WriteTime?)
    case retry
    case choices([UInt8])
    case called([UInt8])
    case set(String, JSONValue?, WriteTime)
    case claim(SitClaim?, WriteTime)
    case edit(Identity, SitEdit, WriteTime)
    case delete(Identity, WriteTime)
    case look
  }

  private(set) var keeper: Storekeeper<SimulatedDisk, SimulatedFolder>
  /// What was chosen on the device, as its file holds it.
  var choices: [UInt8]? { (try? keeper.disk.read(.choices)) ?? nil }
  /// For which days reminders have called, as its file holds it.
  var called: [UInt8] { ((try? keeper.disk.read(.called)) ?? nil) ?? [] }
  private var requests: [Request] = []
  private var doneAt: Instant?

  init(owner: Identity, device: Identity, folder: SimulatedFolder) {
    keeper = Storekeeper(disk: SimulatedDisk(), folder: folder, owner: owner, device: device)
    _ = keeper.open()
  }

  /// The journal of the running sit.
  var journal = SimulatedJournal()

  var nextDeadline: Instant? {
    guard let journalAt = journal.nextDeadline else { return doneAt }
    return min(doneAt ?? journalAt, journalAt)
  }

  mutating func write(_ journal: Journal?, at now: Instant) {
    self.journal.put(journal, at: now, keeper.disk.state)
  }

  /// How the store stands at a time.
  func status(at time: WriteTime) -> StoreStatus {
    let store = keeper.store
    var status = StoreStatus(owner: store.owner, device: store.device, usage: store.usage)
    status.isOverQuota = store.isOverQuota
    status.peers = keeper.peers
    status.claimsElsewhere = store.claimsElsewhere
    status.localStarts = store.localStarts
    status.guessedEnds = store.guessedEnds
    status.dayStartsSeconds = store.dayStartsSeconds
    status.definitions = store.definitions
    return status
  }

  mutating func set(_ state: DiskState) {
    keeper.disk.state = state
    if let folder = keeper.folder { folder.share.set(state, of: folder.box) }
  }

  mutating func damageTruth() { keeper.disk.damageTruth() }

  mutating func send(_ request: Request, at now: Instant) {
    requests.append(request)
    if doneAt == nil { doneAt = now + latency }
  }

  /// Whoever had the disk is gone, and with it what was asked of it and not done.
  mutating func drop() {
    (requests, doneAt) = ([], nil)
    journal.drop()
  }

  /// Somebody reads the disk anew.
  mutating func reopen() -> [StoreReport] {
    let store = keeper.store
    keeper = Storekeeper(
      disk: keeper.disk, folder: keeper.folder, owner: store.owner, device: store.device)
    return keeper.open()
  }

  /// Finishes the request that is due, if one is.
  /// - Returns: nil if none was; no report at all says that nothing was left to do.
  mutating func advance(to now: Instant) -> [StoreReport]? {
    journal.advance(to: now, keeper.disk.state)
    guard let due = doneAt, due <= now, !requests.isEmpty else { return nil }
    let request = requests.removeFirst()
    doneAt = requests.isEmpty ? nil : due + latency
    switch request {
    case .save(let session, let time): return keeper.add(session, withdrawingAt: time)
    case .retry: return keeper.retry()
    case .choices(let bytes): return [keeper.write(choices: bytes)]
    case .called(let bytes):
      keeper.write(called: bytes)
      return nil
    case .set(let key, let value, let time): return keeper.set(key, to: value, at: time)
    case .claim(let claim, let time): return keeper.publish(claim.map(fullClaim(time)), at: time)
    case .edit(let id, let edit, let time): return keeper.edit(id, at: time, edit.apply)
    case .delete(let id, let time): return keeper.delete(id, at: time)
    case .look: return keeper.look()
    }
  }

  private func fullClaim(_ time: WriteTime) -> (SitClaim) -> Claim {
    { [device = keeper.store.device] claim in
      Claim(
        device: device, since: claim.since, plannedEnd: claim.plannedEnd,
        isPaused: claim.isPaused, name: claim.name, at: time)
    }
  }

  private var latency: Span { keeper.disk.state.latency }
}
