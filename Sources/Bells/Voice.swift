/// One sound while it rings: a bank of resonators in coupled form, two for each partial.
///
/// Invariants:
/// - A resonator's state is a point in the plane that turns and shrinks once a frame; its height is
///   what is heard. Nothing else remembers a strike once its onset is over, so any number of
///   strikes ring together at the cost of one.
/// - A strike's own part is the same turning point times a raised cosine that rises from 0 to 1:
///   each frame adds the cosine's increase times that point to the state. The point starts level,
///   so a strike begins at exactly zero, and what was ringing goes on unchanged.
/// - Nothing here allocates after `init`.
struct Voice {
  /// What a bank is doing.
  enum Life: Equatable {
    case free
    /// It rings, and takes further strikes of its sound.
    case ringing
    /// It has been damped or given up and dies away within moments; a new strike takes another
    /// bank.
    case leaving
  }

  /// How many strikes of one sound may be in their onset (some milliseconds) at once. One more is
  /// added to the youngest of them.
  static let maximumOnsets = 4

  private(set) var life = Life.free
  private(set) var sound = 0
  /// The greatest amplitude that one channel can have now.
  private(set) var amplitude = 0.0

  private var pairCount = 0
  private var pairs: [Pair]
  private var onsets: [Onset]
  /// The points of the strikes in their onset: `maximumOnsets` rows of `Sound.maximumPartials`.
  private var drives: [Drive]

  init() {
    pairs = Array(repeating: Pair(), count: Sound.maximumPartials)
    onsets = Array(repeating: Onset(), count: Voice.maximumOnsets)
    drives = Array(repeating: Drive(), count: Voice.maximumOnsets * Sound.maximumPartials)
  }

  /// A complex number.
  struct Point {
    var across = 0.0
    var up = 0.0

    static func * (left: Point, right: Point) -> Point {
      Point(
        across: left.across * right.across - left.up * right.up,
        up: left.across * right.up + left.up * right.across)
    }

    static func * (left: Point, right: Double) -> Point {
      Point(across: left.across * right, up: left.up * right)
    }

    static func + (left: Point, right: Point) -> Point {
      Point(across: left.across + right.across, up: left.up + right.up)
    }

    var length: Double { Mathematics.squareRoot(across * across + up * up) }
  }

  /// The two resonators of a partial.
  private struct Pair {
    var first = Point()
    var second = Point()
    var firstTurn = Point()
    var secondTurn = Point()
    var frequencyHertz = 0.0
  }

  /// A strike's share of a pair, before its raised cosine.
  private struct Drive {
    var first = Point()
    var second = Point()
  }

  /// The raised cosine of a strike in its onset. Its increase per frame is a sine, made by a point
  /// that turns half a circle over the onset.
  private struct Onset {
    var framesLeft = 0
    var point = Point()
    var turn = Point()
    /// How much of the strike is in the state already, 0 to 1.
    var risen = 0.0

    /// By how much the raised cosine grows in the next frame.
    mutating func next() -> Double {
      let increase = point.up
      point = point * turn
      risen += increase
      framesLeft -= 1
      return increase
    }
  }

  /// Makes a free bank ready for a sound.
  mutating func tune(to recipe: Sound, index: Int, rateHertz: Int) {
    life = .ringing
    sound = index
    amplitude = 0
    pairCount = 0
    for row in onsets.indices { onsets[row].framesLeft = 0 }
    let rate = Double(rateHertz)
    for partial in recipe.partials {
      var pair = Pair()
      // A partial that the rate cannot carry stays silent instead of folding back.
      if partial.frequencyHertz + partial.beatHertz / 2 < rate * 0.45 {
        let shrink = Mathematics.exponential(-decayPerT60 / (partial.decaySeconds * rate))
        let low = partial.frequencyHertz - partial.beatHertz / 2
        let high = partial.frequencyHertz + partial.beatHertz / 2
        pair.firstTurn = Voice.turn(2 * .pi * low / rate) * shrink
        pair.secondTurn = Voice.turn(2 * .pi * high / rate) * shrink
        pair.frequencyHertz = partial.frequencyHertz
      }
      pairs[pairCount] = pair
      pairCount += 1
    }
  }

  private static func turn(_ angle: Double) -> Point {
    Point(across: Mathematics.cosine(angle), up: Mathematics.sine(angle))
  }

  /// Adds a strike whose first frame (which is zero) is the next one rendered.
  mutating func strike(_ recipe: Sound, gain: Double, rateHertz: Int) {
    let row = onsetForStrike()
    let joined = onsets[row].framesLeft > 0
    if !joined {
      let frames = max(1, Mathematics.nearest(recipe.onsetSeconds * Double(rateHertz)))
      let angle = Double.pi / Double(frames)
      onsets[row].framesLeft = frames
      // (1 - cos ak) / 2 grows by sin(a/2) sin(a (k - 1/2)) at step k = 1, 2, …
      onsets[row].point = Voice.turn(angle / 2) * Mathematics.sine(angle / 2)
      onsets[row].turn = Voice.turn(angle)
      onsets[row].risen = 0
    }
    for index in 0..<pairCount {
      let partial = recipe.partials[index]
      let level = partial.level * recipe.amplitude * gain
      let drive = row * Sound.maximumPartials + index
      if !joined { drives[drive] = Drive() }
      drives[drive].first.across += level
      drives[drive].second.across += level * partial.pairRatio
    }
  }

