/// A small deterministic generator: the same seed gives the same numbers on every machine.
///
/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
/// 2014): a 64-bit counter and a mixing function. It makes identities in simulations and the
/// inputs of property tests; it is no source of secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a generator.
  /// - Parameter seed: any value; equal seeds give equal sequences.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits. The counter wraps by design: SplitMix64 is defined modulo 2^64.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in `0 ..< bound`, by the high half of a 128-bit product (Lemire 2019), without the
  /// rejection step: the bias is below 2^-32 for every bound used here.
  /// - Precondition: `bound` is greater than zero.
  public mutating func below(_ bound: UInt64) -> UInt64 {
    precondition(bound > 0, "a generator cannot choose below zero")
    return next().multipliedFullWidth(by: bound).high
  }
}
