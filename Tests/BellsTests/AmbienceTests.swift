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
