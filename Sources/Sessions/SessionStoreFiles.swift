// How the state is laid out in files of at most `StoreCaps.fileBytes` each.
//
// Invariants:
// - The layout is a pure function of what is held, and does not hang on the device or the owner:
//   all boxes with the same state archive the same months.
// - The files together hold everything, each line once; one that is too long for a file in pieces.
// - As long as all fits into the main volume there is no other. Else the fewest oldest months go to
//   the archive, and only what a merge has brought over the cap beside them goes to overflow
//   volumes.

/// Which sits leave the main volume, and how full that is.
struct VolumeSplit {
  /// The months in the archive, oldest first.
  var archivedMonths: [Month] = []
  var archivedSits = 0
  /// What is no sit, by volume from the main one on; nil where all of it is in the main one.
  var packs: [LinePack]?

  /// Whether keys, tombstones and such are over the cap.
  var isOverQuota: Bool { overflowVolumes > 0 }
  var overflowVolumes: Int { max(0, (packs?.count ?? 1) - 1) }
}

/// Lines that share a volume.
struct LinePack {
  var lines: [ReplicaLine] = []
  var bytes = 0
  var keys = 0
  /// How many of the lines stand before the sits: records and claims.
  var leading = 0
}

/// Fills volumes with lines, one after another.
struct LinePacker {
  private(set) var packs = [LinePack()]
  private let bytes: Int
  private let keys: Int
  /// The room in the first pack.
  private let firstBytes: Int
  private let firstKeys: Int

  init(first: (bytes: Int, keys: Int)? = nil, bytes: Int, keys: Int = .max) {
    self.bytes = bytes
    self.keys = keys
    firstBytes = first?.bytes ?? bytes
    firstKeys = first?.keys ?? keys
  }

  mutating func add(_ line: ReplicaLine, isKey: Bool = false, isLeading: Bool = false) {
    let index = packs.count - 1
    let room = index == 0 ? (firstBytes, firstKeys) : (bytes, keys)
    let length = line.bytes.count + 1
    if packs[index].bytes + length > room.0 || packs[index].keys + (isKey ? 1 : 0) > room.1 {
      packs.append(LinePack())
    }
    packs[packs.count - 1].lines.append(line)
    packs[packs.count - 1].bytes += length
    packs[packs.count - 1].keys += isKey ? 1 : 0
    packs[packs.count - 1].leading += isLeading ? 1 : 0
  }
}

extension SessionStore {
  var sitBytes: Int { months.values.reduce(0) { $0 + $1.bytes } }

  /// The lines of a file of everything: the first one, those held, the last one.
  var lineCount: Int {
    1 + records.count + claims.count + sits.count + deletedSits.count + kept.count
  }

  /// The length of a main volume without archive.
  func fileBytes(body: Int, lines: Int) -> Int {
    ReplicaHeader(of: self).line.bytes.count + 1 + body + ReplicaLine.trailerLength(lines: lines)
  }

  /// As if copies of others had been merged and all the room for members of newer versions were
  /// taken: neither must change what is archived.
  private var firstLineLength: Int {
    var header = ReplicaHeader(of: self)
    header.hasMerged = true
    header.rest = []
    return header.line.bytes.count + 1 + ReplicaHeader.restLength
  }

  /// Whether one file holds everything.
  var isWhole: Bool {
    liveKeys + months.count <= StoreCaps.keys
      && firstLineLength + bodyBytes + ReplicaLine.trailerLength(lines: lineCount)
        <= StoreCaps.fileBytes
      && !hasLongRecord && !months.values.contains { $0.bytes > StoreCaps.lineBytes }
  }

  /// Whether the joins of a record's fields have made it longer than a line may be.
  private var hasLongRecord: Bool {
    bodyBytes > StoreCaps.lineBytes
      && records.values.contains { $0.line.bytes.count > StoreCaps.lineBytes }
  }

  /// What the lines of a volume may take.
  private var volumeRoom: Int {
    StoreCaps.fileBytes - firstLineLength - ReplicaHeader.countsLength
      - ReplicaLine.trailerLength(lines: 99_999_999)
  }

  /// How full the store is.
  public var usage: StoreUsage {
    if isWhole {
      return StoreUsage(
        bytes: fileBytes(body: bodyBytes, lines: lineCount), keys: liveKeys + months.count,
        sits: sits.count)
    }
    let split = split
    let archived = split.archivedMonths.reduce(0) { $0 + (months[$1]?.bytes ?? 0) }
    let rest = split.packs?[0]
    let body = (rest?.bytes ?? bodyBytes - sitBytes) + sitBytes - archived
    let others = split.packs?.dropFirst().reduce(0) { $0 + $1.lines.count } ?? 0
    let lines = lineCount - split.archivedSits - others
    return StoreUsage(
      bytes: header(of: split).line.bytes.count + 1 + body
        + ReplicaLine.trailerLength(lines: lines),
      keys: (rest?.keys ?? liveKeys) + months.count - split.archivedMonths.count,
      sits: sits.count, archivedSits: split.archivedSits)
  }

