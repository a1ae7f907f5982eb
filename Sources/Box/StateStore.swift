import Sessions

/// How the store stands, as the state line shows it (CONTRACT, "State line").
public struct StateStore: Codable, Equatable, Sendable {
  /// A copy of another device that the last look found.
  public struct Peer: Codable, Equatable, Sendable {
    /// Whose copy it is; nil where that cannot be read.
    public var device: String?
    /// Where it is within the shared folder.
    public var path: String
    /// How long ago it was written, by its writer's clock; nil while the time is not known here.
    public var ageSeconds: Int64?
    /// How many sits are in it.
    public var sits: Int
    /// Why it is not merged, or not all of it; nil when it is.
    public var problem: String?
  }

  /// A device whose clock is wrong.
  public struct ClockTrouble: Codable, Equatable, Sendable {
    /// The device.
    public var device: String
    /// How far it is ahead, in whole seconds.
    public var aheadSeconds: Int64
  }

  /// How many copies, and devices with a wrong clock, are listed; there can be any number.
  public static let peersMax = 100

  /// Bytes of the main file.
  public var bytes: Int
  /// Bytes that it may have.
  public var bytesMax: Int
  /// Keys, a month of sits counted as one.
  public var keys: Int
  /// All sits, those of the archive too.
  public var sits: Int
  /// Those of the archive.
  public var archivedSits: Int
  /// When the shared folder was last read whole, as ISO 8601; nil when it was not since the start.
  public var lastMerge: String?
  /// The copies of others that were found then, at most `peersMax`.
  public var peers: [Peer]
  /// Devices with a wrong clock.
  public var clockTrouble: [ClockTrouble]
  /// Why the shared folder could not be read or written at the last try; nil when it could.
  public var folderProblem: String?
  /// Whether a merge has brought more than the caps allow: keys can then only be deleted.
  public var isOverQuota: Bool
  /// Whether what is saved is lost at the next boot.
  public var isVolatile: Bool
  /// Whose sits these are.
  public var owner: String
  /// This device.
  public var device: String

  /// Makes the store's part of a state line.
  /// - Parameters:
  ///   - wall: what the wall clock shows; nil while the time is not known.
  ///   - text: how an instant is written.
  init(_ status: StoreStatus, at wall: WallInstant?, text: (WallInstant) -> String) {
    bytes = status.usage.bytes
    bytesMax = StoreCaps.fileBytes
    keys = status.usage.keys
    sits = status.usage.sits
    archivedSits = status.usage.archivedSits
    lastMerge = status.lastMerge.map(text)
    peers = status.peers.prefix(StateStore.peersMax).map { Peer($0, at: wall) }
    clockTrouble = status.clockTrouble.prefix(StateStore.peersMax).map {
      ClockTrouble(device: $0.device.description, aheadSeconds: $0.aheadMilliseconds / 1_000)
    }
    folderProblem = status.folderProblem
    isOverQuota = status.isOverQuota
    isVolatile = status.isVolatile
    owner = status.owner.description
    device = status.device.description
  }
}

extension StateStore.Peer {
  init(_ seen: PeerSeen, at wall: WallInstant?) {
    device = seen.device?.description
    path = seen.path
    ageSeconds = wall.map { ($0.milliseconds - seen.modified.milliseconds) / 1_000 }
    sits = seen.sits
    problem = seen.problem
  }
}

// Every field stands in every object, as in the state line.

extension StateStore {
  private enum Field: String, CodingKey {
    case bytes, bytesMax, keys, sits, archivedSits, lastMerge, peers, clockTrouble
    case folderProblem, isOverQuota, isVolatile, owner, device
  }

  /// Writes every field under its name; one without a value as null.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(bytes, forKey: .bytes)
    try fields.encode(bytesMax, forKey: .bytesMax)
    try fields.encode(keys, forKey: .keys)
    try fields.encode(sits, forKey: .sits)
    try fields.encode(archivedSits, forKey: .archivedSits)
    try fields.encode(lastMerge, forKey: .lastMerge)
    try fields.encode(peers, forKey: .peers)
    try fields.encode(clockTrouble, forKey: .clockTrouble)
    try fields.encode(folderProblem, forKey: .folderProblem)
    try fields.encode(isOverQuota, forKey: .isOverQuota)
    try fields.encode(isVolatile, forKey: .isVolatile)
    try fields.encode(owner, forKey: .owner)
    try fields.encode(device, forKey: .device)
  }
}

extension StateStore.Peer {
  private enum Field: String, CodingKey {
    case device, path, ageSeconds, sits, problem
  }

  /// Writes every field under its name; one without a value as null.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(device, forKey: .device)
    try fields.encode(path, forKey: .path)
    try fields.encode(ageSeconds, forKey: .ageSeconds)
    try fields.encode(sits, forKey: .sits)
    try fields.encode(problem, forKey: .problem)
  }
}
