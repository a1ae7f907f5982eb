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

  /// When a sit was, for whoever needs no more of it.
  public struct SitDates: Equatable, Sendable {
    /// Its start.
    public var start: WallInstant
    /// Its end.
    public var end: WallInstant
    /// Seconds east of Greenwich where it began.
    public var offsetSeconds: Int64

    /// Makes the dates of a sit.
    public init(start: WallInstant, end: WallInstant, offsetSeconds: Int64) {
      self.start = start
      self.end = end
      self.offsetSeconds = offsetSeconds
    }
  }

  /// Whose sits these are.
  public var owner: Identity
  /// This device.
  public var device: Identity
  /// How full the store is.
  public var usage: StoreUsage
  /// Whether a merge has brought more than the caps allow: keys can then only be deleted.
  public var isOverQuota = false
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
  /// The claims of other devices that were not withdrawn, lapsed ones too: which of them stands
  /// changes with the time, and whoever knows it asks `Claim.stands(at:)`.
  public var claimsElsewhere: [Claim] = []
  /// The sit that began last, of whatever device; nil when there is none.
  public var newestSit: SitDates?
  /// When the owner's day begins, in seconds after midnight; nil where the store does not say.
  public var dayStartsSeconds: Int64?
  /// The programmes, bells and journeys that the store defines.
  public var definitions: [Definition] = []

  /// Makes the status of a store that has not been looked at.
  public init(owner: Identity, device: Identity, usage: StoreUsage) {
    self.owner = owner
    self.device = device
    self.usage = usage
  }
}

extension SessionStore {
  /// Whether a merge has brought more keys or bytes than the caps allow, sits apart.
  public var isOverQuota: Bool { split.isOverQuota }
}

extension SessionStore {
  /// The claims of other devices that were not withdrawn, in the order in which they are the
  /// running sit.
  public var claimsElsewhere: [Claim] { standingClaims.filter { $0.device != device } }

  /// When the owner's day begins, in seconds after midnight; nil where nothing that is understood
  /// says so.
  public var dayStartsSeconds: Int64? {
    value(forKey: SyncedName.dayStarts.key)?.stringValue.flatMap(DayRule.startsSeconds)
  }

  /// When the sit was that began last.
  public var newestSit: StoreStatus.SitDates? {
    // The dates are in the record; only the newest one is read.
    sits.values.max { ($0.start, $0.id) < ($1.start, $1.id) }?.session.map {
      StoreStatus.SitDates(
        start: $0.startDate, end: $0.endDate, offsetSeconds: $0.utcOffsetSeconds)
    }
  }

  /// Whether a sit is here, or was and was deleted: then its journal is only to be erased.
  public func knows(_ sit: Identity) -> Bool { holds(sit) || deletedSits[sit] != nil }

  func holds(_ sit: Identity) -> Bool { sits[sit] != nil }
}
