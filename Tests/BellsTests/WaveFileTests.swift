import Bells
import Testing

private func encoded(_ samples: [Float], _ format: SampleFormat, channelCount: Int = 2) -> [UInt8] {
  var encoder = SampleEncoder(format: format, channelCount: channelCount)
  var bytes = Array(repeating: UInt8(0xAA), count: samples.count / 2 * encoder.frameByteCount)
  encoder.encode(0..<(samples.count / 2), of: samples, into: &bytes)
  return bytes
}

@Suite struct WaveFileTests {
  @Test func header_of16BitStereo_isTheRIFFLayout() {
    let header = WaveFile(format: .integer16).header(frameCount: 2)
    #expect(
      header == [
        0x52, 0x49, 0x46, 0x46, 44, 0, 0, 0, 0x57, 0x41, 0x56, 0x45, 0x66, 0x6D, 0x74, 0x20,
        16, 0, 0, 0, 1, 0, 2, 0, 0x80, 0xBB, 0, 0, 0, 0xEE, 2, 0, 4, 0, 16, 0,
        0x64, 0x61, 0x74, 0x61, 8, 0, 0, 0,
      ])
    #expect(header.count == WaveFile.headerByteCount)
  }

  @Test func header_ofFloat_saysFormatThreeAndThirtyTwoBits() {
    let header = WaveFile(format: .float32, rateHertz: 44_100).header(frameCount: 1)
    #expect(Array(header[20..<24]) == [3, 0, 2, 0])
    #expect(Array(header[24..<28]) == [0x44, 0xAC, 0, 0])
    #expect(Array(header[34..<36]) == [32, 0])
  }

  @Test func header_ofMoreThanFourGibibytes_staysWithinThirtyTwoBits() {
    let header = WaveFile().header(frameCount: 2_000_000_000)
    #expect(Array(header[4..<8]) == [0xFF, 0xFF, 0xFF, 0xFF])
  }

  @Test func samples_inEachFormat_areLittleEndianAndClipped() {
    #expect(encoded([1, -1], .integer32) == [0xFF, 0xFF, 0xFF, 0x7F, 1, 0, 0, 0x80])
    #expect(encoded([2, -2], .integer32) == [0xFF, 0xFF, 0xFF, 0x7F, 1, 0, 0, 0x80])
    #expect(encoded([1, -1], .integer24In32) == [0xFF, 0xFF, 0x7F, 0, 1, 0, 0x80, 0])
    #expect(encoded([1, -1], .integer24Packed) == [0xFF, 0xFF, 0x7F, 1, 0, 0x80])
    #expect(encoded([1, -0.5], .float32) == [0, 0, 0x80, 0x3F, 0, 0, 0, 0xBF])
    #expect(encoded([0, 0], .integer16) == [0, 0, 0, 0])
  }

  @Test func samples_of16Bits_areDitheredByAtMostOneStepAndRight_onAverage() {
    let level: Float = 100.3 / 32_767
    let bytes = encoded(Array(repeating: level, count: 20_000), .integer16)
    var sum = 0
    for index in stride(from: 0, to: bytes.count, by: 2) {
      let value = Int(Int16(truncatingIfNeeded: Int(bytes[index]) | Int(bytes[index + 1]) << 8))
      #expect((99...101).contains(value))
      sum += value
    }
    #expect(abs(Double(sum) / 20_000 - 100.3) < 0.03)
  }

  @Test func channels_otherThanTwo_areTheMeanOrSilence() {
    #expect(encoded([1, 0], .float32, channelCount: 1) == [0, 0, 0, 0x3F])
    #expect(
      encoded([1, -1], .float32, channelCount: 4) == [
        0, 0, 0x80, 0x3F, 0, 0, 0x80, 0xBF, 0, 0, 0, 0, 0, 0, 0, 0,
      ])
  }

  @Test func rendering_withEvents_appliesThemOnTheirFrames() {
    let loud = samples([.init(frame: 5_000, action: strike)], sounds: [tone(440)])
    #expect(loud.firstIndex { $0 != 0 } == 2 * 5_001)
    let soft = samples(
      [.init(frame: 0, action: .volumes(Volumes(50))), .init(frame: 5_000, action: strike)],
      sounds: [tone(440)])
    for index in stride(from: 10_000, to: 12_000, by: 97) {
      #expect(abs(soft[index] - loud[index] / 8) < 1e-7)
    }
    let cut = samples(
      [.init(frame: 0, action: strike), .init(frame: 100, action: .damp)], atMost: 48_000)
    #expect(cut.count / 2 < 24_000)
  }

  @Test func rendering_withAMinimum_isExactlySoLong() {
    var rendering = Rendering([], minimumFrames: 5_000)
    var block: [Float] = []
    #expect(rendering.next(into: &block) == 4_096)
    #expect(rendering.next(into: &block) == 904)
    #expect(rendering.next(into: &block) == 0)
  }
}
