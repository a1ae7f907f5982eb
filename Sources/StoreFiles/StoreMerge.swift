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
  /// - Parameters:
  ///   - path: the other folder.
  ///   - adopt: whether to join the owner of the other folder, or without one of the shared folder.
  ///   - sits: how many sits there were before; nil for those of now.
  public mutating func merge(_ path: String?, adopt: Bool, sits: Int? = nil) -> StoreMerge {
    let before = sits ?? store.usage.sits
    let reports = adopt && path == nil ? self.adopt() : look()
    var state = StorageState()
    state.looked(reports, at: Clock.wall())
    var otherReports: [StoreReport] = []
    if let path {
      do throws(StoreFileFault) {
        var other = try PatientFolder(
          SharedFolder(visiting: path, device: store.device), at: path)
        otherReports = sync(with: &other, adopting: adopt)
      } catch { otherReports = [.exchangeFailed(reason: error.description)] }
    }
    let status = state.status(
      of: store, peers, at: Clock.wall(), isKnown: Clock.wallIsKnown())
    return StoreMerge(
      reports: reports, otherReports: otherReports, status: status,
      newSits: max(0, status.usage.sits - before))
  }
}
