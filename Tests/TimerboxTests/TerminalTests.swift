// The box on a terminal: a pseudo-terminal whose other end is in the test's hand.
import Glibc
import Testing

@Test func terminal_keysOfTheKnob_setAndStartASit() throws {
  let hand = try Hand()
  let service = try box(on: hand)
  hand.type("\u{1B}[C\u{1B}[C\u{1B}[C\u{1B}[D")
  try eventually("the knob is turned to 22 min") {
    try service.state("setSeconds").integerValue == 1_320
  }
  hand.type(" ")
  try service.reach("running")
  // A key that is held, as a keyboard tells it: a byte, a pause, then bytes in quick succession.
  // It is a long press, and ends the sit.
  hand.type(" ")
  usleep(300_000)
  let end = now() + 0.8
  while now() < end {
    hand.type(" ")
    usleep(30_000)
  }
  try service.reach("ended")
  try eventually("the sit is kept") { try service.history().count == 1 }
  hand.look()
  for words in ["Sit", "Done", "volume 60"] {
    #expect(hand.text.contains(words))
  }
}

@Test(arguments: ["q", "\u{3}"])
func terminal_leftByAKey_isAsItWas(key: String) throws {
  let hand = try Hand()
  let before = hand.modes
  let service = try box(on: hand)
  #expect(hand.modes != before)
  #expect(try service.surroundings.run("start").status == 0)
  try service.reach("running")
  hand.type(key)
  let end = try service.program.finish()
  #expect(end.status == 0 && end.seconds < 2)
  #expect(hand.modes == before)
  hand.look()
  #expect(hand.text.contains("\u{1B}[?1049h") && hand.text.hasSuffix("\u{1B}[?1049l"))
  #expect(try service.history().count == 1)
}

@Test func terminal_ofATerminatedBox_isAsItWas() throws {
  let hand = try Hand()
  let before = hand.modes
  let service = try box(on: hand)
  #expect(try service.program.finish(SIGTERM).status == 0)
  #expect(hand.modes == before)
}

@Test func terminal_thatIsClosed_endsTheBoxAndLeavesTheSit() throws {
  let hand = try Hand()
  let service = try box(on: hand)
  #expect(try service.surroundings.run("start").status == 0)
  try service.reach("running")
  hand.hangUp()
  let end = try service.program.finish()
  #expect(end.status == 0 && end.seconds < 2)
  // No hand has ended the sit: the next start goes on with it.
  #expect(try service.history().isEmpty)
  let surroundings = service.surroundings
  let next = try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")])
  #expect(try next.phase() == "running")
  #expect(try next.program.finish(SIGINT).status == 0)
  #expect(try next.history().count == 1)
}

@Test func terminal_thatNobodyReads_holdsNothingUp() throws {
  let hand = try Hand()
  let service = try box(on: hand)
  #expect(try service.surroundings.run("start").status == 0)
  try service.reach("running")
  // Each window size draws the whole face anew; soon nothing more fits into the terminal.
  for columns in UInt16(40)...120 {
    var size = winsize(ws_row: 30, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(hand.window, UInt(TIOCSWINSZ), &size)
    usleep(2_000)
  }
  #expect(try service.phase() == "running")
  #expect(try service.surroundings.run("stop").status == 0)
  try eventually("the sit is kept") { try service.history().count == 1 }
  #expect(try service.program.finish(SIGTERM).seconds < 2)
}

@Test func terminal_ofFortyByTen_isNeverOverflown() throws {
  let hand = try Hand(columns: 40, rows: 10)
  let service = try box(on: hand, "NO_COLOR=1")
  try eventually("the face is drawn") {
    hand.look()
    return hand.text.contains("simple")
  }
  // Without colour the only sequences place a row; between two of them stands one row.
  let rows = hand.text.split(separator: "\u{1B}[").filter { $0.contains(";1H") }
  #expect(rows.count >= 10)
  for row in rows {
    let parts = row.split(separator: "H", maxSplits: 1)
    #expect(Int(parts[0].prefix { $0 != ";" }) ?? 99 <= 10)
    #expect(parts.count < 2 || parts[1].count <= 40)
  }
  #expect(!hand.text.contains("\u{1B}[38"))
  #expect(try service.program.finish(SIGTERM).status == 0)
}

@Test func terminal_thatIsDumb_getsPlainLines() throws {
  let hand = try Hand()
  let service = try box(on: hand, "TERM=dumb")
  #expect(try service.surroundings.run("start").status == 0)
  try eventually("the sit is told") {
    hand.look()
    return hand.text.contains("Sit · simple · 20 min · volume 60")
  }
  #expect(!hand.text.contains("\u{1B}"))
  #expect(try service.program.finish(SIGTERM).status == 0)
}
