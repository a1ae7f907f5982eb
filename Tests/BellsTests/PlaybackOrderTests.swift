import Bells
import Testing
import Ticks

private func metronome(
  _ cards: [SimulatedCard] = [SimulatedCard()], ring: Span = .milliseconds(500),
  hold: Span = .seconds(2)
) -> Stage<Metronome> {
  for card in cards { card.isRecording = false }
  return Stage(
    cards: cards, player: Metronome(card: cards[0], ring: ring),
    settings: PlaybackSettings(hold: hold))
}

/// What hands and settings ask of the device: keep-alive, offset, lead-in, pace.
@Suite struct PlaybackOrderTests {
  @Test func wakeUps_whileABowlRings_areAtMost25ASecond() {
    var stage = metronome(ring: .seconds(60))
    stage.plan([planned(1, at: 2_000)])
    stage.run(until: milliseconds(3_000))
    let before = stage.wakeUps
    stage.card.leastQueued = .max
    stage.run(for: .seconds(40))
    #expect(stage.wakeUps - before <= 25 * 40)
    // Of the 100 ms that an answer may wait for.
    #expect(stage.card.leastQueued >= 4_800 - 48 * 48)
  }

  /// Of 100 ms, which is all that an answer may wait for, two thirds are let pass.
  @Test func wakeUps_whileTheDeviceIsMerelyHeld_areAtMost16ASecond() {
    var stage = metronome()
    stage.card.traits.keepAlive = .always
    stage.step()
    stage.run(until: milliseconds(1_000))
    let before = stage.wakeUps
    stage.run(for: .seconds(60))
    #expect(stage.wakeUps - before <= 16 * 60)
    #expect(stage.card.prepares == 0)
    #expect(stage.playback.phase == .holding)
  }

  @Test func wakeUps_whileAHandIsAtTheBox_areNoMoreThanThoseOfAHeldDevice() {
    var stage = metronome(hold: .seconds(30))
    stage.warm()
    stage.run(until: milliseconds(10_000))
    #expect(stage.wakeUps <= 16 * 10)
    let before = stage.wakeUps
    stage.run(for: .seconds(10))
    #expect(stage.wakeUps - before <= 16 * 10)
  }

  @Test func bell_thatComesWhileAHandIsAtTheBox_isQueuedFarAheadOf() {
    var stage = metronome()
    stage.warm()
    stage.plan([planned(1, at: 9_000)])
    stage.run(until: milliseconds(8_300))
    let before = stage.wakeUps
    stage.card.leastQueued = .max
    stage.run(until: milliseconds(8_790))
    #expect(stage.wakeUps - before <= 13)
    #expect(stage.card.leastQueued >= 9_600 - 48 * 48)
    stage.run(until: milliseconds(20_000))
    #expect(stage.strikes.map(\.outcome) == [.rung])
    #expect(stage.card.prepares == 0)
  }

  @Test func offset_ofAnOutput_playsStrikesEarlierAndTellsWhenTheyAreHeard() {
    for offset in [Int64(250), -40] {
      let card = SimulatedCard()
      card.traits.offset = .milliseconds(offset)
      var stage = metronome([card])
      stage.plan([planned(1, at: 20_000), planned(2, at: 21_000)])
      #expect(stage.wake == milliseconds(20_000 - offset - 1_200))
      stage.run(until: milliseconds(30_000))
      for (mark, due) in zip(card.marks, [Int64(20_000), 21_000]) {
        #expect((mark - milliseconds(due - offset)).nanoseconds.magnitude <= 21_000)
      }
      for (strike, due) in zip(stage.strikes, [Int64(20_000), 21_000]) {
        #expect((strike.started - milliseconds(due)).nanoseconds.magnitude <= 21_000)
        #expect(strike.outcome == .rung)
      }
    }
  }

  @Test func keepAlive_sit_opensWithTheSitAndClosesAfterIt() {
    let card = SimulatedCard()
    card.traits.keepAlive = .sit
    var stage = metronome([card])
    stage.step()
    #expect(stage.wake == nil)
    stage.playback.setSitting(true)
    stage.step()
    #expect(card.isOpen)
    stage.run(until: milliseconds(1_500_000))
    #expect(card.isOpen)
    stage.playback.setSitting(false)
    stage.step()
    let ended = card.now
    stage.run(until: ended + .milliseconds(1_999))
    #expect(card.isOpen)
    stage.run(until: ended + .milliseconds(2_500))
    #expect(!card.isOpen)
    #expect(card.opens == 1)
    #expect(stage.wake == nil)
  }

