import LinuxIO

extension DurableFolder {
  /// How many damaged files of one name are kept; the first are the likeliest to hold the most.
  static let setAsideLimit = 8

  /// The names that a damaged file can be kept under.
  func aside(of name: String) -> [String] {
    (1...DurableFolder.setAsideLimit).map { "\(name).damaged-\($0)" }
  }

  /// Keeps a damaged file under a name out of the way.
  ///
  /// The file keeps its own name too until it is replaced: what could be salvaged of it is in no
  /// other file yet, and without it the next start would find the earlier generation alone.
  /// - Returns: the new name; of a file that has been set aside already, the one it has.
  func setAside(_ name: String) throws(StoreFileFault) -> String {
    let numbered = aside(of: name)
    let found = try status(of: name)
    var free: String?
    for candidate in numbered {
      let taken = try status(of: candidate)
      if let taken, taken == found {
        try calling(candidate) { () throws(SystemError) in try calls.syncFolder() }
        return candidate
      }
      if taken == nil, free == nil { free = candidate }
    }
    let new = free ?? numbered[numbered.count - 1]
    do throws(SystemError) {
      try unlinkIfThere(new)
      try calls.link(name, to: new)
    } catch {
      if DurableFolder.hasNoLinks(error) { return try copyAside(name, to: new, or: numbered) }
      // A file server may have made it, and its answer was lost.
      let isMade = error.errno == .exists && (try? calls.status(new)) == found
      if !isMade { throw fault(error, name) }
    }
    try calling(name) { () throws(SystemError) in try calls.syncFolder() }
    return new
  }

  /// Sets a file aside where the file system has no second names.
  private func copyAside(
    _ name: String, to new: String, or numbered: [String]
  ) throws(StoreFileFault) -> String {
    let bytes = try read(name, limit: FolderDisk.readLimit)
    for candidate in numbered {
      if let bytes, try status(of: candidate)?.size == Int64(bytes.count),
        try read(candidate, limit: bytes.count) == bytes
      {
        return candidate
      }
    }
    try replace(new, with: bytes ?? [])
    return new
  }

  /// Removes what an interrupted save left here.
  func sweep() throws(StoreFileFault) {
    for name in try names() where name.hasPrefix(".syncthing.timerbox-") && name.hasSuffix(".tmp") {
      try remove(name)
    }
  }

  /// The lock of this folder: a file that one process holds until it ends, with its number in it.
  /// - Throws: `locked` where another has it.
  func lock(_ name: String) throws(StoreFileFault) -> OwnedDescriptor {
    let file = try calling(name) { () throws(SystemError) -> OwnedDescriptor in
      do throws(SystemError) {
        return try calls.open(name, [.readWrite, .create, .noFollow])
      } catch {
        guard error.errno == .readOnlyFileSystem else { throw error }
        // The history of a disk that has turned read-only can still be read.
        return try calls.open(name, [.readOnly, .noFollow])
      }
    }
    if try !isLocked(file, name) {
      let text = try read(name, limit: 64) ?? []
      let digits = String(decoding: text.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
      throw .locked(path: whole(name), process: Int32(digits))
    }
    // The number is a help for people; the lock holds without it, also on a full disk.
    do throws(SystemError) {
      try calls.truncate(file, to: 0)
      try write(Array("\(Machine.process)\n".utf8), to: file)
    } catch {}
    return file
  }

  /// Takes the lock, or gives up after a fifth of a second. A holder that is just ending, or a
  /// child that it has forked and that has not become another program yet, lets go within that.
  private func isLocked(
    _ file: borrowing OwnedDescriptor, _ name: String
  ) throws(StoreFileFault) -> Bool {
    for turn in 0..<20 {
      if turn > 0 { calls.pause(milliseconds: 10) }
      do throws(SystemError) { if try calls.tryLock(file) { return true } } catch {
        throw fault(error, name)
      }
    }
    return false
  }

  /// Makes a file that only holds room.
  func allocate(_ name: String, bytes: Int64) throws(StoreFileFault) {
    let scratch = DurableFolder.scratchName(of: name)
    do throws(SystemError) {
      try unlinkIfThere(scratch)
      let file = try calls.open(scratch, [.writeOnly, .create, .exclusive])
      try calls.allocate(file, bytes)
      try rename(scratch, to: name) { size(of: name) == bytes }
    } catch {
      try? remove(scratch)
      throw fault(error, name)
    }
  }

  /// Cuts a file that only holds room.
  func cut(_ name: String, to bytes: Int64) throws(StoreFileFault) {
    try calling(name) { () throws(SystemError) in
      try calls.truncate(calls.open(name, [.writeOnly, .noFollow]), to: bytes)
    }
  }

  /// A file's size; nil when there is none.
  func size(of name: String) -> Int64? { try? calls.status(name).size }

  /// Bytes that may still be written here.
  func freeBytes() throws(StoreFileFault) -> UInt64 {
    try calling(".") { () throws(SystemError) in try calls.freeBytes() }
  }
}
