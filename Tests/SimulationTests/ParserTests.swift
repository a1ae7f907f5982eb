// What is said of a scenario that is wrong, or that asks for what this version does not have.
import Simulation
import Testing

private let statements = """
  one of: turn, press, down, up, wave, start, pause, resume, stop, discard, skip, set, wall, \
  disk, expect
  """
private let heads = "one of: at, board, end, expect, seed, set, wall"

private let wrong: [(line: String, message: String)] = [
  ("trun 5", "t:1:1: found \"trun\", expected \(heads); did you mean \"turn\"?"),
  ("turn 5", "t:1:1: found \"turn\", expected \"at\" before it"),
  ("at", "t:1:3: found the end of the line, expected a length such as 1m30s"),
  ("at 5", "t:1:5: found \"5\", expected a unit: d, h, m, s, ms or us"),
  ("at 5s", "t:1:6: found the end of the line, expected \(statements)"),
  ("at 5s jump", "t:1:7: found \"jump\", expected \(statements)"),
  ("at 5s prss crown", "t:1:7: found \"prss\", expected \(statements); did you mean \"press\"?"),
  (
    "at 5s press crwn",
    "t:1:13: found \"crwn\", expected one of: crown, up, down, left, right, select, back, play; "
      + "did you mean \"crown\"?"
  ),
  ("at 5s press crown for", "t:1:22: found the end of the line, expected a length such as 1m30s"),
  ("at 5s press crown twice", "t:1:19: found \"twice\", expected the end of the line"),
  ("at 5s turn x", "t:1:12: found \"x\", expected a number from -10000 to 10000"),
  ("at 5s turn 5 every 0", "t:1:20: found \"0\", expected a length greater than 0"),
  ("at 5s wave 0:X0", "t:1:12: found \"0:X0\", expected an edge such as 5000:B0"),
  ("at 5s wave 0:A2", "t:1:12: found \"0:A2\", expected an edge such as 5000:B0"),
  ("at 5s start 59s", "t:1:13: found \"59s\", expected a length from 1m to 7d"),
  ("at 5s start 20min", "t:1:15: found \"20min\", expected a unit: d, h, m, s, ms or us"),
  ("at 5s set volume 101", "t:1:18: found \"101\", expected a number from 0 to 100"),
  (
    "at 5s set volum 10",
    "t:1:11: found \"volum\", expected a device-local choice such as volume"
  ),
  ("at 5s wall +5", "t:1:14: found \"+5\", expected a unit: d, h, m, s, ms or us"),
  (
    "at 5s disk ful",
    "t:1:12: found \"ful\", expected one of: ok, full, read-only, slow, error; "
      + "did you mean \"full\"?"
  ),
  ("seed -1", "t:1:6: found \"-1\", expected a number from 0 to 18446744073709551615"),
  ("set", "t:1:4: found the end of the line, expected a key such as sit.preparation"),
  ("set sit.length", "t:1:15: found the end of the line, expected a value"),
  ("expect bells 10m", "t:1:14: found \"10m\", expected a bell such as 10m:interval"),
  (
    "expect bells 10m:intervl",
    "t:1:18: found \"intervl\", expected one of: cue, reminder, start, interval, segment, end"
  ),
  ("expect no bells", "t:1:11: found \"bells\", expected \"bell\""),
  (
    "expect inputs clik",
    "t:1:15: found \"clik\", expected an input such as +1, click or play.press"
  ),
  ("expect detents 3", "t:1:16: found \"3\", expected a count such as +12"),
  ("expect record 0 completed true", "t:1:15: found \"0\", expected a number from 1 to 1000000"),
  ("end soon", "t:1:5: found \"soon\", expected a length such as 1m30s"),
]

@Test(arguments: wrong)
func statement_wrong_isToldWithPlaceAndWhatIsExpected(line: String, message: String) {
  #expect(Scenarios.message(line + "\nend 1m\n") == message)
}

@Test func wall_malformed_isToldAtItsColumn() {
  #expect(
    Scenarios.message("wall 2026-13-01T00:00:00Z\nend 1m\n")?.hasPrefix("t:1:11: found ") == true)
}

