/// The two resonators of a partial.
struct Pair {
  var first = Point()
  var second = Point()
  var firstTurn = Point()
  var secondTurn = Point()
  /// By what power of e it shrinks in a frame.
  var decay = 0.0
  var frequencyHertz = 0.0
  /// For how many frames it is still rendered.
  var framesLeft = 0

  /// Turns on by a frame.
  @inline(__always)
  mutating func turn() {
    first = first * firstTurn
    second = second * secondTurn
  }
}

/// A strike's share of a pair, before its raised cosine.
struct Drive {
  var first = Point()
  var second = Point()

  /// Where a resonator's point starts, at length 1, so that all it will ever do sums up to nothing.
  ///
  /// The sum is the start times the increases, each turned to its frame, times turn / (1 - turn),
  /// and both are geometric series: with the angle a of a frame of the raised cosine, whose sine is
  /// the difference of two turns, `(1 + turn^n) (e^(ia/2) / (1 - turn e^(ia)) - e^(-ia/2) /
  /// (1 - turn e^(-ia))) / 2i`. The start has the opposite angle of the whole.
  /// - Parameter half: e^(ia/2).
  static func start(_ turn: Point, half: Point, frames: Int) -> Point {
    let one = Point(across: 1)
    let forwards = half * (one - turn * half * half).inverse
    let backwards = half.opposite * (one - turn * half.opposite * half.opposite).inverse
    let increases = (forwards - backwards) * (one + turn.power(frames)) * Point(up: -0.5)
    let sum = increases * turn * (one - turn).inverse
    let length = sum.length
    return length > 0 ? sum.opposite * (1 / length) : Point()
  }
}
