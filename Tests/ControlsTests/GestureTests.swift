import Controls
import Testing
import Ticks
import TimerMachine

@Test func press_workedExample_isDecidedAndStampedAsWritten() {
  var bench = Bench(phase: .idle)
  bench.play("3000000:S0 3100000:S1")
  bench.advance(at(microseconds: 3_449_999))
  #expect(bench.notes == ["press@3010000", "release@3110000"])
  #expect(bench.inputs.map(\.at) == [at(microseconds: 3_000_000), at(microseconds: 3_100_000)])
  bench.advance(at(microseconds: 3_450_000))
  #expect(bench.notes.last == "click@3450000")
  #expect(bench.controls.nextDeadline == nil)
}

@Test func press_inPaused_clicksWithItsRelease() {
  #expect(
    notes(of: "0:S0 100000:S1", phase: .paused)
      == ["press@10000", "release@110000", "click@110000"])
}

@Test(arguments: Phase.allCases)
func click_inEachPhase_waitsOnlyWhereADoubleIsBound(phase: Phase) {
  let waits = phase == .idle || phase == .running
  let once = notes(of: "0:S0 100000:S1", phase: phase)
  #expect(once.last == (waits ? "click@450000" : "click@110000"))
  let twice = notes(of: "0:S0 60000:S1 110000:S0 170000:S1", phase: phase)
  let pair = ["press@10000", "release@70000", "press@120000", "release@180000", "double@180000"]
  let single = [
    "press@10000", "release@70000", "click@70000", "press@120000", "release@180000",
    "click@180000",
  ]
  #expect(twice == (waits ? pair : single))
}

@Test(arguments: Button.allCases)
func hold_ofEachButton_givesLongOrRepeatsAndNoClick(button: Button) throws {
  let letter = String(Unicode.Scalar(button.line.letter))
  let prefix = button == .crown ? "" : "\(button.name)."
  let expected =
    ["up", "down", "left", "right"].contains("\(button.name)")
    ? ["press@10000", "repeat@600000", "repeat@750000", "repeat@900000", "release@1010000"]
    : ["press@10000", "long@600000", "release@1010000"]
  #expect(notes(of: "0:\(letter)0 1000000:\(letter)1") == expected.map { prefix + $0 })
  #expect(
    notes(of: "0:\(letter)0 100000:\(letter)1")
      == ["press@10000", "release@110000", "click@110000"].map { prefix + $0 })
}

private let spanEdges: [(wave: String, phase: Phase, expected: [String])] = [
  // Debounce of a press, and of a release.
  ("0:S0 9999:S1", .paused, []),
  ("0:S0 10000:S1", .paused, ["press@10000", "release@20000", "click@20000"]),
  ("0:S0 10001:S1", .paused, ["press@10000", "release@20001", "click@20001"]),
  ("0:S0 50000:S1 59999:S0 90000:S1", .paused, ["press@10000", "release@100000", "click@100000"]),
  (
    "0:S0 50000:S1 60000:S0 90000:S1", .paused,
    [
      "press@10000", "release@60000", "click@60000", "press@70000", "release@100000",
      "click@100000",
    ]
  ),
  // The double's window, from the first release to the second press.
  (
    "0:S0 100000:S1 449999:S0 500000:S1", .idle,
    ["press@10000", "release@110000", "press@459999", "release@510000", "double@510000"]
  ),
  (
    "0:S0 100000:S1 450000:S0 500000:S1", .idle,
    [
      "press@10000", "release@110000", "click@450000", "press@460000", "release@510000",
      "click@850000",
    ]
  ),
  (
    "0:S0 100000:S1 450001:S0 500000:S1", .idle,
    [
      "press@10000", "release@110000", "click@450000", "press@460001", "release@510000",
      "click@850000",
    ]
  ),
  // The long press.
  ("0:S0 599999:S1", .paused, ["press@10000", "release@609999", "click@609999"]),
  ("0:S0 600000:S1", .paused, ["press@10000", "long@600000", "release@610000"]),
  ("0:S0 600001:S1", .paused, ["press@10000", "long@600000", "release@610001"]),
  // The first repeat, and the second.
  ("0:L0 599999:L1", .idle, ["left.press@10000", "left.release@609999", "left.click@609999"]),
  ("0:L0 600000:L1", .idle, ["left.press@10000", "left.repeat@600000", "left.release@610000"]),
  ("0:L0 600001:L1", .idle, ["left.press@10000", "left.repeat@600000", "left.release@610001"]),
  ("0:L0 749999:L1", .idle, ["left.press@10000", "left.repeat@600000", "left.release@759999"]),
  (
    "0:L0 750000:L1", .idle,
    ["left.press@10000", "left.repeat@600000", "left.repeat@750000", "left.release@760000"]
  ),
  (
    "0:L0 750001:L1", .idle,
    ["left.press@10000", "left.repeat@600000", "left.repeat@750000", "left.release@760001"]
  ),
]

