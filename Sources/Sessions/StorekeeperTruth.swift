extension Storekeeper where Disk: ~Copyable {
  mutating func readTruth(_ reports: inout [StoreReport]) throws(Disk.Failure) {
    let added = store
    truth = Truth()
    var files: [VolumeFile] = []
    for volume in try disk.volumes() {
      if let bytes = try disk.read(.truth(volume)) { files.append(VolumeFile(volume, bytes)) }
    }
    let main = files.first { $0.volume == .main }
    let isDamaged =
      main.map { !SessionStore(salvaging: $0.bytes, of: added).damage.isEmpty } ?? true
    let earlier = isDamaged ? try disk.read(.earlierTruth) : nil
    let owner = writtenOwner(files, earlier)
    truth.hasOwner = owner != nil
    store = SessionStore(owner: owner ?? added.owner, device: added.device)
    truth.savedRevision = fill(from: files, earlier, &reports) ? store.revision : nil
    // What was added while the disk could not be read. It is in one store already if that is new.
    store.merge(added)
  }

  /// Whose sits these are: as the main volume says, else the one before it, else any other.
  private func writtenOwner(_ files: [VolumeFile], _ earlier: [UInt8]?) -> Identity? {
    let main = files.filter { $0.volume == .main }.map(\.bytes)
    let others = files.filter { $0.volume != .main }.map(\.bytes)
    return (main + (earlier.map { [$0] } ?? []) + others).lazy
      .compactMap { ReplicaReader($0).header?.owner }.first
  }

  /// Reads the files into the store, and says what is wrong with them.
  /// - Returns: whether the disk holds the store as it is.
  private mutating func fill(
    from files: [VolumeFile], _ earlier: [UInt8]?, _ reports: inout [StoreReport]
  ) -> Bool {
    var count = VolumeCount()
    if let earlier {
      var reader = ReplicaReader(earlier)
      reader.fill(&store)
      if !store.damage.isEmpty {
        let path = Volume.main.truthPath + ".1"
        reports.append(.salvaged(path: path, lines: store.damage, setAside: nil))
      }
    }
    var salvaged: [StoreReport] = []
    for file in files {
      var reader = ReplicaReader(file.bytes)
      reader.fill(&store)
      if let header = reader.header { count.add(header, sits: reader.sits) }
      truth.volumes[file.volume] = file.bytes
      let damage = store.damage
      if damage.isEmpty { continue }
      if file.volume == .main { truth.isSound = false }
      let name = setTruthAside(file.volume, &reports)
      salvaged.append(
        .salvaged(path: file.volume.truthPath, lines: damage, setAside: name))
    }
    let hasMain = truth.volumes[.main] != nil
    let isMainLost = !hasMain && (!files.isEmpty || earlier != nil)
    let isWhole = hasMain && salvaged.isEmpty
    store.damage = isMainLost ? [DamagedLine(number: 1, reason: .missing)] : count.missing
    if !store.damage.isEmpty {
      salvaged.append(
        .salvaged(path: Volume.main.truthPath, lines: store.damage, setAside: nil))
    }
    reports += salvaged
    return isWhole && isOnDisk(isComplete: count.missing.isEmpty)
  }

  /// Whether whole files hold the store as it is.
  ///
  /// - Where volumes are missing that is left as it stands, and said at each start, until there is
  ///   something to write: a main volume of now would not know of them.
  /// - Files of a newer format may have an order that we cannot know; they are taken for what we
  ///   would write, so that they are not rewritten until something changes. Volumes that a save of
  ///   ours has left behind are ours to tidy.
  private func isOnDisk(isComplete: Bool) -> Bool {
    if store.files().isSame(as: truth.volumes) { return true }
    if isComplete && store.format == SessionStore.currentFormat { return false }
    let header = truth.volumes[.main].flatMap { ReplicaReader($0).header }
    return !truth.volumes.keys.contains { volume in
      switch volume {
      case .main: false
      case .overflow(let part): part > (header?.overflowVolumes ?? 0) + 1
      case .archive: header?.archivedSits == 0
      }
    }
  }

  private mutating func setTruthAside(
    _ volume: Volume, _ reports: inout [StoreReport]
  ) -> String? {
    do throws(Disk.Failure) {
      let name = try disk.setAside(.truth(volume))
      truth.heldBack.remove(volume)
      return name
    } catch {
      truth.heldBack.insert(volume)
      let path = volume.truthPath
      let rule = "\(path) is damaged and stays as it is until it is set aside"
      reports.append(.failed(reason: "\(error.description) (\(rule))"))
      return nil
    }
  }

  /// Writes the volumes that are other ones now: further ones first, the main one last, then those
  /// that are not needed any more are removed.
  ///
  /// A line that leaves a further volume may be on its way into one that is written later. Until
  /// the main volume is written, it stands in a volume of its own behind all others, so that a
  /// power cut between two files loses nothing. A damaged volume that could not be set aside is
  /// not written over either: till then what belongs there stands in such a volume, too.
  mutating func saveTruth(
    _ files: [VolumeFile], _ reports: inout [StoreReport]
  ) throws(Disk.Failure) {
    // After a failure nobody knows what the disk holds, so nothing is taken for written.
    truth.savedRevision = nil
    var refusals: [StoreReport] = []
    for volume in truth.heldBack.sorted() { _ = setTruthAside(volume, &refusals) }
    var isWritten = false
    for file in carriedLines(into: files) + files.dropFirst() + files.prefix(1)
    where truth.volumes[file.volume] != file.bytes && !truth.heldBack.contains(file.volume) {
      try put(file)
      isWritten = true
    }
    let wanted = Set(files.map(\.volume))
    for volume in truth.volumes.keys.sorted()
    where truth.heldBack.isEmpty && !wanted.contains(volume) {
      try disk.remove(.truth(volume))
      truth.volumes[volume] = nil
    }
    truth.savedRevision = store.revision
    if isWritten {
      reports.append(.written(bytes: files[0].bytes.count, sits: store.sits.count))
    }
    reports += refusals
    let archived = store.split.archivedMonths
    let new = archived.filter { !archivedMonths.contains($0) }
    archivedMonths = Set(archived)
    if !new.isEmpty { reports.append(.archived(months: new.map(\.text))) }
  }

  private mutating func put(_ file: VolumeFile) throws(Disk.Failure) {
    truth.volumes[file.volume] = []
    let keepsEarlier = file.volume == .main && truth.isSound
    try disk.replace(.truth(file.volume), with: file.bytes, keepingEarlier: keepsEarlier)
    truth.volumes[file.volume] = file.bytes
    if file.volume == .main { truth.isSound = true }
  }

  /// The lines that further volumes lose, and those of volumes that are held back, in volumes
  /// behind all others. What stands in a volume that goes only after the main one is safe there.
  private func carriedLines(into files: [VolumeFile]) -> [VolumeFile] {
    let wanted = Set(files.map(\.volume))
    var safe: Set<ArraySlice<UInt8>> = []
    for (volume, bytes) in truth.volumes where !wanted.contains(volume) {
      safe.formUnion(bytes.split(separator: 0x0A))
    }
    var packer = LinePacker(bytes: StoreCaps.lineBytes)
    for file in files {
      let isHeldBack = truth.heldBack.contains(file.volume)
      guard let old = truth.volumes[file.volume], old != file.bytes,
        isHeldBack || file.volume != .main
      else { continue }
      let kept = isHeldBack ? [] : Set(file.bytes.split(separator: 0x0A))
      for text in (isHeldBack ? file.bytes : old).split(separator: 0x0A)
      where !kept.contains(text) && !safe.contains(text) {
        guard let line = try? ReplicaLine(parsing: text), !line.isFrame else { continue }
        packer.add(line)
      }
    }
    // A volume whose write has failed holds nothing that is not carried again.
    let there = truth.volumes.filter { !$0.value.isEmpty }.map(\.key)
    let taken = (files.map(\.volume) + there + truth.heldBack).compactMap { volume -> Int? in
      if case .overflow(let part) = volume { part } else { nil }
    }
    let first = (taken.max() ?? 1) + 1
    return packer.packs.filter { !$0.lines.isEmpty }.enumerated().map { index, pack in
      let volume = Volume.overflow(first + index)
      let header = ReplicaHeader(of: store, volume).line
      return VolumeFile(volume, ReplicaFileWriter.bytes(header, [pack.lines]))
    }
  }
}

extension ReplicaLine {
  /// Whether it is the first or the last of a file.
  fileprivate var isFrame: Bool { kind == UInt8(ascii: "h") || kind == UInt8(ascii: "z") }
}

extension SessionStore {
  fileprivate init(salvaging bytes: [UInt8], of other: SessionStore) {
    self.init(salvaging: bytes, owner: other.owner, device: other.device)
  }

  /// Whether nothing was ever kept in it.
  var isEmpty: Bool { lineCount == 1 }
}

extension [VolumeFile] {
  func isSame(as volumes: [Volume: [UInt8]]) -> Bool {
    count == volumes.count && allSatisfy { volumes[$0.volume] == $0.bytes }
  }
}
