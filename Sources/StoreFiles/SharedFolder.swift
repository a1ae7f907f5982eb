import LinuxIO
import Sessions

/// The real shared folder: any engine may carry it, and any device may write into it. Of ours is
/// only what begins with this device's UUID.
///
/// - It is opened anew each time, since it may be unmounted and mounted between two saves.
/// - A folder that was there once and is not any more is not made again: its disk is unplugged, and
///   the place where it was mounted, with all below it, is on another one. The state folder
///   remembers that.
/// - Only the folder itself is made, never one above it.
public struct SharedFolder: ExchangeFolder {
  /// The folder's path.
  public let path: String
  private let device: Identity
  /// The state folder that remembers the shared one; nil for a folder of one visit.
  private let state: String?
  private var memory: SharedMemory?
  private var hasSwept = false

  /// Takes a box's shared folder. It need not be there: it is made at its first use where the
  /// folder above it is there.
  /// - Parameter state: the state folder of this device.
  public init(_ path: String, device: Identity, state: String) {
    self.path = path
    self.device = device
    self.state = state
  }

  /// Takes a folder for one exchange, as on a stick: it is never made, and what is written there is
  /// read back.
  public init(visiting path: String, device: Identity) {
    self.path = path
    self.device = device
    state = nil
  }

  /// Everything there that may be a replica by its name.
  public mutating func files() throws(StoreFileFault) -> [FoundFile] {
    let folder = try opened()
    var found = try SharedFolder.files(in: folder, before: "")
    do throws(StoreFileFault) {
      if let inner = try folder.subfolder(Volume.archiveFolder) {
        found += try SharedFolder.files(in: inner, before: "\(Volume.archiveFolder)/")
      }
    } catch {
      found.append(FoundFile(refused: Volume.archiveFolder, error.description))
    }
    return found.sorted { $0.path < $1.path }
  }

  private static func files(
    in folder: DurableFolder, before prefix: String
  ) throws(StoreFileFault) -> [FoundFile] {
    let listing = try folder.list { ForeignName(path: $0) != .ignored }
    var files = listing.entries.map { entry in
      var file = FoundFile(
        path: prefix + entry.name, bytes: entry.status.size,
        modifiedNanoseconds: entry.status.modifiedNanoseconds, serial: entry.status.inode)
      let path = "\(folder.path)/\(entry.name)"
      file.refusal = refusal(of: entry.status, path)?.description
      return file
    }
    if listing.isCut {
      files.append(FoundFile(refused: prefix + ".", "\(folder.path) has too many names"))
    }
    return files
  }

  private static func refusal(of status: FileStatus, _ path: String) -> StoreFileFault? {
    if status.kind == .link { return .symbolicLink(path: path) }
    if status.kind != .file { return .notAFile(path: path) }
    let limit = FolderDisk.readLimit
    return status.size <= Int64(limit)
      ? nil : .tooLarge(path: path, bytes: status.size, limit: limit)
  }

  /// The whole file; nil when there is none any more.
  public mutating func read(_ path: String) throws(StoreFileFault) -> [UInt8]? {
    let place = FolderPlace(path)
    return try place.folder(in: opened())?.read(place.name, limit: FolderDisk.readLimit)
  }

  /// Replaces a file of our own, whole and durably.
  public mutating func replace(_ path: String, with bytes: [UInt8]) throws(StoreFileFault) {
    let place = FolderPlace(path)
    let folder = try place.folder(making: opened())
    try folder.replace(place.name, with: bytes)
    if state == nil { try folder.readBack(place.name, expecting: bytes) }
  }

  /// Removes a file durably.
  public mutating func remove(_ path: String) throws(StoreFileFault) {
    let place = FolderPlace(path)
    try place.folder(in: opened())?.removeDurably(place.name)
  }

  /// Gives a damaged file a name that is no replica's. One that begins with `.syncthing.` would be
  /// taken for an old temporary file and removed by Syncthing after a day; this one it does not
  /// carry where it has our list of names (`board/syncthing/stignore`).
  public mutating func setAside(_ path: String) throws(StoreFileFault) -> String {
    let place = FolderPlace(path)
    let folder = try place.folder(making: opened())
    return "\(folder.path)/" + (try folder.setAside(place.name))
  }

  /// Opens the folder for one call.
  private mutating func opened() throws(StoreFileFault) -> DurableFolder {
    guard let state else { return try swept(DurableFolder(path)) }
    memory = memory ?? SharedMemory(of: path, inState: state)
    guard let now = SharedMemory(now: path) else {
      if memory != nil { throw SharedFolder.absence(of: path) }
      let above = SharedMemory.above(path)
      guard SharedMemory(now: above) != nil else { throw SharedFolder.absence(of: above) }
      return try remembered(DurableFolder(path, creating: true), in: state)
    }
    if let memory {
      if memory.isLost(now) {
        throw .notMounted(path: path, memory: "\(state)/\(SharedMemory.name)")
      }
      if memory == now { return try swept(DurableFolder(path)) }
    }
    return try remembered(DurableFolder(path), in: state)
  }

  /// Why a place cannot be used as a folder: there is nothing, or something else, or its disk
  /// fails.
  private static func absence(of path: String) -> StoreFileFault {
    do throws(SystemError) {
      let isFolder = try Files.statusFollowingLinks(path).kind == .folder
      return isFolder
        ? .away(path: path) : .system(SystemError(call: "stat", path: path, errno: .notFolder))
    } catch {
      return error.errno == .noSuchFile ? .away(path: path) : .system(error)
    }
  }

  private mutating func remembered(
    _ folder: DurableFolder, in state: String
  ) throws(StoreFileFault) -> DurableFolder {
    if let now = SharedMemory(now: path) {
      memory = now
      // Without it the folder is only made again where it should not be.
      try? now.write(of: path, inState: state)
    }
    return swept(folder)
  }

  /// Removes what an interrupted save of ours left. Other devices may be writing here at this
  /// moment, so theirs stays.
  private mutating func swept(_ folder: DurableFolder) -> DurableFolder {
    if hasSwept { return folder }
    hasSwept = true
    let own = DurableFolder.scratchName(of: device.description.lowercased()).dropLast(4)
    func sweep(_ folder: DurableFolder) {
      for name in (try? folder.names()) ?? [] where name.hasPrefix(own) {
        try? folder.remove(name)
      }
    }
    sweep(folder)
    if let inner = try? folder.subfolder(Volume.archiveFolder) { sweep(inner) }
    return folder
  }
}

extension FoundFile {
  fileprivate init(refused path: String, _ reason: String) {
    self.init(path: path, bytes: 0, modifiedNanoseconds: 0, serial: 0, refusal: reason)
  }
}
