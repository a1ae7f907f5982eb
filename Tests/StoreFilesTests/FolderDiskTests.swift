import Glibc
import LinuxIO
import Sessions
import Testing

@testable import StoreFiles

@Suite struct FolderDiskTests {
  @Test func sits_savedAndOpenedAgain_areThere() throws {
    try withTemporaryFolder { folder in
      var device = ""
      do {
        var box = try keeper("\(folder)/a/state", shared: "\(folder)/shared")
        _ = box.open()
        for index in 0..<3 {
          let reports = box.add(sit(index))
          #expect(reports.map(\.isWritten) == [true, false, false])
          #expect(reports.map(\.isExchanged) == [false, false, true])
        }
        device = box.disk.device.description
      }
      let state = "\(folder)/a/state"
      #expect(
        try names(state) == [
          "ballast", "device", "lock", "read-back", "shared-folder", "truth.kv", "truth.kv.1",
        ])
      #expect(try names("\(folder)/shared") == ["\(device.lowercased()).kv"])
      #expect(try sits(inReplica: "\(state)/truth.kv") == 3)
      #expect(try sits(inReplica: "\(state)/truth.kv.1") == 2)
      #expect(try sits(inReplica: "\(folder)/shared/\(device.lowercased()).kv") == 3)
      #expect(try content("\(state)/device").starts(with: Array("\(device)\n".utf8)))
      #expect(try Files.status("\(state)/ballast").size == FolderDisk.ballastBytes)
      let inode = try Files.status("\(state)/truth.kv").inode
      var again = try keeper(state, shared: "\(folder)/shared")
      #expect(again.open().count == 1)
      #expect(again.store.sessions == [sit(0), sit(1), sit(2)])
      #expect(again.disk.device.description == device)
      #expect(try Files.status("\(state)/truth.kv").inode == inode)
    }
  }

  @Test func stateFolder_inUse_isRefusedWithTheProcess() throws {
    try withTemporaryFolder { folder in
      do {
        let first = try FolderDisk.taking(folder)
        let fault = StoreFileFault.locked(path: "\(folder)/lock", process: getpid())
        #expect(throws: fault) { _ = try FolderDisk.taking(folder) }
        #expect(
          fault.description
            == "another timerbox uses this state folder: process \(getpid()) holds \(folder)/lock")
        _ = first.device
      }
      _ = try FolderDisk.taking(folder)
    }
  }

  @Test func leftovers_ofAnInterruptedSave_areSweptAtStart() throws {
    try withTemporaryFolder { folder in
      let shared = "\(folder)/shared"
      let identity = try FolderDisk.taking(folder).device
      let device = identity.description.lowercased()
      var first = SharedFolder(shared, device: identity, state: folder)
      #expect(try first.files() == [])
      let ours = "\(shared)/.syncthing.timerbox-\(device).kv.tmp"
      let others = "\(shared)/.syncthing.timerbox-another.kv.tmp"
      for path in [
        "\(folder)/.syncthing.timerbox-truth.kv.tmp", "\(folder)/.syncthing.timerbox-x.tmp", ours,
        others,
      ] {
        try write(path, "half a file")
      }
      _ = try FolderDisk.taking(folder)
      var again = SharedFolder(shared, device: identity, state: folder)
      #expect(try again.files() == [])
      #expect(try !names(folder).contains { $0.hasSuffix(".tmp") })
      // Another device that shares the folder over a network may be writing it right now.
      #expect(try names(shared) == [".syncthing.timerbox-another.kv.tmp"])
    }
  }

  @Test func leftover_thatTheSweepMissed_doesNotStopASave() throws {
    try withTemporaryFolder { folder in
      var box = try keeper(folder)
      _ = box.open()
      try write("\(folder)/.syncthing.timerbox-truth.kv.tmp", "half a file")
      try write("\(folder)/.syncthing.timerbox-truth.kv.1.tmp", "half a file")
      #expect(box.add(sit(0)).map(\.isWritten) == [true, false])
      #expect(try sits(inReplica: "\(folder)/truth.kv") == 1)
      #expect(try sits(inReplica: "\(folder)/truth.kv.1") == 0)
    }
  }

  @Test func save_interruptedBetweenItsTwoRenames_isTakenUpAgain() throws {
    try withTemporaryFolder { folder in
      do {
        var box = try keeper(folder)
        _ = box.open()
        _ = box.add(sit(0))
      }
      // The earlier name leads to the same file already, the new file has not come.
      try Files.unlink("\(folder)/truth.kv.1")
      try Files.link("\(folder)/truth.kv", to: "\(folder)/truth.kv.1")
      var box = try keeper(folder)
      _ = box.open()
      _ = box.add(sit(1))
      #expect(try sits(inReplica: "\(folder)/truth.kv") == 2)
      #expect(try sits(inReplica: "\(folder)/truth.kv.1") == 1)
      #expect(try !names(folder).contains { $0.hasSuffix(".tmp") })
    }
  }

  @Test func report03_emptiedTruth_isSetAsideAndKept_andTheEarlierOneRead() throws {
    try withTemporaryFolder { folder in
      do {
        var box = try keeper(folder)
        _ = box.open()
        for index in 0..<3 { _ = box.add(sit(index)) }
      }
      try write("\(folder)/truth.kv", "")
      var box = try keeper(folder)
      let reports = box.open()
      #expect(
        reports.first
          == .salvaged(
            path: "truth.kv",
            lines: [DamagedLine(number: 1, reason: .notClosed)],
            setAside: "\(folder)/truth.kv.damaged-1"))
      #expect(box.store.sessions == [sit(0), sit(1)])
      #expect(try content("\(folder)/truth.kv.damaged-1") == [])
      _ = box.add(sit(2))
      #expect(try sits(inReplica: "\(folder)/truth.kv") == 3)
      #expect(try sits(inReplica: "\(folder)/truth.kv.1") == 2)
    }
  }

  @Test func damagedFiles_areKeptUpToEight() throws {
    try withTemporaryFolder { folder in
      let disk = try DurableFolder(folder)
      for number in 1...10 {
        try disk.replace("x", with: [UInt8(number)])
        #expect(try disk.setAside("x") == "x.damaged-\(min(number, 8))")
      }
      #expect(try content("\(folder)/x.damaged-1") == [1])
      #expect(try content("\(folder)/x.damaged-8") == [10])
    }
  }

  @Test func report11_damagedIdentity_isSetAsideAndMadeAnew() throws {
    try withTemporaryFolder { folder in
      let first = try FolderDisk.taking(folder).device
      try write("\(folder)/device", "")
      let second = try FolderDisk.taking(folder).device
      #expect(first != second)
      #expect(try FolderDisk.taking(folder).device == second)
      #expect(try names(folder).contains("device.damaged-1"))
    }
  }
}

