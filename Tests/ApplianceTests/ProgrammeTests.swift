import Bells
import Controls
import Testing
import Ticks
import TimerMachine

@testable import Appliance

/// `zazen`: a walk of ten minutes and a sit of twenty, with bells of its own.
func zazen(preparation: Span = .seconds(5)) -> Programme {
  var bells = BellRecipe.standards
  bells[Int(BellRole.start.rawValue)].strikes = 3
  bells[Int(BellRole.end.rawValue)].strikes = 1
  return Programme(
    name: "zazen", length: .fixed,
    plan: SitPlan(
      preparation: preparation, length: .minutes(30),
      segments: [
        Segment(kind: "walk", length: .minutes(10)), Segment(kind: "sit", length: .minutes(20)),
      ]),
    bells: bells,
    segmentBells: [SegmentBells(kind: "walk", end: BellRecipe(sound: 1, strikes: 2))])
}

func programme(_ name: String, _ length: Programme.Length = .open) -> Programme {
  let span: Span? = length == .fixed ? .minutes(10) : nil
  return Programme(
    name: name, length: length, plan: SitPlan(preparation: .zero, length: span),
    bells: BellRecipe.standards)
}

/// The first of them is `simple`.
private func programmes(_ more: Programme...) -> [Programme] { [.simple] + more }

private func bench(_ more: Programme..., chosen: String = "simple") -> Bench {
  Bench {
    $0.programmes = [.simple] + more
    $0.programme = chosen
  }
}

// MARK: - Choosing

@Test func double_inIdle_choosesTheNextProgrammeAndTellsItsPlaceByTaps() {
  var bench = bench(zazen(), programme("open"))
  for (second, name, taps) in [
    (Int64(1), "zazen", 2), (11, "open", 3), (21, "simple", 1), (31, "zazen", 2),
  ] {
    bench.cues = []
    bench.make(.double, at: at(second))
    bench.advance(to: at(second + 5))
    #expect(bench.effects.last == "programme \(name)")
    #expect(bench.appliance.programme.name == name)
    #expect(bench.appliance.choices.programme == name)
    #expect(bench.cues.count == taps)
    #expect(bench.cueSounds.split(separator: " ").allSatisfy { $0 == "tap" })
    #expect(bench.isEachCueWithinATwelfthOfASecond)
  }
}

@Test(arguments: [
  (1, "tap"), (5, "tap tap tap tap tap"), (6, "tap tap-low"), (7, "tap tap tap-low"),
  (10, "tap tap tap tap tap tap-low"), (11, "tap tap-low tap-low"), (12, "tap tap tap-low tap-low"),
])
func place_inTheList_isToldByTapsAndFromTheSixthOnByALowOneForFive(place: Int, sounds: String) {
  var bench = Bench {
    $0.programmes = [.simple] + (2...12).map { programme("p\($0)") }
    $0.programme = place == 1 ? "p12" : place == 2 ? "simple" : "p\(place - 1)"
  }
  bench.make(.double, at: at(1))
  bench.advance(to: at(5))
  #expect(bench.cueSounds == sounds)
}

@Test func doubles_inQuickSuccession_areToldByTheLastOnesPlace() {
  var bench = bench(zazen(), programme("open"))
  bench.make(.double, at: at(1))
  // The third tap of the last place comes after all that is left of the one before.
  bench.make(.double, at: at(ms: 1_320))
  bench.advance(to: at(5))
  #expect(bench.effects == ["programme zazen", "programme open"])
  #expect(bench.cues.suffix(3).map(\.strike.index) == [1, 2, 3])
  let dues = bench.cues.suffix(3).map(\.at.milliseconds)
  #expect(dues[dues.startIndex + 1] - dues[dues.startIndex] == 150)
}

@Test func turn_whileAProgrammeOfItsOwnLengthIsChosen_goesBackToSimpleAndCounts() {
  var bench = bench(zazen(), programme("open"), chosen: "open")
  bench.turn(2, at: at(1), every: .milliseconds(500))
  bench.advance(to: at(5))
  #expect(bench.effects == ["programme simple", "set 21m", "set 22m"])
  #expect(bench.cueText == "programme")
  #expect(bench.appliance.programme.name == "simple")
}

