import Bells
import Settings
import Simulation
import Testing

private let verbs =
  "one of: turn, press, down, up, wave, start, pause, resume, stop, discard, skip, undo, "
  + "ring, set, unset, wall, synced, zone, suspend, power-cut, kill, audio, disk, truth, line, "
  + "lose, reader, split, join, peer, copy, kv, journey, expect"
private let statements = "one of: at, board, box, clock, end, expect, on, seed, set, wall"
private let buttons = "one of: crown, up, down, left, right, select, back, play"
private let expectations =
  "one of: bells, copies, cues, day-total, degraded, detents, elapsed, elsewhere, focus, inputs, "
  + "journey, kv, missed, no, offered, openings, output, phase, programme, record, records, "
  + "recovered, remaining, segment, set, streak, usage, volume"

/// Wrong statements, each on the second line of a scenario, with the column and the message.
private let wrong: [(statement: String, message: String)] = [
  ("turn 5", "1: found \"turn\", expected \"at\" before it"),
  ("trun 5", "1: found \"trun\", expected \(statements); did you mean \"turn\"?"),
  ("expct records 1", "1: found \"expct\", expected \(statements); did you mean \"expect\"?"),
  ("42", "1: found \"42\", expected \(statements)"),
  ("at", "3: found the end of the line, expected a length such as 1m30s"),
  ("at 1s", "6: found the end of the line, expected \(verbs)"),
  ("at 1s # turn 5", "6: found the end of the line, expected \(verbs)"),
  ("at 5x turn 1", "5: found \"5x\", expected a unit: d, h, m, s, ms or us"),
  (
    "at  1s30m turn 1",
    "9: found \"1s30m\", expected units in falling order, each once: d, h, m, s, ms, us"
  ),
  ("at -1s turn 1", "4: found \"-1s\", expected a length such as 1m30s"),
  ("at 3651d turn 1", "4: found \"3651d\", expected a length up to 3650d"),
  ("at 1s tun 1", "7: found \"tun\", expected \(verbs); did you mean \"turn\"?"),
  ("at 1s turn", "11: found the end of the line, expected a number from -10000 to 10000"),
  ("at 1s turn 10001", "12: found \"10001\", expected a number from -10000 to 10000"),
  ("at 1s turn 1.5", "12: found \"1.5\", expected a number from -10000 to 10000"),
  ("at 1s turn 1 every", "19: found the end of the line, expected a length from 1us to 1h"),
  ("at 1s turn 1 every 0", "20: found \"0\", expected a length from 1us to 1h"),
  ("at 1s turn 1 every 2h", "20: found \"2h\", expected a length from 1us to 1h"),
  ("at 1s turn 1 fast", "14: found \"fast\", expected the end of the line"),
  ("at 1s truth", "12: found the end of the line, expected one of: damaged"),
  ("expect usage 1048577", "14: found \"1048577\", expected a number from 0 to 1048576"),
  ("at 1s press", "12: found the end of the line, expected \(buttons)"),
  ("at 1s press crwn", "13: found \"crwn\", expected \(buttons); did you mean \"crown\"?"),
  ("at 1s press crown for", "22: found the end of the line, expected a length such as 1m30s"),
  ("at 1s press crown 2s", "19: found \"2s\", expected the end of the line"),
  ("at 1s down knob", "12: found \"knob\", expected \(buttons)"),
  ("at 1s up", "9: found the end of the line, expected \(buttons)"),
  ("at 1s wave", "11: found the end of the line, expected an edge such as 5000:B0"),
  ("at 1s wave 0:A0 5:X1", "17: found \"5:X1\", expected an edge such as 5000:B0"),
  ("at 1s wave 0:A2", "12: found \"0:A2\", expected an edge such as 5000:B0"),
  ("at 1s wave -1:A0", "12: found \"-1:A0\", expected an edge such as 5000:B0"),
  ("at 1s wave 0:A", "12: found \"0:A\", expected an edge such as 5000:B0"),
  ("at 1s start 30s", "13: found \"30s\", expected a length from 1m to 7d"),
  ("at 1s start 8d", "13: found \"8d\", expected a length from 1m to 7d"),
  ("at 1s start --until 7:00", "21: found \"7:00\", expected a time of day such as 07:00"),
  ("at 1s start --until 24:00", "21: found \"24:00\", expected a time of day such as 07:00"),
  ("at 1s start 20m --until 07:00", "17: found \"--until\", expected one length, or --anyway"),
  (
    "at 1s start open",
    "13: found \"open\", expected a length, a programme or an option; did you mean \"--open\"?"
  ),
  (
    "at 1s start until 07:00",
    "13: found \"until\", expected a length, a programme or an option; did you mean \"--until\"?"
  ),
  ("at 1s start 25", "15: found \"25\", expected a unit: d, h, m, s, ms or us"),
  (
    "at 1s journey begn a",
    "15: found \"begn\", expected one of: begin, choose, end; did you mean \"begin\"?"
  ),
  (
    "at 1s journey begin none",
    "21: found \"none\", expected a name of 1 to 63 characters other than none"
  ),
  ("at 1s journey begin a --days 0", "30: found \"0\", expected a number from 1 to 36500"),
  (
    "expect journey a",
    "17: found the end of the line, expected how far it is, such as day 12 of 100, or none"
  ),
  ("at 1s suspend", "14: found the end of the line, expected a length such as 1m30s"),
  ("at 1s kill 5", "13: found \"5\", expected a unit: d, h, m, s, ms or us"),
  ("at 1s synced now", "14: found \"now\", expected the end of the line"),
  ("clock right", "7: found \"right\", expected one of: synced, unsynced"),
  ("at 1s start 20m --open", "17: found \"--open\", expected one length, or --anyway"),
  ("at 1s pause now", "13: found \"now\", expected the end of the line"),
  ("at 1s set", "10: found the end of the line, expected a device-local choice such as volume"),
  (
    "at 1s set volum 5",
    "11: found \"volum\", expected a device-local choice such as volume; did you mean \"volume\"?"
  ),
  ("at 1s set volume 101", "18: found \"101\", expected a number from 0 to 100"),
  (
    "at 1s wall tomorrow",
    "12: found \"tomorrow\", expected a digit of an instant such as "
      + "2026-11-30T06:00:00+09:00"
  ),
  ("at 1s wall +5", "14: found \"+5\", expected a unit: d, h, m, s, ms or us"),
  (
    "at 1s disk",
    "11: found the end of the line, expected one of: ok, full, read-only, slow, error"
  ),
  (
    "at 1s disk ful",
    "12: found \"ful\", expected one of: ok, full, read-only, slow, error; did you mean \"full\"?"
  ),
  (
    "at 1s disk line",
    "12: found \"line\", expected one of: ok, full, read-only, slow, error"
  ),
  ("at 1s disk slow", "16: found the end of the line, expected a length such as 1m30s"),
  ("wall", "5: found the end of the line, expected an instant such as 2026-11-30T06:00:00+09:00"),
  (
    "wall 2026-11-31T06:00:00Z",
    "14: found \"2026-11-31T06:00:00Z\", expected a day that the month has"
  ),
  (
    "wall 2200-01-02T00:00:00Z",
    "6: found \"2200-01-02T00:00:00Z\", expected an instant of the years 1970 to 2199"
  ),
  (
    "wall 1969-12-31T23:59:59Z",
    "6: found \"1969-12-31T23:59:59Z\", expected an instant of the years 1970 to 2199"
  ),
  ("seed", "5: found the end of the line, expected a number from 0 to 18446744073709551615"),
  ("seed -1", "6: found \"-1\", expected a number from 0 to 18446744073709551615"),
  ("end 5m", "1: found a second \"end\", expected it once; the first is on line 1"),
  ("at 1h1us pause", "4: found \"1h1us\", expected an instant up to the end, 1h"),
  ("at 1s end", "7: found \"end\", expected \(verbs); did you mean \"undo\"?"),
  ("at \"1s turn 1", "4: found a quotation mark, expected a second one after it"),
  ("at 1s\u{0} pause", "6: found the control character 0x0, expected text"),
  ("at 1s \r pause", "7: found the control character 0xD, expected text"),
]

