import Simulation
import Testing

@Test func file_withCarriageReturnsMarkTabsAndQuotes_readsAsWithout() throws {
  let plain = "set sit.preparation 0\nat 1s start 5m\nexpect bells 1s:start 301s:end\nend 10m\n"
  let other =
    "\u{FEFF}set\tsit.preparation\t 0\t\r\n\r\n\t at 1s\tstart \"5m\"# five minutes\r\n"
    + "# 아침 \"\r\nexpect bells 1s:start 301s:end#\r\nend 10m"
  #expect(try Scenarios.trace(other) == Scenarios.trace(plain))
  #expect(try Scenarios.failures(other) == [])
}

@Test func columns_countCharacters_alsoAfterOthersThanASCII() {
  #expect(
    Scenarios.message("at 1s turn 1 \"아침\" x\nend 1m")
      == "t:1:14: found \"아침\", expected the end of the line")
  #expect(
    Scenarios.message("expect record 1 note \"아침 \u{1F9D8}\" rated 5\nend 1m")?
      .hasPrefix("t:1:29: found \"rated\", expected one of: ") == true)
}

@Test func line_ofAHundredThousandEdges_isRead() throws {
  var wave = "at 0 wave"
  for cycle in 0..<25_000 {
    let at = cycle * 40_000
    wave += " \(at):A0 \(at + 10_000):B0 \(at + 20_000):A1 \(at + 30_000):B1"
  }
  #expect(try Scenarios.failures(wave + "\nexpect detents +25000 -0\nend 2h") == [])
}

@Test func word_ofAMegabyte_isCutInItsMessage() throws {
  let message = try #require(Scenarios.message("at 1s \(String(repeating: "x", count: 1_000_000))"))
  #expect(message.hasPrefix("t:1:7: found \"\(String(repeating: "x", count: 60))…\", expected "))
}

@Test func statements_inAnyOrder_happenInTheOrderOfTheirInstants() throws {
  let text = """
    end 10m
    at 2m expect phase paused
    expect bells 0:start 6m:end
    at 2m resume
    at 1m pause
    at 2m expect phase running
    at 0 start 5m
    set sit.preparation 0
    """
  #expect(try Scenarios.failures(text) == [])
}

@Test func statement_atTheEndItself_stillHappens() throws {
  let text = "set sit.preparation 0\nat 5m start 5m\nexpect bells 5m:start\nend 5m"
  #expect(try Scenarios.failures(text) == [])
}

@Test func expectation_atOneInstant_seesWhatIsDueAndNotWhatItsStatementsMakeDue() throws {
  let text = """
    set sit.preparation 0
    set bell.end.strikes 1
    at 0 start 5m
    at 5m expect bells 0:start 5m:end
    at 6m press right
    at 6m expect inputs
    at 6m10ms expect inputs right.press
    at 8m start 5m
    at 8m expect phase running
    at 8m expect bells 0:start 5m:end
    at 480001ms expect bells 0:start 5m:end 8m:start
    end 10m
    """
  #expect(try Scenarios.failures(text) == [])
}

@Test func expectations_ofBellsAndInputs_countUpToTheirInstant() throws {
  let text = """
    set sit.preparation 0
    at 1s turn 2
    at 2s expect inputs +1 +1
    at 2s expect detents +2 -0
    at 2s expect no bell
    at 3s start 5m
    at 4s expect bells 3s:start
    at 4s turn -1
    at 303s expect bells 3s:start 303s:end
    expect detents +2 -1
    end 10m
    """
  #expect(try Scenarios.failures(text) == [])
}

@Test func failures_areInTheOrderOfTheFile() throws {
  let text = """
    expect records 1
    at 2m expect phase running
    at 1m expect volume 59
    expect degraded full
    at 1m expect inputs click
    expect record 2 day 2026-01-01
    expect bells 1m:end
    expect detents +1 -0
    at 1m expect set 21m
    at 1m expect remaining 1s
    at 1m expect elapsed 1s
    end 2m
    """
  #expect(
    try Scenarios.failures(text) == [
      "t:1: expected records 1, got 0",
      "t:2: expected phase running, got idle",
      "t:3: expected volume 59, got 60",
      "t:4: expected degraded \"full\", got none",
      "t:5: expected inputs click, got none",
      "t:6: expected record 2 to be there, got 0 records",
      "t:7: expected bells 1m:end, got none",
      "t:8: expected detents +1 -0, got +0 -0",
      "t:9: expected set 21m, got 20m",
      "t:10: expected remaining 1s, got none",
      "t:11: expected elapsed 1s, got 0",
    ])
}

@Test func hugeSpans_overflowNothing() throws {
  let text = """
    wall 2199-12-31T00:00:00Z
    at 3650d press crown for 3650d
    at 3650d wall +3650d
    at 3650d wall +3650d
    at 3650d turn 10000 every 1h
    at 0 wall -3650d
    at 0 start 7d
    expect records 1
    end 3650d
    """
  #expect(try Scenarios.failures(text) == [])
}

@Test func choiceWithoutInstant_holdsFromTheStart() throws {
  let text = "at 0 expect volume 30\nat 0 set volume 40\nset volume 30\nexpect volume 40\nend 1m"
  #expect(try Scenarios.failures(text) == [])
}

@Test func waves_interleaved_addUpInTheOrderOfTheirInstants() throws {
  var crown = "at 0 wave"
  var switches = "at 0 wave"
  for index in 0..<2_000 {
    let at = index * 40_000
    crown += " \(at):A0 \(at + 10_000):B0 \(at + 20_000):A1 \(at + 30_000):B1"
    // Written from the last to the first.
    let back = (1_999 - index) * 40_000
    switches += " \(back + 15_000):O1 \(back + 5_000):O0"
  }
  let text = "\(crown)\n\(switches)\nset button.debounce 5ms\nexpect detents +2000 -0\nend 40m"
  var presses = 0
  #expect(try Scenarios.failures(text) == [])
  for line in try Scenarios.trace(text) where line.contains("\"what\":\"press\"") { presses += 1 }
  #expect(presses == 2_000)
}

@Test func disk_thatTakesADay_holdsWhateverManySitsWait() throws {
  var text = "set sit.preparation 0\nat 0 disk slow 1d\n"
  // Each sit is claimed as it begins, and that takes a day too.
  for sit in 0..<100 { text += "at \(sit * 2)m start 1m\n" }
  text += "at 2879m expect records 0\nat 48h expect records 1\nexpect records 100\nend 201d"
  #expect(try Scenarios.failures(text) == [])
}

@Test func turn_whileTheKnobStillTurns_waitsForIt() throws {
  let text = """
    at 1s turn 4
    at 1s turn -2
    at 1s turn 1 every 1us
    expect inputs +1 +1 +1 +1 -1 -1 +1
    expect set 23m
    end 2s
    """
  #expect(try Scenarios.failures(text) == [])
}
