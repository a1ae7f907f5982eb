/// Sine, exponential and logarithm of our own, so that the pure rooms link no mathematics library
/// and give the same bits on every machine. Each is within a few units in the last place of the C
/// library's over the ranges that bells use; the tests hold them to it.
public enum Mathematics {
  /// Coefficients of the series, highest power first, for Horner's scheme.
  private static let sineSeries: [Double] = reciprocalFactorials([15, 13, 11, 9, 7, 5, 3, 1])
  private static let cosineSeries: [Double] = reciprocalFactorials([16, 14, 12, 10, 8, 6, 4, 2, 0])

  /// `1/n!` with the alternating signs of sine and cosine.
  private static func reciprocalFactorials(_ powers: [Int]) -> [Double] {
    powers.map { power in
      var factorial = 1.0
      for factor in 0..<power { factorial *= Double(factor + 1) }
      return (power / 2) % 2 == 0 ? 1 / factorial : -1 / factorial
    }
  }

  /// The sine of an angle.
  /// - Parameter angle: in radians.
  /// - Precondition: the angle's magnitude is below 2^30, where the reduction is still exact
  ///   enough.
  public static func sine(_ angle: Double) -> Double {
    let (quarter, rest) = reduced(angle)
    let value = quarter & 1 == 0 ? sineOfSmall(rest) : cosineOfSmall(rest)
    return quarter & 2 == 0 ? value : -value
  }

  /// The cosine of an angle.
  /// - Parameter angle: in radians.
  /// - Precondition: the angle's magnitude is below 2^30.
  public static func cosine(_ angle: Double) -> Double {
    let (quarter, rest) = reduced(angle)
    let value = quarter & 1 == 0 ? cosineOfSmall(rest) : sineOfSmall(rest)
    return (quarter + 1) & 2 == 0 ? value : -value
  }

  /// Takes off the nearest multiple of a quarter turn. The quarter turn is held in three parts, the
  /// first short enough that its product with any allowed multiple is exact (Cody and Waite 1980).
  private static func reduced(_ angle: Double) -> (quarter: Int, rest: Double) {
    precondition(angle.magnitude < 1_073_741_824, "the angle is too large to be reduced")
    let quarterTurn = Double.pi / 2
    let first = Double(bitPattern: quarterTurn.bitPattern & ~0x3FFF_FFFF)
    let second = quarterTurn - first
    let third = 6.123233995736766e-17
    let quarter = nearest(angle / quarterTurn)
    let count = Double(quarter)
    return (quarter, ((angle - count * first) - count * second) - count * third)
  }

  private static func sineOfSmall(_ angle: Double) -> Double {
    angle * evaluate(sineSeries, at: angle * angle)
  }

  private static func cosineOfSmall(_ angle: Double) -> Double {
    evaluate(cosineSeries, at: angle * angle)
  }

  private static func evaluate(_ coefficients: [Double], at point: Double) -> Double {
    var sum = 0.0
    for coefficient in coefficients { sum = sum * point + coefficient }
    return sum
  }

  /// e to a power. Below -708 it is zero, above 709 infinity.
  public static func exponential(_ power: Double) -> Double {
    if power < -708 { return 0 }
    if power > 709 { return .infinity }
    let doublings = nearest(power * 1.4426950408889634)
    // ln 2 in two parts, so that the rest keeps its last bits.
    let rest =
      (power - Double(doublings) * 0.6931471803691238) - Double(doublings) * 1.9082149292705877e-10
    var sum = 1.0
    for divisor in stride(from: 14.0, through: 1.0, by: -1.0) { sum = 1 + sum * rest / divisor }
    return sum * Double(bitPattern: UInt64(1_023 + doublings) << 52)
  }

  /// The natural logarithm.
  /// - Precondition: the value is greater than zero, finite and not subnormal.
  public static func logarithm(_ value: Double) -> Double {
    precondition(value.isNormal && value > 0, "only a positive number has a logarithm")
    var doublings = Int(value.bitPattern >> 52) - 1_023
    var mantissa = Double(bitPattern: value.bitPattern & 0xF_FFFF_FFFF_FFFF | 1_023 << 52)
    if mantissa > 1.4142135623730951 {
      mantissa /= 2
      doublings += 1
    }
    // ln m = 2 artanh((m - 1) / (m + 1)); the argument stays below 0.172.
    let argument = (mantissa - 1) / (mantissa + 1)
    let square = argument * argument
    var sum = 0.0
    for odd in stride(from: 23.0, through: 1.0, by: -2.0) { sum = sum * square + 1 / odd }
    let count = Double(doublings)
    return count * 1.9082149292705877e-10 + 2 * argument * sum + count * 0.6931471803691238
  }

  /// The square root, by Newton's iteration from a guess with half the exponent. (`squareRoot()`
  /// may call the C library.)
  /// - Precondition: the value is not negative.
  public static func squareRoot(_ value: Double) -> Double {
    precondition(value >= 0, "a negative number has no root here")
    guard value.isNormal else { return 0 }
    var root = Double(bitPattern: value.bitPattern >> 1 + 511 << 52 + 1 << 51)
    for _ in 0..<5 { root = (root + value / root) / 2 }
    return root
  }

  /// The linear factor of a level.
  /// - Parameter decibels: 0 is a factor of 1, -20 one of 0.1.
  public static func factor(decibels: Double) -> Double {
    exponential(decibels * 0.11512925464970229)
  }

  /// The nearest integer, halves away from zero. (`rounded()` may call the C library.)
  static func nearest(_ value: Double) -> Int {
    Int(value + (value < 0 ? -0.5 : 0.5))
  }
}
