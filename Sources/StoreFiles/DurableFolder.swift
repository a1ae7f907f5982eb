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
/// - Only ordinary files are read; symbolic links are not followed, and a fifo does not block.
struct DurableFolder: ~Copyable {
  /// The folder's path, for messages.
  let path: String
  private let folder: OwnedDescriptor

  /// Opens a folder.
  /// - Parameter creating: whether it is made where it is missing, with the folders above it.
  init(_ path: String, creating: Bool = false) throws(StoreFileFault) {
    // Nothing is kept before the last call that can fail: Swift 6.0 cannot unmake half an owner.
    folder = try DurableFolder.opened(path, creating: creating)
    self.path = path
  }

  private static func opened(
    _ path: String, creating: Bool
  ) throws(StoreFileFault) -> OwnedDescriptor {
    do throws(SystemError) {
      if creating, (try? Files.status(path)) == nil {
        try Files.makeFolder(path)
        // A new folder's name is lost in a power cut as a new file's is.
        try Files.open("\(path)/..", [.folder]).sync()
      }
      return try Files.open(path, [.folder])
    } catch {
      throw .system(SystemError(call: error.call, path: path, errno: error.errno))
    }
  }

  /// The name under which a file is written before it takes its own.
  ///
  /// Syncthing never carries a name that begins with `.syncthing.`, and removes an old one that
  /// ends in `.tmp`. It writes what it receives for `NAME` to `.syncthing.NAME.tmp`; the
  /// `timerbox-` keeps its files and ours apart. Other engines may carry the file, but it is no
  /// replica by its name.
  static func scratchName(of name: String) -> String { ".syncthing.timerbox-\(name).tmp" }

  /// The whole file; nil when there is none.
  func read(_ name: String, limit: Int) throws(StoreFileFault) -> [UInt8]? {
    let (status, bytes) = try calling(name) { () throws(SystemError) -> (FileStatus?, [UInt8]) in
      do throws(SystemError) {
        let file = try Files.open(name, [.readOnly, .noFollow, .nonBlocking], in: folder.lent)
        let status = try file.status()
        if status.kind != .file || status.size > Int64(limit) { return (status, []) }
        return (status, try Files.readWhole(file, limit: limit))
      } catch {
        if error.errno == .noSuchFile { return (nil, []) }
        throw error
      }
    }
    guard let status else { return nil }
    if status.kind != .file { throw .notAFile(path: "\(path)/\(name)") }
    if status.size > Int64(limit) {
      throw .tooLarge(path: "\(path)/\(name)", bytes: status.size, limit: limit)
    }
    return bytes
  }

  /// Replaces a file, whole and durably, or leaves it as it is and throws.
  /// - Parameter earlier: the name under which what stood there before is kept; nil keeps nothing.
  /// - Returns: why the earlier file could not be kept. That does not stop the new one.
  @discardableResult
  func replace(
    _ name: String, with bytes: [UInt8], keeping earlier: String? = nil
  ) throws(StoreFileFault) -> StoreFileFault? {
    let scratch = DurableFolder.scratchName(of: name)
    var unkept: StoreFileFault?
    do throws(StoreFileFault) {
      try calling(name) { () throws(SystemError) in
        try unlinkIfThere(scratch)
        let file = try Files.open(scratch, [.writeOnly, .create, .exclusive], in: folder.lent)
        try file.writeAll(bytes)
        try file.sync()
        if let earlier {
          do throws(StoreFileFault) { try keep(name, as: earlier) } catch { unkept = error }
        }
        try Files.rename(scratch, to: name, in: folder.lent)
        try file.sync()
        try file.close()
        try folder.sync()
      }
    } catch {
      try? remove(scratch)
      throw error
    }
    return unkept
  }

  /// Gives a file's content a second name, and leaves the file as it is.
  private func keep(_ name: String, as earlier: String) throws(StoreFileFault) {
    let second = DurableFolder.scratchName(of: earlier)
    try remove(second)
    do throws(SystemError) {
      try Files.link(name, to: second, in: folder.lent)
    } catch {
      switch error.errno {
      case .noSuchFile: return
      case .notPermitted, .notSupported:
        // vfat and exFAT have no second names: a copy does as well.
        if let old = try read(name, limit: FolderDisk.readLimit) {
          try replace(earlier, with: old)
        }
        return
      default: throw fault(error, earlier)
      }
    }
    do throws(SystemError) {
      try Files.rename(second, to: earlier, in: folder.lent)
      // Where both are names of one file already, rename does nothing and leaves the second name.
      try unlinkIfThere(second)
    } catch {
      try? remove(second)
      throw fault(error, earlier)
    }
  }

