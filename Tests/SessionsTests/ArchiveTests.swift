import Testing

@testable import Sessions

/// A sit as a box writes it, two a day, most of them whole, some paused.
func realSit(_ index: Int) -> MeditationSession {
  var session = sit(index)
  session.programme = index % 3 == 0 ? "Evening" : "Morning"
  session.utcOffsetSeconds = index % 400 < 200 ? 3_600 : 7_200
  session.durationSeconds = index % 2 == 0 ? 1_500 : 1_200
  session.plannedSeconds = session.durationSeconds
  session.endDate.milliseconds = session.startDate.milliseconds + session.durationSeconds * 1_000
  if index % 20 == 0 {
    session.completed = false
    session.durationSeconds -= 313
  }
  if index % 50 == 0 {
    session.interruptions = [
      .init(from: session.startDate, to: session.endDate, kind: .pause)
    ]
  }
  return session
}

func realStore(_ sits: Int, device: Identity = kitchen) throws -> SessionStore {
  var store = SessionStore(owner: owner, device: device)
  for index in 0..<sits { try store.add(realSit(index)) }
  return store
}

private func sits(_ bytes: [UInt8]) -> Int { lines(bytes).filter { $0.contains(" s {") }.count }

@Suite struct ArchiveTests {
  @Test func tenYears_ofTwoSitsADay_fitWithoutArchive() throws {
    let store = try realStore(7_305)
    let files = store.files()
    #expect(files.map(\.volume) == [.main])
    let average = Double(files[0].bytes.count) / 7_305
    #expect(average <= 143, "\(average) bytes a sit")
    #expect(files[0].bytes == store.encode())
  }

