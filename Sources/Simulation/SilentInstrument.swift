import Bells
import Ticks

/// An instrument that nobody hears: it knows how long each sound rings, and no more. So a day of
/// sits costs the life of its device and not the bowls.
struct SilentInstrument: Instrument, ~Copyable {
  /// How long what is damped still rings.
  private static let dampSeconds = 0.3

  private(set) var rateHertz = 48_000
  /// How long a strike of each sound rings.
  private let seconds: [Double]
  private var framesLeft = 0
  /// How long an ambient sound still takes to fade away.
  private var fadeFramesLeft = 0
  private var ambient: AmbientSound?

  init(sounds: [Sound]) {
    seconds = sounds.map(\.seconds)
  }

  var isSilent: Bool { framesLeft == 0 && fadeFramesLeft == 0 && ambient == nil }

  /// Where a sound without end is wanted, an hour is as good as any.
  var soundingFrames: Int {
    ambient == nil ? max(1, framesLeft, fadeFramesLeft) : 3_600 * rateHertz
  }

  private func frames(_ seconds: Double) -> Int {
    Int((seconds * Double(rateHertz)).rounded(.up))
  }

  mutating func retune(rateHertz: Int) { self.rateHertz = rateHertz }

  mutating func setVolumes(_ volumes: Volumes) {}

  mutating func setAmbient(_ ambient: AmbientSound?) {
    if self.ambient != nil && ambient == nil {
      fadeFramesLeft = AmbientSound.fadeSeconds * rateHertz
    }
    self.ambient = ambient
  }

  mutating func strike(_ strike: Strike) {
    framesLeft = max(framesLeft, frames(seconds[strike.sound]))
  }

  mutating func damp() {
    framesLeft = min(framesLeft, frames(SilentInstrument.dampSeconds))
  }

  mutating func skip(frames: Int) {
    framesLeft = max(0, framesLeft - frames)
    fadeFramesLeft = max(0, fadeFramesLeft - frames)
  }

  /// The block is left as it is: no one reads it.
  mutating func render(_ frames: Range<Int>, into block: inout [Float]) {
    skip(frames: frames.count)
  }
}
