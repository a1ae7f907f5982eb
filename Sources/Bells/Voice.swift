/// One sound while it rings: a bank of resonators in coupled form, two for each partial.
///
/// Invariants:
/// - A resonator's state is a point in the plane that turns and shrinks once a frame; its height is
///   what is heard. Nothing else remembers a strike once its onset is over, so any number of
///   strikes ring together at the cost of one.
/// - A strike's own part is a turning point of its own times a raised cosine that rises from 0 to 1
///   over the contact of the mallet: each frame adds the cosine's increase times that point to the
///   state, after the frame was heard. So a strike begins at exactly zero, and what was ringing
///   goes on unchanged.
/// - The point starts where the whole strike, to the end of its tail, has a mean of zero.
/// - When it falls silent is counted in frames at each strike, so nothing depends on how frames are
///   split into blocks.
/// - Nothing here allocates after `init`.
struct Voice {
  /// What a bank is doing.
  enum Life: Equatable {
    case free
    /// It rings, and takes further strikes of its sound.
    case ringing
    /// It has been damped or given up, or nothing of it can be heard: it is led to zero within
    /// moments, and a new strike takes another bank.
    case leaving
  }

  /// How many strikes of one sound may be in their onset (some milliseconds) at once. One more is
  /// added to the youngest of them.
  static let maximumOnsets = 4

  /// How many frames are rendered at a time.
  static let chunkFrames = 64

  /// The amplitude at which a partial is no longer rendered: -140 dB of full scale.
  private static let lostAmplitude = 1e-7

  private(set) var life = Life.free
  private(set) var sound = 0
  private(set) var channel = 0

  private var width = 0.0
  /// In how many frames its life goes on to the next.
  private var framesLeft = 0
  private var pairCount = 0
  private var pairs: [Pair]
  private var onsets: [Onset]
  /// The points of the strikes in their onset: `maximumOnsets` rows of `Sound.maximumPartials`.
  private var drives: [Drive]
  /// By how much each onset grows in each frame of the chunk: `maximumOnsets` rows of
  /// `chunkFrames`.
  private var increases: [Double]
  private var burst = NoiseBurst()

  init() {
    increases = Array(repeating: 0, count: Voice.maximumOnsets * Voice.chunkFrames)
    pairs = Array(repeating: Pair(), count: Sound.maximumPartials)
    // Each made on its own: repeated, they would share memory until the first write to each, which
    // would allocate on the audio thread.
    onsets = []
    for _ in 0..<Voice.maximumOnsets { onsets.append(Onset()) }
    drives = Array(repeating: Drive(), count: Voice.maximumOnsets * Sound.maximumPartials)
  }

  /// Makes a free bank ready for a sound.
  mutating func tune(to recipe: Sound, index: Int, channel: Int, rateHertz: Int) {
    life = .ringing
    sound = index
    self.channel = channel
    width = recipe.width
    framesLeft = 1
    pairCount = 0
    for row in onsets.indices { onsets[row].isRising = false }
    let rate = Double(rateHertz)
    for partial in recipe.partials {
      var pair = Pair()
      // A partial that the rate cannot carry stays silent instead of folding back.
      if partial.frequencyHertz + partial.beatHertz / 2 < rate * 0.45 {
        pair.decay = decayPerT60 / (partial.decaySeconds * rate)
        let shrink = Mathematics.exponential(-pair.decay)
        let low = partial.frequencyHertz - partial.beatHertz / 2
        let high = partial.frequencyHertz + partial.beatHertz / 2
        pair.firstTurn = Point.turn(2 * .pi * low / rate) * shrink
        pair.secondTurn = Point.turn(2 * .pi * high / rate) * shrink
        pair.frequencyHertz = partial.frequencyHertz
      }
      pairs[pairCount] = pair
      pairCount += 1
    }
    burst.tune(to: recipe.noise, rateHertz: rateHertz)
  }

