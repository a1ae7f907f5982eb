import Sessions

/// The files of one shared folder, with what a file system tells of them.
///
/// Each is used by one test on one thread.
final class SharedFiles: @unchecked Sendable {
  struct File {
    var bytes: [UInt8]
    var version: UInt64
    var refusal: String?
  }

  var files: [String: File] = [:]
  var isAway = false
  /// A path that cannot be read.
  var unreadable: String?
  var cannotSetAside = false
  private(set) var writes: [String] = []
  private(set) var reads: [String] = []
  private var version: UInt64 = 0

  subscript(path: String) -> [UInt8]? {
    get { files[path]?.bytes }
    set {
      version += 1
      files[path] = newValue.map { File(bytes: $0, version: version) }
    }
  }

  func forgetCalls() { (writes, reads) = ([], []) }

  func expectHere() throws(FakeFailure) {
    if isAway { throw FakeFailure(description: "the folder is away") }
  }

  func read(_ path: String) throws(FakeFailure) -> [UInt8]? {
    try expectHere()
    if path == unreadable { throw FakeFailure(description: "\(path) cannot be read") }
    reads.append(path)
    return self[path]
  }

  func write(_ path: String, _ bytes: [UInt8]?) throws(FakeFailure) {
    try expectHere()
    writes.append(path)
    self[path] = bytes
  }
}

struct WorldFolder: ExchangeFolder {
  let all: SharedFiles

  func files() throws(FakeFailure) -> [FoundFile] {
    try all.expectHere()
    return all.files.map { path, file in
      FoundFile(
        path: path, bytes: Int64(file.bytes.count),
        modifiedNanoseconds: Int64(file.version) * 1_000_000_000, serial: file.version,
        refusal: file.refusal)
    }
  }

  func read(_ path: String) throws(FakeFailure) -> [UInt8]? { try all.read(path) }
  func replace(_ path: String, with bytes: [UInt8]) throws(FakeFailure) {
    try all.write(path, bytes)
  }
  func remove(_ path: String) throws(FakeFailure) { try all.write(path, nil) }
  func setAside(_ path: String) throws(FakeFailure) -> String {
    try all.expectHere()
    if all.cannotSetAside { throw FakeFailure(description: "\(path) cannot be set aside") }
    all[".syncthing.aside"] = all[path]
    return "aside"
  }
}

/// The files of one state folder, whose power can go at any call.
final class StateFiles {
  var files: [ReplicaFile: [UInt8]] = [:]
  /// What was set aside, by its first name.
  var aside: [ReplicaFile: [UInt8]] = [:]
  var cannotSetAside = false
  /// How many more writing calls are done before the power goes; nil: it stays.
  var callsLeft: Int?
  /// Whether the call at which the power goes is still done.
  var lastIsDone = false
  private(set) var writes: [ReplicaFile] = []

  func forgetCalls() { writes = [] }

  /// - Returns: whether the call is done.
  func call(_ file: ReplicaFile, _ body: (StateFiles) -> Void) throws(FakeFailure) {
    if let left = callsLeft {
      callsLeft = left - 1
      if left == 0 && lastIsDone { body(self) }
      if left <= 0 { throw FakeFailure(description: "the power is gone") }
    }
    writes.append(file)
    body(self)
  }
}

struct WorldDisk: ReplicaDisk {
  let all: StateFiles

  func volumes() throws(FakeFailure) -> [Volume] {
    all.files.keys.compactMap { file -> Volume? in
      if case .truth(let volume) = file { volume } else { nil }
    }.sorted()
  }

  func read(_ file: ReplicaFile) throws(FakeFailure) -> [UInt8]? { all.files[file] }

  func replace(
    _ file: ReplicaFile, with bytes: [UInt8], keepingEarlier: Bool
  ) throws(FakeFailure) {
    try all.call(file) { all in
      if keepingEarlier, let old = all.files[file] { all.files[.earlierTruth] = old }
      all.files[file] = bytes
    }
  }

  func remove(_ file: ReplicaFile) throws(FakeFailure) {
    try all.call(file) { $0.files[file] = nil }
  }

  func setAside(_ file: ReplicaFile) throws(FakeFailure) -> String {
    if all.cannotSetAside { throw FakeFailure(description: "it cannot be set aside") }
    try all.call(file) { $0.aside[file] = $0.files[file] }
    return "aside"
  }
}

/// A box: a storekeeper that can lose its power and come back with what its disk has.
final class WorldBox {
  let device: Identity
  let state = StateFiles()
  let shared: SharedFiles
  private let firstOwner: Identity
  var keeper: Storekeeper<WorldDisk, WorldFolder>

  init(_ number: UInt64, owner: Identity = owner, shared: SharedFiles = SharedFiles()) {
    device = Identity(randomHigh: 0x1000 + number, low: number)
    firstOwner = owner
    self.shared = shared
    keeper = Storekeeper(
      disk: WorldDisk(all: state), folder: WorldFolder(all: shared), owner: owner, device: device)
  }

  var path: String { Volume.main.exchangePath(of: device) }
  var store: SessionStore { keeper.store }

  /// The power comes back.
  @discardableResult
  func restart() -> [StoreReport] {
    state.callsLeft = nil
    keeper = Storekeeper(
      disk: WorldDisk(all: state), folder: WorldFolder(all: shared), owner: firstOwner,
      device: device)
    return keeper.open()
  }

  /// All that is kept, without whose file it is.
  var content: [UInt8] {
    var store = SessionStore(owner: keeper.store.owner, device: Identity(high: 0, low: 0))
    store.merge(keeper.store)
    return store.encode()
  }

  func forgetCalls() {
    state.forgetCalls()
    shared.forgetCalls()
  }

  var hasWritten: Bool { !state.writes.isEmpty || !shared.writes.isEmpty }
}
