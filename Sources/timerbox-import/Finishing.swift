import Bells
import CEbur128

/// What makes a strike of a recording.
///
/// Invariants of the result:
/// - It begins 1 ms before the sound does, and its first and last frames are exactly zero. The fade
///   over that millisecond takes nothing of the attack.
/// - Its greatest momentary loudness (400 ms, ITU-R BS.1770) is that of the built-in sounds,
///   -18 LUFS, unless its true peak would come over -6 dBTP or it would be raised by more than
///   12 dB.
/// - Its samples fill their 16 bits, with triangular dither; the gain is told apart from them.
struct Finishing {
  static let targetLoudness = -18.0
  static let peakDecibelsMax = -6.0
  static let boostDecibelsMax = 12.0

  /// What is quieter than this is no recording of anything: -60 dBFS.
  private static let audiblePeak: Float = 0.001
  /// A sound begins where it first comes within 46 dB of its peak, and ends where it was last
  /// within 90 dB of it.
  private static let beginShare: Float = 0.005
  private static let endShare: Float = 0.000_03
  private static let leadFrames = Recording.rateHertz / 1_000
  private static let fadeFramesMax = Recording.rateHertz / 2

  var recording: Recording
  var loudness: Double

  init(_ decoded: Decoded) throws(ImportError) {
    var samples = decoded.samples
    let peak = Finishing.center(&samples)
    guard peak >= Finishing.audiblePeak else {
      throw .silent(peakDecibels: peak > 0 ? Finishing.decibels(peak) : nil)
    }
    samples = try Finishing.trim(samples, peak)
    Finishing.fade(&samples)
    let meter = try Meter()
    try meter.add(samples)
    let raise = try min(
      Finishing.targetLoudness - meter.loudness,
      Finishing.peakDecibelsMax - meter.peakDecibels(), Finishing.boostDecibelsMax)
    let factor = Float(Mathematics.factor(decibels: raise))
    let greatest = samples.reduce(0) { max($0, $1.magnitude) }
    recording = Recording(
      samples: Finishing.encode(samples, 1 / greatest), gain: factor * greatest)
    loudness = meter.loudness + raise
  }

  static func decibels(_ factor: Float) -> Int {
    Int((20 * Mathematics.logarithm(Double(factor)) / Mathematics.logarithm(10)).rounded())
  }

  /// Takes out a constant part that could be heard as a click; gives the peak.
  private static func center(_ samples: inout [Float]) -> Float {
    let peak = samples.reduce(0) { max($0, $1.magnitude) }
    for channel in 0...1 {
      let places = stride(from: channel, to: samples.count, by: 2)
      let sum = places.reduce(0.0) { $0 + Double(samples[$1]) }
      let mean = Float(sum / Double(max(1, samples.count / 2)))
      guard mean.magnitude > 0.002 * peak else { continue }
      for place in places { samples[place] -= mean }
    }
    return samples.reduce(0) { max($0, $1.magnitude) }
  }

  /// All silence in front goes, whether it is a second of waiting or the 25 to 50 ms that an MP3
  /// encoder adds: the strike is due when the sound begins.
  private static func trim(_ samples: [Float], _ peak: Float) throws(ImportError) -> [Float] {
    let first = (samples.firstIndex { $0.magnitude >= peak * beginShare } ?? 0) / 2
    let last = (samples.lastIndex { $0.magnitude >= peak * endShare } ?? 0) / 2
    guard last - first + 1 >= Limits.millisecondsMin * Recording.rateHertz / 1_000 else {
      throw .tooShort
    }
    let start = max(0, first - leadFrames)
    // Where the sound begins or ends with the file, the silence that is missing is put there.
    let lead = [Float](repeating: 0, count: 2 * (leadFrames - (first - start)))
    let end = min(last + 1, first - leadFrames + RecordingFile.maximumFrames - 1)
    return lead + samples[(2 * start)..<(2 * end)] + [0, 0]
  }

  private static func fade(_ samples: inout [Float]) {
    let count = samples.count / 2
    let rise = min(leadFrames, count)
    for frame in 0..<rise { scale(&samples, frame, raisedCosine(frame, of: rise)) }
    let fall = min(fadeFramesMax, max(1, count / 4))
    for frame in 0..<fall { scale(&samples, count - 1 - frame, raisedCosine(frame, of: fall)) }
  }

  private static func raisedCosine(_ frame: Int, of count: Int) -> Float {
    Float(0.5 - 0.5 * Mathematics.cosine(.pi * Double(frame) / Double(count)))
  }

  private static func scale(_ samples: inout [Float], _ frame: Int, _ factor: Float) {
    samples[2 * frame] *= factor
    samples[2 * frame + 1] *= factor
  }

  private static func encode(_ samples: [Float], _ factor: Float) -> [Int16] {
    var encoder = SampleEncoder(format: .integer16)
    let frames = samples.count / 2
    var bytes = [UInt8](repeating: 0, count: frames * encoder.frameByteCount)
    encoder.encode(0..<frames, of: samples.map { $0 * factor }, into: &bytes)
    return stride(from: 0, to: bytes.count, by: 2).map { place in
      Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
    }
  }
}

/// Momentary loudness and true peak.
final class Meter {
  private static let blockFrames = Recording.rateHertz / 10

  private let handle: UnsafeMutableRawPointer
  /// The greatest of the last 400 ms so far, looked at ten times a second.
  private(set) var loudness = -Double.infinity

  init() throws(ImportError) {
    guard let made = cebur128_make(UInt(Recording.rateHertz)) else {
      throw .failed("libebur128 makes no meter")
    }
    handle = made
  }

  deinit { cebur128_free(handle) }

  /// Measures a whole sound, and the silence after it: a short one is over before 400 ms are.
  func add(_ samples: [Float]) throws(ImportError) {
    let padded = samples + [Float](repeating: 0, count: 2 * 4 * Meter.blockFrames)
    for start in stride(from: 0, to: padded.count, by: 2 * Meter.blockFrames) {
      let block = Array(padded[start..<min(padded.count, start + 2 * Meter.blockFrames)])
      let momentary = cebur128_add(handle, block, block.count / 2)
      guard !momentary.isNaN else { throw .failed("libebur128 failed") }
      loudness = max(loudness, momentary)
    }
  }

  func peakDecibels() throws(ImportError) -> Double {
    let peak = cebur128_true_peak(handle)
    guard peak > 0, peak.isFinite else { throw .failed("libebur128 failed") }
    return 20 * Mathematics.logarithm(peak) / Mathematics.logarithm(10)
  }
}
