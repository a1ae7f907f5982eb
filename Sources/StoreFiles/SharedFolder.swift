import LinuxIO
import Sessions

/// The real shared folder: any engine may carry it, and any device may write into it. Of ours is
/// only what begins with this device's UUID.
///
/// It is opened anew each time, since it may be unmounted and mounted between two saves.
public struct SharedFolder: ExchangeFolder {
  /// The folder's path.
  public let path: String

  /// Takes a folder: makes it where it is missing, and removes what an interrupted save of ours
  /// left. It need not be there.
  public init(_ path: String, device: Identity) {
    self.path = path
    if let folder = try? DurableFolder(path, creating: true) {
      // Other devices may be writing here at this moment: only our own leftover is swept.
      let own = Volume.main.exchangePath(of: device)
      try? folder.remove(DurableFolder.scratchName(of: own))
    }
  }

  /// Everything there that may be a replica by its name.
  public mutating func files() throws(StoreFileFault) -> [FoundFile] {
    let names = try DurableFolder(path).names().filter { $0.hasSuffix(Volume.suffix) }
    return names.sorted().map { FoundFile(path: $0, bytes: 0, modifiedNanoseconds: 0, serial: 0) }
  }

  /// The whole file; nil when there is none any more.
  public mutating func read(_ path: String) throws(StoreFileFault) -> [UInt8]? {
    try DurableFolder(self.path).read(path, limit: FolderDisk.readLimit)
  }

  /// Replaces a file of our own, whole and durably.
  public mutating func replace(_ path: String, with bytes: [UInt8]) throws(StoreFileFault) {
    try DurableFolder(self.path).replace(path, with: bytes)
  }

  /// Removes a file durably.
  public mutating func remove(_ path: String) throws(StoreFileFault) {
    try DurableFolder(self.path).remove(path)
  }

  /// Gives a damaged file a name that Syncthing does not carry.
  public mutating func setAside(_ path: String) throws(StoreFileFault) -> String {
    let folder = try DurableFolder(self.path)
    return "\(folder.path)/" + (try folder.setAside(path, prefix: ".syncthing.timerbox-"))
  }
}
