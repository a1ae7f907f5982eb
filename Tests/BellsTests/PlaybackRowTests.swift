import Bells
import Testing
import Ticks

private func metronome(
  _ cards: [SimulatedCard], ring: Span = .milliseconds(500), hold: Span = .seconds(2)
) -> Stage<Metronome> {
  for card in cards { card.isRecording = false }
  return Stage(
    cards: cards, player: Metronome(card: cards[0], ring: ring),
    settings: PlaybackSettings(hold: hold))
}

/// Failures of the field that can be shown in virtual time, named after the rows of the table they
/// are collected in. CPU is shown as wake-ups: each moves 200 ms of sound at most.
@Suite struct PlaybackRowTests {
  @Test func row18_hdmiWithoutAListener_isFallenBackFromAtOnceAndTriedAgainAtTheNextOpening() {
    let hdmi = SimulatedCard()
    let jack = SimulatedCard()
    hdmi.goneFrom = .zero
    hdmi.backAt = milliseconds(60_000)
    var stage = metronome([hdmi, jack])
    stage.plan([planned(1, at: 10_000), planned(2, at: 100_000)])
    stage.run(until: milliseconds(20_000))
    #expect(stage.reports == ["lost gone", "opened 48000 on 1", "closed"])
    #expect(stage.playback.output == 1)
    #expect(stage.strikes.map(\.outcome) == [.rung])
    stage.run(until: milliseconds(120_000))
    #expect(stage.reports.suffix(2) == ["opened 48000", "closed"])
    #expect(stage.playback.output == 0)
    #expect(stage.strikes.map(\.outcome) == [.rung, .rung])
  }

  @Test func row19_televisionSwitchedOnAfterTheStart_isOpenedThoughNothingIsDue() {
    let card = SimulatedCard()
    card.traits.keepAlive = .always
    card.goneFrom = .zero
    card.backAt = milliseconds(600_000)
    var stage = metronome([card, SimulatedCard()])
    stage.step()
    stage.run(until: milliseconds(599_999))
    #expect(stage.wakeUps < 130)
    #expect(!stage.reports.contains("opened 48000 on 1"))
    stage.run(until: milliseconds(605_000))
    #expect(stage.reports.last == "opened 48000")
  }

  @Test func row20_unpluggedInMidTailAndBackAfter30s_theNextBellRings() {
    let card = SimulatedCard()
    card.goneFrom = milliseconds(1_510)
    card.backAt = milliseconds(31_510)
    var stage = metronome([card], ring: .seconds(98))
    stage.plan([planned(1, at: 1_500), planned(2, at: 40_000)])
    stage.run(until: milliseconds(2_000))
    #expect(stage.playback.phase == .lost)
    let before = stage.wakeUps
    stage.run(until: milliseconds(31_510))
    #expect(stage.wakeUps - before < 20)
    // The tail is taken up where it would be: the device is open again before the bell is due.
    stage.run(until: milliseconds(38_000))
    #expect(stage.reports.last == "opened 48000")
    stage.run(until: milliseconds(200_000))
    #expect(stage.strikes.map(\.outcome) == [.rung, .rung])
    #expect((card.marks[1] - milliseconds(40_000)).nanoseconds.magnitude < 21_000)
  }

