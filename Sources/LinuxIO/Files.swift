import CLinux

/// How a file is opened. It is always closed on exec and never becomes the process's terminal.
public struct OpenFlags: OptionSet, Sendable {
  /// The flags as bits of this type, not the kernel's.
  public let rawValue: UInt16
  /// Makes a set of flags.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Only to be read.
  public static let readOnly: OpenFlags = []
  /// Only to be written.
  public static let writeOnly = OpenFlags(rawValue: 1)
  /// To be read and written.
  public static let readWrite = OpenFlags(rawValue: 2)
  /// Made where it is missing.
  public static let create = OpenFlags(rawValue: 4)
  /// Refused where it is there already (with `create`).
  public static let exclusive = OpenFlags(rawValue: 8)
  /// Emptied.
  public static let truncate = OpenFlags(rawValue: 16)
  /// Each write goes to the end.
  public static let append = OpenFlags(rawValue: 32)
  /// Refused where the last part of the path is a symbolic link.
  public static let noFollow = OpenFlags(rawValue: 64)
  /// Refused where it is not a folder.
  public static let folder = OpenFlags(rawValue: 128)
  /// Reads and writes return at once.
  public static let nonBlocking = OpenFlags(rawValue: 256)

  fileprivate var kernelBits: Int32 {
    let table: [(OpenFlags, Int32)] = [
      (.create, clinux_o_creat), (.exclusive, clinux_o_excl), (.truncate, clinux_o_trunc),
      (.append, clinux_o_append), (.noFollow, clinux_o_nofollow), (.folder, clinux_o_directory),
      (.nonBlocking, clinux_o_nonblock),
    ]
    let access =
      contains(.readWrite)
      ? clinux_o_rdwr : contains(.writeOnly) ? clinux_o_wronly : clinux_o_rdonly
    return table.reduce(access) { contains($1.0) ? $0 | $1.1 : $0 }
  }
}

/// What the file system knows of a file.
public struct FileStatus: Equatable, Sendable {
  /// What it is.
  public enum Kind: Int32, Sendable {
    /// An ordinary file.
    case file
    /// A folder.
    case folder
    /// A symbolic link (only from `Files.status`, which follows none).
    case link
    /// A local socket.
    case socket
    /// A device, a pipe.
    case other
  }

  /// What it is.
  public let kind: Kind
  /// Size in bytes.
  public let size: Int64
  /// The file's number in its file system.
  public let inode: UInt64
  /// The file system's number.
  public let device: UInt64
  /// The last change of its content, in nanoseconds of Unix time.
  public let modifiedNanoseconds: Int64
  /// The twelve permission bits.
  public let permissions: UInt32
  /// The owner's user number.
  public let owner: UInt32
  /// The owning group's number.
  public let group: UInt32

  /// Makes a status, as a simulated disk has one.
  public init(
    kind: Kind, size: Int64, inode: UInt64, device: UInt64 = 0, modifiedNanoseconds: Int64 = 0,
    permissions: UInt32 = 0o644, owner: UInt32 = 0, group: UInt32 = 0
  ) {
    self.kind = kind
    self.size = size
    self.inode = inode
    self.device = device
    self.modifiedNanoseconds = modifiedNanoseconds
    self.permissions = permissions
    self.owner = owner
    self.group = group
  }

  init(_ status: clinux_status) {
    kind = Kind(rawValue: status.kind) ?? .other
    size = status.size
    inode = status.inode
    device = status.device
    modifiedNanoseconds = status.modified_ns
    permissions = status.mode
    owner = status.owner
    group = status.group
  }
}

/// The names in a folder, as far as they were looked at.
public struct FolderNames: Equatable, Sendable {
  /// The names, sorted by their bytes.
  public var names: [String]
  /// How many names are not UTF-8; they are not among `names`.
  public var unreadable: Int
  /// Whether the folder has more names than were asked for.
  public var isCut: Bool

