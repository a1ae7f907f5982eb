// A box that is killed in each phase, and started again in the same boot.
import Glibc
import Sessions
import Testing
import TimedCard

/// How a phase is reached from idle, and what a start after a kill makes of it.
private struct Life: Sendable, CustomTestStringConvertible {
  var phase: String
  var verbs: [[String]]
  var preparation = "0"
  /// The phase after the next start.
  var next: String
  /// What is kept in the end.
  var sits: Int
  var testDescription: String { phase }
}

private let lives = [
  Life(phase: "idle", verbs: [], next: "idle", sits: 0),
  Life(phase: "preparing", verbs: [["start"]], preparation: "10m", next: "idle", sits: 0),
  Life(phase: "running", verbs: [["start"]], next: "running", sits: 1),
  Life(phase: "paused", verbs: [["start"], ["pause"]], next: "paused", sits: 1),
  Life(phase: "overtime", verbs: [["start", "short"]], next: "overtime", sits: 1),
  Life(phase: "ended", verbs: [["start"], ["stop"]], next: "idle", sits: 1),
]

/// A box whose state outlives its processes.
private struct House {
  let surroundings: Surroundings

  init(preparation: String = "0") throws {
    surroundings = try Surroundings()
    try surroundings.write(
      """
      [sit]
      preparation = \(preparation)
      minimum = 0
      overtime = yes
      [sound]
      device = null
      [programme short]
      segments = sit 2s

      """, to: "box.conf")
  }

  func start() throws -> Service {
    try Service(surroundings, words: ["run", "--config", surroundings.path("box.conf")])
  }

  /// Whether a sit is on, or being prepared, by the journal. One that is over may wait there for
  /// its date on a machine that does not know the time.
  var isJournaled: Bool {
    let text = String(decoding: surroundings.bytes("state/timerbox/state/journal"), as: UTF8.self)
    return text.contains("\"timer\":") || text.contains("\"preparing\":")
  }
}

/// Does what leads to a phase, and waits until it is on the disk.
private func reach(_ life: Life, _ service: Service, in house: House) throws {
  for verb in life.verbs {
    #expect(try Program(verb, in: service.surroundings).finish().status == 0)
    if verb == ["start"], life.preparation == "0" { try service.reach("running") }
  }
  try service.reach(life.phase)
  let isOn = ["preparing", "running", "paused", "overtime"].contains(life.phase)
  if isOn { try eventually("it is journaled") { house.isJournaled } }
}

