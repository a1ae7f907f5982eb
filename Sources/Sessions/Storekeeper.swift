/// A file of the store, by what it is for.
public enum ReplicaFile: Sendable, Equatable {
  /// The full replica in the state folder.
  case truth
  /// The truth before its last change, beside it.
  case earlierTruth
  /// This device's copy in the shared folder, for the other devices.
  case exchange
  /// What was chosen on this device and stays on it, in the state folder.
  case choices
}

/// Where replicas are kept: a real disk, or a simulated one. Every call is made on one thread.
public protocol ReplicaDisk: ~Copyable {
  /// Why the disk refused, as a sentence for people.
  associatedtype Failure: Error, CustomStringConvertible, Sendable

  /// Whether there is a shared folder at all.
  var hasExchange: Bool { get }

  /// The whole file; nil when there is none.
  mutating func read(_ file: ReplicaFile) throws(Failure) -> [UInt8]?

  /// Replaces a file, whole and durably: at every instant it reads as before or as after.
  /// - Parameter keepingEarlier: whether what stands there now becomes `earlierTruth`.
  mutating func replace(
    _ file: ReplicaFile, with bytes: [UInt8], keepingEarlier: Bool
  ) throws(Failure)

  /// Puts a damaged file out of the way, kept under another name.
  /// - Returns: that name.
  mutating func setAside(_ file: ReplicaFile) throws(Failure) -> String
}

/// What a storekeeper has to say after it did something.
public enum StoreReport: Equatable, Sendable {
  /// The truth was read, or there is none yet.
  case opened(bytes: Int, sits: Int)
  /// A file was damaged. What could be read of it is in the store.
  case salvaged(ReplicaFile, lines: [DamagedLine], setAside: String?)
  /// The truth is written: its sits survive a power cut now.
  case written(bytes: Int, sits: Int)
  /// The truth could not be read or written. The sits are in memory; `retry` tries again.
  case failed(reason: String)
  /// The exchange copy was written.
  case exchanged(bytes: Int)
  /// The exchange copy could not be read or written. The truth does not mind.
  case exchangeFailed(reason: String)
  /// A sit was refused, and the store is as it was.
  case refused(reason: String)
  /// What was chosen on this device is written.
  case choicesWritten
  /// It could not be written.
  case choicesFailed(reason: String)
}

/// Keeps the store on a disk: the truth first, then the exchange copy. It knows no clock; whoever
/// owns it calls `retry` at once after a failure, and then every 60 s.
///
/// Invariants:
/// - What was added is in `store` whether or not the disk took it.
/// - Nothing is written before the truth was read: a disk that cannot be read is no empty store.
/// - Equal bytes are not written, and a clean file is not rewritten by being opened.
/// - A damaged file never becomes the earlier generation.
public struct Storekeeper<Disk: ReplicaDisk & ~Copyable>: ~Copyable {
  /// The sits and values as they are known now.
  public private(set) var store: SessionStore
  /// The disk.
  public var disk: Disk

  private var isOpen = false
  private var truthIsSound = true
  /// The bytes that the disk is known to hold; nil when it is not known.
  private var truthOnDisk: [UInt8]?
  private var exchangeOnDisk: [UInt8]?
  private var exchangeIsRead = false

  /// Makes a storekeeper with an empty store; `open` reads what there is.
  /// - Parameters:
  ///   - owner: whose sits these are where no file says so.
  ///   - device: this device.
  public init(disk: consuming Disk, owner: Identity, device: Identity) {
    self.disk = disk
    store = SessionStore(owner: owner, device: device)
  }

  /// Whether something waits to be written or read again.
  public var isBehind: Bool {
    if !isOpen { return true }
    let bytes = store.encode()
    return truthOnDisk != bytes || (disk.hasExchange && exchangeOnDisk != bytes)
  }

  /// Whether something that is known is not in the truth on the disk, and would be lost if this
  /// ended now. The exchange copy does not count: it is made again from the truth.
  public var isTruthBehind: Bool {
    let usage = store.usage
    if usage.sits == 0 && usage.keys == 0 { return false }
    return !isOpen || truthOnDisk != store.encode()
  }

  /// Reads the files and brings the exchange copy up to date. A missing file is an empty store; a
  /// damaged one is set aside, and all that can be read of it and of the earlier generation is
  /// kept.
  public mutating func open() -> [StoreReport] {
    var reports: [StoreReport] = []
    do throws(Disk.Failure) { try readTruth(&reports) } catch {
      return reports + [.failed(reason: error.description)]
    }
    isOpen = true
    readExchange(&reports)
    let usage = store.usage
    reports.append(.opened(bytes: usage.bytes, sits: usage.sits))
    return reports + save()
  }

  /// Adds a sit and saves.
  public mutating func add(_ session: MeditationSession) -> [StoreReport] {
    change { store throws(StoreError) in _ = try store.add(session) }
  }

