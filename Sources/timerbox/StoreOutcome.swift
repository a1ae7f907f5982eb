import LinuxIO
import Sessions
import StoreFiles

/// What a verb did to the store, whoever did it: this process, or the service that was asked.
struct StoreOutcome: Equatable {
  /// A copy that was found.
  struct Peer: Equatable {
    var path: String
    var device: String?
    var ageSeconds: Int64?
    var sits: Int
    var problem: String?
    var isForeign = false
  }

  /// How many copies, keys and the like are named; there can be any number.
  static let namesMax = 100
  /// How long the text of an outcome may be, so that twice that, as a text within an answer of the
  /// control socket, is under the socket's bound.
  static let wireBytesMax = 120 * 1_024

  /// What became of the truth, and of what was asked.
  var status = ExitStatus.done
  /// What went wrong there, as sentences.
  var problems: [String] = []
  /// What became of the shared folder and of another one. The truth does not mind.
  var folderStatus = ExitStatus.done
  var folderProblems: [String] = []
  var sits = 0
  var newSits = 0
  var bytes = 0
  var changedKeys: [String] = []
  var reason: String?
  var isWritten = false
  var isShared = false
  var restored: [String] = []
  var removed: [String] = []
  var archivedMonths: [String] = []
  var salvaged: [String] = []
  var peers: [Peer] = []
  var peersMore = 0
  /// How many keys and the like are not named.
  var namesMore = 0
  /// What became of changes of sits.
  var tally = SitTally()

  init(_ merge: StoreMerge, at wall: WallInstant?) {
    self.init(merge.reports + merge.otherReports)
    sits = merge.status.usage.sits
    newSits = merge.newSits
    bytes = merge.status.usage.bytes
    var seen = merge.status.peers
    for case .peers(let others) in merge.otherReports { seen += others }
    peers = seen.map { Peer($0, at: wall) }
    for peer in seen where peer.isUnreadable {
      take(.exchangeFailed(reason: peer.problem ?? "\(peer.path) cannot be read"))
    }
    if peers.contains(where: \.isForeign), folderStatus == .done { folderStatus = .notHeld }
    bound(to: StoreOutcome.namesMax)
  }

  init(_ reports: [StoreReport], _ tally: SitTally) {
    self.init(reports)
    self.tally = tally
  }

  init(_ reports: [StoreReport]) {
    for report in reports { take(report) }
    bound(to: StoreOutcome.namesMax)
  }

  /// Leaves so many of each list, and counts the others.
  private mutating func bound(to max: Int) {
    peersMore += Swift.max(0, peers.count - max)
    peers = Array(peers.prefix(max))
    for list in [
      \StoreOutcome.changedKeys, \.restored, \.removed, \.salvaged, \.problems, \.folderProblems,
    ] {
      namesMore += Swift.max(0, self[keyPath: list].count - max)
      self[keyPath: list] = Array(self[keyPath: list].prefix(max))
    }
    // The first and the last month say all that is told of them.
    if archivedMonths.count > 2 * max {
      namesMore += archivedMonths.count - 2 * max
      archivedMonths.removeSubrange(max..<(archivedMonths.count - max))
    }
  }

  /// The outcome as a text that fits into an answer of the control socket. Where names are very
  /// long, fewer of them are in it.
  func wire() -> [UInt8] {
    var outcome = self
    var names = StoreOutcome.namesMax
    while true {
      let bytes = outcome.json.encoded()
      if bytes.count <= StoreOutcome.wireBytesMax || names == 0 { return bytes }
      names /= 2
      outcome.bound(to: names)
    }
  }

  private mutating func take(_ report: StoreReport) {
    switch report {
    case .refused(let reason):
      status = reason.hasPrefix("the value: ") ? .badData : .notHeld
      problems.append(StoreOutcome.prose(reason))
    case .failed(let reason):
      status = StoreOutcome.status(of: reason)
      if !problems.contains(reason) { problems.append(reason) }
    case .exchangeFailed(let reason):
      folderStatus = StoreOutcome.status(of: reason)
      if !folderProblems.contains(reason) { folderProblems.append(reason) }
    case .salvaged(let path, let lines, let name):
      let kept = name.map { "; the damaged file is kept as \($0)" } ?? ""
      let places = lines.count == 1 ? "one place" : "\(lines.count) places"
      salvaged.append("\(path) was damaged in \(places), and the rest was read\(kept)")
    case .written: isWritten = true
    case .exchanged: isShared = true
    case .archived(let months): archivedMonths += months
    case .changed(let keys, let reason):
      changedKeys += keys.filter { !changedKeys.contains($0) }
      self.reason = reason.rawValue
    case .restored(let path): restored.append(path)
    case .conflictRemoved(let path): removed.append(path)
    case .opened, .kept, .peers, .cloned, .choicesWritten, .choicesFailed: break
    }
  }

  private static func status(of reason: String) -> ExitStatus {
    reason.hasPrefix("no permission for ") ? .noPermission : .inputOutput
  }

  /// The store's reasons name the cap first, as a program wants it; a person reads a sentence.
  static func prose(_ reason: String) -> String {
    let mark = "quotaViolation: "
    return reason.hasPrefix(mark)
      ? "\(reason.dropFirst(mark.utf8.count)) (quotaViolation)" : reason
  }
}

extension StoreOutcome.Peer {
  init(_ seen: PeerSeen, at wall: WallInstant?) {
    path = seen.path
    device = seen.device?.description
    ageSeconds = wall.map { ($0.milliseconds - seen.modified.milliseconds) / 1_000 }
    sits = seen.sits
    problem = seen.problem
    isForeign = seen.isForeign
  }
}

