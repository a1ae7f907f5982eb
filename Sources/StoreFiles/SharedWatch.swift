import LinuxIO
import Sessions

/// The watch over a shared folder and its archive, renewed when another folder stands in its place.
///
/// While the folder is not there, the one above it is watched for its name.
///
/// A disk that is mounted over the folder or unmounted from it is no event in the folder; the table
/// of mounts tells of that.
struct SharedWatch: ~Copyable {
  /// What a token of the set stands for.
  enum Token: Int {
    case work, folder, archive, above, mounts
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

    func hasNews(of matters: (String) -> Bool) -> Bool {
      // What cannot be read may have been anything.
      guard let names = try? watch.names() else { return true }
      return names.contains(where: matters)
    }
  }

  private let path: String
  private let mounts: OwnedDescriptor?
  private var folder: Watched?
  private var archive: Watched?
  private var above: Watched?
  /// Whether changes are not told: neither the folder nor the one above it can be watched, or it is
  /// on a file server.
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
    // A link that leads nowhere comes to life somewhere else than above itself.
    let isMissing = (try? Files.status(path)) == nil
    let outer = isMissing ? SharedMemory.above(path) : nil
    above = SharedWatch.renewed(above, outer, .above, in: set)
    let told = folder == nil ? outer : path
    isBlind = (folder == nil && above == nil) || told.map(SharedWatch.tellsNothing) ?? true
  }

  /// Whether the folder itself is watched.
  var hasFolder: Bool { folder != nil }

  private static func renewed(
    _ old: Watched?, _ path: String?, _ token: Token, in set: borrowing DescriptorSet
  ) -> Watched? {
    let status = path.flatMap { try? Files.statusFollowingLinks($0) }
    if let old {
      if let status, old.isStill(status) { return old }
      try? set.remove(old.watch.lent)
    }
    guard let path, let status, status.kind == .folder else { return nil }
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
    case .folder: return folder?.hasNews(of: SharedWatch.matters) ?? true
    case .archive: return archive?.hasNews(of: SharedWatch.matters) ?? true
    case .above:
      let name = path.split(separator: "/").last ?? ""
      return above?.hasNews { $0.isEmpty || $0 == name } ?? true
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
    name.isEmpty || name == Volume.archiveFolder || ForeignName(path: name) != .ignored
  }
}
