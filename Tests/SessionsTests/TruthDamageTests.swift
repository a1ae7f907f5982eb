import Testing

@testable import Sessions

/// A truth that is damaged, through the whole storekeeper: it is told, kept aside, salvaged, never
/// rotated over a good one, and the next sit is saved. The numbers are those of the reports.
@Suite struct TruthDamageTests {
  /// Opens a box on these files, of which one is damaged, and adds a sit.
  /// - Parameters:
  ///   - name: the damaged file's name on the fake disk.
  ///   - sits: how many sits of those there were are salvaged at least.
  private func expectSalvage(
    of name: String, _ damaged: [UInt8], among files: [String: [UInt8]], sits: Int,
    _ what: @autoclosure () -> String
  ) {
    let disk = FakeDisk()
    disk.files = files
    disk.files[name] = damaged
    var box = keeper(disk, shared: false)
    let path = name == "truth" ? "truth.kv" : name
    let told = box.open().contains { report in
      guard case .salvaged(path, let lines, "\(name).damaged") = report else { return false }
      return !lines.isEmpty
    }
    #expect(told, "nothing is told: \(what())")
    #expect(box.store.usage.sits >= sits, "\(what())")
    let before = box.store.sessions
    _ = box.add(realSit(20_000))
    let kept = disk.files["\(name).damaged"]
    #expect(kept == damaged, "it is not kept: \(what())")
    // The earlier truth is either the one from before or the one that was saved whole since.
    if let earlier = files["earlierTruth"], disk.files["earlierTruth"] != earlier {
      #expect(isSound(disk.files["earlierTruth"]), "a damaged one was rotated: \(what())")
    }
    var again = keeper(disk, shared: false)
    let isClean = again.open().allSatisfy { if case .salvaged = $0 { false } else { true } }
    #expect(isClean, "the next start finds damage: \(what())")
    #expect(again.store.sessions == before + [realSit(20_000)], "\(what())")
  }

  private func isSound(_ bytes: [UInt8]?) -> Bool {
    (try? SessionStore(parsing: bytes ?? []))?.damage == []
  }

  private func lineEnds(_ bytes: some Sequence<UInt8>) -> Int { bytes.count { $0 == 0x0A } }

  @Test func report02_truthCutAtAnyLength_comesBackFromTheEarlierGeneration() throws {
    let whole = try realStore(3).encode()
    let earlier = try realStore(2).encode()
    for length in whole.indices {
      let cut = Array(whole[..<length])
      // The third sit is in no other file.
      expectSalvage(
        of: "truth", cut, among: ["earlierTruth": earlier], sits: lineEnds(cut) >= 4 ? 3 : 2,
        "cut at \(length)")
    }
  }

