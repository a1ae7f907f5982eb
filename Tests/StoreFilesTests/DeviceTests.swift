import Glibc
import LinuxIO
import Sessions
import Testing

@testable import StoreFiles

@Suite struct DeviceTests {
  @Test func card_inAnotherMachine_getsANewNameAndSaysSoOnce() throws {
    try withTemporaryFolder { folder in
      let first = try FolderDisk.taking(folder, hardware: "device-tree 10000000abc").device
      do {
        let same = try FolderDisk.taking(folder, hardware: "device-tree 10000000abc")
        #expect(same.device == first && same.clonedFrom == nil)
        let unknown = same.device
        #expect(unknown == first)
      }
      let second: Identity
      do {
        let clone = try FolderDisk.taking(folder, hardware: "device-tree 10000000def")
        #expect(clone.device != first && clone.clonedFrom == first)
        second = clone.device
      }
      let again = try FolderDisk.taking(folder, hardware: "device-tree 10000000def")
      #expect(again.device == second && again.clonedFrom == nil)
      #expect(
        try content("\(folder)/device")
          == Array("\(second)\nhardware device-tree 10000000def\n".utf8))
    }
  }

  @Test func machine_withoutANumber_neitherForgetsNorClones() throws {
    try withTemporaryFolder { folder in
      let first = try FolderDisk.taking(folder, hardware: nil).device
      #expect(try content("\(folder)/device") == Array("\(first)\n".utf8))
      #expect(try FolderDisk.taking(folder, hardware: "dmi 1234").device == first)
      #expect(try FolderDisk.taking(folder, hardware: nil).device == first)
      #expect(
        try content("\(folder)/device") == Array("\(first)\nhardware dmi 1234\n".utf8))
    }
  }

  @Test func cloned_card_leavesTheOldCopyAsAnotherDevices() throws {
    try withTemporaryFolder { root in
      let (state, shared) = ("\(root)/state", "\(root)/shared")
      func box(_ hardware: String) throws -> Storekeeper<FolderDisk, SharedFolder> {
        let disk = try FolderDisk.taking(state, hardware: hardware)
        let device = disk.device
        return Storekeeper(
          disk: disk, folder: SharedFolder(shared, device: device, state: state),
          owner: Identity(randomHigh: 1, low: 1), device: device)
      }
      do {
        var original = try box("dmi 1")
        _ = original.open()
        _ = original.add(sit(0))
      }
      var clone = try box("dmi 2")
      _ = clone.open()
      _ = clone.look()
      #expect(clone.add(sit(1)).contains { $0.isExchanged })
      #expect(clone.store.sessions == [sit(0), sit(1)])
      #expect(try names(shared).count == 2)
    }
  }

  @Test func fingerprint_ofPlaceholders_isNone() throws {
    try withTemporaryFolder { root in
      #expect(Hardware.fingerprint(root: root) == nil)
      try Files.makeFolder("\(root)/sys/class/dmi/id")
      try Files.makeFolder("\(root)/proc/device-tree")
      let dmi = "\(root)/sys/class/dmi/id/product_uuid"
      for text in [
        "", "\n", "00000000-0000-0000-0000-000000000000\n", "Not Specified\n",
        "03000200-0400-0500-0006-000700080009\n", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF\n",
      ] {
        try write(dmi, text)
        #expect(Hardware.fingerprint(root: root) == nil)
      }
      try write(dmi, "4C4C4544-0044-4A10-8035-B2C04F4E3233\n")
      #expect(
        Hardware.fingerprint(root: root) == "dmi 4c4c4544-0044-4a10-8035-b2c04f4e3233")
      try write("\(root)/proc/device-tree/serial-number", "100000003d1d1c36\0")
      #expect(Hardware.fingerprint(root: root) == "device-tree 100000003d1d1c36")
    }
  }

  @Test(.enabled(if: isRoot, "mounting needs the right to"))
  func report15_stateFolderInMemory_isTold() throws {
    try withSmallDisk(bytes: 8 << 20) { disk in
      try withTemporaryFolder { folder in
        let thread = try StorageThread(state: "\(disk)/state", shared: nil)
        #expect(thread.send(.status(token: 1)))
        let all = try answers(thread) { if case .status(_, 1?) = $0 { true } else { false } }
        let states = all.compactMap { if case .status(let status, 1?) = $0 { status } else { nil } }
        let status = try #require(states.first)
        #expect(status.isVolatile)
        #expect(thread.stop(timeoutMilliseconds: 10_000) == true)
        #expect(try !FolderDisk.taking(folder).isVolatile)
      }
    }
  }

  @Test func volumes_ofTheTruth_areWrittenReadAndRemoved() throws {
    try withTemporaryFolder { folder in
      var disk = try FolderDisk.taking(folder)
      let all: [Volume] = [.main, .overflow(2), .archive(year: 2024, part: 2)]
      for volume in all {
        try disk.replace(.truth(volume), with: [1, 2], keepingEarlier: true)
        try disk.replace(.truth(volume), with: [1, 2, 3], keepingEarlier: true)
      }
      try write("\(folder)/archive/other.kv", "")
      #expect(try disk.volumes() == all.sorted())
      #expect(try content("\(folder)/archive/2024.2.kv") == [1, 2, 3])
      #expect(try content("\(folder)/truth.kv.1") == [1, 2])
      #expect(try names("\(folder)/archive") == ["2024.2.kv", "other.kv"])
      #expect(try disk.setAside(.truth(.archive(year: 2024, part: 2))).hasSuffix(".damaged-1"))
      try disk.remove(.truth(.archive(year: 2024, part: 2)))
      try disk.remove(.truth(.overflow(2)))
      try disk.remove(.truth(.overflow(3)))
      #expect(try disk.volumes() == [.main])
      let files = try TruthReader.files(inState: folder)
      #expect(files.volumes == [VolumeFile(.main, [1, 2, 3])])
      // Those bytes are no main volume that is whole.
      #expect(files.earlier == [1, 2] && !files.isMainMissing)
      #expect(try TruthReader.files(inState: "\(folder)/none") == TruthFiles())
    }
  }
}
