import Bells
import Glibc
import Testing
import Ticks

@Suite struct MathematicsTests {
  @Test func sineAndCosine_overTwentyThousandAngles_agreeWithTheCLibrary() {
    var generator = SeededGenerator(seed: 3)
    for round in 0..<20_000 {
      let scale = round % 2 == 0 ? 7.0 : 1e6
      let angle = (Double(generator.next() >> 11) / 9_007_199_254_740_992 * 2 - 1) * scale
      #expect(abs(Mathematics.sine(angle) - sin(angle)) < 4e-16)
      #expect(abs(Mathematics.cosine(angle) - cos(angle)) < 4e-16)
    }
    #expect(Mathematics.sine(0) == 0)
    #expect(Mathematics.cosine(0) == 1)
  }

  @Test func exponential_overItsWholeRange_agreesWithTheCLibrary() {
    for step in -7_000...7_000 {
      let power = Double(step) / 10
      #expect(abs(Mathematics.exponential(power) / exp(power) - 1) < 1e-15)
    }
    for step in -1_000...1_000 {
      let power = Double(step) * 1e-9
      #expect(abs(Mathematics.exponential(power) - exp(power)) < 3e-16)
    }
    #expect(Mathematics.exponential(-800) == 0)
    #expect(Mathematics.exponential(800) == .infinity)
  }

  @Test func logarithm_overManyMagnitudes_agreesWithTheCLibrary() {
    for step in -3_000...3_000 {
      let value = exp(Double(step) / 10)
      #expect(abs(Mathematics.logarithm(value) - log(value)) <= 4e-16 * max(1, abs(log(value))))
    }
    #expect(Mathematics.logarithm(1) == 0)
  }

  @Test func squareRoot_overManyMagnitudes_agreesWithTheProcessor() {
    for step in -3_000...3_000 {
      let value = exp(Double(step) / 10)
      #expect(abs(Mathematics.squareRoot(value) / value.squareRoot() - 1) < 3e-16)
    }
    #expect(Mathematics.squareRoot(0) == 0)
  }

  @Test func factor_ofKnownLevels_isTheirPowerOfTen() {
    #expect(Mathematics.factor(decibels: 0) == 1)
    #expect(abs(Mathematics.factor(decibels: -20) - 0.1) < 1e-15)
    #expect(abs(Mathematics.factor(decibels: 6) - pow(10, 0.3)) < 1e-14)
  }
}
