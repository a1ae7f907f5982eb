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
  func counts(_ numbers: [UInt32]) -> [UInt8] { numbers.flatMap { bigEndian($0) } }
  let head = Array("TZif".utf8) + Array(String(version).utf8) + [UInt8](repeating: 0, count: 15)
  // The block of 32-bit instants, which a reader of version 2 skips.
  var bytes = head + counts([0, 0, 0, 0, 1, 1]) + [UInt8](repeating: 0, count: 7)
  bytes += head + counts([0, 0, 0, UInt32(instants.count), 2, 8])
  for instant in instants { bytes += bigEndian(instant) }
  for index in instants.indices { bytes.append(UInt8((index + 1) % 2)) }
  bytes += bigEndian(Int32(0)) + [0, 0]
  bytes += bigEndian(Int32(3_600)) + [1, 4]
  return bytes + Array("STD\0SUM\0\n\(rule)\n".utf8)
}
