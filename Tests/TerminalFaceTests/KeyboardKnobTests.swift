import Testing
import Ticks

@testable import TerminalFace

private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

/// Runs a knob through keys at milliseconds, waking it only when it asks, and writes its edges as
/// `s0@520`.
private func edges(_ keys: [(Int64, Key)], until end: Int64 = 20_000) -> [String] {
  var knob = KeyboardKnob()
  var found: [KnobEdge] = []
  for (time, key) in keys + [(end, .quit)] {
    while let due = knob.nextDeadline, due < at(time) {
      let some = knob.advance(to: due)
      #expect(some.allSatisfy { $0.at == due })
      found += some
    }
    knob.handle(key, at: at(time))
    found += knob.advance(to: at(time))
  }
  #expect(knob.nextDeadline == nil)
  return found.map { "\($0.line)\($0.level)@\($0.at.nanoseconds / 1_000_000)" }
}

@Suite struct KeyboardKnobTests {
  @Test func turn_isOneCleanDetent() {
    #expect(edges([(100, .turn(1))]) == ["a0@100", "b0@102", "a1@104", "b1@106"])
    #expect(edges([(100, .turn(-1))]) == ["b0@100", "a0@102", "b1@104", "a1@106"])
  }

  @Test func turns_atOnce_stayCleanInOrderAndSlow() {
    #expect(
      edges([(0, .turn(1)), (0, .turn(-1)), (1, .turn(1))]) == [
        "a0@0", "b0@2", "a1@4", "b1@6", "b0@32", "a0@34", "b1@36", "a1@38",
        "a0@64", "b0@66", "a1@68", "b1@70",
      ])
  }

  @Test func turns_beyondTheBound_areDropped() {
    let flood = (0..<100).map { _ in (Int64(0), Key.turn(1)) }
    #expect(edges(flood).count == 128)
    // Whole detents: each line ends where it began.
    #expect(edges(flood).last == "b1@998")
  }

  @Test func tap_holdsTheSwitchForItsSpan() {
    #expect(edges([(10, .press)]) == ["s0@10", "s1@530"])
    var knob = KeyboardKnob()
    #expect(!knob.isHeld)
    knob.handle(.press, at: at(10))
    #expect(knob.isHeld)
    #expect(knob.nextDeadline == at(10))
    #expect(knob.advance(to: at(10)).count == 1)
    #expect(knob.nextDeadline == at(530))
    #expect(knob.advance(to: at(529)) == [])
    #expect(knob.isHeld)
    #expect(knob.advance(to: at(530)) == [KnobEdge(line: .s, level: 1, at: at(530))])
    #expect(!knob.isHeld)
  }

  @Test func tap_readLate_isReleasedAtItsOwnInstant() {
    var knob = KeyboardKnob()
    knob.handle(.press, at: at(0))
    #expect(knob.advance(to: at(5_000)).map(\.at) == [at(0), at(520)])
  }

  @Test(arguments: [(250, 30), (400, 90), (500, 33)] as [(Int64, Int64)])
  func key_repeating_isALongPress(delay: Int64, gap: Int64) {
    let bytes = [0] + (0..<20).map { delay + $0 * gap }
    let last = delay + 19 * gap
    #expect(edges(bytes.map { ($0, .press) }) == ["s0@0", "s1@\(last + 150)"])
  }

  @Test func key_repeatingWithinAndBeyondItsGap_isHeldOrReleased() {
    #expect(edges([(0, .press), (300, .press), (419, .press)]) == ["s0@0", "s1@569"])
    // Nothing came within 120 ms: the second byte was a second tap.
    #expect(edges([(0, .press), (300, .press)]) == ["s0@0", "s1@420", "s0@450", "s1@550"])
  }

  @Test func taps_twiceInQuickSuccession_areTwoPresses() {
    #expect(edges([(0, .press), (150, .press)]) == ["s0@0", "s1@150", "s0@180", "s1@700"])
    #expect(edges([(0, .press), (29, .press)]) == ["s0@0", "s1@520"])
    #expect(edges([(0, .press), (199, .press)]) == ["s0@0", "s1@199", "s0@229", "s1@749"])
  }

  @Test func taps_slowlyTwice_areNoLongPress() {
    let found = edges([(0, .press), (515, .press)])
    #expect(found == ["s0@0", "s1@590", "s0@620", "s1@720"])
  }

  @Test func releases_told_areTrue() {
    #expect(edges([(0, .pressDown), (1_500, .pressUp)]) == ["s0@0", "s1@1500"])
    #expect(edges([(0, .pressDown), (0, .pressUp)]) == ["s0@0", "s1@30"])
    #expect(edges([(0, .pressUp)]) == [])
    #expect(edges([(0, .pressDown), (5, .pressDown), (90, .pressUp)]) == ["s0@0", "s1@90"])
  }

  @Test func turn_whileReallyHeld_turnsThePressedKnob() {
    let found = edges([(0, .pressDown), (200, .turn(1)), (400, .pressUp)])
    #expect(found == ["s0@0", "a0@200", "b0@202", "a1@204", "b1@206", "s1@400"])
  }

  @Test func turn_nearTheSwitch_waitsUntilItIsNoJog() {
    let pressed = edges([(0, .pressDown), (10, .turn(1)), (400, .pressUp)])
    #expect(pressed == ["s0@0", "a0@82", "b0@84", "a1@86", "b1@88", "s1@400"])
    let released = edges([(0, .pressDown), (100, .pressUp), (100, .turn(-1))])
    #expect(released == ["s0@0", "s1@100", "b0@182", "a0@184", "b1@186", "a1@188"])
  }

  @Test func turn_afterATap_endsTheTapFirst() {
    let found = edges([(0, .press), (200, .turn(1))])
    #expect(found == ["s0@0", "s1@200", "a0@282", "b0@284", "a1@286", "b1@288"])
  }

  @Test func press_afterTurns_waitsForThem() {
    let found = edges([(0, .turn(1)), (0, .turn(1)), (0, .pressDown), (60, .pressUp)])
    #expect(Array(found.suffix(2)) == ["s0@40", "s1@70"])
  }
}