  @Test(arguments: 0..<8)
  func report10_truthWithAnyByteFlipped_isKeptAsItWasByTheNextSave(_ bit: Int) throws {
    let whole = try realStore(3).encode()
    let earlier = try realStore(2).encode()
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= UInt8(1 << bit)
      expectSalvage(
        of: "truth", damaged, among: ["earlierTruth": earlier], sits: 2, "byte \(place)")
    }
  }

  /// A volume of three sits beside a main one of two others.
  @Test(arguments: [Volume.archive(year: 2026, part: 1), .overflow(2)])
  func report11_furtherVolume_cutOrFlippedAnywhere_isSetAsideAndSavedOn(_ volume: Volume) throws {
    let store = try realStore(3)
    let header = ReplicaHeader(of: store, volume).line
    let whole = ReplicaFileWriter.bytes(header, [store.orderedSits.map(\.line)])
    var rest = SessionStore(owner: owner, device: kitchen)
    for index in 3..<5 { try rest.add(realSit(index)) }
    let main = rest.encode()
    let files = ["truth": main, "earlierTruth": main]
    for place in whole.indices {
      let cut = Array(whole[..<place])
      expectSalvage(
        of: volume.truthPath, cut, among: files, sits: 2 + max(0, lineEnds(cut) - 1),
        "cut at \(place)")
      var damaged = whole
      damaged[place] ^= UInt8(1 << (place % 8))
      // A lost line end costs the two lines it joined.
      expectSalvage(
        of: volume.truthPath, damaged, among: files, sits: whole[place] == 0x0A ? 3 : 4,
        "byte \(place)")
    }
  }

  /// Our own copy has a sit that the truth has not, as after a state folder that was rolled back.
  @Test func report11_ownCopy_cutOrFlippedAnywhere_isSetAsideAndWrittenAgain() throws {
    let truth = try realStore(2).encode()
    let whole = try realStore(3).encode()
    for place in whole.indices {
      var flipped = whole
      flipped[place] ^= UInt8(1 << (place % 8))
      for damaged in [flipped, Array(whole[..<place])] {
        let disk = FakeDisk()
        disk.files = ["truth": truth, "exchange": damaged]
        var box = keeper(disk)
        let told = box.open().contains { report in
          if case .salvaged(_, let lines, _) = report { !lines.isEmpty } else { false }
        }
        #expect(told, "nothing is told: byte \(place)")
        // No bytes are worth no keeping.
        #expect(disk.files["exchange.damaged"] == (damaged.isEmpty ? nil : damaged))
        #expect(box.store.usage.sits >= (lineEnds(damaged) >= 4 && damaged != flipped ? 3 : 2))
        let before = box.store.sessions
        _ = box.add(realSit(20_000))
        let copy = try SessionStore(parsing: disk.files["exchange"] ?? [])
        #expect(copy.damage == [] && copy.sessions == before + [realSit(20_000)])
        #expect(disk.files["exchange"] == disk.files["truth"])
      }
    }
  }

  private static let fullSits = 8_680
  private static let full = Result {
    (whole: try realStore(fullSits).encode(), earlier: try realStore(fullSits - 1).encode())
  }

  /// As large as a main volume can be, at places that are spread over the file, its ends included.
  @Test(arguments: 0..<6)
  func report10_fullTruth_cutOrFlippedAtASample_losesAtMostTheNewestSit(_ part: Int) throws {
    let (whole, earlier) = try TruthDamageTests.full.get()
    #expect(((1 << 20) - 8_192...1 << 20).contains(whole.count), "\(whole.count)")
    let sits = TruthDamageTests.fullSits - 1
    let place = [0, 12, 99_999, 524_288, whole.count - 100, whole.count - 2][part]
    var damaged = whole
    damaged[place] ^= 0x10
    // A flipped byte costs one sit at most though no other file has it.
    expectSalvage(of: "truth", damaged, among: [:], sits: sits, "byte \(place)")
    expectSalvage(
      of: "truth", Array(whole[..<place]), among: ["earlierTruth": earlier], sits: sits,
      "cut at \(place)")
  }

  private static let undecodable: [[UInt8]] = [
    [], Array(repeating: 0, count: 4_096), [0xFF, 0xFE, 0x7B, 0x0A, 0x00], Array("{}\n".utf8),
    Array(repeating: UInt8(ascii: "["), count: 100_000),
  ]

  @Test(arguments: TruthDamageTests.undecodable.indices)
  func report04_truthThatCannotBeDecoded_isMovedAsideToldAndTheBoxGoesOn(_ index: Int) throws {
    let bytes = TruthDamageTests.undecodable[index]
    let earlier = try realStore(2).encode()
    expectSalvage(of: "truth", bytes, among: ["earlierTruth": earlier], sits: 2, "with an earlier")
    expectSalvage(of: "truth", bytes, among: [:], sits: 0, "alone")
  }

  @Test func report04_diskThatCannotBeRead_isNeverWrittenAsEmpty() throws {
    let disk = FakeDisk()
    disk.files["truth"] = try store(sits: 2).encode()
    disk.broken = "truth"
    var box = keeper(disk)
    #expect(box.open() == [.failed(reason: "truth is broken")])
    #expect(box.add(sit(2)) == [.failed(reason: "truth is broken")])
    #expect(box.disk.replaced == [])
    #expect(box.isBehind == true)
    box.disk.broken = nil
    let reports = box.retry()
    #expect(box.store.sessions == [sit(0), sit(1), sit(2)])
    #expect(reports.contains(.written(bytes: box.store.usage.bytes, sits: 3)))
  }

  @Test func damagedTruth_thatCannotBeSetAside_isNotRotated() throws {
    let disk = FakeDisk()
    disk.files["truth"] = [0, 0, 0]
    disk.files["earlierTruth"] = try store(sits: 1).encode()
    disk.failing = [3]
    var box = keeper(disk, shared: false)
    #expect(box.open().first == .failed(reason: "call 3 failed"))
    let earlier = try store(sits: 1).encode()
    #expect(box.disk.files["earlierTruth"] == earlier)
    #expect(try SessionStore(parsing: box.disk.files["truth"] ?? []).usage.sits == 1)
  }
}
