import LinuxIO
import Sessions

/// The watch over a shared folder and its archive, renewed when another folder stands in its place.
///
/// A disk that is mounted over the folder or unmounted from it is no event in the folder; the table
/// of mounts tells of that.
struct SharedWatch: ~Copyable {
  /// What a token of the set stands for.
  enum Token: Int {
    case work, folder, archive, mounts
  }

  /// A folder and its watch, which ends with this.
  private final class Watched {
    let watch: FolderWatch
    let status: FileStatus

    init(_ watch: consuming FolderWatch, _ status: FileStatus) {
      self.watch = watch
      self.status = status
    }

    func isStill(_ other: FileStatus) -> Bool {
      status.device == other.device && status.inode == other.inode
    }

    var hasNews: Bool {
      // What cannot be read may have been anything.
      guard let names = try? watch.names() else { return true }
      return names.contains(where: SharedWatch.matters)
    }
  }

  private let path: String
  private let mounts: OwnedDescriptor?
  private var folder: Watched?
  private var archive: Watched?
  /// Whether changes are not told: the folder is not there, cannot be watched, or is on a file
  /// server.
  private(set) var isBlind = true

  init(_ path: String, in set: borrowing DescriptorSet) {
    self.path = path
    mounts = try? SharedWatch.mounts(in: set)
  }

  private static func mounts(
    in set: borrowing DescriptorSet
  ) throws(SystemError) -> OwnedDescriptor {
    let table = try Files.open("/proc/self/mountinfo", .readOnly)
    try set.addForErrors(table.lent, token: Token.mounts.rawValue)
    return table
  }

  /// Watches what stands there now. To be called before each look, so that what changes during the
  /// look is told after it.
  mutating func renew(in set: borrowing DescriptorSet) {
    folder = SharedWatch.renewed(folder, path, .folder, in: set)
    let inner = "\(path)/\(Volume.archiveFolder)"
    archive = SharedWatch.renewed(archive, inner, .archive, in: set)
    isBlind = folder == nil || SharedWatch.tellsNothing(path)
  }

  private static func renewed(
    _ old: Watched?, _ path: String, _ token: Token, in set: borrowing DescriptorSet
  ) -> Watched? {
    let status = try? Files.statusFollowingLinks(path)
    if let old {
      if let status, old.isStill(status) { return old }
      try? set.remove(old.watch.lent)
    }
    guard let status, status.kind == .folder else { return nil }
    do throws(SystemError) {
      let watched = Watched(try FolderWatch(path, contents: true), status)
      try set.add(watched.watch.lent, token: token.rawValue)
      return watched
    } catch {
      return nil
    }
  }

  private static func tellsNothing(_ path: String) -> Bool {
    guard let folder = try? Files.open(path, [.folder]), let system = try? folder.fileSystem()
    else { return true }
    return system.kind.needsPolling
  }

  /// Takes what a descriptor of the set has to tell.
  /// - Returns: whether the folder is to be looked at.
  mutating func isNews(_ token: Token) -> Bool {
    switch token {
    case .work: return false
    case .mounts: return hasMoved
    case .folder: return folder?.hasNews ?? true
    case .archive: return archive?.hasNews ?? true
    }
  }

  /// Whether another folder stands there than the one that is watched.
  private var hasMoved: Bool {
    let status = try? Files.statusFollowingLinks(path)
    guard let folder else { return status != nil }
    return status.map { !folder.isStill($0) } ?? true
  }

  /// Files that are still being written have other names, and what else lies in the folder is not
  /// ours to read. The empty name is the folder's own.
  private static func matters(_ name: String) -> Bool {
    name.isEmpty || name == Volume.archiveFolder || SharedFolder.isWanted(name)
  }
}
