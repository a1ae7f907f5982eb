import Bells
import Testing
import Ticks
import TimerMachine

@testable import Appliance

private func planner(_ role: BellRole, _ recipe: BellRecipe) -> BellPlanner {
  var recipes = BellRole.allCases.map { _ in BellRecipe(sound: 0) }
  recipes[Int(role.rawValue)] = recipe
  return BellPlanner(recipes: recipes, latest: .seconds(5))
}

extension BellPlanner {
  fileprivate mutating func numbers(at now: Instant) -> [UInt32] {
    plan(at: now).map(\.strike.number)
  }
}

private let end = Bell(role: .end, ordinal: 0, due: at(60))

@Test func planner_pausedAndResumed_keepsTheNumbersAndMovesTheInstants() {
  var planner = planner(.end, BellRecipe(sound: 0, strikes: 3))
  planner.announce([Bell(role: .interval, ordinal: 1, due: at(30)), end])
  #expect(planner.numbers(at: at(0)) == [1, 2, 3, 4])
  planner.announce([])
  #expect(planner.numbers(at: at(1)) == [])
  planner.announce([
    Bell(role: .interval, ordinal: 1, due: at(40)), Bell(role: .end, ordinal: 0, due: at(70)),
  ])
  let plan = planner.plan(at: at(2))
  #expect(plan.map(\.strike.number) == [1, 2, 3, 4])
  #expect(plan.map(\.strike.due) == [at(40), at(70), at(76), at(82)])
}

@Test func planner_strikeBegunBeforeAPause_isNeverPlannedAgain() {
  var planner = planner(.end, BellRecipe(sound: 0, strikes: 3))
  planner.announce([end])
  // The output began it a hair early, and the pause came before its instant.
  #expect(planner.report(1)?.index == 1)
  planner.announce([])
  planner.announce([Bell(role: .end, ordinal: 0, due: at(90))])
  #expect(planner.numbers(at: at(70)) == [2, 3])
}

@Test func planner_reportOfAnUnknownNumber_isNothing() {
  var planner = planner(.end, BellRecipe(sound: 0, strikes: 3))
  #expect(planner.report(1) == nil)
  planner.announce([end])
  #expect(planner.report(0) == nil)
  #expect(planner.report(4) == nil)
  #expect(planner.numbers(at: at(0)) == [1, 2, 3])
  planner.cancelAll()
  #expect(planner.report(1) == nil)
}

@Test func planner_afterEverythingIsCancelled_givesNewNumbers() {
  var planner = planner(.end, BellRecipe(sound: 0, strikes: 3))
  planner.announce([end])
  planner.cancelAll()
  planner.announce([end])
  #expect(planner.numbers(at: at(0)) == [4, 5, 6])
}

