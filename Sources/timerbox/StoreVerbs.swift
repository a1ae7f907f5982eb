import ControlSocket
import LinuxIO
import Sessions
import Settings
import StoreFiles

extension Verb {
  static let keyValue = Verb(
    "kv", "list|get KEY|set KEY JSON|delete KEY|usage", words: 1...3, "look at the store itself",
    details: """
      With "kv set KEY -" the value is read from standard input. What is a device's own (volume,
      sound.device and the like) is never shared and has no key: timerbox set. Under programme.ID,
      journey.ID, day.starts and day.grace only a value is taken that the program can use; every
      other key takes any.
      """,
    run: KeyValueVerb.run)
}

/// The truth as files, read without the lock.
struct StoreFile {
  /// What is said of a store that is not whole.
  static let damageText =
    "the store is damaged, and sits may be missing here; timerbox run mends it from its other "
    + "copies"

  let store: SessionStore
  /// Whether nothing is missing or damaged. What is not is told where it is read.
  let isWhole: Bool

  init(_ options: Options) throws(VerbError) {
    let state = Places.stateFolder(options)
    // A device without sits has no folder yet; one that somebody names is to be there.
    if options.has("--state"), (try? Files.statusFollowingLinks(state)) == nil {
      throw VerbError(status: .inputOutput, message: "\(state): there is no such folder")
    }
    let files: TruthFiles
    do throws(StoreFileFault) { files = try TruthReader.files(inState: state) } catch {
      throw StoreDoor.verbError(error)
    }
    store = StoreFile.store(files.all)
    isWhole = store.damage.isEmpty && !files.isMainMissing
    if files.isMainMissing { Output.complain("timerbox: \(state)/truth.kv is missing") }
    if !store.damage.isEmpty { StoreFile.tell(store.damage, of: files, state) }
  }

  static func store(_ files: [VolumeFile]) -> SessionStore {
    let nobody = Identity(high: 0, low: 0)
    return SessionStore(salvaging: files, owner: nobody, device: nobody)
  }

  private static func tell(_ damage: [DamagedLine], of files: TruthFiles, _ state: String) {
    let nobody = Identity(high: 0, low: 0)
    for file in files.volumes {
      let alone = SessionStore(salvaging: file.bytes, owner: nobody, device: nobody)
      for line in alone.damage {
        Output.complain("timerbox: \(state)/\(file.volume.truthPath): \(line)")
      }
    }
    for line in damage {
      switch line.reason {
      // Other files are missing, by what the main one says.
      case .archiveIncomplete, .volumesMissing:
        Output.complain("timerbox: \(state)/truth.kv: \(line)")
      default: break
      }
    }
  }
}

enum KeyValueVerb {
  static func run(_ options: Options) throws(VerbError) -> ExitStatus {
    switch (options.words[0], options.words.count) {
    case ("list", 1):
      try list(options)
    case ("get", 2): try get(options)
    case ("usage", 1): try usage(options)
    case ("set", 3):
      try KeyValueVerb.refuseLocal(options.words[1])
      let value = try value(options.words[2])
      try refuseUnusable(value, under: options.words[1], options)
      try change(options.words[1], to: value, options)
    case ("delete", 2): try change(options.words[1], to: nil, options)
    case ("list", _), ("get", _), ("set", _), ("delete", _), ("usage", _):
      throw Verb.keyValue.usageError("\"\(options.words[0])\" has too many or too few words")
    case (let word, _):
      let known = ["list", "get", "set", "delete", "usage"]
      let hint = suggestion(for: word, among: known)
      throw Verb.keyValue.usageError(
        "found \"\(word)\", expected \(known.joined(separator: ", "))\(hint)")
    }
    return .done
  }

  /// What is a device's own has no place in what is shared.
  static func refuseLocal(_ key: String) throws(VerbError) {
    guard let reason = LocalName.refusal(of: key) else { return }
    throw VerbError(status: .notHeld, message: reason)
  }

  /// What the program itself reads under a key must be of use to it.
  private static func refuseUnusable(
    _ value: JSONValue, under key: String, _ options: Options
  ) throws(VerbError) {
    guard SyncedName(key) != nil else { return }
    let (configuration, sounds) = try Places.configurationAndSounds(options)
    let flaw = configuration.refusal(
      of: value, under: key, beside: try StoreFile(options).store.definitions, sounds: sounds)
    guard let flaw else {
      for line in Configuration.unknownMembers(of: value, under: key) {
        Output.complain("timerbox: \(StoreWords.plain(line))")
      }
      return
    }
    throw VerbError(status: .badData, message: "\(StoreWords.plain(key)): \(flaw.fault)")
  }