@Test func turn_atTheEndOfTheRange_stillGoesBackToSimple() {
  var bench = Bench {
    $0.programmes = [.simple, zazen()]
    $0.programme = "zazen"
    $0.length = .hours(24)
  }
  bench.turn(1, at: at(1))
  bench.advance(to: at(5))
  #expect(bench.effects == ["programme simple"])
  #expect(bench.cueText == "programme")
}

@Test func choose_byName_isForTheSitsToCome() {
  var bench = bench(zazen())
  bench.start(at: at(1))
  bench.handle(.command(.choose(programme: "zazen")), at: at(2))
  #expect(bench.appliance.programme.name == "simple")
  #expect(bench.appliance.chosen.name == "zazen")
  bench.advance(to: at(3_000))
  #expect(bench.appliance.programme.name == "zazen")
  #expect(bench.effects.contains("programme zazen"))
}

@Test func choose_unknownName_isRefusedAndTheChosenOneStays() {
  var bench = bench(zazen(), chosen: "zazen")
  bench.handle(.command(.choose(programme: "Zazen")), at: at(1))
  bench.handle(.command(.start(.programme("seon"))), at: at(2))
  #expect(
    bench.effects == [
      "refused programme: there is no programme Zazen", "refused start: there is no programme seon",
    ])
  #expect(bench.appliance.chosen.name == "zazen")
  #expect(bench.appliance.phase == .idle)
}

@Test func chosenProgramme_thatIsNotThere_isTheFirstUntilItComes() {
  var bench = bench(chosen: "evening")
  #expect(bench.appliance.chosen.name == "simple")
  #expect(bench.appliance.choices.programme == "evening")
  bench.handle(.programmes([.simple, zazen(), programme("evening")]), at: at(1))
  #expect(bench.appliance.chosen.name == "evening")
  bench.handle(.programmes([zazen(), .simple]), at: at(2))
  #expect(bench.appliance.chosen.name == "zazen")
  #expect(bench.appliance.choices.programme == "evening")
}

// MARK: - What begins

@Test func click_withAChosenProgramme_beginsItAndTheNextPressesBeginItAgain() {
  var bench = bench(zazen(), chosen: "zazen")
  bench.press(.crown, at: at(1))
  bench.advance(to: at(2))
  #expect(bench.appliance.timer.plan?.length == .minutes(30))
  #expect(bench.appliance.timer.plan?.segments.count == 2)
  #expect(bench.appliance.lastLength == .programme("zazen"))
  bench.command(.discard, at: at(3))
  bench.press(.play, at: at(4))
  bench.advance(to: at(5))
  #expect(bench.appliance.timer.plan?.length == .minutes(30))
}

@Test func start_ofALength_isOfSimpleWhateverIsChosen() {
  var bench = bench(zazen(), chosen: "zazen")
  bench.start(.fixed(.minutes(7)), at: at(1))
  #expect(bench.appliance.programme.name == "simple")
  #expect(bench.appliance.timer.plan?.length == .minutes(7))
  bench.command(.discard, at: at(2))
  bench.start(.open, at: at(3))
  #expect(bench.appliance.programme.name == "simple")
  #expect(bench.appliance.timer.plan?.length == nil)
  bench.command(.discard, at: at(4))
  #expect(bench.appliance.programme.name == "zazen")
}

@Test func start_whileASitIsOn_changesNeitherItsProgrammeNorItsBells() {
  var bench = bench(zazen(preparation: .zero))
  bench.start(.fixed(.minutes(1)), at: at(0))
  bench.start(.programme("zazen"), at: at(5))
  bench.advance(to: at(200))
  #expect(bench.effects.contains("refused start: a sit is already running"))
  #expect(bench.rungText == ["start1@10000", "end1@70000", "end2@76000", "end3@82000"])
  #expect(bench.appliance.lastLength == .fixed(.minutes(1)))
}

