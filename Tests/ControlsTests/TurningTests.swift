import Controls
import Testing
import TimerMachine

@Test(arguments: [(Int64(29_999), "+1 fast@44999"), (30_000, "+1@45000"), (30_001, "+1@45001")])
func acceleration_aroundTheFastSpan_isFastOnlyUnderIt(gap: Int64, expected: String) {
  let wave = "\(turn(1, from: 0)) \(turn(1, from: gap))"
  #expect(notes(of: wave) == ["+1@15000", expected])
}

@Test func acceleration_firstDetentAfterStart_isNotFast() {
  #expect(notes(of: turn(1, from: 0, quarter: 1_000)) == ["+1@3000"])
}

@Test func acceleration_reversal_isNotFastInEitherDirection() {
  let wave = [1, -1, 1, 1].enumerated()
    .map { turn($0.element, from: Int64($0.offset) * 10_000, quarter: 1_000) }
    .joined(separator: " ")
  #expect(notes(of: wave) == ["+1@3000", "-1@13000", "+1@23000", "+1 fast@33000"])
}

@Test func acceleration_firstAfterRest_isNotFast() {
  let wave = [0, 10_000, 210_000, 220_000]
    .map { turn(1, from: $0, quarter: 1_000) }.joined(separator: " ")
  #expect(notes(of: wave) == ["+1@3000", "+1 fast@13000", "+1@213000", "+1 fast@223000"])
}

@Test func acceleration_slowDetentsReadTogether_areNotFast() {
  var bench = Bench()
  for edge in edges((0..<5).map { turn(1, from: $0 * 400_000) }.joined(separator: " ")) {
    bench.take(edge)
  }
  #expect(bench.notes == ["+1@15000", "+1@415000", "+1@815000", "+1@1215000", "+1@1615000"])
}

private let heldAroundJogSpan: [(Int64, [String])] = [
  (79_999, []), (80_000, []), (80_001, ["+1 held@80001"]),
]

@Test(arguments: heldAroundJogSpan)
func jog_aroundTheEndOfItsSpanAfterAPress_isDroppedUpToIt(end: Int64, expected: [String]) {
  let wave = "0:S0 \(turn(1, from: end - 15_000)) 300000:S1"
  let detents = notes(of: wave).filter { $0.hasPrefix("+") }
  #expect(detents == expected)
}

private let turnedAroundJogSpan: [(Int64, [String])] = [
  (79_999, []), (80_000, []), (80_001, ["+1@380001"]),
]

@Test(arguments: turnedAroundJogSpan)
func jog_aroundTheEndOfItsSpanAfterARelease_isDroppedUpToIt(after: Int64, expected: [String]) {
  let wave = "0:S0 300000:S1 \(turn(1, from: 285_000 + after))"
  let detents = notes(of: wave).filter { $0.hasPrefix("+") }
  #expect(detents == expected)
}

@Test func jog_completedBeforeThePress_counts() {
  #expect(notes(of: "\(turn(1, from: 0)) 15001:S0 100000:S1").first == "+1@15000")
}

@Test func jog_ofAPress_leavesItsClick() {
  #expect(
    notes(of: "0:S0 \(turn(1, from: 20_000)) 150000:S1")
      == ["press@10000", "release@160000", "click@160000"])
}

@Test func jog_bounceOfTheSwitch_doesNotLengthenTheWindow() {
  let wave = "0:S0 5000:S1 8000:S0 12000:S1 14000:S0 \(turn(1, from: 65_001)) 300000:S1"
  #expect(notes(of: wave) == ["press@24000", "+1 held@80001", "release@310000"])
}

@Test func jog_noiseOnTheSwitch_dropsDetentsOnlyUntilItIsKnown() {
  #expect(notes(of: "20000:S0 22000:S1 \(turn(1, from: 16_999))") == [])
  #expect(notes(of: "20000:S0 22000:S1 \(turn(1, from: 17_000))") == ["+1@32000"])
}

@Test func heldTurn_makesThePressNeitherClickNorLong() {
  #expect(
    notes(of: "0:S0 \(turn(1, from: 300_000)) 700000:S1")
      == ["press@10000", "+1 held@315000", "release@710000"])
}

@Test func heldTurn_lessThanADetent_leavesTheClick() {
  #expect(
    notes(of: "0:S0 200000:A0 210000:A1 300000:S1")
      == ["press@10000", "release@310000", "click@310000"])
}

@Test func heldTurn_inTheSecondPress_givesTheFirstClickBeforeIt() {
  #expect(
    notes(of: "0:S0 100000:S1 200000:S0 \(turn(-1, from: 300_000)) 900000:S1", phase: .idle)
      == [
        "press@10000", "release@110000", "press@210000", "click@315000", "-1 held@315000",
        "release@910000",
      ])
}

@Test func heldTurn_belongsToThePhaseOfItsPress() {
  var bench = Bench(phase: .preparing)
  bench.play("0:S0")
  bench.advance(at(microseconds: 200_000))
  bench.controls.enter(.running, at: at(microseconds: 200_000))
  bench.play(turn(1, from: 300_000))
  bench.play("600000:S1")
  bench.play(turn(1, from: 800_000))
  #expect(bench.notes == ["press@10000", "+1 held@315000", "release@610000", "+1@815000"])
  #expect(bench.inputs.map(\.phaseAtPress) == [.preparing, .preparing, .preparing, .running])
}

@Test func heldTurn_ofAPressActiveAtStart_isATurn() {
  var levels = LineLevels.rest
  levels[.s] = .low
  #expect(notes(of: turn(1, from: 300_000), levels: levels) == ["+1@315000"])
}
