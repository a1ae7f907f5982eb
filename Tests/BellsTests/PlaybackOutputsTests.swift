import Bells
import Testing
import Ticks

private func metronome(
  _ cards: [SimulatedCard], ring: Span = .milliseconds(500), latest: Span = .seconds(5)
) -> Stage<Metronome> {
  for card in cards { card.isRecording = false }
  return Stage(
    cards: cards, player: Metronome(card: cards[0], ring: ring),
    settings: PlaybackSettings(latest: latest))
}

private func held(from: Int64? = nil, back: Int64? = nil) -> SimulatedCard {
  let card = SimulatedCard()
  card.traits.keepAlive = .always
  card.goneFrom = from.map { milliseconds($0) }
  card.backAt = back.map { milliseconds($0) }
  return card
}

/// Which output is tried when, where one is to be held.
@Suite struct PlaybackOutputsTests {
  @Test func fallback_ofAnOutputThatWasLostWhileHeld_ringsEachBellOnTime() {
    let cards = [held(from: 480_000), held()]
    var stage = metronome(cards, latest: .seconds(1))
    stage.step()
    stage.plan([planned(1, at: 600_000), planned(2, at: 903_333), planned(3, at: 1_201_111)])
    stage.run(until: milliseconds(1_300_000))
    #expect(stage.strikes.map(\.outcome) == [.rung, .rung, .rung])
    #expect(stage.reports.contains("opened 48000 on 1"))
  }

  @Test func output_lostWhileHeldAndBackAfterATry_isTriedAtOnceForABell() {
    let card = held(from: 5_000, back: 598_000)
    var stage = metronome([card])
    stage.step()
    stage.plan([planned(1, at: 600_000)])
    stage.run(until: milliseconds(660_000))
    #expect(stage.strikes.map(\.outcome) == [.rung])
  }

  @Test func output_lostWhileHeld_isTriedNoMoreOftenForThat() {
    let card = held(from: 5_000)
    var stage = metronome([card, held(from: 0)])
    stage.step()
    stage.plan([planned(1, at: 100_000)])
    stage.run(until: milliseconds(200_000))
    #expect(stage.strikes.map(\.outcome) == [.missed])
    // Five seconds of a held device, 16 a second; the rest are tries.
    #expect(stage.wakeUps < 16 * 5 + 60)
  }

  @Test func loss_thatNobodyWaitsForAnyMore_isToldAsClosed() {
    let card = SimulatedCard()
    card.goneFrom = milliseconds(65_000)
    card.backAt = milliseconds(1_200_000)
    var stage = metronome([card], ring: .seconds(30))
    stage.plan([planned(1, at: 60_000)])
    stage.run(until: milliseconds(1_800_000))
    #expect(stage.reports.first == "opened 48000")
    #expect(stage.reports.last == "closed")
    #expect(stage.reports.filter { $0 == "closed" }.count == 1)
    #expect(stage.playback.phase == .closed)
  }

  @Test func fallback_onceSilent_isLeftForTheWantedOutput() {
    let cards = [held(from: 3_000, back: 660_000), held()]
    var stage = metronome(cards)
    stage.step()
    stage.plan([planned(1, at: 600_000), planned(2, at: 900_000)])
    stage.run(until: milliseconds(601_000))
    #expect(stage.playback.output == 1)
    stage.run(until: milliseconds(670_000))
    #expect(stage.playback.output == 0)
    #expect(cards[0].isOpen)
    #expect(!cards[1].isOpen)
    stage.run(until: milliseconds(1_000_000))
    #expect(stage.strikes.map(\.outcome) == [.rung, .rung])
    #expect(cards[0].marks.count == 2)
  }

  @Test func underruns_beforeAClosing_areToldNoMoreOftenThanElse() {
    let card = SimulatedCard()
    var stage = metronome([card], ring: .seconds(4))
    stage.plan([planned(1, at: 2_000)])
    stage.run(until: milliseconds(3_000))
    for _ in 0..<2 {
      card.now += .milliseconds(700)
      stage.step()
      stage.run(for: .milliseconds(200))
    }
    stage.run(until: milliseconds(12_000))
    #expect(stage.reports == ["opened 48000", "underrun 1", "closed"])
    stage.plan([planned(2, at: 20_000)])
    stage.run(until: milliseconds(40_000))
    #expect(stage.reports.dropFirst(3) == ["opened 48000", "underrun 1", "closed"])
  }
}