  @Test func row20_unpluggedInMidTail_theTailGoesOnOnTheNextOutput() {
    let card = SimulatedCard()
    let other = SimulatedCard()
    other.traits.leadIn = .milliseconds(300)
    card.goneFrom = milliseconds(2_010)
    var stage = metronome([card, other], ring: .seconds(10))
    stage.plan([planned(1, at: 2_000), planned(2, at: 4_000)])
    stage.run(until: milliseconds(60_000))
    #expect(
      stage.reports == ["opened 48000", "lost gone", "opened 48000 on 1", "closed"])
    #expect(stage.strikes.map(\.outcome) == [.rung, .rung])
    #expect(other.opens == 1)
  }

  @Test func row21_sinkThatSaysAgainForEver_isGivenUpAndNeverSpunOn() {
    let card = SimulatedCard()
    card.fault = .again
    var stage = metronome([card])
    stage.plan([planned(1, at: 5_000), planned(2, at: 20_000)])
    stage.run(until: milliseconds(60_000))
    #expect(stage.strikes.map(\.outcome) == [.missed, .missed])
    #expect(stage.reports.contains("stalled"))
    #expect(stage.wakeUps < 25 * 20)
    #expect(stage.wake == nil)
  }

  @Test func row21_sinkThatTakesNothingWhileItPlays_isReopened() {
    let card = SimulatedCard()
    var stage = metronome([card], ring: .seconds(20))
    stage.plan([planned(1, at: 2_000), planned(2, at: 10_000)])
    stage.run(until: milliseconds(3_000))
    card.fault = .refusing
    stage.run(until: milliseconds(6_000))
    #expect(stage.wakeUps < 25 * 6)
    card.fault = .none
    stage.run(until: milliseconds(60_000))
    #expect(stage.strikes.map(\.outcome) == [.rung, .rung])
  }

  @Test func row22_busyFor20sAroundABell_thatBellIsMissedTheNextRings() {
    let card = SimulatedCard()
    card.busyUntil = milliseconds(20_000)
    var stage = metronome([card])
    stage.plan([planned(1, at: 10_000), planned(2, at: 30_000)])
    stage.run(until: milliseconds(14_999))
    #expect(stage.strikes.isEmpty)
    stage.run(until: milliseconds(15_000))
    #expect(stage.strikes.map(\.outcome) == [.missed])
    #expect(stage.wake == milliseconds(28_800))
    stage.run(until: milliseconds(60_000))
    #expect(stage.strikes.map(\.outcome) == [.missed, .rung])
    #expect(stage.wakeUps < 120)
  }

  @Test func row33_sleepOfTheSystem_isFollowedByAFreshMapAndTheLatePolicy() {
    let card = SimulatedCard()
    card.traits.keepAlive = .always
    var stage = metronome([card])
    stage.plan([planned(1, at: 60_000), planned(2, at: 3_598_000), planned(3, at: 3_605_000)])
    stage.run(until: milliseconds(30_000))
    card.now = milliseconds(3_600_000)
    stage.step()
    stage.run(until: milliseconds(3_700_000))
    #expect(stage.strikes.map(\.outcome) == [.missed, .late, .rung])
    #expect((card.marks[1] - milliseconds(3_605_000)).nanoseconds.magnitude <= 21_000)
    #expect(stage.reports == ["opened 48000", "underrun 1"])
  }

  @Test func row36_cardThatComes30sAfterTheStart_ringsTheNextBell() {
    let card = SimulatedCard()
    card.goneFrom = .zero
    card.backAt = milliseconds(30_000)
    var stage = metronome([card])
    stage.warm()
    stage.plan([planned(1, at: 40_000)])
    stage.run(until: milliseconds(60_000))
    #expect(stage.strikes.map(\.outcome) == [.rung])
    // The hand at the start is not what is waited for later.
    #expect(stage.wakeUps < 120)
  }

  @Test func row39_delayThatStandsStillFor200ms_reopensTheDevice() {
    let card = SimulatedCard()
    card.stalledFrom = milliseconds(5_000)
    card.stalledUntil = milliseconds(5_600)
    var stage = metronome([card], ring: .seconds(20))
    stage.plan([planned(1, at: 2_000), planned(2, at: 10_000)])
    stage.run(until: milliseconds(5_190))
    #expect(!stage.reports.contains("stalled"))
    stage.run(until: milliseconds(5_300))
    #expect(stage.reports.contains("stalled"))
    stage.run(until: milliseconds(60_000))
    #expect(stage.strikes.map(\.outcome) == [.rung, .rung])
    #expect((card.marks[1] - milliseconds(10_000)).nanoseconds.magnitude <= 21_000)
  }

  @Test func row40_opening_triesEachOutputOnce() {
    let cards = [SimulatedCard(), SimulatedCard(), SimulatedCard()]
    cards[0].goneFrom = .zero
    var stage = metronome(cards)
    stage.warm()
    #expect(cards.map(\.tries) == [1, 1, 0])
  }

  @Test func allOutputsAway_restWithBackOffUpToFiveSeconds() {
    let cards = [SimulatedCard(), SimulatedCard()]
    for card in cards { card.goneFrom = .zero }
    var stage = metronome(cards)
    stage.plan([planned(1, at: 2_000)])
    var tries: [Int64] = []
    while let wake = stage.wake, wake < milliseconds(6_999) {
      stage.run(until: wake)
      tries.append(stage.card.now.nanoseconds / 1_000_000)
    }
    #expect(tries == [800, 900, 1_100, 1_500, 2_300, 3_900])
    #expect(cards.map(\.tries) == [6, 6])
    stage.run(until: milliseconds(100_000))
    #expect(stage.strikes.map(\.outcome) == [.missed])
    #expect(stage.wake == nil)
  }

  @Test func streamThatStopsAtOnceEachTime_isLostAfterTenRecoveries() {
    let card = SimulatedCard()
    card.fault = .stopping
    var stage = metronome([card])
    stage.plan([planned(1, at: 2_000)])
    stage.run(until: milliseconds(1_000))
    #expect(stage.playback.phase == .recovering)
    stage.run(until: milliseconds(1_350))
    #expect(card.prepares == 10)
    #expect(stage.reports.contains("stalled"))
    stage.run(until: milliseconds(60_000))
    #expect(stage.wakeUps < 25 * 8)
    #expect(stage.wake == nil)
  }

  @Test func statusesThatAreAbsurd_areClampedAndNothingSpinsOrTraps() {
    let card = SimulatedCard()
    card.fault = .absurd
    var stage = metronome([card])
    stage.plan([planned(1, at: 2_000)])
    stage.run(until: milliseconds(2_100))
    card.fault = .none
    stage.plan([planned(2, at: 20_000)])
    stage.run(until: milliseconds(60_000))
    #expect(stage.wakeUps < 400)
    #expect(stage.strikes.last?.outcome == .rung)
  }

  @Test func underruns_areToldOnceInTenSecondsWithTheirCount() {
    let card = SimulatedCard()
    card.traits.keepAlive = .always
    var stage = metronome([card])
    stage.step()
    for _ in 0..<3 {
      stage.run(for: .seconds(1))
      card.now += .milliseconds(700)
      stage.step()
    }
    stage.run(for: .seconds(2))
    #expect(stage.reports == ["opened 48000", "underrun 1"])
    stage.run(for: .seconds(10))
    #expect(stage.reports == ["opened 48000", "underrun 1", "underrun 2"])
  }
}
