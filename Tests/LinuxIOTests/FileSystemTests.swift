import Glibc
import Testing

@testable import LinuxIO

@Suite struct FileSystemTests {
  private static let why: Comment = "mounting needs the right to"
  private static let mayMount = Machine.user == 0

  private func mounted(
    _ kind: String, _ path: String, _ options: String = "", _ body: () throws -> Void
  ) throws {
    try #require(mount(kind, path, kind, 0, options) == 0, "errno \(errno)")
    defer { umount2(path, Int32(MNT_DETACH)) }
    try body()
  }

  @Test func kinds_ofKnownFileSystems_areTheKernelsNumbers() throws {
    // /proc is no kind that is named here, and /sys another.
    check(try Files.open("/proc", [.folder]).fileSystem().kind.magic, is: 0x9FA0)
    check(try Files.open("/sys", [.folder]).fileSystem().kind.magic, is: 0x6265_6572)
    check(try Files.open("/dev/shm", [.folder]).fileSystem().kind, is: .tmpfs)
  }

  @Test func networksAndProcesses_arePolled_andDisksAreNot() {
    let polled: [FileSystemKind] = [
      .nfs, .cifs, .smb, .smb2, .fuse, .plan9, .vboxsf, .ceph, .coda,
    ]
    for kind in polled + FileSystemKind.afs { #expect(kind.needsPolling) }
    for kind in [FileSystemKind.ext4, .fat, .exFAT, .tmpfs, .ramfs, .overlay] {
      #expect(!kind.needsPolling)
    }
    #expect(!FileSystemKind(magic: 0).needsPolling)
  }

  @Test(.enabled(if: mayMount, why)) func memory_losesAll() throws {
    try withTemporaryFolder { folder in
      for (kind, expected) in [("tmpfs", FileSystemKind.tmpfs), ("ramfs", .ramfs)] {
        try mounted(kind, folder) {
          let opened = try Files.open(folder, [.folder])
          check(try opened.fileSystem().kind, is: expected)
          check(try opened.volatility(), is: .lost)
        }
      }
    }
  }

  @Test(.enabled(if: mayMount, why)) func overlay_isAsItsUpperLayer() throws {
    try withTemporaryFolder { folder in
      for part in ["lower", "memory", "over, lay"] { try Files.makeFolder("\(folder)/\(part)") }
      try mounted("tmpfs", "\(folder)/memory") {
        try Files.makeFolder("\(folder)/memory/up per")
        try Files.makeFolder("\(folder)/memory/work")
        let options =
          "lowerdir=\(folder)/lower,upperdir=\(folder)/memory/up per,workdir=\(folder)/memory/work"
        try mounted("overlay", "\(folder)/over, lay", options) {
          try Files.makeFolder("\(folder)/over, lay/state")
          let opened = try Files.open("\(folder)/over, lay/state", [.folder])
          check(try opened.fileSystem().kind, is: .overlay)
          check(try opened.volatility(), is: .lost)
        }
      }
    }
  }

  @Test(.enabled(if: mayMount, why)) func overlay_onADisk_keeps() throws {
    try withTemporaryFolder { folder in
      let disk = try Files.open(folder, [.folder]).fileSystem().kind
      // An overlay can lie on few file systems, and never on another overlay.
      guard disk == .ext4 else { return }
      for part in ["lower", "upper", "inner", "over"] { try Files.makeFolder("\(folder)/\(part)") }
      let options = "lowerdir=\(folder)/lower,upperdir=\(folder)/upper,workdir=\(folder)/inner"
      try mounted("overlay", "\(folder)/over", options) {
        check(try Files.open("\(folder)/over", [.folder]).volatility(), is: .kept)
      }
      try? Files.removeFolder("\(folder)/inner/work")
    }
  }

  @Test(.enabled(if: mayMount, why)) func overlay_whoseUpperLayerIsOutOfReach_isUnknown() throws {
    try withTemporaryFolder { folder in
      for part in ["lower", "memory", "over"] { try Files.makeFolder("\(folder)/\(part)") }
      try #require(mount("tmpfs", "\(folder)/memory", "tmpfs", 0, "") == 0)
      for part in ["upper", "work"] { try Files.makeFolder("\(folder)/memory/\(part)") }
      let options =
        "lowerdir=\(folder)/lower,upperdir=\(folder)/memory/upper,workdir=\(folder)/memory/work"
      try mounted("overlay", "\(folder)/over", options) {
        umount2("\(folder)/memory", Int32(MNT_DETACH))
        check(try Files.open("\(folder)/over", [.folder]).volatility(), is: .unknown)
      }
    }
  }

  @Test func folder_onADisk_isKept() throws {
    let kind = try Files.open("/tmp", [.folder]).fileSystem().kind
    if kind == .ext4 { check(try Files.open("/tmp", [.folder]).volatility(), is: .kept) }
  }

  private let table = Array(
    """
    22 27 0:21 / /proc rw,relatime - proc proc rw
    60 27 0:41 / /media/root-ro ro,relatime shared:1 - ext4 /dev/mmcblk0p2 ro
    27 1 0:42 / / rw,relatime shared:2 master:3 - overlay overlayroot \
    rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/over\\040lay,workdir=/w
    91 27 4097:1048575 / /x rw - overlay overlay ro,lowerdir=/a:/b
    92 27 0:44 / /y rw - ext4
    short 1
    """.utf8)

  @Test func mountTable_givesTheOptionsOfADevice() {
    // As stat(2) packs them: 0:42 is 42; 4097:1048575 has both its parts over the low bits.
    #expect(
      MountTable.options(in: table, ofDevice: 42).flatMap {
        MountTable.value(of: "upperdir", in: $0)
      } == "/media/root-rw/over lay")
    let wide: UInt64 = 0x0000_1000_FFF0_01FF
    let options = MountTable.options(in: table, ofDevice: wide)
    #expect(options.map { String(decoding: $0, as: UTF8.self) } == "ro,lowerdir=/a:/b")
    #expect(options.map { MountTable.value(of: "upperdir", in: $0) } == .some(nil))
    #expect(MountTable.options(in: table, ofDevice: 43) == nil)
    #expect(MountTable.options(in: table, ofDevice: 44) == nil)
    #expect(MountTable.options(in: [], ofDevice: 42) == nil)
  }

  @Test func mountOption_isUnescaped() {
    let options = Array("rw,upperdir=/a\\054b\\134c\\04,x=\\777".utf8)[...]
    #expect(MountTable.value(of: "upperdir", in: options) == "/a,b\\c\\04")
    #expect(MountTable.value(of: "upper", in: options) == nil)
    // 0777 is no byte, and what comes of it is no text.
    #expect(MountTable.value(of: "x", in: options) == nil)
  }
}
