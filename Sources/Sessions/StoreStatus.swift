import Zones

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
  /// When each sit that is credited with anything began by the clock on the wall there, in seconds
  /// from 1970-01-01T00:00 on that wall; the earliest first.
  public var localStarts: [Int64] = []
  /// Of the sits whose dates are a guess, when the last one of each year ended; the earliest first.
  public var guessedEnds: [WallInstant] = []
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

extension StoreStatus {
  /// Whether a sit of a day of practice is there.
  /// - Parameters:
  ///   - dayStartsSeconds: when such a day begins, in seconds after midnight.
  ///   - since: only a sit counts that began then or later, as `localStarts` has it; nil: any.
  public func hasSat(on day: LocalDate, dayStartsSeconds: Int64, since: Int64? = nil) -> Bool {
    let start = day.daysSinceEpoch * 86_400 + dayStartsSeconds
    let first = max(start, since ?? start)
    return localStarts.contains { $0 >= first && $0 < start + 86_400 }
  }
}

extension SessionStore {
  /// Whether a merge has brought more keys or bytes than the caps allow, sits apart.
  public var isOverQuota: Bool { split.isOverQuota }
}

extension SessionStore {
  /// The claims of other devices that were not withdrawn, that of the newest sit first.
  public var claimsElsewhere: [Claim] { standingClaims.filter { $0.device != device } }

  /// When the owner's day begins, in seconds after midnight; nil where nothing that is understood
  /// says so.
  public var dayStartsSeconds: Int64? {
    value(forKey: SyncedName.dayStarts.key)?.stringValue.flatMap(DayRule.startsSeconds)
  }

  /// When each sit began by the clock on the wall there (`StoreStatus.localStarts`).
  public var localStarts: [Int64] {
    sits.values.filter(\.isCredited).map {
      $0.start.milliseconds.floored(by: 1_000).quotient + $0.offsetSeconds
    }
    .sorted()
  }

  /// When the last guess of each year ended (`StoreStatus.guessedEnds`). Only its record is read.
  public var guessedEnds: [WallInstant] {
    var last: [Int: Sit] = [:]
    for sit in sits.values where sit.isGuess {
      let year = sit.month.year
      if let other = last[year], (other.start, other.id) > (sit.start, sit.id) { continue }
      last[year] = sit
    }
    return last.values.compactMap { $0.session?.endDate }.sorted()
  }

  /// Whether a sit is here, or was and was deleted: then its journal is only to be erased.
  public func knows(_ sit: Identity) -> Bool { holds(sit) || deletedSits[sit] != nil }

  func holds(_ sit: Identity) -> Bool { sits[sit] != nil }
}
