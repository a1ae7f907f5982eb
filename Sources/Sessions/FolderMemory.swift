/// What is known of the files in a shared folder since they were read last, so that a look reads
/// only what is new.
struct FolderMemory {
  /// A file that is not our own copy.
  struct Sighting {
    /// The file as it was when it was read; nil where it has to be read again.
    var file: FoundFile?
    var header: ReplicaHeader?
    var peer: PeerSeen
    /// How many sits the file itself has.
    var sits = 0
    /// How many keys with values it has.
    var keys = 0
    var isMerged = false
    /// Whether it may be removed, since it is an engine's copy of our own file, and whole.
    var isOwnConflict = false
    /// The sits of an archive volume.
    var archivedSits: Set<Identity> = []
    /// All whose sits are in it, or were.
    var family: Set<Identity> = []
    var adoptions: Set<Adoption> = []
  }

  var sightings: [String: Sighting] = [:]
  /// The files of our own copy as they stand there; a volume that is not as we want it is missing.
  var own: [Volume: [UInt8]] = [:]
  /// As they were found when `own` was read.
  var ownFiles: [Volume: FoundFile] = [:]
  /// Volumes that an engine has emptied, rolled back or lost, and that are to be written again.
  var lost: Set<Volume> = []
  /// Whether all of our own copy was read, so that writing it loses nothing.
  var isRead = false
  /// The revision of the store that our own copy holds.
  var savedRevision: Int?

  mutating func expectChange(of volume: Volume) {
    own[volume] = nil
    ownFiles[volume] = nil
    savedRevision = nil
  }

  /// Forgets what is not there any more.
  mutating func forget(except paths: Set<String>, device: Identity) {
    for path in sightings.keys where !paths.contains(path) { sightings[path] = nil }
    for volume in own.keys where !paths.contains(volume.exchangePath(of: device)) {
      expectChange(of: volume)
      lost.insert(volume)
    }
  }

  /// What the copies of others say of owners.
  var adoptions: Set<Adoption> { sightings.values.reduce(into: []) { $0.formUnion($1.adoptions) } }

  /// Whether a file is one of its device's volumes under its right name.
  private static func isRegular(_ path: String, _ header: ReplicaHeader) -> Bool {
    header.volume?.exchangePath(of: header.device) == path
  }

  /// The owner with the most sits, then with the most keys, of equal ones the smaller: counted in
  /// the fullest of its copies.
  func greatestOwner(among isWanted: (Identity) -> Bool) -> OwnerRank? {
    struct Copy: Hashable {
      var owner: Identity
      /// The device of regular volumes, which count together; else the path.
      var name: String
    }
    var ranks: [Copy: OwnerRank] = [:]
    for (path, sighting) in sightings {
      guard let header = sighting.header, isWanted(header.owner) else { continue }
      let name = FolderMemory.isRegular(path, header) ? header.device.description : path
      let copy = Copy(owner: header.owner, name: name)
      ranks[copy, default: OwnerRank(owner: header.owner)].add(sighting)
    }
    return ranks.values.max()
  }

  /// The copies of others, by path: the volumes of one copy as one.
  var peers: [PeerSeen] {
    var volumes: [Identity: VolumeCount] = [:]
    var sits: [Identity: Int] = [:]
    for (path, sighting) in sightings {
      guard let header = sighting.header, FolderMemory.isRegular(path, header) else { continue }
      volumes[header.device, default: VolumeCount()].add(header, sits: sighting.archivedSits)
      sits[header.device, default: 0] += sighting.sits
    }
    let shown = sightings.compactMap { path, sighting -> PeerSeen? in
      guard let header = sighting.header, FolderMemory.isRegular(path, header) else {
        return sighting.peer
      }
      let count = volumes[header.device]
      if header.volume != .main {
        return count?.hasMain == true && sighting.peer.problem == nil ? nil : sighting.peer
      }
      var peer = sighting.peer
      peer.sits = sits[header.device] ?? 0
      if peer.problem == nil { peer.problem = count?.missing.first?.reason.text }
      return peer
    }
    return shown.sorted { $0.path.precedes($1.path) }
  }
}

/// How much an owner has: of several, the greatest is the one that a box joins.
struct OwnerRank: Comparable {
  let owner: Identity
  var sits = 0
  var keys = 0

  mutating func add(_ sighting: FolderMemory.Sighting) {
    sits += sighting.sits
    keys += sighting.keys
  }

  static func < (left: OwnerRank, right: OwnerRank) -> Bool {
    if left.sits != right.sits { return left.sits < right.sits }
    return left.keys == right.keys ? left.owner > right.owner : left.keys < right.keys
  }
}