@Test(arguments: spanEdges.indices)
func gesture_aroundEachSpan_changesExactlyThere(row: Int) {
  let (wave, phase, expected) = spanEdges[row]
  #expect(notes(of: wave, phase: phase) == expected, "\(wave)")
}

private let settledBounces: [(wave: String, phase: Phase, expected: [String])] = [
  // A tap shorter than the debounce span leaves the next press whole.
  (
    "0:S0 3000:S1 5000000:S0 5150000:S1", .paused,
    ["press@5010000", "release@5160000", "click@5160000"]
  ),
  // A glitch while held.
  (
    "0:S0 500000:S1 503000:S0 1000000:S1", .paused,
    ["press@10000", "long@600000", "release@1010000"]
  ),
  // Bounce of a release, and of a press: the stamps are those of the last edge of each.
  (
    "0:S0 200000:S1 200400:S0 200700:S1", .paused,
    ["press@10000", "release@210700", "click@210700"]
  ),
  (
    "0:S0 800:S1 1600:S0 2400:S1 3000:S0 150000:S1", .idle,
    ["press@13000", "release@160000", "click@500000"]
  ),
  // Equal levels say nothing new, and do not put off what is settling.
  ("0:S0 5000:S0 100000:S1 105000:S1", .paused, ["press@10000", "release@110000", "click@110000"]),
  // Noise while a deadline passes: what it held up is decided when it proves to be noise.
  ("0:S0 100000:S1 445000:S0 452000:S1", .idle, ["press@10000", "release@110000", "click@452000"]),
  (
    "0:S0 595000:S1 602000:S0 1000000:S1", .paused,
    ["press@10000", "long@602000", "release@1010000"]
  ),
  (
    "0:L0 595000:L1 602000:L0 800000:L1", .idle,
    ["left.press@10000", "left.repeat@602000", "left.repeat@750000", "left.release@810000"]
  ),
  // A third press begins anew.
  (
    "0:S0 50000:S1 100000:S0 150000:S1 200000:S0 250000:S1", .idle,
    [
      "press@10000", "release@60000", "press@110000", "release@160000", "double@160000",
      "press@210000", "release@260000", "click@600000",
    ]
  ),
  // A second press that becomes long is no double: the first was a click.
  (
    "0:S0 100000:S1 200000:S0 900000:S1", .idle,
    [
      "press@10000", "release@110000", "press@210000", "click@800000", "long@800000",
      "release@910000",
    ]
  ),
  // Two buttons at once are two gestures; equal deadlines fire in the order of the buttons.
  (
    "0:P0 0:S0 100000:S1 100000:P1", .paused,
    [
      "press@10000", "play.press@10000", "release@110000", "click@110000", "play.release@110000",
      "play.click@110000",
    ]
  ),
]

@Test(arguments: settledBounces.indices)
func gesture_ofAWave_isExact(row: Int) {
  let (wave, phase, expected) = settledBounces[row]
  #expect(notes(of: wave, phase: phase) == expected, "\(wave)")
}

@Test func start_activeLine_isSilentUntilInactiveForTheDebounceSpan() {
  var levels = LineLevels.rest
  levels[.s] = .low
  #expect(notes(of: "30000:S1", levels: levels) == [])
  #expect(notes(of: "30000:S1 39999:S0 2000000:S1", levels: levels) == [])
  #expect(
    notes(of: "30000:S1 40000:S0 90000:S1", levels: levels)
      == ["press@50000", "release@100000", "click@100000"])
  #expect(
    notes(of: "5000000:S1 6000000:S0 6100000:S1", levels: levels)
      == ["press@6010000", "release@6110000", "click@6110000"])
}

@Test func start_inactiveLine_countsTheFirstPress() {
  #expect(notes(of: "0:S0 150000:S1") == ["press@10000", "release@160000", "click@160000"])
}

@Test func settings_otherSpans_areUsed() {
  var settings = ControlSettings()
  settings.debounceSpan = .milliseconds(3)
  settings.doubleSpan = .milliseconds(200)
  settings.longSpan = .milliseconds(400)
  settings.repeatAfterSpan = .milliseconds(300)
  settings.repeatEverySpan = .milliseconds(50)
  #expect(notes(of: "0:S0 2000:S1", settings) == [])
  #expect(
    notes(of: "0:S0 5000:S1", settings, phase: .idle)
      == ["press@3000", "release@8000", "click@205000"])
  #expect(
    notes(of: "0:S0 500000:S1", settings) == ["press@3000", "long@400000", "release@503000"])
  #expect(
    notes(of: "0:U0 400000:U1", settings)
      == ["up.press@3000", "up.repeat@300000", "up.repeat@350000", "up.repeat@400000"]
      + ["up.release@403000"])
}

@Test func settings_noDebounce_decidesAtTheEdge() {
  var settings = ControlSettings()
  settings.debounceSpan = .zero
  #expect(notes(of: "0:S0 5000:S1", settings) == ["press@0", "release@5000", "click@5000"])
}
