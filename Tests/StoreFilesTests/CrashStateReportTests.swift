import LinuxIO
import Sessions
import Testing

@testable import StoreFiles

extension CrashTrial {
  private static let settings = Array("[settings]\nvolume = 35\n".utf8)
  private static let hardware = "1000000000000001"

  /// A start with all the work that a start can have: a truth that is damaged, a device file that
  /// does not name its machine yet, a leftover, and no ballast.
  static let start = CrashTrial(
    name: "box: start",
    before: { folder in
      try damage(folder)
      try folder.replace(FolderDisk.settingsName, with: settings)
      try folder.replace(".syncthing.timerbox-settings.tmp", with: [1])
    },
    steps: [{ try start($0) }, { try start($0) }],
    fault: { root, acknowledged in
      // As the cut has left it, before anything puts it right.
      let folder = try DurableFolder("state", from: root)
      if try folder.read(FolderDisk.settingsName, limit: 1_000) != settings {
        return "the settings are other ones"
      }
      let bytes = try folder.read(DeviceFile.name, limit: 1_000)
      guard let bytes, DeviceFile(bytes)?.device == Identity(randomHigh: 3, low: 3) else {
        return "it is another device"
      }
      let truth = try folder.read("truth.kv", limit: 1 << 20)
      let isWhole = try truth.map { try SessionStore(parsing: $0).damage == [] } ?? false
      if acknowledged > 0 && !isWhole { return "nothing was salvaged" }
      var reports: [StoreReport] = []
      let box = try box(root, hardware: hardware, &reports)
      if box.store.sessions != (0..<3).map(sit) { return "other sits are there" }
      let names = try folder.names()
      return names.contains("truth.kv.damaged-1") ? nil : "the damaged truth is gone"
    })

  private static func start(_ root: ModelFolder) throws {
    var reports: [StoreReport] = []
    _ = try box(root, hardware: hardware, &reports)
  }

  private static func choices(_ number: Int) -> [UInt8] {
    Array(("[settings]\n" + String(repeating: "volume = \(number)\n", count: 9)).utf8)
  }

  /// What is written while somebody sits: that a sit runs, a choice, a key, another choice; then
  /// the sit and that none runs any more.
  static let sitting = CrashTrial(
    name: "box: a sit", before: { try $0.replace("device", with: device) },
    steps: [
      { root in try save(root) { $0.publish(claim($0.store.device), at: begun) } },
      { root in try save(root) { [$0.write(choices: choices(1))] } },
      { root in try save(root) { $0.set("programme.dawn", to: .bool(true), at: begun) } },
      { root in try save(root) { [$0.write(choices: choices(2))] } },
      { root in try save(root) { $0.add(sit(0)) + $0.publish(nil, at: begun) } },
    ],
    fault: { root, acknowledged in
      let folder = try DurableFolder("state", from: root)
      let settings = try folder.read(FolderDisk.settingsName, limit: 1_000)
      let choice = settings.map { bytes in (1...2).first { choices($0) == bytes } ?? -1 } ?? 0
      if choice < [0, 0, 1, 1, 2, 2][acknowledged] { return "the choice is lost: \(choice)" }
      var reports: [StoreReport] = []
      let store = try box(root, &reports).store
      for case .salvaged(let path, _, _) in reports { return "\(path) was damaged" }
      let isOver = store.sessions == [sit(0)]
      if acknowledged == 5 && !isOver { return "the sit is lost" }
      if acknowledged >= 3 && store.value(forKey: "programme.dawn") == nil {
        return "the key is lost"
      }
      let isRunning = store.standingClaims == [claim(store.device)]
      if acknowledged >= 1 && !isRunning && !isOver { return "nothing tells of the sit" }
      return acknowledged == 5 && isRunning ? "the sit runs for ever" : nil
    })

  private static let begun = WriteTime(sit(0).startDate)

  private static func claim(_ device: Identity) -> Claim {
    Claim(device: device, since: begun.wall, plannedEnd: sit(0).endDate, at: begun)
  }

  private static func save(
    _ root: ModelFolder,
    _ change: (inout Storekeeper<FolderDisk, SharedFolder>) -> [StoreReport]
  ) throws {
    var reports: [StoreReport] = []
    var box = try box(root, &reports)
    for report in change(&box) {
      switch report {
      case .failed(let reason), .choicesFailed(let reason), .refused(let reason):
        throw Failed(reason)
      default: break
      }
    }
  }
}

/// Reports of others' stores (the number is that of the report), on the model disk. What a kill
/// leaves is among what a power cut can leave: all that was written.
@Suite struct CrashStateReportTests {
  private func expectNoFault(_ trial: CrashTrial, _ names: ModelDisk.NameRules) throws {
    let machine = try trial.machine()
    #expect(try trial.run(on: machine) == 0)
    var states = CrashStates()
    #expect(try trial.faults(machine, ModelDisk.Rules(names: names), &states, depth: 1) == [])
    #expect(states.states.count > 20, "\(states.states.count)")
  }

  @Test(arguments: ModelDisk.NameRules.allCases)
  func report07_startKilledOrCutAtAnyCall_leavesEveryFileWhole(
    _ names: ModelDisk.NameRules
  ) throws {
    try expectNoFault(.start, names)
  }

  /// What a sit writes before its end, but for the journal.
  @Test(arguments: ModelDisk.NameRules.allCases)
  func report08_powerCutAtAnyMomentOfASit_keepsWhatWasSavedInIt(
    _ names: ModelDisk.NameRules
  ) throws {
    try expectNoFault(.sitting, names)
  }
}
