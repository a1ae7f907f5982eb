import ControlSocket
import LinuxIO
import Sessions
import Settings
import StoreFiles

extension Verb {
  static let sync = Verb(
    "sync", "[DIR] [--adopt]", words: 0...1, "merge all copies of the store once, now",
    details: """
      All copies in the shared folder are read and merged, and this device's own is written where
      it has less. With DIR, a folder on a stick for example, the copies there are merged too, and
      this device's copy is written there and read back. Where a box runs on this state folder, it
      is asked to do it.
      """,
    options: [
      Option(
        name: "--adopt", value: nil,
        help: "merge another owner's copies too, whose this store becomes")
    ], run: SyncVerb.run)
}

enum SyncVerb {
  static func run(_ options: Options) throws(VerbError) -> ExitStatus {
    let folder = try options.words.first.map(absolute)
    if let folder, Places.isSame(folder, Places.stateFolder(options)) {
      throw Verb.sync.usageError(
        "DIR is the state folder, which holds this device's own files; expected another folder")
    }
    let adopt = options.has("--adopt")
    var request = ControlRequest(.sync)
    request.folder = folder
    request.adopt = adopt
    let before = sits(inState: Places.stateFolder(options))
    let outcome = try StoreDoor.write(options, asking: request) { keeper in
      let wall = Clock.wallIsKnown() ? WallInstant(nanoseconds: Clock.wall()) : nil
      let opening = keeper.open()
      var merge = keeper.merge(folder, adopt: adopt, sits: before)
      merge.reports = opening + merge.reports
      return StoreOutcome(merge, at: wall)
    }
    if options.has("--json") {
      Output.write(outcome.json.encoded() + [UInt8(ascii: "\n")])
    } else {
      Output.write(outcome.lines.map { $0 + "\n" }.joined())
    }
    return try end(outcome)
  }

  /// How many sits there are before anything is merged.
  private static func sits(inState path: String) -> Int {
    guard let files = try? TruthReader.files(inState: path) else { return 0 }
    return StoreFile.store(files.all).usage.sits
  }

  /// What went wrong is said last, after what was done all the same.
  private static func end(_ outcome: StoreOutcome) throws(VerbError) -> ExitStatus {
    let status = outcome.status == .done ? outcome.folderStatus : outcome.status
    if status == .done { return .done }
    var problems = outcome.problems + outcome.folderProblems
    if outcome.peers.contains(where: \.isForeign) {
      problems.append(
        "copies of another owner were left out; with --adopt they are merged, and this store "
          + "becomes that owner's")
    }
    let sentences = problems.map(StoreWords.plain)
    throw VerbError(status: status, message: sentences.joined(separator: "\ntimerbox: "))
  }

  /// A path from the root: a service has another working folder.
  private static func absolute(_ path: String) throws(VerbError) -> String {
    if path.hasPrefix("/") { return path }
    if path.isEmpty { throw Verb.sync.usageError("found \"\", expected a DIR") }
    guard let here = Machine.linkTarget("/proc/self/cwd") else {
      throw VerbError(status: .inputOutput, message: "the working folder cannot be found")
    }
    return here.hasSuffix("/") ? here + path : "\(here)/\(path)"
  }
}