@Test func key_misspelt_isToldWithTheNearest() throws {
  let message = try #require(Scenarios.message("\nset sit.preparaton 10s\nend 1m\n"))
  #expect(message.hasPrefix("t:2:5: found \"sit.preparaton\""))
  #expect(message.hasSuffix("did you mean \"sit.preparation\"?"))
}

/// Everything of the contract that this version does not have, with its column.
private let notBuilt: [(line: String, word: String, column: Int)] = [
  ("board raspberry-pi-4", "raspberry-pi-4", 7), ("clock unsynced", "clock", 1),
  ("box kitchen", "box", 1), ("on kitchen at 1s pause", "on", 1),
  ("at 6s lose 2%", "lose", 7), ("at 6s reader every 20ms", "reader", 7),
  ("at 6s ring", "ring", 7), ("at 6s undo", "undo", 7), ("at 6s unset volume", "unset", 7),
  ("at 6s start --until 07:00", "--until", 13), ("at 6s synced", "synced", 7),
  ("at 6s zone Europe/Paris", "zone", 7), ("at 6s suspend 8m", "suspend", 7),
  ("at 6s power-cut 30s", "power-cut", 7), ("at 6s kill 30s", "kill", 7),
  ("at 6s audio gone", "audio", 7), ("at 6s line A busy \"spi0 CS0\"", "line", 7),
  ("at 6s peer FILE.kv", "peer", 7), ("at 6s split", "split", 7), ("at 6s join", "join", 7),
  ("at 6s set volume.end 40", "volume.end", 11), ("at 6s set programme zazen", "programme", 11),
  ("at 6s expect focus 20m", "focus", 14), ("expect streak 3", "streak", 8),
  ("expect day-total 2026-11-30 20m", "day-total", 8),
]

@Test(arguments: notBuilt)
func statement_notBuilt_isRefusedAsSuch(line: String, word: String, column: Int) {
  let message = "t:2:\(column): \"\(word)\" is not built yet in this version"
  #expect(Scenarios.message("# first\n\(line)\nend 1m\n") == message)
}

@Test func key_notBuilt_isRefusedAsSuch() {
  let message = Scenarios.message("set interval.fractions 1/2\nend 1m\n")
  #expect(message?.contains("not built yet in this version") == true)
}

@Test func file_withoutAnEnd_isRefused() {
  for text in ["", "\n\n", "at 1s pause\n"] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect(Scenarios.message(text) == "t:\(lines):1: found no \"end\", expected end LENGTH")
  }
}

@Test func file_inOtherShapes_isReadTheSame() throws {
  let plain = "set sit.preparation 0\nat 1s start 1m\nexpect records 1\nend 2m\n"
  let shapes = [
    plain, plain.replacing("\n", with: "\r\n"), "\u{FEFF}" + plain,
    plain.replacing(" ", with: " \t "), plain.replacing("\n", with: "   # why\n"),
    "end 2m\nexpect records 1\nat 1s start 1m\nset sit.preparation 0",
  ]
  for text in shapes { #expect(try Scenarios.failures(text) == []) }
}

@Test func statements_outOfOrder_happenInTheOrderOfTheirInstants() throws {
  let text = """
    set sit.preparation 0
    at 2m expect phase paused
    at 1m pause
    at 1s start 20m
    at 90m pause
    end 3m
    """
  #expect(try Scenarios.failures(text) == [])
}

@Test func line_ofAnyLength_isRead() throws {
  var text = "at 1s wave"
  for index in 0..<20_000 { text += " \(index * 100):A\(index % 2)" }
  #expect(try Scenarios.failures(text + "\nexpect detents +0 -0\nend 10s\n") == [])
}

@Test func expectations_atAnInstant_seeWhatWasThen() throws {
  let text = """
    set sit.preparation 0
    at 1s turn 2
    at 2s expect inputs +1 +1
    at 3s start 1m
    at 30s expect bells 3s:start
    at 70s turn 1
    expect bells 3s:start 63s:end
    end 80s
    """
  #expect(try Scenarios.failures(text) == [])
}
