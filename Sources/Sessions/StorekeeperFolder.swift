/// What a look at a folder has brought.
struct FolderNews {
  /// The store is being opened: what our own copy brings back is no change from outside.
  var isOpening = false
  var changedKeys: Set<String> = []
  /// Whether a copy of another device has brought something.
  var hasMerged = false
  var hasNewOwner = false
  var reports: [StoreReport] = []
}

extension Storekeeper where Disk: ~Copyable {
  /// Looks at the shared folder, and merges.
  mutating func lookAround(adopting: Bool, isOpening: Bool = false) -> [StoreReport] {
    guard var folder else { return [] }
    var memory = memory
    var news = FolderNews(isOpening: isOpening)
    let wasOverQuota = store.split.isOverQuota
    var isListed = false
    do throws(Folder.Failure) {
      try survey(&folder, &memory, adopting: adopting, &news)
      isListed = true
    } catch {
      memory.isRead = false
      news.reports.append(.exchangeFailed(reason: error.description))
    }
    self.folder = folder
    self.memory = memory
    // Whoever has seen all of a folder knows whose sits these are.
    if memory.isRead { truth.hasOwner = true }
    if isListed, memory.peers != peers {
      peers = memory.peers
      news.reports.append(.peers(peers))
    }
    return news.reports + announce(news, wasOverQuota: wasOverQuota)
  }

  private mutating func announce(_ news: FolderNews, wasOverQuota: Bool) -> [StoreReport] {
    let isFirst = news.hasMerged && !news.changedKeys.isEmpty && !store.hasMerged
    if isFirst { store.hasMerged = true }
    if news.changedKeys.isEmpty && !news.hasNewOwner { return [] }
    let reason: ChangeReason =
      if news.hasNewOwner {
        .identityChange
      } else if !wasOverQuota && store.split.isOverQuota {
        .quotaViolation
      } else {
        isFirst ? .initialSync : .peerChange
      }
    let keys = news.changedKeys.sorted { $0.precedes($1) }
    return [.changed(keys: keys, reason: reason)]
  }

  private mutating func survey<Other: ExchangeFolder>(
    _ folder: inout Other, _ memory: inout FolderMemory, adopting: Bool, _ news: inout FolderNews
  ) throws(Other.Failure) {
    let files = try folder.files().filter { ForeignName(path: $0.path) != .ignored }
      .sorted { $0.path.precedes($1.path) }
    memory.forget(except: Set(files.map(\.path)), device: store.device)
    var family = store.family
    memory.isRead = true
    // Our own copy first: it may say whose sits these are.
    let volumes = files.map { Volume(exchangePath: $0.path, of: store.device) }
    var own: [VolumeFile] = []
    for (file, volume) in zip(files, volumes) {
      guard let volume else { continue }
      if file.refusal != nil {
        memory.expectChange(of: volume)
        memory.lost.insert(volume)
      } else if let bytes = readOwn(volume, file, &folder, &memory, &news) {
        own.append(VolumeFile(volume, bytes))
      }
    }
    for (file, volume) in zip(files, volumes) where volume == nil || file.refusal != nil {
      read(file, &folder, &memory, &news)
    }
    noteNewerFormat(own, &memory)
    if let owner = ownerToJoin(memory, adopting: adopting) {
      // Who was never adopted and has nothing to be told from leaves no trace.
      if adopting || !store.adoptions.isEmpty {
        store.noteAdoption(by: owner, knowing: memory.adoptions)
      }
      become(owner)
      news.hasNewOwner = true
    }
    // What was read before may be ours now, and may say that other copies are too.
    while store.family != family {
      family = store.family
      for file in files where memory.sightings[file.path] != nil {
        read(file, &folder, &memory, &news)
      }
    }
    if let owner = store.ownerByAdoption, owner != store.owner {
      become(owner)
      news.hasNewOwner = true
    }
  }

  // MARK: Owners

