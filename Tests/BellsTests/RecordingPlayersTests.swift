import Testing
import Ticks

@testable import Bells

/// Frames of a constant on the left, and its half on the right.
private func constant(frames: Int, value: Int16 = 16_000, gain: Float = 1) -> Sound {
  let samples = (0..<frames).flatMap { _ in [value, value / 2] }
  return Sound(
    name: "own/constant", source: "", recording: Recording(samples: samples, gain: gain))
}

private func sine(hertz: Double, seconds: Double) -> Sound {
  let frames = Int(seconds * 48_000)
  let samples = (0..<frames).flatMap { frame -> [Int16] in
    let value = Int16(20_000 * Mathematics.sine(2 * .pi * hertz * Double(frame) / 48_000))
    return [value, value]
  }
  return Sound(name: "own/sine", source: "", recording: Recording(samples: samples, gain: 1))
}

private func order(
  _ sound: Int = 0, gain: Float = 1, strength: Float = 1, channel: UInt8 = 0
) -> Strike {
  Strike(
    number: 0, sound: sound, due: .zero, gain: gain, strength: strength, channel: channel)
}

/// Players with their sounds, as the mixer has them.
private struct Rig {
  let sounds: [Sound]
  var players: RecordingPlayers
  var volumes = Array(repeating: Ramp(value: 1), count: Volumes.channelCount)

  init(_ sounds: [Sound], rateHertz: Int = 48_000) {
    self.sounds = sounds
    players = RecordingPlayers(rateHertz: rateHertz)
  }

  mutating func strike(_ strike: Strike) {
    guard let recording = sounds[strike.sound].recording else { return }
    players.strike(strike, of: recording)
  }

  mutating func render(_ frames: Int) -> [Float] {
    var block = [Float](repeating: 0, count: 2 * frames)
    players.render(0..<frames, of: sounds, volumes: volumes, into: &block)
    return block
  }

  func left(_ block: [Float]) -> [Float] {
    stride(from: 0, to: block.count, by: 2).map { block[$0] }
  }
}

@Test func recording_struck_playsItsFramesExactlyOnce() {
  var rig = Rig([constant(frames: 100, gain: 0.5)])
  rig.strike(order(gain: 0.5))
  let block = rig.render(200)
  let expected = Float(16_000) * 0.25 / 32_767
  for frame in 0..<100 {
    #expect(abs(block[2 * frame] - expected) < 1e-6)
    #expect(abs(block[2 * frame + 1] - expected / 2) < 1e-6)
  }
  #expect(block[200...].allSatisfy { $0 == 0 })
  #expect(rig.players.isSilent)
}

@Test func recording_struckAgain_ringsOverItsOwnTail() {
  var rig = Rig([constant(frames: 100)])
  rig.strike(order())
  let first = rig.left(rig.render(50))
  rig.strike(order())
  let second = rig.left(rig.render(100))
  #expect(second[..<50].allSatisfy { abs($0 - 2 * first[0]) < 1e-6 })
  #expect(second[50...].allSatisfy { abs($0 - first[0]) < 1e-6 })
}

@Test func recording_renderedInOtherBlocks_isTheSame() {
  for rate in [48_000, 44_100] {
    var whole = Rig([sine(hertz: 440, seconds: 0.1)], rateHertz: rate)
    var parts = whole
    whole.strike(order(strength: 0.5))
    parts.strike(order(strength: 0.5))
    let one = whole.render(3_000)
    var other: [Float] = []
    for count in [1, 2, 997, 500, 1_500] { other += parts.render(count) }
    #expect(one == other)
  }
}

@Test func recording_onAChannel_hasItsVolume() {
  var rig = Rig([constant(frames: 1_000)])
  rig.volumes[3] = Ramp(value: 0.25)
  rig.strike(order(channel: 3))
  #expect(abs(rig.render(10)[0] - 4_000 / 32_767) < 1e-6)
  rig.volumes[3].lead(to: 1, frames: 10)
  #expect(abs(rig.render(10)[18] - 16_000 / 32_767) < 1e-6)
}

@Test func recording_damped_isGoneWithin300Milliseconds() {
  var rig = Rig([constant(frames: 48_000)])
  rig.strike(order())
  _ = rig.render(100)
  rig.players.damp()
  let tail = rig.left(rig.render(14_400))
  #expect(tail[0] > 0.48 && tail[12_000] < 0.02)
  // No step is larger than a fade makes.
  #expect(zip(tail, tail.dropFirst()).allSatisfy { abs($0 - $1) < 0.000_1 })
  #expect(tail[14_399] == 0 && rig.players.isSilent)
}

