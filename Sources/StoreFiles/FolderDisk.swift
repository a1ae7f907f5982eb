import LinuxIO
import Sessions

/// The real disk of a store: a state folder that is this device's alone, and perhaps a shared
/// folder that some engine carries to other devices.
///
/// | state folder   | holds                                                                |
/// |----------------|----------------------------------------------------------------------|
/// | `truth.kv`     | the full replica                                                     |
/// | `truth.kv.1`   | the one before it                                                    |
/// | `*.damaged-N`  | a file that could not be read whole, at most eight of a name          |
/// | `choices`      | what was chosen on this device: never in the shared folder           |
/// | `device`       | who this device is: random, made once                                |
/// | `lock`         | held by the running process, whose number is in it                   |
/// | `ballast`      | room given up on a full disk, so that a completed sit is still saved  |
///
/// The shared folder gets one file of ours, `<device>.kv`.
public struct FolderDisk: ReplicaDisk, Sendable, ~Copyable {
  /// The file of what was chosen on this device.
  public static let choicesName = "choices"
  /// No replica is larger: sixteen times the cap, since a merge may go over that.
  static let readLimit = 16 * StoreCaps.fileBytes
  /// Two files of the cap's size fit into it: the new truth and the copy for the shared folder.
  static let ballastBytes: Int64 = 2 * 1_048_576

  /// Who this device is.
  public let device: Identity
  /// Why the earlier generation could not be kept at the last save; nil when it was.
  public private(set) var earlierTruthFault: StoreFileFault?
  private let statePath: String
  private let sharedPath: String?
  private let lock: OwnedDescriptor

  /// Takes the state folder for this process: makes it where it is missing, locks it, learns or
  /// makes the device's identity, and removes what an interrupted save left.
  /// - Parameters:
  ///   - state: the state folder's path.
  ///   - shared: the shared folder's path; nil where there is none. It need not be there.
  public init(state: String, shared: String?) throws(StoreFileFault) {
    // Nothing is kept before the last call that can fail: Swift 6.0 cannot unmake half an owner.
    let folder = try DurableFolder(state, creating: true)
    let lock = try folder.lock("lock")
    let device = try FolderDisk.identity(in: folder)
    self.init(locked: lock, device: device, state: state, shared: shared)
    // What follows is good to have, and a disk that refuses it will refuse the next save aloud.
    try? folder.sweep()
    if let shared, let others = try? DurableFolder(shared, creating: true) {
      // Other devices may be writing here at this moment: only our own leftover is swept.
      try? others.remove(DurableFolder.scratchName(of: name(of: .exchange)))
    }
    FolderDisk.restoreBallast(in: folder)
  }

  private init(
    locked lock: consuming OwnedDescriptor, device: Identity, state: String, shared: String?
  ) {
    self.lock = lock
    self.device = device
    statePath = state
    sharedPath = shared
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

  /// Whether there is a shared folder.
  public var hasExchange: Bool { sharedPath != nil }

  /// The whole file; nil when there is none. A shared folder that is not there is an error: an
  /// unplugged disk is no empty one.
  public mutating func read(_ file: ReplicaFile) throws(StoreFileFault) -> [UInt8]? {
    try folder(of: file).read(name(of: file), limit: FolderDisk.readLimit)
  }

  /// Replaces a file durably. On a full disk the ballast is given up for the truth.
  public mutating func replace(
    _ file: ReplicaFile, with bytes: [UInt8], keepingEarlier: Bool
  ) throws(StoreFileFault) {
    let folder = try folder(of: file)
    let name = name(of: file)
    let earlier = keepingEarlier && file == .truth ? self.name(of: .earlierTruth) : nil
    if file != .truth {
      try folder.replace(name, with: bytes)
      return
    }
    do throws(StoreFileFault) {
      earlierTruthFault = try folder.replace(name, with: bytes, keeping: earlier)
    } catch {
      guard error.isFullDisk, folder.size(of: "ballast") != nil else { throw error }
      try folder.remove("ballast")
      earlierTruthFault = try folder.replace(name, with: bytes, keeping: earlier)
    }
    FolderDisk.restoreBallast(in: folder)
  }

  /// Gives a damaged file another name, in the shared folder one that Syncthing does not carry.
  public mutating func setAside(_ file: ReplicaFile) throws(StoreFileFault) -> String {
    let folder = try folder(of: file)
    let prefix = file == .exchange ? ".syncthing.timerbox-" : ""
    return "\(folder.path)/" + (try folder.setAside(name(of: file), prefix: prefix))
  }

  /// Opened anew each time: a shared folder may be unmounted and mounted between two saves.
  private func folder(of file: ReplicaFile) throws(StoreFileFault) -> DurableFolder {
    guard file == .exchange else { return try DurableFolder(statePath) }
    guard let sharedPath else { preconditionFailure("there is no shared folder") }
    return try DurableFolder(sharedPath)
  }

  private func name(of file: ReplicaFile) -> String {
    switch file {
    case .truth: "truth.kv"
    case .earlierTruth: "truth.kv.1"
    case .choices: FolderDisk.choicesName
    case .exchange: "\(device.description.lowercased()).kv"
    }
  }
}
