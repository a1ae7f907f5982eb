import Controls
import Testing
import Ticks
import TimerMachine

// Public reports about encoders and buttons that need more than a scenario can say: levels at the
// start, and spans that the scenario's hand cannot make. The rest are Tests/scenarios/e*, b*.

private func levels(_ low: LineSet) -> LineLevels {
  low.lines.reduce(into: LineLevels.rest) { $0[$1] = .low }
}

@Test func e05_restWithBothClosed_countsAtThatRest() {
  // esphome PR 3532: one clockwise detent, from where both contacts are closed.
  var bench = Bench(settings(.one), levels: levels(.contacts))
  bench.play("10000:A1 15000:B1 20000:A0 25000:B0")
  #expect(bench.notes == ["+1@25000"])
  bench.play("100000:B1 105000:A1 110000:B0 115000:A0")
  #expect(bench.notes == ["+1@25000", "-1@115000"])
}

@Test func e06_twoDetentsACycleStartingClosed_countsTheFirst() {
  // micropython-rotary #35.
  #expect(
    notes(of: "10000:A1 15000:B1", settings(.two), levels: levels(.contacts)) == ["+1@15000"])
}

@Test func e18_linesSwapped_turnsTheOtherWay() {
  // RPi-Jukebox-RFID #520, mt32-pi #104: A and B swapped in the wiring.
  #expect(notes(of: "0:B0 5000:A0 10000:B1 15000:A1") == ["-1@15000"])
}

@Test func b10_activeWhenPowerComes_isNoPress() {
  // esphome-core #168, HA core #142607.
  #expect(notes(of: "30000:S1", levels: levels(LineSet(.s))) == [])
}

@Test func b11_heldAtStart_isSilentUntilItsFirstRealPress() {
  // AceButton, init_while_pressed.
  let wave = "5000000:S1 6000000:S0 6100000:S1"
  #expect(
    notes(of: wave, levels: levels(LineSet(.s)))
      == ["press@6010000", "release@6110000", "click@6110000"])
}

@Test func b02_jammedButton_isLookedAtForTenSecondsOnly() {
  var bench = Bench()
  bench.play("0:S0")
  bench.advance(at(microseconds: 10_000_000))
  let looks = bench.lookCount
  #expect(looks > 60)
  #expect(bench.controls.nextDeadline == nil)
  bench.advance(at(microseconds: 100_000_000))
  #expect(bench.lookCount == looks)
  #expect(bench.notes == ["press@10000", "long@600000"])
}

@Test func look_thatSaysNothing_leavesTheLongPressAsItIs() {
  var bench = Bench()
  bench.unreadable = .all
  bench.play("0:S0")
  bench.advance(at(microseconds: 599_999))
  #expect(bench.notes == ["press@10000"])
  bench.advance(at(microseconds: 600_000))
  #expect(bench.notes == ["press@10000", "long@600000"])
}

@Test func look_beforeALongPress_findsTheLostRelease() {
  var bench = Bench()
  bench.play("0:S0 200000:S1") { $0.at == at(microseconds: 200_000) }
  bench.advance(at(microseconds: 2_000_000))
  #expect(bench.notes == ["press@10000", "release@610000", "click@610000"])
}

// MARK: - Lines that come and go

@Test func lost_whileHeld_letsGoWithoutAClick() {
  var bench = Bench()
  bench.play("0:S0")
  bench.advance(at(microseconds: 100_000))
  bench.controls.lose(LineSet(.s), at: at(microseconds: 100_000))
  bench.advance(at(microseconds: 3_000_000))
  #expect(bench.notes == ["press@10000", "release@100000"])
}

@Test func taken_whileHeld_isSilentUntilLetGo() {
  var bench = Bench()
  bench.controls.lose(.all, at: .zero)
  let taken = LevelReading(
    lines: .all, levels: levels([LineSet(.s), LineSet(.a)]), at: at(microseconds: 1_000))
  bench.controls.take(taken)
  bench.truth = taken.levels
  bench.play("2000000:S1 3000000:S0 3100000:S1")
  bench.advance(at(microseconds: 4_000_000))
  #expect(bench.notes == ["press@3010000", "release@3110000", "click@3110000"])
}

