import Glibc
import Sessions
import Testing
import Zones

/// The rules of a zone, from the system's own files.
func zone(_ name: String) throws -> ZoneRules {
  let file = try #require(fopen("/usr/share/zoneinfo/\(name)", "r"))
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  let count = fread(&bytes, 1, bytes.count, file)
  return try ZoneRules(tzif: Array(bytes.prefix(count)))
}

let owner = Identity(randomHigh: 1, low: 2)
let kitchen = Identity(randomHigh: 3, low: 4)
let now = WriteTime(WallInstant(milliseconds: 1_795_990_000_000))

/// 2026-11-30T06:00:13.450+09:00
func sit(_ number: UInt64, offset: Int64 = 32_400, note: String? = nil) -> MeditationSession {
  let start: Int64 = 1_795_986_013_450 + Int64(number) * 43_200_000
  var session = MeditationSession(
    id: Identity(randomHigh: number &* 0x9E37_79B9_7F4A_7C15, low: number),
    startDate: WallInstant(milliseconds: start),
    endDate: WallInstant(milliseconds: start + 1_800_000), durationSeconds: 1_800,
    plannedSeconds: 1_800)
  session.utcOffsetSeconds = offset
  session.programme = "simple"
  session.note = note
  return session
}

/// A sit in which every field has a value that is not its usual one, and every kind of unknown.
func richSit(_ number: UInt64) -> MeditationSession {
  var session = sit(
    number, offset: -12_630, note: "“a,b”; \"c\"\r\nd\ne \u{1F514} e\u{301} \u{E9} ")
  session.sourceDevice = .init("holo,deck")
  session.syncedToHealthKit = true
  session.plannedSeconds = nil
  session.overtimeSeconds = 61
  session.unconfirmedSeconds = 12
  session.completed = false
  let unknown: [JSONValue] = [.object(of: [JSONMember("why", .string("a \"bell\", rang"))])]
  session.interruptions = [
    .init(from: session.startDate, to: session.endDate, kind: .pause),
    .init(
      from: session.startDate, to: session.endDate, kind: .init("tele\nphone"), unknown: unknown),
  ]
  session.programme = ""
  session.journey = "true"
  session.rating = 5
  session.clock = .init("lunar")
  session.unknown = [
    JSONMember("day", .string("of all names")), JSONMember("heartRate", .number("61.50")),
    JSONMember("note", .array([.null])), JSONMember("others", .object(of: [])),
    JSONMember("unknown", .number("1e400")),
  ]
  return session
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
