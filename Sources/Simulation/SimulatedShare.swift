import Sessions
import Synchronization

/// The shared folder of all boxes of a scenario, with an engine that carries at once between those
/// that are not split off.
///
/// Invariants:
/// - Each box has a view of its own. Of the boxes that are joined all views are equal.
/// - A version is newer if it was written later, whatever any clock says, as an engine's version
///   vectors have it. What was written on both sides of a split leaves a conflict copy.
/// - A box is told to look when something in its view was changed by somebody else.
final class SimulatedShare: Sendable {
  struct Entry: Equatable {
    var bytes: [UInt8]
    /// Counts writes of the whole share.
    var serial: UInt64
  }

  struct State {
    var views: [[String: Entry]]
    var isSplit: [Bool]
    var hasNews: [Bool]
    /// How the disk under each box's view is.
    var disks: [DiskState]
    /// How often each box has written into the folder.
    var writes: [Int]
    /// What each box wrote first under each name, for an engine that rolls back.
    var firsts: [[String: [UInt8]]]
    /// The serial up to which the views agreed when a box was split off.
    var agreed: [UInt64]
    var serial: UInt64 = 0
  }

  private let state: Mutex<State>

  init(boxes: Int) {
    let empty = State(
      views: Array(repeating: [:], count: boxes), isSplit: Array(repeating: false, count: boxes),
      hasNews: Array(repeating: false, count: boxes),
      disks: Array(repeating: .ok, count: boxes), writes: Array(repeating: 0, count: boxes),
      firsts: Array(repeating: [:], count: boxes), agreed: Array(repeating: 0, count: boxes))
    state = Mutex(empty)
  }

  func files(of box: Int) -> [FoundFile] {
    let view = state.withLock { $0.views[box] }
    return view.sorted { $0.key < $1.key }.map { path, entry in
      FoundFile(
        path: path, bytes: Int64(entry.bytes.count), modifiedNanoseconds: Int64(entry.serial),
        serial: entry.serial)
    }
  }

  func read(_ path: String, of box: Int) -> [UInt8]? {
    state.withLock { $0.views[box][path]?.bytes }
  }

  func disk(of box: Int) -> DiskState { state.withLock { $0.disks[box] } }

  func set(_ disk: DiskState, of box: Int) { state.withLock { $0.disks[box] = disk } }

  func writes(of box: Int) -> Int { state.withLock { $0.writes[box] } }

  /// A box writes a file, or removes it where there are no bytes.
  func write(_ path: String, _ bytes: [UInt8]?, by box: Int) {
    state.withLock { state in
      if let bytes {
        state.writes[box] += 1
        if state.firsts[box][path] == nil { state.firsts[box][path] = bytes }
      }
      state.put(path, bytes, in: box, isNews: false)
    }
  }

  /// Something befalls the folder as a box sees it.
  func change(_ change: ShareChange, of box: Int, own: String) {
    state.withLock { state in
      switch change {
      case .split:
        if !state.isSplit[box] { state.agreed[box] = state.serial }
        state.isSplit[box] = true
      case .join: state.join(box)
      case .peer(let name, let bytes): state.put(name, bytes, in: box, isNews: true)
      case .copyGone: state.put(own, nil, in: box, isNews: true)
      case .copyEmpty: state.put(own, [], in: box, isNews: true)
      case .copyOld: state.put(own, state.firsts[box][own], in: box, isNews: true)
      }
    }
  }

  /// Whether a box is to look, once for each change.
  func takeNews(of box: Int) -> Bool {
    state.withLock { state in
      defer { state.hasNews[box] = false }
      return state.hasNews[box]
    }
  }
}

extension SimulatedShare.State {
  /// Puts a file into the view of a box and of all that are joined with it.
  fileprivate mutating func put(_ path: String, _ bytes: [UInt8]?, in box: Int, isNews: Bool) {
    serial += 1
    let entry = bytes.map { SimulatedShare.Entry(bytes: $0, serial: serial) }
    for other in views.indices where other == box || !(isSplit[box] || isSplit[other]) {
      views[other][path] = entry
      if other != box || isNews { hasNews[other] = true }
    }
  }

  /// Brings a box that was split off together with those that are joined.
  fileprivate mutating func join(_ box: Int) {
    guard isSplit[box] else { return }
    isSplit[box] = false
    guard let other = views.indices.first(where: { $0 != box && !isSplit[$0] }) else { return }
    var joined = views[other]
    for (path, entry) in views[box] {
      guard let there = joined[path], there != entry else {
        joined[path] = entry
        continue
      }
      let (newer, older) = there.serial > entry.serial ? (there, entry) : (entry, there)
      joined[path] = newer
      if older.serial > agreed[box] {
        joined[SimulatedShare.conflictName(of: path, older.serial)] = older
      }
    }
    for index in views.indices where !isSplit[index] && views[index] != joined {
      views[index] = joined
      hasNews[index] = true
    }
  }
}

extension SimulatedShare {
  /// The name that Syncthing gives the loser of a conflict, with the serial for the time: no two
  /// have the same.
  fileprivate static func conflictName(of path: String, _ serial: UInt64) -> String {
    let digits = String(serial)
    let time = String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
    return path.dropLast(Volume.suffix.utf8.count) + ".sync-conflict-20260101-\(time)-ABCDEFG"
      + Volume.suffix
  }
}

/// The shared folder as one box sees it.
struct SimulatedFolder: ExchangeFolder {
  let share: SimulatedShare
  let box: Int

  private var state: DiskState { share.disk(of: box) }

  func files() throws(SimulatedDiskError) -> [FoundFile] {
    try state.expectReadable()
    return share.files(of: box)
  }

  func read(_ path: String) throws(SimulatedDiskError) -> [UInt8]? {
    try state.expectReadable()
    return share.read(path, of: box)
  }

  func replace(_ path: String, with bytes: [UInt8]) throws(SimulatedDiskError) {
    try state.expectWritable()
    share.write(path, bytes, by: box)
  }

  func remove(_ path: String) throws(SimulatedDiskError) {
    try state.expectWritable()
    share.write(path, nil, by: box)
  }

  func setAside(_ path: String) throws(SimulatedDiskError) -> String {
    try state.expectWritable()
    return "damaged"
  }
}
