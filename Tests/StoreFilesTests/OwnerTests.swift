import Glibc
import LinuxIO
import Testing

@testable import StoreFiles

/// The first user who is nobody on Debian.
private let nobody: UInt32 = 65_534

/// Runs a body with a umask that takes all from others. The umask is the process's, so the body has
/// a thread that shares its file system context with no other.
private func withClosedUmask(_ body: @escaping @Sendable () throws -> Void) throws {
  try Thread(name: "umask") {
    #expect(hasOwnUmask())
    umask(0o077)
    #expect(throws: Never.self) { try body() }
  }.join()
}

/// unshare(2) with CLONE_FS, which Glibc's module does not show.
private func hasOwnUmask() -> Bool {
  typealias Unshare = @convention(c) (Int32) -> Int32
  guard let symbol = dlsym(nil, "unshare") else { return false }
  // Safety: this is the function's type in its manual.
  return unsafeBitCast(symbol, to: Unshare.self)(0x200) == 0
}

@Suite struct OwnerTests {
  @Test(.enabled(if: isRoot, "only root can give files away"))
  func filesOfRoot_inAFolderOfAnother_areThatOnes() throws {
    try withTemporaryFolder { root in
      let (state, shared) = ("\(root)/state", "\(root)/shared")
      for path in [state, shared] {
        try Files.makeFolder(path)
        #expect(chown(path, nobody, nobody) == 0)
      }
      try withClosedUmask {
        var box = try keeper(state, shared: shared)
        _ = box.open()
        _ = box.add(sit(0))
        let archive = try DurableFolder(state).subfolder("archive", creating: true)
        try archive?.replace("2024.kv", with: [1])
      }
      let places = [state, shared, "\(state)/archive"]
      for place in places {
        let folder = try Files.status(place)
        #expect(folder.owner == nobody && folder.permissions == 0o755, "\(place)")
        for name in try names(place) where name != "archive" {
          let status = try Files.status("\(place)/\(name)")
          #expect(
            status.owner == nobody && status.group == nobody && status.permissions == 0o644,
            "\(place)/\(name)")
        }
      }
    }
  }

  @Test(.enabled(if: isRoot, "only root can give files away"))
  func stateFolder_thatRootMakesForAnother_isThatOnes() throws {
    try withTemporaryFolder { root in
      #expect(chown(root, nobody, nobody) == 0)
      try withClosedUmask { _ = try DurableFolder("\(root)/a/state", creating: true) }
      for path in ["\(root)/a", "\(root)/a/state"] {
        let status = try Files.status(path)
        #expect(status.owner == nobody && status.permissions == 0o755, "\(path)")
      }
    }
  }

  @Test func lock_thatIsThereAlready_keepsItsOwner() throws {
    try withTemporaryFolder { root in
      try write("\(root)/lock", "1")
      #expect(chmod("\(root)/lock", 0o600) == 0)
      if isRoot { #expect(chown(root, nobody, nobody) == 0) }
      let before = try Files.status("\(root)/lock")
      _ = try DurableFolder(root).lock("lock")
      let after = try Files.status("\(root)/lock")
      #expect(after.owner == before.owner && after.permissions == before.permissions)
    }
  }

  @Test func archive_inAFolderOfAGroup_isTheGroupsToo() throws {
    try withTemporaryFolder { root in
      #expect(chmod(root, 0o2770) == 0)
      _ = try DurableFolder(root).subfolder("archive", creating: true)
      #expect(try Files.status("\(root)/archive").permissions == 0o2770)
      #expect(chmod("\(root)/archive", 0o700) == 0)
      _ = try DurableFolder(root).subfolder("archive", creating: true)
      #expect(try Files.status("\(root)/archive").permissions == 0o700)
    }
  }
}
