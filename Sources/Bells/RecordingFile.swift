/// A recording as it stands in a file of the box's own form.
///
/// | bytes | hold |
/// |---|---|
/// | 8 | `TBSOUND` and a line feed |
/// | 2 | the version of the form, 1 |
/// | 2 | how many bytes the name of the source has, at most 255 |
/// | 4 | how many frames |
/// | 4 | the gain, a 32-bit float |
/// | 4 | the greatest momentary loudness with that gain, in LUFS, a 32-bit float |
/// | 8 | how many bytes the source had |
/// | 8 | the source's checksum |
/// | n | the source's name, in UTF-8 |
/// | 4 a frame | left and right, 16 bits each |
/// | 8 | the checksum of all before it |
///
/// Invariants:
/// - All numbers are written little end first. A checksum is FNV-1a of 64 bits (Fowler, Noll and
///   Vo; RFC 9923), which no change of a single byte leaves as it was.
/// - What is read back is the whole file or an error: its length follows from its head, so a cut
///   one is found before its content is looked at.
public struct RecordingFile: Equatable, Sendable {
  /// No recording has more frames: 120 s.
  public static let maximumFrames = 120 * Recording.rateHertz
  /// No gain is greater, nor is there one of 0: the samples fill their 16 bits.
  public static let maximumGain: Float = 4
  /// No file has more bytes.
  public static let maximumBytes =
    headByteCount + maximumNameBytes + 4 * maximumFrames + checksumByteCount

  static let headByteCount = 40
  private static let checksumByteCount = 8
  private static let maximumNameBytes = 255
  private static let magic: [UInt8] = [0x54, 0x42, 0x53, 0x4F, 0x55, 0x4E, 0x44, 0x0A]
  private static let version = 1

  /// What a recording was made of.
  public struct Source: Equatable, Sendable {
    /// The name of its file, without the folder.
    public var name: String
    /// How many bytes it had.
    public var byteCount: Int
    /// `RecordingFile.checksum` of its bytes.
    public var checksum: UInt64

    /// Makes a source.
    public init(name: String, byteCount: Int, checksum: UInt64) {
      self.name = name
      self.byteCount = byteCount
      self.checksum = checksum
    }
  }

  /// What it was made of.
  public let source: Source
  /// The greatest momentary loudness when it is played with its gain, in LUFS.
  public let loudness: Float
  /// The recording itself.
  public let recording: Recording

  /// Makes a file's content.
  /// - Precondition: it has at most `maximumFrames`, a gain above 0 and up to `maximumGain`, and a
  ///   loudness of -200 to 100 LUFS.
  public init(source: Source, loudness: Float, recording: Recording) {
    precondition(
      recording.frameCount <= RecordingFile.maximumFrames, "a recording has at most 120 s")
    precondition(RecordingFile.isGain(recording.gain), "a gain is above 0 and at most 4")
    precondition(RecordingFile.loudnessRange.contains(loudness), "a loudness is -200 to 100 LUFS")
    self.source = source
    self.loudness = loudness
    self.recording = recording
  }

  /// Wider than that of any sound, and too narrow for what is no number.
  private static let loudnessRange: ClosedRange<Float> = -200...100

  private static func isGain(_ gain: Float) -> Bool { gain > 0 && gain <= maximumGain }

  /// FNV-1a of 64 bits.
  public static func checksum(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return sum
  }

  /// The bytes of the file. A name that is too long is cut.
  public var bytes: [UInt8] {
    let name = Array(source.name.utf8.prefix(RecordingFile.maximumNameBytes))
    var bytes: [UInt8] = RecordingFile.magic
    bytes.reserveCapacity(RecordingFile.size(nameBytes: name.count, frames: recording.frameCount))
    RecordingFile.put(UInt64(RecordingFile.version), 2, into: &bytes)
    RecordingFile.put(UInt64(name.count), 2, into: &bytes)
    RecordingFile.put(UInt64(recording.frameCount), 4, into: &bytes)
    RecordingFile.put(UInt64(recording.gain.bitPattern), 4, into: &bytes)
    RecordingFile.put(UInt64(loudness.bitPattern), 4, into: &bytes)
    RecordingFile.put(UInt64(source.byteCount), 8, into: &bytes)
    RecordingFile.put(source.checksum, 8, into: &bytes)
    bytes += name
    for sample in recording.samples {
      bytes.append(UInt8(truncatingIfNeeded: sample))
      bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
    }
    RecordingFile.put(RecordingFile.checksum(bytes), 8, into: &bytes)
    return bytes
  }

