import Bells
import Testing
import Ticks

private func metronome(_ card: SimulatedCard) -> Stage<Metronome> {
  card.isRecording = false
  return Stage(cards: [card], player: Metronome(card: card, ring: .milliseconds(500)))
}

/// A bell of sixteen strikes, half a second apart from a minute on.
private func bell(from number: UInt32 = 0, sound: Int = 0, channel: UInt8 = 0) -> [Strike] {
  (0..<16).map { index in
    Strike(
      number: number + index, sound: sound, due: milliseconds(60_000 + 500 * Int64(index)),
      gain: 1, channel: channel)
  }
}

/// A card that is unplugged as the first strike of a bell rings, and back 5.23 s later. It is led
/// in at 65,530 ms.
private func unplugged() -> SimulatedCard {
  let card = SimulatedCard()
  card.goneFrom = milliseconds(60_200)
  card.backAt = milliseconds(65_430)
  return card
}

extension Stage where Player: ~Copyable {
  /// Plays until the card is back, which is seen at once, and to the end.
  fileprivate mutating func runThroughTheLoss() {
    run(until: milliseconds(65_430))
    playback.retry()
    step()
    run(until: milliseconds(90_000))
  }
}

/// What becomes of strikes that are overdue together.
@Suite struct PlaybackOverdueTests {
  @Test func strikesOfABell_overdueAsTheCardComesBack_ringOnceAndTheRestKeepTheirInstants() {
    let card = unplugged()
    var stage = metronome(card)
    stage.plan(bell())
    stage.runThroughTheLoss()
    let missed = Array(repeating: StrikeReport.Outcome.missed, count: 9)
    #expect(
      stage.strikes.map(\.outcome) == [.rung, .missed, .late] + missed + [
        .rung, .rung, .rung, .rung,
      ])
    #expect(stage.strikes.map(\.number) == Array(0..<16))
    #expect(card.marks.count == 6)
    for (mark, due) in zip(card.marks.dropFirst(), [65_530, 66_000, 66_500, 67_000, 67_500]) {
      #expect((mark - milliseconds(Int64(due))).nanoseconds.magnitude <= 50_000)
    }
  }

  @Test func strikesOfABell_overdueAsTheCardComesBack_areAsLoudAsOne() {
    var levels: [Float] = []
    for strikes in [bell(), Array(bell()[2...2])] {
      let card = unplugged()
      var stage = Stage(card)
      stage.plan(strikes)
      stage.runThroughTheLoss()
      levels.append(card.heard.map(\.level).max() ?? 0)
    }
    #expect(levels[1] > 0.02)
    #expect(levels[0] < levels[1] * 1.01)
  }

  @Test func strikesOfOtherSoundsAndChannels_overdueTogether_ringOnceEach() {
    var stage = metronome(unplugged())
    stage.plan(Array(bell()[2..<6]))
    stage.playback.plan(
      Array(bell()[2..<6]) + Array(bell(from: 100, sound: 1)[2..<6])
        + Array(bell(from: 200, channel: 3)[2..<6]))
    stage.runThroughTheLoss()
    #expect(stage.strikes.filter { $0.outcome == .late }.map(\.number) == [2, 102, 202])
    #expect(stage.strikes.filter { $0.outcome == .missed }.count == 9)
  }

  @Test func strikesOfALaterPlan_overdueBesideOneThatBeganLate_areMissed() {
    let card = unplugged()
    var stage = metronome(card)
    stage.plan(Array(bell()[2..<4]))
    stage.run(until: milliseconds(65_430))
    stage.playback.retry()
    stage.step()
    while !stage.strikes.contains(where: { $0.outcome == .late }) {
      stage.run(for: .milliseconds(1))
    }
    stage.plan(Array(bell()[4...]))
    stage.run(until: milliseconds(90_000))
    #expect(stage.strikes.filter { $0.outcome == .late }.map(\.number) == [2])
    #expect(stage.strikes.filter { $0.outcome == .rung }.map(\.number) == [12, 13, 14, 15])
  }

  @Test func strikes_dueWithinTheLeadIn_ringOnceAtItsEnd() {
    let card = SimulatedCard()
    card.traits.leadIn = .seconds(2)
    var stage = metronome(card)
    stage.card.now = milliseconds(5_000)
    stage.plan([planned(1, at: 5_000), planned(2, at: 6_000), planned(3, at: 7_005)])
    stage.run(until: milliseconds(20_000))
    #expect(stage.strikes.map(\.outcome) == [.late, .missed, .rung])
  }

  @Test func strikes_overdueAfterALateWakeUp_ringOnce() {
    var stage = metronome(SimulatedCard())
    stage.plan([1_000, 2_000, 2_100, 2_200, 3_000].map { planned(UInt32($0), at: $0) })
    stage.run(until: milliseconds(1_500))
    stage.card.now = milliseconds(2_400)
    stage.step()
    stage.run(until: milliseconds(10_000))
    #expect(stage.strikes.map(\.outcome) == [.rung, .late, .missed, .missed, .rung])
  }

  @Test func strikes_lateOneAfterTheOther_allRing() {
    var stage = metronome(SimulatedCard())
    stage.plan([1_000, 2_000, 3_000].map { planned(UInt32($0), at: $0) })
    stage.run(until: milliseconds(1_500))
    for late in [2_400, 3_400] as [Int64] {
      stage.card.now = milliseconds(late)
      stage.step()
      stage.run(for: .milliseconds(300))
    }
    #expect(stage.strikes.map(\.outcome) == [.rung, .late, .late])
  }

  @Test func strikes_closeToEachOtherAndOnTime_allRingAlsoAfterALateOne() {
    let card = SimulatedCard()
    var stage = metronome(card)
    stage.card.now = milliseconds(5_000)
    let close = (0..<8).map { planned(UInt32(10 + $0), at: 5_101 + 2 * Int64($0)) }
    let together = [planned(20, at: 6_000), planned(21, at: 6_000)]
    stage.plan([planned(1, at: 5_050)] + close + together)
    stage.run(until: milliseconds(20_000))
    #expect(stage.strikes.count == 11)
    #expect(stage.strikes.map(\.outcome) == [.late] + Array(repeating: .rung, count: 10))
  }
}
