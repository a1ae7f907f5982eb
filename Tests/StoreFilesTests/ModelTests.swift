import LinuxIO
import Testing

@testable import StoreFiles

/// The model is right where nothing goes wrong: it answers as the kernel does.
@Suite struct ModelTests {
  private struct Random {
    var state: UInt64

    mutating func below(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
  }

  /// One call with names by chance, and what it gave.
  private func step(_ folder: any FolderCalls, _ random: inout Random) -> String {
    let names = ["a", "b", "c", "folder"]
    let one = names[random.below(4)]
    let two = names[random.below(4)]
    let kind = random.below(8)
    do throws(SystemError) {
      switch kind {
      case 0: return "link \(try done { () throws(SystemError) in try folder.link(one, to: two) })"
      case 1:
        return "rename \(try done { () throws(SystemError) in try folder.rename(one, to: two) })"
      case 2: return "unlink \(try done { () throws(SystemError) in try folder.unlink(one) })"
      case 3:
        let flags: [OpenFlags] = [
          [.writeOnly, .create, .exclusive], [.writeOnly, .create], [.readOnly, .noFollow],
        ]
        let chosen = flags[random.below(3)]
        let file = try folder.open(one, chosen)
        if chosen.contains(.exclusive) { _ = try folder.write(file, [1, 2, 3]) }
        let size = try folder.status(file).kind == .file ? folder.status(file).size : 0
        try folder.close(file)
        return "open \(size)"
      case 4: return "names \(try folder.names(limit: 3))"
      case 5:
        let status = try folder.status(one)
        return "status \(status.kind) \(status.kind == .file ? status.size : 0)"
      case 6:
        let file = try folder.open(one, .readOnly)
        return "read \(try folder.read(file, limit: 2)) \(try folder.read(file, limit: 9))"
      default:
        return "mkdir \(try done { () throws(SystemError) in try folder.makeFolder("folder") })"
      }
    } catch { return "\(error.call) \(error.errno.text)" }
  }

  private func done(_ call: () throws(SystemError) -> Void) throws(SystemError) -> String {
    try call()
    return "done"
  }

  @Test(arguments: 0..<40) func calls_onTheModel_answerAsTheKernelDoes(seed: UInt64) throws {
    try withTemporaryFolder { path in
      let real = try LinuxFolder.working.folder(path, followingLink: false)
      let model = ModelMachine().root
      var one = Random(state: seed)
      var two = one
      for number in 0..<100 {
        let expected = step(real, &one)
        let found = step(model, &two)
        // A cut list holds whichever names come first.
        if expected.contains("isCut: true") && found.contains("isCut: true") { continue }
        try #require(found == expected, "call \(number)")
      }
    }
  }

  @Test func file_thatWasNotSynchronised_readsAsAnythingButOtherBytes() throws {
    let machine = ModelMachine()
    let bytes = [UInt8](repeating: 7, count: 130)
    let file = try machine.root.open("a", [.writeOnly, .create, .exclusive])
    _ = try machine.root.write(file, bytes[...])
    let states = machine.disk.afterPowerCut(ModelDisk.Rules(names: .inOrder))
    let zeros = [UInt8](repeating: 0, count: 130)
    let contents = states.map { state in
      state.folders[0]?.names["a"].flatMap { state.files[$0]?.bytes }
    }
    // Missing, empty, zeros, whole, cut after one or two blocks, and that with zeros behind.
    let heads = [64, 128].map { Array(bytes.prefix($0)) }
    let filled = heads.map { head in head + zeros.dropFirst(head.count) }
    let expected: [[UInt8]?] = [nil, [], zeros, bytes] + heads + filled
    #expect(Set(contents) == Set(expected))
    try machine.root.sync(file)
    let synced = machine.disk.afterPowerCut(ModelDisk.Rules(names: .inOrder))
    #expect(synced.count == 2)
    try machine.root.syncFolder()
    #expect(machine.disk.afterPowerCut(ModelDisk.Rules(names: .torn)).count == 1)
  }

  @Test func names_byTheThreeRules_areMoreAndMore() throws {
    let machine = ModelMachine()
    for name in ["a", "b"] {
      let file = try machine.root.open(name, [.writeOnly, .create, .exclusive])
      try machine.root.sync(file)
    }
    try machine.root.rename("a", to: "c")
    let names = ModelDisk.NameRules.allCases.map { rule in
      Set(
        machine.disk.afterPowerCut(ModelDisk.Rules(names: rule)).map {
          $0.folders[0]?.names.keys.sorted().joined() ?? ""
        })
    }
    #expect(names[0] == ["", "a", "ab", "bc"])
    #expect(names[1] == ["", "a", "ab", "b", "bc", "c"])
    #expect(names[2] == ["", "a", "ab", "ac", "abc", "b", "bc", "c"])
  }
}
