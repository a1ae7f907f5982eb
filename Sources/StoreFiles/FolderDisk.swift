import LinuxIO
import Sessions

/// The real disk of a store: a state folder that is this device's alone.
///
/// | state folder    | holds                                                                |
/// |-----------------|----------------------------------------------------------------------|
/// | `truth.kv`      | the main volume of the full replica                                  |
/// | `truth.kv.1`    | the one before it                                                    |
/// | `truth.N.kv`    | what a merge left no room for                                        |
/// | `archive/`      | the oldest months, by year                                           |
/// | `*.damaged-N`   | a file that could not be read whole, at most eight of a name         |
/// | `journal`       | the sit that is on (`JournalFile`)                                   |
/// | `journal.1`     | the one before it                                                    |
/// | `settings`      | what was chosen on this device: never in the shared folder           |
/// | `called`        | the day for which each reminder called last                          |
/// | `deleted`       | the sits that were deleted last, as JSON, until they are brought back |
/// | `device`        | who this device is: random, made once on each machine                |
/// | `shared-folder` | the shared folders that were there once, and on which disk           |
/// | `read-back`     | the boot in which a truth was last read back past the kernel's memory |
/// | `lock`          | held by the running process, whose number is in it                   |
/// | `ballast`       | room given up on a full disk, so that a completed sit is still saved |
public struct FolderDisk: ReplicaDisk, Sendable, ~Copyable {
  /// The file of what was chosen on this device.
  public static let settingsName = "settings"
  /// The file of the days for which reminders have called.
  public static let calledName = "called"
  private static let readBackName = "read-back"
  /// No replica is larger: sixteen times the cap, since a merge may go over that.
  static let readLimit = 16 * StoreCaps.fileBytes
  /// Half of it is one file of the cap's size: a further volume of the truth, which is written
  /// first, may take one half, and the main volume has the other for itself.
  static let ballastBytes: Int64 = 2 * 1_048_576

  /// Who this device is.
  public let device: Identity
  /// Who it was before its card came into this machine; nil where it did not.
  public let clonedFrom: Identity?
  /// Whether what is written here is gone after the next boot, as far as the kernel tells.
  public let isVolatile: Bool
  private let statePath: String
  /// Where relative paths begin: the machine, or a model of one.
  private let root: any FolderCalls
  private let lock: OwnedDescriptor
  private var hasReadBack = false

  /// Takes the state folder for this process: makes it where it is missing, locks it, learns or
  /// makes the device's identity, and removes what an interrupted save left.
  /// - Parameter state: the state folder's path.
  public static func taking(_ state: String) throws(StoreFileFault) -> FolderDisk {
    try taking(
      state, hardware: Hardware.fingerprint(), from: LinuxFolder.working, isVolatile: isVolatile)
  }

  /// The same on any machine. It is no initialiser, since Swift 6.0 cannot unmake half an owner.
  /// - Parameters:
  ///   - state: the state folder's path.
  ///   - hardware: the number of the machine; nil where it is not known.
  ///   - root: where relative paths begin.
  ///   - isVolatile: whether the folder, once it is made, is only in memory.
  static func taking(
    _ state: String, hardware: String?, from root: any FolderCalls = LinuxFolder.working,
    isVolatile: (String) -> Bool = { _ in false }
  ) throws(StoreFileFault) -> FolderDisk {
    let folder = try DurableFolder(state, creating: true, from: root)
    let lock = try folder.lock("lock")
    let found = try FolderDisk.identity(in: folder, hardware: hardware)
    // What follows is good to have, and a disk that refuses it will refuse the next save aloud.
    try? folder.sweep()
    try? folder.subfolder(Volume.archiveFolder)?.sweep()
    FolderDisk.restoreBallast(in: folder)
    return FolderDisk(
      locked: lock, device: found.device, from: found.before, isVolatile(state), state: state,
      root: root)
  }

  private static func isVolatile(_ state: String) -> Bool {
    (try? Files.open(state, [.folder]).volatility()) == .lost
  }

  private init(
    locked lock: consuming OwnedDescriptor, device: Identity, from before: Identity?,
    _ isVolatile: Bool, state: String, root: any FolderCalls
  ) {
    self.lock = lock
    self.device = device
    self.isVolatile = isVolatile
    clonedFrom = before
    statePath = state
    self.root = root
  }

