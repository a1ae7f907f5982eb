import Controls
import Testing
import Ticks
import TimerMachine

@testable import Appliance

// MARK: - Length

@Test func turn_inIdle_changesTheLengthByTheStep() {
  var bench = Bench { $0.stepSpan = .seconds(30) }
  bench.turn(3, at: at(1))
  bench.turn(-1, at: at(2))
  #expect(bench.effects == ["set 20m30s", "set 21m", "set 21m30s", "set 21m"])
}

@Test func turn_underThirtyMillisecondsApart_isFast() {
  for (spacing, set) in [
    (.milliseconds(30) - nanosecond, Span.minutes(26)), (.milliseconds(30), .minutes(22)),
    (.milliseconds(30) + nanosecond, .minutes(22)),
  ] as [(Span, Span)] {
    var bench = Bench()
    bench.turn(2, at: at(1), every: spacing)
    #expect(bench.appliance.setSpan == set)
  }
}

@Test func turn_reversal_countsOneDetent() {
  var bench = Bench()
  bench.turn(3, at: at(1), every: .milliseconds(20))
  #expect(bench.appliance.setSpan == .minutes(31))
  bench.turn(-1, at: at(ms: 1_060))
  #expect(bench.appliance.setSpan == .minutes(30))
}

@Test func turn_pastTheShortestLength_staysAndOneStepBackLeavesTheEndAtOnce() {
  var bench = Bench { $0.length = .minutes(3) }
  bench.turn(-10, at: at(1))
  #expect(bench.effects == ["set 2m", "set 1m"])
  bench.turn(1, at: at(5))
  #expect(bench.effects.last == "set 2m")
}

@Test func turn_pastTheLongestLength_staysAndOneStepBackLeavesTheEndAtOnce() {
  var bench = Bench { $0.length = .hours(24) - .minutes(7) }
  bench.turn(5, at: at(1), every: .milliseconds(20))
  #expect(bench.effects == ["set 23h54m", "set 23h59m", "set 1d"])
  bench.turn(-1, at: at(5))
  #expect(bench.effects.last == "set 23h59m")
}

@Test func turn_readLateFromIdle_setsTheNextLengthAndLeavesTheSitAlone() {
  var bench = Bench()
  bench.edge(.a, .low, at: at(ms: 900))
  bench.edge(.b, .low, at: at(ms: 910))
  bench.edge(.a, .high, at: at(ms: 920))
  bench.start(at: at(1))
  // The last edge is stamped before the start and read after it.
  bench.handle(.edge(Edge(line: .b, level: .high, at: at(ms: 930))), at: at(2))
  #expect(bench.inputs.last?.phaseAtPress == .idle)
  #expect(bench.effects == ["idle>preparing", "set 21m"])
  #expect(bench.appliance.timer.plan?.length == .minutes(20))
}

// MARK: - Volume

@Test(arguments: [
  (60, -1, 55), (12, -1, 10), (10, -1, 10), (15, -1, 10), (100, 1, 100), (97, 1, 100), (95, 1, 100),
  (3, -1, 3), (3, 1, 8), (0, -1, 0), (0, 1, 5),
])
func volume_byKnob_goesInStepsWithinItsFloor(before: Int, step: Int, after: Int) {
  var bench = Bench { $0.volume = before }
  let instant = bench.reach(.running)
  bench.turn(step, at: instant + .milliseconds(10))
  #expect(bench.appliance.volume == after)
  #expect(bench.effects == (before == after ? [] : ["volume \(after)"]))
}

@Test func volume_fastTurn_takesTheSameSteps() {
  var bench = Bench()
  let instant = bench.reach(.running)
  bench.turn(3, at: instant + .milliseconds(10), every: .milliseconds(20))
  #expect(bench.appliance.volume == 75)
}

@Test func volume_byCommand_mayGoBelowTheFloorAndIsToldOnce() {
  var bench = Bench()
  bench.handle(.command(.setVolume(0)), at: at(1))
  bench.handle(.command(.setVolume(0)), at: at(2))
  bench.handle(.command(.setVolume(100)), at: at(3))
  #expect(bench.effects == ["volume 0", "volume 100"])
}

@Test func pressAndTurn_inIdle_isNeitherClickNorLong() {
  var bench = Bench()
  bench.make(.pressAndTurn, at: at(1))
  bench.advance(to: at(5))
  #expect(bench.effects == ["volume 65"])
  #expect(bench.appliance.phase == .idle)
  #expect(!bench.appliance.isBlackedOut)
}

// MARK: - Waking a dark face

@Test func darkFace_turn_wakesAndIsSwallowedUntilTheKnobHasRested() {
  for (rest, set) in [
    (.milliseconds(200) - nanosecond, Span.minutes(20)), (.milliseconds(200), .minutes(21)),
    (.milliseconds(200) + nanosecond, .minutes(21)),
  ] as [(Span, Span)] {
    var bench = Bench()
    bench.make(.long, at: at(1))
    #expect(bench.appliance.isBlackedOut)
    bench.turn(6, at: at(3), every: .milliseconds(150))
    #expect(!bench.appliance.isBlackedOut)
    #expect(bench.appliance.setSpan == .minutes(20))
    bench.turn(1, at: at(ms: 3_750) + rest)
    #expect(bench.appliance.setSpan == set)
    #expect(bench.inputs.filter { "\($0.kind.name)" == "detent" }.count == 7)
  }
}

@Test func darkFace_longPress_wakesAndDoesNothingElse() {
  var bench = Bench()
  let instant = bench.reach(.running)
  bench.make(.double, at: instant)
  #expect(bench.appliance.isBlackedOut)
  bench.make(.long, at: instant + .seconds(2))
  bench.advance(to: instant + .seconds(4))
  #expect(!bench.appliance.isBlackedOut)
  #expect(bench.appliance.phase == .running)
  bench.make(.long, at: instant + .seconds(5))
  #expect(bench.appliance.phase == .ended)
}

@Test func darkFace_click_actsAndLeavesItDark() {
  var bench = Bench()
  bench.make(.long, at: at(1))
  bench.make(.click, at: at(3))
  bench.advance(to: at(4))
  #expect(bench.appliance.phase == .preparing)
  #expect(bench.appliance.isBlackedOut)
}

@Test func darkFace_remoteKey_wakesAndDoesNothingElse() {
  for button in Button.allCases where button != .crown {
    var bench = Bench()
    let instant = bench.reach(.running)
    bench.make(.double, at: instant)
    bench.told = []
    bench.press(button, at: instant + .seconds(2))
    bench.advance(to: instant + .seconds(4))
    #expect(!bench.appliance.isBlackedOut)
    #expect(bench.effects == [], "\(button.name)")
  }
}

@Test func darkFace_heldRemoteKey_isSwallowedWithAllItsRepeats() {
  var bench = Bench()
  let instant = bench.reach(.running)
  bench.make(.double, at: instant)
  bench.press(.up, at: instant + .seconds(2), for: .seconds(2))
  bench.advance(to: instant + .seconds(5))
  #expect(bench.effects == [])
  #expect(!bench.appliance.isBlackedOut)
  bench.press(.up, at: instant + .seconds(6), for: .milliseconds(800))
  #expect(bench.effects == ["volume 65", "volume 70"])
}