  /// Adds a strike whose first frame (which is zero) is the next one rendered.
  mutating func strike(_ recipe: Sound, gain: Double, strength: Double, rateHertz: Int) {
    let row = onsetForStrike()
    let contact = recipe.mallet.contactSeconds(strength: strength)
    let frames = max(1, Mathematics.nearest(contact * Double(rateHertz)))
    let half = Point.turn(.pi / Double(2 * frames))
    let joined = onsets[row].isRising
    if !joined {
      onsets[row].begin(frames: frames)
      for index in 0..<pairCount { drives[row * Sound.maximumPartials + index] = Drive() }
    }
    for index in 0..<pairCount where pairs[index].frequencyHertz > 0 {
      let partial = recipe.partials[index]
      let share = recipe.mallet.share(ofHertz: partial.frequencyHertz, strength: strength)
      let level = partial.level * share * recipe.amplitude * gain
      let drive = row * Sound.maximumPartials + index
      let first = Drive.start(pairs[index].firstTurn, half: half, frames: frames)
      let second = Drive.start(pairs[index].secondTurn, half: half, frames: frames)
      drives[drive].first = drives[drive].first + first * level
      drives[drive].second = drives[drive].second + second * (level * partial.pairRatio)
    }
    if let noise = recipe.noise {
      let share = recipe.mallet.share(ofHertz: noise.highHertz, strength: strength)
      onsets[row].noise += noise.level * share * recipe.amplitude * gain
    }
    measure()
  }

  /// A row that is over, or else the youngest of those under way.
  private func onsetForStrike() -> Int {
    var youngest = 0
    for row in onsets.indices {
      if !onsets[row].isRising { return row }
      if onsets[row].framesLeft > onsets[youngest].framesLeft { youngest = row }
    }
    return youngest
  }

  /// The greatest amplitude that one channel can have, now or when the strikes under way have
  /// risen.
  var amplitude: Double {
    var sum = 0.0
    for index in 0..<pairCount { sum += height(of: index) }
    return sum * (1 + width)
  }

  private func height(of index: Int) -> Double {
    var height = pairs[index].first.length + pairs[index].second.length
    for row in onsets.indices where onsets[row].isRising {
      let drive = drives[row * Sound.maximumPartials + index]
      height += (drive.first.length + drive.second.length) * (1 - onsets[row].risen)
    }
    return height
  }

  /// Counts the frames for which each partial, and the whole, can be heard.
  private mutating func measure() {
    let onset = longestOnset
    var noise = 0.0
    for row in onsets.indices where onsets[row].isRising { noise += onsets[row].noise }
    var alone = 0.0
    var slowest = 0.0
    for index in 0..<pairCount {
      let height = height(of: index)
      let decay = pairs[index].decay
      pairs[index].framesLeft = 0
      guard height > Voice.lostAmplitude, decay > 0 else { continue }
      let frames = Mathematics.logarithm(height / Voice.lostAmplitude) / decay
      pairs[index].framesLeft = onset + Mathematics.nearest(frames) + 1
      if slowest == 0 || decay < slowest { slowest = decay }
      guard height * (1 + width) > Sound.inaudibleAmplitude else { continue }
      let heard = Mathematics.logarithm(height * (1 + width) / Sound.inaudibleAmplitude) / decay
      alone = max(alone, heard)
    }
    var rest = 0.0
    for index in 0..<pairCount {
      rest += height(of: index) * Mathematics.exponential(-pairs[index].decay * alone)
    }
    rest *= (1 + width) / Sound.inaudibleAmplitude
    if rest > 1 { alone += Mathematics.logarithm(rest) / slowest }
    alone = max(alone, burst.measure(adding: noise, onset: onset))
    framesLeft = onset + Mathematics.nearest(alone) + 1
  }

  /// Falls silent at once.
  mutating func silence() {
    life = .free
    framesLeft = 0
  }