@Test func missed_whereTheLevelsAreAsThought_losesNothing() {
  var bench = Bench()
  bench.play("0:A0 5000:B0")
  bench.controls.missed(LineSet(.a), at: at(microseconds: 6_000))
  bench.drain(at: at(microseconds: 6_000))
  bench.play("10000:A1 15000:B1")
  #expect(bench.notes == ["+1@15000"])
}

@Test func missed_whereALevelIsAnother_givesNothingForItAndTheNextWhole() {
  var bench = Bench()
  bench.play("0:A0 5000:B0 6000:A1 6500:B1 7000:A0") { $0.at > at(microseconds: 5_000) }
  bench.controls.missed(LineSet(.b), at: at(microseconds: 7_500))
  bench.drain(at: at(microseconds: 7_500))
  bench.play("10000:B0 15000:A1 20000:B1 \(turn(1, from: 100_000))")
  #expect(bench.notes == ["+1@115000"])
}

@Test func missed_beforeEdgesThatAreStillToCome_countsAnewFromThere() {
  var bench = Bench()
  bench.play("0:A0 5000:B0 10000:A1")
  bench.unreadable = .contacts
  bench.controls.missed(.contacts, at: at(microseconds: 11_000))
  bench.drain(at: at(microseconds: 11_000))
  // Nobody knows where the knob went; the rest of a cycle is no detent, a whole one is.
  bench.play("15000:B1 \(turn(1, from: 100_000))")
  bench.unreadable = []
  bench.play(turn(1, from: 200_000))
  #expect(bench.notes == ["+1@115000", "+1@215000"])
}

@Test func taken_whileItIsHeldAlready_letsGoFirst() {
  var bench = Bench()
  bench.play("0:U0")
  bench.advance(at(microseconds: 100_000))
  bench.controls.take(
    LevelReading(lines: LineSet(.up), levels: bench.truth, at: at(microseconds: 100_000)))
  bench.play("500000:U1 600000:U0 700000:U1")
  bench.advance(at(microseconds: 1_000_000))
  #expect(
    bench.notes == [
      "up.press@10000", "up.release@100000", "up.press@610000", "up.release@710000",
      "up.click@710000",
    ])
}

// MARK: - A reading that comes late

private let lateReadings: [(mode: DetentsPerCycle, late: Int64, expected: [String])] = [
  // Soon after the edge, what the other contact did unseen came before it.
  (.one, 900, ["+1@15000"]), (.two, 900, ["+1@1", "+1 fast@15000"]),
  // Later it may have come after: two quarters one way or the other, and nobody knows which.
  (.one, 1_100, []), (.two, 1_100, ["+1@15000"]), (.four, 1_100, ["+1@10000", "+1 fast@15000"]),
]

