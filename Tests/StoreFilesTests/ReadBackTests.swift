import Glibc
import LinuxIO
import Testing

@testable import StoreFiles

@Suite struct ReadBackTests {
  @Test func file_thatTheDiskKept_readsBack() throws {
    try withTemporaryFolder { folder in
      let disk = try DurableFolder(folder)
      let bytes = [UInt8](repeating: 7, count: 300_000)
      try disk.replace("truth.kv", with: bytes)
      try disk.readBack("truth.kv", expecting: bytes)
    }
  }

  /// Without this the read back would read the same memory that was written from.
  @Test func file_whoseCacheIsDropped_isNotInMemoryAnyMore() throws {
    try withTemporaryFolder { folder in
      let disk = try DurableFolder(folder)
      let kind = try Files.open(folder, [.folder]).fileSystem().kind
      // Files in memory have nowhere else to be.
      if kind.isMemory { return }
      try disk.replace("truth.kv", with: [UInt8](repeating: 7, count: 300_000))
      let file = try Files.open("\(folder)/truth.kv", .readOnly)
      #expect(try pagesInMemory(of: file) == 74)
      try file.dropCache()
      #expect(try pagesInMemory(of: file) == 0)
    }
  }

  private func pagesInMemory(of file: borrowing OwnedDescriptor) throws -> Int {
    let size = 300_000
    let map = try #require(mmap(nil, size, PROT_READ, MAP_SHARED, file.number, 0))
    defer { munmap(map, size) }
    var pages = [UInt8](repeating: 0, count: (size + 4_095) / 4_096)
    let result = pages.withUnsafeMutableBufferPointer { mincore(map, size, $0.baseAddress) }
    try #require(result == 0)
    return pages.count { $0 & 1 == 1 }
  }

  @Test func file_thatTheDiskForgot_isNotKept() throws {
    let machine = ModelMachine()
    let folder = try DurableFolder("state", creating: true, from: machine.root)
    try folder.replace("truth.kv", with: Page.of(1))
    try folder.readBack("truth.kv", expecting: Page.of(1))
    // A card that takes a write and drops it.
    machine.forgetPages(of: "truth.kv")
    let fault = StoreFileFault.notKept(path: "state/truth.kv")
    #expect(throws: fault) { try folder.readBack("truth.kv", expecting: Page.of(1)) }
    try folder.remove("truth.kv")
    #expect(throws: fault) { try folder.readBack("truth.kv", expecting: Page.of(1)) }
    #expect(
      fault.description
        == "state/truth.kv does not read back as it was written: the disk does not keep its data")
  }

  @Test func firstSaveOfABoot_isReadBack_andNoLaterOneOfIt() throws {
    let machine = ModelMachine()
    func disk() throws -> FolderDisk {
      try FolderDisk.taking("state", hardware: nil, from: machine.root)
    }
    func save(_ page: Int, _ disk: inout FolderDisk) throws(StoreFileFault) {
      try disk.replace(.truth(.main), with: Page.of(page), keepingEarlier: true)
    }
    let boot = Array("\(try Machine.bootIdentity())\n".utf8)
    let state = try DurableFolder("state", creating: true, from: machine.root)
    do {
      var first = try disk()
      machine.forgetsWrites = true
      #expect(throws: StoreFileFault.notKept(path: "state/truth.kv")) { try save(1, &first) }
      #expect(try state.read("read-back", limit: 64) == nil)
      machine.forgetsWrites = false
      try save(1, &first)
      #expect(try state.read("read-back", limit: 64) == boot)
    }
    do {
      // Another process of the same boot.
      var second = try disk()
      machine.forgetsWrites = true
      try save(2, &second)
      machine.forgetsWrites = false
    }
    try state.replace("read-back", with: Array("another\n".utf8))
    var third = try disk()
    machine.forgetsWrites = true
    #expect(throws: StoreFileFault.notKept(path: "state/truth.kv")) { try save(3, &third) }
  }
}