  /// Leads all that rings to zero, by 120 dB in the given time, the higher partials sooner by the
  /// root of their frequency if `highFirst` (a soft hand takes the high ones first).
  mutating func leave(withinSeconds span: Double, highFirst: Bool, rateHertz: Int) {
    life = .leaving
    framesLeft = max(1, Mathematics.nearest(span * Double(rateHertz)))
    let decay = 2 * decayPerT60 / Double(framesLeft)
    let lowest = pairs[0].frequencyHertz
    for index in 0..<pairCount {
      var decay = decay
      if highFirst, lowest > 0, pairs[index].frequencyHertz > lowest {
        decay *= Mathematics.squareRoot(pairs[index].frequencyHertz / lowest)
      }
      let shrink = Mathematics.exponential(-decay)
      pairs[index].firstTurn = pairs[index].firstTurn * shrink
      pairs[index].secondTurn = pairs[index].secondTurn * shrink
      pairs[index].decay += decay
    }
    burst.dampen(by: decay)
  }

  /// What comes after the frames that were counted.
  private mutating func goOn(rateHertz: Int) {
    if life == .ringing {
      leave(withinSeconds: Sound.releaseSeconds, highFirst: false, rateHertz: rateHertz)
    } else {
      silence()
    }
  }

  /// Adds the bank's next frames to a block of interleaved stereo.
  /// - Parameters:
  ///   - volume: the factor of its channel, as it moves from the first of the frames on.
  ///   - scratch: room for a chunk of frames.
  mutating func render(
    _ frames: Range<Int>, volume: Ramp, rateHertz: Int, scratch: inout [Double],
    into block: inout [Float]
  ) {
    precondition(
      scratch.count >= 2 * Voice.chunkFrames && block.count >= 2 * frames.upperBound,
      "the block is too small")
    // Safety: both stay within the precondition above, and neither leaves the call. This is the
    // loop in which nearly all time goes; checks of each index would cost as much as the sound.
    scratch.withUnsafeMutableBufferPointer { scratch in
      block.withUnsafeMutableBufferPointer { block in
        render(frames, volume: volume, rateHertz: rateHertz, scratch: scratch, into: block)
      }
    }
  }

  private mutating func render(
    _ frames: Range<Int>, volume: Ramp, rateHertz: Int, scratch: UnsafeMutableBufferPointer<Double>,
    into block: UnsafeMutableBufferPointer<Float>
  ) {
    var volume = volume
    var done = frames.lowerBound
    while done < frames.upperBound, life != .free {
      var count = min(frames.upperBound - done, Voice.chunkFrames, framesLeft)
      // No partial is lost before the onsets are over, so none need be looked for in them.
      if isDriven { count = min(count, longestOnset) }
      for place in 0..<(2 * count) { scratch[place] = 0 }
      if isDriven {
        renderDriven(count, into: scratch)
      } else {
        for index in 0..<pairCount { renderFree(index, count, into: scratch) }
      }
      burst.render(count, into: scratch)
      for frame in 0..<count {
        let middle = scratch[2 * frame] + scratch[2 * frame + 1]
        let side = width * (scratch[2 * frame] - scratch[2 * frame + 1])
        let factor = volume.next()
        // The first of a pair stands a little to the left, the second as far to the right.
        block[2 * (done + frame)] += Float(middle + side) * factor
        block[2 * (done + frame) + 1] += Float(middle - side) * factor
      }
      done += count
      pass(count, rateHertz: rateHertz)
    }
  }

  private mutating func pass(_ frames: Int, rateHertz: Int) {
    framesLeft -= frames
    if framesLeft == 0 { goOn(rateHertz: rateHertz) }
  }

  private var isDriven: Bool {
    for row in onsets.indices where onsets[row].isRising { return true }
    return false
  }

  private var longestOnset: Int {
    var longest = 0
    for row in onsets.indices where onsets[row].isRising {
      longest = max(longest, onsets[row].framesLeft)
    }
    return longest
  }