  /// Sets a key, or deletes it where the value is nil, and saves.
  public mutating func set(
    _ key: String, to value: JSONValue?, at wall: WallInstant
  ) -> [StoreReport] {
    change { store throws(StoreError) in
      if let value {
        try store.set(key, to: value, at: wall)
      } else {
        try store.delete(key: key, at: wall)
      }
    }
  }

  /// Tries again what failed: to read, or to write on a new file. Without anything to do it reports
  /// nothing and touches nothing.
  public mutating func retry() -> [StoreReport] {
    isOpen ? save() : open()
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

  private mutating func change(
    _ change: (inout SessionStore) throws(StoreError) -> Void
  ) -> [StoreReport] {
    do throws(StoreError) { try change(&store) } catch {
      return [.refused(reason: error.description)]
    }
    return retry()
  }
}

extension Storekeeper where Disk: ~Copyable {
  private mutating func readTruth(_ reports: inout [StoreReport]) throws(Disk.Failure) {
    let added = store
    if let bytes = try disk.read(.truth) {
      store = SessionStore(salvaging: bytes, owner: added.owner, device: added.device)
      if store.damage.isEmpty {
        truthOnDisk = known(bytes, as: store)
      } else {
        let damage = store.damage
        try readEarlierTruth(&reports)
        let name = setAside(.truth, &reports)
        truthIsSound = name != nil
        reports.append(.salvaged(.truth, lines: damage, setAside: name))
      }
    } else {
      try readEarlierTruth(&reports)
    }
    // What was added while the disk could not be read. It is in one store already if that is new.
    store.merge(added)
  }

  private mutating func readEarlierTruth(_ reports: inout [StoreReport]) throws(Disk.Failure) {
    guard let bytes = try disk.read(.earlierTruth) else { return }
    let earlier = SessionStore(salvaging: bytes, owner: store.owner, device: store.device)
    if !earlier.damage.isEmpty {
      reports.append(.salvaged(.earlierTruth, lines: earlier.damage, setAside: nil))
    }
    take(earlier)
  }

  /// The exchange copy is our own writing, so what it knows and the truth does not is ours too: a
  /// state folder that was lost or rolled back is whole again.
  private mutating func readExchange(_ reports: inout [StoreReport]) {
    guard disk.hasExchange, !exchangeIsRead else { return }
    do throws(Disk.Failure) {
      if let bytes = try disk.read(.exchange) {
        let copy = SessionStore(salvaging: bytes, owner: store.owner, device: store.device)
        if copy.damage.isEmpty {
          exchangeOnDisk = known(bytes, as: copy)
        } else {
          let name = setAside(.exchange, &reports)
          reports.append(.salvaged(.exchange, lines: copy.damage, setAside: name))
        }
        take(copy)
      }
      exchangeIsRead = true
    } catch {
      reports.append(.exchangeFailed(reason: error.description))
    }
  }

  /// What counts as the disk's bytes. A file of a newer format may have an order that we cannot
  /// know; it is taken for what we would write, so that it is not rewritten until something
  /// changes.
  private func known(_ bytes: [UInt8], as store: SessionStore) -> [UInt8] {
    store.format > SessionStore.currentFormat ? store.encode() : bytes
  }

  /// Joins another generation of our own replica; one of another owner only into an empty store.
  private mutating func take(_ other: SessionStore) {
    if other.owner == store.owner { return store.merge(other) }
    let usage = store.usage
    if usage.sits == 0 && usage.keys == 0 { store = other }
  }

  private mutating func setAside(
    _ file: ReplicaFile, _ reports: inout [StoreReport]
  ) -> String? {
    do throws(Disk.Failure) { return try disk.setAside(file) } catch {
      reports.append(
        file == .exchange
          ? .exchangeFailed(reason: error.description) : .failed(reason: error.description))
      return nil
    }
  }

  private mutating func save() -> [StoreReport] {
    var reports: [StoreReport] = []
    if !exchangeIsRead { readExchange(&reports) }
    let bytes = store.encode()
    if truthOnDisk != bytes {
      do throws(Disk.Failure) {
        // After a failure nobody knows what the disk holds, so nothing is taken for written.
        truthOnDisk = nil
        try disk.replace(.truth, with: bytes, keepingEarlier: truthIsSound)
        truthOnDisk = bytes
        truthIsSound = true
        reports.append(.written(bytes: bytes.count, sits: store.usage.sits))
      } catch {
        return reports + [.failed(reason: error.description)]
      }
    }
    guard disk.hasExchange, exchangeIsRead, exchangeOnDisk != bytes else { return reports }
    do throws(Disk.Failure) {
      exchangeOnDisk = nil
      try disk.replace(.exchange, with: bytes, keepingEarlier: false)
      exchangeOnDisk = bytes
      reports.append(.exchanged(bytes: bytes.count))
    } catch {
      reports.append(.exchangeFailed(reason: error.description))
    }
    return reports
  }
}