  private static func put(_ value: UInt64, _ count: Int, into bytes: inout [UInt8]) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }

  private static func size(nameBytes: Int, frames: Int) -> Int {
    headByteCount + nameBytes + 4 * frames + checksumByteCount
  }

  /// Reads a file's content, and believes none of it before it is checked.
  public init(_ bytes: [UInt8]) throws(RecordingFileError) {
    guard !bytes.isEmpty else { throw .empty }
    let head = bytes.prefix(RecordingFile.magic.count)
    guard RecordingFile.magic.starts(with: head) else { throw .notARecording }
    guard bytes.count >= RecordingFile.headByteCount else {
      throw .cut(found: bytes.count, expected: RecordingFile.headByteCount)
    }
    let version = Int(RecordingFile.number(bytes, at: 8, 2))
    guard version == RecordingFile.version else { throw .version(version) }
    let nameBytes = Int(RecordingFile.number(bytes, at: 10, 2))
    let frames = Int(RecordingFile.number(bytes, at: 12, 4))
    guard nameBytes <= RecordingFile.maximumNameBytes else { throw .damaged }
    guard (1...RecordingFile.maximumFrames).contains(frames) else { throw .frames(frames) }
    let size = RecordingFile.size(nameBytes: nameBytes, frames: frames)
    guard bytes.count >= size else { throw .cut(found: bytes.count, expected: size) }
    guard bytes.count == size else { throw .tooLong(found: bytes.count, expected: size) }
    let end = size - RecordingFile.checksumByteCount
    guard RecordingFile.checksum(bytes[..<end]) == RecordingFile.number(bytes, at: end, 8) else {
      throw .damaged
    }
    let gain = Float(bitPattern: UInt32(RecordingFile.number(bytes, at: 16, 4)))
    guard RecordingFile.isGain(gain) else { throw .gain }
    let loudness = Float(bitPattern: UInt32(RecordingFile.number(bytes, at: 20, 4)))
    guard RecordingFile.loudnessRange.contains(loudness) else { throw .loudness }
    let start = RecordingFile.headByteCount + nameBytes
    source = Source(
      name: String(decoding: bytes[RecordingFile.headByteCount..<start], as: UTF8.self),
      byteCount: Int(truncatingIfNeeded: RecordingFile.number(bytes, at: 24, 8)),
      checksum: RecordingFile.number(bytes, at: 32, 8))
    self.loudness = loudness
    recording = Recording(
      samples: RecordingFile.samples(bytes, from: start, count: 2 * frames), gain: gain)
  }

  private static func number(_ bytes: [UInt8], at place: Int, _ count: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[place + index]) << UInt64(8 * index) }
    return value
  }

  private static func samples(_ bytes: [UInt8], from start: Int, count: Int) -> [Int16] {
    var samples: [Int16] = []
    samples.reserveCapacity(count)
    for place in stride(from: start, to: start + 2 * count, by: 2) {
      samples.append(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
    }
    return samples
  }

  /// Files are equal if they say the same.
  public static func == (left: RecordingFile, right: RecordingFile) -> Bool {
    left.source == right.source && left.loudness == right.loudness
      && left.recording.gain == right.recording.gain
      && left.recording.samples == right.recording.samples
  }
}

/// Why a file is no recording in the box's own form.
public enum RecordingFileError: Error, Equatable, Sendable {
  /// It has no bytes.
  case empty
  /// It begins otherwise.
  case notARecording
  /// It is of a form that this version does not know.
  case version(Int)
  /// It has fewer bytes than its head says.
  case cut(found: Int, expected: Int)
  /// It has more bytes than its head says.
  case tooLong(found: Int, expected: Int)
  /// It says that it has no frames, or more than there may be.
  case frames(Int)
  /// Its gain is none.
  case gain
  /// Its loudness is none.
  case loudness
  /// Its content is not what was written.
  case damaged
}