@Test func choicesOfTheDevice_applyToSimpleAlone() {
  let set: (inout ApplianceSettings) -> Void = {
    $0.programmes = [.simple, zazen()]
    $0.choose(.interval, "5m")
    $0.choose(.preparation, "30s")
    $0.choose(.bell, "none")
  }
  var simple = Bench(set)
  simple.start(at: at(0))
  #expect(simple.appliance.timer.plan?.preparation == .seconds(30))
  #expect(simple.appliance.timer.plan?.intervals.every == .minutes(5))
  #expect(simple.plan.isEmpty)
  var other = Bench(set)
  other.start(.programme("zazen"), at: at(0))
  #expect(other.appliance.timer.plan?.preparation == .seconds(5))
  #expect(other.appliance.timer.plan?.intervals.every == nil)
  #expect(!other.plan.isEmpty)
}

@Test func definitions_changedInASit_leaveItsPlanAndItsBells() {
  var bench = bench(programme("open"), zazen(preparation: .zero))
  bench.start(.programme("zazen"), at: at(0))
  var other = zazen()
  other.bells[Int(BellRole.end.rawValue)].strikes = 5
  other.segmentBells = []
  bench.handle(.programmes([.simple, other]), at: at(1))
  bench.advance(to: at(2_000))
  #expect(bench.rung.filter { $0.strike.role == .end }.count == 1)
  #expect(bench.closed.first?.planned == .minutes(30))
}

@Test func definitionOfSimple_changed_isFollowedWhereNothingIsChosen() {
  var bench = Bench { $0.choose(.interval, "5m") }
  var simple = Programme.simple
  simple.plan.preparation = .seconds(20)
  simple.plan.intervals.every = .minutes(2)
  bench.handle(.programmes([simple]), at: at(1))
  bench.start(at: at(2))
  #expect(bench.appliance.timer.plan?.preparation == .seconds(20))
  #expect(bench.appliance.timer.plan?.intervals.every == .minutes(5))
}

@Test func eachSit_isSeededAnewAndTheSameOnEveryRun() {
  func seeds(_ seed: UInt64) -> [UInt64] {
    var bench = Bench { $0.seed = seed }
    return (Int64(1)...3).map { second in
      bench.start(at: at(2 * second))
      let drawn = bench.appliance.timer.plan?.seed ?? 0
      bench.command(.discard, at: at(2 * second + 1))
      return drawn
    }
  }
  #expect(Set(seeds(7)).count == 3)
  #expect(seeds(7) == seeds(7))
  #expect(seeds(7) != seeds(8))
}

// MARK: - Until a time of day

@Test func untilProgramme_withoutATime_isRefused() {
  var bench = bench(programme("dawn", .until(.hours(7))), chosen: "dawn")
  bench.press(.crown, at: at(1))
  bench.advance(to: at(3))
  #expect(bench.effects == ["refused start: the time of day is not known"])
  #expect(bench.cueText == "no no")
  #expect(bench.isEachCueWithinATwelfthOfASecond)
  bench.handle(.untilEnds([UntilEnd(programme: "dawn", end: at(1_000))]), at: at(4))
  bench.press(.crown, at: at(10))
  bench.advance(to: at(11))
  #expect(bench.appliance.timer.plan?.end == at(1_000))
  bench.advance(to: at(1_001))
  #expect(bench.rung.last?.at == at(1_000))
  #expect(bench.closed.first?.ended == at(1_000))
}

@Test func untilCommand_endsAtItsInstantAndIsNoSitToRepeat() {
  var bench = Bench()
  bench.start(.fixed(.minutes(3)), at: at(1))
  bench.command(.discard, at: at(2))
  bench.start(.until(at(500)), at: at(3))
  #expect(bench.appliance.timer.plannedEnd == at(500))
  #expect(bench.appliance.programme.name == "simple")
  #expect(bench.appliance.lastLength == .fixed(.minutes(3)))
}

// MARK: - The bells between segments

@Test func border_betweenSegments_ringsTheRecipeOfItsKinds() {
  var bench = bench(zazen(preparation: .zero))
  bench.start(.programme("zazen"), at: at(0))
  bench.advance(to: at(2_000))
  #expect(
    bench.rungText == [
      "start1@0", "start2@6000", "start3@12000", "segment1@600000", "segment2@606000",
      "end1@1800000",
    ])
  #expect(bench.rung[3].strike.strike.sound == 1)
}
