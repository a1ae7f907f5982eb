// The end of the box in each phase: within two seconds, and with what was sat.
import Glibc
import Sessions
import Testing

/// How a phase is reached from idle, and what is kept of it.
struct PhaseCase: Sendable, CustomTestStringConvertible {
  var name: String
  var verbs: [String]
  var preparation: String
  var sits: Int
  var testDescription: String { name }
}

private let phases = [
  PhaseCase(name: "idle", verbs: [], preparation: "0", sits: 0),
  PhaseCase(name: "preparing", verbs: ["start"], preparation: "10m", sits: 0),
  PhaseCase(name: "running", verbs: ["start"], preparation: "0", sits: 1),
  PhaseCase(name: "paused", verbs: ["start", "pause"], preparation: "0", sits: 1),
  PhaseCase(name: "ended", verbs: ["start", "stop"], preparation: "0", sits: 1),
]

// SIGTERM, as a service gets it, leaves a sit that is on: see JournalLifeTests.
@Test(arguments: phases, [SIGINT, SIGQUIT])
func box_endedInEachPhase_keepsWhatWasSat(phase: PhaseCase, signal: Int32) throws {
  let surroundings = try Surroundings()
  try surroundings.write(
    "[sit]\npreparation = \(phase.preparation)\nminimum = 0\n", to: "box.conf")
  let service = try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")])
  for verb in phase.verbs {
    #expect(try surroundings.run(verb).status == 0)
    // The sit begins when its output is known to be away, or has been led in.
    if verb == "start" && phase.preparation == "0" { try service.reach("running") }
  }
  try service.reach(phase.name)
  let end = try service.program.finish(signal)
  #expect(end.status == 0 && end.seconds < 2)
  let sits = try service.history()
  #expect(sits.count == phase.sits)
  #expect(sits.allSatisfy { $0.member("completed") == .bool(false) })
  // The socket is given back.
  #expect(access(surroundings.path("run/control.sock"), F_OK) != 0)
}

private let fields = [
  "clock", "completed", "day", "durationSeconds", "endDate", "id", "interruptions", "journey",
  "note", "overtimeSeconds", "plannedSeconds", "programme", "rating", "sourceDevice", "startDate",
  "syncedToHealthKit", "unconfirmedSeconds", "utcOffsetSeconds",
]

@Test func sit_kept_isInTheHistoryByItsFieldsAndInBothReplicas() throws {
  let service = try box(try Surroundings())
  let surroundings = service.surroundings
  #expect(try surroundings.run("start", "25m").status == 0)
  try service.reach("running")
  #expect(try service.program.finish(SIGINT).status == 0)
  let sit = try #require(try service.history().first)
  #expect(sit.members?.map(\.name) == fields)
  #expect(sit.member("plannedSeconds") == .integer(1_500))
  #expect(sit.member("sourceDevice") == .string("timerBox"))
  let start = try #require(sit.member("startDate")?.stringValue)
  #expect(start.hasPrefix(sit.member("day")?.stringValue ?? "none"))
  let truth = surroundings.bytes("state/timerbox/state/truth.kv")
  #expect(String(decoding: truth, as: UTF8.self).contains("\"p\":1500"))
  // The copy for other boxes is named after the device and has the same bytes.
  let usage = try surroundings.run("kv", "usage", "--json").output
  #expect(usage.contains("\"bytes\":\(truth.count),") && usage.contains("\"sits\":1"))
  let copies = names(surroundings.path("state/timerbox/store")).filter { $0.hasSuffix(".kv") }
  #expect(copies.count == 1)
  for copy in copies { #expect(surroundings.bytes("state/timerbox/store/\(copy)") == truth) }
}

private func names(_ path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    // Safety: the kernel ends the name with a zero byte within its field.
    names.append(
      withUnsafeBytes(of: entry.pointee.d_name) { name in
        String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
      })
  }
  return names
}

@Test func box_besideAnotherOnTheSameSocket_triesAgainLater() throws {
  let service = try box(try Surroundings())
  let second = try service.surroundings.run("run", "--state", service.surroundings.path("other"))
  #expect(second.status == 75)
  let path = service.surroundings.path("run/control.sock")
  #expect(
    second.complaints == "timerbox: another timerbox is running, and answers at \(path)\n")
  #expect(try service.phase() == "idle")
}