@Test(arguments: wrong)
func statement_thatIsWrong_isSaidWithItsPlace(statement: String, message: String) {
  #expect(Scenarios.message("end 1h\n\(statement)\n") == "t:2:\(message)")
}

private let wrongExpectations: [(statement: String, message: String)] = [
  ("expect", "7: found the end of the line, expected \(expectations)"),
  ("expect record", "14: found the end of the line, expected a number from 1 to 1000000"),
  ("expect recrds 1", "8: found \"recrds\", expected \(expectations); did you mean \"records\"?"),
  (
    "expect phase runing",
    "14: found \"runing\", expected one of: idle, preparing, running, paused, overtime, ended; "
      + "did you mean \"running\"?"
  ),
  ("expect remaining soon", "18: found \"soon\", expected a length such as 1m30s"),
  ("expect volume -5", "15: found \"-5\", expected a number from 0 to 100"),
  ("expect records", "15: found the end of the line, expected a number from 0 to 1000000"),
  ("expect bells", "13: found the end of the line, expected a bell such as 10m:interval"),
  ("expect bells 0:start 10m", "22: found \"10m\", expected a bell such as 10m:interval"),
  (
    "expect bells 10m:intervall",
    "18: found \"intervall\", expected one of: cue, reminder, start, interval, segment, end; "
      + "did you mean \"interval\"?"
  ),
  ("expect bells x:end", "14: found \"x\", expected a length such as 1m30s"),
  ("expect no", "10: found the end of the line, expected one of: bell, cue"),
  ("expect no bells", "11: found \"bells\", expected one of: bell, cue; did you mean \"bell\"?"),
  (
    "expect inputs +1 play.pres",
    "18: found \"play.pres\", expected an input such as +1, click or play.press; "
      + "did you mean \"play.press\"?"
  ),
  (
    "expect inputs crown.press",
    "15: found \"crown.press\", expected an input such as +1, click or play.press; "
      + "did you mean \"press\"?"
  ),
  ("expect detents 1 -1", "16: found \"1\", expected a count such as +12"),
  ("expect detents +1", "18: found the end of the line, expected a count such as -12"),
  ("expect record 0 day x", "15: found \"0\", expected a number from 1 to 1000000"),
  ("expect record 1 duration", "25: found the end of the line, expected a value"),
  ("expect record 1 duration long", "26: found \"long\", expected a length such as 1m30s"),
  ("expect streak 5 days", "17: found \"days\", expected one of: due, sat"),
  (
    "expect day-total 2026-02-29 5m",
    "18: found \"2026-02-29\", expected a date such as 2026-11-30"
  ),
  ("expect elsewhere hall", "18: found \"hall\", expected one of: box, none"),
  (
    "expect record 1 durtion 5m",
    "17: found \"durtion\", expected one of: duration, overtime, planned, unconfirmed, clock, "
      + "completed, day, durationSeconds, end, endDate, id, interruptions, journey, kinds, note, "
      + "overtimeSeconds, plannedSeconds, programme, rating, sourceDevice, start, startDate, "
      + "syncedToHealthKit, unconfirmedSeconds, utcOffsetSeconds; did you mean \"duration\"?"
  ),
]

