import LinuxIO

/// Small files in one folder that are replaced whole: at every instant, power cuts included, what
/// can be read back is the file before or the file after.
///
/// Invariants:
/// - A file is never written in place. What a failed save left is removed, and the next try writes
///   a new file: after a failed fsync the kernel takes lost pages for written ones, so a second
///   fsync of the same file would report a success that is none.
/// - The file is synchronised before the rename (its content), after it (on vfat the new entry's
///   first cluster is written with the file), and then the folder (the name).
/// - A folder that is opened to be kept (`creating`) is synchronised, and its own name, before
///   anything in it is read: whoever gave these names may have been killed before the fsync, and
///   what is read is taken for saved.
/// - A file that was set aside as damaged never becomes the earlier generation.
/// - Only ordinary files are read; symbolic links are not followed, and a fifo does not block.
struct DurableFolder {
  /// The folder's path, for messages.
  let path: String
  let calls: any FolderCalls

  /// Opens a folder.
  /// - Parameters:
  ///   - creating: whether it is made where it is missing, with the folders above it, and its name
  ///     and those in it synchronised.
  ///   - root: where relative paths begin.
  init(
    _ path: String, creating: Bool = false, from root: any FolderCalls = LinuxFolder.working
  ) throws(StoreFileFault) {
    do throws(SystemError) {
      if creating { try DurableFolder.make(path, from: root) }
      calls = try root.folder(path, followingLink: true)
      if creating { try DurableFolder.sync(calls, ignoring: [.readOnlyFileSystem]) }
    } catch {
      throw .system(SystemError(call: error.call, path: path, errno: error.errno))
    }
    self.path = path
  }

  private init(path: String, calls: any FolderCalls) {
    self.path = path
    self.calls = calls
  }

  /// Makes a folder and those above it, where they are missing, and synchronises each name.
  private static func make(_ path: String, from root: any FolderCalls) throws(SystemError) {
    var above = path.hasPrefix("/") ? "/" : "."
    for part in path.split(separator: "/") {
      let next = above == "." ? "\(part)" : above == "/" ? "/\(part)" : "\(above)/\(part)"
      let isThere = try isTaken(next, in: root)
      if !isThere { try makeIfMissing(next, in: root) }
      do throws(SystemError) {
        let folder = try root.folder(above, followingLink: true)
        try sync(folder, ignoring: isThere ? [.readOnlyFileSystem] : [])
      } catch {
        // A folder that may be entered and not read cannot be synchronised by us.
        let isClosed = error.call == "open" && error.errno == .permissionDenied
        if !(isThere && isClosed) { throw error }
      }
      above = next
    }
  }

  /// On a disk that has turned read-only nothing can be made durable, and all can be read.
  private static func sync(
    _ folder: any FolderCalls, ignoring ignored: [Errno]
  ) throws(SystemError) {
    do throws(SystemError) { try folder.syncFolder() } catch {
      if !ignored.contains(error.errno) { throw error }
    }
  }

  private static func isTaken(
    _ path: String, in root: any FolderCalls
  ) throws(SystemError) -> Bool {
    do throws(SystemError) { _ = try root.status(path) } catch {
      if error.errno == .noSuchFile { return false }
      throw error
    }
    return true
  }

  private static func makeIfMissing(
    _ path: String, in root: any FolderCalls
  ) throws(SystemError) {
    do throws(SystemError) { try root.makeFolder(path) } catch {
      // Another was faster, or a file server's answer was lost and the call came to it twice.
      if error.errno != .exists { throw error }
    }
  }

  /// A folder in this one; nil where it is not there and is not to be made.
  /// - Parameter creating: as in `init`.
  func subfolder(
    _ name: String, creating: Bool = false
  ) throws(StoreFileFault) -> DurableFolder? {
    if creating {
      try calling(name) { () throws(SystemError) in
        try DurableFolder.makeIfMissing(name, in: calls)
        try calls.syncFolder()
      }
    }
    guard let found = try status(of: name) else { return nil }
    if found.kind == .link { throw .symbolicLink(path: whole(name)) }
    let inner = try calling(name) { () throws(SystemError) in
      let inner = try calls.folder(name, followingLink: false)
      if creating { try inner.syncFolder() }
      return inner
    }
    return DurableFolder(path: whole(name), calls: inner)
  }

  /// The name under which a file is written before it takes its own.
  ///
  /// Syncthing never carries a name that begins with `.syncthing.`, and removes an old one that
  /// ends in `.tmp`. It writes what it receives for `NAME` to `.syncthing.NAME.tmp`; the
  /// `timerbox-` keeps its files and ours apart. Other engines may carry the file, but it is no
  /// replica by its name.
  static func scratchName(of name: String) -> String { ".syncthing.timerbox-\(name).tmp" }

  // MARK: Writing

