import LinuxIO
import Sessions

/// The real disk of a store: a state folder that is this device's alone.
///
/// | state folder   | holds                                                                |
/// |----------------|----------------------------------------------------------------------|
/// | `truth.kv`     | the full replica                                                     |
/// | `truth.kv.1`   | the one before it                                                    |
/// | `*.damaged-N`  | a file that could not be read whole, at most eight of a name          |
/// | `settings`     | what was chosen on this device: never in the shared folder           |
/// | `device`       | who this device is: random, made once                                |
/// | `lock`         | held by the running process, whose number is in it                   |
/// | `ballast`      | room given up on a full disk, so that a completed sit is still saved  |
public struct FolderDisk: ReplicaDisk, Sendable, ~Copyable {
  /// The file of what was chosen on this device.
  public static let settingsName = "settings"
  /// No replica is larger: sixteen times the cap, since a merge may go over that.
  static let readLimit = 16 * StoreCaps.fileBytes
  /// Two files of the cap's size fit into it: the new truth and the copy for the shared folder.
  static let ballastBytes: Int64 = 2 * 1_048_576

  /// Who this device is.
  public let device: Identity
  /// Why the earlier generation could not be kept at the last save; nil when it was.
  public private(set) var earlierTruthFault: StoreFileFault?
  private let statePath: String
  private let lock: OwnedDescriptor

  /// Takes the state folder for this process: makes it where it is missing, locks it, learns or
  /// makes the device's identity, and removes what an interrupted save left.
  /// - Parameter state: the state folder's path.
  public init(state: String) throws(StoreFileFault) {
    // Nothing is kept before the last call that can fail: Swift 6.0 cannot unmake half an owner.
    let folder = try DurableFolder(state, creating: true)
    let lock = try folder.lock("lock")
    let device = try FolderDisk.identity(in: folder)
    self.init(locked: lock, device: device, state: state)
    // What follows is good to have, and a disk that refuses it will refuse the next save aloud.
    try? folder.sweep()
    FolderDisk.restoreBallast(in: folder)
  }

  private init(
    locked lock: consuming OwnedDescriptor, device: Identity, state: String
  ) {
    self.lock = lock
    self.device = device
    statePath = state
  }

  /// A random identity from the kernel.
  public static func randomIdentity() throws(StoreFileFault) -> Identity {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try Machine.random(count: 16) } catch { throw .system(error) }
    let words = [bytes[..<8], bytes[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    return Identity(randomHigh: words[0], low: words[1])
  }

  private static func identity(
    in folder: borrowing DurableFolder
  ) throws(StoreFileFault) -> Identity {
    if let bytes = try folder.read("device", limit: 4_096) {
      let text = bytes.prefix { $0 != 0x0A }
      if let known = Identity(String(decoding: text, as: UTF8.self)) { return known }
      // Sits do not hang on it: the old name's copy is merged as any other device's is.
      _ = try folder.setAside("device")
    }
    let made = try randomIdentity()
    try folder.replace("device", with: Array("\(made)\n".utf8))
    return made
  }

  private static func restoreBallast(in folder: borrowing DurableFolder) {
    if folder.size(of: "ballast") == ballastBytes { return }
    // Half of what is free stays free, or the ballast itself would fill the disk.
    guard let free = try? folder.freeBytes(), free >= UInt64(2 * ballastBytes) else { return }
    try? folder.allocate("ballast", bytes: ballastBytes)
  }

  // MARK: ReplicaDisk

  /// The volumes of the truth that are there.
  public mutating func volumes() throws(StoreFileFault) -> [Volume] {
    let found = try DurableFolder(statePath).names().compactMap { Volume(truthPath: $0) }
    return found.sorted()
  }

  /// The whole file; nil when there is none.
  public mutating func read(_ file: ReplicaFile) throws(StoreFileFault) -> [UInt8]? {
    try DurableFolder(statePath).read(name(of: file), limit: FolderDisk.readLimit)
  }

  /// Removes a file durably; without one nothing happens.
  public mutating func remove(_ file: ReplicaFile) throws(StoreFileFault) {
    try DurableFolder(statePath).remove(name(of: file))
  }

  /// Replaces a file durably. On a full disk the ballast is given up for the truth.
  public mutating func replace(
    _ file: ReplicaFile, with bytes: [UInt8], keepingEarlier: Bool
  ) throws(StoreFileFault) {
    let folder = try DurableFolder(statePath)
    let name = name(of: file)
    guard case .truth = file else {
      try folder.replace(name, with: bytes)
      return
    }
    let earlier = keepingEarlier ? self.name(of: .earlierTruth) : nil
    do throws(StoreFileFault) {
      earlierTruthFault = try folder.replace(name, with: bytes, keeping: earlier)
    } catch {
      guard error.isFullDisk, folder.size(of: "ballast") != nil else { throw error }
      try folder.remove("ballast")
      earlierTruthFault = try folder.replace(name, with: bytes, keeping: earlier)
    }
    FolderDisk.restoreBallast(in: folder)
  }

  /// Gives a damaged file another name.
  public mutating func setAside(_ file: ReplicaFile) throws(StoreFileFault) -> String {
    let folder = try DurableFolder(statePath)
    return "\(folder.path)/" + (try folder.setAside(name(of: file)))
  }

  private func name(of file: ReplicaFile) -> String {
    switch file {
    case .truth(let volume): volume.truthPath
    case .earlierTruth: Volume.main.truthPath + ".1"
    case .choices: FolderDisk.settingsName
    }
  }
}