@Test(arguments: lateReadings)
func look_longAfterTheEdge_givesNoStepOfAGuessedSign(
  mode: DetentsPerCycle, late: Int64, expected: [String]
) {
  var bench = Bench(settings(mode))
  // A fell and its edge was lost; B's edge is told, and the levels are read so much later.
  bench.truth[.a] = .low
  bench.truth[.b] = .low
  bench.controls.handle(Edge(line: .b, level: .low, at: at(microseconds: 1)))
  guard let lines = bench.controls.nextLook() else { return #expect(Bool(false), "no look") }
  let reading = LevelReading(lines: lines, levels: bench.truth, at: at(microseconds: 1 + late))
  bench.controls.handle(reading, at: at(microseconds: 1))
  bench.drain(at: at(microseconds: 1))
  bench.play("10000:A1 15000:B1")
  #expect(bench.notes == expected)
}

// MARK: - Bounce where each quarter is a detent

private let quarterBounces: [(wave: String, expected: [String])] = [
  ("0:A0 100:A1 200:A0", ["+1@0"]),
  ("0:A0 2999:A1", ["+1@0", "-1@5999"]),
  ("0:A0 3000:A1", ["+1@0", "-1@3000"]),
  ("0:A0 3001:A1", ["+1@0", "-1@3001"]),
  ("0:A0 100:A1 200:A0 1000:B0 1100:B1 1200:B0", ["+1@0", "+1 fast@1000"]),
  ("0:A0 500:A1 1000:B0", ["+1@0", "-1@1000", "-1 fast@1000"]),
  ("0:A0 500:A1 1000:A0 3500:A1", ["+1@0", "-1@6500"]),
  ("0:A0 500:A1 1000:A0 4001:A1", ["+1@0", "-1@4001"]),
]

@Test(arguments: quarterBounces)
func quarter_bounceWithinThreeMilliseconds_countsWhatIsLeft(wave: String, expected: [String]) {
  #expect(notes(of: wave, settings(.four)) == expected)
}

// MARK: - Noise

/// Toggles a line at even spans; returns the instant after the last.
private func toggle(
  _ bench: inout Bench, _ line: Line, from start: Int64, every: Int64, count: Int
) -> Int64 {
  for index in 0..<count {
    let level: Level = bench.truth[line] == .low ? .high : .low
    bench.take(Edge(line: line, level: level, at: at(microseconds: start + Int64(index) * every)))
  }
  return start + Int64(count) * every
}

@Test func noise_ofAContact_isMaskedAfterFiveSeconds() {
  var bench = Bench()
  // 3,125 edges a second: the sixth second begins with the edge that masks the line.
  _ = toggle(&bench, .a, from: 0, every: 320, count: 15_625)
  #expect(bench.controls.masked == [])
  _ = toggle(&bench, .a, from: 5_000_000, every: 320, count: 1)
  #expect(bench.controls.masked == LineSet(.a))
  #expect(bench.controls.nextNoise() == LineNoise(line: .a, isNoisy: true))
  bench.advance(at(microseconds: 14_999_999))
  #expect(bench.controls.masked == LineSet(.a))
  bench.advance(at(microseconds: 15_000_000))
  #expect(bench.controls.masked == [])
  #expect(bench.controls.nextNoise() == nil)
  bench.advance(at(microseconds: 25_000_000))
  #expect(bench.controls.nextNoise() == LineNoise(line: .a, isNoisy: false))
  #expect(!bench.notes.contains { $0.hasPrefix("+") || $0.hasPrefix("-") })
}

@Test func noise_atThreeThousandASecond_isNotMasked() {
  var bench = Bench()
  for second in 0..<8 as Range<Int64> {
    _ = toggle(&bench, .a, from: second * 1_000_000, every: 300, count: 3_000)
  }
  #expect(bench.controls.masked == [])
}

@Test func noise_withAQuietSecondBetween_countsAnew() {
  var bench = Bench()
  var start: Int64 = 0
  for _ in 0..<3 {
    start = toggle(&bench, .a, from: start, every: 250, count: 4 * 4_000) + 1_100_000
  }
  #expect(bench.controls.masked == [])
}

@Test func b19_mainsHumOnAButton_isMaskedAndNamedOnce() {
  // node-libgpiod #38, Smart-Filament #25, pi-power-button PR 1: a floating line.
  var bench = Bench(phase: .running)
  var news: [LineNoise] = []
  for start in 0..<20 as Range<Int64> {
    _ = toggle(&bench, .s, from: start * 500_000, every: 10_000, count: 50)
    while let noise = bench.controls.nextNoise() { news.append(noise) }
  }
  #expect(news == [LineNoise(line: .s, isNoisy: true)])
  #expect(bench.inputs.allSatisfy { $0.decidedAt <= at(microseconds: 1_010_000) })
  #expect(!bench.inputs.contains { $0.kind == .click || $0.kind == .long })
}

private let hums: [(line: Line, low: Int64, high: Int64)] = [
  (.s, 12_000, 8_000), (.s, 10_300, 9_700), (.s, 9_700, 10_300), (.s, 8_333, 8_333),
  (.play, 10_000, 10_000), (.play, 12_000, 8_000), (.play, 20_000, 1_000), (.up, 11_000, 9_000),
]

@Test(arguments: hums)
func b19_humOfAnyShape_givesNoLongPressAndFewInputs(line: Line, low: Int64, high: Int64) {
  var bench = Bench(phase: .running)
  var start: Int64 = 0
  while start < 60_000_000 {
    for (level, span) in [(Level.low, low), (.high, high)] {
      bench.take(Edge(line: line, level: level, at: at(microseconds: start)))
      start += span
    }
  }
  bench.advance(at(microseconds: start + 60_000_000))
  #expect(bench.inputs.allSatisfy { $0.decidedAt <= at(microseconds: 350_000) })
  #expect(!bench.inputs.contains { $0.kind == .long || $0.kind == .repeat })
  #expect(bench.inputs.count { $0.kind == .click || $0.kind == .double } <= 3)
  let noise = [bench.controls.nextNoise(), bench.controls.nextNoise(), bench.controls.nextNoise()]
  #expect(
    noise == [LineNoise(line: line, isNoisy: true), LineNoise(line: line, isNoisy: false), nil])
}

