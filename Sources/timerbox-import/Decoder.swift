import Bells
import CSndfile
import CSoxr

/// Stereo at the box's own rate, as it came out of a file.
struct Decoded {
  /// Interleaved; full scale 1, and beyond it what a lossy decoder overshoots.
  var samples: [Float]
  /// How long the file says that it is, in seconds; nil where it does not say so.
  var claimedSeconds: Double?
  /// How long what it holds is, in seconds.
  var foundSeconds: Double
  /// Whether it breaks off before its last page.
  var lacksEnd = false

  /// What is missing of it, in words; nil where all of it is there. A length that is not taken is
  /// not told: such a one is mostly made up.
  var shortfall: String? {
    let found = "and only \(foundSeconds.tenths) s are there"
    if lacksEnd { return "its end is missing, \(found)" }
    guard let claimedSeconds, foundSeconds < claimedSeconds - 0.1 else { return nil }
    let most = Double(Limits.seconds)
    let claimed = claimedSeconds > most ? "more than \(Limits.seconds)" : claimedSeconds.tenths
    return "it says that it has \(claimed) s, \(found)"
  }
}

extension Double {
  /// With one decimal.
  var tenths: String {
    let whole = Int((magnitude * 10).rounded())
    return "\(self < 0 && whole > 0 ? "-" : "")\(whole / 10).\(whole % 10)"
  }
}

/// From the bytes of a file to stereo at 48,000 Hz.
///
/// What a file says of its length is never believed: it is decoded until nothing comes any more,
/// and not beyond the longest recording that is taken.
enum Decoder {
  private static let blockFrames = 4_096

  static func decode(_ source: SourceFile) throws(ImportError) -> Decoded {
    let kind = try source.kind()
    let header = Header(source.sound, kind)
    if let rate = header.rateHertz { try check(rate) }
    var decoded: Decoded?
    var failure: ImportError?
    source.bytes.withUnsafeBytes { bytes in
      // Safety: the bytes live until this closure ends, and the file is closed inside of it.
      do throws(ImportError) { decoded = try decode(bytes, kind, header) } catch { failure = error }
    }
    guard let decoded else { throw failure ?? .failed("there is no memory for it") }
    return decoded
  }

  private static func check(_ hertz: Int) throws(ImportError) {
    guard Limits.ratesHertz.contains(hertz) else { throw .rate(hertz) }
  }

  private static func decode(
    _ bytes: UnsafeRawBufferPointer, _ kind: SourceFile.Kind, _ header: Header
  ) throws(ImportError) -> Decoded {
    var info = csndfile_info()
    guard let start = bytes.baseAddress else { throw .empty }
    guard let file = csndfile_open(start, bytes.count, &info) else {
      throw .undecodable(kind: kind.rawValue, reason: text(csndfile_error(nil)))
    }
    defer { csndfile_close(file) }
    guard Limits.channels.contains(Int(info.channels)) else {
      throw .channels(Int(info.channels))
    }
    try check(Int(info.rate_hertz))
    let rate = Int(info.rate_hertz)
    let resampler = try Resampler(fromHertz: rate)
    let weights = ChannelWeights(info)
    var samples: [Float] = []
    var frameCount = 0
    let channels = Int(info.channels)
    var block = [Float](repeating: 0, count: blockFrames * channels)
    while true {
      let count = Int(csndfile_read(file, &block, Int64(blockFrames)))
      guard count > 0 else { break }
      frameCount += count
      guard frameCount <= Limits.seconds * rate else { throw .tooLong }
      let values = block.prefix(count * channels)
      guard values.allSatisfy({ $0.isFinite }) else { throw .notNumbers }
      try resampler.add(weights.stereo(values), to: &samples)
    }
    guard frameCount > 0 else {
      let reason = text(csndfile_error(file))
      throw reason.isEmpty ? .noFrames : .undecodable(kind: kind.rawValue, reason: reason)
    }
    try resampler.finish(&samples)
    let found = Double(frameCount) / Double(rate)
    let claimed =
      header.shareThere < 1
      ? found / header.shareThere : Double(info.claimed_frames) / Double(rate)
    return Decoded(
      samples: samples, claimedSeconds: info.claimed_frames == Int64.max ? nil : claimed,
      foundSeconds: found, lacksEnd: header.lacksEnd)
  }

  private static func text(_ text: UnsafePointer<CChar>) -> String {
    // Safety: libsndfile's texts end with a zero and are copied at once. Some end with a dot or a
    // line feed, which would stand in the middle of our sentence.
    let whole = String(cString: text)
    return String(whole.prefix { $0 != "\n" }).trimmed
  }
}

extension String {
  /// Without the full stops and spaces at its end.
  var trimmed: String {
    var text = self
    while let last = text.last, last == "." || last == " " { text.removeLast() }
    return text
  }
}

/// How much of each channel goes to the left and to the right.
///
/// Front channels as they are, the centre and those at the sides and behind by -3 dB, the
/// low-frequency channel not at all (ITU-R BS.775-3, table 2). Where a file does not say which is
/// which, as in all but WAV, the order is that of its kind.
struct ChannelWeights {
  private var weights: [(left: Float, right: Float)]

