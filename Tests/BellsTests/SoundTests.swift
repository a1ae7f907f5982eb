import Bells
import Glibc
import Testing

/// Renders a course of sound whole, as one array of interleaved samples.
func samples(
  _ events: [Rendering.Event], sounds: [Sound] = Sound.catalogue, rateHertz: Int = 48_000,
  atMost limit: Int = .max / 2
) -> [Float] {
  var rendering = Rendering(events, sounds: sounds, rateHertz: rateHertz)
  var block: [Float] = []
  var all: [Float] = []
  while all.count < 2 * limit {
    let count = rendering.next(into: &block)
    if count == 0 { break }
    all += block[..<(2 * count)]
  }
  return Array(all.prefix(2 * limit))
}

/// A pure tone that is gone in 0.2 s.
func tone(_ hertz: Double, decaySeconds: Double = 0.1, amplitude: Double = 0.1) -> Sound {
  Sound(
    name: "tone", source: "a test",
    partials: [
      Partial(
        frequencyHertz: hertz, decaySeconds: decaySeconds, level: 1, beatHertz: 0, pairRatio: 0)
    ], onsetSeconds: 0.005, amplitude: amplitude)
}

let strike = Rendering.Event.Action.strike(sound: 0, gain: 1)

/// The amplitude of one frequency in a stretch of the left channel (a Hann-windowed correlation).
func amplitude(of hertz: Double, in samples: [Float], from: Int, count: Int) -> Double {
  var across = 0.0
  var up = 0.0
  for offset in 0..<count {
    let window = 1 - cos(2 * Double.pi * Double(offset) / Double(count))
    let angle = 2 * Double.pi * hertz * Double(offset) / 48_000
    across += window * Double(samples[2 * (from + offset)]) * cos(angle)
    up += window * Double(samples[2 * (from + offset)]) * sin(angle)
  }
  return 2 * (across * across + up * up).squareRoot() / Double(count)
}

@Suite struct SoundTests {
  @Test func catalogue_byName_hasTheLargeBowlAndNothingUnknown() {
    #expect(Sound.index(named: "large-bowl") == 0)
    #expect(Sound.index(named: "large bowl") == nil)
    #expect(Sound.catalogue[0].partials.map(\.frequencyHertz).first == 221)
  }

  @Test func seconds_ofOnePartial_isItsDecayToTheInaudible() {
    // The onset, from 0.1 x 1.15 to 1e-5 (81.2 dB at 60 dB in 0.1 s), and the rest to zero.
    let expected = 0.005 + 0.1 * 20 * log10(0.115 / 1e-5) / 60 + 0.2
    #expect(abs(tone(440).seconds - expected) < 1e-9)
    #expect(abs(tone(440, amplitude: 1e-6).seconds - 0.205) < 1e-9)
  }

  @Test func strike_ofTheLargeBowl_beginsAtZeroWithoutAClickAndRisesWithinTheOnset() {
    let sound = samples([.init(frame: 0, action: strike)], atMost: 4_800)
    #expect(sound[0] == 0 && sound[1] == 0)
    var steepest: Float = 0
    for frame in 1..<100 { steepest = max(steepest, abs(sound[2 * frame] - sound[2 * frame - 2])) }
    #expect(steepest < 0.01)
    #expect(sound[..<480].contains { abs($0) > 0.05 })
  }

  @Test func largeBowl_overItsFirstSecond_hasItsPartialsAndNoDirectCurrent() {
    let sound = samples([.init(frame: 0, action: strike)], atMost: 48_000)
    #expect(amplitude(of: 0, in: sound, from: 0, count: 48_000) < 1e-5)
    let bowl = Sound.catalogue[0]
    for partial in bowl.partials.prefix(3) {
      let low = partial.frequencyHertz - partial.beatHertz / 2
      let found = amplitude(of: low, in: sound, from: 480, count: 47_520)
      #expect(found > bowl.amplitude * partial.level * 0.3)
      #expect(amplitude(of: low + 60, in: sound, from: 480, count: 47_520) < found / 300)
    }
  }

  @Test func tone_atAnyRate_hasItsPitchAndItsDecay() {
    let slow = tone(1_000, decaySeconds: 1)
    let sound = samples([.init(frame: 0, action: strike)], sounds: [slow], atMost: 40_000)
    let early = amplitude(of: 1_000, in: sound, from: 4_800, count: 4_800)
    let later = amplitude(of: 1_000, in: sound, from: 4_800 + 24_000, count: 4_800)
    // Half a second is 30 dB of a decay of 60 dB a second.
    #expect(abs(20 * log10(early / later) - 30) < 0.05)
    let other = samples(
      [.init(frame: 0, action: strike)], sounds: [slow], rateHertz: 44_100, atMost: 40_000)
    let scaled = 1_000.0 * 48_000 / 44_100
    let peak = amplitude(of: scaled, in: other, from: 4_800, count: 9_600)
    #expect(peak > 1.1 * amplitude(of: scaled + 5, in: other, from: 4_800, count: 9_600))
    #expect(peak > 1.1 * amplitude(of: scaled - 5, in: other, from: 4_800, count: 9_600))
  }

  @Test func rendering_ofAStrike_lastsAsLongAsTheSoundSays() {
    let sound = samples([.init(frame: 0, action: strike)], sounds: [tone(440)])
    let seconds = Double(sound.count / 2) / 48_000
    let expected = tone(440).seconds
    #expect(seconds >= expected)
    #expect(seconds < expected + 2 * Double(Rendering.blockFrames) / 48_000)
    #expect(sound.suffix(2) == [0, 0])
  }

  @Test func partial_aboveWhatTheRateCarries_isSilent() {
    let sound = samples(
      [.init(frame: 0, action: strike)], sounds: [tone(23_000)], atMost: 4_800)
    #expect(!sound.contains { $0 != 0 })
  }
}