  /// The keys, one a line; one that would break its line is written as a text in JSON.
  private static func list(_ options: Options) throws(VerbError) {
    let store = try StoreFile(options).store
    guard options.has("--json") else {
      Output.write(store.keys.map { line($0) + "\n" }.joined())
      return
    }
    let rows = store.keys.map { key in
      let bytes = store.value(forKey: key).map { $0.encoded().count } ?? 0
      return JSONValue.object(of: [
        JSONMember("bytes", .integer(Int64(bytes))), JSONMember("key", .string(key)),
      ])
    }
    Output.write(JSONValue.array(rows).encoded() + [UInt8(ascii: "\n")])
  }

  private static func line(_ key: String) -> String {
    let isPlain = key.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    return isPlain ? key : line(quoting: key)
  }

  private static func line(quoting key: String) -> String {
    String(decoding: JSONValue.string(key).encoded(), as: UTF8.self)
  }

  private static func get(_ options: Options) throws(VerbError) {
    let key = options.words[1]
    guard let value = try StoreFile(options).store.value(forKey: key) else {
      throw VerbError(status: .notHeld, message: "there is no key \(line(quoting: key))")
    }
    Output.write(value.encoded() + [UInt8(ascii: "\n")])
  }

  private static func usage(_ options: Options) throws(VerbError) {
    let usage = try StoreFile(options).store.usage
    if options.has("--json") {
      let members = [
        JSONMember("bytes", .integer(Int64(usage.bytes))),
        JSONMember("bytesMax", .integer(Int64(StoreCaps.fileBytes))),
        JSONMember("keys", .integer(Int64(usage.keys))),
        JSONMember("keysMax", .integer(Int64(StoreCaps.keys))),
        JSONMember("archivedSits", .integer(Int64(usage.archivedSits))),
        JSONMember("sits", .integer(Int64(usage.sits))),
      ]
      Output.write(JSONValue.object(of: members).encoded() + [UInt8(ascii: "\n")])
    } else {
      Output.write("\(usage.bytes) of \(StoreCaps.fileBytes) bytes\n")
      Output.write("\(usage.keys) of \(StoreCaps.keys) keys\n")
      let archived = usage.archivedSits > 0 ? ", \(usage.archivedSits) of them archived" : ""
      Output.write("\(StoreWords.counted(usage.sits, "sit"))\(archived)\n")
    }
  }

  private static func value(_ word: String) throws(VerbError) -> JSONValue {
    let bytes = word == "-" ? try standardInput() : Array(word.utf8)
    do throws(JSONError) { return try JSONValue(parsing: bytes) } catch {
      throw VerbError(status: .badData, message: "the value: \(error)")
    }
  }

  private static func standardInput() throws(VerbError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      while let part = try LentDescriptor.standardInput.read(limit: 1 << 16), !part.isEmpty {
        bytes += part
        if bytes.count > 2 * StoreCaps.fileBytes { break }
      }
    } catch {
      throw VerbError(status: .inputOutput, message: "standard input: \(error.errno.text)")
    }
    if bytes.count > 2 * StoreCaps.fileBytes { try refuseOversize("", bytes.count) }
    return bytes
  }

  /// What no store takes is not sent to a box either.
  private static func refuseOversize(_ key: String, _ valueBytes: Int) throws(VerbError) {
    let allowed = StoreCaps.fileBytes - StoreCaps.bytesForSits
    let violation: StoreError
    if key.utf8.count > StoreCaps.keyBytes {
      violation = .quotaViolation(
        .keyBytes, needed: key.utf8.count, allowed: StoreCaps.keyBytes)
    } else if valueBytes > StoreCaps.fileBytes {
      violation = .quotaViolation(.fileBytes, needed: valueBytes, allowed: allowed)
    } else {
      return
    }
    throw VerbError(status: .notHeld, message: StoreOutcome.prose(violation.description))
  }

  /// Changes a key: under the store's lock, or through the box that runs on it.
  static func change(
    _ key: String, to value: JSONValue?, _ options: Options
  ) throws(VerbError) {
    var request = ControlRequest(value == nil ? .keyDelete : .keySet)
    request.key = key
    if let bytes = value?.encoded() {
      try refuseOversize(key, bytes.count)
      request.value = String(decoding: bytes, as: UTF8.self)
    }
    let outcome = try StoreDoor.write(options, asking: request) { keeper in
      // What fails at the opening is tried again, and told again, by the change.
      let salvaged = keeper.open().filter { if case .salvaged = $0 { true } else { false } }
      return StoreOutcome(salvaged + keeper.set(key, to: value, at: StoreDoor.time()))
    }
    // The truth decides; a shared folder that cannot be written is told and no failure.
    for line in outcome.salvaged + outcome.folderProblems { Output.complain("timerbox: \(line)") }
    if outcome.status != .done {
      throw VerbError(
        status: outcome.status, message: outcome.problems.joined(separator: "; "))
    }
  }
}