@Suite struct UnusualFileTests {
  @Test func link_pipeFolderOrHugeFile_isRefusedByName() throws {
    try withTemporaryFolder { folder in
      let disk = try DurableFolder(folder)
      try write("\(folder)/real", "text")
      #expect(symlink("real", "\(folder)/link") == 0)
      #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
      try Files.makeFolder("\(folder)/folder")
      let huge = try Files.open("\(folder)/huge", [.writeOnly, .create])
      try huge.truncate(to: 101)
      #expect(
        message { () throws(StoreFileFault) in _ = try disk.read("link", limit: 100) }
          == "\(folder)/link is a symbolic link, and the store follows none")
      #expect(
        message { () throws(StoreFileFault) in _ = try disk.read("pipe", limit: 100) }
          == "\(folder)/pipe is no ordinary file, and nothing else is read as a store")
      #expect(
        message { () throws(StoreFileFault) in _ = try disk.read("folder", limit: 100) }
          == "\(folder)/folder is no ordinary file, and nothing else is read as a store")
      #expect(
        message { () throws(StoreFileFault) in _ = try disk.read("huge", limit: 100) }
          == "\(folder)/huge has 101 bytes; more than 100 are no store")
      #expect(try disk.read("huge", limit: 101)?.count == 101)
      #expect(try disk.read("none", limit: 100) == nil)
    }
  }

  private func message(_ body: () throws(StoreFileFault) -> Void) -> String? {
    do throws(StoreFileFault) { try body() } catch { return error.description }
    return nil
  }

  @Test func truth_thatIsAFolder_isReportedAndNothingIsStarted() throws {
    try withTemporaryFolder { folder in
      try Files.makeFolder("\(folder)/truth.kv")
      var box = try keeper(folder)
      #expect(
        box.open() == [
          .failed(
            reason:
              "\(folder)/truth.kv is no ordinary file, and nothing else is read as a store")
        ])
      #expect(box.add(sit(0)).compactMap(\.failure).count == 1)
      try Files.removeFolder("\(folder)/truth.kv")
      #expect(box.retry().contains { $0.isWritten })
      #expect(try sits(inReplica: "\(folder)/truth.kv") == 1)
    }
  }

  @Test func earlierTruth_thatCannotBeKept_doesNotStopTheTruth() throws {
    try withTemporaryFolder { folder in
      var box = try keeper(folder)
      _ = box.open()
      try Files.makeFolder("\(folder)/truth.kv.1")
      #expect(box.add(sit(0)).map(\.isWritten) == [true, false])
      #expect(try Files.status("\(folder)/truth.kv.1").kind == .folder)
      #expect(try sits(inReplica: "\(folder)/truth.kv") == 1)
    }
  }

  @Test func sharedFolder_thatIsAway_isReportedAndTriedAgain() throws {
    try withTemporaryFolder { folder in
      let shared = "\(folder)/shared"
      var box = try keeper("\(folder)/state", shared: shared)
      _ = box.open()
      let copy = "\(box.disk.device.description.lowercased()).kv"
      #expect(rename(shared, "\(folder)/unplugged") == 0)
      let reports = box.add(sit(0))
      #expect(reports.map(\.isWritten) == [true, false, false])
      #expect(reports.last?.failure == "\(shared) is not there")
      #expect(rename("\(folder)/unplugged", shared) == 0)
      #expect(box.retry().map(\.isExchanged) == [true])
      #expect(try sits(inReplica: "\(shared)/\(copy)") == 1)
    }
  }
}

