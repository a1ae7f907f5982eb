/// What sounds under the bells: nothing yet.
struct Ambience {
  init(rateHertz: Int) {}

  /// Whether nothing sounds and nothing is wanted.
  var isSilent: Bool { true }

  /// Goes over to another sound, or to none, in some seconds.
  mutating func lead(to ambient: AmbientSound?) {}

  /// Renders for another rate from now on.
  mutating func retune(rateHertz: Int) {}

  /// Adds the next frames to a block of interleaved stereo.
  mutating func render(_ frames: Range<Int>, into block: inout [Float]) {}

  /// Lets time pass without being heard.
  mutating func skip(frames: Int) {}
}
