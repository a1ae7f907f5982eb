import Controls
import Testing
import Ticks
import TimerMachine

@testable import Appliance

private func ended(rating: Bool = true) -> (bench: Bench, at: Instant) {
  var bench = Bench { $0.hasRating = rating }
  let instant = bench.reach(.ended)
  return (bench, instant)
}

extension Bench {
  /// Holds the crown so that the long press is decided at an instant.
  fileprivate mutating func hold(decidedAt instant: Instant) {
    press(.crown, at: instant - .milliseconds(600), for: .milliseconds(650))
  }
}

// MARK: - Rating

@Test func turn_inEnded_ratesAndIsToldByAsManyTaps() {
  var (bench, instant) = ended()
  for (second, detents, rating) in [(Int64(1), 1, 1), (3, 2, 3), (6, 9, 5), (9, -1, 4)] {
    bench.cues = []
    bench.turn(detents, at: instant + .seconds(second))
    bench.advance(to: instant + .seconds(second + 2))
    #expect(bench.effects.last == "rated \(rating)")
    #expect(bench.appliance.rating == rating)
    #expect(bench.cues.suffix(rating).map(\.strike.index) == Array(1...rating))
  }
  #expect(bench.effects.filter { $0 == "rated 5" }.count == 1)
}

@Test func turn_inEndedToTheLeft_isOneAtLeast() {
  var (bench, instant) = ended()
  bench.turn(-3, at: instant + .seconds(1))
  bench.advance(to: instant + .seconds(3))
  #expect(bench.effects == ["rated 1"])
  #expect(bench.isEachCueWithinATwelfthOfASecond)
}

@Test func turn_inEndedWithoutRating_doesNothing() {
  var (bench, instant) = ended(rating: false)
  bench.turn(1, at: instant + .seconds(1))
  bench.handle(.command(.setRating(true)), at: instant + .seconds(2))
  #expect(bench.appliance.choices.hasRating)
  bench.turn(1, at: instant + .seconds(3))
  bench.advance(to: instant + .seconds(4))
  #expect(bench.effects == ["rated 1"])
}

@Test func sitThatIsNotKept_isNeitherRatedNorDeleted() {
  var bench = Bench { $0.hasRating = true }
  bench.start(at: at(1))
  bench.command(.stop, at: at(30))
  bench.told = []
  bench.turn(1, at: at(32))
  bench.make(.long, at: at(34))
  bench.advance(to: at(36))
  #expect(bench.effects == ["refused rate: no sit was kept", "refused delete: no sit was kept"])
  #expect(bench.cueText.hasSuffix("no no no no"))
}

// MARK: - Deleting

@Test(arguments: [
  (Span.seconds(5) - nanosecond, true), (.seconds(5), false), (.seconds(5) + nanosecond, false),
])
func secondLongPress_withinFiveSeconds_deletesTheSit(after: Span, isDeleted: Bool) {
  var (bench, instant) = ended()
  let asked = instant + .seconds(1)
  bench.hold(decidedAt: asked)
  bench.advance(to: asked + .seconds(2))
  #expect(bench.effects == ["asked delete"])
  #expect(bench.cueSounds.hasSuffix("tap tap"))
  #expect(bench.appliance.isAskingDelete)
  // Nanoseconds of a hand are not settled; a panel's command is decided as it comes.
  bench.cues = []
  bench.advance(to: asked + after)
  bench.appliance.now = asked + after
  bench.appliance.askDelete()
  bench.fire(at: asked + after)
  #expect(bench.effects.contains("deleted") == isDeleted)
  #expect(bench.effects.filter { $0 == "asked delete" }.count == (isDeleted ? 1 : 2))
}

@Test func question_whetherToDelete_closesAfterFiveSecondsByItself() {
  var (bench, instant) = ended()
  let asked = instant + .seconds(1)
  bench.hold(decidedAt: asked)
  bench.advance(to: asked + .seconds(5) - nanosecond)
  #expect(bench.appliance.isAskingDelete)
  #expect(bench.appliance.nextDeadline == asked + .seconds(5))
  bench.advance(to: asked + .seconds(5))
  #expect(!bench.appliance.isAskingDelete)
}

@Test func twoLongPresses_inEnded_deleteAndAreAnsweredTwice() {
  var (bench, instant) = ended()
  bench.make(.long, at: instant + .seconds(1))
  bench.make(.long, at: instant + .seconds(3))
  bench.advance(to: instant + .seconds(5))
  #expect(bench.effects == ["asked delete", "deleted", "ended>idle"])
  #expect(bench.cueText == "ask ask yes")
  #expect(bench.isEachCueWithinATwelfthOfASecond)
}

@Test func click_whileItIsAsked_acceptsAndKeepsTheSit() {
  var (bench, instant) = ended()
  bench.make(.long, at: instant + .seconds(1))
  bench.make(.click, at: instant + .seconds(3))
  bench.make(.long, at: instant + .seconds(5))
  #expect(bench.effects == ["asked delete", "ended>idle"])
  #expect(bench.appliance.isBlackedOut)
}

@Test func undo_bringsADeletedSitBackOnceAndUntilTheNextBegins() {
  var (bench, instant) = ended()
  bench.handle(.command(.undo), at: instant)
  #expect(bench.effects == ["refused undo: no sit was deleted"])
  bench.make(.long, at: instant + .seconds(1))
  bench.make(.long, at: instant + .seconds(3))
  bench.told = []
  bench.start(at: instant + .seconds(10))
  bench.advance(to: instant + .seconds(20) - nanosecond)
  bench.handle(.command(.undo), at: instant + .seconds(20) - nanosecond)
  #expect(bench.effects == ["idle>preparing", "undone"])
  bench.handle(.command(.undo), at: instant + .seconds(20) - nanosecond)
  #expect(bench.effects.last == "refused undo: no sit was deleted")
}

@Test func undo_onceTheNextSitHasBegun_isRefused() {
  var (bench, instant) = ended()
  bench.make(.long, at: instant + .seconds(1))
  bench.make(.long, at: instant + .seconds(3))
  bench.start(at: instant + .seconds(10))
  bench.advance(to: instant + .seconds(20))
  bench.handle(.command(.undo), at: instant + .seconds(20))
  #expect(bench.effects.last == "refused undo: no sit was deleted")
}
