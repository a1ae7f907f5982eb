import Testing

@testable import Bells

private let source = RecordingFile.Source(name: "bell.wav", byteCount: 1_234, checksum: 99)

private func file(_ samples: [Int16] = [0, 0, 32_767, -32_768, -1, 1]) -> RecordingFile {
  RecordingFile(
    source: source, loudness: -18.25, recording: Recording(samples: samples, gain: 0.75))
}

private func failure(_ bytes: [UInt8]) -> RecordingFileError? {
  do throws(RecordingFileError) {
    _ = try RecordingFile(bytes)
    return nil
  } catch { return error }
}

/// The bytes with others in place of some, and a checksum that is right.
private func changed(_ place: Int, _ values: [UInt8]) -> [UInt8] {
  var bytes = Array(file().bytes.dropLast(8))
  for (index, value) in values.enumerated() { bytes[place + index] = value }
  let sum = RecordingFile.checksum(bytes)
  return bytes + (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64(8 * $0)) }
}

@Test func recordingFile_writtenAndRead_isTheSame() throws {
  let read = try RecordingFile(file().bytes)
  #expect(read == file())
  #expect(read.recording.samples == [0, 0, 32_767, -32_768, -1, 1])
  #expect(read.recording.gain == 0.75 && read.loudness == -18.25)
  #expect(read.source == source)
  #expect(file().bytes.count == 40 + 8 + 12 + 8)
}

@Test func checksum_publishedVectors_areMet() {
  // FNV-1a of 64 bits, RFC 9923, appendix.
  #expect(RecordingFile.checksum([]) == 0xCBF2_9CE4_8422_2325)
  #expect(RecordingFile.checksum(Array("a".utf8)) == 0xAF63_DC4C_8601_EC8C)
  #expect(RecordingFile.checksum(Array("foobar".utf8)) == 0x8594_4171_F739_67E8)
}

@Test func recordingFile_cutAnywhere_isRefused() {
  let whole = file().bytes
  #expect(failure([]) == .empty)
  for count in 1..<40 {
    #expect(failure(Array(whole.prefix(count))) == .cut(found: count, expected: 40))
  }
  for count in 40..<whole.count {
    #expect(failure(Array(whole.prefix(count))) == .cut(found: count, expected: whole.count))
  }
  #expect(failure(whole + [0]) == .tooLong(found: 69, expected: 68))
}

@Test func recordingFile_anyBitTurned_isRefused() {
  let whole = file().bytes
  for bit in 0..<(8 * whole.count) {
    var bytes = whole
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    #expect(failure(bytes) != nil, "bit \(bit)")
  }
}

@Test func recordingFile_wellMadeButWrong_isRefused() {
  #expect(failure(changed(0, [0x52])) == .notARecording)
  #expect(failure(changed(8, [2])) == .version(2))
  #expect(failure(changed(10, [0, 1])) == .damaged)
  #expect(failure(changed(12, [0])) == .frames(0))
  #expect(failure(changed(12, [0xFF, 0xFF, 0xFF, 0xFF])) == .frames(4_294_967_295))
  // A gain of 0, of infinity, of no number, of less than 0, and one that is too great.
  for gain: [UInt8] in [
    [0, 0, 0, 0], [0, 0, 0x80, 0x7F], [0, 0, 0xC0, 0x7F], [0, 0, 0x80, 0xBF], [0, 0, 0xA0, 0x40],
  ] {
    #expect(failure(changed(16, gain)) == .gain)
  }
  #expect(failure(changed(16, [0, 0, 0x80, 0x40])) == nil)
}

@Test func recordingFile_loudnessThatIsNone_isRefused() {
  // No number, both infinities, the greatest number, and the first beyond 100 and -200 LUFS.
  for loudness: [UInt8] in [
    [0, 0, 0xC0, 0x7F], [0, 0, 0x80, 0x7F], [0, 0, 0x80, 0xFF], [0xFF, 0xFF, 0x7F, 0x7F],
    [1, 0, 0xC8, 0x42], [1, 0, 0x48, 0xC3],
  ] {
    #expect(failure(changed(20, loudness)) == .loudness)
  }
  #expect(failure(changed(20, [0, 0, 0xC8, 0x42])) == nil)
  #expect(failure(changed(20, [0, 0, 0x48, 0xC3])) == nil)
}
