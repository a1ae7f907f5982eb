/// A file in the state folder, by what it is for.
public enum ReplicaFile: Hashable, Sendable {
  /// A volume of the full replica.
  case truth(Volume)
  /// The main volume before its last change, beside it.
  case earlierTruth
  /// What was chosen on this device and stays on it.
  case choices
  /// For which days reminders have called on this device.
  case called
  /// The sits that were deleted last, for an undo.
  case deletedLast
}

/// The state folder: a real disk, or a simulated one. Every call is made on one thread.
public protocol ReplicaDisk: ~Copyable {
  /// Why the disk refused, as a sentence for people.
  associatedtype Failure: Error, CustomStringConvertible, Sendable

  /// The volumes of the truth that are there, in their order.
  mutating func volumes() throws(Failure) -> [Volume]

  /// The whole file; nil when there is none.
  mutating func read(_ file: ReplicaFile) throws(Failure) -> [UInt8]?

  /// Replaces a file, whole and durably: at every instant it reads as before or as after.
  /// - Parameter keepingEarlier: whether what stands there now becomes `earlierTruth`.
  mutating func replace(
    _ file: ReplicaFile, with bytes: [UInt8], keepingEarlier: Bool
  ) throws(Failure)

  /// Removes a file durably; without one nothing happens.
  mutating func remove(_ file: ReplicaFile) throws(Failure)

  /// Gives a damaged file a second name, and leaves it under its own until it is replaced or
  /// removed: what could be salvaged of it is in no other file yet.
  /// - Returns: the second name.
  mutating func setAside(_ file: ReplicaFile) throws(Failure) -> String
}

/// A folder that boxes share and any engine may carry: every file there may come from anybody, and
/// may be empty, old, huge, damaged or away the next moment. Paths are within the folder.
public protocol ExchangeFolder: Sendable {
  /// Why the folder refused, as a sentence for people.
  associatedtype Failure: Error, CustomStringConvertible, Sendable

  /// Everything there that may be a replica by its name, in the order of the paths.
  /// - Throws: also when the folder is not there: an unplugged disk is no empty one.
  mutating func files() throws(Failure) -> [FoundFile]

  /// The whole file; nil when there is none any more.
  mutating func read(_ path: String) throws(Failure) -> [UInt8]?

  /// Replaces a file of our own, whole and durably.
  mutating func replace(_ path: String, with bytes: [UInt8]) throws(Failure)

  /// Removes a file durably; without one nothing happens.
  mutating func remove(_ path: String) throws(Failure)

  /// Gives a damaged file of our own a second name that engines do not carry, and leaves it under
  /// its own until it is replaced or removed.
  /// - Returns: the second name.
  mutating func setAside(_ path: String) throws(Failure) -> String
}

/// A file that was found in a shared folder.
public struct FoundFile: Equatable, Sendable {
  /// Its path within the folder.
  public var path: String
  /// Its size in bytes.
  public var bytes: Int64
  /// When it was changed last, by the clock of whoever wrote it, in nanoseconds since 1970.
  public var modifiedNanoseconds: Int64
  /// The number that the file system gave it; another one is another file.
  public var serial: UInt64
  /// Why it is not read, for people: it is a link, a fifo, a folder, too large. Nil if it may be.
  public var refusal: String?

  /// Makes a found file.
  public init(
    path: String, bytes: Int64, modifiedNanoseconds: Int64, serial: UInt64, refusal: String? = nil
  ) {
    self.path = path
    self.bytes = bytes
    self.modifiedNanoseconds = modifiedNanoseconds
    self.serial = serial
    self.refusal = refusal
  }
}

/// A copy of another device, or of our own under another name, as the last look at the shared
/// folder found it.
public struct PeerSeen: Equatable, Sendable {
  /// Where it was found.
  public var path: String
  /// Whose replica it is; nil where its first line cannot be read.
  public var device: Identity?
  /// Whose sits are in it.
  public var owner: Identity?
  /// When its file was changed last, by the clock of whoever wrote it.
  public var modified: WallInstant
  /// How many sits are in it.
  public var sits: Int
  /// The newest stamp in it, in milliseconds since 1970; nil when it has none.
  public var newestStamp: Int64?
  /// Why it is not merged, or not all of it, for people; nil when all is.
  public var problem: String?
  /// Whether it is left out since it is another owner's.
  public var isForeign = false
  /// Whether it is left out since reading it has failed.
  public var isUnreadable = false

  /// Makes a sighting.
  public init(path: String, modified: WallInstant, problem: String? = nil) {
    self.path = path
    self.modified = modified
    self.problem = problem
    sits = 0
  }
}
