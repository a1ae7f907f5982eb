import Ticks

/// How a sample is written down, little end first.
public enum SampleFormat: UInt8, CaseIterable, Sendable {
  /// 32-bit integers.
  case integer32
  /// 24-bit integers in the low three bytes of four.
  case integer24In32
  /// 24-bit integers in three bytes.
  case integer24Packed
  /// 16-bit integers.
  case integer16
  /// 32-bit floating point, full scale ±1.
  case float32

  /// Bytes a sample.
  public var byteCount: Int {
    switch self {
    case .integer32, .integer24In32, .float32: 4
    case .integer24Packed: 3
    case .integer16: 2
    }
  }
}

/// Turns rendered stereo into the bytes of a format.
///
/// 16-bit samples are dithered (triangular, ±1 step), since the long tail of a bell passes through
/// the last bits, where plain rounding would turn it into a buzz; exact silence stays exact zero.
/// The dither is a fixed sequence: the same frames give the same bytes.
public struct SampleEncoder: Sendable {
  /// The format it writes.
  public let format: SampleFormat
  /// How many channels it writes. One is the mean of left and right; of more than two, those after
  /// the second are silent.
  public let channelCount: Int

  private var generator = SeededGenerator(seed: 1)

  /// Makes an encoder.
  /// - Precondition: there is at least one channel.
  public init(format: SampleFormat, channelCount: Int = 2) {
    precondition(channelCount > 0, "a stream has at least one channel")
    self.format = format
    self.channelCount = channelCount
  }

  /// Bytes a frame.
  public var frameByteCount: Int { format.byteCount * channelCount }

  /// Writes frames down.
  /// - Parameters:
  ///   - frames: which frames of the block.
  ///   - block: interleaved stereo, full scale ±1; what is beyond is cut off.
  ///   - bytes: where to, from its start.
  /// - Precondition: there is room for `frames.count * frameByteCount` bytes.
  public mutating func encode(
    _ frames: Range<Int>, of block: borrowing [Float], into bytes: inout [UInt8]
  ) {
    precondition(bytes.count >= frames.count * frameByteCount, "there is no room for the frames")
    var place = 0
    for frame in frames {
      let left = block[2 * frame]
      let right = block[2 * frame + 1]
      for channel in 0..<channelCount {
        let sample =
          channelCount == 1 ? (left + right) / 2 : channel == 0 ? left : channel == 1 ? right : 0
        put(bits(of: sample), into: &bytes, at: &place)
      }
    }
  }

  private func put(_ bits: UInt32, into bytes: inout [UInt8], at place: inout Int) {
    for index in 0..<format.byteCount {
      bytes[place] = UInt8(truncatingIfNeeded: bits >> UInt32(8 * index))
      place += 1
    }
  }

  private mutating func bits(of sample: Float) -> UInt32 {
    switch format {
    case .float32: sample.bitPattern
    case .integer32: UInt32(bitPattern: whole(sample, scale: 2_147_483_647, dither: 0))
    case .integer24In32, .integer24Packed:
      UInt32(bitPattern: whole(sample, scale: 8_388_607, dither: 0)) & 0xFF_FFFF
    case .integer16:
      UInt32(bitPattern: whole(sample, scale: 32_767, dither: sample == 0 ? 0 : dither()))
    }
  }

  private func whole(_ sample: Float, scale: Double, dither: Double) -> Int32 {
    let value = Double(sample) * scale + dither
    return Int32(Mathematics.nearest(max(-scale, min(scale, value))))
  }

  /// The difference of two evenly spread numbers: triangular between -1 and 1.
  private mutating func dither() -> Double {
    let bits = generator.next()
    return (Double(bits >> 32) - Double(bits & 0xFFFF_FFFF)) / 4_294_967_296
  }
}

/// The bytes of a RIFF WAVE file of stereo frames.
public struct WaveFile: Sendable {
  /// How many bytes the header has.
  public static let headerByteCount = 44

  /// Turns frames into the bytes that follow the header.
  public var encoder: SampleEncoder
  private let rateHertz: Int

  /// Makes a writer for 16-bit integers or floating point.
  /// - Precondition: the format is `integer16` or `float32`.
  public init(format: SampleFormat = .integer16, rateHertz: Int = 48_000) {
    precondition(
      format == .integer16 || format == .float32, "a wave file is 16-bit or floating point here")
    encoder = SampleEncoder(format: format)
    self.rateHertz = rateHertz
  }

  /// The header of a file with so many frames. Written first with any count, it can be written over
  /// once the count is known. A file of more than 4 GiB claims to be of the greatest size.
  public func header(frameCount: Int) -> [UInt8] {
    let frameBytes = encoder.frameByteCount
    let dataBytes = min(frameCount * frameBytes, Int(UInt32.max) - 36)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(WaveFile.headerByteCount)
    bytes += [0x52, 0x49, 0x46, 0x46]  // RIFF
    WaveFile.append(dataBytes + 36, byteCount: 4, to: &bytes)
    bytes += [0x57, 0x41, 0x56, 0x45, 0x66, 0x6D, 0x74, 0x20]  // WAVE, fmt and a space
    WaveFile.append(16, byteCount: 4, to: &bytes)
    WaveFile.append(encoder.format == .float32 ? 3 : 1, byteCount: 2, to: &bytes)
    WaveFile.append(encoder.channelCount, byteCount: 2, to: &bytes)
    WaveFile.append(rateHertz, byteCount: 4, to: &bytes)
    WaveFile.append(rateHertz * frameBytes, byteCount: 4, to: &bytes)
    WaveFile.append(frameBytes, byteCount: 2, to: &bytes)
    WaveFile.append(encoder.format.byteCount * 8, byteCount: 2, to: &bytes)
    bytes += [0x64, 0x61, 0x74, 0x61]  // data
    WaveFile.append(dataBytes, byteCount: 4, to: &bytes)
    return bytes
  }

  private static func append(_ value: Int, byteCount: Int, to bytes: inout [UInt8]) {
    for index in 0..<byteCount { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}