  /// Replaces a file, whole and durably, or leaves it as it is and throws. Where a call after the
  /// rename fails, the new file may stand there already, whole; it counts as not saved.
  /// - Parameter earlier: the name under which what stood there before is kept; nil keeps nothing.
  /// - Returns: why the earlier file could not be kept. That does not stop the new one.
  @discardableResult
  func replace(
    _ name: String, with bytes: [UInt8], keeping earlier: String? = nil
  ) throws(StoreFileFault) -> StoreFileFault? {
    let scratch = DurableFolder.scratchName(of: name)
    var unkept: StoreFileFault?
    do throws(SystemError) {
      try unlinkIfThere(scratch)
      let file = try calls.open(scratch, [.writeOnly, .create, .exclusive])
      try write(bytes, to: file)
      try calls.sync(file)
      if let earlier {
        do throws(StoreFileFault) { try keep(name, as: earlier) } catch { unkept = error }
      }
      try rename(scratch, to: name) { (try? read(name, limit: bytes.count)) == bytes }
      try calls.sync(file)
      try calls.close(file)
      try calls.syncFolder()
    } catch {
      try? remove(scratch)
      throw fault(error, name)
    }
    return unkept
  }

  func write(_ bytes: [UInt8], to file: borrowing OwnedDescriptor) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try calls.write(file, rest)
      // write(2) says "nothing" for a part that is not empty only where the device is broken.
      if count <= 0 { throw SystemError(call: "write", errno: .inputOutput) }
      rest = rest.dropFirst(count)
    }
  }

  /// How long a rename waits before it is tried again: an SMB server refuses it while another has
  /// the file open, mostly for moments.
  private static let renamePausesMilliseconds: [Int32] = [10, 40, 160, 640]

  /// Gives a file another name.
  /// - Parameter isDone: whether that is what the folder shows. An NFS server may have done it, its
  ///   answer was lost, and the second time there was nothing to do.
  func rename(
    _ name: String, to other: String, isDone: () -> Bool
  ) throws(SystemError) {
    var pauses = DurableFolder.renamePausesMilliseconds[...]
    while true {
      do throws(SystemError) { return try calls.rename(name, to: other) } catch {
        switch error.errno {
        case .noSuchFile where isDone(): return
        case .permissionDenied, .busy, .textBusy, .notPermitted:
          guard let pause = pauses.popFirst() else { throw error }
          calls.pause(milliseconds: pause)
        default: throw error
        }
      }
    }
  }

  /// Gives a file's content a second name, and leaves the file as it is.
  private func keep(_ name: String, as earlier: String) throws(StoreFileFault) {
    guard let found = try status(of: name) else { return }
    // A file that was set aside still has its first name until it is replaced.
    for damaged in aside(of: name) { if try status(of: damaged) == found { return } }
    let second = DurableFolder.scratchName(of: earlier)
    try remove(second)
    do throws(SystemError) { try calls.link(name, to: second) } catch {
      // It is made already where a file server's answer was lost and the call came to it twice.
      let there = error.errno == .exists ? try status(of: second) : nil
      let isMade = there == found
      guard isMade || DurableFolder.hasNoLinks(error) else { throw fault(error, earlier) }
      if !isMade { return try copy(name, to: earlier) }
    }
    do throws(SystemError) {
      try rename(second, to: earlier) { (try? calls.status(earlier)) == found }
      // Where both are names of one file already, rename does nothing and leaves the second name.
      try unlinkIfThere(second)
    } catch {
      try? remove(second)
      throw fault(error, earlier)
    }
  }

  /// vfat and exFAT have no second names: a copy does as well.
  private func copy(_ name: String, to earlier: String) throws(StoreFileFault) {
    guard let bytes = try read(name, limit: FolderDisk.readLimit) else { return }
    for damaged in aside(of: name) {
      if try status(of: damaged)?.size == Int64(bytes.count),
        try read(damaged, limit: bytes.count) == bytes
      {
        return
      }
    }
    try replace(earlier, with: bytes)
  }

  /// Whether a link failed because the file system has none, or has no more for this file.
  static func hasNoLinks(_ error: SystemError) -> Bool {
    [.notPermitted, .notSupported, .notImplemented, .tooManyLinks].contains(error.errno)
  }

  /// Removes a name where it is there. The removal may be undone by a power cut.
  func remove(_ name: String) throws(StoreFileFault) {
    try calling(name) { () throws(SystemError) in try unlinkIfThere(name) }
  }

  /// Removes a name where it is there, and returns once the disk has that.
  func removeDurably(_ name: String) throws(StoreFileFault) {
    try calling(name) { () throws(SystemError) in
      try unlinkIfThere(name)
      try calls.syncFolder()
    }
  }

  func unlinkIfThere(_ name: String) throws(SystemError) {
    do throws(SystemError) { try calls.unlink(name) } catch {
      if error.errno != .noSuchFile { throw error }
    }
  }

  // MARK: Faults

  func calling<Value: ~Copyable>(
    _ name: String, _ body: () throws(SystemError) -> Value
  ) throws(StoreFileFault) -> Value {
    do throws(SystemError) { return try body() } catch { throw fault(error, name) }
  }

  func fault(_ error: SystemError, _ name: String) -> StoreFileFault {
    let path = name == "." ? path : whole(name)
    return .system(SystemError(call: error.call, path: path, errno: error.errno))
  }

  func whole(_ name: String) -> String { "\(path)/\(name)" }
}
