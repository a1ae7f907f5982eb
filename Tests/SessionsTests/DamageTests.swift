import Sessions
import Testing

@Suite struct DamageTests {
  private func sample() throws -> SessionStore {
    var store = try store(sits: 3)
    try store.set("bell", to: .string("large-bowl"), at: now)
    try store.delete(sit(2).id, at: now)
    return store
  }

  @Test func anyByte_changedToAnyOther_isNoticedAndCostsOneRecord() throws {
    let store = try sample()
    let bytes = store.encode()
    for place in bytes.indices {
      for flip in [UInt8](1...255) where flip.nonzeroBitCount == 1 || (place + Int(flip)) % 16 == 0
      {
        var damaged = bytes
        damaged[place] ^= flip
        let read = SessionStore(salvaging: damaged, owner: owner, device: kitchen)
        #expect(read.damage != [], "byte \(place) flipped by \(flip)")
        // A lost line end costs the two lines it joined; everything else costs one.
        let lost =
          store.usage.sits + 1 - read.usage.sits - (read.value(forKey: "bell") == nil ? 0 : 1)
        #expect(lost <= (bytes[place] == 0x0A ? 2 : 1), "byte \(place) flipped by \(flip)")
      }
    }
  }

  @Test func anyLength_cutOff_isNoticedAndSalvaged() throws {
    let store = try sample()
    let bytes = store.encode()
    for length in 0..<bytes.count {
      let read = SessionStore(
        salvaging: Array(bytes[..<length]), owner: owner, device: kitchen)
      #expect(read.damage != [], "cut at \(length)")
      // Kinds stand as h, k, s, s, x, z: each whole line before the cut is there.
      let whole = bytes[..<length].filter { $0 == 0x0A }.count
      #expect((read.value(forKey: "bell") != nil) || whole < 2)
      #expect(read.usage.sits >= min(max(whole - 2, 0), 2))
    }
  }

  @Test func lines_missingDoubledOrSwapped_areNoticed() throws {
    let bytes = try sample().encode()
    let whole = lines(bytes)
    for index in 1..<whole.count - 1 {
      var missing = whole
      missing.remove(at: index)
      expectDamage(missing, .lineCount(found: 4, written: 5))
      var doubled = whole
      doubled.insert(whole[index], at: index)
      expectDamage(doubled, .lineCount(found: 6, written: 5))
    }
    var swapped = whole
    swapped.swapAt(1, 2)
    expectDamage(swapped, .fileChecksum)
    expectDamage(whole + [whole[1]], .notClosed)
    expectDamage(whole + [whole[5]], .notClosed)
  }

  private func expectDamage(_ lines: [String], _ reason: DamagedLine.Reason) {
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    let read = SessionStore(salvaging: bytes, owner: owner, device: kitchen)
    #expect(read.damage.map(\.reason) == [reason])
  }

  @Test(arguments: [[], Array(repeating: UInt8(0), count: 4_096), Array("{}\n".utf8)] as [[UInt8]])
  func emptyOrForeignFile_read_isDamagedAndNoNewStore(_ bytes: [UInt8]) {
    #expect(throws: StoreError.notAReplica) { try SessionStore(parsing: bytes) }
    let read = SessionStore(salvaging: bytes, owner: owner, device: kitchen)
    #expect(read.damage.map(\.reason).contains(.notClosed))
    #expect(read.usage.sits == 0)
  }

  @Test func damage_describedToAPerson_namesTheLine() throws {
    var text = lines(try sample().encode())
    text[2] = "nonsense"
    text[3] = text[3].replacingFirst("1800", by: "1801")
    let bytes = Array((text.joined(separator: "\n") + "\n").utf8)
    let read = try SessionStore(parsing: bytes)
    #expect(
      read.damage.map(\.description) == [
        "line 3: not a line of a replica", "line 4: its checksum does not fit",
      ])
  }
}

extension String {
  fileprivate func replacingFirst(_ old: String, by new: String) -> String {
    let characters = Array(utf8)
    let wanted = Array(old.utf8)
    for start in 0...(characters.count - wanted.count)
    where Array(characters[start..<start + wanted.count]) == wanted {
      let result = characters[..<start] + Array(new.utf8) + characters[(start + wanted.count)...]
      return String(decoding: result, as: UTF8.self)
    }
    return self
  }
}
