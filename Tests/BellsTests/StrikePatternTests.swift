import Bells
import Testing
import Ticks

@Suite struct StrikePatternTests {
  @Test(arguments: StrikePattern.names) func pattern_builtIn_isInItsLimits(_ name: String) throws {
    let pattern = try #require(StrikePattern.named(name))
    #expect(pattern.beats.count <= StrikePattern.maximumBeats)
    #expect(pattern.beats[0].offset == .zero)
    #expect(pattern.beats.allSatisfy { $0.isValid })
    for (beat, next) in zip(pattern.beats, pattern.beats.dropFirst()) {
      #expect(next.offset > beat.offset)
    }
    #expect(pattern.length <= .minutes(5))
  }

  @Test func pattern_ofAnUnknownName_isNone() {
    #expect(StrikePattern.named("7-5") == nil)
    #expect(StrikePattern.named("") == nil)
  }

  @Test func sevenFiveThree_hasThreeRounds() {
    let beats = StrikePattern.sevenFiveThree.beats
    #expect(beats.count == 15)
    var rounds = [1]
    for (beat, next) in zip(beats, beats.dropFirst()) {
      if next.offset - beat.offset == .seconds(2) {
        rounds[rounds.count - 1] += 1
      } else {
        #expect(next.offset - beat.offset == .seconds(6))
        rounds.append(1)
      }
    }
    #expect(rounds == [7, 5, 3])
  }

  @Test func roll_growsFasterAndSofterAndClosesWithOneAlone() {
    let beats = StrikePattern.roll.beats
    for index in 2..<(beats.count - 1) {
      let gap = beats[index].offset - beats[index - 1].offset
      #expect(gap < beats[index - 1].offset - beats[index - 2].offset)
      #expect(beats[index].strength < beats[index - 1].strength)
    }
    #expect(beats[beats.count - 1].offset - beats[beats.count - 2].offset > .seconds(1))
  }

  @Test func wake_swellsOverFiveMinutes() {
    let beats = StrikePattern.wake.beats
    #expect(StrikePattern.wake.length == .minutes(5))
    #expect(beats[0].strength < 0.06)
    #expect(beats[beats.count - 1].strength == 1)
    for (beat, next) in zip(beats, beats.dropFirst()) { #expect(next.strength > beat.strength) }
  }
}
