import Bells
import Testing
import Ticks

private let frame = Span(nanoseconds: 20_845)

/// Whether a strike began within a frame of its instant, which lasts a little longer on a slow
/// card. Its own first frame is zero, so what is heard of it begins with the next one.
private func isOnFrame(_ onset: Instant, _ due: Instant) -> Bool {
  let began = onset - frame
  return (began - due).nanoseconds.magnitude <= frame.nanoseconds.magnitude
}

@Suite struct PlaybackTests {
  @Test func step_withNothingPlanned_asksForNoWakeUp() {
    var stage = Stage()
    stage.step()
    #expect(stage.wake == nil)
    #expect(stage.card.opens == 0)
  }

  @Test func strike_plannedAhead_isOpenedForInTimeAndRingsOnItsFrame() {
    var stage = Stage()
    stage.plan([planned(1, at: 60_000)])
    #expect(stage.wake == milliseconds(60_000 - 200 - 1_000))
    stage.run(until: milliseconds(58_799))
    #expect(stage.card.opens == 0)
    stage.run(until: milliseconds(58_800))
    #expect(stage.card.opens == 1)
    #expect(stage.playback.phase == .opening)
    stage.run(until: milliseconds(59_700))
    #expect(stage.playback.phase == .running)
    stage.run(until: milliseconds(90_000))
    #expect(stage.card.onsets.count == 1)
    #expect(isOnFrame(stage.card.onsets[0], milliseconds(60_000)))
    #expect(stage.strikes.map(\.outcome) == [.rung])
    #expect((stage.strikes[0].started - milliseconds(60_000)).nanoseconds.magnitude <= 10_417)
    #expect(stage.reports == ["opened 48000", "closed"])
    #expect(stage.wake == nil)
  }

  @Test func tail_ofAStrike_isHeardWholeBeforeTheDeviceCloses() {
    var stage = Stage(settings: PlaybackSettings(hold: .zero))
    stage.plan([planned(1, at: 2_000)])
    stage.run(until: milliseconds(10_000))
    let last = stage.card.heard.last { $0.level > 0 }
    #expect(last.map { $0.level < 1.2e-5 } == true)
    #expect(stage.playback.phase == .closed)
  }

  @Test func quiet_beforeTheDeviceCloses_isToldAndRunsItsSpan() {
    var stage = Stage(settings: PlaybackSettings(hold: .zero, quiet: .milliseconds(100)))
    stage.plan([planned(1, at: 2_000)])
    while !stage.reports.contains("closing") && stage.card.now < milliseconds(10_000) {
      stage.run(until: stage.card.now + .milliseconds(1))
    }
    let told = stage.card.now
    #expect(stage.reports == ["opened 48000", "closing"])
    stage.run(until: told + .milliseconds(99))
    #expect(stage.card.isOpen)
    stage.run(until: told + .milliseconds(100))
    #expect(!stage.card.isOpen)
    #expect(stage.reports == ["opened 48000", "closing", "closed"])
  }

  @Test func strike_plannedWhileTheDeviceIsBeingClosed_isHeardWholeAfterIt() {
    var stage = Stage(settings: PlaybackSettings(hold: .zero, quiet: .milliseconds(100)))
    stage.plan([planned(1, at: 2_000)])
    while !stage.reports.contains("closing") && stage.card.now < milliseconds(10_000) {
      stage.run(until: stage.card.now + .milliseconds(1))
    }
    let onsets = stage.card.onsets.count
    stage.playback.plan([
      Strike(number: 2, sound: 0, due: stage.card.now + .milliseconds(60), gain: 1)
    ])
    stage.run(until: stage.card.now + .seconds(1))
    #expect(stage.strikes.map(\.outcome) == [.rung, .late])
    #expect(stage.card.onsets.count == onsets + 1)
  }

  @Test func warm_whileTheDeviceIsBeingClosed_opensItAnew() {
    var stage = Stage(settings: PlaybackSettings(hold: .zero, quiet: .milliseconds(100)))
    stage.plan([planned(1, at: 2_000)])
    while !stage.reports.contains("closing") && stage.card.now < milliseconds(10_000) {
      stage.run(until: stage.card.now + .milliseconds(1))
    }
    stage.playback.warm(now: stage.card.now)
    stage.run(until: stage.card.now + .milliseconds(200))
    #expect(stage.reports == ["opened 48000", "closing", "closed", "opened 48000"])
  }