@Suite struct FullDiskTests {
  private static let why: Comment = "filling or locking a disk of its own needs the right to mount"

  @Test(.enabled(if: isRoot, why))
  func fullDisk_atACompletedSit_givesUpTheBallast() throws {
    try withSmallDisk(bytes: 8 << 20) { disk in
      var box = try keeper(disk)
      _ = box.open()
      #expect(try names(disk).contains("ballast"))
      try fill("\(disk)/filler")
      #expect(box.add(sit(0)).map(\.isWritten) == [true, false])
      #expect(try !names(disk).contains("ballast"))
      #expect(try sits(inReplica: "\(disk)/truth.kv") == 1)
      try fill("\(disk)/filler2")
      // Without ballast the truth before gives its room: two sits on the disk are more than one
      // twice.
      #expect(box.add(sit(1)).map(\.isWritten) == [true, false])
      #expect(try !names(disk).contains("truth.kv.1"))
      #expect(try sits(inReplica: "\(disk)/truth.kv") == 2)
      try fill("\(disk)/filler3")
      let before = try content("\(disk)/truth.kv")
      let failure = box.add(sit(2)).first?.failure
      #expect(failure?.hasPrefix("the disk is full (") == true)
      #expect(try content("\(disk)/truth.kv") == before)
      #expect(box.store.usage.sits == 3)
      #expect(box.retry().first?.failure == failure)
      try Files.unlink("\(disk)/filler")
      #expect(box.retry().map(\.isWritten) == [true, false])
      #expect(try sits(inReplica: "\(disk)/truth.kv") == 3)
      #expect(try Files.status("\(disk)/ballast").size == FolderDisk.ballastBytes)
      #expect(try names(disk).filter { $0.hasSuffix(".tmp") } == [])
    }
  }

  @Test(.enabled(if: isRoot, why))
  func furtherVolume_onAFullDisk_leavesHalfTheBallastToTheMainOne() throws {
    try withSmallDisk(bytes: 8 << 20) { disk in
      var folder = try FolderDisk.taking(disk)
      try fill("\(disk)/filler")
      let bytes = [UInt8](repeating: 7, count: 1_000_000)
      let archive = ReplicaFile.truth(.archive(year: 2024, part: 1))
      try folder.replace(archive, with: bytes, keepingEarlier: false)
      #expect(try Files.status("\(disk)/ballast").size == FolderDisk.ballastBytes / 2)
      let other = ReplicaFile.truth(.archive(year: 2025, part: 1))
      #expect(throws: StoreFileFault.self) {
        try folder.replace(other, with: bytes, keepingEarlier: false)
      }
      try folder.replace(.truth(.main), with: bytes, keepingEarlier: true)
      #expect(try content("\(disk)/truth.kv") == bytes)
    }
  }

  @Test(.enabled(if: isRoot, why))
  func readOnlyDisk_isReadAndReported_andWrittenWhenItCanBe() throws {
    try withSmallDisk(bytes: 8 << 20) { disk in
      do {
        var box = try keeper(disk)
        _ = box.open()
        _ = box.add(sit(0))
      }
      remount(disk, readOnly: true)
      var box = try keeper(disk)
      #expect(box.open().count == 1)
      #expect(
        box.add(sit(1)).first?.failure?.hasPrefix("the disk with \(disk)/truth.kv is read-only (")
          == true)
      #expect(box.store.sessions == [sit(0), sit(1)])
      remount(disk, readOnly: false)
      #expect(box.retry().map(\.isWritten) == [true, false])
      #expect(try sits(inReplica: "\(disk)/truth.kv") == 2)
    }
  }

  @Test(.enabled(if: !isRoot, "root may write everywhere"))
  func folder_withoutPermission_isReportedAndTriedAgain() throws {
    try withTemporaryFolder { folder in
      var box = try keeper(folder)
      _ = box.open()
      #expect(chmod(folder, 0o500) == 0)
      let failure = box.add(sit(0)).first?.failure
      #expect(failure?.hasPrefix("no permission for \(folder)/") == true)
      #expect(chmod(folder, 0o700) == 0)
      #expect(box.retry().map(\.isWritten) == [true])
    }
  }

  @Test(.enabled(if: isRoot, why))
  func smallDisk_withoutRoomForBallast_worksWithoutIt() throws {
    try withSmallDisk(bytes: 3 << 20) { disk in
      var box = try keeper(disk)
      _ = box.open()
      #expect(try !names(disk).contains("ballast"))
      #expect(box.add(sit(0)).map(\.isWritten) == [true, false])
    }
  }
}
