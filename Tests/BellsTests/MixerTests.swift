import Bells
import Testing

private func render(_ mixer: inout Mixer, frames: Int) -> [Float] {
  var block = Array(repeating: Float(9), count: 2 * frames)
  mixer.render(0..<frames, into: &block)
  return block
}

private func peak(_ samples: some Sequence<Float>) -> Float {
  samples.reduce(0) { max($0, abs($1)) }
}

private func greatestDifference(_ left: [Float], _ right: [Float]) -> Float {
  #expect(left.count == right.count)
  return peak(zip(left, right).map { $0 - $1 })
}

@Suite struct MixerTests {
  @Test func silence_rendered_isExactlyZero() {
    var mixer = Mixer()
    #expect(render(&mixer, frames: 64) == Array(repeating: 0, count: 128))
    #expect(mixer.isSilent == true)
  }

  @Test func strikes_overlapping_areTheSumOfTheirParts() {
    let later = 2_500
    let both = samples(
      [.init(frame: 0, action: strike), .init(frame: later, action: strike)], atMost: 12_000)
    let alone = samples([.init(frame: 0, action: strike)], atMost: 12_000)
    var sum = alone
    for index in (2 * later)..<sum.count { sum[index] += alone[index - 2 * later] }
    #expect(greatestDifference(both, sum) < 1e-6)
  }

  @Test func strikes_withinOneOnset_areTheSumOfTheirParts() {
    let frames = [0, 7, 50, 111]
    let all = samples(frames.map { .init(frame: $0, action: strike) }, atMost: 3_000)
    let alone = samples([.init(frame: 0, action: strike)], atMost: 3_000)
    var sum = Array(repeating: Float(0), count: all.count)
    for frame in frames {
      for index in (2 * frame)..<sum.count { sum[index] += alone[index - 2 * frame] }
    }
    #expect(greatestDifference(all, sum) < 1e-6)
  }

  @Test func strikes_ofOneSound_costOneVoice() {
    var mixer = Mixer()
    for _ in 0..<108 {
      mixer.strike(Strike(number: 0, sound: 0, due: .zero, gain: 0.01))
      _ = render(&mixer, frames: 100)
    }
    #expect(mixer.ringing == 1)
  }

  @Test func rendering_inAnyBlocks_isTheSame() {
    var whole = Mixer()
    var split = Mixer()
    whole.strike(Strike(number: 0, sound: 0, due: .zero, gain: 1))
    split.strike(Strike(number: 0, sound: 0, due: .zero, gain: 1))
    let expected = render(&whole, frames: 4_000)
    var found: [Float] = []
    for count in [1, 0, 239, 1, 1_000, 17, 2_742] { found += render(&split, frames: count) }
    #expect(found == expected)
  }

  @Test func eightStrikes_atOnce_neverReachFullScaleAndMoveNoOnset() {
    let frame = 1_000
    let loud = samples(
      Array(repeating: Rendering.Event(frame: frame, action: strike), count: 8), atMost: 48_000)
    let soft = samples([.init(frame: frame, action: strike)], atMost: 48_000)
    #expect(peak(loud) < 1)
    #expect(peak(loud) > 0.75)
    #expect(peak(soft) < 0.5)
    let first = loud.firstIndex { $0 != 0 }
    #expect(first == soft.firstIndex { $0 != 0 })
    // Until the knee is reached the limiter changes nothing.
    for index in (2 * frame)..<(2 * frame + 80) {
      #expect(abs(loud[index] - 8 * soft[index]) < 1e-5)
    }
  }

  @Test func seventeenthSound_struck_takesTheQuietestBankWithAFade() {
    var mixer = Mixer(sounds: (0..<17).map { tone(200 + 100 * Double($0), decaySeconds: 60) })
    for sound in 0..<16 {
      mixer.strike(Strike(number: 0, sound: sound, due: .zero, gain: sound == 5 ? 0.01 : 0.1))
    }
    _ = render(&mixer, frames: 4_800)
    #expect(mixer.ringing == 16)
    mixer.strike(Strike(number: 0, sound: 16, due: .zero, gain: 0.1))
    #expect(mixer.ringing == 16)
    let after = render(&mixer, frames: 9_600)
    let late = 4_800
    #expect(amplitude(of: 700, in: after, from: late, count: 4_800) < 2e-6)
    #expect(amplitude(of: 600, in: after, from: late, count: 4_800) > 5e-3)
    #expect(amplitude(of: 1_800, in: after, from: late, count: 4_800) > 5e-3)
    var steepest: Float = 0
    for frame in 1..<200 { steepest = max(steepest, abs(after[2 * frame] - after[2 * frame - 2])) }
    #expect(steepest < 0.03)
  }

