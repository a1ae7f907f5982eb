/// What a disk holds, in the least that POSIX lets a program rely on.
///
/// - Data: programs see them as written. After a power cut they are as at the last fsync of the file
///   if unchanged since, else empty, zeros, cut at any block, or whole.
/// - Names: programs see them as made, renamed and removed. After a power cut they are as at the last
///   fsync of the folder, with any part of what came after, by the rules chosen.
///
/// After an fsync that failed the kernel takes the file's pages for written: a later one succeeds
/// and changes nothing.
struct ModelDisk: Hashable {
  struct File: Hashable {
    var bytes: [UInt8] = []
    /// The content at the last fsync; nil before the first.
    var synced: [UInt8]?
    var hasLostPages = false
    /// Room without content.
    var reserved = 0
    /// Grows with each write.
    var time = 0
  }

  /// One call on a folder's names. A rename does both.
  struct Change: Hashable {
    var removed: String?
    var name: String?
    var inode = 0
    var isRename: Bool { removed != nil && name != nil }
  }

  struct Folder: Hashable {
    var names: [String: Int] = [:]
    var durable: [String: Int] = [:]
    /// What came after the last fsync of the folder, in its order.
    var pending: [Change] = []
    /// vfat alone: names given by a rename whose file has not been synchronised since. On the disk
    /// such an entry leads to the freed clusters of the file that had the name before.
    var stale: Set<String> = []
  }

  /// Whether what is synchronised is acknowledged and dropped.
  var forgetsWrites = false

  /// What may be lost of names.
  enum NameRules: CaseIterable {
    /// The first so many changes are there, as a journal keeps them.
    case inOrder
    /// Any of them are there, each whole.
    case anySubset
    /// Any of them, and of a rename either half.
    case torn
  }

  struct Rules {
    var names = NameRules.anySubset
    /// Whether renames leave entries to freed clusters, as on vfat.
    var isFAT = false
    static let blockSize = 64
  }

  var files: [Int: File] = [:]
  var folders: [Int: Folder] = [0: Folder()]
  var nextInode = 1

  mutating func change(_ folder: Int, _ change: Change) {
    if let removed = change.removed { folders[folder]?.names[removed] = nil }
    if let name = change.name { folders[folder]?.names[name] = change.inode }
    folders[folder]?.pending.append(change)
    if change.isRename, let name = change.name { folders[folder]?.stale.insert(name) }
    if !change.isRename, let name = change.removed { folders[folder]?.stale.remove(name) }
  }

  mutating func sync(file: Int) {
    guard let known = files[file], !known.hasLostPages else { return }
    if forgetsWrites {
      files[file]?.hasLostPages = true
      return
    }
    files[file]?.synced = known.bytes
    for (number, folder) in folders {
      folders[number]?.stale = folder.stale.filter { folder.names[$0] != file }
    }
  }

  mutating func sync(folder: Int) {
    let names = folders[folder]?.names ?? [:]
    folders[folder]?.durable = names
    folders[folder]?.pending = []
  }

  /// Every disk that a power cut at this moment can leave, all of it durable then.
  func afterPowerCut(_ rules: Rules) -> Set<ModelDisk> {
    var states: [ModelDisk] = [ModelDisk(files: files, folders: [:], nextInode: nextInode)]
    for (number, folder) in folders.sorted(by: { $0.key < $1.key }) {
      let choices = folder.durableNames(rules)
      states = states.flatMap { state in
        choices.map { names in
          var next = state
          next.folders[number] = Folder(names: names, durable: names, stale: folder.stale)
          return next
        }
      }
    }
    return states.reduce(into: []) { all, state in
      all.formUnion(state.reachable().withDurableData(rules))
    }
  }

  /// Only what a name leads to.
  private func reachable() -> ModelDisk {
    var kept = ModelDisk(nextInode: nextInode)
    var open = [0]
    while let number = open.popLast() {
      guard let folder = folders[number] else { continue }
      kept.folders[number] = folder
      for inode in folder.names.values {
        if let file = files[inode] { kept.files[inode] = file } else { open.append(inode) }
      }
    }
    return kept
  }

  private func withDurableData(_ rules: Rules) -> [ModelDisk] {
    var states = [self]
    for (inode, file) in files.sorted(by: { $0.key < $1.key }) {
      let isStale =
        rules.isFAT
        && folders.values.contains { folder in folder.stale.contains { folder.names[$0] == inode } }
      let contents = isStale ? file.freedClusters : file.durableContents
      states = states.flatMap { state in
        contents.map { bytes in
          var next = state
          next.files[inode]?.bytes = bytes
          next.files[inode]?.synced = bytes
          next.files[inode]?.hasLostPages = false
          return next
        }
      }
    }
    return states.map { state in
      var settled = state
      for number in state.folders.keys { settled.folders[number]?.stale = [] }
      return settled
    }
  }
}

extension ModelDisk.Folder {
  fileprivate func durableNames(_ rules: ModelDisk.Rules) -> Set<[String: Int]> {
    var changes = pending
    var choices: [[Bool]] = []
    switch rules.names {
    case .inOrder:
      choices = (0...changes.count).map { count in changes.indices.map { $0 < count } }
    case .anySubset: choices = ModelDisk.subsets(of: changes.count)
    case .torn:
      changes = changes.flatMap { change in
        change.isRename
          ? [
            ModelDisk.Change(name: change.name, inode: change.inode),
            ModelDisk.Change(removed: change.removed),
          ] : [change]
      }
      choices = ModelDisk.subsets(of: changes.count)
    }
    return choices.reduce(into: []) { all, choice in
      var names = durable
      for (change, isThere) in zip(changes, choice) where isThere {
        if let removed = change.removed { names[removed] = nil }
        if let name = change.name { names[name] = change.inode }
      }
      all.insert(names)
    }
  }
}

extension ModelDisk {
  fileprivate static func subsets(of count: Int) -> [[Bool]] {
    precondition(count <= 16, "too many changes of names without an fsync of the folder")
    return (0..<(1 << count)).map { bits in (0..<count).map { bits >> $0 & 1 == 1 } }
  }
}

extension ModelDisk.File {
  /// What a file can read as after a power cut.
  fileprivate var durableContents: Set<[UInt8]> {
    if synced == bytes { return [bytes] }
    var contents: Set<[UInt8]> = [bytes, [], [UInt8](repeating: 0, count: bytes.count)]
    if let synced { contents.insert(synced) }
    for cut in stride(from: 0, to: bytes.count, by: ModelDisk.Rules.blockSize) {
      let head = Array(bytes.prefix(cut))
      contents.insert(head)
      contents.insert(head + [UInt8](repeating: 0, count: bytes.count - cut))
    }
    return contents
  }

  fileprivate var freedClusters: Set<[UInt8]> {
    [[], [UInt8](repeating: 0, count: bytes.count), [UInt8](repeating: 0x5A, count: bytes.count)]
  }
}