@Test(arguments: wrongExpectations)
func expectation_thatIsWrong_isSaidWithItsPlace(statement: String, message: String) {
  #expect(Scenarios.message("end 1h\n\(statement)\n") == "t:2:\(message)")
}

private let sounds = Sound.catalogue.map(\.name).joined(separator: ", ")

private let wrongSettings: [(statement: String, message: String)] = [
  ("set", "4: found the end of the line, expected a key such as sit.preparation"),
  ("set sit.preparation", "20: found the end of the line, expected a value"),
  ("set sit.preparation  10", "22: found \"10\", expected a unit: d, h, m, s, ms or us"),
  ("set sit.preparation 31m", "21: found \"31m\", expected a length from 0 to 30m"),
  ("set crown.lock on", "16: found \"on\", expected yes or no"),
  (
    "set bell.end.sound large-bow",
    "20: found \"large-bow\", expected \(sounds) or none; did you mean \"large-bowl\"?"
  ),
]

@Test(arguments: wrongSettings)
func setting_thatIsWrong_isSaidWithItsPlace(statement: String, message: String) {
  #expect(Scenarios.message("end 1h\n\(statement)\n") == "t:2:\(message)")
}

@Test func key_thatIsMisspelt_isSaidWithTheNearest() throws {
  let message = try #require(Scenarios.message("set sit.preparaton 0\nend 1m"))
  #expect(message.hasPrefix("t:1:5: found \"sit.preparaton\", expected "))
  #expect(message.hasSuffix("; did you mean \"sit.preparation\"?"))
}

