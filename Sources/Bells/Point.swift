/// A complex number: the state of a resonator, or how it turns and shrinks in a frame.
struct Point {
  var across = 0.0
  var up = 0.0

  /// A turn by an angle in radians.
  static func turn(_ angle: Double) -> Point {
    Point(across: Mathematics.cosine(angle), up: Mathematics.sine(angle))
  }

  @inline(__always)
  static func * (left: Point, right: Point) -> Point {
    Point(
      across: left.across * right.across - left.up * right.up,
      up: left.across * right.up + left.up * right.across)
  }

  @inline(__always)
  static func * (left: Point, right: Double) -> Point {
    Point(across: left.across * right, up: left.up * right)
  }

  @inline(__always)
  static func + (left: Point, right: Point) -> Point {
    Point(across: left.across + right.across, up: left.up + right.up)
  }

  static func - (left: Point, right: Point) -> Point {
    Point(across: left.across - right.across, up: left.up - right.up)
  }

  /// The point with the opposite angle.
  var opposite: Point { Point(across: across, up: -up) }

  /// What gives 1 when multiplied by it.
  var inverse: Point {
    let square = across * across + up * up
    return Point(across: across / square, up: -up / square)
  }

  var length: Double { Mathematics.squareRoot(across * across + up * up) }

  /// The point times itself, so many times.
  func power(_ exponent: Int) -> Point {
    var result = Point(across: 1)
    var square = self
    var rest = exponent
    while rest > 0 {
      if rest & 1 == 1 { result = result * square }
      square = square * square
      rest >>= 1
    }
    return result
  }
}
