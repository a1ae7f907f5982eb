/// How the store stands, for whoever asks: how full it is, and what the last look at the shared
/// folder found.
public struct StoreStatus: Equatable, Sendable {
  /// A device whose stamps run ahead of the time that is known here.
  public struct ClockTrouble: Equatable, Sendable {
    /// The device.
    public var device: Identity
    /// How far its newest stamp is ahead, in milliseconds.
    public var aheadMilliseconds: Int64

    /// Makes a finding.
    public init(device: Identity, aheadMilliseconds: Int64) {
      self.device = device
      self.aheadMilliseconds = aheadMilliseconds
    }
  }

  /// Whose sits these are.
  public var owner: Identity
  /// This device.
  public var device: Identity
  /// How full the store is.
  public var usage: StoreUsage
  /// When the shared folder was last read whole; nil when it was not yet.
  public var lastMerge: WallInstant?
  /// The copies of others that were found then.
  public var peers: [PeerSeen] = []
  /// Devices with a wrong clock.
  public var clockTrouble: [ClockTrouble] = []
  /// Whether the state folder is gone after the next boot.
  public var isVolatile = false
  /// Why the shared folder could not be read or written at the last try; nil when it could.
  public var folderProblem: String?

  /// Makes the status of a store that has not been looked at.
  public init(owner: Identity, device: Identity, usage: StoreUsage) {
    self.owner = owner
    self.device = device
    self.usage = usage
  }
}