  private func header(of split: VolumeSplit) -> ReplicaHeader {
    var header = ReplicaHeader(of: self)
    header.archivedSits = split.archivedSits
    header.overflowVolumes = split.overflowVolumes
    return header
  }

  /// What leaves the main volume.
  var split: VolumeSplit {
    var split = VolumeSplit()
    if isWhole { return split }
    let rest = bodyBytes - sitBytes
    // Where a merge has brought too much, the newest months still have a place: half of what is
    // kept for sits, the other half is for their tombstones and claims, which no cap refuses.
    let room = (
      bytes: volumeRoom - min(sitBytes, StoreCaps.bytesForSits / 2),
      keys: StoreCaps.keys - min(months.count, StoreCaps.keysForSits)
    )
    if rest > room.bytes || liveKeys > room.keys || hasLongRecord {
      split.packs = packedRest(first: room)
    }
    var bytes = split.packs?[0].bytes ?? rest
    var keys = split.packs?[0].keys ?? liveKeys
    var isFull = false
    for (month, tally) in months.sorted(by: { $0.key > $1.key }) {
      bytes += tally.bytes
      keys += 1
      isFull =
        isFull || bytes > volumeRoom || keys > StoreCaps.keys
        || tally.bytes > StoreCaps.lineBytes
      if isFull {
        split.archivedMonths.append(month)
        split.archivedSits += tally.sits
      }
    }
    split.archivedMonths.reverse()
    return split
  }

  private func packedRest(first: (bytes: Int, keys: Int)) -> [LinePack] {
    var packer = LinePacker(first: first, bytes: volumeRoom, keys: StoreCaps.keys)
    for record in orderedRecords {
      for piece in record.pieces {
        packer.add(piece.line, isKey: piece.isLive, isLeading: true)
      }
    }
    for line in orderedClaims { packer.add(line, isLeading: true) }
    for line in orderedTombstones + keptLines { packer.add(line) }
    return packer.packs
  }

  private var orderedRecords: [Record] {
    records.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }

  private var orderedClaims: [ReplicaLine] {
    claims.sorted { $0.key < $1.key }.map(\.value.line)
  }

  private var orderedTombstones: [ReplicaLine] {
    deletedSits.sorted { $0.key < $1.key }.map(\.value.line)
  }

  private var keptLines: [ReplicaLine] {
    // Each was read as a line once.
    kept.sorted { $0.lexicographicallyPrecedes($1) }
      .compactMap { try? ReplicaLine(parsing: $0[...]) }
  }
}

// MARK: - The files

extension SessionStore {
  /// The replica as files hold it, the main volume first: same state, same bytes.
  public func files() -> [VolumeFile] {
    let split = split
    let isArchived = Set(split.archivedMonths)
    let sits = orderedSits
    let newest = isArchived.isEmpty ? sits : sits.filter { !isArchived.contains($0.month) }
    let leading = orderedRecords.map(\.line) + orderedClaims
    let rest = split.packs?[0]
    let lines = rest?.lines ?? leading + orderedTombstones + keptLines
    let place = rest?.leading ?? leading.count
    let main = ReplicaFileWriter.bytes(
      header(of: split).line,
      [Array(lines[..<place]), newest.map(\.line), Array(lines[place...])])
    var files = [VolumeFile(.main, main)]
    for (index, pack) in (split.packs ?? []).enumerated().dropFirst() {
      files.append(file(.overflow(index + 1), pack.lines))
    }
    if !isArchived.isEmpty { files += archive(sits.filter { isArchived.contains($0.month) }) }
    return files
  }

  /// - Parameter sits: in their order, so by year.
  private func archive(_ sits: [Sit]) -> [VolumeFile] {
    var files: [VolumeFile] = []
    var rest = sits[...]
    while let year = rest.first?.month.year {
      let ofYear = rest.prefix { $0.month.year == year }
      rest = rest.dropFirst(ofYear.count)
      var packer = LinePacker(bytes: volumeRoom)
      for sit in ofYear { sit.pieces.forEach { packer.add($0) } }
      for (index, pack) in packer.packs.filter({ !$0.lines.isEmpty }).enumerated() {
        files.append(file(.archive(year: year, part: index + 1), pack.lines))
      }
    }
    return files
  }

  private func file(_ volume: Volume, _ lines: [ReplicaLine]) -> VolumeFile {
    VolumeFile(
      volume, ReplicaFileWriter.bytes(ReplicaHeader(of: self, volume).line, [lines]))
  }
}

