import Sessions
import Settings
import StoreFiles

// Repair by hand: a sit that was forgotten, one that is wrong, one that was none.
extension Verb {
  static let add = Verb(
    "add", "--start INSTANT --duration LENGTH [--FIELD VALUE]… [--force]",
    "add a sit by hand, and print its id",
    details: """
      It is refused where a sit of the same kind of device is there at that time, the one that
      runs now too, and where it is not over yet, unless it is forced. Its day is that of INSTANT,
      in the offset that is written there.
      """,
    options: SitFields.options, run: RepairVerbs.add)

  static let edit = Verb(
    "edit", "ID [--FIELD VALUE]… [--force]", words: 1...1, "change a sit",
    details: """
      ID is the sit's own, as history --json shows it, or its first 8 digits or more. A new start
      moves the whole sit, a new duration its end. An empty VALUE clears a field that may be empty.
      """,
    options: SitFields.options, run: RepairVerbs.edit)

  static let delete = Verb(
    "delete", "ID…", words: 1...1_000, "delete sits for good, on all devices that share them",
    details: "ID is as for edit. Of several either all are deleted or none. undo brings them back.",
    run: RepairVerbs.delete)

  static let undo = Verb(
    "undo", "[--force]", "bring back what was deleted here last, as new sits, and print their ids",
    details: "It is refused where a sit of the same kind of device is there by now, as add is.",
    options: [SitFields.force], run: RepairVerbs.undo)
}

enum RepairVerbs {
  static func add(_ options: Options) throws(VerbError) -> ExitStatus {
    for name in ["--start", "--duration"] where options.value(name) == nil {
      throw Verb.add.usageError("\(name) is missing")
    }
    var members = try SitFields.members(options)
    if let duration = members.first(where: { $0.name == "durationSeconds" }) {
      if duration.value == .integer(0) {
        throw VerbError(status: .badData, message: "--duration: a sit lasts one second or more")
      }
      if options.value("--planned") == nil {
        members.append(JSONMember("plannedSeconds", duration.value))
      }
    }
    // A device has a name, and a sit by hand is a box's.
    members.removeAll { $0.name == "sourceDevice" && $0.value == .null }
    var session: MeditationSession
    do throws(FieldProblem) { session = try MeditationSession(json: .object(of: members)) } catch {
      throw VerbError(status: .badData, message: error.description)
    }
    if let problem = session.contradiction { throw VerbError(status: .badData, message: problem) }
    do throws(StoreFileFault) { session.id = try FolderDisk.randomIdentity() } catch {
      throw StoreDoor.verbError(error)
    }
    return try change([.add(session, isForced: options.has("--force"))], options)
  }

  static func edit(_ options: Options) throws(VerbError) -> ExitStatus {
    let members = try SitFields.members(options)
    if members.isEmpty { throw Verb.edit.usageError("no field is given") }
    let id = try identity(options.words[0])
    return try change([.edit(id: id, members, isForced: options.has("--force"))], options)
  }

  static func delete(_ options: Options) throws(VerbError) -> ExitStatus {
    var changes: [SitChange] = []
    for word in options.words { changes.append(.delete(id: try identity(word))) }
    return try change(changes, options)
  }

  static func undo(_ options: Options) throws(VerbError) -> ExitStatus {
    try change([.undo(isForced: options.has("--force"))], options)
  }

  /// What cannot name a sit is wrong before any store is asked.
  private static func identity(_ word: String) throws(VerbError) -> String {
    if SitChange.canName(word) { return word }
    throw VerbError(
      status: .badData, message: StoreError.notAnIdentity(word).description)
  }

  private static func change(
    _ changes: [SitChange], _ options: Options
  ) throws(VerbError) -> ExitStatus {
    let outcome = try StoreDoor.change(changes, options)
    for line in outcome.salvaged + outcome.folderProblems { Output.complain("timerbox: \(line)") }
    if outcome.status != .done {
      throw VerbError(status: outcome.status, message: outcome.problems.joined(separator: "; "))
    }
    let tally = outcome.tally
    if options.has("--json") {
      Output.write(tally.json.encoded() + [UInt8(ascii: "\n")])
    } else {
      Output.write(tally.identities.map { "\($0)\n" }.joined())
    }
    return .done
  }
}
