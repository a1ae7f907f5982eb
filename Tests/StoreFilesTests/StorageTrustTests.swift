import LinuxIO
import Testing

@testable import StoreFiles

@Suite struct StorageTrustTests {
  private let one = "5c7a7f3c-3f1d-4f6c-9d57-0b2a8a3f6b11"
  private let two = "9f0e1f2a-7b1c-4c1d-8a52-5e0d6c1b2a33"

  private func trust(_ boot: String, _ found: UInt64?, _ told: StorageWitness?) -> StorageTrust {
    StorageTrust(boot: boot, found: found, told: told)
  }

  @Test func truth_atTheGenerationTold_isKept_andOneLessIsLost() {
    let told = StorageWitness(boot: one, generation: 7)
    #expect(trust(two, 6, told) == .lost(told: 7, found: 6))
    #expect(trust(two, 7, told) == .kept)
    #expect(trust(two, 8, told) == .kept)
    #expect(trust(two, nil, told) == .lost(told: 7, found: nil))
    #expect(trust(two, 0, StorageWitness(boot: one, generation: 0)) == .kept)
    #expect(trust(two, nil, StorageWitness(boot: one, generation: 0)) == .kept)
  }

  @Test func truth_inTheSameBoot_saysNothingOfTheDisk() {
    let told = StorageWitness(boot: one, generation: 7)
    #expect(trust(one, 7, told) == .sameBoot)
    #expect(trust(one, 6, told) == .takenBack(told: 7, found: 6))
    #expect(trust(one, nil, told) == .takenBack(told: 7, found: nil))
  }

  @Test func nothing_told_isNoComplaint() {
    #expect(trust(one, nil, nil) == .untold)
    #expect(trust(one, 9, nil) == .untold)
    #expect(trust(one, 9, nil).complaint == nil)
    #expect(trust(one, 9, StorageWitness(boot: two, generation: 9)).complaint == nil)
  }

  @Test func loss_isToldWithItsTwoCauses() {
    let told = StorageWitness(boot: one, generation: 7)
    #expect(
      trust(two, 6, told).complaint
        == "the disk with the state folder did not keep what was saved before the last start, "
        + "or an older copy was put back")
    #expect(
      trust(one, 6, told).complaint
        == "the state folder was put back to an older state while the machine ran")
  }

  @Test func witness_writtenAndRead_isTheSame_andACutOneIsNone() {
    let told = StorageWitness(boot: one, generation: .max)
    let bytes = Array(told.text.utf8)
    #expect(StorageWitness(parsing: bytes) == told)
    for length in 0..<bytes.count {
      #expect(StorageWitness(parsing: Array(bytes.prefix(length))) == nil)
    }
    #expect(StorageWitness(parsing: bytes + bytes) == nil)
    #expect(StorageWitness(parsing: Array("kept \(one) +7\n".utf8)) == nil)
    #expect(StorageWitness(parsing: Array("kept  \(one) 7\n".utf8)) == nil)
    #expect(StorageWitness(parsing: [UInt8](repeating: 0, count: bytes.count)) == nil)
  }

  /// An overlay in memory: both files go together, and nothing is left to tell.
  @Test func stateFolder_thatLosesAll_isToldOnlyByAWitnessElsewhere() {
    let told = StorageWitness(boot: one, generation: 7)
    #expect(trust(two, nil, nil) == .untold)
    #expect(trust(two, nil, told) == .lost(told: 7, found: nil))
  }
}