/// Puts a file together.
enum ReplicaFileWriter {
  /// - Precondition: the file is no larger than the cap.
  static func bytes(_ header: ReplicaLine, _ groups: [[ReplicaLine]]) -> [UInt8] {
    var bytes: [UInt8] = []
    var checksum = Checksum()
    var count = 0
    func write(_ line: ReplicaLine) {
      bytes += line.bytes
      bytes.append(0x0A)
      checksum.add(line.bytes[..<8])
      count += 1
    }
    bytes.reserveCapacity(groups.joined().reduce(256) { $0 + $1.bytes.count + 1 })
    write(header)
    for line in groups.joined() { write(line) }
    bytes += ReplicaLine.trailer(lines: count, checksum: checksum.value).bytes
    bytes.append(0x0A)
    precondition(bytes.count <= StoreCaps.fileBytes, "no file of a replica is over the cap")
    return bytes
  }
}

// MARK: - Lines that are too long for a volume

extension Record {
  /// The record as lines that fit into a volume; their join is the record. Each field comes from
  /// one line that was read or written, so that each fits alone; what a forger has composed of more
  /// unknown members than a line holds is left out.
  var pieces: [Record] {
    if line.bytes.count <= StoreCaps.lineBytes { return [self] }
    func piece(_ fields: [Field], _ rest: [JSONMember]) -> Record {
      Record(key: key, fields: fields, deletedAt: deletedAt, rest: rest)
    }
    let room = StoreCaps.lineBytes - piece([], []).line.bytes.count - Record.fieldsLength
    let ofFields = fields.runs(of: room, length: \.writtenLength).map { piece(Array($0), []) }
    // Without a field or a deletion there is no record, so the shortest field comes along.
    let lengths = deletedAt == nil ? fields.map { (field: $0, bytes: $0.writtenLength) } : []
    let shortest = lengths.min { $0.bytes < $1.bytes }
    let ofRest = rest.runs(of: room - (shortest?.bytes ?? 0), length: \.writtenLength)
      .map { piece(shortest.map { [$0.field] } ?? [], Array($0)) }
    return (ofFields + ofRest).filter { $0.line.bytes.count <= StoreCaps.lineBytes }
  }

  /// What stands around the fields in either form of a line, at most.
  private static let fieldsLength = #""f":{},"v""#.utf8.count
}

extension Record.Field {
  /// What the field takes in a line, at most: `"name":["stamp",value],`.
  fileprivate var writtenLength: Int {
    JSONMember(name, .array([.string(stamp.text), value])).writtenLength
  }
}

extension JSONMember {
  /// What the member takes in an object with others: `"name":value,`.
  var writtenLength: Int {
    JSONValue.string(name).encoded().count + value.encoded().count + 2
  }
}

extension Array {
  /// The elements in runs as long as `room` allows; one that is longer is a run of its own.
  fileprivate func runs(of room: Int, length: (Element) -> Int) -> [ArraySlice<Element>] {
    var runs: [ArraySlice<Element>] = []
    var (start, sum) = (0, 0)
    for index in indices {
      let next = length(self[index])
      if sum + next > room, index > start {
        runs.append(self[start..<index])
        (start, sum) = (index, 0)
      }
      sum += next
    }
    if start < count { runs.append(self[start...]) }
    return runs
  }
}

extension SessionStore.Sit {
  /// The sit as lines that fit into a volume; their join is the sit, as with records.
  var pieces: [ReplicaLine] {
    if line.bytes.count <= StoreCaps.lineBytes { return [line] }
    guard let record, let members = record.members else { return [] }
    let base = members.filter { $0.name == "b" || $0.name == "i" }
    let stamps = record["@"]?.members ?? []
    func piece(_ fields: [JSONMember]) -> ReplicaLine {
      // Both are in the byte order of their names.
      let all = JSONValue.object(of: base + fields).members ?? []
      let ofThese = joinedByName(
        all.map { (name: $0.name, isHere: true, stamp: JSONMember?.none) },
        stamps.map { (name: $0.name, isHere: false, stamp: JSONMember?.some($0)) },
        name: \.name
      ) { ($0.name, true, $1.stamp) }
      .compactMap { $0.isHere ? $0.stamp : nil }
      let stamped = ofThese.isEmpty ? [] : [JSONMember("@", .object(of: ofThese))]
      return ReplicaLine(kind: "s", .object(of: all + stamped))
    }
    // A stamp takes its field's name once more.
    let others = members.filter { !["@", "b", "i"].contains($0.name) }
    let stampLength = stamps.map { $0.value.encoded().count }.max() ?? 0
    let room = StoreCaps.lineBytes - piece([]).bytes.count - #""@":{},"#.utf8.count
    let pieces = others.runs(of: room) { member in
      member.writtenLength
        + (stamps.isEmpty ? 0 : JSONMember(member.name, .null).writtenLength + stampLength)
    }.map { piece(Array($0)) }
    return (pieces.isEmpty ? [piece([])] : pieces).filter {
      $0.bytes.count <= StoreCaps.lineBytes
    }
  }
}