  /// The owner whose this store is to become; nil when it stays as it is.
  private func ownerToJoin(_ memory: FolderMemory, adopting: Bool) -> Identity? {
    let mine = store.owner
    guard adopting || store.sits.isEmpty,
      case let family = store.family,
      let greatest = memory.greatestOwner(among: { !family.contains($0) })
    else { return nil }
    // Among boxes without sits it is the one with the most keys; the smallest of new ones.
    let own = OwnerRank(owner: mine, keys: store.liveKeys)
    return adopting || greatest > own ? greatest.owner : nil
  }

  /// Makes another owner's store of this one; everything in it stays.
  private mutating func become(_ owner: Identity) {
    let old = store
    store = SessionStore(owner: owner, device: old.device)
    store.merge(old)
    store.headerRest = old.headerRest
    store.hasMerged = old.hasMerged
    // It is another store, and must not be taken for one that is on the disk.
    store.revision += old.revision + 1
    truth.savedRevision = nil
    truth.hasOwner = true
  }

  // MARK: Our own copy

  /// Our own copy is our own writing, so what it knows and the truth does not is ours too, whatever
  /// owner it names: a state folder that was lost or rolled back is whole again.
  /// What cannot be read, or is damaged and cannot be set aside, is not written over.
  /// - Returns: the bytes, where they are not what we know to stand there, and whole.
  private mutating func readOwn<Other: ExchangeFolder>(
    _ volume: Volume, _ file: FoundFile, _ folder: inout Other, _ memory: inout FolderMemory,
    _ news: inout FolderNews
  ) -> [UInt8]? {
    if memory.own[volume] != nil, memory.ownFiles[volume] == file { return nil }
    let bytes: [UInt8]
    do throws(Other.Failure) {
      guard let found = try folder.read(file.path) else { return nil }
      bytes = found
    } catch {
      memory.isRead = false
      news.reports.append(.exchangeFailed(reason: error.description))
      return nil
    }
    if bytes == memory.own[volume] {
      memory.ownFiles[volume] = file
      return nil
    }
    if memory.own[volume] != nil || bytes.isEmpty { memory.lost.insert(volume) }
    memory.expectChange(of: volume)
    var reader = ReplicaReader(bytes)
    var copy = SessionStore(owner: reader.header?.owner ?? store.owner, device: store.device)
    reader.fill(&copy)
    let damage = copy.damage
    takeOwn(copy, reader.header, isOurFile: true, &news)
    if damage.isEmpty {
      memory.own[volume] = bytes
      memory.ownFiles[volume] = file
      return bytes
    }
    var name: String?
    var failure: Other.Failure?
    do throws(Other.Failure) { name = bytes.isEmpty ? nil : try folder.setAside(file.path) } catch {
      failure = error
    }
    news.reports.append(.salvaged(path: file.path, lines: damage, setAside: name))
    memory.lost.insert(volume)
    if let failure {
      memory.isRead = false
      news.reports.append(.exchangeFailed(reason: failure.description))
    } else {
      // It still stands there: to be written over, or removed where it is not wanted.
      memory.own[volume] = bytes
    }
    return nil
  }

  /// - Parameter isOurFile: whether it stands under our own name. Any other copy that names this
  ///   device says whose sits these are only while nobody else has.
  private mutating func takeOwn(
    _ copy: SessionStore, _ header: ReplicaHeader?, isOurFile: Bool, _ news: inout FolderNews
  ) {
    let isFollowed = !truth.hasOwner || isOurFile && isAhead(copy)
    if copy.owner != store.owner, isFollowed {
      // Of a box that is being opened, and of which no file said whose it is, nobody knew.
      if truth.hasOwner || !news.isOpening { news.hasNewOwner = true }
      become(copy.owner)
    }
    truth.hasOwner = true
    let keys = store.merge(copy)
    if !news.isOpening { news.changedKeys.formUnion(keys) }
    if header?.hasMerged == true, !store.hasMerged { store.hasMerged = true }
  }

