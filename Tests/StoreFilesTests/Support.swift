import Glibc
import LinuxIO
import Sessions
import Testing

@testable import StoreFiles

/// Runs a body with a new folder under /tmp, and removes it with all that is in it.
func withTemporaryFolder(_ body: (String) throws -> Void) throws {
  let name = try Machine.random(count: 8).map { String($0, radix: 16) }.joined()
  let path = "/tmp/storefiles-\(name)"
  try Files.makeFolder(path, permissions: 0o700)
  defer { removeTree(path) }
  try body(path)
}

private func removeTree(_ path: String) {
  guard let folder = try? Files.open(path, [.folder]), let names = try? Files.names(in: folder)
  else { return }
  for name in names {
    let inner = "\(path)/\(name)"
    if (try? Files.status(inner).kind) == .folder {
      removeTree(inner)
    } else {
      try? Files.unlink(inner)
    }
  }
  try? Files.removeFolder(path)
}

/// Whether this process may mount: those tests need a disk of their own that can be filled.
let isRoot = Machine.user == 0

/// Runs a body with a file system in memory of so many bytes.
func withSmallDisk(bytes: Int, _ body: (String) throws -> Void) throws {
  try withTemporaryFolder { folder in
    let path = "\(folder)/disk"
    try Files.makeFolder(path)
    try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0, "errno \(errno)")
    defer { umount2(path, Int32(MNT_DETACH)) }
    try body(path)
  }
}

func remount(_ path: String, readOnly: Bool) {
  let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
  #expect(mount("tmpfs", path, "tmpfs", flags, nil) == 0, "errno \(errno)")
}

/// Writes until nothing goes in any more.
func fill(_ path: String) throws {
  let file = try Files.open(path, [.writeOnly, .create])
  let block = [UInt8](repeating: 0x55, count: 4_096)
  #expect(throws: SystemError(call: "write", errno: .noSpace)) {
    while true { try file.writeAll(block) }
  }
}

func write(_ path: String, _ text: String) throws {
  try Files.open(path, [.writeOnly, .create, .truncate]).writeAll(Array(text.utf8))
}

func content(_ path: String) throws -> [UInt8] { try Files.readWhole(path, limit: 1 << 25) }

func names(_ path: String) throws -> [String] { try Files.names(in: Files.open(path, [.folder])) }

func sit(_ index: Int) -> MeditationSession {
  let start = 1_795_986_013_450 + Int64(index) * 43_200_000
  return MeditationSession(
    id: Identity(randomHigh: UInt64(index), low: 9), startDate: WallInstant(milliseconds: start),
    endDate: WallInstant(milliseconds: start + 1_800_000), durationSeconds: 1_800,
    plannedSeconds: 1_800)
}

func keeper(
  _ state: String, shared: String? = nil
) throws(StoreFileFault) -> Storekeeper<FolderDisk, SharedFolder> {
  let disk = try FolderDisk.taking(state)
  let device = disk.device
  return Storekeeper(
    disk: disk, folder: shared.map { SharedFolder($0, device: device, state: state) },
    owner: Identity(randomHigh: 1, low: 1), device: device)
}

func sits(inReplica path: String) throws -> Int {
  let store = try SessionStore(parsing: content(path))
  #expect(store.damage == [])
  return store.usage.sits
}

extension StoreReport {
  var isWritten: Bool { if case .written = self { true } else { false } }
  var isExchanged: Bool { if case .exchanged = self { true } else { false } }
  var failure: String? {
    switch self {
    case .failed(let reason), .exchangeFailed(let reason): reason
    default: nil
    }
  }
}