// MARK: - JSON

extension StoreOutcome {
  /// The outcome as one object.
  var json: JSONValue {
    func texts(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }
    func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
    return .object(of: [
      JSONMember("archivedMonths", texts(archivedMonths)), JSONMember("bytes", count(bytes)),
      JSONMember("bytesMax", count(StoreCaps.fileBytes)),
      JSONMember("changedKeys", texts(changedKeys)),
      JSONMember("isShared", .bool(isShared)), JSONMember("isWritten", .bool(isWritten)),
      JSONMember("namesMore", count(namesMore)), JSONMember("newSits", count(newSits)),
      JSONMember("peers", .array(peers.map(\.json))),
      JSONMember("peersMore", count(peersMore)), JSONMember("problems", texts(problems)),
      JSONMember("folderProblems", texts(folderProblems)),
      JSONMember("folderStatus", .integer(Int64(folderStatus.rawValue))),
      JSONMember("reason", reason.map { .string($0) } ?? .null),
      JSONMember("removed", texts(removed)), JSONMember("restored", texts(restored)),
      JSONMember("salvaged", texts(salvaged)), JSONMember("sits", count(sits)),
      JSONMember("status", .integer(Int64(status.rawValue))), JSONMember("tally", tally.json),
    ])
  }

  /// Reads what another process made; nil where it is none.
  init?(_ text: String) {
    guard let json = try? JSONValue(parsing: Array(text.utf8)) else { return nil }
    func status(_ name: String) -> ExitStatus? {
      json[name]?.integerValue.flatMap { Int32(exactly: $0) }.flatMap { ExitStatus(rawValue: $0) }
    }
    guard let whole = status("status"), let outer = status("folderStatus") else { return nil }
    func texts(_ name: String) -> [String] {
      json[name]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
    func count(_ name: String) -> Int { Int(json[name]?.integerValue ?? 0) }
    self.status = whole
    folderStatus = outer
    folderProblems = texts("folderProblems")
    archivedMonths = texts("archivedMonths")
    bytes = count("bytes")
    changedKeys = texts("changedKeys")
    isShared = json["isShared"]?.boolValue ?? false
    isWritten = json["isWritten"]?.boolValue ?? false
    namesMore = count("namesMore")
    newSits = count("newSits")
    peers = (json["peers"]?.arrayValue ?? []).map { Peer($0) }
    peersMore = count("peersMore")
    problems = texts("problems")
    reason = json["reason"]?.stringValue
    removed = texts("removed")
    restored = texts("restored")
    salvaged = texts("salvaged")
    sits = count("sits")
    tally = json["tally"].flatMap { SitTally(json: $0) } ?? SitTally()
  }
}

extension StoreOutcome.Peer {
  fileprivate var json: JSONValue {
    .object(of: [
      JSONMember("ageSeconds", ageSeconds.map { .integer($0) } ?? .null),
      JSONMember("device", device.map { .string($0) } ?? .null),
      JSONMember("isForeign", .bool(isForeign)), JSONMember("path", .string(path)),
      JSONMember("problem", problem.map { .string($0) } ?? .null),
      JSONMember("sits", .integer(Int64(sits))),
    ])
  }

  fileprivate init(_ json: JSONValue) {
    path = json["path"]?.stringValue ?? ""
    device = json["device"]?.stringValue
    ageSeconds = json["ageSeconds"]?.integerValue
    sits = Int(json["sits"]?.integerValue ?? 0)
    problem = json["problem"]?.stringValue
    isForeign = json["isForeign"]?.boolValue ?? false
  }
}

// MARK: - Lines

extension StoreOutcome.Peer {
  fileprivate var line: String {
    if isForeign || device == nil, let problem {
      return "left out \(StoreWords.plain(path)): \(StoreWords.plain(problem))"
    }
    let age = ageSeconds.map { ", written \(StoreWords.age($0)) ago" } ?? ""
    let but = problem.map { "; \(StoreWords.plain($0))" } ?? ""
    return "read \(StoreWords.plain(path)): \(StoreWords.counted(sits, "sit"))\(age)\(but)"
  }
}

extension StoreOutcome {
  /// What was done, in a few lines for people; what went wrong is said elsewhere.
  var lines: [String] {
    var lines = [
      "\(StoreWords.counted(sits, "sit")), \(newSits == 0 ? "none" : "\(newSits)") of them new"
    ]
    lines += peers.map(\.line)
    if peersMore > 0 { lines.append("and \(StoreWords.counted(peersMore, "more file"))") }
    lines += restored.map { "restored \($0), which had less than was written" }
    lines += removed.map { "removed \($0), whose content is merged" }
    lines += salvaged
    if namesMore > 0 { lines.append("and \(StoreWords.counted(namesMore, "more name"))") }
    if let first = archivedMonths.first, let last = archivedMonths.last {
      lines.append("archived the months \(first) to \(last)")
    }
    if isShared {
      lines.append("wrote our copy")
    } else if folderProblems.isEmpty {
      lines.append("our copy is up to date")
    }
    return lines
  }
}

// MARK: - Several requests

extension StoreOutcome {
  /// Puts what another request for the same work did to this one.
  /// - Parameter first: the place of its first change among all.
  mutating func add(_ other: StoreOutcome, from first: Int) {
    status = other.status
    if other.folderStatus != .done { folderStatus = other.folderStatus }
    problems += other.problems.filter { !problems.contains($0) }
    folderProblems += other.folderProblems.filter { !folderProblems.contains($0) }
    salvaged += other.salvaged
    tally.add(other.tally, from: first)
  }
}
