/// Why keys changed without this box having written them. The names are Apple's for their
/// key-value store (`NSUbiquitousKeyValueStoreChangeReasonKey`), with one account an owner here.
public enum ChangeReason: String, Sendable {
  /// The first merge of a box with the copies of others.
  case initialSync
  /// Another device's copy brought something new.
  case peerChange
  /// The store has grown over a cap.
  case quotaViolation
  /// The store belongs to another owner now.
  case identityChange
}

/// What a storekeeper has to say after it did something.
public enum StoreReport: Equatable, Sendable {
  /// The truth was read, or there is none yet.
  case opened(bytes: Int, sits: Int)
  /// A file of our own was damaged. What could be read of it is in the store.
  case salvaged(path: String, lines: [DamagedLine], setAside: String?)
  /// The truth is written: its sits survive a power cut now.
  case written(bytes: Int, sits: Int)
  /// A sit that was added here is in the truth on the disk: what stood for it meanwhile can go.
  case kept(Identity)
  /// Months went from the main volume to the archive, as `2026-11`.
  case archived(months: [String])
  /// The truth could not be read or written. The sits are in memory; `retry` tries again.
  case failed(reason: String)
  /// Our copy in the shared folder was written.
  case exchanged(bytes: Int)
  /// The shared folder could not be read, or our copy not be written. The truth does not mind.
  case exchangeFailed(reason: String)
  /// Something from outside changed these keys, in byte order.
  case changed(keys: [String], reason: ChangeReason)
  /// Our copy in the shared folder had less than we had written: an engine emptied it, rolled it
  /// back or lost it. It was written again.
  case restored(path: String)
  /// The copies of others, whenever they are not those of the last time.
  case peers([PeerSeen])
  /// A conflict copy of ours was merged and removed.
  case conflictRemoved(path: String)
  /// A local write was refused, and the store is as it was.
  case refused(reason: String)
  /// The state folder came from another machine with its card: this device has a new name, and
  /// the old one is another device's.
  case cloned(from: Identity, to: Identity)
  /// What was chosen on this device is written.
  case choicesWritten
  /// It could not be written.
  case choicesFailed(reason: String)
}
