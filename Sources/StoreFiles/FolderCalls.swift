import LinuxIO

/// The system calls that `DurableFolder` makes on one folder: the kernel's, or a model disk's that
/// can lose power and fail at each of them.
///
/// Each call does what its name in the manual does and no more; what must be done in which order,
/// and what a failure means, is decided in `DurableFolder`. Names are single names in the folder.
protocol FolderCalls: Sendable {
  /// open(2).
  func open(_ name: String, _ flags: OpenFlags) throws(SystemError) -> OwnedDescriptor
  /// read(2): at most so many bytes; none at the end.
  func read(_ file: borrowing OwnedDescriptor, limit: Int) throws(SystemError) -> [UInt8]
  /// write(2): how many bytes went in, which can be fewer than there are.
  func write(
    _ file: borrowing OwnedDescriptor, _ bytes: ArraySlice<UInt8>
  ) throws(SystemError) -> Int
  /// fstat(2).
  func status(_ file: borrowing OwnedDescriptor) throws(SystemError) -> FileStatus
  /// fsync(2) of a file.
  func sync(_ file: borrowing OwnedDescriptor) throws(SystemError)
  /// ftruncate(2).
  func truncate(_ file: borrowing OwnedDescriptor, to size: Int64) throws(SystemError)
  /// posix_fallocate(3).
  func allocate(_ file: borrowing OwnedDescriptor, _ size: Int64) throws(SystemError)
  /// posix_fadvise(2), POSIX_FADV_DONTNEED.
  func dropCache(_ file: borrowing OwnedDescriptor) throws(SystemError)
  /// flock(2): whether this process has the lock now.
  func tryLock(_ file: borrowing OwnedDescriptor) throws(SystemError) -> Bool
  /// close(2).
  func close(_ file: consuming OwnedDescriptor) throws(SystemError)
  /// link(2).
  func link(_ name: String, to second: String) throws(SystemError)
  /// rename(2).
  func rename(_ name: String, to other: String) throws(SystemError)
  /// unlink(2).
  func unlink(_ name: String) throws(SystemError)
  /// lstat(2).
  func status(_ name: String) throws(SystemError) -> FileStatus
  /// readdir(3), until so many names have come.
  func names(limit: Int) throws(SystemError) -> FolderNames
  /// fsync(2) of the folder. Where the file system has none for folders, it does nothing.
  func syncFolder() throws(SystemError)
  /// mkdir(2).
  func makeFolder(_ path: String) throws(SystemError)
  /// Another folder, by a path that begins at this one.
  /// - Parameter followingLink: whether the path's last part may be a symbolic link.
  func folder(_ path: String, followingLink: Bool) throws(SystemError) -> any FolderCalls
  /// fstatfs(2): bytes that may still be written.
  func freeBytes() throws(SystemError) -> UInt64
  /// Lets time pass.
  func pause(milliseconds: Int32)
}

/// A folder of this machine.
///
/// - What root makes in a folder of somebody else is that one's, and may be read by all whatever
///   the umask: a service that runs as another user must not be locked out by a verb of root's.
/// - A folder in a folder has the permissions of the outer one: what a group shares stays shared.
final class LinuxFolder: FolderCalls {
  private let descriptor: OwnedDescriptor?

  /// The process's working folder, where relative paths begin.
  static let working = LinuxFolder(nil)

  private init(_ descriptor: consuming OwnedDescriptor?) { self.descriptor = descriptor }

  private var lent: LentDescriptor {
    switch descriptor {
    case .some(let descriptor): descriptor.lent
    case nil: .workingFolder
    }
  }

  func open(_ name: String, _ flags: OpenFlags) throws(SystemError) -> OwnedDescriptor {
    guard flags.contains(.create) else { return try Files.open(name, flags, in: lent) }
    do throws(SystemError) {
      let made = try Files.open(name, flags.union(.exclusive), in: lent)
      // A file system without owners refuses; the file is as good.
      try? handOver(made)
      return made
    } catch {
      if flags.contains(.exclusive) || error.errno != .exists { throw error }
    }
    return try Files.open(name, flags, in: lent)
  }