@Test func statement_thatMayStandOnce_isRefusedTheSecondTime() {
  let statements = ["wall 2026-01-01T06:00:00Z", "seed 7", "board simulated", "clock synced"]
  for statement in statements {
    let word = statement.split(separator: " ")[0]
    #expect(
      Scenarios.message("\(statement)\n# between\n\(statement)\nend 1m")
        == "t:3:1: found a second \"\(word)\", expected it once; the first is on line 1")
  }
  #expect(
    Scenarios.message("set sit.length 5m\nset sit.length 6m\nend 1m")
      == "t:2:5: found a second \"set sit.length\", expected it once; the first is on line 1")
}

@Test(
  arguments: [
    ("", 1), ("\n", 2), ("# nothing\n\n", 3), ("at 1s turn 1", 1), ("\u{FEFF}", 1),
  ]
)
func file_withoutItsEnd_isRefusedAtItsLastLine(text: String, line: Int) {
  #expect(Scenarios.message(text) == "t:\(line):1: found no \"end\", expected end LENGTH")
}

@Test func zone_thatIsNotThere_isRefusedAtItsName() {
  let message = "found the zone \"Asia/Soul\", expected one"
  #expect(
    Scenarios.message("wall 2026-01-01T06:00:00Z Asia/Soul\nend 1m") == "t:1:27: \(message)")
  #expect(Scenarios.message("at 1s zone Asia/Soul\nend 1m") == "t:1:12: \(message)")
}

@Test func board_thatIsNotThere_isRefusedAtItsName() {
  #expect(
    Scenarios.message("board kitchen\nend 1m\n")
      == "t:1:7: found the board \"kitchen\", expected a board")
  #expect(
    LookupError.only("kitchen")
      == .failure(
        LookupError(message: "found the board \"kitchen\", expected simulated")))
}

@Test func board_afterASetting_isRefused() {
  #expect(
    Scenarios.message("set sit.preparation 0\nboard tv\nend 1m\n")
      == "t:2:1: found \"board\" after \"set sit.preparation\", expected it before")
}

private let wrongLines: [(statement: String, message: String)] = [
  ("at 1s line", "11: found the end of the line, expected one of: A, B, S, U, D, L, R, O, K, P"),
  ("at 1s line Q ok", "12: found \"Q\", expected one of: A, B, S, U, D, L, R, O, K, P"),
  ("at 1s line A", "13: found the end of the line, expected one of: busy, gone, noise, ok, stuck"),
  ("at 1s line A busy", "18: found the end of the line, expected who holds it, as \"spi0 CS0\""),
  ("at 1s line A stuck", "19: found the end of the line, expected one of: 0, 1"),
  ("at 1s line A stuck 2", "20: found \"2\", expected one of: 0, 1"),
  ("at 1s lose", "11: found the end of the line, expected a share such as 2%, v1, v2 or none"),
  ("at 1s lose 101%", "12: found \"101%\", expected a share such as 2%, v1, v2 or none"),
  ("at 1s lose -1%", "12: found \"-1%\", expected a share such as 2%, v1, v2 or none"),
  ("at 1s reader", "13: found the end of the line, expected one of: every, prompt, stall"),
  ("at 1s reader every 0", "20: found \"0\", expected a length from 1ms to 1h"),
  ("at 1s reader stall 2h", "20: found \"2h\", expected a length from 1ms to 1h"),
]

@Test(arguments: wrongLines)
func lines_thatAreWrong_areSaidWithTheirPlace(statement: String, message: String) {
  #expect(Scenarios.message("end 1h\n\(statement)\n") == "t:2:\(message)")
}