  /// A random identity from the kernel.
  public static func randomIdentity() throws(StoreFileFault) -> Identity {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try Machine.random(count: 16) } catch { throw .system(error) }
    let words = [bytes[..<8], bytes[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    return Identity(randomHigh: words[0], low: words[1])
  }

  private static func identity(
    in folder: DurableFolder, hardware: String?
  ) throws(StoreFileFault) -> (device: Identity, before: Identity?) {
    let bytes = try folder.read(DeviceFile.name, limit: 4_096)
    let known = bytes.flatMap { DeviceFile($0) }
    // Sits do not hang on a damaged one: the old name's copy is merged as any other device's is.
    if bytes != nil, known == nil { _ = try folder.setAside(DeviceFile.name) }
    if let known, !known.isCloned(on: hardware) {
      if known.hardware == nil, hardware != nil {
        let whole = DeviceFile(device: known.device, hardware: hardware)
        // It is tried at the next start again.
        _ = try? folder.replace(DeviceFile.name, with: whole.bytes)
      }
      return (known.device, nil)
    }
    let made = DeviceFile(device: try randomIdentity(), hardware: hardware)
    try folder.replace(DeviceFile.name, with: made.bytes)
    return (made.device, known?.device)
  }

  private static func restoreBallast(in folder: DurableFolder) {
    if folder.size(of: FolderRoom.ballast) == ballastBytes { return }
    // Half of what is free stays free, or the ballast itself would fill the disk.
    guard let free = try? folder.freeBytes(), free >= UInt64(2 * ballastBytes) else { return }
    try? folder.allocate(FolderRoom.ballast, bytes: ballastBytes)
  }

  // MARK: ReplicaDisk

  /// The volumes of the truth that are there.
  public mutating func volumes() throws(StoreFileFault) -> [Volume] {
    try FolderDisk.volumes(in: DurableFolder(statePath, from: root))
  }

  static func volumes(in folder: DurableFolder) throws(StoreFileFault) -> [Volume] {
    let inner = try folder.subfolder(Volume.archiveFolder)?.names() ?? []
    let paths = try folder.names() + inner.map { "\(Volume.archiveFolder)/\($0)" }
    return paths.compactMap { Volume(truthPath: $0) }.sorted()
  }

  /// The whole file; nil when there is none.
  public mutating func read(_ file: ReplicaFile) throws(StoreFileFault) -> [UInt8]? {
    let place = FolderPlace(path(of: file))
    return try place.folder(in: DurableFolder(statePath, from: root))?
      .read(place.name, limit: FolderDisk.readLimit)
  }

  /// Removes a file durably; without one nothing happens.
  public mutating func remove(_ file: ReplicaFile) throws(StoreFileFault) {
    let place = FolderPlace(path(of: file))
    try place.folder(in: DurableFolder(statePath, from: root))?.removeDurably(place.name)
  }

  /// Replaces a file durably. On a full disk the ballast is given up for the truth, and then the
  /// truth before it. The first truth of a boot is read back past the kernel's memory.
  public mutating func replace(
    _ file: ReplicaFile, with bytes: [UInt8], keepingEarlier: Bool
  ) throws(StoreFileFault) {
    let state = try DurableFolder(statePath, from: root)
    let place = FolderPlace(path(of: file))
    let folder = try place.folder(making: state)
    guard case .truth(let volume) = file else {
      try folder.replace(place.name, with: bytes)
      return
    }
    let earlier = keepingEarlier && volume == .main ? path(of: .earlierTruth) : nil
    let room = FolderRoom(in: state, isMain: volume == .main, earlier: earlier)
    try room.replacing { keepsEarlier throws(StoreFileFault) in
      try folder.replace(place.name, with: bytes, keeping: keepsEarlier ? earlier : nil)
    }
    try readBackOnce(place.name, bytes, in: folder, of: state)
    FolderDisk.restoreBallast(in: state)
  }

  /// Reads the first truth of a boot back. A disk that keeps one save keeps the next; one that does
  /// not is told of at the first.
  private mutating func readBackOnce(
    _ name: String, _ bytes: [UInt8], in folder: DurableFolder, of state: DurableFolder
  ) throws(StoreFileFault) {
    if hasReadBack { return }
    let boot = (try? Machine.bootIdentity()).map { Array("\($0)\n".utf8) }
    let told = try? state.read(FolderDisk.readBackName, limit: 256)
    if boot == nil || told != boot {
      try folder.readBack(name, expecting: bytes)
      // Without it the next process reads back once more.
      if let boot { _ = try? state.replace(FolderDisk.readBackName, with: boot) }
    }
    hasReadBack = true
  }

  /// Gives a damaged file another name.
  public mutating func setAside(_ file: ReplicaFile) throws(StoreFileFault) -> String {
    let place = FolderPlace(path(of: file))
    let folder = try place.folder(making: DurableFolder(statePath, from: root))
    return "\(folder.path)/" + (try folder.setAside(place.name))
  }

  private func path(of file: ReplicaFile) -> String {
    switch file {
    case .truth(let volume): volume.truthPath
    case .earlierTruth: Volume.main.truthPath + ".1"
    case .choices: FolderDisk.settingsName
    case .called: FolderDisk.calledName
    case .deletedLast: "deleted"
    }
  }
}

/// A path of a volume within a folder: a name in it, or one in its archive.
struct FolderPlace {
  let inner: String?
  let name: String

  init(_ path: String) {
    let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    inner = parts.count == 2 ? String(parts[0]) : nil
    name = parts.last.map { String($0) } ?? ""
  }

  /// The folder of the name; nil where it is not there.
  func folder(in outer: DurableFolder) throws(StoreFileFault) -> DurableFolder? {
    guard let inner else { return outer }
    return try outer.subfolder(inner)
  }

  /// The folder of the name, made where it is missing.
  func folder(making outer: DurableFolder) throws(StoreFileFault) -> DurableFolder {
    guard let inner else { return outer }
    guard let made = try outer.subfolder(inner, creating: true) else {
      throw .away(path: "\(outer.path)/\(inner)")
    }
    return made
  }
}
