import Bells
import Testing
import Ticks

private func held(
  _ card: SimulatedCard = SimulatedCard(), ring: Span = .milliseconds(30)
) -> Stage<Metronome> {
  card.traits.keepAlive = .always
  card.isRecording = false
  var stage = Stage(cards: [card], player: Metronome(card: card, ring: ring))
  stage.step()
  stage.run(until: milliseconds(5_000))
  return stage
}

extension Stage where Player: ~Copyable {
  /// The longest from an order to its being heard, of forty answers that are asked for at all
  /// places between two refills.
  /// - Parameter isAnswer: or else a bell that is rung by command.
  fileprivate mutating func longestAnswerSpan(isAnswer: Bool = true) -> Span {
    var longest = Span.zero
    for number in UInt32(1_000)..<1_040 {
      let ordered = card.now
      let known = card.marks.count
      plan([Strike(number: number, sound: 0, due: ordered, gain: 1, isAnswer: isAnswer)])
      run(for: .milliseconds(250))
      guard card.marks.count == known + 1 else { return .seconds(1) }
      longest = max(longest, card.marks[known] - ordered)
      run(for: .milliseconds(Int64(number) % 67))
    }
    return longest
  }
}

private let frame = Span.microseconds(21)
/// A cue is to answer within 120 ms; what is left is for the way to the output and behind it.
private let latency = Span.milliseconds(100)

/// How soon what a hand asks for is heard, whatever the device is open for.
@Suite struct PlaybackAnswerTests {
  @Test func latency_thatIsTold_leaves20msOf120() {
    #expect(Playback<SimulatedPCM, Mixer>.latencySpan == latency)
  }

  @Test func answer_onADeviceThatIsMerelyHeld_soundsWithinTheLatency() {
    for (buffer, granular) in [(2_048, 1), (9_600, 1), (9_600, 480), (96_000, 1)] {
      let card = SimulatedCard()
      card.bufferFrames = buffer
      card.granularFrames = granular
      var stage = held(card)
      #expect(stage.playback.phase == .holding)
      let answer = stage.longestAnswerSpan()
      #expect(answer <= latency + frame)
      #expect(card.prepares == 0)
    }
  }

  @Test func bellByCommand_onADeviceThatIsMerelyHeld_soundsWithinTheLatency() {
    var stage = held()
    let span = stage.longestAnswerSpan(isAnswer: false)
    #expect(span <= latency + frame)
    #expect(stage.card.prepares == 0)
  }

  @Test func answer_whileATailRings_soundsWithinTheLatency() {
    var stage = held(ring: .seconds(600))
    stage.plan([planned(1, at: 6_000)])
    // No sooner than a cue is given beside a bell.
    stage.run(until: milliseconds(6_250))
    let span = stage.longestAnswerSpan()
    #expect(span <= latency + frame)
    #expect(stage.playback.phase == .running)
    #expect(stage.card.prepares == 0)
  }

  @Test func answer_whileAmbientSounds_soundsWithinTheLatency() {
    var stage = held()
    stage.playback.setAmbient(.rain, now: stage.card.now)
    stage.run(for: .seconds(1))
    let span = stage.longestAnswerSpan()
    #expect(span <= latency + frame)
    #expect(stage.card.prepares == 0)
  }

  @Test func answers_fortyASecond_areEachHeardWhenTheyArePromised() {
    for (leadIn, offset) in [(Int64(100), Int64(0)), (100, 250), (100, -40), (2_000, 0)] {
      let card = SimulatedCard()
      card.isRecording = false
      card.traits.leadIn = .milliseconds(leadIn)
      card.traits.offset = .milliseconds(offset)
      var stage = Stage(cards: [card], player: Metronome(card: card, ring: .milliseconds(30)))
      stage.warm()
      stage.run(for: .milliseconds(leadIn))
      var promised: [Instant] = []
      for _ in 0..<40 {
        promised.append(card.now + latency + .milliseconds(offset))
        stage.warm()
        stage.plan(
          promised.enumerated().suffix(8).map {
            Strike(number: UInt32($0.offset), sound: 0, due: $0.element, gain: 1, isAnswer: true)
          })
        stage.run(for: .milliseconds(25))
      }
      stage.run(for: .seconds(1))
      #expect(stage.strikes.map(\.outcome) == promised.map { _ in .rung })
      #expect(card.marks.count == 40)
      for (mark, instant) in zip(card.marks, promised) {
        let heard = mark + .milliseconds(offset)
        #expect((heard - instant).nanoseconds.magnitude <= frame.nanoseconds.magnitude)
      }
    }
  }

  /// Two taps are one answer; what is asked for between them does not wait for a longer queue.
  @Test func answer_whileASecondTapIsStillToCome_soundsWithinTheLatency() {
    for apart in stride(from: Int64(0), through: 240, by: 7) {
      var stage = held()
      let first = stage.card.now + latency
      let taps = [(UInt32(1), Span.zero), (2, .milliseconds(150))].map {
        Strike(number: $0.0, sound: 0, due: first + $0.1, gain: 1, isAnswer: true)
      }
      stage.plan(taps)
      stage.run(for: .milliseconds(apart))
      let ordered = stage.card.now
      stage.plan([
        Strike(number: 3, sound: 0, due: ordered + latency, gain: 1, isAnswer: true)
      ])
      stage.run(for: .milliseconds(400))
      let last = stage.card.marks.last ?? .zero
      #expect((last - (ordered + latency)).nanoseconds.magnitude <= frame.nanoseconds.magnitude)
    }
  }

  @Test func answer_shortlyBeforeABell_waitsForTheLongQueueAndLeavesItLong() {
    var stage = held()
    stage.plan([planned(1, at: 20_000)])
    stage.run(until: milliseconds(19_300))
    stage.card.leastQueued = .max
    let ordered = stage.card.now
    stage.plan([
      planned(1, at: 20_000),
      Strike(number: 2, sound: 0, due: ordered, gain: 1, isAnswer: true),
    ])
    stage.run(until: milliseconds(19_790))
    let told = Playback<SimulatedPCM, Mixer>.nearLatencySpan
    #expect(told == .milliseconds(200))
    #expect(stage.card.marks[0] - ordered <= told + frame)
    #expect(stage.card.leastQueued >= 9_600 - 48 * 48)
  }

  @Test func warm_ofAColdDevice_letsACueSoundAfterItsLeadIn() {
    let card = SimulatedCard()
    var stage = Stage(cards: [card], player: Metronome(card: card, ring: .milliseconds(500)))
    stage.card.now = milliseconds(5_000)
    stage.warm()
    stage.plan([Strike(number: 1, sound: 0, due: card.now, gain: 1, isAnswer: true)])
    stage.run(for: .seconds(1))
    #expect(stage.card.marks[0] - milliseconds(5_100) <= frame)
  }
}