@Test func recording_seventeenthStrike_givesUpTheQuietest() {
  var rig = Rig([constant(frames: 48_000), constant(frames: 48_000, value: 8_000)])
  for index in 0..<16 { rig.strike(order(index == 5 ? 1 : 0, gain: 0.05)) }
  let before = rig.left(rig.render(20_000))
  #expect(rig.players.playing == 16)
  rig.strike(order(gain: 0.05))
  #expect(rig.players.playing == 16)
  let after = rig.left(rig.render(4_800))
  let one = Float(16_000) * 0.05 / 32_767
  #expect(abs(before[19_999] - 15.5 * one) < 1e-4)
  #expect(abs(after[0] - 16.5 * one) < 1e-4)
  // 50 ms later the quiet one has gone.
  #expect(abs(after[2_400] - 16 * one) < 1e-4)
}

@Test func recordings_farMoreThanThereIsRoomFor_stayBounded() {
  var rig = Rig([constant(frames: 48_000)])
  for _ in 0..<200 {
    rig.strike(order(gain: 0.01))
    _ = rig.render(10)
    #expect(rig.players.playing <= 16)
  }
}

@Test func recording_struckWeakly_isSofterAndDarker() {
  func peak(_ hertz: Double, _ strength: Float) -> Float {
    var rig = Rig([sine(hertz: hertz, seconds: 0.1)])
    rig.strike(order(strength: strength))
    return rig.render(4_800).map(\.magnitude).max() ?? 0
  }
  #expect(abs(peak(200, 0.5) / peak(200, 1) - 0.5) < 0.01)
  #expect(peak(8_000, 0.5) / peak(8_000, 1) < 0.35)
}

@Test func recording_skipped_goesOnWhereItWouldBe() {
  var whole = Rig([sine(hertz: 100, seconds: 0.2)])
  var skipped = whole
  whole.strike(order())
  skipped.strike(order())
  _ = whole.render(1_234)
  skipped.players.skip(frames: 1_234, sounds: skipped.sounds)
  #expect(whole.render(100) == skipped.render(100))
  skipped.players.skip(frames: .max, sounds: skipped.sounds)
  #expect(skipped.players.isSilent)
}

/// How much of the power at one frequency is there, by Goertzel's sum under a Hann window.
private func amplitude(_ samples: [Float], hertz: Double, rate: Int) -> Double {
  var across = 0.0
  var up = 0.0
  for (index, sample) in samples.enumerated() {
    let turn = 2 * Double.pi * Double(index)
    let window = 1 - Mathematics.cosine(turn / Double(samples.count))
    let angle = turn * hertz / Double(rate)
    across += Double(sample) * window * Mathematics.cosine(angle)
    up += Double(sample) * window * Mathematics.sine(angle)
  }
  return 2 * Mathematics.squareRoot(across * across + up * up) / Double(samples.count)
}

@Test func recording_atAnotherRate_keepsItsPitchAndAddsNothing() {
  let level = 20_000.0 / 32_767
  for (rate, hertz) in [(44_100, 1_000.0), (44_100, 15_000), (96_000, 15_000), (47_999, 5_000)] {
    var rig = Rig([sine(hertz: hertz, seconds: 0.5)], rateHertz: rate)
    rig.strike(order())
    let heard = Array(rig.left(rig.render(rate / 2)).dropFirst(1_000).prefix(8_192))
    let found = amplitude(heard, hertz: hertz, rate: rate)
    #expect(abs(found / level - 1) < 0.01, "\(hertz) Hz at \(rate)")
    // What is left without it is more than 80 dB below; all rates here resolve 100 Hz.
    for stranger in [hertz / 2, hertz * 1.3, 48_000 - hertz] where stranger < Double(rate) / 2 {
      #expect(amplitude(heard, hertz: stranger, rate: rate) < level * 1e-4)
    }
  }
}

@Test func mixer_recording_playsFromItsFrameBesideTheBells() {
  let sounds = Sound.catalogue + [constant(frames: 480)]
  let own = sounds.count - 1
  var rendering = Rendering(
    [
      Rendering.Event(frame: 100, action: .strike(sound: own)),
      Rendering.Event(frame: 200, action: .damp),
    ], sounds: sounds)
  var block: [Float] = []
  #expect(rendering.next(into: &block) > 580)
  #expect(block[199] == 0 && abs(block[200] - 16_000 / 32_767) < 1e-6)
  #expect(block[400] > block[402])
  #expect(block[2 * 580] == 0)
  #expect(rendering.next(into: &block) == 0)
}

@Test func mixer_ambientSound_followsTheBoxVolumeAndEnds() {
  func power(_ percent: Int) -> Float {
    var mixer = Mixer(rateHertz: 8_000)
    mixer.setVolumes(Volumes(percent))
    mixer.setAmbient(.rain)
    mixer.skip(frames: 32_000)
    var block = [Float](repeating: 0, count: 16_000)
    mixer.render(0..<8_000, into: &block)
    mixer.setAmbient(nil)
    let before = mixer.isSilent
    mixer.skip(frames: 32_000)
    let after = mixer.isSilent
    #expect(!before && after)
    return block.reduce(0) { $0 + $1 * $1 }
  }
  #expect(abs(power(50) / power(100) - 1.0 / 64) < 1e-3)
}
