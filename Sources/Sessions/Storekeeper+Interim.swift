// A first look, adopt and sync: every copy that can be read is merged, whatever its name.
extension Storekeeper where Disk: ~Copyable {
  /// Merges what is in the shared folder, and saves.
  public mutating func look() -> [StoreReport] { look(adopting: false) }

  /// The same with the copies of other owners, the first of whom this store becomes.
  public mutating func adopt() -> [StoreReport] { look(adopting: true) }

  private mutating func look(adopting: Bool) -> [StoreReport] {
    guard var folder else { return retry() }
    let reports = take(&folder, adopting: adopting)
    self.folder = folder
    return reports + retry()
  }

  /// Merges another folder both ways.
  public mutating func sync(with folder: inout some ExchangeFolder) -> [StoreReport] {
    var reports = take(&folder, adopting: false) + retry()
    let bytes = store.encode()
    do {
      let path = Volume.main.exchangePath(of: store.device)
      if try folder.read(path) != bytes {
        try folder.replace(path, with: bytes)
        reports.append(.exchanged(bytes: bytes.count))
      }
    } catch {
      reports.append(.exchangeFailed(reason: "\(error)"))
    }
    return reports
  }

  private mutating func take(
    _ folder: inout some ExchangeFolder, adopting: Bool
  ) -> [StoreReport] {
    var peers: [PeerSeen] = []
    var changed: Set<String> = []
    do {
      for file in try folder.files() {
        let wall = WallInstant(nanoseconds: file.modifiedNanoseconds)
        var peer = PeerSeen(path: file.path, modified: wall, problem: file.refusal)
        if file.refusal == nil, let bytes = try folder.read(file.path) {
          take(bytes, &peer, &changed, adopting: adopting)
        }
        if peer.device != store.device { peers.append(peer) }
      }
    } catch {
      return [.exchangeFailed(reason: "\(error)")]
    }
    let news = StoreReport.changed(
      keys: changed.sorted { $0.precedes($1) }, reason: .peerChange)
    return [.peers(peers)] + (changed.isEmpty ? [] : [news])
  }

  private mutating func take(
    _ bytes: [UInt8], _ peer: inout PeerSeen, _ changed: inout Set<String>, adopting: Bool
  ) {
    guard let other = try? SessionStore(parsing: bytes) else {
      peer.problem = "\(StoreError.notAReplica)"
      return
    }
    peer.device = other.device
    peer.owner = other.owner
    peer.sits = other.usage.sits
    if !other.damage.isEmpty { peer.problem = "damaged in \(other.damage.count) places" }
    let isEmpty = store.usage.sits == 0
    if other.owner != store.owner, !isEmpty, !adopting {
      peer.problem = "it belongs to another owner, \(other.owner)"
      return
    }
    if other.owner != store.owner, other.usage.sits == 0, other.owner > store.owner { return }
    var joined = SessionStore(owner: other.owner, device: store.device)
    joined.merge(store)
    let before = joined.encode()
    joined.merge(other)
    if joined.encode() != before { changed.formUnion(other.keys) }
    store = joined
  }
}