  /// A row that is over, or else the youngest of those under way.
  private func onsetForStrike() -> Int {
    var youngest = 0
    for row in onsets.indices {
      if onsets[row].framesLeft == 0 { return row }
      if onsets[row].framesLeft > onsets[youngest].framesLeft { youngest = row }
    }
    return youngest
  }

  /// Falls silent at once.
  mutating func silence() {
    life = .free
    amplitude = 0
  }

  /// Lays something on the bell: every partial now also falls by 60 dB in the given time, the
  /// higher ones sooner by the root of their frequency if `highFirst` (a soft hand takes the high
  /// ones first).
  mutating func leave(decaySeconds: Double, highFirst: Bool, rateHertz: Int) {
    life = .leaving
    let lowest = pairs[0].frequencyHertz
    for index in 0..<pairCount {
      var seconds = decaySeconds
      if highFirst, lowest > 0, pairs[index].frequencyHertz > lowest {
        seconds *= Mathematics.squareRoot(lowest / pairs[index].frequencyHertz)
      }
      let shrink = Mathematics.exponential(-decayPerT60 / (seconds * Double(rateHertz)))
      pairs[index].firstTurn = pairs[index].firstTurn * shrink
      pairs[index].secondTurn = pairs[index].secondTurn * shrink
    }
  }

  /// Adds the bank's next frames to a block of interleaved stereo.
  mutating func render(_ frames: Range<Int>, into block: inout [Float]) {
    var done = frames.lowerBound
    while done < frames.upperBound, isDriven {
      renderDriven(done, into: &block)
      done += 1
    }
    if done < frames.upperBound {
      for index in 0..<pairCount { renderFree(index, done..<frames.upperBound, into: &block) }
    }
    settle()
  }

  private var isDriven: Bool {
    for onset in onsets where onset.framesLeft > 0 { return true }
    return false
  }

  private mutating func renderFree(_ index: Int, _ frames: Range<Int>, into block: inout [Float]) {
    var pair = pairs[index]
    for frame in frames {
      pair.first = pair.first * pair.firstTurn
      pair.second = pair.second * pair.secondTurn
      Voice.add(pair.first.up, pair.second.up, to: &block, at: frame)
    }
    pairs[index] = pair
  }

  private mutating func renderDriven(_ frame: Int, into block: inout [Float]) {
    for index in 0..<pairCount {
      pairs[index].first = pairs[index].first * pairs[index].firstTurn
      pairs[index].second = pairs[index].second * pairs[index].secondTurn
    }
    for row in onsets.indices where onsets[row].framesLeft > 0 {
      let increase = onsets[row].next()
      for index in 0..<pairCount { drive(index, row: row, increase: increase) }
    }
    for index in 0..<pairCount {
      Voice.add(pairs[index].first.up, pairs[index].second.up, to: &block, at: frame)
    }
  }

  /// Adds part of a strike to a pair and turns the strike's own point on to the next frame.
  private mutating func drive(_ index: Int, row: Int, increase: Double) {
    let place = row * Sound.maximumPartials + index
    let drive = drives[place]
    pairs[index].first = pairs[index].first + drive.first * increase
    pairs[index].second = pairs[index].second + drive.second * increase
    drives[place].first = drive.first * pairs[index].firstTurn
    drives[place].second = drive.second * pairs[index].secondTurn
  }

  /// The first of a pair stands a little to the left, the second as far to the right.
  @inline(__always)
  private static func add(_ first: Double, _ second: Double, to block: inout [Float], at frame: Int)
  {
    let middle = first + second
    let side = Sound.pairWidth * (first - second)
    block[2 * frame] += Float(middle + side)
    block[2 * frame + 1] += Float(middle - side)
  }

  /// Lets time pass without being heard. An onset under way is completed at once.
  mutating func skip(frames: Int) {
    guard frames > 0 else { return }
    turn(frames: 1)
    for row in onsets.indices where onsets[row].framesLeft > 0 {
      for index in 0..<pairCount { drive(index, row: row, increase: 1 - onsets[row].risen) }
      onsets[row].framesLeft = 0
    }
    turn(frames: frames - 1)
    settle()
  }

  private mutating func turn(frames: Int) {
    for index in 0..<pairCount {
      pairs[index].first = pairs[index].first * Voice.power(pairs[index].firstTurn, frames)
      pairs[index].second = pairs[index].second * Voice.power(pairs[index].secondTurn, frames)
    }
  }

  private static func power(_ base: Point, _ exponent: Int) -> Point {
    var result = Point(across: 1)
    var square = base
    var rest = exponent
    while rest > 0 {
      if rest & 1 == 1 { result = result * square }
      square = square * square
      rest >>= 1
    }
    return result
  }

  /// Measures what rings, clears partials that are long gone (their numbers would become subnormal,
  /// which some processors compute slowly), and frees the bank when nothing can be heard of it.
  private mutating func settle() {
    var sum = 0.0
    for index in 0..<pairCount {
      let height = pairs[index].first.length + pairs[index].second.length
      if height < 1e-30 {
        pairs[index].first = Point()
        pairs[index].second = Point()
      }
      sum += height
    }
    amplitude = sum * (1 + Sound.pairWidth)
    if amplitude <= Sound.inaudibleAmplitude, !isDriven {
      silence()
    }
  }
}
