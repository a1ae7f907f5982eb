// The appliance's laws, over seeded random lives of two hands and a program. A failure names its
// seed; that no precondition stopped the program is a law too: actions and outputs have bounds.
import Controls
import CrownFront
import Testing
import Ticks
import TimerMachine

@testable import Appliance

@Test(arguments: UInt64(1)...25)
func life_ofAnyHands_ringsNoStrikeTwiceAndNoneOutsideASit(seed: UInt64) {
  let bench = life(seed: seed)
  #expect(Set(bench.rung.map(\.strike.strike.number)).count == bench.rung.count)
  #expect(bench.rung.allSatisfy { $0.at == $0.strike.strike.due })
  let starts = bench.rung.filter { $0.strike.role == .start && $0.strike.index == 1 }.map(\.at)
  // A sit that is left at the instant at which it began has no bell.
  let left = bench.told.filter { $0.text.hasPrefix("running>") }.map(\.at)
  let begun = bench.told.filter { $0.text == "begun" }.map(\.at)
  #expect(starts.filter { !left.contains($0) } == begun.filter { !left.contains($0) })
  #expect(starts.allSatisfy { begun.contains($0) })
}

@Test(arguments: UInt64(1)...25)
func life_ofAnyHands_answersBesideBellsAndNeverTwice(seed: UInt64) {
  let bench = life(seed: seed)
  let numbers = (bench.rung + bench.cues).map(\.strike.strike.number)
  #expect(Set(numbers).count == numbers.count)
  #expect(bench.cues.allSatisfy { $0.at - $0.strike.strike.due < CuePlanner.latestSpan })
  #expect(!bench.cues.isEmpty)
}

@Test(arguments: UInt64(1)...25)
func life_ofAnyHands_tellsInTheOrderOfTimeAndEndsEverySitOnce(seed: UInt64) {
  let bench = life(seed: seed)
  let backward = zip(bench.told, bench.told.dropFirst()).filter { $0.at > $1.at }
  #expect(backward.isEmpty)
  let count = { (text: String) in bench.told.filter { $0.text == text }.count }
  #expect(count("begun") == count("closed") + count("discarded"))
  #expect(bench.appliance.phase == .idle)
  #expect(bench.plan.isEmpty)
}

@Test func life_sameSeed_isTheSame() {
  #expect(life(seed: 9).told == life(seed: 9).told)
}

private func life(seed: UInt64) -> Bench {
  var generator = SeededGenerator(seed: seed)
  var bench = Bench { settings in
    settings.plan.preparation = generator.below(2) == 0 ? .zero : .seconds(10)
    settings.plan.intervals.every = generator.below(2) == 0 ? .seconds(1) : nil
    settings.plan.overtime = generator.below(2) == 0
    settings.plan.overtimeLimit = .minutes(2)
    settings.plan.openLimit = .minutes(5)
    settings.isCrownLocked = generator.below(4) == 0
    settings.cues.detent = .always
    settings.length = .minutes(1)
    settings.hasRating = generator.below(2) == 0
    settings.seed = seed
    settings.programmes += [zazen(), programme("dawn", .until(.hours(7))), programme("open")]
    for role in settings.bells.indices {
      settings.bells[role].strikes = 1 + Int(generator.below(20))
      settings.bells[role].gap = .milliseconds(Int64(generator.below(3_000)))
    }
  }
  bench.handle(.ticksWanted(seed % 2 == 0), at: at(1))
  for _ in 0..<120 {
    // Whole hundreds of milliseconds, so that deadlines often meet.
    let wait = generator.below(10) == 0 ? generator.below(900) : generator.below(30)
    act(&bench, at: bench.now + .milliseconds(100 * Int64(wait)), &generator)
  }
  // Everything is let go and runs out.
  for line in Line.allCases { bench.edge(line, .high, at: bench.now + .milliseconds(20)) }
  // An open-ended sit ends by itself after three hours.
  bench.advance(to: bench.now + .hours(4))
  return bench
}

private func act(_ bench: inout Bench, at instant: Instant, _ generator: inout SeededGenerator) {
  let events: [TimerEvent] = [.pause, .resume, .stop, .discard, .skip, .accept]
  switch generator.below(10) {
  case 0, 1:
    let lengths: [SitLength] = [
      .set, .open, .fixed(.seconds(90)), .programme("zazen"), .programme("dawn"),
      .until(instant + .seconds(40)),
    ]
    let length = lengths[Int(generator.below(6))]
    bench.handle(.command(.start(length, anyway: generator.below(2) == 0)), at: instant)
  case 2: bench.command(events[Int(generator.below(6))], at: instant)
  case 3: bench.make(CrownGesture.allCases[Int(generator.below(5))], at: instant + .milliseconds(5))
  case 4:
    bench.turn(
      Int(generator.below(9)) - 4, at: instant + .milliseconds(5), every: .milliseconds(25))
  case 5:
    bench.press(Button.allCases[Int(generator.below(8))], at: instant, for: .milliseconds(900))
  case 6: bench.handle(news(at: instant, &generator), at: instant)
  case 7: bench.handle(.command(.undo), at: instant)
  default:
    // All buttons at once, down or up: the most that one instant can hold.
    let level: Level = generator.below(2) == 0 ? .low : .high
    for button in Button.allCases { bench.edge(button.line, level, at: instant) }
  }
}

/// What comes from outside, neither from a hand nor from a program.
private func news(at instant: Instant, _ generator: inout SeededGenerator) -> ApplianceEvent {
  switch generator.below(6) {
  case 0:
    return .reminder(
      ReminderCall(
        name: "morning", programme: generator.below(2) == 0 ? "zazen" : nil,
        kind: generator.below(2) == 0 ? .soft : .wake, isAuto: generator.below(2) == 0))
  case 1:
    return .untilEnds([UntilEnd(programme: "dawn", end: instant + .seconds(50))])
  case 2: return .endMoved(to: instant + .seconds(Int64(generator.below(60))))
  case 3: return .elsewhere(reason: generator.below(2) == 0 ? "a sit runs elsewhere" : nil)
  case 4: return .slept(to: instant + .seconds(20))
  default:
    let less = Array(
      [Programme.simple, zazen(), programme("open")].prefix(1 + Int(generator.below(3))))
    return .programmes(less)
  }
}
