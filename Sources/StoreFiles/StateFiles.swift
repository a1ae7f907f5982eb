import LinuxIO

/// The small files of the state folder beside the store: this device's settings and what belongs to
/// them. They are read and written by name, whole and durably, and never reach the shared folder.
///
/// Reading needs no lock, since every file is replaced whole. Who writes holds the folder's lock,
/// as the storage thread does for its process.
public struct StateFiles: ~Copyable {
  /// The truth is read here too, and nothing is larger.
  private static let readLimit = FolderDisk.readLimit

  private let folder: DurableFolder

  /// Opens a state folder that is there.
  /// - Parameter state: its path.
  public init(_ state: String) throws(StoreFileFault) {
    folder = try DurableFolder(state)
  }

  /// The whole file; nil when there is none.
  public func read(_ name: String) throws(StoreFileFault) -> [UInt8]? {
    try folder.read(name, limit: StateFiles.readLimit)
  }

  /// Replaces a file, whole and durably, or leaves it as it is and throws.
  public func replace(_ name: String, with bytes: [UInt8]) throws(StoreFileFault) {
    try folder.replace(name, with: bytes)
  }

  /// Keeps a copy of a damaged file under the first free of its names for that, and leaves the file
  /// where it is: it is replaced whole after this, so that at no instant there is none.
  /// - Returns: the copy's path.
  public func keepCopy(of bytes: [UInt8], damaged name: String) throws(StoreFileFault) -> String {
    let names = folder.aside(of: name)
    // One with these bytes is that of a mending that was cut off.
    for copy in names {
      let held = try read(copy)
      if held == bytes { return "\(folder.path)/\(copy)" }
      if held == nil || copy == names.last {
        try folder.replace(copy, with: bytes)
        return "\(folder.path)/\(copy)"
      }
    }
    preconditionFailure("the last name is always taken")
  }
}
