import Bells
import Glibc
import Testing
import Ticks

/// One of the two resonators of a partial, alone.
private struct Member: Sendable, CustomTestStringConvertible {
  var sound: Sound
  var hertz: Double
  var decaySeconds: Double
  var testDescription: String { sound.name }
}

/// Every resonator of a sound as a sound of its own.
private func members(of sound: Sound) -> [Member] {
  var members: [Member] = []
  for partial in sound.partials {
    for side in [-0.5, 0.5] where side < 0 || partial.pairRatio > 0 {
      var alone = sound
      alone.noise = nil
      alone.width = 0
      alone.amplitude = 0.1
      alone.partials = [partial]
      alone.partials[0].level = side < 0 ? 1 : 1e-9
      alone.partials[0].pairRatio = side < 0 ? 0 : 1e9
      members.append(
        Member(
          sound: alone, hertz: partial.frequencyHertz + side * partial.beatHertz,
          decaySeconds: partial.decaySeconds))
    }
  }
  return members
}

/// The amplitude and the phase (in turns) of a frequency in a stretch of the left channel.
private func spectrum(
  of hertz: Double, in samples: [Float], count: Int
) -> (amplitude: Double, turns: Double) {
  var across = 0.0
  var up = 0.0
  for frame in 0..<count {
    let window = 1 - cos(2 * Double.pi * Double(frame) / Double(count))
    let angle = 2 * Double.pi * hertz * Double(frame) / 48_000
    across += window * Double(samples[2 * frame]) * cos(angle)
    up -= window * Double(samples[2 * frame]) * sin(angle)
  }
  return ((across * across + up * up).squareRoot(), atan2(up, across) / (2 * Double.pi))
}

/// What two short stretches, some time apart, say of a resonator's frequency and decay.
private func measured(_ member: Member) -> (hertz: Double, decaySeconds: Double) {
  var mixer = Mixer(sounds: [member.sound])
  mixer.strike(Strike(number: 0, sound: 0, due: .zero, gain: 1))
  mixer.skip(frames: Int(member.sound.mallet.contactSeconds * 48_000) + 2)
  // Ten turns at least, and a sixth of the decay at most where that is more.
  let count = max(Int(480_000 / member.hertz), min(1_200, Int(member.decaySeconds * 8_000)))
  let apart = max(count, Int(min(0.5, member.decaySeconds / 3) * 48_000))
  var block = Array(repeating: Float(0), count: 2 * count)
  mixer.render(0..<count, into: &block)
  let early = spectrum(of: member.hertz, in: block, count: count)
  mixer.skip(frames: apart - count)
  mixer.render(0..<count, into: &block)
  let late = spectrum(of: member.hertz, in: block, count: count)
  let seconds = Double(apart) / 48_000
  let expected = member.hertz * seconds
  let turned = late.turns - early.turns - expected
  return (
    member.hertz + (turned - turned.rounded()) / seconds,
    seconds * 60 / (20 * log10(early.amplitude / late.amplitude))
  )
}

@Suite struct RecipeTests {
  @Test(arguments: Sound.catalogue.indices) func recipe_rendered_hasItsPartialsDecaysAndBeats(
    _ index: Int
  ) {
    for member in members(of: Sound.catalogue[index]) {
      let found = measured(member)
      #expect(abs(1_200 * log2(found.hertz / member.hertz)) < 0.3)
      #expect(abs(found.hertz - member.hertz) < 0.02)
      #expect(abs(found.decaySeconds / member.decaySeconds - 1) < 0.02)
    }
  }

  @Test func shortRecipes_rendered_beginAndEndAtZeroWithAMeanOfZero() {
    for (index, sound) in Sound.catalogue.enumerated() where sound.seconds < 0.6 {
      let samples = samples([.init(frame: 0, action: .strike(sound: index))])
      #expect(samples.prefix(2) == [0, 0])
      #expect(samples.suffix(2) == [0, 0])
      let mean = samples.reduce(0.0) { $0 + Double($1) } / Double(samples.count)
      #expect(abs(mean) < 1e-6)
      #expect(samples.contains { abs($0) > 0.1 })
    }
  }

  @Test func largeBowl_atTheEndOfItsTail_isLedToZero() {
    var mixer = Mixer()
    mixer.strike(Strike(number: 0, sound: 0, due: .zero, gain: 1))
    mixer.skip(frames: Int((Sound.catalogue[0].seconds - 0.3) * 48_000))
    #expect(mixer.isSilent == false)
    var block = Array(repeating: Float(9), count: 2 * 16_000)
    mixer.render(0..<16_000, into: &block)
    #expect(mixer.isSilent == true)
    #expect(block[0] != 0)
    #expect(block.allSatisfy { abs($0) < 1.1e-5 })
    let last = block.lastIndex { $0 != 0 } ?? 0
    #expect(abs(block[last]) < 1e-9)
    #expect(last < block.count - 2)
  }

  @Test func catalogue_offersTheBellsFirstAndTheCuesAfterThem() {
    #expect(
      Sound.bellNames == [
        "large-bowl", "small-bowl", "rin", "keisu", "temple-bell", "inkin", "tingsha",
        "church-bell", "mokugyo", "han", "jukbi", "moktak", "taku", "shinrei", "plain-chime",
      ])
    #expect(Sound.names == Sound.bellNames + ["tap", "tap-low", "tick", "tick-low"])
    #expect(Sound.bellCount == 15)
  }

  @Test func smallSpeaker_ofEachSound_losesWhatItCannotCarry() {
    let full = Sound.catalogue(for: .full)
    let small = Sound.catalogue(for: .small)
    #expect(full == Sound.catalogue)
    #expect(small.map { $0.name } == full.map { $0.name })
    for (index, sound) in small.enumerated() {
      #expect(sound.amplitude == full[index].smallAmplitude)
      #expect(sound.partials.allSatisfy { $0.frequencyHertz > 140 })
    }
    // At 250 Hz it is 3 dB, an octave below 48 dB.
    var tone = tone(250)
    #expect(abs(tone.adapted(to: .small).partials[0].level - 0.70711) < 1e-5)
    tone.partials[0].frequencyHertz = 125
    #expect(tone.adapted(to: .small).partials.isEmpty)
    tone.partials[0].frequencyHertz = 500
    #expect(abs(tone.adapted(to: .small).partials[0].level - 1) < 1e-5)
  }
}