  /// Removes a name where it is there.
  func remove(_ name: String) throws(StoreFileFault) {
    try calling(name) { () throws(SystemError) in try unlinkIfThere(name) }
  }

  private func unlinkIfThere(_ name: String) throws(SystemError) {
    do throws(SystemError) { try Files.unlink(name, in: folder.lent) } catch {
      if error.errno != .noSuchFile { throw error }
    }
  }

  /// How many damaged files of one name are kept; the first are the likeliest to hold the most.
  static let setAsideLimit = 8

  /// Gives a damaged file a name out of the way.
  /// - Parameter prefix: stands before the new name, so that an engine does not carry the file.
  /// - Returns: the new name.
  func setAside(_ name: String, prefix: String = "") throws(StoreFileFault) -> String {
    let taken = try names()
    let numbered = (1...DurableFolder.setAsideLimit).map { "\(prefix)\(name).damaged-\($0)" }
    let free = numbered.first { !taken.contains($0) } ?? "\(prefix)\(name).damaged-8"
    try calling(name) { () throws(SystemError) in
      try Files.rename(name, to: free, in: folder.lent)
      try folder.sync()
    }
    return free
  }

  /// Removes what an interrupted save left here.
  func sweep() throws(StoreFileFault) {
    for name in try names() where name.hasPrefix(".syncthing.timerbox-") && name.hasSuffix(".tmp") {
      try remove(name)
    }
  }

  func names() throws(StoreFileFault) -> [String] {
    try calling(".") { () throws(SystemError) in try Files.names(in: folder) }
  }

  /// The lock of this folder: a file that one process holds until it ends, with its number in it.
  /// - Throws: `locked` where another has it.
  func lock(_ name: String) throws(StoreFileFault) -> OwnedDescriptor {
    let file = try calling(name) { () throws(SystemError) -> OwnedDescriptor in
      do throws(SystemError) {
        return try Files.open(name, [.readWrite, .create, .noFollow], in: folder.lent)
      } catch {
        guard error.errno == .readOnlyFileSystem else { throw error }
        // The history of a disk that has turned read-only can still be read.
        return try Files.open(name, [.readOnly, .noFollow], in: folder.lent)
      }
    }
    if try !isLocked(file, name) {
      let text = try read(name, limit: 64) ?? []
      let digits = String(decoding: text.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
      throw .locked(path: "\(path)/\(name)", process: Int32(digits))
    }
    // The number is a help for people; the lock holds without it, also on a full disk.
    do throws(SystemError) {
      try file.truncate(to: 0)
      try file.writeAll(Array("\(Machine.process)\n".utf8))
    } catch {}
    return file
  }

  /// Takes the lock, or gives up after a fifth of a second. A holder that is just ending, or a
  /// child that it has forked and that has not become another program yet, lets go within that.
  private func isLocked(
    _ file: borrowing OwnedDescriptor, _ name: String
  ) throws(StoreFileFault) -> Bool {
    try calling(name) { () throws(SystemError) in
      let pause = try EventSignal()
      for _ in 0..<20 {
        if try file.tryLock() { return true }
        _ = pause.wait(timeoutMilliseconds: 10)
      }
      return false
    }
  }

  /// Makes a file that only holds room.
  func allocate(_ name: String, bytes: Int64) throws(StoreFileFault) {
    let scratch = DurableFolder.scratchName(of: name)
    do throws(StoreFileFault) {
      try calling(name) { () throws(SystemError) in
        try unlinkIfThere(scratch)
        let file = try Files.open(scratch, [.writeOnly, .create, .exclusive], in: folder.lent)
        try file.allocate(bytes)
        try Files.rename(scratch, to: name, in: folder.lent)
      }
    } catch {
      try? remove(scratch)
      throw error
    }
  }

  /// A file's size; nil when there is none.
  func size(of name: String) -> Int64? { try? Files.status(name, in: folder.lent).size }

  /// Bytes that may still be written here.
  func freeBytes() throws(StoreFileFault) -> UInt64 {
    try calling(".") { () throws(SystemError) in try folder.fileSystem().freeBytes }
  }

  private func calling<Value: ~Copyable>(
    _ name: String, _ body: () throws(SystemError) -> Value
  ) throws(StoreFileFault) -> Value {
    do throws(SystemError) { return try body() } catch { throw fault(error, name) }
  }

  private func fault(_ error: SystemError, _ name: String) -> StoreFileFault {
    let whole = name == "." ? path : "\(path)/\(name)"
    return .system(SystemError(call: error.call, path: whole, errno: error.errno))
  }
}
