import Bells
import Testing
import Ticks

@Suite struct PlaybackFaultTests {
  @Test func card_busyAtOpening_isTriedAgainWithBackOffAndRingsLate() {
    let card = SimulatedCard()
    card.busyUntil = milliseconds(3_000)
    var stage = Stage(card)
    stage.plan([planned(1, at: 1_000)])
    stage.run(until: milliseconds(20_000))
    // At 0 and 0.1, 0.2, 0.4, 0.8, 1.6 s later: 3,100 ms is the first try that succeeds.
    #expect(stage.reports == Array(repeating: "lost busy", count: 5) + ["opened 48000", "closed"])
    #expect(stage.strikes.map(\.outcome) == [.late])
    #expect(card.onsets[0] - milliseconds(3_200) < .milliseconds(1))
  }

  @Test func card_busyForTooLong_missesTheStrikeAtItsLimitAndRingsTheNext() {
    let card = SimulatedCard()
    card.busyUntil = milliseconds(20_000)
    var stage = Stage(card)
    stage.plan([planned(1, at: 10_000), planned(2, at: 30_000)])
    stage.run(until: milliseconds(14_999))
    #expect(stage.strikes.isEmpty)
    stage.run(until: milliseconds(15_000))
    #expect(
      stage.strikes == [
        StrikeReport(number: 1, started: milliseconds(15_000), outcome: .missed)
      ])
    stage.run(until: milliseconds(60_000))
    #expect(stage.strikes.map(\.outcome) == [.missed, .rung])
  }

  @Test func noCard_atAll_missesTheStrikeAndComesToRest() {
    let card = SimulatedCard()
    card.goneFrom = .zero
    var stage = Stage(card)
    stage.plan([planned(1, at: 1_000)])
    stage.run(until: milliseconds(100_000))
    #expect(stage.strikes.map(\.outcome) == [.missed])
    #expect(stage.wake == nil)
    #expect(stage.wakeUps < 20)
  }

  @Test func card_goneInMidTailAndBack_ringsTheNextStrike() {
    let card = SimulatedCard()
    card.goneFrom = milliseconds(1_010)
    card.backAt = milliseconds(31_000)
    var stage = Stage(card)
    stage.plan([planned(1, at: 1_000), planned(2, at: 40_000)])
    stage.run(until: milliseconds(60_000))
    #expect(stage.strikes.map(\.outcome) == [.rung, .rung])
    #expect(
      stage.reports.filter { $0 != "lost gone" }
        == ["opened 48000", "closed", "opened 48000", "closed"])
    #expect(stage.wakeUps < 200)
  }

  @Test func underrun_ofALateWakeUp_isRecoveredAndLaterStrikesKeepTheirInstants() {
    let card = SimulatedCard()
    var stage = Stage(card)
    stage.plan([planned(1, at: 1_000), planned(2, at: 2_000), planned(3, at: 3_000)])
    stage.run(until: milliseconds(1_500))
    // The thread sleeps until well after the second strike.
    card.now = milliseconds(2_400)
    stage.step()
    stage.run(until: milliseconds(10_000))
    #expect(card.prepares == 1)
    #expect(card.opens == 1)
    #expect(stage.strikes.map(\.outcome) == [.rung, .late, .rung])
    #expect(card.onsets[1] - milliseconds(2_400) < .milliseconds(1))
    #expect((card.onsets[2] - milliseconds(3_000)).nanoseconds.magnitude < 50_000)
  }

  @Test func underrun_whileABowlRings_goesOnWhereItWouldBe() {
    let card = SimulatedCard()
    let long = tone(1_000, decaySeconds: 2)
    var playback = Playback(device: SimulatedPCM(card: card), player: Mixer(sounds: [long]))
    playback.plan([planned(1, at: 1_000)])
    var wake = playback.step(now: .zero)
    while let next = wake, next < milliseconds(1_500) {
      card.now = next
      wake = playback.step(now: next)
    }
    card.now = milliseconds(3_000)
    _ = playback.step(now: card.now)
    // 2 s of a decay of 2 s: 60 dB down.
    let loudest = card.heard.filter { $0.instant >= milliseconds(3_000) }.map(\.level).max() ?? 0
    #expect(loudest < 0.1 * 1.15 / 1_000 * 1.02)
    #expect(loudest > 0.1 / 1_000 * 0.9)
  }

  @Test func stall_ofARunningCard_isNoticedAndTheCardReopened() {
    let card = SimulatedCard()
    card.stalledFrom = milliseconds(1_200)
    card.stalledUntil = milliseconds(4_000)
    var stage = Stage(card, settings: PlaybackSettings(hold: .seconds(10)))
    stage.plan([planned(1, at: 1_000), planned(2, at: 8_000)])
    stage.run(until: milliseconds(30_000))
    #expect(stage.reports.contains("stalled"))
    #expect(stage.strikes.map(\.outcome) == [.rung, .rung])
    #expect(
      (card.onsets.last.map { ($0 - milliseconds(8_000)).nanoseconds.magnitude } ?? 0) < 50_000)
  }

  @Test func shortWrites_loseNoFrame() {
    let whole = SimulatedCard()
    let short = SimulatedCard()
    short.greatestWrite = 700
    for card in [whole, short] {
      var stage = Stage(card)
      stage.plan([planned(1, at: 1_000)])
      stage.run(until: milliseconds(10_000))
      #expect(card.prepares == 0)
    }
    let sound = [whole, short].map { $0.heard.map(\.level).filter { $0 > 0 } }
    #expect(sound[0].count > 1_000)
    let isEqual = sound[0] == sound[1]
    #expect(isEqual)
  }

  @Test func slowOpening_withinHalfASecond_delaysNoStrike() {
    let card = SimulatedCard()
    card.openingSpan = .milliseconds(490)
    var stage = Stage(card)
    stage.plan([planned(1, at: 2_000)])
    stage.run(until: milliseconds(10_000))
    #expect(stage.strikes.map(\.outcome) == [.rung])
    #expect((card.onsets[0] - milliseconds(2_000)).nanoseconds.magnitude < 50_000)
  }

  @Test func smallBuffer_ofTheCard_isKeptFilled() {
    let card = SimulatedCard()
    card.bufferFrames = 2_048
    var stage = Stage(card)
    stage.plan([planned(1, at: 2_000)])
    stage.run(until: milliseconds(10_000))
    #expect(card.prepares == 0)
    #expect(stage.strikes.map(\.outcome) == [.rung])
  }
}