  @Test func row5_policyAlways_isOpenFromTheStartAndNeverClosed() {
    let card = SimulatedCard()
    card.traits.keepAlive = .always
    var stage = metronome([card])
    stage.step()
    #expect(card.isOpen)
    stage.plan([planned(1, at: 600_000)])
    stage.run(until: milliseconds(3_600_000))
    #expect(stage.reports == ["opened 48000"])
    #expect(card.isOpen)
    stage.playback.finish()
    stage.step()
    stage.run(for: .seconds(1))
    #expect(!card.isOpen)
    #expect(stage.wake == nil)
  }

  @Test func row2_leadInOfTenSeconds_isOpenedForAndTheBellIsOnTime() {
    let card = SimulatedCard()
    card.traits.leadIn = .seconds(10)
    var stage = metronome([card])
    stage.plan([planned(1, at: 60_000)])
    #expect(stage.wake == milliseconds(49_000))
    stage.run(until: milliseconds(58_700))
    #expect(stage.playback.phase == .leadingIn)
    stage.run(until: milliseconds(70_000))
    #expect(stage.strikes.map(\.outcome) == [.rung])
  }

  @Test func row3_sessionOfTwentyBells_opensTheDeviceOnce() {
    var stage = metronome(ring: .seconds(30))
    let strikes = (0..<20).map { planned(UInt32($0), at: 5_000 + Int64($0) * 30_000) }
    for first in 0..<20 {
      stage.plan(Array(strikes[first..<min(20, first + 8)]))
      stage.run(until: strikes[first].due)
    }
    stage.run(for: .seconds(60))
    #expect(stage.card.opens == 1)
    #expect(stage.card.tries == 1)
    #expect(stage.strikes.count == 20)
    #expect(stage.strikes.allSatisfy { $0.outcome == .rung })
    #expect(stage.reports == ["opened 48000", "closed"])
  }

  @Test func row6_streamThatIsHeld_isFedWithoutAGap() {
    for buffer in [2_048, 9_600, 48_000, 240_000] {
      let card = SimulatedCard()
      card.bufferFrames = buffer
      card.traits.keepAlive = .always
      var stage = metronome([card])
      stage.step()
      stage.plan([planned(1, at: 20_000)])
      stage.run(until: milliseconds(60_000))
      #expect(card.prepares == 0)
      #expect(card.leastQueued > 0)
      #expect(card.mostQueued <= min(buffer, 48_000))
    }
  }

  @Test func ambient_onAClosedDevice_opensItAndHoldsItUntilItIsOver() {
    var stage = metronome()
    stage.playback.setAmbient(.rain, now: stage.card.now)
    stage.step()
    #expect(stage.card.isOpen)
    stage.run(until: milliseconds(600_000))
    stage.playback.damp()
    stage.step()
    stage.run(until: milliseconds(610_000))
    #expect(stage.card.isOpen)
    #expect(stage.playback.phase == .running)
    stage.playback.setAmbient(nil, now: stage.card.now)
    stage.step()
    stage.run(until: milliseconds(611_900))
    #expect(stage.card.isOpen)
    stage.run(until: milliseconds(613_000))
    #expect(!stage.card.isOpen)
    #expect(stage.reports == ["opened 48000", "closed"])
  }

  @Test func retry_ofALostOutput_triesItAtTheNextStep() {
    let card = SimulatedCard()
    card.traits.keepAlive = .always
    card.goneFrom = .zero
    card.backAt = milliseconds(100_000)
    var stage = metronome([card])
    stage.step()
    stage.run(until: milliseconds(99_000))
    #expect(stage.playback.phase == .lost)
    card.now = milliseconds(100_000)
    stage.playback.retry()
    stage.step()
    #expect(card.isOpen)
  }

  @Test func damp_inMidTail_keepsWhatIsPlanned() {
    var stage = metronome(ring: .seconds(60))
    stage.plan([planned(1, at: 2_000), planned(2, at: 4_000)])
    stage.run(until: milliseconds(3_000))
    stage.playback.damp()
    stage.step()
    stage.run(until: milliseconds(6_000))
    #expect(stage.strikes.map(\.outcome) == [.rung, .rung])
  }

  @Test func closing_endsWithAPeriodOfSilenceAtLeastThoughNothingIsHeld() {
    let card = SimulatedCard()
    var stage = Stage(card, settings: PlaybackSettings(hold: .zero))
    stage.plan([planned(1, at: 2_000)])
    stage.run(until: milliseconds(10_000))
    let last = card.heard.last { $0.level > 0 }?.instant ?? .zero
    let end = card.heard.last?.instant ?? .zero
    #expect(end - last >= .milliseconds(47))
  }
}
