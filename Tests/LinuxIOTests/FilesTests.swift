import Testing

@testable import LinuxIO

@Suite struct FilesTests {
  @Test func errno_text_isTheLibrarys() {
    #expect(Errno.noSuchFile.text == "No such file or directory")
    let error = SystemError(call: "open", path: "/x", errno: .permissionDenied)
    #expect(error.description == "open /x: Permission denied")
    let pathless = SystemError(call: "fsync", errno: .inputOutput)
    #expect(pathless.description == "fsync: Input/output error")
  }

  @Test func open_missing_namesCallAndPath() {
    #expect(throws: SystemError(call: "open", path: "/nowhere/x", errno: .noSuchFile)) {
      _ = try Files.open("/nowhere/x", .readOnly)
    }
  }

  @Test func file_writtenAside_replacesTheOldWhole() throws {
    try withTemporaryFolder { path in
      let folder = try Files.open(path, [.folder])
      for text in ["old", "new and longer"] {
        let file = try Files.open(
          ".a.tmp", [.writeOnly, .create, .exclusive], permissions: 0o600, in: folder.lent)
        try file.writeAll(Array(text.utf8))
        try file.sync()
        try file.close()
        try Files.rename(".a.tmp", to: "a", in: folder.lent)
        try folder.sync()
      }
      check(try Files.names(in: folder), is: ["a"])
      let content = try Files.readWhole("a", limit: 14, in: folder.lent)
      #expect(content == Array("new and longer".utf8))
      #expect(throws: SystemError(call: "read", path: "a", errno: .fileTooLarge)) {
        _ = try Files.readWhole("a", limit: 13, in: folder.lent)
      }
    }
  }

  @Test func file_status_tellsKindSizeAndTime() throws {
    try withTemporaryFolder { path in
      let before = Clock.wall()
      let file = try Files.open("\(path)/f", [.readWrite, .create], permissions: 0o640)
      try file.writeAll([1, 2, 3])
      let status = try file.status()
      #expect(status.kind == .file)
      #expect(status.size == 3)
      #expect(status.permissions & 0o600 == 0o600)
      #expect(status.owner == Machine.user)
      // File times come from the kernel's coarse clock, which may be a tick of 10 ms behind.
      #expect(status.modifiedNanoseconds >= before - 20_000_000)
      #expect(try Files.status(path).kind == .folder)
      #expect(try Files.status("\(path)/f") == status)
      try file.truncate(to: 1)
      try file.allocate(4_096)
      check(try file.status().size, is: 4_096)
    }
  }

  @Test func open_exclusiveOrThroughALink_isRefused() throws {
    try withTemporaryFolder { path in
      try Files.open("\(path)/a", [.writeOnly, .create]).close()
      #expect(throws: SystemError(call: "open", path: "\(path)/a", errno: .exists)) {
        _ = try Files.open("\(path)/a", [.writeOnly, .create, .exclusive])
      }
      #expect(throws: SystemError(call: "open", path: "/proc/self/exe", errno: .linkLoop)) {
        _ = try Files.open("/proc/self/exe", [.noFollow])
      }
      #expect(throws: SystemError(call: "open", path: "\(path)/a", errno: .notFolder)) {
        _ = try Files.open("\(path)/a", [.folder])
      }
    }
  }

  @Test func folder_withParents_isMadeAndMadeAgain() throws {
    try withTemporaryFolder { path in
      try Files.makeFolder("\(path)/x/y/z")
      try Files.makeFolder("\(path)/x/y/z")
      #expect(try Files.status("\(path)/x/y/z").kind == .folder)
      let error = SystemError(call: "rmdir", path: "\(path)/x/y", errno: .notEmpty)
      #expect(throws: error) { try Files.removeFolder("\(path)/x/y") }
      try Files.removeFolder("\(path)/x/y/z")
    }
  }

  @Test func folder_whereNoneCanBe_isRefused() throws {
    let error = SystemError(call: "mkdir", path: "/proc/none", errno: .noSuchFile)
    #expect(throws: error) { try Files.makeFolder("/proc/none/x") }
    #expect(throws: SystemError(call: "mkdir", path: "", errno: .noSuchFile)) {
      try Files.makeFolder("")
    }
    try withTemporaryFolder { path in
      try Files.open("\(path)/f", [.writeOnly, .create]).close()
      let error = SystemError(call: "mkdir", path: "\(path)/f/x", errno: .notFolder)
      #expect(throws: error) { try Files.makeFolder("\(path)/f/x") }
    }
  }

  @Test func link_toATakenName_isRefused() throws {
    try withTemporaryFolder { path in
      try Files.open("\(path)/a", [.writeOnly, .create]).close()
      try Files.link("\(path)/a", to: "\(path)/b")
      #expect(try Files.status("\(path)/a").inode == Files.status("\(path)/b").inode)
      #expect(throws: SystemError(call: "link", path: "\(path)/a", errno: .exists)) {
        try Files.link("\(path)/a", to: "\(path)/b")
      }
    }
  }

  @Test func lock_heldByAnother_isNotGiven() throws {
    try withTemporaryFolder { path in
      let first = try Files.open("\(path)/lock", [.readWrite, .create])
      let second = try Files.open("\(path)/lock", [.readWrite])
      check(try first.tryLock())
      check(try !second.tryLock())
      try first.close()
      check(try second.tryLock())
    }
  }

  @Test func names_ofAFolder_areSortedAndWhole() throws {
    try withTemporaryFolder { path in
      for name in ["b", "a", ".hidden", "ü"] {
        try Files.open("\(path)/\(name)", [.writeOnly, .create]).close()
      }
      let folder = try Files.open(path, [.folder])
      check(try Files.names(in: folder), is: [".hidden", "a", "b", "ü"])
      check(try Files.names(in: folder), is: [".hidden", "a", "b", "ü"])
    }
  }

  @Test func fileSystem_ofProc_isProcs() throws {
    let proc = try Files.open("/proc", [.folder])
    check(try proc.fileSystem().kind.magic, is: 0x9FA0)
    let root = try Files.open("/tmp", [.folder])
    check(try root.fileSystem().freeBytes > 0)
  }
}
