import LinuxIO
import Sessions
import Testing

@testable import StoreFiles

extension CrashTrial {
  /// A box on a model disk, as a start makes it.
  /// - Parameter reports: gets what the start had to say.
  static func box(
    _ root: ModelFolder, hardware: String? = nil, _ reports: inout [StoreReport]
  ) throws -> Storekeeper<FolderDisk, SharedFolder> {
    let disk = try FolderDisk.taking("state", hardware: hardware, from: root)
    let device = disk.device
    var box = Storekeeper<FolderDisk, SharedFolder>(
      disk: disk, folder: nil, owner: Identity(randomHigh: 1, low: 1), device: device)
    reports = box.open()
    for case .failed(let reason) in reports { throw Failed(reason) }
    return box
  }

  static func add(_ index: Int, _ root: ModelFolder) throws {
    var reports: [StoreReport] = []
    var box = try box(root, &reports)
    for case .failed(let reason) in box.add(sit(index)) { throw Failed(reason) }
  }

  struct Failed: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// A box starts for the first time and three sits are saved, each by a new start.
  static let sits = CrashTrial(
    name: "box: three sits", before: { _ in },
    steps: (0..<3).map { index in { try add(index, $0) } },
    fault: { root, acknowledged in
      var reports: [StoreReport] = []
      let box = try box(root, &reports)
      for case .salvaged(let path, _, _) in reports { return "\(path) was damaged" }
      if try isEarlierDamaged(root) { return "the earlier truth is damaged" }
      let sits = box.store.sessions
      if sits != (0..<sits.count).map(sit) { return "other sits are there" }
      return sits.count < acknowledged ? "a saved sit is lost" : nil
    })

  /// The same on a box that knows who it is.
  static let moreSits = CrashTrial(
    name: "box: three more sits", before: { try $0.replace("device", with: device) },
    steps: sits.steps, fault: sits.fault)

  static let device = Array("\(Identity(randomHigh: 3, low: 3))\n".utf8)

  /// The truth of three sits is damaged in one line, that of a sit which the earlier generation
  /// has; the newest sit is in the damaged file alone.
  /// - Parameters:
  ///   - isEmptied: in place of that: the file has no bytes, and the newest sit is lost.
  ///   - isKept: whether the damaged file must be there. Where a call fails while it is set aside,
  ///     the storekeeper saves what it salvaged over it.
  static func damagedTruth(isEmptied: Bool = false, isKept: Bool) -> CrashTrial {
    let first = isEmptied ? 2 : 3
    return CrashTrial(
      name: isEmptied ? "box: emptied truth" : "box: damaged truth",
      before: { try damage($0, isEmptied: isEmptied) },
      steps: (first..<first + 2).map { index in { try add(index, $0) } },
      fault: { root, acknowledged in
        var reports: [StoreReport] = []
        let box = try box(root, &reports)
        let folder = try DurableFolder("state", from: root)
        let damaged = try folder.names().filter { $0.contains(".damaged-") }
        let expected = ["truth.kv.damaged-1"]
        if damaged != expected && (isKept || damaged != []) { return "damaged: \(damaged)" }
        if try isEarlierDamaged(root) { return "a damaged file was rotated" }
        let sits = box.store.sessions
        if sits != (0..<sits.count).map(sit) { return "other sits are there" }
        return sits.count < first + acknowledged ? "a sit is lost: \(sits.count)" : nil
      })
  }

  private static func isEarlierDamaged(_ root: ModelFolder) throws -> Bool {
    let folder = try DurableFolder("state", from: root)
    guard let earlier = try folder.read("truth.kv.1", limit: 1 << 20) else { return false }
    return (try? SessionStore(parsing: earlier))?.damage != []
  }

  @Sendable static func damage(_ folder: DurableFolder, isEmptied: Bool = false) throws {
    guard let model = folder.calls as? ModelFolder else { return }
    try folder.replace("device", with: device)
    for index in 0..<3 { try add(index, model.machine.root) }
    guard var bytes = try folder.read("truth.kv", limit: 1 << 20) else { return }
    // The second line is that of the first sit.
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    bytes[ends[1] - 9] ^= 1
    try folder.replace("truth.kv", with: isEmptied ? [] : bytes)
  }
}

/// The whole storekeeper on a model disk.
@Suite struct CrashStateKeeperTests {
  static let trials = [
    CrashTrial.sits, .damagedTruth(isKept: true), .damagedTruth(isEmptied: true, isKept: true),
  ]
  static let spoilt = [CrashTrial.moreSits, CrashTrial.damagedTruth(isKept: false)]

  @Test(arguments: trials.indices, ModelDisk.NameRules.allCases)
  func report01_powerCut_atAnyMomentOfABox_losesNoSavedSit(
    index: Int, names: ModelDisk.NameRules
  ) throws {
    let trial = CrashStateKeeperTests.trials[index]
    let machine = try trial.machine()
    #expect(try trial.run(on: machine) == 0)
    var states = CrashStates()
    #expect(try trial.faults(machine, ModelDisk.Rules(names: names), &states) == [])
    #expect(states.states.count > 60)
  }

  @Test(arguments: spoilt.indices)
  func calls_ofABoxThatFail_loseNoSavedSit(index: Int) throws {
    let trial = CrashStateKeeperTests.spoilt[index]
    let clean = try trial.machine()
    _ = try trial.run(on: clean)
    var states = CrashStates()
    var failures = 0
    for (number, call) in clean.calls.enumerated() {
      for errno in [Errno.inputOutput, .noSpace] {
        let machine = try trial.machine()
        machine.faults[number] = .fails(errno)
        failures += try trial.run(on: machine)
        let rules = ModelDisk.Rules(names: .inOrder)
        let faults = try trial.faults(machine, rules, &states, from: number)
        #expect(faults == [], "\(call): \(errno.text)")
      }
    }
    #expect(failures > 0)
  }
}
