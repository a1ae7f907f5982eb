import CLinux

/// A file system's kind, by the number that statfs(2) gives (linux/magic.h; NTFS3 and vboxsf have
/// theirs in their own sources).
public struct FileSystemKind: Equatable, Hashable, Sendable {
  /// The number.
  public let magic: UInt64

  /// Makes a kind.
  public init(magic: UInt64) { self.magic = magic }

  /// ext2, ext3 and ext4 (EXT4_SUPER_MAGIC).
  public static let ext4 = FileSystemKind(magic: 0xEF53)
  /// vfat and msdos (MSDOS_SUPER_MAGIC).
  public static let fat = FileSystemKind(magic: 0x4D44)
  /// exFAT (EXFAT_SUPER_MAGIC).
  public static let exFAT = FileSystemKind(magic: 0x2011_BAB0)
  /// Files in memory (TMPFS_MAGIC).
  public static let tmpfs = FileSystemKind(magic: 0x0102_1994)
  /// Files in memory that are never swapped out, and an early user space (RAMFS_MAGIC).
  public static let ramfs = FileSystemKind(magic: 0x8584_58F6)
  /// One folder laid over another (OVERLAYFS_SUPER_MAGIC).
  public static let overlay = FileSystemKind(magic: 0x794C_7630)
  /// NFS (NFS_SUPER_MAGIC).
  public static let nfs = FileSystemKind(magic: 0x6969)
  /// SMB by the first protocol (CIFS_SUPER_MAGIC).
  public static let cifs = FileSystemKind(magic: 0xFF53_4D42)
  /// SMB by the later protocols (SMB2_SUPER_MAGIC).
  public static let smb2 = FileSystemKind(magic: 0xFE53_4D42)
  /// The older SMB client (SMB_SUPER_MAGIC).
  public static let smb = FileSystemKind(magic: 0x517B)
  /// A file system in a process: sshfs, rclone, ntfs-3g, and many more (FUSE_SUPER_MAGIC).
  public static let fuse = FileSystemKind(magic: 0x6573_5546)
  /// A host's folder in a virtual machine, by 9P (V9FS_MAGIC).
  public static let plan9 = FileSystemKind(magic: 0x0102_1997)
  /// A host's folder in a virtual machine, by VirtualBox.
  public static let vboxsf = FileSystemKind(magic: 0x786F_4256)
  /// AFS (AFS_FS_MAGIC and AFS_SUPER_MAGIC).
  public static let afs = [
    FileSystemKind(magic: 0x6B41_4653), FileSystemKind(magic: 0x5346_414F),
  ]
  /// Ceph (CEPH_SUPER_MAGIC).
  public static let ceph = FileSystemKind(magic: 0x00C3_6400)
  /// Coda (CODA_SUPER_MAGIC).
  public static let coda = FileSystemKind(magic: 0x7375_7245)

  /// Whether others can change files there without this kernel knowing, so that inotify tells
  /// nothing of it. A FUSE file system may be local; then polling it costs little.
  public var needsPolling: Bool { FileSystemKind.polled.contains(self) }

  private static let polled: Set<FileSystemKind> = Set(
    [nfs, cifs, smb2, smb, fuse, plan9, vboxsf, ceph, coda] + afs)

  /// Whether it lives in memory, and all in it ends with the boot.
  public var isMemory: Bool { self == .tmpfs || self == .ramfs }
}

/// A file system's kind and room.
public struct FileSystemStatus: Equatable, Sendable {
  /// The kind.
  public let kind: FileSystemKind
  /// Bytes that this process may still write.
  public let freeBytes: UInt64
}

/// Whether what is written in a folder is there after the next boot.
public enum Volatility: Equatable, Sendable {
  /// It is kept, as far as the kernel knows: a card that forgets does not tell it.
  case kept
  /// It is lost: the folder is in memory, or its overlay's upper layer is.
  case lost
  /// An overlay whose upper layer cannot be looked at from here: it may be lost.
  case unknown
}

extension OwnedDescriptor {
  /// The kind and the room of the file system that the file is on.
  public func fileSystem() throws(SystemError) -> FileSystemStatus {
    var type: UInt64 = 0
    var free: UInt64 = 0
    try checked(clinux_file_system(number, &type, &free), "fstatfs")
    return FileSystemStatus(kind: FileSystemKind(magic: type), freeBytes: free)
  }

  /// Whether what is written in this folder is there after the next boot.
  public func volatility() throws(SystemError) -> Volatility {
    let kind = try fileSystem().kind
    if kind.isMemory { return .lost }
    if kind != .overlay { return .kept }
    let device = try status().device
    let mounts = try? Files.readWhole("/proc/self/mountinfo", limit: 1 << 22)
    guard let mounts, let options = MountTable.options(in: mounts, ofDevice: device) else {
      return .unknown
    }
    // An overlay without an upper layer cannot be written at all.
    guard let upper = MountTable.value(of: "upperdir", in: options) else { return .kept }
    // overlayroot moves the upper layer's mount; then the path in the options leads nowhere.
    guard let layer = try? Files.open(upper, [.folder]), let layerKind = try? layer.fileSystem()
    else { return .unknown }
    if layerKind.kind == .overlay { return .unknown }
    return layerKind.kind.isMemory ? .lost : .kept
  }
}

/// What /proc/self/mountinfo says (proc_pid_mountinfo(5)).
enum MountTable {
  /// The options of the file system with a device number, as stat(2) gives it.
  static func options(in table: [UInt8], ofDevice device: UInt64) -> ArraySlice<UInt8>? {
    // The device number's two parts, as the C library packs them (gnu_dev_major, gnu_dev_minor).
    let major = device >> 8 & 0xFFF | device >> 32 & 0xFFFF_F000
    let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
    let wanted = Array("\(major):\(minor)".utf8)[...]
    for line in table.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      // After the sixth come optional fields, closed by a dash; then kind, source and options.
      guard fields.count > 6, fields[2] == wanted,
        let dash = fields[6...].firstIndex(of: [UInt8(ascii: "-")]), dash + 3 < fields.count
      else { continue }
      return fields[dash + 3]
    }
    return nil
  }

  /// The value of one option, its octal escapes resolved; nil where it is not there.
  static func value(of name: String, in options: ArraySlice<UInt8>) -> String? {
    let start = Array("\(name)=".utf8)
    for option in options.split(separator: UInt8(ascii: ",")) where option.starts(with: start) {
      return String(validating: unescaped(option.dropFirst(start.count)), as: UTF8.self)
    }
    return nil
  }

  /// Text with each backslash and three octal digits made one byte, as the kernel escapes blanks,
  /// commas and backslashes.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3).map { $0 &- UInt8(ascii: "0") }
      if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ $0 < 8 }) {
        result.append(digits.reduce(0) { $0 &* 8 &+ $1 })
        rest = rest.dropFirst(3)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