  /// Whether a copy of ours under another owner is the later one: a state folder was rolled back.
  /// One of before an adoption may have had more sits, but none that we never knew.
  private func isAhead(_ copy: SessionStore) -> Bool {
    let (mine, theirs) = (store.sits.count, copy.sits.count)
    let isGreater = theirs == mine ? copy.owner < store.owner : theirs > mine
    return isGreater
      && copy.sits.keys.contains { store.sits[$0] == nil && store.deletedSits[$0] == nil }
  }

  /// A copy of a newer format that says what the store says is left as it is.
  private mutating func noteNewerFormat(_ own: [VolumeFile], _ memory: inout FolderMemory) {
    guard store.format > SessionStore.currentFormat, !own.isEmpty,
      own.count == memory.own.count
    else { return }
    let copy = SessionStore(salvaging: own, owner: store.owner, device: store.device)
    if copy.files() == store.files() { memory.savedRevision = store.revision }
  }

  // MARK: The copies of others

  /// Reads a file, unless it is as it was the last time, and merges it where that is allowed. A
  /// file that is no replica, damaged, or another owner's is listed with its problem; of a damaged
  /// one the lines are merged that are whole, since each carries its own checksum.
  private mutating func read<Other: ExchangeFolder>(
    _ file: FoundFile, _ folder: inout Other, _ memory: inout FolderMemory,
    _ news: inout FolderNews
  ) {
    if let seen = memory.sightings[file.path], seen.file == file,
      seen.isMerged || store.family.isDisjoint(with: seen.family)
    {
      return
    }
    let modified = WallInstant(nanoseconds: file.modifiedNanoseconds)
    var seen = FolderMemory.Sighting(
      file: file, peer: PeerSeen(path: file.path, modified: modified, problem: file.refusal))
    defer { memory.sightings[file.path] = seen }
    if file.refusal != nil { return }
    let bytes: [UInt8]
    do throws(Other.Failure) {
      // Gone since it was listed: the next look will not find it.
      guard let found = try folder.read(file.path) else {
        seen.file = nil
        seen.peer.problem = "it is not there any more"
        return
      }
      bytes = found
    } catch {
      seen.file = nil
      seen.peer.problem = error.description
      seen.peer.isUnreadable = true
      return
    }
    take(bytes, &seen, &news)
  }

  private mutating func take(
    _ bytes: [UInt8], _ seen: inout FolderMemory.Sighting, _ news: inout FolderNews
  ) {
    var reader = ReplicaReader(bytes)
    guard let header = reader.header else {
      seen.peer.problem = bytes.isEmpty ? "it is empty" : StoreError.notAReplica.description
      return
    }
    var copy = SessionStore(owner: header.owner, device: header.device)
    reader.fill(&copy)
    seen.header = header
    seen.sits = copy.sits.count
    seen.keys = copy.liveKeys
    seen.peer.device = header.device
    seen.peer.owner = header.owner
    seen.peer.sits = copy.sits.count
    seen.peer.newestStamp = copy.newestStamp()?.milliseconds
    seen.archivedSits = reader.sits
    seen.family = copy.family
    seen.adoptions = copy.adoptions
    if !copy.damage.isEmpty {
      seen.peer.problem =
        "damaged (\(copy.damage[0])); all other lines are merged"
    }
    if header.device == store.device {
      takeOwn(copy, header, isOurFile: false, &news)
      seen.isMerged = true
      let isOurName = seen.peer.path.contains(store.device.description.lowercased())
      seen.isOwnConflict =
        isOurName && copy.damage.isEmpty && ForeignName(path: seen.peer.path) == .conflict
    } else if !store.family.isDisjoint(with: copy.family) {
      let revision = store.revision
      news.changedKeys.formUnion(store.merge(copy))
      if store.revision != revision { news.hasMerged = true }
      seen.isMerged = true
    } else {
      seen.peer.problem = "it belongs to another owner, \(header.owner)"
      seen.peer.isForeign = true
    }
  }
}

// MARK: - Writing into folders

