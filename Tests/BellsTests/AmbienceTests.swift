import Testing

@testable import Bells

private func render(_ ambience: inout Ambience, _ frames: Int) -> [Float] {
  var block = [Float](repeating: 0, count: 2 * frames)
  ambience.render(0..<frames, into: &block)
  return block
}

private func power(_ samples: some Collection<Float>) -> Double {
  samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
}

@Test func ambience_thatNobodyWants_isSilent() {
  var ambience = Ambience(rateHertz: 48_000)
  #expect(ambience.isSilent)
  #expect(render(&ambience, 100).allSatisfy { $0 == 0 })
}

@Test(arguments: AmbientSound.allCases)
func ambience_fadedInAndOut_beginsAndEndsInSilence(_ sound: AmbientSound) {
  var ambience = Ambience(rateHertz: 8_000)
  ambience.lead(to: sound)
  #expect(!ambience.isSilent)
  let rising = render(&ambience, 32_000)
  let full = render(&ambience, 8_000)
  #expect(power(rising.prefix(1_600)) < power(full) / 1_000)
  ambience.lead(to: nil)
  #expect(!ambience.isSilent)
  let falling = render(&ambience, 32_000)
  #expect(power(falling.suffix(1_600)) < power(full) / 1_000)
  #expect(ambience.isSilent)
  #expect(render(&ambience, 100).allSatisfy { $0 == 0 })
}

@Test(arguments: AmbientSound.allCases)
func ambience_inOtherBlocks_isTheSame(_ sound: AmbientSound) {
  var whole = Ambience(rateHertz: 48_000)
  whole.lead(to: sound)
  var parts = whole
  let one = render(&whole, 12_000)
  var other: [Float] = []
  for count in [1, 2, 997, 5_000, 6_000] { other += render(&parts, count) }
  #expect(one == other)
  #expect(one.contains { $0 != 0 })
}

@Test(arguments: AmbientSound.allCases)
func ambience_fullyIn_isSoftWithoutDirectPartAndWide(_ sound: AmbientSound) {
  var ambience = Ambience(rateHertz: 24_000)
  ambience.lead(to: sound)
  ambience.skip(frames: 4 * 24_000)
  let samples = render(&ambience, 8 * 24_000)
  let left = stride(from: 0, to: samples.count, by: 2).map { Double(samples[$0]) }
  let right = stride(from: 1, to: samples.count, by: 2).map { Double(samples[$0]) }
  let mean = left.reduce(0, +) / Double(left.count)
  let level = power(samples)
  #expect(abs(mean) < 2e-4)
  // Between -50 and -34 dB of full scale, and no peak that could take a bell's place.
  #expect((1e-5...4e-4).contains(level))
  #expect(samples.allSatisfy { $0.magnitude < 0.25 })
  let together = zip(left, right).reduce(0.0) { $0 + $1.0 * $1.1 } / Double(left.count)
  #expect(abs(together) < 0.9 * level)
}

@Test func ambience_changedInTheMiddleOfAFade_turnsRoundWithoutAStep() {
  var ambience = Ambience(rateHertz: 8_000)
  ambience.lead(to: .rain)
  _ = render(&ambience, 12_000)
  ambience.lead(to: .fire)
  let crossing = render(&ambience, 16_000)
  #expect(!ambience.isSilent)
  _ = render(&ambience, 16_000)
  ambience.lead(to: nil)
  _ = render(&ambience, 32_000)
  #expect(ambience.isSilent)
  #expect(crossing.contains { $0 != 0 })
}

@Test func ambience_whileABellIsYoung_makesRoomAndComesBack() {
  var plain = Ambience(rateHertz: 8_000)
  plain.lead(to: .rain)
  plain.skip(frames: 32_000)
  var ducked = plain
  ducked.makeRoom()
  func ratio(_ frames: Int) -> Double {
    let one = power(render(&ducked, frames).suffix(8_000))
    let other = power(render(&plain, frames).suffix(8_000))
    return Mathematics.squareRoot(one / other)
  }
  #expect(abs(ratio(16_000) - 0.63) < 0.01)
  // 20 s later it is back, but for what is left of an exponential.
  #expect(abs(ratio(160_000) - 1) < 0.01)
}

@Test func ambience_retuned_staysWhereItsFadeWas() {
  var ambience = Ambience(rateHertz: 48_000)
  ambience.lead(to: .rain)
  ambience.skip(frames: 96_000)
  ambience.retune(rateHertz: 8_000)
  ambience.lead(to: nil)
  ambience.skip(frames: 15_999)
  #expect(!ambience.isSilent)
  ambience.skip(frames: 1)
  #expect(ambience.isSilent)
}

/// Some seconds of the middle of a sound, both sides together.
private func middle(of sound: AmbientSound, seconds: Int, rate: Int) -> [Double] {
  var ambience = Ambience(rateHertz: rate)
  ambience.lead(to: sound)
  ambience.skip(frames: 4 * rate)
  let samples = render(&ambience, seconds * rate)
  return (0..<seconds * rate).map { Double(samples[2 * $0] + samples[2 * $0 + 1]) }
}

/// The power of one frequency in windows of 20 ms, in decibels: a Goertzel filter of 100 Hz.
private func level(_ samples: [Double], hertz: Int, rate: Int) -> Double {
  let frames = rate / 50
  let window = (0..<frames).map { 1 - Mathematics.cosine(2 * .pi * Double($0) / Double(frames)) }
  let turn = 2 * Mathematics.cosine(2 * .pi * Double(hertz) / Double(rate))
  return samples.withUnsafeBufferPointer { samples in
    var power = 0.0
    for start in stride(from: 0, to: samples.count - frames, by: frames) {
      var (last, before) = (0.0, 0.0)
      for frame in 0..<frames {
        (last, before) = (samples[start + frame] * window[frame] + turn * last - before, last)
      }
      power += last * last + before * before - turn * last * before
    }
    return 10 * Mathematics.logarithm(power) / Mathematics.logarithm(10)
  }
}

@Test(arguments: AmbientSound.allCases)
func ambience_fullyIn_hasNoToneInIt(_ sound: AmbientSound) {
  let samples = middle(of: sound, seconds: 30, rate: 12_000)
  let levels = (5...48).map { level(samples, hertz: 100 * $0, rate: 12_000) }
  for index in levels.indices.dropFirst(3).dropLast(3) {
    let above = min(levels[index] - levels[index - 3], levels[index] - levels[index + 3])
    #expect(above < 2.5, "at \(500 + 100 * index) Hz")
    #expect(abs(levels[index] - levels[index + 1]) < 3, "at \(500 + 100 * index) Hz")
  }
}

@Test func fire_fullyIn_cracklesEverySecondOrSo() {
  let rate = 24_000
  let samples = middle(of: .fire, seconds: 30, rate: rate)
  let edges = zip(samples, samples.dropFirst()).map { $1 - $0 }
  let blocks = stride(from: 0, to: edges.count - 239, by: 240).map { start in
    edges[start..<start + 240].reduce(0.0) { $0 + $1 * $1 }
  }
  let hiss = blocks.sorted()[blocks.count / 2]
  // 10 dB above the hiss for 10 ms, and 50 ms from the one before.
  var crackles: [Int] = []
  for block in blocks.indices where blocks[block] > 10 * hiss {
    if let last = crackles.last, block - last < 5 { continue }
    crackles.append(block)
  }
  let gaps = zip([0] + crackles, crackles + [blocks.count]).map { $1 - $0 }
  #expect((30...150).contains(crackles.count))
  #expect(gaps.allSatisfy { $0 < 400 })
}