@Test func planner_manyStrikes_planSixteenAndGoOnAfterReports() {
  var planner = planner(.end, BellRecipe(sound: 0, strikes: 40, gap: .seconds(2)))
  planner.announce([end])
  planner.becomeDue(end)
  #expect(planner.numbers(at: at(60)) == Array(1...16))
  #expect(planner.report(1)?.index == 1)
  #expect(planner.numbers(at: at(60)) == Array(2...17))
  for number in UInt32(2)...39 { #expect(planner.report(number)?.index == Int(number)) }
  #expect(planner.numbers(at: at(136)) == [40])
  #expect(planner.report(40)?.index == 40)
  #expect(planner.numbers(at: at(138)) == [])
}

@Test func planner_noGap_plansAllStrikesAtOneInstantInTheirOrder() {
  var planner = planner(.end, BellRecipe(sound: 0, strikes: 3, gap: .zero))
  planner.announce([end])
  planner.becomeDue(end)
  let plan = planner.plan(at: at(60))
  #expect(plan.map(\.strike.due) == [at(60), at(60), at(60)])
  #expect(plan.map(\.index) == [1, 2, 3])
}

@Test func planner_pattern_givesItsOffsetsAndStrengths() {
  let pattern = StrikePattern([
    .init(offset: .zero, strength: 1), .init(offset: .milliseconds(700), strength: 0.5),
    .init(offset: .seconds(3), strength: 0.25),
  ])
  var planner = planner(.end, BellRecipe(sound: 0, strikes: 9, pattern: pattern, gain: 0.5))
  planner.announce([end])
  let plan = planner.plan(at: at(0))
  #expect(plan.map(\.strike.due) == [at(60), at(ms: 60_700), at(63)])
  #expect(plan.map(\.strike.strength) == [1, 0.5, 0.25])
  #expect(plan.map(\.strike.gain) == [0.5, 0.5, 0.5])
  #expect(plan.map(\.index) == [1, 2, 3])
}

@Test func planner_patternOvertaken_losesWhatFallsAfterTheHigherBell() {
  var planner = planner(.interval, BellRecipe(sound: 0, pattern: .roll))
  let interval = Bell(role: .interval, ordinal: 1, due: at(50))
  planner.announce([interval, end])
  let strikes = planner.plan(at: at(0)).filter { $0.role == .interval }
  let early = StrikePattern.roll.beats.filter { at(50) + $0.offset < at(60) }
  #expect(strikes.map(\.strike.due) == early.prefix(strikes.count).map { at(50) + $0.offset })
  #expect(!strikes.isEmpty && strikes.allSatisfy { $0.strike.due < at(60) })
}

@Test func planner_aHundredAndEightStrikes_areEachPlannedOnceInTheirOrder() {
  var planner = planner(.end, BellRecipe(sound: 0, strikes: 108, gap: .seconds(1)))
  planner.announce([end])
  planner.becomeDue(end)
  for index in 1...108 {
    let instant = at(60 + Int64(index) - 1)
    #expect(planner.plan(at: instant).first?.strike.due == instant)
    #expect(planner.report(UInt32(index))?.index == index)
  }
  #expect(planner.plan(at: at(168)).isEmpty)
}

@Test func planner_strikeThatNobodyReported_isToldOnceWhenItIsTooLate() {
  var planner = planner(.end, BellRecipe(sound: 0, strikes: 2))
  planner.announce([end])
  planner.becomeDue(end)
  _ = planner.plan(at: at(66))
  #expect(planner.nextDropped() == nil)
  _ = planner.plan(at: at(66) + nanosecond)
  #expect(planner.nextDropped()?.index == 1)
  #expect(planner.nextDropped() == nil)
  #expect(planner.report(1)?.index == 1)
}

@Test func planner_higherBellWithinTheStrikes_overtakesAllFromItsInstantOn() {
  for (due, count) in [
    (at(18) - nanosecond, 3), (at(18), 3), (at(18) + nanosecond, 4), (at(12), 2),
  ] {
    var planner = planner(.interval, BellRecipe(sound: 0, strikes: 6, gap: .seconds(6)))
    planner.announce([
      Bell(role: .interval, ordinal: 1, due: at(0)), Bell(role: .end, ordinal: 0, due: due),
    ])
    #expect(planner.plan(at: at(0)).filter { $0.role == .interval }.count == count)
  }
}

@Test func planner_lowerBellWithinTheStrikes_overtakesNothing() {
  var planner = planner(.end, BellRecipe(sound: 0, strikes: 3))
  planner.announce([end])
  planner.becomeDue(end)
  planner.becomeDue(Bell(role: .cue, ordinal: 0, due: at(63)))
  #expect(planner.plan(at: at(63)).map(\.role) == [.end, .cue, .end, .end])
}

@Test func planner_higherBellThatIsOver_leavesTheOvertakenOneOver() {
  var planner = planner(.start, BellRecipe(sound: 0, strikes: 3))
  let start = Bell(role: .start, ordinal: 0, due: at(0))
  let interval = Bell(role: .interval, ordinal: 1, due: at(5))
  planner.announce([start, interval])
  planner.becomeDue(start)
  #expect(planner.numbers(at: at(0)) == [1, 4])
  #expect(planner.report(1)?.index == 1)
  planner.becomeDue(interval)
  #expect(planner.report(4)?.role == .interval)
  #expect(planner.numbers(at: at(5)) == [])
  #expect(planner.numbers(at: at(7)) == [])
}

@Test func planner_strikeTooLate_isDroppedAloneAndOnlyThen() {
  var planner = planner(.end, BellRecipe(sound: 0, strikes: 3))
  planner.announce([end])
  planner.becomeDue(end)
  // A second more than the latest, so that the output has said what became of it.
  #expect(planner.numbers(at: at(66) - nanosecond) == [1, 2, 3])
  #expect(planner.numbers(at: at(66)) == [1, 2, 3])
  #expect(planner.numbers(at: at(66) + nanosecond) == [2, 3])
  #expect(planner.numbers(at: at(78)) == [3])
  #expect(planner.numbers(at: at(78) + nanosecond) == [])
}

@Test func planner_outputThatDecidesLater_keepsAStrikeSoMuchLonger() {
  var planner = BellPlanner(
    recipes: BellRole.allCases.map { _ in BellRecipe(sound: 0) }, latest: .zero,
    undecided: .seconds(2))
  planner.announce([end])
  planner.becomeDue(end)
  #expect(planner.numbers(at: at(63)) == [1])
  #expect(planner.numbers(at: at(63) + nanosecond) == [])
}

@Test func planner_silencedRole_hasNoStrikeAndOvertakesNothing() {
  var planner = planner(.end, BellRecipe(sound: nil, strikes: 3))
  let interval = Bell(role: .interval, ordinal: 1, due: at(59))
  planner.announce([interval, end])
  planner.becomeDue(end)
  #expect(planner.plan(at: at(59)).map(\.role) == [.interval])
}

@Test func planner_endedWhileStriking_dropsThatBellAndKeepsTheOthers() {
  var planner = planner(.interval, BellRecipe(sound: 0, strikes: 3))
  let interval = Bell(role: .interval, ordinal: 1, due: at(30))
  planner.announce([interval, end])
  planner.becomeDue(interval)
  planner.cancelStriking()
  planner.announce([end])
  #expect(planner.numbers(at: at(30)) == [4])
}

@Test func planner_pausedBeforeAFirstStrikeIsReported_keepsThatStrikeAlone() {
  var planner = planner(.interval, BellRecipe(sound: 0, strikes: 3))
  let interval = Bell(role: .interval, ordinal: 1, due: at(30))
  planner.announce([interval, end])
  planner.becomeDue(interval)
  planner.cancelRemainingStrikes()
  planner.announce([end])
  #expect(planner.numbers(at: at(30)) == [1, 4])
  _ = planner.report(1)
  #expect(planner.numbers(at: at(30)) == [4])
}

@Test func planner_pausedAfterAFirstStrike_dropsTheRemainingOnes() {
  var planner = planner(.interval, BellRecipe(sound: 0, strikes: 3))
  let interval = Bell(role: .interval, ordinal: 1, due: at(30))
  planner.announce([interval, end])
  planner.becomeDue(interval)
  _ = planner.report(1)
  planner.cancelRemainingStrikes()
  planner.announce([end])
  #expect(planner.numbers(at: at(31)) == [4])
}

@Test func planner_fullOfUnreportedBells_losesTheOldestAndNotTheNewest() {
  var planner = BellPlanner(
    recipes: BellRole.allCases.map { _ in BellRecipe(sound: 0) }, latest: .minutes(10))
  planner.announce([end])
  for ordinal in 1...30 {
    planner.becomeDue(Bell(role: .interval, ordinal: Int64(ordinal), due: at(Int64(ordinal))))
  }
  #expect(planner.plan(at: at(30)).map(\.strike.due) == (18...30).map { at($0) } + [at(60)])
}

@Test func planner_fullOfAnswers_losesTheseAndNoBell() {
  var planner = BellPlanner(
    recipes: BellRole.allCases.map { _ in BellRecipe(sound: 0) }, latest: .minutes(10))
  planner.announce([end])
  planner.becomeDue(end)
  for second in 1...30 {
    planner.becomeDue(Bell(role: .cue, ordinal: 0, due: at(60 + Int64(second))))
  }
  #expect(planner.plan(at: at(90)).first?.role == .end)
  #expect(planner.plan(at: at(90)).last?.strike.due == at(90))
}
