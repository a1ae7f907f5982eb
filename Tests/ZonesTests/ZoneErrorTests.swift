import Testing
import Zones

/// Where the rule of `madeZone` begins, without changes.
private let ruleStart = 44 + 7 + 44 + 12 + 8 + 1

@Test(arguments: [
  ("AB", 2), ("ABC", 3), ("ABC25", 3), ("ABC1:60", 5), ("<+1", 3), ("<AB>1", 3),
  ("ABC1DEF", 7), ("ABC1DEF,M1.1.1", 14), ("ABC1DEF,M13.1.1,M1.1.1", 9),
  ("ABC1DEF,M1.6.1,M1.1.1", 11), ("ABC1DEF,M1.1.7,M1.1.1", 13), ("ABC1DEF,J0,J5", 9),
  ("ABC1DEF,366,5", 8), ("ABC1DEF,1/168,5", 10), ("ABC1DEF,1,2x", 11), ("ABC1 ", 4),
])
func rule_malformed_namesTheByte(rule: String, offset: Int) {
  #expect(throws: ZoneError.rule(offset: ruleStart + offset)) {
    try ZoneRules(tzif: madeZone(rule: rule))
  }
}

@Test func file_brokenFields_areNamed() throws {
  func expect(_ error: ZoneError, _ change: (inout [UInt8]) -> Void) {
    var bytes = madeZone(instants: [100, 200], rule: "UTC0")
    change(&bytes)
    #expect(throws: error) { try ZoneRules(tzif: bytes) }
  }
  let second = 51
  let instants = second + 44
  expect(.notTZif(offset: 0)) { $0[0] = 0 }
  expect(.notTZif(offset: second)) { $0[second + 3] = 0 }
  expect(.version(found: 49, offset: 4)) { $0[4] = 49 }
  expect(.count(found: 0, offset: 36)) { $0[39] = 0 }
  expect(.count(found: 3, offset: second + 20)) { $0[second + 23] = 3 }
  expect(.truncated(offset: 139)) { $0[second + 32] = 255 }
  expect(.leapSeconds(offset: instants)) {
    $0[second + 31] = 1; $0 += [0, 0, 0, 0, 0, 0]
  }
  expect(.unordered(offset: instants + 8)) { $0[instants + 15] = 100 }
  expect(.index(found: 2, offset: instants + 16)) { $0[instants + 16] = 2 }
  expect(.offsetFromUTC(found: 93_600, offset: instants + 18)) {
    $0.replaceSubrange(instants + 18..<instants + 22, with: bigEndian(Int32(93_600)))
  }
  expect(.index(found: 2, offset: instants + 22)) { $0[instants + 22] = 2 }
  expect(.index(found: 8, offset: instants + 23)) { $0[instants + 23] = 8 }
}

@Test func file_emptyOrForeign_isRefused() {
  #expect(throws: ZoneError.truncated(offset: 0)) { try ZoneRules(tzif: []) }
  #expect(throws: ZoneError.notTZif(offset: 0)) {
    try ZoneRules(tzif: Array(repeating: UInt8(ascii: "x"), count: 100))
  }
}

@Test(arguments: sampledZones)
func file_cutAnywhere_isRefused(name: String) throws {
  let bytes = try zoneFile(name)
  for length in 0..<bytes.count {
    #expect(throws: ZoneError.self, "\(name) cut to \(length)") {
      try ZoneRules(tzif: Array(bytes[..<length]))
    }
  }
}

@Test(arguments: ["Asia/Seoul", "Europe/Berlin", "Australia/Lord_Howe"])
func file_anyByteChanged_isReadOrRefusedButNeverFatal(name: String) throws {
  let bytes = try zoneFile(name)
  var refused = 0
  for place in bytes.indices {
    for flip: UInt8 in [0x01, 0x10, 0x80, 0xFF] {
      var damaged = bytes
      damaged[place] ^= flip
      guard let rules = try? ZoneRules(tzif: damaged) else {
        refused += 1
        continue
      }
      for instant: Int64 in [Int64.min, -3_000_000_000, 0, 1_796_000_000, 9_000_000_000, .max] {
        let offset = rules.offsetSeconds(atUnixSeconds: instant)
        #expect(offset.magnitude < 93_600)
        if let next = rules.nextChange(after: instant) { #expect(next > instant) }
      }
    }
  }
  #expect(refused > 100)
}