  private mutating func renderFree(
    _ index: Int, _ frames: Int, into scratch: UnsafeMutableBufferPointer<Double>
  ) {
    let count = min(frames, pairs[index].framesLeft)
    guard count > 0 else { return }
    var first = pairs[index].first
    var second = pairs[index].second
    let firstTurn = pairs[index].firstTurn
    let secondTurn = pairs[index].secondTurn
    for frame in 0..<count {
      first = first * firstTurn
      second = second * secondTurn
      scratch[2 * frame] += first.up
      scratch[2 * frame + 1] += second.up
    }
    pairs[index].framesLeft -= count
    // Numbers far below would become subnormal, which some processors compute slowly.
    let isLost = pairs[index].framesLeft == 0
    pairs[index].first = isLost ? Point() : first
    pairs[index].second = isLost ? Point() : second
  }

  private mutating func renderDriven(
    _ count: Int, into scratch: UnsafeMutableBufferPointer<Double>
  ) {
    for row in onsets.indices where onsets[row].isRising {
      for frame in 0..<count {
        let increase = onsets[row].next()
        increases[row * Voice.chunkFrames + frame] = increase
        burst.add(increase * onsets[row].noise, at: frame)
      }
    }
    for index in 0..<pairCount where pairs[index].framesLeft > 0 {
      renderDriven(index, count, into: scratch)
    }
    for row in onsets.indices where onsets[row].framesLeft == 0 { onsets[row].isRising = false }
  }

  private mutating func renderDriven(
    _ index: Int, _ count: Int, into scratch: UnsafeMutableBufferPointer<Double>
  ) {
    for frame in 0..<count {
      pairs[index].turn()
      scratch[2 * frame] += pairs[index].first.up
      scratch[2 * frame + 1] += pairs[index].second.up
      for row in onsets.indices where onsets[row].isRising {
        let place = row * Sound.maximumPartials + index
        add(drives[place], to: index, increase: increases[row * Voice.chunkFrames + frame])
        drives[place].first = drives[place].first * pairs[index].firstTurn
        drives[place].second = drives[place].second * pairs[index].secondTurn
      }
    }
    pairs[index].framesLeft = max(0, pairs[index].framesLeft - count)
  }

  private mutating func add(_ drive: Drive, to index: Int, increase: Double) {
    pairs[index].first = pairs[index].first + drive.first * increase
    pairs[index].second = pairs[index].second + drive.second * increase
  }

  /// Lets time pass without being heard. An onset under way is completed at once.
  mutating func skip(frames: Int, rateHertz: Int) {
    guard frames > 0 else { return }
    var left = frames
    if isDriven {
      // The points of the strikes are a frame ahead of the state.
      for index in 0..<pairCount { pairs[index].turn() }
      for row in onsets.indices where onsets[row].isRising { complete(row) }
      left -= 1
      pass(1, rateHertz: rateHertz)
    }
    while left > 0, life != .free {
      let count = min(left, framesLeft)
      for index in 0..<pairCount { skip(index, frames: count) }
      burst.skip(frames: count)
      left -= count
      pass(count, rateHertz: rateHertz)
    }
  }

  private mutating func complete(_ row: Int) {
    let increase = 1 - onsets[row].risen
    for index in 0..<pairCount {
      add(drives[row * Sound.maximumPartials + index], to: index, increase: increase)
    }
    burst.add(increase * onsets[row].noise, at: 0)
    onsets[row].framesLeft = 0
    onsets[row].isRising = false
  }

  private mutating func skip(_ index: Int, frames: Int) {
    pairs[index].framesLeft = max(0, pairs[index].framesLeft - frames)
    if pairs[index].framesLeft == 0 {
      (pairs[index].first, pairs[index].second) = (Point(), Point())
    } else {
      pairs[index].first = pairs[index].first * pairs[index].firstTurn.power(frames)
      pairs[index].second = pairs[index].second * pairs[index].secondTurn.power(frames)
    }
  }
}
