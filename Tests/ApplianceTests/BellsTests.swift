import Controls
import Testing
import Ticks
import TimerMachine

@testable import Appliance

/// A sit of 60 s without preparation, begun at 0, with intervals where they are asked for.
private func minute(
  every: Span? = nil, overtime: Bool = false, _ set: (inout ApplianceSettings) -> Void = { _ in }
) -> Bench {
  var bench = Bench { settings in
    settings.plan.preparation = .zero
    settings.plan.intervals.every = every
    settings.plan.overtime = overtime
    set(&settings)
  }
  bench.start(.fixed(.minutes(1)), at: at(0))
  return bench
}

extension ApplianceSettings {
  fileprivate mutating func strike(_ role: BellRole, _ strikes: Int, gap: Span = .seconds(6)) {
    bells[Int(role.rawValue)] = BellRecipe(sound: 0, strikes: strikes, gap: gap)
  }
}

@Test func plan_ofAWholeSit_isPublishedAhead() {
  var bench = Bench { $0.plan.intervals.every = .minutes(5) }
  bench.start(at: at(0))
  #expect(
    bench.planText == [
      "start1@10000", "interval1@310000", "interval1@610000", "end1@1210000", "end2@1216000",
      "end3@1222000",
    ])
}

@Test func endBell_acceptedBetweenStrikes_ringsNoMore() {
  var bench = minute()
  bench.advance(to: at(63))
  bench.press(.crown, at: at(64))
  bench.advance(to: at(200))
  #expect(bench.rungText == ["start1@0", "end1@60000"])
  #expect(bench.effects.last == "ended>idle")
}

@Test func endBell_leftAlone_ringsItsStrikesAndNoMore() {
  var bench = minute()
  bench.advance(to: at(1_000))
  #expect(bench.rungText == ["start1@0", "end1@60000", "end2@66000", "end3@72000"])
  #expect(bench.plan.isEmpty)
  #expect(!bench.works.contains("damp"))
}

@Test func endBell_ofManyStrikes_goesOnPastTheMinuteThatTheSitIsShown() {
  var bench = minute { $0.strike(.end, 40) }
  bench.advance(to: at(1_000))
  #expect(bench.rung.count == 41)
  #expect(bench.rungText.last == "end40@294000")
}

@Test func endBell_strikingWhenTheNextSitStarts_stopsForIt() {
  var bench = minute()
  bench.start(.fixed(.minutes(1)), at: at(65))
  bench.advance(to: at(100))
  #expect(bench.rungText == ["start1@0", "end1@60000", "start1@65000"])
}

@Test func endBell_ofManyStrikes_stopsWhenASitStartsFromIdle() {
  var bench = minute { $0.strike(.end, 40) }
  bench.advance(to: at(125))
  #expect(bench.appliance.phase == .idle)
  bench.start(.fixed(.minutes(1)), at: at(127))
  bench.advance(to: at(150))
  #expect(bench.rungText.suffix(3) == ["end11@120000", "end12@126000", "start1@127000"])
}

@Test func endBell_withOvertime_ringsWholeAndIsNotRepeatedAtTheFinish() {
  var bench = minute(overtime: true)
  bench.advance(to: at(73))
  bench.press(.crown, at: at(74))
  #expect(bench.appliance.phase == .overtime)
  bench.advance(to: at(100))
  #expect(bench.appliance.phase == .ended)
  #expect(bench.rungText == ["start1@0", "end1@60000", "end2@66000", "end3@72000"])
}

@Test func interval_whileTheStartBellStillStrikes_endsItForGood() {
  var bench = minute(every: .seconds(10)) { $0.strike(.start, 5) }
  bench.advance(to: at(59))
  #expect(
    bench.rungText == [
      "start1@0", "start2@6000", "interval1@10000", "interval1@20000", "interval1@30000",
      "interval1@40000", "interval1@50000",
    ])
}

@Test func endBell_whileAnIntervalStillStrikes_endsIt() {
  var bench = minute(every: .seconds(55)) { $0.strike(.interval, 10, gap: .seconds(2)) }
  bench.advance(to: at(200))
  #expect(
    bench.rungText == [
      "start1@0", "interval1@55000", "interval2@57000", "interval3@59000", "end1@60000",
      "end2@66000", "end3@72000",
    ])
}

@Test func intervals_everySecondWithThreeStrikes_ringEachOnce() {
  for rings in [true, false] {
    var bench = Bench(rings: rings) {
      $0.plan.preparation = .zero
      $0.plan.intervals.every = .seconds(1)
      $0.strike(.interval, 3)
    }
    bench.start(.fixed(.minutes(1)), at: at(0))
    bench.advance(to: at(30))
    // A speaker that comes back finds the bells of the last seconds and those to come.
    bench.rings = true
    bench.advance(to: at(ms: 60_000))
    let onTime = bench.rungText.filter { $0.hasPrefix("interval") }.suffix(29)
    #expect(onTime == (31...59).map { "interval1@\($0 * 1_000)" }[...])
    #expect(bench.rungText.last == "end1@60000")
  }
}

