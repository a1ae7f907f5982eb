import Glibc
import LinuxIO
import Sessions
import Testing

@testable import StoreFiles

private let me = Identity(randomHigh: 5, low: 5)

/// What a found file is refused for, by its path.
private func refusals(_ found: [FoundFile]) -> [String: String?] {
  Dictionary(uniqueKeysWithValues: found.map { ($0.path, $0.refusal) })
}

@Suite struct SharedFolderTests {
  @Test func files_ofEveryKind_areListedAndRefusedByName() throws {
    try withTemporaryFolder { root in
      let path = "\(root)/shared"
      try Files.makeFolder("\(path)/archive")
      try write("\(path)/a.kv", "text")
      try write("\(path)/a.sync-conflict-20260101-120000-ABCDEFG.kv", "")
      try write("\(path)/archive/b.2026.kv", "old")
      try write("\(path)/.syncthing.a.kv.tmp", "half")
      try write("\(path)/notes.txt", "mine")
      #expect(symlink("/etc/passwd", "\(path)/link.kv") == 0)
      #expect(mkfifo("\(path)/pipe.kv", 0o600) == 0)
      try Files.makeFolder("\(path)/folder.kv")
      let socket = try LocalSocket.listen("\(path)/socket.kv")
      let huge = try Files.open("\(path)/huge.kv", [.writeOnly, .create])
      try huge.truncate(to: 17 << 20)
      var folder = SharedFolder(path, device: me, state: root)
      let found = refusals(try folder.files())
      #expect(
        found == [
          "a.kv": nil, "a.sync-conflict-20260101-120000-ABCDEFG.kv": nil,
          "archive/b.2026.kv": nil,
          "link.kv": "\(path)/link.kv is a symbolic link, and the store follows none",
          "pipe.kv": "\(path)/pipe.kv is no ordinary file, and nothing else is read as a store",
          "folder.kv":
            "\(path)/folder.kv is no ordinary file, and nothing else is read as a store",
          "socket.kv":
            "\(path)/socket.kv is no ordinary file, and nothing else is read as a store",
          "huge.kv": "\(path)/huge.kv has 17825792 bytes; more than 16777216 are no store",
        ])
      let status = try Files.status("\(path)/archive/b.2026.kv")
      let archived = try #require(try folder.files().first { $0.path == "archive/b.2026.kv" })
      #expect(archived.bytes == 3 && archived.serial == status.inode)
      #expect(archived.modifiedNanoseconds == status.modifiedNanoseconds)
      #expect(try folder.read("archive/b.2026.kv") == Array("old".utf8))
      #expect(try folder.read("archive/none.kv") == nil)
      try socket.close()
    }
  }

  @Test func archive_thatIsALinkOrAFile_isRefusedAndTheRestIsRead() throws {
    try withTemporaryFolder { root in
      let path = "\(root)/shared"
      try Files.makeFolder(path)
      try write("\(path)/a.kv", "text")
      #expect(symlink("/etc", "\(path)/archive") == 0)
      var folder = SharedFolder(path, device: me, state: root)
      #expect(
        refusals(try folder.files()) == [
          "a.kv": nil,
          "archive": "\(path)/archive is a symbolic link, and the store follows none",
        ])
      try Files.unlink("\(path)/archive")
      try write("\(path)/archive", "a file")
      #expect(try folder.files().map(\.path) == ["a.kv", "archive"])
    }
  }

  @Test func names_thatAreNotUTF8_andTenThousandFiles_areNoHindrance() throws {
    try withTemporaryFolder { root in
      let path = "\(root)/shared"
      try Files.makeFolder(path)
      let odd = Array("\(path)/".utf8CString.dropLast()) + [-1, -2] + Array(".kv".utf8CString)
      let file = open(odd, O_CREAT | O_WRONLY, 0o600)
      #expect(file >= 0)
      close(file)
      for number in 0..<10_000 { try write("\(path)/\(number).kv", "") }
      var folder = SharedFolder(path, device: me, state: root)
      #expect(try folder.files().count == 10_000)
      var box = try keeper("\(root)/state", shared: path)
      _ = box.open()
      _ = box.look()
      #expect(box.add(sit(0)).contains { $0.isExchanged })
    }
  }

  @Test func contents_ofEveryKind_areSurvivedAndTheSitIsShared() throws {
    try withTemporaryFolder { root in
      let path = "\(root)/shared"
      try Files.makeFolder(path)
      try write("\(path)/empty.kv", "")
      try write("\(path)/zeros.kv", String(repeating: "\0", count: 4_096))
      try write("\(path)/deep.kv", String(repeating: "[", count: 1 << 20))
      try write("\(path)/lines.kv", String(repeating: "\n", count: 1 << 20))
      try Files.open("\(path)/noise.kv", [.writeOnly, .create])
        .writeAll(try Machine.random(count: 1 << 16))
      #expect(chmod("\(path)/empty.kv", 0) == 0)
      var box = try keeper("\(root)/state", shared: path)
      _ = box.open()
      let seen = box.look().compactMap { report -> [PeerSeen]? in
        if case .peers(let peers) = report { peers } else { nil }
      }
      #expect(seen.joined().allSatisfy { $0.problem != nil })
      #expect(box.add(sit(0)).contains { $0.isExchanged })
      let own = Volume.main.exchangePath(of: box.disk.device)
      #expect(try sits(inReplica: "\(path)/\(own)") == 1)
    }
  }

  @Test func folder_thatIsMissing_isMadeOnceAndNotAboveItself() throws {
    try withTemporaryFolder { root in
      let path = "\(root)/disk/shared"
      var folder = SharedFolder(path, device: me, state: root)
      #expect(throws: StoreFileFault.away(path: "\(root)/disk")) { _ = try folder.files() }
      try Files.makeFolder("\(root)/disk")
      #expect(try folder.files() == [])
      #expect(try Files.status(path).kind == .folder)
      let levels = root.split(separator: "/").count + 1
      // Where /tmp is a disk of its own the folder lies below its place.
      let kind = SharedMemory(now: root) == .plain ? "plain" : "mounted \(levels)"
      #expect(try content("\(root)/shared-folder") == Array("\(kind) \(path)\n".utf8))
      // Its disk is unplugged: what is left is the place where it was mounted.
      #expect(rename(path, "\(root)/unplugged") == 0)
      #expect(throws: StoreFileFault.away(path: path)) { _ = try folder.files() }
      var again = SharedFolder(path, device: me, state: root)
      #expect(throws: StoreFileFault.away(path: path)) { _ = try again.files() }
      // Another folder is made at its first use as this one was.
      var other = SharedFolder("\(root)/other", device: me, state: root)
      #expect(try other.files() == [])
    }
  }

  @Test func folder_ofOneVisit_isNeverMade() throws {
    try withTemporaryFolder { root in
      var folder = SharedFolder(visiting: "\(root)/stick", device: me)
      #expect(throws: StoreFileFault.self) { try folder.replace("a.kv", with: [1]) }
      let left = try names(root)
      #expect(left == [])
    }
  }

  @Test(.enabled(if: isRoot, "mounting needs the right to"))
  func folder_whereADiskWasMounted_isNotUsedWithoutIt() throws {
    try withTemporaryFolder { root in
      let (path, state) = ("\(root)/stick", "\(root)/state")
      try Files.makeFolder(path)
      try Files.makeFolder(state)
      try #require(mount("tmpfs", path, "tmpfs", 0, "size=1048576") == 0, "errno \(errno)")
      var folder = SharedFolder(path, device: me, state: state)
      try folder.replace("a.kv", with: [1])
      #expect(umount2(path, Int32(MNT_DETACH)) == 0)
      let fault = StoreFileFault.notMounted(path: path, memory: "\(state)/shared-folder")
      #expect(throws: fault) { try folder.replace("a.kv", with: [1]) }
      #expect(
        fault.description == "no disk is mounted at \(path), where one was before; if none will "
          + "be again, remove \(state)/shared-folder")
      #expect(try names(path) == [])
      try #require(mount("tmpfs", path, "tmpfs", 0, "size=1048576") == 0, "errno \(errno)")
      try folder.replace("a.kv", with: [1])
      #expect(umount2(path, Int32(MNT_DETACH)) == 0)
    }
  }

  @Test(.enabled(if: isRoot, "mounting needs the right to"))
  func folder_belowWhereADiskWasMounted_isNotUsedWithoutIt() throws {
    try withTemporaryFolder { root in
      let (stick, state) = ("\(root)/stick", "\(root)/state")
      let path = "\(stick)/box/shared"
      try Files.makeFolder(path)
      try Files.makeFolder(state)
      try #require(mount("tmpfs", stick, "tmpfs", 0, "size=1048576") == 0, "errno \(errno)")
      try Files.makeFolder("\(stick)/box")
      var folder = SharedFolder(path, device: me, state: state)
      try folder.replace("a.kv", with: [1])
      #expect(try content("\(state)/shared-folder") == Array("mounted 2 \(path)\n".utf8))
      #expect(umount2(stick, Int32(MNT_DETACH)) == 0)
      let fault = StoreFileFault.notMounted(path: path, memory: "\(state)/shared-folder")
      #expect(throws: fault) { try folder.replace("a.kv", with: [1]) }
      var again = SharedFolder(path, device: me, state: state)
      #expect(throws: fault) { try again.replace("a.kv", with: [1]) }
      #expect(try names(path) == [])
    }
  }

  @Test(.enabled(if: isRoot, "mounting needs the right to"))
  func folder_thatGetsADiskLater_isRememberedAnew() throws {
    try withTemporaryFolder { root in
      let (path, state) = ("\(root)/stick", "\(root)/state")
      try Files.makeFolder(path)
      try Files.makeFolder(state)
      var folder = SharedFolder(path, device: me, state: state)
      try folder.replace("a.kv", with: [1])
      try #require(mount("tmpfs", path, "tmpfs", 0, "size=1048576") == 0, "errno \(errno)")
      try folder.replace("a.kv", with: [1])
      #expect(umount2(path, Int32(MNT_DETACH)) == 0)
      let fault = StoreFileFault.notMounted(path: path, memory: "\(state)/shared-folder")
      #expect(throws: fault) { try folder.replace("a.kv", with: [1]) }
    }
  }

  @Test func memory_ofOneFolder_isKeptBesideThatOfOthersAndOfOtherSpellings() throws {
    try withTemporaryFolder { root in
      let path = "\(root)/shared"
      try SharedMemory.mounted(levels: 0).write(of: path, inState: root)
      try SharedMemory.plain.write(of: "\(root)/other", inState: root)
      for spelling in [path, "\(root)//shared", "\(root)/./shared/"] {
        #expect(SharedMemory(of: spelling, inState: root) == .mounted(levels: 0))
      }
      #expect(SharedMemory(of: "\(root)/other", inState: root) == .plain)
      #expect(SharedMemory(of: "\(root)/third", inState: root) == nil)
      try SharedMemory.plain.write(of: "\(root)//shared", inState: root)
      #expect(
        try content("\(root)/shared-folder")
          == Array("plain \(root)/other\nplain \(path)\n".utf8))
      let working = try #require(Machine.linkTarget("/proc/self/cwd"))
      #expect(SharedMemory.whole("./a") == "\(working)/a")
    }
  }

  @Test func damagedCopy_isKeptUnderANameThatSyncthingDoesNotRemove() throws {
    try withTemporaryFolder { root in
      let path = "\(root)/shared"
      let name = Volume.main.exchangePath(of: me)
      try Files.makeFolder(path)
      try write("\(path)/\(name)", "damaged")
      var folder = SharedFolder(path, device: me, state: root)
      #expect(try folder.setAside(name) == "\(path)/\(name).damaged-1")
      try folder.replace(name, with: [1])
      #expect(try content("\(path)/\(name).damaged-1") == Array("damaged".utf8))
      // Neither our own sweep, nor a look at what others have left, takes it for something else.
      var again = SharedFolder(path, device: me, state: root)
      #expect(try again.files().map(\.path) == [name])
      #expect(try names(path).count == 2)
    }
  }

  @Test(.enabled(if: isRoot, "mounting needs the right to"))
  func report14_stickThatIsFullOrReadOnly_isSaidAndTheSourceStays() throws {
    try withSmallDisk(bytes: 1 << 20) { stick in
      try withTemporaryFolder { root in
        var box = try keeper("\(root)/state")
        _ = box.open()
        _ = box.add(sit(0))
        let own = Volume.main.exchangePath(of: box.disk.device)
        var folder = SharedFolder(visiting: stick, device: box.disk.device)
        #expect(box.sync(with: &folder).contains { $0.isExchanged })
        #expect(try sits(inReplica: "\(stick)/\(own)") == 1)
        _ = box.add(sit(1))
        try fill("\(stick)/filler")
        let full = box.sync(with: &folder).compactMap(\.failure)
        #expect(full.count == 1 && full[0].hasPrefix("the disk is full ("))
        #expect(try sits(inReplica: "\(stick)/\(own)") == 1)
        try Files.unlink("\(stick)/filler")
        remount(stick, readOnly: true)
        let locked = box.sync(with: &folder).compactMap(\.failure)
        #expect(locked.count == 1 && locked[0].contains("is read-only ("))
        remount(stick, readOnly: false)
        #expect(box.sync(with: &folder).contains { $0.isExchanged })
        #expect(try sits(inReplica: "\(stick)/\(own)") == 2)
        #expect(try sits(inReplica: "\(root)/state/truth.kv") == 2)
      }
    }
  }
}
