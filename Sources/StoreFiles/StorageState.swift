import LinuxIO
import Sessions

/// What the storage thread knows beside the store itself.
struct StorageState {
  /// What is said where there is no store to ask.
  static let unusable = "the state folder cannot be used"

  var isVolatile = false
  /// What is to be said once the files are read.
  var openingReports: [StoreReport] = []
  /// The status that was told last.
  var told: StoreStatus?
  private var lastMerge: WallInstant?
  private var folderProblem: String?

  /// Takes what a look at the shared folder gave.
  mutating func looked(_ reports: [StoreReport], at wall: Int64) {
    folderProblem = StorageState.problem(in: reports)
    if folderProblem == nil { lastMerge = WallInstant(nanoseconds: wall) }
  }

  /// Takes what another try to save gave.
  mutating func retried(_ reports: [StoreReport]) {
    if let problem = StorageState.problem(in: reports) { folderProblem = problem }
    for case .exchanged in reports { folderProblem = nil }
  }

  private static func problem(in reports: [StoreReport]) -> String? {
    for case .exchangeFailed(let reason) in reports { return reason }
    return nil
  }

  /// - Parameters:
  ///   - peers: what the last look found.
  ///   - wall: nanoseconds since 1970.
  func status(
    of store: SessionStore, _ peers: [PeerSeen], at wall: Int64, isKnown: Bool
  ) -> StoreStatus {
    var status = StoreStatus(owner: store.owner, device: store.device, usage: store.usage)
    status.isOverQuota = store.isOverQuota
    status.lastMerge = lastMerge
    status.peers = peers
    let time = WriteTime(WallInstant(nanoseconds: wall), isKnown: isKnown)
    status.clockTrouble = store.clockTrouble(at: time).map {
      StoreStatus.ClockTrouble(device: $0.device, aheadMilliseconds: $0.milliseconds)
    }
    status.isVolatile = isVolatile
    status.folderProblem = folderProblem
    status.claimsElsewhere = store.claimsElsewhere
    status.localStarts = store.localStarts
    status.guessedEnds = store.guessedEnds
    status.dayStartsSeconds = store.dayStartsSeconds
    status.definitions = store.definitions
    return status
  }
}
