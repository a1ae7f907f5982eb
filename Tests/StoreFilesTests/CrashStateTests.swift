import LinuxIO
import Testing

@testable import StoreFiles

@Suite struct CrashStateTests {
  @Test(arguments: CrashTrial.all.indices, ModelDisk.NameRules.allCases)
  func powerCut_atAnyMoment_leavesTheOldOrTheNew(index: Int, names: ModelDisk.NameRules) throws {
    let trial = CrashTrial.all[index]
    let machine = try trial.machine()
    #expect(try trial.run(on: machine) == 0)
    var states = CrashStates()
    #expect(try trial.faults(machine, ModelDisk.Rules(names: names), &states, depth: 1) == [])
  }

  /// Some file servers and file systems in a process have no second names.
  @Test(arguments: CrashTrial.all.indices, ModelDisk.NameRules.allCases)
  func powerCut_whereAFileHasOneName_leavesTheOldOrTheNew(
    index: Int, names: ModelDisk.NameRules
  ) throws {
    let trial = CrashTrial.all[index]
    let machine = try trial.machine(without: ["link": .notSupported])
    #expect(try trial.run(on: machine) == 0)
    var states = CrashStates()
    #expect(try trial.faults(machine, ModelDisk.Rules(names: names), &states, depth: 1) == [])
  }

  @Test(arguments: ModelDisk.NameRules.allCases)
  func powerCut_onVFAT_leavesTheOldOrTheNewInOneOfTwoFiles(names: ModelDisk.NameRules) throws {
    let trial = CrashTrial.saveOnFAT
    let machine = try trial.machine(without: ["link": .notPermitted])
    #expect(try trial.run(on: machine) == 0)
    var states = CrashStates()
    let rules = ModelDisk.Rules(names: names, isFAT: true)
    #expect(try trial.faults(machine, rules, &states, depth: 1) == [])
  }

  /// Were this not so, the tests above could not fail.
  @Test(arguments: CrashTrial.all.indices)
  func powerCut_withOneFsyncLeftOut_leavesWhatIsNeither(index: Int) throws {
    let trial = CrashTrial.all[index]
    let clean = try trial.machine()
    _ = try trial.run(on: clean)
    var needed = 0
    for (before, after) in zip(clean.moments, clean.moments.dropFirst())
    where after.call.hasPrefix("fsync ") {
      let machine = try trial.machine()
      machine.faults[after.number - 1] = .lies
      _ = try trial.run(on: machine)
      #expect(machine.calls == clean.calls)
      var states = CrashStates()
      let faults = try trial.faults(machine, ModelDisk.Rules(), &states)
      // Some have nothing to do but on vfat, or where a folder's maker did not live to do it, or
      // but to make a removal durable.
      let hasWork = before.disk.unsaved != after.disk.unsaved
      #expect(!faults.isEmpty == hasWork, "\(trial.name) without \(after.call)")
      needed += hasWork ? 1 : 0
    }
    #expect(needed >= 4)
  }

  @Test func powerCut_onVFATWithoutTheSecondFsync_losesWhatWasSaved() throws {
    let trial = CrashTrial.saveOnFAT
    let clean = try trial.machine(without: ["link": .notPermitted])
    _ = try trial.run(on: clean)
    let seconds = clean.calls.indices.filter { clean.calls[$0] == "fsync state/truth.kv" }
    #expect(seconds.count == 3)
    for sync in seconds {
      let machine = try trial.machine(without: ["link": .notPermitted])
      machine.faults[sync] = .lies
      _ = try trial.run(on: machine)
      var states = CrashStates()
      let faults = try trial.faults(machine, ModelDisk.Rules(isFAT: true), &states)
      #expect(faults.contains { $0.hasSuffix("older than acknowledged") })
    }
  }
}

extension ModelDisk {
  /// How much a power cut could take away: files, and names that were given.
  fileprivate var unsaved: Int {
    files.values.count { $0.synced != $0.bytes }
      + folders.values.reduce(0) { $0 + $1.pending.count { $0.name != nil } }
  }
}
