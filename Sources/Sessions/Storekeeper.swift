/// Keeps the store on a disk: the truth first, then the copy in the shared folder, where it also
/// looks for the copies of others. It knows no clock; whoever owns it calls `retry` at once after a
/// failure, and then every 60 s, and `look` when the folder may have changed.
///
/// Invariants:
/// - What was added is in `store` whether or not the disk took it.
/// - Nothing is written before the truth was read: a disk that cannot be read is no empty store.
/// - Equal bytes are not written, and a clean file is not rewritten by being opened.
/// - A damaged file never becomes the earlier generation, and is not written over before it was
///   set aside.
/// - At every instant the volumes on the disk together hold the old state or the new one, or both.
/// - Our own copy in the shared folder is not overwritten before what is in it was merged.
/// - Nothing that is not there is taken for deleted.
public struct Storekeeper<Disk: ReplicaDisk & ~Copyable, Folder: ExchangeFolder>: ~Copyable {
  /// The sits and values as they are known now.
  public internal(set) var store: SessionStore
  /// The disk.
  public var disk: Disk
  /// The shared folder; nil where there is none.
  public internal(set) var folder: Folder?
  /// The copies of others as the last look at the shared folder found them.
  public internal(set) var peers: [PeerSeen] = []

  var truth = Truth()
  /// Sits that were added and are not known to be on the disk.
  var unsaved: [Identity] = []
  var memory = FolderMemory()
  /// The sits that were deleted here last; nil where only the disk may know, empty where there are
  /// none to bring back.
  var deletedLast: [MeditationSession]?
  /// What was archived when the truth was read or written last.
  var archivedMonths: Set<Month> = []

  /// What is known of the truth on the disk.
  struct Truth {
    var isOpen = false
    /// Whether the main volume there may become the earlier generation.
    var isSound = true
    /// Whether any file has said whose sits these are.
    var hasOwner = false
    /// Damaged volumes that could not be set aside yet, and are not written over before.
    var heldBack: Set<Volume> = []
    /// The volumes there; empty bytes where a write has failed and nobody knows what is there.
    var volumes: [Volume: [UInt8]] = [:]
    /// The revision of the store that is on the disk; nil when it is not known.
    var savedRevision: Int?
  }

  /// Makes a storekeeper with an empty store; `open` reads what there is.
  /// - Parameters:
  ///   - owner: whose sits these are where no file says so.
  ///   - device: this device.
  public init(disk: consuming Disk, folder: Folder?, owner: Identity, device: Identity) {
    self.disk = disk
    self.folder = folder
    store = SessionStore(owner: owner, device: device)
  }

  /// Shares in another folder from now on, or in none. The next `look` or `retry` reads it anew.
  public mutating func share(in folder: Folder?) {
    self.folder = folder
    memory = FolderMemory()
    peers = []
  }

  /// Whether something waits to be written or read again.
  public var isBehind: Bool {
    !truth.isOpen || !isTruthSaved || (folder != nil && !isCopySaved)
  }

  /// Whether something that is known is not in the truth on the disk, and would be lost if this
  /// ended now. The exchange copy does not count: it is made again from the truth.
  public var isTruthBehind: Bool {
    if store.isEmpty { return false }
    return !truth.isOpen || truth.savedRevision != store.revision
  }

  private var isTruthSaved: Bool {
    truth.savedRevision == store.revision && truth.heldBack.isEmpty
  }

  var isCopySaved: Bool {
    memory.isRead && memory.lost.isEmpty && memory.savedRevision == store.revision
  }

  /// Reads the truth, looks at the shared folder, and brings our copy there up to date. A missing
  /// file is an empty store; a damaged one is set aside, and all that can be read of it, of the
  /// earlier generation and of our copy in the shared folder is kept.
  public mutating func open() -> [StoreReport] {
    var reports: [StoreReport] = []
    do throws(Disk.Failure) { try readTruth(&reports) } catch {
      return reports + [.failed(reason: error.description)]
    }
    truth.isOpen = true
    archivedMonths = Set(store.split.archivedMonths)
    let news = lookAround(adopting: false, isOpening: true)
    let usage = store.usage
    reports.append(.opened(bytes: usage.bytes, sits: usage.sits))
    return reports + news + save()
  }

  /// Looks at the shared folder: merges what is new there, of whatever device, and saves. It is
  /// called when the folder may have changed. Copies of another owner are listed and not merged,
  /// unless this box has no sits: then it becomes that owner's.
  public mutating func look() -> [StoreReport] {
    truth.isOpen ? lookAround(adopting: false) + save() : open()
  }

  /// Looks at the shared folder and joins its owner: that one's copies are merged, and this store
  /// becomes theirs. Of several owners it is the one with the most sits. That is remembered for
  /// good: two boxes that adopt one another at once end with one owner, the smaller one.
  public mutating func adopt() -> [StoreReport] {
    let opened = truth.isOpen ? [] : open()
    return truth.isOpen ? opened + lookAround(adopting: true) + save() : opened
  }

