extension SessionStore {
  /// The replica as one file holds it: same state, same bytes. It is the form for tests and tools;
  /// what a box writes may need more files, and is made by `files`.
  /// - Precondition: it fits under `StoreCaps.fileBytes`.
  public func encode() -> [UInt8] {
    precondition(isWhole, "a replica that is one file fits under the cap")
    return files()[0].bytes
  }

  /// Reads a replica that is one file, as `encode` makes it. `damage` says which lines could not be
  /// used; all others are in.
  /// - Throws: `notAReplica` when the first line does not say whose it is.
  public init(parsing bytes: [UInt8]) throws(StoreError) {
    var reader = ReplicaReader(bytes)
    guard let header = reader.header else { throw .notAReplica }
    self.init(owner: header.owner, device: header.device)
    reader.fill(&self)
  }

  /// Whether nothing in a file of a replica is damaged, and it ends where it should.
  public static func isUndamaged(_ bytes: [UInt8]) -> Bool {
    var reader = ReplicaReader(bytes)
    return reader.read { _ in }.isEmpty
  }

  /// Reads what can be read of one file of this device's own replica. Where the first line is lost,
  /// the given owner stands in.
  public init(salvaging bytes: [UInt8], owner: Identity, device: Identity) {
    var reader = ReplicaReader(bytes)
    self.init(owner: reader.header?.owner ?? owner, device: device)
    reader.fill(&self)
  }

  /// Reads what can be read of the files of this device's own replica, in any order. `damage` also
  /// says where files are missing.
  public init(salvaging files: [VolumeFile], owner: Identity, device: Identity) {
    let headers = files.sorted { $0.volume < $1.volume }
      .compactMap { ReplicaReader($0.bytes).header }
    self.init(owner: headers.first?.owner ?? owner, device: device)
    var count = VolumeCount()
    var damage: [DamagedLine] = []
    for file in files {
      var reader = ReplicaReader(file.bytes)
      reader.fill(&self)
      if let header = reader.header { count.add(header, sits: reader.sits) }
      damage += self.damage
    }
    self.damage = damage + count.missing
  }
}

/// Counts what is in the volumes of a replica, against what its main volume says.
struct VolumeCount {
  private var declared: ReplicaHeader?
  private var sits: Set<Identity> = []
  private var overflowVolumes: Set<Int> = []

  var hasMain: Bool { declared != nil }

  /// - Parameter sits: those in a further volume. One may stand in two, where it was moved or is
  ///   too long for one; in an overflow volume there is one only while it is moved.
  mutating func add(_ header: ReplicaHeader, sits: Set<Identity>) {
    switch header.volume {
    case .main: declared = header
    case .overflow(let part):
      overflowVolumes.insert(part)
      self.sits.formUnion(sits)
    case .archive: self.sits.formUnion(sits)
    case nil: break
    }
  }

  /// What is missing, as damage of the main volume's first line.
  var missing: [DamagedLine] {
    guard let declared else { return [] }
    var missing: [DamagedLine] = []
    let written = (sits: declared.archivedSits, volumes: declared.overflowVolumes)
    if sits.count < written.sits {
      missing.append(
        DamagedLine(
          number: 1, reason: .archiveIncomplete(found: sits.count, written: written.sits)))
    }
    // They are numbered from 2; one behind the last is left from another state.
    let found = overflowVolumes.filter { $0 - 1 <= written.volumes }.count
    if found < written.volumes {
      missing.append(
        DamagedLine(number: 1, reason: .volumesMissing(found: found, written: written.volumes)))
    }
    return missing
  }
}

/// Reads a file of a replica line by line, and notes what cannot be used.
struct ReplicaReader {
  /// More findings than these are nobody's to read, and a file of line feeds has a million.
  static let damageLimit = 1_000

  private let bytes: [UInt8]
  /// What the first line says; nil when it is damaged or no header.
  let header: ReplicaHeader?
  /// The sits of a further volume; none of the main one.
  private(set) var sits: Set<Identity> = []
  private let isFurther: Bool
  private var damage: [DamagedLine] = []
  private var checksum = Checksum()
  private var wholeLines = 0
  private var trailer: (number: Int, payload: ArraySlice<UInt8>)?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
    let line =
      end <= StoreCaps.lineBytes ? try? ReplicaLine(parsing: bytes[..<end]) : nil
    header = line.flatMap(ReplicaHeader.init)
    isFurther =
      switch header?.volume {
      case .archive, .overflow: true
      case .main, nil: false
      }
  }

  mutating func fill(_ store: inout SessionStore) {
    if let header { store.adopt(header) }
    store.reserve(fileBytes: bytes.count)
    let isFurther = isFurther
    var sits: Set<Identity> = []
    store.damage = read { line in
      if let sit = store.take(line), isFurther { sits.insert(sit) }
    }
    self.sits = sits
  }

  /// Reads all of it.
  /// - Parameter use: takes each whole line but the first and the last.
  /// - Returns: what cannot be used.
  mutating func read(_ use: (ReplicaLine) -> Void) -> [DamagedLine] {
    var number = 0
    var position = bytes.startIndex
    while position < bytes.endIndex {
      number += 1
      let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.endIndex
      take(bytes[position..<end], number, use)
      position = end + 1
    }
    checkEnd(lines: number)
    return damage
  }

  private mutating func note(_ number: Int, _ reason: DamagedLine.Reason) {
    if damage.count < ReplicaReader.damageLimit {
      damage.append(DamagedLine(number: number, reason: reason))
    }
  }

  private mutating func take(
    _ text: ArraySlice<UInt8>, _ number: Int, _ use: (ReplicaLine) -> Void
  ) {
    if number == 1 && header == nil { note(1, .noHeader) }
    if text.count > StoreCaps.lineBytes { return note(number, .tooLong) }
    let line: ReplicaLine
    do { line = try ReplicaLine(parsing: text) } catch {
      return note(number, error == .malformed ? .malformed : .checksum)
    }
    if line.kind == UInt8(ascii: "z") {
      // The first one counts; whatever follows it makes the file end in the wrong place.
      if trailer == nil { trailer = (number, line.payload) }
      return
    }
    wholeLines += 1
    checksum.add(line.bytes[..<8])
    if line.kind != UInt8(ascii: "h") { return use(line) }
    // Another file's beginning within this one.
    if number > 1 { note(number, .malformed) }
  }

  /// Says how the file ends, unless damaged lines say already why it cannot end well.
  private mutating func checkEnd(lines: Int) {
    guard let trailer, trailer.number == lines, bytes.last == 0x0A else {
      return note(max(lines, 1), .notClosed)
    }
    guard damage.isEmpty else { return }
    let expected = ReplicaLine.trailer(lines: wholeLines, checksum: checksum.value).payload
    if trailer.payload == expected { return }
    let written = trailer.payload.split(separator: UInt8(ascii: " ")).first
      .flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    let reason: DamagedLine.Reason =
      if let written, written != wholeLines {
        .lineCount(found: wholeLines, written: written)
      } else {
        .fileChecksum
      }
    note(lines, reason)
  }
}
