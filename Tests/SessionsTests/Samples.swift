import Sessions
import Testing
import Ticks

/// 2026-11-30T06:00:13.450+09:00, the first start strike of the first scenario.
let firstStrike = WallInstant(milliseconds: 1_795_986_013_450)
let owner = Identity(randomHigh: 1, low: 2)
let kitchen = Identity(randomHigh: 3, low: 4)
let study = Identity(randomHigh: 5, low: 6)
let now = WriteTime(WallInstant(milliseconds: 1_795_990_000_000))

/// The k-th of many sits of 30 minutes, twelve hours apart.
func sit(_ index: Int, note: String? = nil) -> MeditationSession {
  let start = WallInstant(milliseconds: firstStrike.milliseconds + Int64(index) * 43_200_000)
  var session = MeditationSession(
    id: Identity(randomHigh: UInt64(index) &* 0x9E37_79B9_7F4A_7C15, low: UInt64(index)),
    startDate: start, endDate: WallInstant(milliseconds: start.milliseconds + 1_800_000),
    durationSeconds: 1_800, plannedSeconds: 1_800)
  session.utcOffsetSeconds = 32_400
  session.programme = "simple"
  session.note = note
  return session
}

/// A sit in which every field has a value that is not its usual one.
func richSit() -> MeditationSession {
  var session = sit(7, note: "still \"there\"\n\u{1F514} e\u{301} \u{E9}")
  session.sourceDevice = .init("holodeck")
  session.syncedToHealthKit = true
  session.plannedSeconds = nil
  session.overtimeSeconds = 61
  session.unconfirmedSeconds = 12
  session.completed = false
  session.interruptions = [
    .init(from: session.startDate, to: session.endDate, kind: .pause),
    .init(from: session.startDate, to: session.endDate, kind: .init("telephone")),
  ]
  session.utcOffsetSeconds = -12_600
  session.programme = "evening"
  session.journey = "hundred days"
  session.rating = 5
  session.clock = .unsynced
  session.unknown = [
    JSONMember("heartRate", .object(of: [JSONMember("mean", .number("61.50"))])),
    JSONMember("y", .number("123456789012345678901234567890")),
  ]
  return session
}

func store(sits count: Int) throws -> SessionStore {
  var store = SessionStore(owner: owner, device: kitchen)
  for index in 0..<count { try store.add(sit(index)) }
  return store
}

/// A line of a replica with the checksum that belongs to it, made apart from the product's code.
func line(_ body: String) -> String {
  var checksum: UInt32 = 0xFFFF_FFFF
  for byte in body.utf8 {
    checksum ^= UInt32(byte)
    for _ in 0..<8 { checksum = checksum & 1 == 1 ? checksum >> 1 ^ 0xEDB8_8320 : checksum >> 1 }
  }
  let digits = String(~checksum, radix: 16)
  return String(repeating: "0", count: 8 - digits.count) + digits + " " + body
}

/// A whole replica of these lines.
func replica(_ lines: [String]) -> [UInt8] {
  let checksums = lines.map { $0.prefix(8) }.joined()
  let trailer = line("z \(lines.count) \(line(checksums).prefix(8))")
  return Array(((lines + [trailer]).joined(separator: "\n") + "\n").utf8)
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

func lines(_ bytes: [UInt8]) -> [String] { text(bytes).split(separator: "\n").map(String.init) }

/// The first line of a replica of the kitchen's.
let headerBody = #"h {"d":"AAAAAAAAQAOAAAAAAAAABA","f":1,"o":"AAAAAAAAQAGAAAAAAAAAAg"}"#

/// The kitchen's and the study's identities, as stamps and lines name them.
let kitchenText = "AAAAAAAAQAOAAAAAAAAABA"
let studyText = "AAAAAAAAQAWAAAAAAAAABg"

/// A store that was read from these lines, given without their checksums.
func store(of bodies: String...) throws -> SessionStore {
  try store(of: bodies)
}

func store(of bodies: [String]) throws -> SessionStore {
  try SessionStore(parsing: replica([line(headerBody)] + bodies.map(line)))
}

/// The lines between the first and the last one, without their checksums.
func bodies(_ store: SessionStore) -> [String] {
  lines(store.encode()).dropFirst().dropLast().map { String($0.dropFirst(9)) }
}

/// An instant on a known clock.
func at(_ milliseconds: Int64) -> WriteTime { WriteTime(WallInstant(milliseconds: milliseconds)) }

/// A JSON value of a text that is one.
func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

/// A key has this value.
func expect(
  _ store: SessionStore, _ key: String, is text: String,
  at place: SourceLocation = #_sourceLocation
) throws {
  let value = try json(text)
  #expect(store.value(forKey: key) == value, sourceLocation: place)
}
