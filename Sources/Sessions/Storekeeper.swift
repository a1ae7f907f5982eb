/// Keeps the store on a disk: the truth first, then the copy in the shared folder. It knows no
/// clock; whoever owns it calls `retry` at once after a failure, and then every 60 s.
///
/// Invariants:
/// - What was added is in `store` whether or not the disk took it.
/// - Nothing is written before the truth was read: a disk that cannot be read is no empty store.
/// - Equal bytes are not written, and a clean file is not rewritten by being opened.
/// - A damaged file never becomes the earlier generation.
public struct Storekeeper<Disk: ReplicaDisk & ~Copyable, Folder: ExchangeFolder>: ~Copyable {
  /// The sits and values as they are known now.
  public internal(set) var store: SessionStore
  /// The disk.
  public var disk: Disk
  /// The shared folder; nil where there is none.
  public var folder: Folder?

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
  public init(disk: consuming Disk, folder: Folder?, owner: Identity, device: Identity) {
    self.disk = disk
    self.folder = folder
    store = SessionStore(owner: owner, device: device)
  }

  /// Whether something waits to be written or read again.
  public var isBehind: Bool {
    if !isOpen { return true }
    let bytes = store.encode()
    return truthOnDisk != bytes || (folder != nil && exchangeOnDisk != bytes)
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
    if let bytes = try disk.read(.truth(.main)) {
      store = SessionStore(salvaging: bytes, owner: added.owner, device: added.device)
      if store.damage.isEmpty {
        truthOnDisk = known(bytes, as: store)
      } else {
        let damage = store.damage
        try readEarlierTruth(&reports)
        let name = setTruthAside(&reports)
        truthIsSound = name != nil
        reports.append(.salvaged(path: Volume.main.truthPath, lines: damage, setAside: name))
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
      let path = Volume.main.truthPath + ".1"
      reports.append(.salvaged(path: path, lines: earlier.damage, setAside: nil))
    }
    take(earlier)
  }

  private var exchangePath: String { Volume.main.exchangePath(of: store.device) }

  /// The exchange copy is our own writing, so what it knows and the truth does not is ours too: a
  /// state folder that was lost or rolled back is whole again.
  private mutating func readExchange(_ reports: inout [StoreReport]) {
    guard var folder, !exchangeIsRead else { return }
    defer { self.folder = folder }
    do throws(Folder.Failure) {
      if let bytes = try folder.read(exchangePath) {
        let copy = SessionStore(salvaging: bytes, owner: store.owner, device: store.device)
        if copy.damage.isEmpty {
          exchangeOnDisk = known(bytes, as: copy)
        } else {
          let name = try folder.setAside(exchangePath)
          reports.append(.salvaged(path: exchangePath, lines: copy.damage, setAside: name))
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
    if other.owner == store.owner {
      store.merge(other)
      return
    }
    let usage = store.usage
    if usage.sits == 0 && usage.keys == 0 { store = other }
  }

  private mutating func setTruthAside(_ reports: inout [StoreReport]) -> String? {
    do throws(Disk.Failure) { return try disk.setAside(.truth(.main)) } catch {
      reports.append(.failed(reason: error.description))
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
        try disk.replace(.truth(.main), with: bytes, keepingEarlier: truthIsSound)
        truthOnDisk = bytes
        truthIsSound = true
        reports.append(.written(bytes: bytes.count, sits: store.usage.sits))
      } catch {
        return reports + [.failed(reason: error.description)]
      }
    }
    guard folder != nil, exchangeIsRead, exchangeOnDisk != bytes else { return reports }
    do throws(Folder.Failure) {
      exchangeOnDisk = nil
      let path = exchangePath
      try folder?.replace(path, with: bytes)
      exchangeOnDisk = bytes
      reports.append(.exchanged(bytes: bytes.count))
    } catch {
      reports.append(.exchangeFailed(reason: error.description))
    }
    return reports
  }
}

extension Storekeeper where Disk: ~Copyable {
  public mutating func look() -> [StoreReport] { retry() }
}