  @Test func banks_moreThanThereAre_areTakenAtOnceAndNothingBreaks() {
    var mixer = Mixer(sounds: (0..<60).map { tone(200 + 100 * Double($0), decaySeconds: 60) })
    for sound in 0..<60 { mixer.strike(Strike(number: 0, sound: sound, due: .zero, gain: 0.1)) }
    #expect(mixer.ringing == 16)
    #expect(peak(render(&mixer, frames: 4_800)) < 1)
  }

  @Test func damp_ofARingingBowl_isGoneInThreeHundredMillisecondsHighPartialsFirst() {
    var mixer = Mixer()
    mixer.strike(Strike(number: 0, sound: 0, due: .zero, gain: 1))
    _ = render(&mixer, frames: 24_000)
    mixer.damp()
    let tail = render(&mixer, frames: 14_400)
    #expect(mixer.isSilent == true)
    let low = [0, 4_800].map { amplitude(of: 221, in: tail, from: $0, count: 2_400) }
    let high = [0, 4_800].map { amplitude(of: 1_145, in: tail, from: $0, count: 2_400) }
    #expect(low[0] / low[1] > 10)
    #expect(high[0] / high[1] > 10 * low[0] / low[1])
    var steepest: Float = 0
    for frame in 1..<14_400 { steepest = max(steepest, abs(tail[2 * frame] - tail[2 * frame - 2])) }
    #expect(steepest < 0.02)
  }

  @Test func strike_afterADamping_isWhole() {
    var mixer = Mixer()
    mixer.strike(Strike(number: 0, sound: 0, due: .zero, gain: 1))
    _ = render(&mixer, frames: 4_800)
    mixer.damp()
    _ = render(&mixer, frames: 9_600)
    mixer.strike(Strike(number: 0, sound: 0, due: .zero, gain: 1))
    let again = render(&mixer, frames: 24_000)
    let alone = samples([.init(frame: 0, action: strike)], atMost: 24_000)
    #expect(greatestDifference(Array(again[19_200...]), Array(alone[19_200...])) < 2e-5)
  }

  @Test func volume_changed_reachesTheCubeInTwentyMillisecondsWithoutAStep() {
    var mixer = Mixer(sounds: [tone(1_000, decaySeconds: 600)])
    mixer.strike(Strike(number: 0, sound: 0, due: .zero, gain: 1))
    let full = amplitude(of: 1_000, in: render(&mixer, frames: 9_600), from: 4_800, count: 4_800)
    mixer.setVolumes(Volumes(50))
    let ramp = render(&mixer, frames: 960)
    var steepest: Float = 0
    for frame in 1..<960 { steepest = max(steepest, abs(ramp[2 * frame] - ramp[2 * frame - 2])) }
    #expect(steepest < 0.02)
    let half = amplitude(of: 1_000, in: render(&mixer, frames: 4_800), from: 0, count: 4_800)
    #expect(abs(half / full - 0.125) < 0.001)
    mixer.setVolumes(Volumes(0))
    _ = render(&mixer, frames: 960)
    #expect(peak(render(&mixer, frames: 100)) == 0)
  }

  @Test func skip_ofSomeFrames_leavesTheSoundWhereItWouldBe() {
    var heard = Mixer()
    var unheard = Mixer()
    heard.strike(Strike(number: 0, sound: 0, due: .zero, gain: 1))
    unheard.strike(Strike(number: 0, sound: 0, due: .zero, gain: 1))
    _ = render(&heard, frames: 100)
    _ = render(&unheard, frames: 100)
    _ = render(&heard, frames: 5_000)
    unheard.skip(frames: 5_000)
    #expect(
      greatestDifference(render(&heard, frames: 500), render(&unheard, frames: 500)) < 1e-6)
    unheard.skip(frames: 48_000 * 99)
    #expect(unheard.isSilent == true)
  }

  @Test func retune_toAnotherRate_silencesAndToTheSameDoesNot() {
    var mixer = Mixer()
    mixer.strike(Strike(number: 0, sound: 0, due: .zero, gain: 1))
    mixer.retune(rateHertz: 48_000)
    #expect(mixer.isSilent == false)
    mixer.retune(rateHertz: 44_100)
    #expect(mixer.isSilent == true)
  }
}