  @Test func aYearMore_archivesTheSameMonthsOnBoth_andTotalsAreEqual() throws {
    var left = SessionStore(owner: owner, device: kitchen)
    var right = SessionStore(owner: owner, device: study)
    right.hasMerged = true
    for index in 0..<9_200 {
      if index % 2 == 0 { try left.add(realSit(index)) } else { try right.add(realSit(index)) }
    }
    left.merge(right)
    right.merge(left)
    let files = left.files()
    #expect(files.map(\.volume) == right.files().map(\.volume))
    // All but the first and the last line are the same.
    let isSame = zip(files, right.files()).dropFirst().allSatisfy { left, right in
      lines(left.bytes).dropFirst().dropLast() == lines(right.bytes).dropFirst().dropLast()
    }
    #expect(isSame)
    #expect(left.split.archivedMonths == right.split.archivedMonths)
    #expect(left.split.archivedMonths.first == Month("2026-11"))
    #expect(left.usage.sits == 9_200)
    #expect(left.usage.archivedSits > 300, "\(left.usage)")
    #expect(left.usage.bytes == files[0].bytes.count)
    for file in files { #expect(file.bytes.count <= StoreCaps.fileBytes) }
    // The fewest: one more month would not fit.
    let last = left.months[left.split.archivedMonths[left.split.archivedMonths.count - 1]]
    #expect(files[0].bytes.count + (last?.bytes ?? 0) + 200 > StoreCaps.fileBytes)
    #expect(files.reduce(0) { $0 + sits($1.bytes) } == 9_200)
    let read = SessionStore(salvaging: files.reversed(), owner: study, device: kitchen)
    #expect(read.damage == [] && read.files() == files)
  }

  @Test func oneYear_overTheCap_hasParts() throws {
    var store = SessionStore(owner: owner, device: kitchen)
    let note = String(repeating: "n", count: 3_000)
    for index in 0..<900 { try store.add(sit(index, note: note)) }
    let volumes = store.files().map(\.volume)
    #expect(volumes.contains(.archive(year: 2027, part: 2)))
    #expect(volumes == volumes.sorted { ($0 == .main ? 0 : 1) < ($1 == .main ? 0 : 1) })
    let read = SessionStore(salvaging: store.files(), owner: owner, device: kitchen)
    #expect(read.usage.sits == 900 && read.damage == [])
  }

  @Test func archive_thatIsMissing_isNoticedAndNoDeletion() throws {
    let store = try realStore(9_200)
    let files = store.files()
    let archived = store.usage.archivedSits
    let gone = files.filter { $0.volume != files[1].volume }
    let read = SessionStore(salvaging: gone, owner: owner, device: kitchen)
    let found = archived - sits(files[1].bytes)
    #expect(
      read.damage == [
        DamagedLine(number: 1, reason: .archiveIncomplete(found: found, written: archived))
      ])
    #expect(
      read.damage[0].description
        == "line 1: archive incomplete: \(found) of \(archived) sits")
    #expect(read.deletedSits.isEmpty)
    var mended = read
    mended.merge(store)
    #expect(mended.files() == files)
  }

  @Test func record_longerThanAFile_isSplitByFields() throws {
    let long = JSONValue.string(String(repeating: "y", count: 600_000))
    var left = SessionStore(owner: owner, device: kitchen)
    var right = SessionStore(owner: owner, device: study)
    try left.set("bell", to: .object(of: [JSONMember("a", long)]), at: now)
    try right.set("bell", to: .object(of: [JSONMember("b", long)]), at: now)
    left.merge(right)
    let files = left.files()
    #expect(files.count > 1)
    for file in files { #expect(file.bytes.count <= StoreCaps.fileBytes) }
    let read = SessionStore(salvaging: files, owner: owner, device: kitchen)
    #expect(read.damage == [] && read.files() == files)
    #expect(read.value(forKey: "bell") == left.value(forKey: "bell"))
  }

  @Test func keys_above1024_goToAnOverflowVolume() throws {
    var left = SessionStore(owner: owner, device: kitchen)
    var right = SessionStore(owner: owner, device: study)
    for index in 0..<700 {
      try left.set("left \(index)", to: .null, at: now)
      try right.set("right \(index)", to: .null, at: now)
    }
    for index in 0..<20 { try right.add(sit(index * 62)) }
    left.merge(right)
    #expect(left.usage.keys <= StoreCaps.keys)
    #expect(left.split.isOverQuota)
    #expect(left.usage.archivedSits < 20)
    let read = SessionStore(salvaging: left.files(), owner: owner, device: kitchen)
    #expect(read.keys == left.keys && read.files() == left.files())
    // Without the overflow volume it is said.
    let lost = SessionStore(
      salvaging: left.files().filter { $0.volume != .overflow(2) }, owner: owner, device: kitchen)
    #expect(
      lost.damage == [
        DamagedLine(number: 1, reason: .volumesMissing(found: 0, written: 1))
      ])
  }

  /// A file of the kitchen's.
  private func file(_ place: Volume, _ header: String, _ bodies: [String] = []) -> VolumeFile {
    let first = String(headerBody.dropLast()) + "\(header)}"
    let lines = ([first] + bodies).map(wholeLine)
    return VolumeFile(place, ReplicaFileWriter.bytes(lines[0], [Array(lines[1...])]))
  }

  private func missing(_ files: VolumeFile...) -> [DamagedLine.Reason] {
    SessionStore(salvaging: files, owner: owner, device: kitchen).damage.map(\.reason)
  }

  @Test func volumes_thatAreOthers_hideNoneThatIsMissing() {
    let archive = Volume.archive(year: 1970, part: 1)
    let first = #"s {"b":1,"i":"\#(kitchenText)"}"#
    let second = #"s {"b":1,"i":"\#(studyText)"}"#
    let main = file(.main, #","a":2"#)
    let half = file(archive, #","v":"archive/1970""#, [first])
    let rest = file(.archive(year: 1971, part: 1), #","v":"archive/1971""#, [second])
    let twice = file(.archive(year: 1971, part: 1), #","v":"archive/1971""#, [first])
    let overflow = file(.overflow(2), #","v":"2""#, [second])
    let foreign = file(.overflow(2), #","v":"later/7""#, [second])
    let lost = [DamagedLine.Reason.archiveIncomplete(found: 1, written: 2)]
    #expect(missing(main, half, rest) == [])
    for other in [twice, overflow, foreign] { #expect(missing(main, half, other) == lost) }
    let two = file(.main, #","n":1"#)
    #expect(missing(two, overflow) == [])
    let third = file(.overflow(3), #","v":"3""#)
    #expect(missing(two, third) == [.volumesMissing(found: 0, written: 1)])
    // A forger's counts are no crash.
    #expect(missing(file(.main, #","a":-1,"n":-5"#), third) == [])
    let great = file(.main, #","n":\#(Int64.max)"#)
    #expect(missing(great, third) == [.volumesMissing(found: 1, written: Int.max)])
  }

  @Test(arguments: [#""later/7""#, "7"])
  func volume_withALabelThatIsNotKnown_isMergedAndNotTheMainOne(_ label: String) throws {
    let sit = #"s {"b":1,"i":"\#(studyText)"}"#
    let main = file(.main, #","z":1"#)
    let other = file(.overflow(2), #","v":\#(label),"z":2"#, [sit])
    let read = SessionStore(salvaging: [main, other], owner: owner, device: kitchen)
    #expect(read.usage.sits == 1)
    #expect(read.headerRest == [JSONMember("z", .integer(1))])
    #expect(try #require(ReplicaReader(other.bytes).header).volume == nil)
  }

  @Test func header_withLongMembers_keepsWhatFitsAndMovesNothing() throws {
    let long = String(repeating: "x", count: 1_047_000)
    var plain = SessionStore(owner: owner, device: study)
    let note = String(repeating: "n", count: 10_000)
    for index in 0..<120 { try plain.add(sit(index * 20, note: note)) }
    for members in [#""p":1,"z":"\#(long)""#, #""p":1"#, #""p":"\#(long.prefix(240))""#] {
      var other = SessionStore(
        salvaging: [file(.main, "," + members)], owner: owner, device: kitchen)
      other.merge(plain)
      #expect(other.split.archivedMonths == plain.split.archivedMonths)
      let first = lines(other.files()[0].bytes)[0]
      #expect(first.contains(#""p":"#) && !first.contains(#""z":"#))
    }
    // The longest line, under the longest first line.
    var full = SessionStore(
      salvaging: [file(.main, #","m":true,"p":"\#(long.prefix(240))""#)], owner: owner,
      device: kitchen)
    full.format = .max
    let start = #"s {"b":1,"i":"\#(studyText)","n":""#
    let padding = StoreCaps.lineBytes - 9 - start.utf8.count - 2
    full.take(wholeLine(start + String(repeating: "n", count: padding) + #""}"#))
    #expect(full.orderedSits[0].line.bytes.count == StoreCaps.lineBytes)
    let read = SessionStore(salvaging: full.files(), owner: owner, device: kitchen)
    #expect(read.damage == [] && read.usage.sits == 1)
  }

  @Test func anyByteOrLength_ofAnArchiveOrOverflowVolume_isNoticedAndSalvaged() throws {
    var store = SessionStore(owner: owner, device: kitchen)
    for index in 0..<3 { try store.add(sit(index)) }
    for header in [Volume.archive(year: 2026, part: 1), .overflow(2)] {
      let whole = ReplicaFileWriter.bytes(
        ReplicaHeader(of: store, header).line, [store.orderedSits.map(\.line)])
      for place in whole.indices {
        var damaged = whole
        damaged[place] ^= UInt8(1 << (place % 8))
        let read = SessionStore(salvaging: damaged, owner: owner, device: kitchen)
        #expect(read.damage != [], "byte \(place)")
        #expect(read.usage.sits >= (whole[place] == 0x0A ? 1 : 2))
        let cut = SessionStore(
          salvaging: Array(whole[..<place]), owner: owner, device: kitchen)
        #expect(cut.damage != [], "cut at \(place)")
      }
    }
  }

  private static let nonsense: [[UInt8]] = [
    [0xEF, 0xBB, 0xBF], Array(repeating: 0x0A, count: 1_000_000),
    Array(repeating: UInt8(ascii: "x"), count: 16 << 20), Array(repeating: 0, count: 1 << 20),
    [0xFF, 0xFE, 0x0A], Array("h {}\r\n".utf8),
  ]

  @Test(arguments: ArchiveTests.nonsense.indices)
  func nonsense_beforeOrInsteadOfAReplica_isDamageAndNoCrash(_ index: Int) throws {
    let bytes = ArchiveTests.nonsense[index]
    let whole = try store(sits: 2).encode()
    for text in [bytes, bytes + whole, whole + bytes] {
      let read = SessionStore(salvaging: text, owner: owner, device: kitchen)
      #expect(!read.damage.isEmpty && read.damage.count <= ReplicaReader.damageLimit)
      #expect(text.count == bytes.count || read.usage.sits >= 1)
    }
    let windows = whole.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    #expect(!SessionStore(salvaging: windows, owner: owner, device: kitchen).damage.isEmpty)
  }
}
