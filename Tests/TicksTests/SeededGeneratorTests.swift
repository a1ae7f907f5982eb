import Testing
import Ticks

/// The first numbers of the published SplitMix64 for seed 1234567, as its authors' C code gives
/// them (prng.di.unimi.it/splitmix64.c).
@Test func generator_knownSeed_givesThePublishedNumbers() {
  var generator = SeededGenerator(seed: 1_234_567)
  #expect(
    (0..<5).map { _ in generator.next() } == [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ])
}

@Test func generator_equalSeeds_giveEqualNumbersAndOthersDoNot() {
  var generators = [7, 7, 8].map { SeededGenerator(seed: $0) }
  let rows = generators.indices.map { index in (0..<8).map { _ in generators[index].next() } }
  #expect(rows[0] == rows[1])
  #expect(rows[0] != rows[2])
}

@Test(arguments: [1, 2, 3, 10, 1_000_003, UInt64.max])
func generator_below_staysBelowItsBound(bound: UInt64) {
  var generator = SeededGenerator(seed: bound)
  for _ in 0..<1_000 { #expect(generator.below(bound) < bound) }
}

@Test func generator_belowTen_givesEachNumberAboutEquallyOften() {
  var generator = SeededGenerator(seed: 10)
  var counts = [Int](repeating: 0, count: 10)
  for _ in 0..<10_000 { counts[Int(generator.below(10))] += 1 }
  // Five standard deviations of a binomial count around 1,000.
  #expect(counts.allSatisfy { (850...1_150).contains($0) })
}
