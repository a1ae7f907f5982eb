import Glibc
import LinuxIO
import Sessions
import Testing

@testable import StoreFiles

/// What a folder that others write may hold.
@Suite struct ForeignFolderTests {
  private func fault(_ body: () throws(StoreFileFault) -> Void) -> StoreFileFault? {
    do throws(StoreFileFault) { try body() } catch { return error }
    return nil
  }

  @Test func names_ofEveryKind_areListedAndOnlyFilesRead() throws {
    try withTemporaryFolder { path in
      let folder = try DurableFolder(path)
      try write("\(path)/file.kv", "text")
      #expect(symlink("file.kv", "\(path)/link.kv") == 0)
      #expect(symlink("nowhere", "\(path)/dangling.kv") == 0)
      #expect(mkfifo("\(path)/pipe.kv", 0o600) == 0)
      try Files.makeFolder("\(path)/folder.kv")
      let socket = try LocalSocket.listen("\(path)/socket.kv")
      let made = mknod("\(path)/device.kv", S_IFCHR | 0o600, makedev(1, 3))
      try write("\(path)/other", "no replica")
      let entries = try folder.list { $0.hasSuffix(".kv") }.entries
      let kinds = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.status.kind) })
      var expected: [String: FileStatus.Kind] = [
        "file.kv": .file, "link.kv": .link, "dangling.kv": .link, "pipe.kv": .other,
        "folder.kv": .folder, "socket.kv": .socket,
      ]
      // Making a device node needs a right that a test may not have.
      if made == 0 { expected["device.kv"] = .other }
      #expect(kinds == expected)
      #expect(entries.map(\.name) == expected.keys.sorted())
      #expect(entries.first { $0.name == "file.kv" }?.status.size == 4)
      for (name, kind) in expected where kind != .file {
        let whole = "\(path)/\(name)"
        let refusal: StoreFileFault =
          kind == .link ? .symbolicLink(path: whole) : .notAFile(path: whole)
        #expect(
          fault { () throws(StoreFileFault) in _ = try folder.read(name, limit: 9) } == refusal)
      }
      #expect(try folder.read("file.kv", limit: 4) == Array("text".utf8))
      _ = socket.number
    }
  }

  private func makedev(_ major: UInt64, _ minor: UInt64) -> dev_t { dev_t(major << 8 | minor) }

  @Test func names_thatAreNotUTF8_areLeftOut() throws {
    try withTemporaryFolder { path in
      try write("\(path)/a.kv", "")
      let bytes = Array("\(path)/".utf8) + [0xFF, 0xFE] + Array(".kv".utf8) + [0]
      let number = bytes.withUnsafeBufferPointer { buffer in
        // Safety: the bytes end with a zero.
        buffer.withMemoryRebound(to: CChar.self) { creat($0.baseAddress!, 0o600) }
      }
      try #require(number >= 0)
      close(number)
      let listing = try DurableFolder(path).list { _ in true }
      #expect(listing.entries.map(\.name) == ["a.kv"])
      #expect(!listing.isCut)
      bytes.withUnsafeBufferPointer { buffer in
        // Safety: the bytes end with a zero.
        _ = buffer.withMemoryRebound(to: CChar.self) { unlink($0.baseAddress!) }
      }
    }
  }

  @Test func names_moreThanTheLimit_areCutAndSaid() throws {
    let machine = ModelMachine()
    for number in 1...DurableFolder.nameLimit {
      machine.disk.folders[0]?.names["\(number).txt"] = number
      if number >= DurableFolder.nameLimit - 1 { machine.disk.files[number] = ModelDisk.File() }
    }
    let folder = try DurableFolder(".", from: machine.root)
    let wanted = ["99999.txt", "100000.txt"]
    let full = try folder.list { wanted.contains($0) }
    #expect(full.entries.map(\.name) == wanted.sorted())
    #expect(!full.isCut)
    machine.disk.folders[0]?.names["one more"] = 1
    #expect(try folder.list { _ in false }.isCut)
  }

  @Test func names_ofARealFolder_areCutAtTheLimit() throws {
    try withTemporaryFolder { path in
      for number in 0..<5 { try write("\(path)/\(number)", "") }
      let folder = try Files.open(path, [.folder])
      let whole = try Files.names(in: folder, limit: 5)
      #expect(whole == FolderNames(names: ["0", "1", "2", "3", "4"], unreadable: 0, isCut: false))
      let cut = try Files.names(in: folder, limit: 4)
      #expect(cut.names.count == 4)
      #expect(cut.isCut)
    }
  }

  @Test func subfolder_thatIsALinkOrAFile_isRefused() throws {
    try withTemporaryFolder { path in
      let folder = try DurableFolder("\(path)/shared", creating: true)
      #expect(try folder.subfolder("archive") == nil)
      try Files.makeFolder("\(path)/elsewhere")
      #expect(symlink("../elsewhere", "\(path)/shared/archive") == 0)
      let link = StoreFileFault.symbolicLink(path: "\(path)/shared/archive")
      for creating in [true, false] {
        #expect(
          fault { () throws(StoreFileFault) in
            _ = try folder.subfolder("archive", creating: creating)
          } == link)
      }
      try Files.unlink("\(path)/shared/archive")
      try write("\(path)/shared/archive", "")
      let error = SystemError(call: "open", path: "\(path)/shared/archive", errno: .notFolder)
      #expect(
        fault { () throws(StoreFileFault) in _ = try folder.subfolder("archive") }
          == .system(error))
      try Files.unlink("\(path)/shared/archive")
      let inner = try #require(try folder.subfolder("archive", creating: true))
      try inner.replace("2026.kv", with: [1])
      #expect(try folder.subfolder("archive")?.read("2026.kv", limit: 1) == [1])
      #expect(inner.path == "\(path)/shared/archive")
    }
  }

  @Test func file_thatChangesOnce_isReadAgainWhole() throws {
    let machine = ModelMachine()
    let folder = try DurableFolder("state", creating: true, from: machine.root)
    try folder.replace("a", with: Page.of(1))
    machine.before("read", turns: 1) { $0.grow("a", by: Page.of(2)) }
    #expect(try folder.read("a", limit: 1_000) == Page.of(1) + Page.of(2))
    #expect(machine.pausedMilliseconds == 50)
  }

  @Test func file_thatChangesAllTheTime_isRefused() throws {
    let machine = ModelMachine()
    let folder = try DurableFolder("state", creating: true, from: machine.root)
    try folder.replace("a", with: Page.of(1))
    // Written in place, with as many bytes as before.
    machine.before("read", turns: .max) { $0.grow("a", by: []) }
    #expect(
      fault { () throws(StoreFileFault) in _ = try folder.read("a", limit: 10_000) }
        == .unsteady(path: "state/a"))
    #expect(machine.pausedMilliseconds == 100)
    #expect(
      StoreFileFault.unsteady(path: "state/a").description
        == "state/a changes all the time and could not be read whole")
  }

  @Test func file_thatGrowsPastTheLimitWhileItIsRead_isTooLarge() throws {
    let machine = ModelMachine()
    let folder = try DurableFolder("state", creating: true, from: machine.root)
    try folder.replace("a", with: [1, 2, 3])
    machine.before("read", turns: 1) { $0.grow("a", by: [4, 5]) }
    #expect(
      fault { () throws(StoreFileFault) in _ = try folder.read("a", limit: 4) }
        == .tooLarge(path: "state/a", bytes: 5, limit: 4))
  }

  @Test func file_thatVanishesBeforeItIsOpened_isNone() throws {
    let machine = ModelMachine()
    let folder = try DurableFolder("state", creating: true, from: machine.root)
    try folder.replace("a", with: [1, 2, 3])
    machine.before("open", turns: 1) { $0.forget("a") }
    #expect(try folder.read("a", limit: 4) == nil)
  }

  @Test func file_thatTheServerForgets_isReadAgain() throws {
    let machine = ModelMachine()
    let folder = try DurableFolder("state", creating: true, from: machine.root)
    try folder.replace("a", with: [1, 2, 3])
    machine.faults[machine.calls.count + 3] = .fails(.stale)
    #expect(try folder.read("a", limit: 4) == [1, 2, 3])
    #expect(machine.pausedMilliseconds == 50)
  }
}
