import Bells
import Testing

// What the simulated output does beyond what the scenarios of Tests/scenarios show.

/// 24 sits of 50 minutes, an interval bell each 10.
private let day: (text: String, bells: Int) = {
  var text = "set sit.preparation 0\nset interval.every 10m\nset bell.end.strikes 1\n"
  for hour in 0..<24 { text += "at \(hour)h1001ms start 50m\n" }
  return (text + "end 24h\n", 24 * 6)
}()

@Test(arguments: ["at 0 audio drift 300ppm\n", "at 0 audio drift -300ppm\n", ""])
func day_ofSitsOnADriftingCard_beginsEachStrikeOnTheFirstFrameAfterItsInstant(
  drift: String
) throws {
  let lines = try Scenarios.trace(drift + day.text).filter { $0.contains("\"kind\":\"bell\"") }
  #expect(lines.count == day.bells)
  for line in lines {
    let late = try #require(number("startNs", of: line)) - #require(number("dueNs", of: line))
    // A frame is 20 833 ns; of the slower card a little more.
    #expect((0...20_841).contains(late) && line.contains("\"rung\""))
  }
}

@Test func drift_changedInMidRun_losesNoFrame() throws {
  let text = """
    set sit.preparation 0
    at 0 start 20m
    at 100s audio drift 5000ppm
    at 100s audio drift -5000ppm
    at 101s audio drift 0ppm
    expect bells 0:start 20m:end
    expect degraded
    end 30m
    """
  #expect(try Scenarios.failures(text) == [])
}

/// Whether a fault of the wanted output lets what is open go on.
@Test(arguments: [("busy", "open"), ("refuse", "open"), ("gone", "lost"), ("stall 1s", "lost")])
func fault_inMidTail_endsWhatIsOpenOnlyWhereItIsGone(fault: String, state: String) throws {
  let text = """
    set sit.preparation 0
    at 0 start 20m
    at 10s audio \(fault)
    at 10s200ms expect output \(state)
    end 11s
    """
  #expect(try Scenarios.failures(text) == [])
}

@Test func stall_thatIsShort_isRiddenOut() throws {
  let text = """
    set sit.preparation 0
    set bell.end.strikes 1
    at 0 start 1m
    at 59900ms audio stall 999ms
    at 60500ms expect output open
    expect bells 0:start 60899ms:end
    expect degraded
    expect missed 0
    end 2m
    """
  #expect(try Scenarios.failures(text) == [])
}

@Test func ok_takesBackEveryFault() throws {
  let text = """
    set sit.preparation 0
    at 0 audio gone
    at 0 audio busy
    at 0 audio refuse
    at 0 audio swallow 1h
    at 0 audio stall 1h
    at 0 audio drift 10000ppm
    at 1s audio ok
    at 2s ring
    expect bells 2s:cue
    expect degraded
    end 1m
    """
  #expect(try Scenarios.failures(text) == [])
}

@Test(arguments: [("1s", "1s:cue"), ("1001ms", nil)])
func swallow_asLongAsTheLeadIn_leavesTheAttack(swallow: String, bells: String?) throws {
  let text = """
    set sound.lead-in 1s
    at 0 audio swallow \(swallow)
    at 0 ring
    expect \(bells.map { "bells \($0)" } ?? "no bell")
    expect missed 0
    end 1m
    """
  #expect(try Scenarios.failures(text) == [])
}

@Test func missedBell_isCountedOnceHoweverManyStrikesItHas() throws {
  let text = """
    set sit.preparation 0
    at 0 start 1m
    at 10s audio gone
    expect missed 1
    expect bells 0:start
    end 5m
    """
  #expect(try Scenarios.failures(text) == [])
  let outcomes = try Scenarios.trace(text).filter { $0.contains("\"role\":\"end\"") }
  #expect(outcomes.count == 3 && outcomes.allSatisfy { $0.contains("\"missed\"") })
}

@Test func strikes_overdueAsTheOutputIsBack_areStruckOnceAndTheRestInTheirTime() throws {
  let text = try Scenarios.text("overdue-strikes-ring-once.scenario")
  let lines = try Scenarios.trace(text).filter { $0.contains("\"role\":\"end\"") }
  #expect(lines.count == 20)
  let late = lines.filter { $0.contains("\"outcome\":\"late\"") }
  try #require(late.count == 1)
  #expect(late[0].contains("\"strike\":3,") && late[0].contains("\"startNs\":65400000000,"))
  let missed = lines.filter { $0.contains("\"outcome\":\"missed\"") }
  #expect(missed.count == 8)
  for (index, line) in lines.dropFirst(11).enumerated() {
    let due = 65_500 + 500 * index
    #expect(line.contains("\"startNs\":\(due)000000,\"outcome\":\"rung\""))
  }
}

@Test(arguments: ["150ms", "-150ms"])
func sound_ofARunWithAnOffset_isInTheOrderOfItsFrames(offset: String) throws {
  let result = try Scenarios.play(
    """
    set sit.preparation 0
    set sound.offset \(offset)
    at 0 start 1m
    at 59900ms set volume 40
    at 60050ms set volume 50
    end 2m
    """)
  let frames = result.sound.map(\.frame)
  #expect(frames == frames.sorted() && frames.count == 7)
}

@Test(arguments: [Speaker.full, .small])
func sounds_ofARun_areThoseOfItsLoudspeaker(speaker: Speaker) throws {
  let result = try Scenarios.play("set sound.speaker \(speaker.name)\nat 1s ring\nend 1m")
  #expect(result.sounds == Sound.catalogue(for: speaker))
}

/// Each of the new expectations, changed by one, with what is said of it.
private let changes: [(original: String, changed: String, message: String)] = [
  ("missed 0", "missed 1", "t:4: expected missed 1, got 0"),
  ("openings 1", "openings 2", "t:5: expected openings 2, got 1"),
  ("output open", "output closed", "t:6: expected output closed, got open"),
  ("cues 1450ms:yes", "cues 1451ms:yes", "t:7: expected cues 1s451ms:yes, got 1450ms:yes"),
  ("cues 1450ms:yes", "cues 1450ms:no", "t:7: expected cues 1s450ms:no, got 1450ms:yes"),
  ("cues 1450ms:yes", "no cue", "t:7: expected cues none, got 1450ms:yes"),
]

@Test(arguments: changes)
func soundExpectation_changedByOne_failsWithItsLine(
  original: String, changed: String, message: String
) throws {
  let text = """
    set sit.preparation 1m
    at 1s press crown

    expect missed 0
    expect openings 1
    at 5s expect output open
    expect cues 1450ms:yes
    end 10s
    """
  #expect(try Scenarios.failures(text) == [])
  #expect(try Scenarios.failures(text.replacing(original, with: changed)) == [message])
}

private func number(_ name: String, of line: String) -> Int64? {
  guard let key = line.firstRange(of: "\"\(name)\":") else { return nil }
  return Int64(line[key.upperBound...].prefix { $0.isNumber })
}

@Test func ambientSound_inItsFade_goesOnWhileTheBellsAreDamped() throws {
  // The fade of four seconds begins with the pause; a discard damps what rings in mid-fade. Two
  // seconds after it the output is let go.
  let text = """
    set sit.preparation 0
    set sound.ambient rain
    at 0 start 20m
    at 2m pause
    at 2m1s discard
    at 125900ms expect output open
    at 126100ms expect output closed
    at 10m start 20m
    at 12m pause
    at 725900ms expect output open
    at 726100ms expect output closed
    end 13m
    """
  #expect(try Scenarios.failures(text) == [])
}
