import LinuxIO

/// A name in a folder, and what the file system knows of what stands under it.
struct FolderEntry: Equatable {
  let name: String
  let status: FileStatus
}

/// What a folder holds that others may write.
struct FolderListing: Equatable {
  /// The wanted names, sorted by their bytes; those that are not UTF-8 are left out, since nothing
  /// that this program or an engine writes has such a name. Kinds other than ordinary files are
  /// among them; `read` refuses those.
  var entries: [FolderEntry] = []
  /// Whether the folder has more names than `DurableFolder.nameLimit`: files may be missing here.
  let isCut: Bool
}

extension DurableFolder {
  /// How many names of a folder are looked at. A shared folder has a few for each device.
  static let nameLimit = 100_000
  /// How often a file that changes while it is read is begun again.
  private static let readTries = 3
  /// How long such a file is left alone before that.
  private static let settlePauseMilliseconds: Int32 = 50

  /// The whole file; nil when there is none.
  ///
  /// The file may change or vanish meanwhile. Its size, its time and its number must be the same
  /// before and after, and so many bytes must have come; else it is read again.
  /// - Throws: `symbolicLink`, `notAFile`, `tooLarge` and `unsteady`, each with the path.
  func read(_ name: String, limit: Int) throws(StoreFileFault) -> [UInt8]? {
    for turn in 0..<DurableFolder.readTries {
      if turn > 0 { calls.pause(milliseconds: DurableFolder.settlePauseMilliseconds) }
      // Looked at by name first: to open a device can already do something, and a link is none.
      guard let found = try status(of: name) else { return nil }
      try check(found, name, limit)
      let (before, bytes, after) = try calling(name) { () throws(SystemError) in
        try readOnce(name, limit)
      }
      guard let before, let after else { continue }
      try check(before, name, limit)
      if before == after, bytes.count == Int(after.size) { return bytes }
    }
    throw .unsteady(path: whole(name))
  }

  /// What was known before, the content, and what was known after; nil where the file was gone.
  private func readOnce(
    _ name: String, _ limit: Int
  ) throws(SystemError) -> (FileStatus?, [UInt8], FileStatus?) {
    do throws(SystemError) {
      let file = try calls.open(name, [.readOnly, .noFollow, .nonBlocking])
      let before = try calls.status(file)
      if before.kind != .file || before.size > Int64(limit) { return (before, [], before) }
      let bytes = try content(of: file, limit: limit)
      return (before, bytes, try calls.status(file))
    } catch {
      // Gone between the two calls, on this machine or on the file server.
      if [.noSuchFile, .stale].contains(error.errno) { return (nil, [], nil) }
      throw error
    }
  }

  /// What is left to read, at most one byte more than the limit.
  private func content(
    of file: borrowing OwnedDescriptor, limit: Int
  ) throws(SystemError) -> [UInt8] {
    var content: [UInt8] = []
    while content.count <= limit {
      let part = try calls.read(file, limit: min(limit - content.count + 1, 1 << 16))
      if part.isEmpty { break }
      content += part
    }
    return content
  }

  private func check(
    _ status: FileStatus, _ name: String, _ limit: Int
  ) throws(StoreFileFault) {
    if status.kind == .link { throw .symbolicLink(path: whole(name)) }
    if status.kind != .file { throw .notAFile(path: whole(name)) }
    if status.size > Int64(limit) {
      throw .tooLarge(path: whole(name), bytes: status.size, limit: limit)
    }
  }

  /// The files of a folder by name, with kinds and sizes; one that goes meanwhile is left out.
  /// - Parameter isWanted: which names to ask the file system about: on a file server each costs a
  ///   message.
  func list(where isWanted: (String) -> Bool) throws(StoreFileFault) -> FolderListing {
    let found = try folderNames()
    var listing = FolderListing(isCut: found.isCut)
    for name in found.names where isWanted(name) {
      if let status = try status(of: name) {
        listing.entries.append(FolderEntry(name: name, status: status))
      }
    }
    return listing
  }

  /// At most `nameLimit` names, sorted by their bytes; those that are not UTF-8 are left out.
  func names() throws(StoreFileFault) -> [String] { try folderNames().names }

  private func folderNames() throws(StoreFileFault) -> FolderNames {
    try calling(".") { () throws(SystemError) in try calls.names(limit: DurableFolder.nameLimit) }
  }

  /// What stands under a name; nil when nothing does.
  func status(of name: String) throws(StoreFileFault) -> FileStatus? {
    do throws(SystemError) { return try calls.status(name) } catch {
      if error.errno == .noSuchFile { return nil }
      throw fault(error, name)
    }
  }

  /// Reads a file that was just saved back from the device, past what the kernel holds of it in
  /// memory.
  /// - Throws: `notKept` where it is not there or has other bytes.
  func readBack(_ name: String, expecting bytes: [UInt8]) throws(StoreFileFault) {
    try calling(name) { () throws(SystemError) in
      do throws(SystemError) {
        try calls.dropCache(calls.open(name, [.readOnly, .noFollow, .nonBlocking]))
      } catch {
        if error.errno != .noSuchFile { throw error }
      }
    }
    if try read(name, limit: max(bytes.count, FolderDisk.readLimit)) != bytes {
      throw .notKept(path: whole(name))
    }
  }
}