  /// Makes a list of names.
  public init(names: [String], unreadable: Int, isCut: Bool) {
    self.names = names
    self.unreadable = unreadable
    self.isCut = isCut
  }
}

/// Calls on files. A relative path begins at `folder`.
public enum Files {
  /// Opens a file.
  /// - Parameter permissions: for a file that is made, less the process's umask.
  public static func open(
    _ path: String, _ flags: OpenFlags, permissions: UInt32 = 0o644,
    in folder: LentDescriptor = .workingFolder
  ) throws(SystemError) -> OwnedDescriptor {
    let result = clinux_open(folder.number, path, flags.kernelBits, permissions)
    return OwnedDescriptor(owning: try checked(result, "open", path))
  }

  /// What is at a path; a symbolic link is not followed.
  public static func status(
    _ path: String, in folder: LentDescriptor = .workingFolder
  ) throws(SystemError) -> FileStatus {
    var status = clinux_status()
    try checked(clinux_status_at(folder.number, path, 0, &status), "stat", path)
    return FileStatus(status)
  }

  /// What is at a path, or where a symbolic link there leads; it is not opened for that.
  public static func statusFollowingLinks(_ path: String) throws(SystemError) -> FileStatus {
    var status = clinux_status()
    let folder = LentDescriptor.workingFolder
    try checked(clinux_status_at(folder.number, path, 1, &status), "stat", path)
    return FileStatus(status)
  }

  /// Gives a file another name; what had that name is replaced, at once and whole.
  public static func rename(
    _ from: String, to: String, in folder: LentDescriptor = .workingFolder
  ) throws(SystemError) {
    try checked(clinux_rename(folder.number, from, folder.number, to), "rename", from)
  }

  /// Gives a file a second name; refused where that is taken.
  public static func link(
    _ from: String, to: String, in folder: LentDescriptor = .workingFolder
  ) throws(SystemError) {
    try checked(clinux_link(folder.number, from, folder.number, to), "link", from)
  }

  /// Removes a name.
  public static func unlink(
    _ path: String, in folder: LentDescriptor = .workingFolder
  ) throws(SystemError) {
    try checked(clinux_unlink(folder.number, path, 0), "unlink", path)
  }

  /// Removes an empty folder.
  public static func removeFolder(
    _ path: String, in folder: LentDescriptor = .workingFolder
  ) throws(SystemError) {
    try checked(clinux_unlink(folder.number, path, 1), "rmdir", path)
  }

  /// Makes one folder; refused where its name is taken.
  public static func makeOneFolder(
    _ path: String, permissions: UInt32 = 0o755, in folder: LentDescriptor = .workingFolder
  ) throws(SystemError) {
    try checked(clinux_make_folder(folder.number, path, permissions), "mkdir", path)
  }

