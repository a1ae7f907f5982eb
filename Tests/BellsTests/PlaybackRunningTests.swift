import Bells
import Testing
import Ticks

/// Which outputs are known to play, and which only say so.
@Suite struct PlaybackRunningTests {
  private func held(_ cards: [SimulatedCard]) -> Stage<Mixer> {
    cards[0].traits.keepAlive = .always
    return Stage(cards: cards, player: Mixer(sounds: [tone(1_000, decaySeconds: 0.02)]))
  }

  @Test func running_onceFramesHaveLeft_isToldOnceAnOpening() {
    let card = SimulatedCard()
    var stage = Stage(card)
    stage.plan([planned(1, at: 2_000)])
    stage.run(until: milliseconds(30_000))
    #expect(stage.running == [0])
    stage.plan([planned(2, at: 40_000)])
    stage.run(until: milliseconds(39_500))
    // As after a late wake-up.
    card.now = milliseconds(41_000)
    stage.step()
    stage.run(until: milliseconds(60_000))
    #expect(card.prepares == 1)
    #expect(stage.running == [0, 0])
    #expect(stage.reports.filter { $0 == "opened 48000" }.count == 2)
  }

  @Test func running_whileNothingLeaves_isNeverTold_row39() {
    let card = SimulatedCard()
    card.stalledFrom = .zero
    var stage = held([card])
    stage.step()
    stage.run(until: milliseconds(60_000))
    #expect(stage.running.isEmpty)
    #expect(stage.reports.filter { $0 == "stalled" }.count > 2)
    #expect(card.opens < 20)
  }

  @Test func card_thatPlaysALittleAndIsLost_isTriedAsSeldomAsOneThatPlaysNothing() {
    let card = SimulatedCard()
    card.playingSpan = .milliseconds(300)
    var stage = held([card])
    stage.step()
    stage.run(until: milliseconds(60_000))
    #expect(stage.running.count == card.opens)
    // After 0.1, 0.2, 0.4, 0.8, 1.6 and 3.2 s, and then each 5 s.
    #expect(card.opens > 10 && card.opens < 20)
  }

  @Test func card_thatPlayedForTenSeconds_isTriedAgainAtOnce() {
    let card = SimulatedCard()
    card.playingSpan = .milliseconds(11_000)
    var stage = held([card])
    stage.step()
    stage.run(until: milliseconds(60_000))
    #expect(card.opens == 6)
  }

  @Test func bell_onAFallbackOfALongLeadIn_isOnTime() {
    for span in [Span.seconds(2), .seconds(10)] {
      let wanted = SimulatedCard()
      let other = SimulatedCard()
      wanted.goneFrom = .zero
      other.traits.leadIn = span
      var stage = Stage(
        cards: [wanted, other], player: Mixer(sounds: [tone(1_000, decaySeconds: 0.02)]))
      stage.plan([planned(1, at: 20_000), planned(2, at: 60_000)])
      stage.run(until: milliseconds(100_000))
      #expect(stage.strikes.map(\.outcome) == [.rung, .rung])
      #expect(stage.running == [1, 1])
    }
  }

  @Test func wantedOutput_knownToPlay_isOpenedForItsOwnLeadIn() {
    let wanted = SimulatedCard()
    let other = SimulatedCard()
    other.traits.leadIn = .seconds(10)
    var stage = Stage(
      cards: [wanted, other], player: Mixer(sounds: [tone(1_000, decaySeconds: 0.02)]))
    stage.plan([planned(1, at: 20_000), planned(2, at: 60_000)])
    stage.run(until: milliseconds(9_500))
    #expect(wanted.opens == 1)
    stage.run(until: milliseconds(58_500))
    #expect(wanted.opens == 1)
    stage.run(until: milliseconds(59_000))
    #expect(wanted.opens == 2)
  }
}