@Test func mask_thatEndsOverAnActiveLine_givesNoPressUntilItWasLetGo() {
  for isReadable in [true, false] {
    var bench = Bench()
    let end = toggle(&bench, .s, from: 0, every: 5_000, count: 61)
    #expect(bench.controls.masked == LineSet(.s))
    #expect(bench.truth[.s] == .low)
    bench.unreadable = isReadable ? [] : .all
    bench.advance(at(microseconds: end + 10_000_000))
    bench.unreadable = []
    bench.play("11000000:S0 12000000:S1")
    bench.advance(at(microseconds: 13_000_000))
    #expect(bench.notes == [])
    bench.play("13000000:S0 13100000:S1")
    bench.advance(at(microseconds: 14_000_000))
    #expect(bench.inputs.map(\.kind) == [.press, .release, .click])
  }
}

@Test func noise_ofOneContactAtFourDetentsACycle_turnsNothing() {
  var bench = Bench(settings(.four))
  let end = toggle(&bench, .a, from: 0, every: 250, count: 24_000)
  #expect(bench.controls.masked == LineSet(.a))
  #expect(bench.inputs.count <= 1)
  for index in 0..<8 as Range<Int64> {
    bench.play("\(end + index * 20_000):B\(index % 2)")
  }
  bench.advance(at(microseconds: end + 1_000_000))
  #expect(bench.inputs.count <= 1)
}

@Test func noise_fastClicks_areNoNoise() {
  var bench = Bench()
  _ = toggle(&bench, .play, from: 0, every: 40_000, count: 500)
  bench.advance(at(microseconds: 21_000_000))
  #expect(bench.controls.masked == [])
  #expect(bench.inputs.count { $0.kind == .click } == 250)
}

@Test(arguments: [0, 2_000] as [Int64])
func look_atAnEdgeThatSaysNothingNew_givesNoStepOfAGuessedSign(late: Int64) {
  var bench = Bench(settings(.four))
  // A fell, B fell and A rose; only the last edge is told.
  bench.truth[.b] = .low
  bench.controls.handle(Edge(line: .a, level: .high, at: at(microseconds: 1)))
  #expect(bench.controls.nextLook() == .contacts)
  let reading = LevelReading(
    lines: .contacts, levels: bench.truth, at: at(microseconds: 1 + late))
  bench.controls.handle(reading, at: at(microseconds: 1))
  bench.drain(at: at(microseconds: 1))
  #expect(bench.notes == [])
  bench.play("10000:B1")
  #expect(bench.notes == ["+1@10000"])
}
