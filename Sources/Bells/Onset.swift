/// The raised cosine of a strike in its onset. Its increase per frame is a sine, made by a point
/// that turns half a circle over the onset.
struct Onset {
  /// Whether some of the strike is still to come.
  var isRising = false
  var framesLeft = 0
  var point = Point()
  var turn = Point()
  /// How much of the strike is in the state already, 0 to 1.
  var risen = 0.0
  /// The level of its noise.
  var noise = 0.0

  /// (1 - cos ak) / 2 grows by sin(a/2) sin(a (k - 1/2)) at step k = 1, 2, …
  mutating func begin(frames: Int) {
    let angle = Double.pi / Double(frames)
    isRising = true
    framesLeft = frames
    point = Point.turn(angle / 2) * Mathematics.sine(angle / 2)
    turn = Point.turn(angle)
    risen = 0
    noise = 0
  }

  /// By how much it grows in the next frame; by nothing when it is over.
  mutating func next() -> Double {
    guard framesLeft > 0 else { return 0 }
    let increase = point.up
    point = point * turn
    risen += increase
    framesLeft -= 1
    return increase
  }
}
