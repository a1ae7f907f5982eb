/// Why the store refused, with what it refused.
public enum StoreError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is capped.
  public enum Quota: Equatable, Sendable {
    /// Bytes of the file.
    case fileBytes
    /// Keys in the store, months of sits counted as one each.
    case keys
    /// Bytes of UTF-8 in one key.
    case keyBytes
  }

  /// A local write would go over a cap; nothing was changed.
  case quotaViolation(Quota, needed: Int, allowed: Int)
  /// A key has no characters.
  case emptyKey
  /// A key is one that the store makes itself, as `sits.2026-11`.
  case reservedKey(String)
  /// A sit was deleted, and a deleted sit stays deleted.
  case deletedSit(Identity)
  /// There is no such sit.
  case noSuchSit(Identity)
  /// There is no such key.
  case noSuchKey(String)
  /// A sit whose fields contradict one another.
  case impossibleSit(Identity, problem: String)
  /// A sit of the same source device is there at that time.
  case overlap(MeditationSession)
  /// The sit that runs here is at that time; the offset is that of the sentence.
  case overlapRunning(since: WallInstant, offsetSeconds: Int64)
  /// A sit that somebody tells of is not over now.
  case endsAhead(MeditationSession, now: WallInstant)
  /// What should name a sit is no id, and not the beginning of one.
  case notAnIdentity(String)
  /// No sit has an id that begins so.
  case noSitNamed(String)
  /// Several sits have ids that begin so.
  case ambiguousName(String, count: Int)
  /// Nothing was deleted that could be brought back.
  case nothingDeleted
  /// A field cannot have that value.
  case wrongField(FieldProblem)
  /// The bytes are no replica: no first line that says whose and which device's it is.
  case notAReplica

  /// The sentence a person reads.
  public var description: String {
    switch self {
    case .quotaViolation(.fileBytes, let needed, let allowed):
      "quotaViolation: the store would need \(needed) bytes, \(allowed) are allowed for this"
    case .quotaViolation(.keys, let needed, let allowed):
      "quotaViolation: the store would have \(needed) keys, \(allowed) are allowed for this"
    case .quotaViolation(.keyBytes, let needed, let allowed):
      "quotaViolation: the key has \(needed) bytes of UTF-8, \(allowed) are allowed"
    case .emptyKey: "a key needs at least one character"
    case .reservedKey(let key): "the key \"\(key)\" belongs to the sits and is not set by hand"
    case .deletedSit(let id): "the sit \(id) was deleted and stays deleted"
    case .noSuchSit(let id): "there is no sit \(id)"
    case .noSuchKey(let key): "there is no key \"\(key)\""
    case .impossibleSit(let id, let problem): "the sit \(id) cannot be kept: \(problem)"
    case .overlap(let other): "it overlaps \(other.mention); --force keeps both"
    case .overlapRunning(let since, let offset):
      "it overlaps the sit that runs here since \(since.text(offsetSeconds: offset)); "
        + "--force keeps both"
    case .endsAhead(let session, let now):
      "it ends at \(session.endDate.text(offsetSeconds: session.utcOffsetSeconds)), and now it is "
        + "\(now.text(offsetSeconds: session.utcOffsetSeconds)); --force keeps it"
    case .notAnIdentity(let text):
      "found \(JSONValue.quoted(text)), expected the id of a sit, or its first 8 digits or more"
    case .noSitNamed(let text): "there is no sit \(text)"
    case .ambiguousName(let text, let count): "\(count) sits have an id that begins \(text)"
    case .nothingDeleted: "nothing was deleted here that could be brought back"
    case .wrongField(let problem): problem.description
    case .notAReplica: "this is no replica: its first line does not say whose it is"
    }
  }
}

/// The caps of a replica, as Apple's key-value store has them, and what is kept free for sits.
public enum StoreCaps {
  /// Bytes of a file, keys and stamps included.
  public static let fileBytes = 1_048_576
  /// Keys, a month of sits counted as one.
  public static let keys = 1_024
  /// Bytes of UTF-8 in a key.
  public static let keyBytes = 64
  /// Bytes that only sits may use.
  public static let bytesForSits = 65_536
  /// Keys that only sits may use.
  public static let keysForSits = 16
  /// Bytes of a line, so that a first and a last line fit into a file beside the longest.
  static let lineBytes = fileBytes - 512
}

/// How full a store is: of what has to leave it for the archive, only the sits are counted.
public struct StoreUsage: Equatable, Sendable {
  /// Bytes of the main volume's file.
  public var bytes: Int
  /// Keys in the main volume, a month of sits counted as one.
  public var keys: Int
  /// Sits, archived ones too, deleted ones not.
  public var sits: Int
  /// Sits that are in the archive.
  public var archivedSits: Int

  /// Makes a measure.
  public init(bytes: Int, keys: Int, sits: Int, archivedSits: Int = 0) {
    self.bytes = bytes
    self.keys = keys
    self.sits = sits
    self.archivedSits = archivedSits
  }
}

/// A line of a replica that could not be used. It is reported and left out; the others are read.
public struct DamagedLine: Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    /// The line is not `CHECKSUM KIND PAYLOAD`.
    case malformed
    /// The bytes of the line are not those that were written.
    case checksum
    /// The first line is not a replica's.
    case noHeader
    /// The file has no last line that closes it, or goes on behind that line.
    case notClosed
    /// All lines are whole, but there are not as many as were written.
    case lineCount(found: Int, written: Int)
    /// All lines are whole, but they are not the ones that were written.
    case fileChecksum
    /// The line is longer than any that a replica has.
    case tooLong
    /// Archive volumes are missing, or not whole.
    case archiveIncomplete(found: Int, written: Int)
    /// The file is not there, and others are.
    case missing
    /// Overflow volumes are missing.
    case volumesMissing(found: Int, written: Int)
  }

  /// The line in the file, from 1.
  public var number: Int
  /// What is wrong.
  public var reason: Reason

  /// Makes a finding.
  public init(number: Int, reason: Reason) {
    self.number = number
    self.reason = reason
  }

  /// The sentence a person reads.
  public var description: String { "line \(number): \(reason.text)" }
}

extension DamagedLine.Reason {
  var text: String {
    switch self {
    case .malformed: "not a line of a replica"
    case .checksum: "its checksum does not fit"
    case .noHeader: "the first line does not say whose replica this is"
    case .notClosed: "the file is cut off or goes on behind its end"
    case .lineCount(let found, let written): "\(found) of \(written) lines are there"
    case .fileChecksum: "the lines are not the ones that were written"
    case .tooLong: "longer than any line of a replica"
    case .archiveIncomplete(let found, let written):
      "archive incomplete: \(found) of \(written) sits"
    case .missing: "it is not there"
    case .volumesMissing(let found, let written):
      "\(found) of \(written) further volumes are there"
    }
  }
}
