import LinuxIO
import Sessions

/// What a merge that was asked for did.
public struct StoreMerge: Equatable, Sendable {
  /// What was reported of the store and of the shared folder, in order.
  public var reports: [StoreReport]
  /// What was reported of the other folder.
  public var otherReports: [StoreReport]
  /// How the store stands now.
  public var status: StoreStatus
  /// How many sits it has more than before.
  public var newSits: Int

  /// Makes a result.
  public init(
    reports: [StoreReport], otherReports: [StoreReport] = [], status: StoreStatus, newSits: Int
  ) {
    self.reports = reports
    self.otherReports = otherReports
    self.status = status
    self.newSits = newSits
  }
}

extension Storekeeper where Disk: ~Copyable {
  /// Reads the files where that was not done yet, merges all replicas once, and those of another
  /// folder both ways, if one is given.
  /// - Parameter adopt: whether the copies of another owner are merged too, whose this store becomes.
  public mutating func merge(_ path: String?, adopt: Bool) -> StoreMerge {
    let before = store.usage.sits
    let reports = adopt ? self.adopt() : look()
    var state = StorageState()
    state.looked(reports, at: Clock.wall())
    var otherReports: [StoreReport] = []
    if let path {
      var other = SharedFolder(visiting: path, device: store.device)
      otherReports = sync(with: &other)
    }
    let status = state.status(of: store, at: Clock.wall(), isKnown: Clock.wallIsKnown())
    return StoreMerge(
      reports: reports, otherReports: otherReports, status: status,
      newSits: max(0, status.usage.sits - before))
  }
}
