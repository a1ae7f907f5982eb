import Glibc
import Testing
import Zones

/// The zones that stand for the kinds there are: one offset, summer time north and south, half an
/// hour of summer time, a quarter of an hour of offset, a lost day, the far east.
let sampledZones = [
  "Asia/Seoul", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
  "Pacific/Apia", "Pacific/Kiritimati", "UTC",
]

struct MissingZoneFile: Error { let name: String }

/// The bytes of a zone of this machine. A machine without tzdata fails the test.
func zoneFile(_ name: String) throws -> [UInt8] {
  guard let file = fopen("/usr/share/zoneinfo/" + name, "rb") else {
    throw MissingZoneFile(name: name)
  }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 65_536)
  let count = fread(&bytes, 1, bytes.count, file)
  return Array(bytes[..<count])
}

/// The big-endian bytes of a number.
func bigEndian<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
  withUnsafeBytes(of: value.bigEndian) { Array($0) }
}

/// A version-2 file with the given 64-bit instants, one standard time in UTC and one summer time an
/// hour ahead, which alternate from the first instant on, and a rule.
func madeZone(instants: [Int64] = [], rule: String, version: Character = "2") -> [UInt8] {
  let head = Array("TZif".utf8) + Array(String(version).utf8) + [UInt8](repeating: 0, count: 15)
  let smallest =
    head + [0, 0, 0, 0, 1, 1].flatMap { bigEndian(UInt32($0)) } + [0, 0, 0, 0, 0, 0, 0]
  let counts = [0, 0, 0, instants.count, 2, 8].flatMap { bigEndian(UInt32($0)) }
  let indexes = instants.indices.map { UInt8(($0 + 1) % 2) }
  let types = bigEndian(Int32(0)) + [0, 0] + bigEndian(Int32(3_600)) + [1, 4]
  return smallest + head + counts + instants.flatMap { bigEndian($0) } + indexes + types
    + Array("STD\0SUM\0".utf8) + Array("\n\(rule)\n".utf8)
}