extension Storekeeper where Disk: ~Copyable {
  /// Writes our copy where it is not what we have.
  mutating func saveCopy(_ files: [VolumeFile]) -> [StoreReport] {
    guard var folder, memory.isRead, !isCopySaved else { return [] }
    var memory = memory
    var reports: [StoreReport] = []
    do throws(Folder.Failure) {
      try write(files, into: &folder, &memory, &reports)
    } catch {
      reports.append(.exchangeFailed(reason: error.description))
    }
    self.folder = folder
    self.memory = memory
    return reports
  }

  private func write<Other: ExchangeFolder>(
    _ files: [VolumeFile], into folder: inout Other, _ memory: inout FolderMemory,
    _ reports: inout [StoreReport]
  ) throws(Other.Failure) {
    let changed = files.filter { memory.own[$0.volume] != $0.bytes }
    for file in changed.filter({ $0.volume != .main }) + changed.filter({ $0.volume == .main }) {
      let path = file.volume.exchangePath(of: store.device)
      // After a failure nobody knows what stands there.
      memory.expectChange(of: file.volume)
      try folder.replace(path, with: file.bytes)
      memory.own[file.volume] = file.bytes
      if memory.lost.remove(file.volume) != nil { reports.append(.restored(path: path)) }
    }
    let wanted = Set(files.map(\.volume))
    for volume in memory.own.keys.sorted() where !wanted.contains(volume) {
      try folder.remove(volume.exchangePath(of: store.device))
      memory.expectChange(of: volume)
    }
    memory.lost = []
    memory.savedRevision = store.revision
    if !changed.isEmpty { reports.append(.exchanged(bytes: files[0].bytes.count)) }
  }

  /// Removes the copies that an engine made of our own file, once all that is in them is safe.
  mutating func tidyConflicts() -> [StoreReport] {
    guard var folder, truth.savedRevision == store.revision, isCopySaved else { return [] }
    let paths = memory.sightings.filter(\.value.isOwnConflict).map(\.key)
    if paths.isEmpty { return [] }
    var reports: [StoreReport] = []
    do throws(Folder.Failure) {
      for path in paths.sorted(by: { $0.precedes($1) }) {
        try folder.remove(path)
        memory.sightings[path] = nil
        reports.append(.conflictRemoved(path: path))
      }
    } catch {
      reports.append(.exchangeFailed(reason: error.description))
    }
    self.folder = folder
    return reports
  }

  /// Merges another folder both ways, as a stick: reads all that is there, saves, writes our copy
  /// there and reads it back.
  /// - Parameter adopting: whether to join the owner of that folder, as `adopt` does.
  public mutating func sync(
    with other: inout some ExchangeFolder, adopting: Bool = false
  ) -> [StoreReport] {
    let opened = truth.isOpen ? [] : open()
    if !truth.isOpen { return opened }
    return opened + visit(&other, adopting: adopting)
  }

  private mutating func visit<Other: ExchangeFolder>(
    _ other: inout Other, adopting: Bool
  ) -> [StoreReport] {
    var visited = FolderMemory()
    var news = FolderNews()
    let wasOverQuota = store.split.isOverQuota
    var failure: Other.Failure?
    do throws(Other.Failure) {
      try survey(&other, &visited, adopting: adopting, &news)
    } catch { failure = error }
    var reports = news.reports + [.peers(visited.peers)]
    reports += announce(news, wasOverQuota: wasOverQuota) + retry()
    if failure == nil, visited.isRead {
      do throws(Other.Failure) {
        try write(store.files(), into: &other, &visited, &reports)
        try check(visited, in: &other, &reports)
      } catch { failure = error }
    }
    if let failure { reports.append(.exchangeFailed(reason: failure.description)) }
    return reports
  }

  /// Reads back what should stand in a folder.
  private func check<Other: ExchangeFolder>(
    _ memory: FolderMemory, in folder: inout Other, _ reports: inout [StoreReport]
  ) throws(Other.Failure) {
    for (volume, bytes) in memory.own.sorted(by: { $0.key < $1.key }) {
      let path = volume.exchangePath(of: store.device)
      if try folder.read(path) != bytes {
        reports.append(.exchangeFailed(reason: "\(path) does not read back as it was written"))
      }
    }
  }
}
