import Bells
import Glibc
import Testing
import Ticks

private func bowl(strength: Float) -> [Float] {
  let strike = Strike(number: 0, sound: 0, due: .zero, gain: 1, strength: strength)
  return samples([.init(frame: 0, action: .strike(strike))], atMost: 9_600)
}

@Suite struct StrengthTests {
  @Test func strike_softer_isLessLoudAndDarker() {
    let full = bowl(strength: 1)
    let soft = bowl(strength: 0.25)
    func fall(_ hertz: Double) -> Double {
      amplitude(of: hertz, in: full, from: 2_400, count: 4_800)
        / amplitude(of: hertz, in: soft, from: 2_400, count: 4_800)
    }
    let low = fall(220.5)
    let high = fall(1_143.1)
    let highest = fall(2_574)
    // At 0 Hz it would be 4.
    #expect(low > 4.5 && low < 20)
    #expect(high > 1.5 * low)
    #expect(highest > 1.5 * low)
  }

  @Test func strike_softer_risesMoreSlowly() {
    // The contact goes with the strength to the power (1 - 2.5) / (1 + 2.5).
    func peak(_ samples: [Float]) -> Double {
      amplitude(of: 220.5, in: samples, from: 0, count: 240)
    }
    func share(_ strength: Float) -> Double {
      let sound = bowl(strength: strength)
      return peak(sound) / amplitude(of: 220.5, in: sound, from: 2_400, count: 4_800)
    }
    #expect(share(0.1) < 0.8 * share(1))
  }

  @Test func strikes_ofWood_areTheSameEachTime() {
    let han = Sound.index(named: "han") ?? 0
    let once = samples([.init(frame: 0, action: .strike(sound: han))])
    let again = samples([.init(frame: 0, action: .strike(sound: han))])
    #expect(once == again)
    #expect(once[2] != 0)
  }

  @Test func wood_inAnyBlocks_isTheSameToTheBit() {
    let sounds = [Sound.catalogue[Sound.index(named: "moktak") ?? 0]]
    var whole = Mixer(sounds: sounds)
    var split = Mixer(sounds: sounds)
    var expected = Array(repeating: Float(0), count: 2 * 4_000)
    var found = expected
    let strike = Strike(number: 0, sound: 0, due: .zero, gain: 1, strength: 0.7)
    whole.strike(strike)
    split.strike(strike)
    whole.render(0..<4_000, into: &expected)
    var done = 0
    for count in [1, 0, 239, 1, 1_000, 17, 2_742] {
      split.render(done..<(done + count), into: &found)
      done += count
    }
    #expect(done == 4_000)
    #expect(found == expected)
  }

  @Test func sound_onTwoChannels_hasAVolumeForEach() {
    var mixer = Mixer(sounds: [tone(1_000, decaySeconds: 60)])
    var volumes = Volumes(0)
    volumes[1] = 100
    volumes[4] = 50
    mixer.setVolumes(volumes)
    func level() -> Double {
      var block = Array(repeating: Float(0), count: 2 * 7_200)
      mixer.render(0..<7_200, into: &block)
      return amplitude(of: 1_000, in: block, from: 2_400, count: 4_800)
    }
    mixer.strike(Strike(number: 0, sound: 0, due: .zero, gain: 1, channel: 0))
    #expect(level() == 0)
    mixer.strike(Strike(number: 0, sound: 0, due: .zero, gain: 1, channel: 4))
    let half = level()
    mixer.strike(Strike(number: 0, sound: 0, due: .zero, gain: 1, channel: 1))
    #expect(mixer.ringing == 3)
    // In phase after a whole number of turns: 1 and an eighth.
    #expect(abs(level() / half - 9) < 0.1)
    volumes[1] = 0
    mixer.setVolumes(volumes)
    _ = level()
    #expect(abs(level() / half - 1) < 0.1)
  }

  @Test func eightBells_atOnce_neverReachFullScaleAndAreCounted() {
    for sounds in [Array(0..<8), Array(7..<15), [4, 4, 4, 4, 7, 7, 7, 7]] {
      var mixer = Mixer()
      var block = Array(repeating: Float(0), count: 2 * 4_800)
      for sound in sounds { mixer.strike(Strike(number: 0, sound: sound, due: .zero, gain: 1)) }
      mixer.render(0..<4_800, into: &block)
      #expect(block.allSatisfy { abs($0) < 0.99 })
      #expect(mixer.limiterActivations >= 1)
    }
    var mixer = Mixer()
    var block = Array(repeating: Float(0), count: 2 * 4_800)
    mixer.strike(Strike(number: 0, sound: 7, due: .zero, gain: 1))
    mixer.render(0..<4_800, into: &block)
    #expect(mixer.limiterActivations == 0)
  }
}