@Test func pause_amidStrikes_dropsTheRestAndPostponesWhatIsToCome() {
  var bench = minute(every: .seconds(20)) { $0.strike(.interval, 3, gap: .seconds(3)) }
  bench.command(.pause, at: at(22))
  #expect(bench.plan.isEmpty)
  bench.command(.resume, at: at(32))
  bench.advance(to: at(200))
  #expect(
    bench.rungText == [
      "start1@0", "interval1@20000", "interval1@50000", "interval2@53000", "interval3@56000",
      "end1@70000", "end2@76000", "end3@82000",
    ])
}

@Test func pause_ofTenMinutes_ringsOneSoftCue() {
  var bench = minute()
  bench.command(.pause, at: at(30))
  bench.advance(to: at(3_629))
  #expect(bench.rungText == ["start1@0", "cue1@630000"])
  #expect(bench.rung.last?.strike.strike.gain == 0.1)
  bench.advance(to: at(3_630))
  #expect(bench.appliance.phase == .ended)
  #expect(bench.rung.count == 2)
}

@Test func pause_twiceForTenMinutes_ringsACueEachTime() {
  var bench = minute()
  bench.command(.pause, at: at(30))
  bench.command(.resume, at: at(631))
  bench.command(.pause, at: at(632))
  bench.advance(to: at(1_300))
  #expect(bench.rungText == ["start1@0", "cue1@630000", "cue1@1232000"])
}

@Test func discard_whileABellStrikes_cancelsItBeforeItDampsAndRingsNothingMore() {
  var bench = minute { $0.strike(.start, 5) }
  bench.advance(to: at(7))
  bench.works = []
  bench.command(.discard, at: at(8))
  #expect(bench.works == ["plan 0", "damp", "sitting false", "running>idle", "discarded"])
  bench.advance(to: at(500))
  #expect(bench.rungText == ["start1@0", "start2@6000"])
}

@Test func discard_whilePreparing_cancelsTheStartBell() {
  var bench = Bench()
  bench.start(at: at(0))
  bench.works = []
  bench.command(.discard, at: at(10) - nanosecond)
  #expect(bench.works == ["plan 0", "damp", "sitting false", "preparing>idle"])
  bench.advance(to: at(500))
  #expect(bench.rung.isEmpty)
}

@Test func stop_byHand_cancelsTheStrikesBeforeTheSitIsKept() {
  var bench = Bench { $0.plan.preparation = .zero }
  bench.start(at: at(0))
  bench.advance(to: at(100))
  bench.works = []
  bench.command(.stop, at: at(100))
  #expect(bench.works == ["plan 0", "damp", "sitting false", "running>ended", "closed"])
  bench.advance(to: at(2_000))
  #expect(bench.rung.count == 1)
}

@Test func stop_inAPause_dropsABellThatDidNotSoundAndDampsWhatRings() {
  var bench = Bench {
    $0.plan.preparation = .zero
    $0.plan.intervals.every = .minutes(5)
  }
  bench.start(at: at(0))
  bench.advance(to: at(299))
  bench.rings = false
  bench.command(.pause, at: at(301))
  bench.works = []
  bench.command(.stop, at: at(302))
  #expect(bench.works == ["plan 0", "damp", "sitting false", "paused>ended", "closed"])
  bench.rings = true
  bench.advance(to: at(2_000))
  #expect(bench.rungText == ["start1@0"])
}

@Test func stop_inOvertime_ringsNoFurtherStrikeAndLeavesTheTailOfTheEndBell() {
  var bench = minute(overtime: true) { $0.strike(.end, 10) }
  bench.advance(to: at(63))
  bench.works = []
  bench.command(.stop, at: at(65))
  #expect(bench.works == ["plan 0", "sitting false", "overtime>ended", "closed"])
  bench.advance(to: at(500))
  #expect(bench.rungText == ["start1@0", "end1@60000"])
}

@Test func bell_silenced_isPlannedNowhere() {
  var bench = minute(every: .seconds(20)) {
    $0.bells[Int(BellRole.interval.rawValue)].sound = nil
  }
  bench.advance(to: at(200))
  #expect(bench.rungText == ["start1@0", "end1@60000", "end2@66000", "end3@72000"])
  #expect(bench.closed.first?.completed == true)
}

@Test func output_comingBackWithinTheLatest_ringsTheEndBellLate() {
  var bench = minute()
  bench.advance(to: at(10))
  bench.rings = false
  bench.advance(to: at(64))
  bench.rings = true
  bench.advance(to: at(65))
  #expect(bench.rungText.last == "end1@64000")
  #expect(bench.told.contains { $0.text == "strike end1 late" })
}

@Test func strikes_moreThanOnePieceOfNewsCanTell_areEachToldMissedOnce() {
  var bench = minute { $0.strike(.end, 108, gap: .milliseconds(500)) }
  bench.advance(to: at(30))
  bench.rings = false
  // Asleep until the minute in which the end is shown is over: all strikes are too late at once.
  bench.fire(at: at(130))
  let missed = bench.told.map(\.text).filter { $0.hasSuffix("missed") }
  #expect(missed == (1...108).map { "strike end\($0) missed" })
  #expect(bench.appliance.phase == .idle && bench.plan.isEmpty)
  #expect(bench.appliance.nextDeadline == nil)
}
