// Interim: stands in for the storekeeper's own look, adopt and sync until they are merged.
extension Storekeeper where Disk: ~Copyable {
  /// Merges what is in the shared folder, and saves.
  public mutating func look() -> [StoreReport] {
    guard var folder else { return retry() }
    let reports = take(&folder, adopting: false)
    self.folder = folder
    return reports + retry()
  }

  /// The same with foreign owners' copies.
  public mutating func adopt() -> [StoreReport] { look() }

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
    var changed: [String] = []
    do {
      for file in try folder.files() {
        let wall = WallInstant(nanoseconds: file.modifiedNanoseconds)
        guard file.refusal == nil, let bytes = try folder.read(file.path) else {
          peers.append(PeerSeen(path: file.path, modified: wall, problem: file.refusal))
          continue
        }
        var peer = PeerSeen(path: file.path, modified: wall)
        let nobody = Identity(high: 0, low: 0)
        let other = SessionStore(salvaging: bytes, owner: nobody, device: nobody)
        peer.device = other.device
        peer.owner = other.owner
        peer.sits = other.usage.sits
        if other.device != store.device { peers.append(peer) }
        let before = store.keys
        if other.owner == store.owner || store.usage.sits == 0 {
          var joined = SessionStore(owner: other.owner, device: store.device)
          joined.merge(store)
          joined.merge(other)
          if joined.encode() != store.encode() { changed += joined.keys.filter { !before.contains($0) } }
          store = joined
        }
      }
    } catch {
      return [.exchangeFailed(reason: "\(error)")]
    }
    return [.peers(peers)] + (changed.isEmpty ? [] : [.changed(keys: changed, reason: .peerChange)])
  }
}
