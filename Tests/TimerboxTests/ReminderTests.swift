// Reminders of the real box: what is kept of them, and what is said of one that begins nothing.
import Glibc
import Sessions
import Testing

/// A reminder of a minute ago, in the zone of the box.
private func reminder(_ programme: String) -> String {
  var now = time(nil) - 60
  var local = tm()
  gmtime_r(&now, &local)
  func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
  let at = "\(two(local.tm_hour)):\(two(local.tm_min))"
  return "[sound]\ndevice = null\n[reminder early]\nat = \(at)\nprogramme = \(programme)\n"
}

private func box(_ surroundings: Surroundings, _ text: String) throws -> Service {
  try surroundings.write(text, to: "box.conf")
  return try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")],
    environment: ["TZ=UTC"])
}

private func isStoreRead(_ service: Service) throws -> Bool {
  try service.surroundings.run("status", "--json").output.contains("\"store\":{")
}

private func calling(_ service: Service) throws -> String? {
  try service.state("panel").member("reminder")?.stringValue
}

@Test func reminder_thatFellDueBeforeTheStart_callsOnceForAllStarts() throws {
  let surroundings = try Surroundings()
  let text = reminder("zazen")
  let service = try box(surroundings, text)
  // Where the machine does not know the time nothing is due.
  guard try service.state("clock").stringValue != "unknown" else {
    try eventually("the store is read") { try isStoreRead(service) }
    return #expect(try calling(service) == nil)
  }
  try eventually("it calls") { try calling(service) == "early" }
  try eventually("that is kept") {
    String(decoding: surroundings.bytes("state/timerbox/state/called"), as: UTF8.self)
      .hasSuffix(" early\n")
  }
  #expect(try service.program.finish(SIGKILL).status == 137)
  let again = try box(surroundings, text)
  try eventually("the store is read") { try isStoreRead(again) }
  #expect(try calling(again) == nil)
}

@Test func reminder_ofAProgrammeThatIsNone_isToldWithItsLineUntilThereIsOne() throws {
  let surroundings = try Surroundings()
  let service = try box(surroundings, reminder("zazn"))
  let path = surroundings.path("box.conf")
  let words =
    "\(path):5:13: found \"zazn\", expected simple, zazen, seon, metta or wake; did you mean "
    + "\"zazen\"?"
  try eventually("it is told") {
    try service.faults() == [words + ". It calls, and begins nothing."]
  }
  let check = try surroundings.run("check-config", path)
  #expect(check.status == 0 && check.output == "\(path): in order\n")
  #expect(check.complaints == "timerbox: warning: \(words)\n")
  #expect(
    try surroundings.run("kv", "set", "programme.zazn", "{\"sit.length\":\"5m\"}").status == 0)
  try eventually("the store has it") { try service.faults() == [] }
  #expect(try surroundings.run("check-config", path).complaints == "")
}
