import Bells
import FoundationEssentials
import Simulation
import Testing

@Test(arguments: Scenarios.names)
func trace_playedTwice_isTheSameToTheByte(name: String) throws {
  let text = try Scenarios.text(name)
  let first = try Scenarios.trace(text, ticks: true)
  #expect(try Scenarios.trace(text, ticks: true) == first)
  #expect(!first.isEmpty)
}

@Test func trace_withAnotherSeed_differsInItsIdentitiesAlone() throws {
  let text = try Scenarios.text("first-sit.scenario")
  let first = try Scenarios.trace(text, seed: 1)
  let second = try Scenarios.trace(text, seed: 2)
  #expect(first.count == second.count)
  let different = zip(first, second).filter { $0 != $1 }.map(\.0)
  #expect(different.count == 2)
  #expect(different.allSatisfy { $0.contains("\"kind\":\"session\"") })
}

@Test func trace_ofASit_hasTheFieldsOfTheContract() throws {
  let lines = try Scenarios.trace(
    """
    set sit.preparation 0
    set bell.end.strikes 1
    at 1s turn 1
    at 2s start 1m
    at 3s skip
    end 2m
    """)
  let sit = try #require(lines.first { $0.contains("begun") }).split(separator: "\"")[17]
  #expect(
    lines == [
      #"{"ns":1015000000,"box":"box","kind":"input","what":"detent","button":"crown","value":1,"#
        + #""multiplier":1}"#,
      #"{"ns":1015000000,"box":"box","kind":"set","seconds":1260}"#,
      #"{"ns":2000000000,"box":"box","kind":"phase","from":"idle","to":"preparing"}"#,
      #"{"ns":2000000000,"box":"box","kind":"phase","from":"preparing","to":"running"}"#,
      #"{"ns":2000000000,"box":"box","kind":"session","action":"begun","record":"\#(sit)"}"#,
      #"{"ns":2000000000,"box":"box","kind":"bell","role":"start","sound":"large-bowl","strike":1,"#
        + #""dueNs":2000000000,"startNs":2000000000,"outcome":"rung"}"#,
      // The claim of the sit.
      #"{"ns":2000000000,"box":"box","kind":"store","action":"written","bytes":244}"#,
      #"{"ns":3000000000,"box":"box","kind":"refused","command":"skip","#
        + #""reason":"only the preparation can be skipped"}"#,
      #"{"ns":3000000000,"box":"box","kind":"bell","role":"cue","sound":"tap-low","strike":1,"#
        + #""dueNs":3000000000,"startNs":3000000000,"outcome":"rung"}"#,
      #"{"ns":3150000000,"box":"box","kind":"bell","role":"cue","sound":"tap-low","strike":2,"#
        + #""dueNs":3150000000,"startNs":3150000000,"outcome":"rung"}"#,
      #"{"ns":62000000000,"box":"box","kind":"phase","from":"running","to":"ended"}"#,
      #"{"ns":62000000000,"box":"box","kind":"session","action":"closed","record":"\#(sit)"}"#,
      #"{"ns":62000000000,"box":"box","kind":"bell","role":"end","sound":"large-bowl","strike":1,"#
        + #""dueNs":62000000000,"startNs":62000000000,"outcome":"rung"}"#,
      #"{"ns":62000000000,"box":"box","kind":"store","action":"written","bytes":298}"#,
    ])
}

@Test func ticks_aHundredThousand_areTracedWithoutOneOffByANanosecond() throws {
  let lines = try Scenarios.trace(
    "set sit.preparation 0\nat 1500ms start 100000s\nend 28h", ticks: true
  ).filter { $0.contains("\"kind\":\"tick\"") }
  #expect(lines.count == 100_000)
  for (index, line) in lines.enumerated() {
    let second = Int64(index + 1)
    let expected =
      "{\"ns\":\(1_500_000_000 + second * 1_000_000_000),\"box\":\"box\",\"kind\":\"tick\","
      + "\"remainingSeconds\":\(100_000 - second)}"
    if line != expected {
      #expect(line == expected)
      break
    }
  }
}

@Test func year_ofDailySits_keepsEverySitAndRingsEveryBell() throws {
  var text = "wall 2026-01-01T06:00:00+01:00 Europe/Berlin\nset bell.end.strikes 1\n"
  for day in 0..<365 { text += "at \(day == 0 ? "0" : "\(day)d") start 20m\n" }
  text += "expect records 365\nexpect record 365 day 2026-12-31\nend 365d\n"
  let lines = Counter()
  let result = try Scenarios.play(text) { line in
    if line.contains("\"outcome\":\"rung\"") { lines.count += 1 }
  }
  #expect(result.failures == [])
  #expect(lines.count == 730)
}

@Test func fastDetent_ofAnotherStep_isTracedWithItsMultiplier() throws {
  let text = "set crown.step 2m\nset crown.fast-step 20m\nat 0 turn 3 every 10ms\nend 1s"
  let multipliers = try Scenarios.trace(text).filter { $0.contains("detent") }
    .map { String($0.split(separator: ":").last ?? "") }
  #expect(multipliers == ["1}", "10}", "10}"])
}

@Test func sound_ofASit_hasEachStrikeOnTheFirstFrameAtOrAfterItsInstant() throws {
  let result = try Scenarios.play(
    """
    set sit.preparation 0
    set bell.end.strikes 2
    set bell.end.gap 1s
    at 1000001us start 1m
    at 30s set volume 40
    at 2m start 1m
    at 2m30s discard
    end 3m
    """)
  let strikes = result.sound.compactMap { event in
    if case .strike(let strike) = event.action { (event.frame, strike) } else { nil }
  }
  let frames = [48_001, 61 * 48_000 + 1, 62 * 48_000 + 1, 120 * 48_000]
  #expect(strikes.map(\.0) == frames)
  #expect(strikes.allSatisfy { $0.1.sound == 0 && $0.1.gain == 1 })
  let others = result.sound.filter { event in
    if case .strike = event.action { false } else { true }
  }
  #expect(
    others == [
      Rendering.Event(frame: 0, action: .volumes(Volumes(60))),
      Rendering.Event(frame: 30 * 48_000, action: .volumes(Volumes(40))),
      Rendering.Event(frame: 150 * 48_000, action: .damp),
    ])
  #expect(result.frames == 180 * 48_000)
}

@Test func bell_thatComesLate_isTracedWithDueStartAndOutcome() throws {
  let text = """
    set sit.preparation 0
    set interval.every 5m
    set sound.latest LATEST
    at 0 start 20m
    at 4m audio gone
    at 5m3s audio back
    end 6m
    """
  func interval(_ latest: String) throws -> String? {
    let lines = try Scenarios.trace(text.replacing("LATEST", with: latest))
    return lines.first { $0.contains("interval") }
  }
  let fields =
    #","box":"box","kind":"bell","role":"interval","sound":"large-bowl","strike":1,"#
    + #""dueNs":300000000000,"startNs":"#
  // The card is tried again 100 ms after it was lost, then 200 ms, and so on up to every 5 s.
  let late = try #require(try interval("10s"))
  #expect(late.contains(fields) && late.hasSuffix(#","outcome":"late"}"#))
  let missed = try #require(try interval("1s"))
  #expect(
    missed == #"{"ns":301000000000"# + fields + #"301000000000,"outcome":"missed"}"#)
}

private final class Counter {
  var count = 0
}