  /// Adds a sit and saves. It is taken also while the truth cannot be read: to add is to merge. One
  /// that was deleted stays so, and nothing is left to be done for it: it is told as kept.
  /// - Parameter time: when no sit runs here any more, in the same write: at no instant another box
  ///   sees neither the claim nor the sit. With nil the claim stays as it is.
  public mutating func add(
    _ session: MeditationSession, withdrawingAt time: WriteTime? = nil
  ) -> [StoreReport] {
    unsaved.append(session.id)
    let reports = change(needsTruth: false) { store throws(StoreError) in
      if let time { store.withdraw(at: time) }
      if store.deletedSits[session.id] == nil { _ = try store.add(session) }
    }
    // One that is there already may need no write.
    return reports + keptSits()
  }

  /// Changes a sit and saves. One that was deleted meanwhile stays as it is.
  public mutating func edit(
    _ id: Identity, at time: WriteTime, _ change: (inout MeditationSession) -> Void
  ) -> [StoreReport] {
    self.change { store throws(StoreError) in
      if store.deletedSits[id] == nil { try store.edit(id, at: time, change) }
    }
  }

  /// Deletes a sit for good and saves. `SitChange.undo` brings it back, as long as no other is
  /// deleted.
  public mutating func delete(_ id: Identity, at time: WriteTime) -> [StoreReport] {
    change([.delete(id: id.description)], at: time).reports
  }

  /// Sets a key, or deletes it where the value is nil, and saves.
  public mutating func set(
    _ key: String, to value: JSONValue?, at time: WriteTime
  ) -> [StoreReport] {
    change { store throws(StoreError) in
      if let value {
        try store.set(key, to: value, at: time)
      } else {
        try store.delete(key: key, at: time)
      }
    }
  }

  /// Says that a sit runs here, or that none does any more, and saves: as with sits, also while the
  /// truth cannot be read.
  public mutating func publish(_ claim: Claim?, at time: WriteTime) -> [StoreReport] {
    change(needsTruth: false) { store throws(StoreError) in
      if let claim {
        try store.publish(claim, at: time)
      } else {
        store.withdraw(at: time)
      }
    }
  }

  /// Tries again what failed: to read, or to write on a new file. Without anything to do it reports
  /// nothing and touches nothing.
  public mutating func retry() -> [StoreReport] {
    if !truth.isOpen { return open() }
    let news = folder != nil && !memory.isRead ? lookAround(adopting: false) : []
    return news + save()
  }

  /// Writes what was chosen on this device, in the form of its file.
  public mutating func write(choices: [UInt8]) -> StoreReport {
    do throws(Disk.Failure) {
      try disk.replace(.choices, with: choices, keepingEarlier: false)
      return .choicesWritten
    } catch {
      return .choicesFailed(reason: error.description)
    }
  }

  /// Writes for which days reminders have called, in the form of its file. A disk that refuses is
  /// told by what matters more.
  public mutating func write(called: [UInt8]) {
    try? disk.replace(.called, with: called, keepingEarlier: false)
  }

  /// - Parameter needsTruth: whether what it does hangs on what is there: a key set in an empty
  ///   store would lose to the one that a truth has which can be read only later.
  private mutating func change(
    needsTruth: Bool = true, _ change: (inout SessionStore) throws(StoreError) -> Void
  ) -> [StoreReport] {
    let opened = needsTruth ? openForChange() : (isOpen: true, reports: [])
    if !opened.isOpen { return opened.reports }
    do throws(StoreError) { try change(&store) } catch {
      return opened.reports + [.refused(reason: error.description)]
    }
    return opened.reports + retry()
  }

  /// Reads the truth where that was not done yet, or refuses what needs it.
  mutating func openForChange() -> (isOpen: Bool, reports: [StoreReport]) {
    if truth.isOpen { return (true, []) }
    let reports = open()
    if truth.isOpen { return (true, reports) }
    return (false, reports + [.refused(reason: "what is kept here cannot be read now")])
  }

  /// Saves the truth, then our copy; then what is not needed any more is removed.
  private mutating func save() -> [StoreReport] {
    if isTruthSaved && (folder == nil || isCopySaved) {
      return keptSits() + tidyConflicts()
    }
    let files = store.files()
    var reports: [StoreReport] = []
    if !isTruthSaved {
      do throws(Disk.Failure) { try saveTruth(files, &reports) } catch {
        // The copy is never ahead of the truth: peers would have a sit that is told here as not
        // kept, and that this device itself does not know after a power cut.
        return reports + [.failed(reason: error.description)]
      }
    }
    reports += keptSits()
    reports += saveCopy(files)
    return reports + tidyConflicts()
  }

  /// Tells once of each sit that was added and is on the disk now.
  private mutating func keptSits() -> [StoreReport] {
    guard truth.isOpen, isTruthSaved else { return [] }
    let kept = unsaved.filter(store.knows)
    unsaved = []
    return kept.map(StoreReport.kept)
  }
}