@Test(arguments: lives, [SIGKILL, SIGTERM])
private func box_thatEndsInEachPhase_goesOnAtTheNextStart(life: Life, signal: Int32) throws {
  let house = try House(preparation: life.preparation)
  let first = try house.start()
  try reach(life, first, in: house)
  let elapsed = try first.state("elapsedSeconds").integerValue ?? 0
  if life.phase == "ended" { try eventually("it is kept") { try first.history().count == 1 } }
  #expect(try first.program.finish(signal).status == (signal == SIGKILL ? 137 : 0))
  // Of a sit that goes on nothing is in the history yet.
  #expect(try first.history().count == (life.phase == "ended" ? 1 : 0))
  let second = try house.start()
  #expect(try second.phase() == life.next)
  if life.next != "idle" {
    #expect(try second.state("elapsedSeconds").integerValue ?? 0 >= elapsed)
  }
  // Nothing of the past rings, and nothing of it is missed.
  let complaint =
    "timerbox: preparation: A sit was being prepared as the box ended. It has not begun, and is to "
    + "be started again.\n"
  #expect(try second.faults() == [])
  #expect(second.program.complaints == (life.phase == "preparing" ? complaint : ""))
  if life.next != "idle" { #expect(try house.surroundings.run("stop").status == 0) }
  #expect(try second.program.finish(SIGTERM).status == 0)
  let sits = try second.history()
  #expect(sits.count == life.sits && !house.isJournaled)
  guard life.next != "idle", let sit = sits.first else { return }
  let interruptions = sit.member("interruptions")?.arrayValue?.compactMap {
    $0.member("kind")?.stringValue
  }
  #expect(interruptions?.contains("outage") == (life.phase != "paused"), "\(sit)")
}

@Test func box_killedInMidSit_opensNoSoundCardForThePast() throws {
  let cards = try Cards(["one"])
  let surroundings = cards.surroundings
  try surroundings.write(quickSit + "[sound]\ndevice = one\n", to: "box.conf")
  let words = ["run", "--config", surroundings.path("box.conf")]
  let first = try Service(surroundings, words: words)
  #expect(try surroundings.run("start").status == 0)
  try first.reach("running")
  #expect(cards.isOpen(0))
  #expect(try first.program.finish(SIGKILL).status == 137)
  // Whoever was killed has not closed it.
  cards.states[0].pointee.is_open = 0
  let second = try Service(surroundings, words: words)
  let elapsed = try #require(try second.state("elapsedSeconds").integerValue)
  try eventually("the sit goes on") {
    try second.state("elapsedSeconds").integerValue ?? 0 >= elapsed + 2
  }
  #expect(try second.phase() == "running" && !cards.isOpen(0))
  #expect(try second.faults() == [])
}

@Test func box_inATerminalThatIsLeft_endsTheSitAndKeepsIt() throws {
  let house = try House()
  let service = try house.start()
  try reach(lives[2], service, in: house)
  #expect(try service.program.finish(SIGINT).status == 0)
  #expect(try service.history().count == 1 && !house.isJournaled)
}

@Test(arguments: ["stop", "discard"])
func sit_endedByAVerb_isOverAsTheVerbAnswers(verb: String) throws {
  let house = try House()
  let first = try house.start()
  try reach(lives[2], first, in: house)
  #expect(try house.surroundings.run(verb).status == 0)
  #expect(try first.program.finish(SIGKILL).status == 137)
  let second = try house.start()
  #expect(try second.phase() == "idle")
  try eventually("it is kept and the journal is gone") {
    try second.history().count == (verb == "stop" ? 1 : 0) && !house.isJournaled
  }
}

@Test func sit_thatIsPausedOrGoesOn_isSoAgainWhateverComesAfterTheAnswer() throws {
  let house = try House(preparation: "0")
  var service = try house.start()
  #expect(try house.surroundings.run("start", "1h").status == 0)
  try service.reach("running")
  for (verb, phase) in [("pause", "paused"), ("resume", "running"), ("pause", "paused")] {
    #expect(try house.surroundings.run(verb).status == 0)
    #expect(try service.program.finish(SIGKILL).status == 137)
    service = try house.start()
    #expect(try service.phase() == phase)
  }
}

@Test func journal_ofASitThatIsStored_isOnlyErased() throws {
  let house = try House()
  let first = try house.start()
  try reach(lives[2], first, in: house)
  let journal = house.surroundings.bytes("state/timerbox/state/journal")
  #expect(try house.surroundings.run("stop").status == 0)
  #expect(try first.program.finish(SIGTERM).status == 0)
  #expect(try first.history().count == 1 && !house.isJournaled)
  // As a kill between the two leaves it.
  try house.surroundings.write(
    String(decoding: journal, as: UTF8.self), to: "state/timerbox/state/journal")
  let second = try house.start()
  #expect(try second.phase() == "idle")
  try eventually("the journal is erased") { !house.isJournaled }
  #expect(try second.history().count == 1)
}

@Test func journal_damaged_isToldAndKeptAside() throws {
  let house = try House()
  let first = try house.start()
  #expect(try first.program.finish(SIGTERM).status == 0)
  try house.surroundings.write("rubbish", to: "state/timerbox/state/journal")
  let second = try house.start()
  #expect(try second.phase() == "idle")
  let path = house.surroundings.path("state/timerbox/state/journal.damaged-1")
  #expect(
    second.program.complaints
      == "timerbox: The journal of a sit is damaged, and that sit cannot be taken up again. "
      + "It is kept as \(path).\n")
}

@Test func journal_thatCannotBeWritten_isToldAndTheSitGoesOn() throws {
  let house = try House()
  let service = try house.start()
  // A folder stands where the file should be.
  mkdir(house.surroundings.path("state/timerbox/state/journal"), 0o700)
  #expect(try house.surroundings.run("start").status == 0)
  try service.reach("running")
  try eventually("it is told") {
    try service.degraded().contains { $0.hasPrefix("Not journaled: ") }
  }
  // What could not be left is ended, and kept.
  #expect(try service.program.finish(SIGTERM).status == 0)
  #expect(try service.history().count == 1)
}

@Test func journal_ofASitInWhichNothingHappens_isNotWrittenAtEachTurn() throws {
  let house = try House()
  let service = try house.start()
  try reach(lives[2], service, in: house)
  var before = stat()
  var after = stat()
  let path = house.surroundings.path("state/timerbox/state/journal")
  // What the start still brings has come by then.
  try eventually("a second has passed") {
    try service.state("elapsedSeconds").integerValue ?? 0 > 0
  }
  #expect(stat(path, &before) == 0)
  // Each question is a turn of the loop. The next heartbeat is 58 s after the start.
  for _ in 0..<10 { #expect(try service.phase() == "running") }
  #expect(stat(path, &after) == 0 && after.st_ino == before.st_ino)
}