  /// Makes a folder with the folders above it. One that is there already stays as it is.
  public static func makeFolder(_ path: String, permissions: UInt32 = 0o755) throws(SystemError) {
    var result = clinux_make_folder(clinux_at_working, path, permissions)
    if result == -clinux_enoent, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try makeFolder(String(path[..<slash]), permissions: permissions)
      // Once more only: /proc says "no such file" also where the folder above is there.
      result = clinux_make_folder(clinux_at_working, path, permissions)
    }
    if result != -clinux_eexist { try checked(result, "mkdir", path) }
  }

  /// The names in a folder, sorted by their bytes. A name that is not UTF-8 is left out.
  public static func names(in folder: borrowing OwnedDescriptor) throws(SystemError) -> [String] {
    try names(in: folder, limit: .max).names
  }

  /// At most `limit` names of a folder, whichever the file system gives first.
  public static func names(
    in folder: borrowing OwnedDescriptor, limit: Int
  ) throws(SystemError) -> FolderNames {
    var failure: Int32 = 0
    guard let list = clinux_list_open(folder.number, &failure) else {
      throw SystemError(call: "opendir", errno: Errno(number: -failure))
    }
    defer { clinux_list_close(list) }
    var found = FolderNames(names: [], unreadable: 0, isCut: false)
    var name = [UInt8](repeating: 0, count: 256)
    while true {
      let length = try checked(
        name.withUnsafeMutableBufferPointer { buffer -> Int32 in
          // Safety: the buffer has 256 bytes, one more than the longest name.
          buffer.withMemoryRebound(to: CChar.self) { text in
            text.baseAddress.map { clinux_list_next(list, $0, 256) } ?? 0
          }
        }, "readdir")
      found.isCut = length > 0 && found.names.count + found.unreadable == limit
      if length == 0 || found.isCut { break }
      if let text = String(validating: name.prefix(Int(length)), as: UTF8.self) {
        found.names.append(text)
      } else {
        found.unreadable += 1
      }
    }
    found.names.sort()
    return found
  }

  /// The whole content of a file.
  /// - Throws: `fileTooLarge` when it has more than `limit` bytes, also when it grows meanwhile.
  public static func readWhole(
    _ path: String, limit: Int, in folder: LentDescriptor = .workingFolder
  ) throws(SystemError) -> [UInt8] {
    let file = try open(path, .readOnly, in: folder)
    return try readWhole(file, limit: limit, path: path)
  }

  /// What is left to read of an open file; the errors of `readWhole(_:limit:in:)`.
  public static func readWhole(
    _ file: borrowing OwnedDescriptor, limit: Int, path: String? = nil
  ) throws(SystemError) -> [UInt8] {
    var content: [UInt8] = []
    while true {
      let wanted = min(limit - content.count + 1, 1 << 16)
      let part: [UInt8]?
      do throws(SystemError) {
        part = try file.lent.read(limit: wanted)
      } catch {
        throw SystemError(call: error.call, path: path, errno: error.errno)
      }
      guard let part, !part.isEmpty else { return content }
      content += part
      if content.count > limit {
        throw SystemError(call: "read", path: path, errno: .fileTooLarge)
      }
    }
  }
}

extension OwnedDescriptor {
  /// What the file system knows of the open file.
  public func status() throws(SystemError) -> FileStatus {
    var status = clinux_status()
    try checked(clinux_status(number, &status), "fstat")
    return FileStatus(status)
  }

  /// Returns once the device has what was written. After a failure nothing is known of the file
  /// any more: the kernel reports it once and then forgets it.
  public func sync() throws(SystemError) { try checked(clinux_fsync(number), "fsync") }

  /// Asks the kernel to forget what it holds of the file in memory, so that the next read comes
  /// from the device. Only what is synchronised can be forgotten.
  public func dropCache() throws(SystemError) {
    try checked(clinux_drop_cache(number), "posix_fadvise")
  }

  /// Gives the file to a user and a group. It may take set-user and set-group bits away.
  public func setOwner(_ owner: UInt32, group: UInt32) throws(SystemError) {
    try checked(clinux_set_owner(number, owner, group), "fchown")
  }

  /// Sets the twelve permission bits, whatever the process's umask.
  public func setPermissions(_ permissions: UInt32) throws(SystemError) {
    try checked(clinux_set_mode(number, permissions), "fchmod")
  }

  /// Cuts or extends the file to a size in bytes.
  public func truncate(to size: Int64) throws(SystemError) {
    try checked(clinux_truncate(number, size), "ftruncate")
  }

  /// Reserves room for the first `size` bytes.
  public func allocate(_ size: Int64) throws(SystemError) {
    try checked(clinux_allocate(number, size), "posix_fallocate")
  }

  /// Takes the file's one exclusive lock, which lasts until the descriptor is closed.
  /// - Returns: false when another process has it.
  public func tryLock() throws(SystemError) -> Bool {
    try checkedUnlessWaiting(clinux_lock(number, 0), "flock") != nil
  }

  /// Takes that lock as soon as no other process has it. For what is held for moments only.
  public func lock() throws(SystemError) { try checked(clinux_lock(number, 1), "flock") }
}
