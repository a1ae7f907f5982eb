import Bells
import Testing
import Ticks

private func metronome(_ card: SimulatedCard, latest: Span) -> Stage<Metronome> {
  card.isRecording = false
  return Stage(
    cards: [card], player: Metronome(card: card, ring: .milliseconds(500)),
    settings: PlaybackSettings(latest: latest))
}

/// How late a strike may ring, whatever makes it late.
@Suite struct PlaybackLatenessTests {
  @Test func strike_waitingForALeadInLongerThanLatest_isMissed() {
    let card = SimulatedCard()
    card.traits.leadIn = .seconds(10)
    var stage = metronome(card, latest: .seconds(5))
    stage.plan([planned(1, at: 0)])
    stage.run(until: milliseconds(30_000))
    #expect(stage.strikes.map(\.outcome) == [.missed])
    #expect(card.marks.isEmpty)
  }

  @Test func strike_waitingForALeadIn_ringsUpToLatestAndNotAfterIt() {
    for (due, outcome) in [(Int64(59_010), StrikeReport.Outcome.late), (58_990, .missed)] {
      let card = SimulatedCard()
      card.traits.leadIn = .seconds(6)
      var stage = metronome(card, latest: .seconds(7))
      stage.card.now = milliseconds(60_000)
      stage.plan([planned(1, at: due)])
      stage.run(until: milliseconds(90_000))
      #expect(stage.strikes.map(\.outcome) == [outcome])
    }
  }

  @Test func strike_dueAsTheLeadInEnds_isOnTimeHoweverLongThatTook() {
    let card = SimulatedCard()
    card.traits.leadIn = .seconds(10)
    var stage = metronome(card, latest: .zero)
    stage.plan([planned(1, at: 10_000)])
    stage.run(until: milliseconds(30_000))
    #expect(stage.strikes.map(\.outcome) == [.rung])
  }

  @Test func latest_ofZero_ringsEveryBellThatIsOnTime() {
    let card = SimulatedCard()
    card.drift = 140
    var stage = metronome(card, latest: .zero)
    let due = (0..<12).map { 2_000 + Int64($0) * 1_237 }
    stage.plan(due.enumerated().map { planned(UInt32($0.offset), at: $0.element) })
    stage.run(until: milliseconds(60_000))
    #expect(stage.strikes.count == 12)
    #expect(stage.strikes.allSatisfy { $0.outcome == .rung })
  }

  @Test func latest_ofZero_missesWhatIsMoreThanAMillisecondLate() {
    let card = SimulatedCard()
    var stage = metronome(card, latest: .zero)
    stage.card.now = milliseconds(5_000)
    stage.plan([planned(1, at: 5_000)])
    stage.run(until: milliseconds(20_000))
    #expect(stage.strikes.map(\.outcome) == [.missed])
  }

  @Test func offset_farBelowZeroAndASmallLatest_ringsOnTime() {
    let card = SimulatedCard()
    card.traits.offset = .seconds(-3)
    var stage = metronome(card, latest: .seconds(1))
    stage.plan([planned(1, at: 10_000), planned(2, at: 20_000)])
    stage.run(until: milliseconds(60_000))
    #expect(stage.strikes.map(\.outcome) == [.rung, .rung])
    #expect(card.marks.count == 2)
  }

  @Test func offset_belowZeroWithACardThatIsAway_isGivenUpAtItsOwnLimit() {
    let card = SimulatedCard()
    card.traits.offset = .seconds(-3)
    card.goneFrom = .zero
    var stage = metronome(card, latest: .seconds(1))
    stage.plan([planned(1, at: 10_000)])
    stage.run(until: milliseconds(13_999))
    #expect(stage.strikes.isEmpty)
    stage.run(until: milliseconds(14_000))
    #expect(stage.strikes.map(\.outcome) == [.missed])
    stage.run(until: milliseconds(30_000))
    #expect(stage.wakeUps < 30)
    #expect(stage.wake == nil)
  }
}
