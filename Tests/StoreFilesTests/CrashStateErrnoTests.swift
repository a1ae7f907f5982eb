import LinuxIO
import Testing

@testable import StoreFiles

/// Each call of each trial goes wrong in each way; then the power goes at any moment.
@Suite struct CrashStateErrnoTests {
  private static let numbers: [Errno] = [
    .inputOutput, .noSpace, .interrupted, .readOnlyFileSystem, .permissionDenied,
  ]

  /// Runs a trial once for each of its calls, and spoils that call.
  /// - Returns: how many steps failed.
  private func failures(
    _ trial: CrashTrial, _ states: inout CrashStates,
    _ spoil: (ModelMachine, _ number: Int, _ call: String) -> Void
  ) throws -> Int {
    let clean = try trial.machine()
    _ = try trial.run(on: clean)
    var failures = 0
    for (number, call) in clean.calls.enumerated() {
      let machine = try trial.machine()
      spoil(machine, number, call)
      failures += try trial.run(on: machine)
      let faults = try trial.faults(machine, ModelDisk.Rules(), &states, from: number)
      #expect(faults == [], "\(trial.name), \(call)")
    }
    return failures
  }

  @Test(arguments: CrashTrial.all.indices)
  func calls_thatFail_leaveTheOldOrTheNew_andTheNextTrySaves(index: Int) throws {
    let trial = CrashTrial.all[index]
    var states = CrashStates()
    for errno in CrashStateErrnoTests.numbers {
      let once = try failures(trial, &states) { machine, number, _ in
        machine.faults[number] = .fails(errno)
      }
      let fromThereOn = try failures(trial, &states) { machine, number, _ in
        machine.failsFrom = (number, errno)
      }
      // A trial that nobody hears of a failure in would show nothing.
      #expect(once > 0 && fromThereOn > 0)
    }
    #expect(states.states.count > 80)
  }

  @Test(arguments: CrashTrial.all.indices)
  func write_thatIsShort_isGoneOnWith(index: Int) throws {
    var states = CrashStates()
    let failures = try failures(CrashTrial.all[index], &states) { machine, number, _ in
      machine.faults[number] = .short
    }
    #expect(failures == 0)
  }

  @Test(arguments: CrashTrial.all.indices)
  func answer_thatIsLost_isNoFailure(index: Int) throws {
    let lost: [(call: String, errno: Errno)] = [
      ("rename", .noSuchFile), ("unlink", .noSuchFile), ("link", .exists), ("mkdir", .exists),
    ]
    var states = CrashStates()
    let failures = try failures(CrashTrial.all[index], &states) { machine, number, call in
      guard let answer = lost.first(where: { call.hasPrefix($0.call + " ") }) else { return }
      machine.faults[number] = .doneButSays(answer.errno)
    }
    #expect(failures == 0)
  }

  @Test(arguments: [Errno.permissionDenied, .busy, .textBusy, .notPermitted])
  func rename_refusedForAMoment_isTriedAgainWithTheSameFile(errno: Errno) throws {
    let machine = try CrashTrial.save.machine()
    let folder = try DurableFolder("state", from: machine.root)
    let rename = machine.calls.count + 4
    for turn in 0..<4 { machine.faults[rename + turn] = .fails(errno) }
    try folder.replace("a", with: Page.of(1))
    let name = ".syncthing.timerbox-a.tmp"
    var calls = ["unlink", "open", "write", "fsync"].map { "\($0) state/\(name)" }
    calls += [String](repeating: "rename state/\(name) a", count: 5)
    calls += ["fsync state/a", "close state/a", "fsync state/"]
    let got = Array(machine.calls.dropFirst(rename - 4))
    #expect(got == calls)
    #expect(machine.pausedMilliseconds == 850)
    #expect(try folder.months("a") == 1)
  }

  @Test func rename_refusedAllTheTime_isReportedAndLeavesNothing() throws {
    let machine = try CrashTrial.save.machine()
    machine.missing["rename"] = .busy
    let folder = try DurableFolder("state", from: machine.root)
    let error = SystemError(call: "rename", path: "state/a", errno: .busy)
    #expect(throws: StoreFileFault.system(error)) { try folder.replace("a", with: Page.of(1)) }
    #expect(machine.calls.count { $0.hasPrefix("rename ") } == 5)
    #expect(try folder.months("a") == 0)
    #expect(try folder.names() == ["a"])
  }

  @Test func rename_ofAFileThatIsGone_isAFailure() throws {
    let machine = try CrashTrial.save.machine()
    machine.missing["rename"] = .noSuchFile
    let folder = try DurableFolder("state", from: machine.root)
    let error = SystemError(call: "rename", path: "state/a", errno: .noSuchFile)
    #expect(throws: StoreFileFault.system(error)) { try folder.replace("a", with: Page.of(1)) }
  }

  /// The model's own rule, which the recipe's first invariant stands on: were it not there, a
  /// second fsync would do.
  @Test func fsync_afterOneThatFailed_savesNothing() throws {
    let machine = ModelMachine()
    let file = try machine.root.open("a", [.writeOnly, .create, .exclusive])
    _ = try machine.root.write(file, [1, 2, 3])
    machine.faults[2] = .fails(.inputOutput)
    #expect(throws: SystemError(call: "fsync", errno: .inputOutput)) {
      try machine.root.sync(file)
    }
    try machine.root.sync(file)
    try machine.root.syncFolder()
    let contents = machine.disk.afterPowerCut(ModelDisk.Rules()).compactMap { $0.files[1]?.bytes }
    #expect(Set(contents) == [[], [0, 0, 0], [1, 2, 3]])
  }
}