  private func handOver(_ made: borrowing OwnedDescriptor) throws(SystemError) {
    guard Machine.user == 0 else { return }
    let outer = try withDescriptor { folder throws(SystemError) in try folder.status() }
    guard outer.owner != 0 else { return }
    try made.setOwner(outer.owner, group: outer.group)
    try made.setPermissions(0o644)
  }

  func read(_ file: borrowing OwnedDescriptor, limit: Int) throws(SystemError) -> [UInt8] {
    if let bytes = try file.lent.read(limit: limit) { return bytes }
    throw SystemError(call: "read", errno: .wouldBlock)
  }

  func write(
    _ file: borrowing OwnedDescriptor, _ bytes: ArraySlice<UInt8>
  ) throws(SystemError) -> Int {
    if let count = try file.lent.writeOnce(bytes) { return count }
    throw SystemError(call: "write", errno: .wouldBlock)
  }

  func status(_ file: borrowing OwnedDescriptor) throws(SystemError) -> FileStatus {
    try file.status()
  }

  func sync(_ file: borrowing OwnedDescriptor) throws(SystemError) { try file.sync() }

  func truncate(_ file: borrowing OwnedDescriptor, to size: Int64) throws(SystemError) {
    try file.truncate(to: size)
  }

  func allocate(_ file: borrowing OwnedDescriptor, _ size: Int64) throws(SystemError) {
    try file.allocate(size)
  }

  func dropCache(_ file: borrowing OwnedDescriptor) throws(SystemError) { try file.dropCache() }

  func tryLock(_ file: borrowing OwnedDescriptor) throws(SystemError) -> Bool {
    try file.tryLock()
  }

  func close(_ file: consuming OwnedDescriptor) throws(SystemError) { try file.close() }

  func link(_ name: String, to second: String) throws(SystemError) {
    try Files.link(name, to: second, in: lent)
  }

  func rename(_ name: String, to other: String) throws(SystemError) {
    try Files.rename(name, to: other, in: lent)
  }

  func unlink(_ name: String) throws(SystemError) { try Files.unlink(name, in: lent) }

  func status(_ name: String) throws(SystemError) -> FileStatus {
    try Files.status(name, in: lent)
  }

  func names(limit: Int) throws(SystemError) -> FolderNames {
    try withDescriptor { folder throws(SystemError) in try Files.names(in: folder, limit: limit) }
  }

  func syncFolder() throws(SystemError) {
    do throws(SystemError) {
      try withDescriptor { folder throws(SystemError) in try folder.sync() }
    } catch {
      // fsync(2): what is on the descriptor does not support synchronisation. Some file servers'
      // folders do not, and there is nothing else that could be called.
      if error.errno != .invalidArgument { throw error }
    }
  }

  func makeFolder(_ path: String) throws(SystemError) {
    try Files.makeOneFolder(path, in: lent)
    // A file system without owners and permissions refuses; the folder is as good.
    try? handOverFolder(path)
  }

  private func handOverFolder(_ path: String) throws(SystemError) {
    let made = try Files.open(path, [.folder, .noFollow], in: lent)
    let outer = try Files.status("..", in: made.lent)
    let isForeign = Machine.user == 0 && outer.owner != 0
    if isForeign { try made.setOwner(outer.owner, group: outer.group) }
    switch descriptor {
    // Not the bit that keeps all users of /tmp from each other's files.
    case .some: try made.setPermissions(outer.permissions & 0o2777)
    case nil: if isForeign { try made.setPermissions(0o755) }
    }
  }

  func folder(_ path: String, followingLink: Bool) throws(SystemError) -> any FolderCalls {
    let flags: OpenFlags = followingLink ? [.folder] : [.folder, .noFollow]
    return LinuxFolder(try Files.open(path, flags, in: lent))
  }

  func freeBytes() throws(SystemError) -> UInt64 {
    try withDescriptor { folder throws(SystemError) in try folder.fileSystem().freeBytes }
  }

  func pause(milliseconds: Int32) {
    guard let silence = try? EventSignal() else { return }
    _ = silence.wait(timeoutMilliseconds: milliseconds)
  }

  private func withDescriptor<Value>(
    _ body: (borrowing OwnedDescriptor) throws(SystemError) -> Value
  ) throws(SystemError) -> Value {
    switch descriptor {
    case .some(let descriptor): return try body(descriptor)
    case nil: return try body(Files.open(".", [.folder]))
    }
  }
}