  init(_ info: csndfile_info) {
    let channels = Int(info.channels)
    var map = info.map
    weights = withUnsafeBytes(of: &map) { bytes in
      // Safety: the map has eight numbers, and there are at most eight channels.
      let places = Array(bytes.bindMemory(to: Int32.self).prefix(channels))
      return ChannelWeights.weights(
        places: info.has_map != 0 ? places : nil, isVorbisOrder: info.has_vorbis_order != 0,
        channels)
    }
  }

  private static let side: Float = 0.707_106_8

  static func weights(
    places: [Int32]?, isVorbisOrder: Bool, _ channels: Int
  ) -> [(left: Float, right: Float)] {
    if channels == 1 { return [(1, 1)] }
    let usual = (isVorbisOrder ? vorbisOrder(channels) : order(channels)).map { weight(of: $0) }
    let found = places?.map { weight(of: $0) } ?? usual
    // A map of which nothing is known is as good as none.
    let isHeard = found.contains { $0.left > 0 } && found.contains { $0.right > 0 }
    return isHeard ? found : usual
  }

  private static func weight(of place: Int32) -> (left: Float, right: Float) {
    switch place {
    case csndfile_left, csndfile_front_left, csndfile_left_of_center: (1, 0)
    case csndfile_right, csndfile_front_right, csndfile_right_of_center: (0, 1)
    case csndfile_center, csndfile_front_center, csndfile_mono: (side, side)
    case csndfile_rear_left, csndfile_side_left: (side, 0)
    case csndfile_rear_right, csndfile_side_right: (0, side)
    case csndfile_rear_center: (0.5, 0.5)
    default: (0, 0)
    }
  }

  /// The order of WAVEFORMATEXTENSIBLE, which FLAC has too.
  private static func order(_ channels: Int) -> [Int32] {
    let front: [Int32] = [csndfile_front_left, csndfile_front_right]
    let center: [Int32] = [csndfile_front_center]
    let back: [Int32] = [csndfile_rear_left, csndfile_rear_right]
    let sides: [Int32] = [csndfile_side_left, csndfile_side_right]
    let low: [Int32] = [csndfile_lfe]
    switch channels {
    case 2: return front
    case 3: return front + center
    case 4: return front + back
    case 5: return front + center + back
    case 6: return front + center + low + back
    case 7: return front + center + low + [csndfile_rear_center] + sides
    default: return front + center + low + back + sides
    }
  }

  /// The order of Vorbis, which Opus has too (Vorbis I, 4.3.9; RFC 7845, 5.1.1.2).
  private static func vorbisOrder(_ channels: Int) -> [Int32] {
    let sides: [Int32] = [csndfile_front_left, csndfile_front_right]
    let front: [Int32] = [csndfile_front_left, csndfile_front_center, csndfile_front_right]
    let back: [Int32] = [csndfile_rear_left, csndfile_rear_right]
    let low: [Int32] = [csndfile_lfe]
    switch channels {
    case 2: return sides
    case 3: return front
    case 4: return sides + back
    case 5: return front + back
    case 6: return front + back + low
    case 7:
      return front + [csndfile_side_left, csndfile_side_right, csndfile_rear_center] + low
    default: return front + [csndfile_side_left, csndfile_side_right] + back + low
    }
  }

  func stereo(_ values: ArraySlice<Float>) -> [Float] {
    var frames: [Float] = []
    frames.reserveCapacity(2 * values.count / weights.count)
    for start in stride(from: values.startIndex, to: values.endIndex, by: weights.count) {
      var left: Float = 0
      var right: Float = 0
      for channel in weights.indices {
        left += values[start + channel] * weights[channel].left
        right += values[start + channel] * weights[channel].right
      }
      frames.append(left)
      frames.append(right)
    }
    return frames
  }
}

/// From one rate to the box's own; nothing to do where it is that already.
final class Resampler {
  private let handle: UnsafeMutableRawPointer?
  private var out: [Float]

  init(fromHertz: Int) throws(ImportError) {
    guard fromHertz != Recording.rateHertz else {
      handle = nil
      out = []
      return
    }
    handle = csoxr_make(Double(fromHertz), Double(Recording.rateHertz))
    out = Array(repeating: 0, count: 2 * 8_192)
    if handle == nil { throw .failed("libsoxr makes no resampler from \(fromHertz) Hz") }
  }

  deinit {
    if let handle { csoxr_free(handle) }
  }

  func add(_ frames: [Float], to samples: inout [Float]) throws(ImportError) {
    guard let handle else {
      samples += frames
      return
    }
    var done = 0
    while done < frames.count / 2 {
      var taken = 0
      let rest = Array(frames[(2 * done)...])
      let given = csoxr_run(handle, rest, rest.count / 2, &out, out.count / 2, &taken)
      guard given >= 0, given > 0 || taken > 0 else { throw .failed("libsoxr failed") }
      samples += out.prefix(2 * given)
      done += taken
    }
  }

  /// What is still inside.
  func finish(_ samples: inout [Float]) throws(ImportError) {
    guard let handle else { return }
    while true {
      var taken = 0
      let given = csoxr_run(handle, nil, 0, &out, out.count / 2, &taken)
      guard given >= 0 else { throw .failed("libsoxr failed") }
      if given == 0 { return }
      samples += out.prefix(2 * given)
    }
  }
}