  @Test func hold_afterTheTail_lastsItsSpanAndThenTheDeviceCloses() {
    var stage = Stage()
    stage.plan([planned(1, at: 2_000)])
    stage.run(until: milliseconds(3_000))
    #expect(stage.playback.phase == .holding)
    stage.run(until: milliseconds(4_000))
    #expect(stage.card.isOpen)
    stage.run(until: milliseconds(4_300))
    #expect(!stage.card.isOpen)
  }

  @Test func strikes_withCardDrift_ringWithinAFrameOfTheirInstants() {
    for drift in [-300.0, 300] {
      let card = SimulatedCard()
      card.drift = drift
      var stage = Stage(card)
      let due: [Int64] = [1_000, 1_500, 2_200, 3_333, 8_000, 20_000]
      stage.plan(due.enumerated().map { planned(UInt32($0.offset), at: $0.element) })
      stage.run(until: milliseconds(40_000))
      #expect(stage.card.onsets.count == due.count)
      for (onset, instant) in zip(card.onsets, due) {
        #expect(isOnFrame(onset, milliseconds(instant)))
      }
    }
  }

  @Test func card_ofAnotherRate_ringsOnTimeAllTheSame() {
    let card = SimulatedCard()
    card.rateHertz = 44_100
    var stage = Stage(card)
    stage.plan([planned(1, at: 1_000), planned(2, at: 2_001)])
    stage.run(until: milliseconds(10_000))
    #expect(stage.reports.first == "opened 44100")
    for (onset, due) in zip(card.onsets, [1_000, 2_001]) {
      #expect(abs((onset - milliseconds(Int64(due))).nanoseconds - 22_676) <= 22_676)
    }
    #expect(card.onsets.count == 2)
  }

  @Test func strike_unannounced_waitsForTheLeadInAndIsLate() {
    var stage = Stage()
    stage.card.traits.leadIn = .milliseconds(300)
    stage.card.now = milliseconds(5_000)
    stage.plan([planned(1, at: 5_000)])
    stage.run(until: milliseconds(20_000))
    #expect(isOnFrame(stage.card.onsets[0], milliseconds(5_300)))
    #expect(stage.strikes.map(\.outcome) == [.late])
  }

  @Test func strike_whileTheDeviceRuns_ringsWithinTheQueue() {
    var stage = Stage()
    stage.playback.warm(now: .zero)
    stage.step()
    stage.run(until: milliseconds(3_000))
    stage.plan([planned(1, at: 3_000)])
    stage.run(until: milliseconds(4_000))
    #expect(
      stage.card.onsets[0] - milliseconds(3_000) <= Playback<SimulatedPCM, Mixer>.latencySpan
        + .milliseconds(1))
    stage.run(until: milliseconds(60_000))
    #expect(stage.playback.phase == .closed)
  }

  @Test func warm_withoutAStrike_opensHoldsAndCloses() {
    var stage = Stage()
    stage.playback.warm(now: .zero)
    stage.step()
    #expect(stage.card.isOpen)
    stage.run(until: milliseconds(9_900))
    #expect(stage.card.isOpen)
    stage.run(until: milliseconds(12_500))
    #expect(!stage.card.isOpen)
    #expect(stage.wake == nil)
    #expect(stage.wakeUps < 10 * 53 + 2 * 10)
  }

  @Test func plan_replaced_cancelsWhatHasNotBegun() {
    var stage = Stage()
    stage.plan([planned(1, at: 1_000), planned(2, at: 2_000)])
    stage.run(until: milliseconds(1_200))
    stage.plan([planned(1, at: 1_000)])
    stage.run(until: milliseconds(10_000))
    #expect(stage.strikes.map(\.number) == [1])
    #expect(stage.card.onsets.count == 1)
  }

  @Test func finish_inMidBell_dampsAndClosesWithinHalfASecond() {
    let card = SimulatedCard()
    var stage = Stage(card)
    stage.plan([planned(1, at: 1_000), planned(2, at: 5_000)])
    stage.run(until: milliseconds(1_005))
    stage.playback.finish()
    stage.step()
    stage.run(until: milliseconds(1_505))
    #expect(stage.playback.phase == .closed)
    #expect(stage.wake == nil)
    #expect(!card.isOpen)
    stage.plan([planned(3, at: 1_500)])
    #expect(stage.wake == nil)
  }
}
