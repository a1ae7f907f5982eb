import LinuxIO

/// The journal of the running sit in the state folder: what a start after a crash or a power cut
/// goes on from.
///
/// - It is replaced whole and durably each time, heartbeats too: after a power cut it reads as it
///   was told of last, and so credit never rests on bytes that were only in memory. That costs
///   three fsyncs of a kilobyte a minute while somebody sits, and nothing otherwise.
/// - The one before it is kept beside it, for the day on which a byte of it flips.
/// - Nobody but the process that holds the folder's lock writes here.
public struct JournalFile: Sendable {
  /// The file's name, and that of the one before it.
  public static let name = "journal"
  static let earlierName = "journal.1"
  /// A sit with 500 pauses takes some 40 KB.
  private static let readLimit = 4 << 20

  /// What was found at a start.
  public struct Found: Equatable, Sendable {
    /// The newest journal that is whole; nil where no sit was on.
    public var bytes: [UInt8]?
    /// Damaged ones, by the names under which they are kept.
    public var setAside: [String] = []
  }

  private let path: String
  private let root: any FolderCalls

  /// The journal in a state folder, which need not be there yet.
  public init(state: String) { self.init(state: state, from: LinuxFolder.working) }

  init(state: String, from root: any FolderCalls) {
    path = state
    self.root = root
  }

  /// Reads the journal, and sets aside what is damaged.
  /// - Parameter isWhole: whether bytes are a journal.
  public func read(_ isWhole: ([UInt8]) -> Bool) throws(StoreFileFault) -> Found {
    var found = Found()
    let folder: DurableFolder
    do throws(StoreFileFault) { folder = try DurableFolder(path, from: root) } catch {
      if error.errno == .noSuchFile { return found }
      throw error
    }
    for name in [JournalFile.name, JournalFile.earlierName] {
      guard let bytes = try folder.read(name, limit: JournalFile.readLimit) else { continue }
      if isWhole(bytes) {
        found.bytes = bytes
        return found
      }
      found.setAside.append(folder.whole(try folder.setAside(name)))
    }
    return found
  }

  /// Replaces the journal.
  public func write(_ bytes: [UInt8]) throws(StoreFileFault) {
    let folder = try DurableFolder(path, from: root)
    // That the earlier one is not kept costs nothing while this one is whole.
    try folder.replace(JournalFile.name, with: bytes, keeping: JournalFile.earlierName)
  }

  /// Removes the journal, and returns once the disk has that: no sit is on.
  public func erase() throws(StoreFileFault) {
    let folder = try DurableFolder(path, from: root)
    // The earlier one first: of a sit that is not to be, less is left to be found.
    try folder.remove(JournalFile.earlierName)
    try folder.removeDurably(JournalFile.name)
  }
}
