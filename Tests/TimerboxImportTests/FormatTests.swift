import Bells
import RecordingMaker
import Testing

@testable import timerbox_import

/// A format that is read: how it is written, and how far a decoder may be off in time.
private struct Row: Sendable, CustomTestStringConvertible {
  var name: String
  var format: Int32
  var rate: Int
  var channels: Int
  var testDescription: String { name }
}

private let rows: [Row] = [
  Row(name: "wave 16 bit 44.1 kHz mono", format: recording_maker_wav16, rate: 44_100, channels: 1),
  Row(name: "wave 24 bit 8 kHz", format: recording_maker_wav24, rate: 8_000, channels: 2),
  Row(name: "wave float 192 kHz", format: recording_maker_wav_float, rate: 192_000, channels: 2),
  Row(name: "wave 8 channels", format: recording_maker_wav16, rate: 48_000, channels: 8),
  Row(name: "flac 96 kHz", format: recording_maker_flac, rate: 96_000, channels: 2),
  Row(name: "ogg vorbis 44.1 kHz", format: recording_maker_vorbis, rate: 44_100, channels: 2),
  Row(name: "ogg opus", format: recording_maker_opus, rate: 48_000, channels: 1),
  Row(name: "mp3 44.1 kHz", format: recording_maker_mp3, rate: 44_100, channels: 2),
]

@Test(arguments: rows)
private func decoder_eachFormat_keepsPitchLengthAndOnset(_ row: Row) throws {
  let place = try Workplace()
  let sound = strike(seconds: 1, rate: row.rate)
  // A name that lies: what a file is is told by its bytes.
  try place.make("sound.txt", row.format, rate: row.rate, channels: row.channels, sound)
  let decoded = try place.decode("sound.txt")
  #expect(abs(decoded.foundSeconds - 1) < 0.1)
  #expect(decoded.shortfall == nil)
  let finished = try Finishing(decoded)
  let frames = finished.recording.frameCount
  #expect(abs(frames - 48_000) < 2_500)
  // 440 Hz stays 440 Hz: so many turns from 100 ms to 600 ms.
  let samples = finished.recording.samples
  let crossings = (4_800..<28_800).filter { samples[2 * $0] < 0 && samples[2 * $0 + 2] >= 0 }.count
  #expect(abs(crossings - 220) <= 1)
  // The attack is on its frame: half of the peak within 2 ms of the start.
  let attack = try #require((0..<frames).first { samples[2 * $0].magnitude > 16_000 })
  #expect(attack <= 96)
}

@Test func decoder_eightChannels_areMixedByTheirPlaces() throws {
  let weights = ChannelWeights.weights(places: nil, isVorbisOrder: false, 8)
  #expect(weights.map(\.left) == [1, 0, 0.707_106_8, 0, 0.707_106_8, 0, 0.707_106_8, 0])
  #expect(weights.map(\.right) == [0, 1, 0.707_106_8, 0, 0, 0.707_106_8, 0, 0.707_106_8])
}

@Test(arguments: [recording_maker_vorbis, recording_maker_opus])
func decoder_oggOfSixChannels_isMixedInTheOrderOfVorbis(_ format: Int32) throws {
  let place = try Workplace()
  // Left, centre, right, left and right behind, low-frequency.
  let expected: [(left: Double, right: Double)] = [
    (1, 0), (0.5, 0.5), (0, 1), (0.5, 0), (0, 0.5), (0, 0),
  ]
  let tone = strike(seconds: 0.5, rate: 48_000, hertz: 80)
  for channel in expected.indices {
    let frames = tone.flatMap { value in (0..<6).map { $0 == channel ? value : 0 } }
    try place.make("six", format, rate: 48_000, channels: 6, interleaved: frames)
    let samples = try place.decode("six").samples
    let power = [0, 1].map { side in
      stride(from: side, to: samples.count, by: 2).reduce(0.0) {
        $0 + Double(samples[$1] * samples[$1])
      }
    }
    let whole = tone.reduce(0.0) { $0 + Double($1 * $1) }
    #expect(abs(power[0] / whole - expected[channel].left) < 0.1)
    #expect(abs(power[1] / whole - expected[channel].right) < 0.1)
  }
}

@Test func decoder_oggOfAnyChannels_isMixedInTheOrderOfVorbis() {
  // Vorbis I specification, 4.3.9; RFC 7845, 5.1.1.2. `L` and `l` are in front and behind.
  let side: Float = 0.707_106_8
  let parts: [Character: (Float, Float)] = [
    "L": (1, 0), "R": (0, 1), "C": (side, side), "l": (side, 0), "r": (0, side), "c": (0.5, 0.5),
    "-": (0, 0),
  ]
  for order in ["LR", "LCR", "LRlr", "LCRlr", "LCRlr-", "LCRlrc-", "LCRlrlr-"] {
    let weights = ChannelWeights.weights(places: nil, isVorbisOrder: true, order.count)
    #expect(weights.map(\.left) == order.compactMap { parts[$0]?.0 })
    #expect(weights.map(\.right) == order.compactMap { parts[$0]?.1 })
  }
}

@Test func decoder_mono_isOnBothSides() throws {
  let place = try Workplace()
  try place.make("mono", recording_maker_wav_float, strike(seconds: 0.1, rate: 48_000))
  let samples = try place.decode("mono").samples
  #expect(samples.count == 9_600)
  #expect(stride(from: 0, to: samples.count, by: 2).allSatisfy { samples[$0] == samples[$0 + 1] })
  #expect(samples[0] == 0.5)
}

@Test func decoder_cutMP3_givesWhatIsThereAndSaysSo() throws {
  let place = try Workplace()
  try place.make(
    "whole", recording_maker_mp3, rate: 44_100, channels: 2, strike(seconds: 10, rate: 44_100))
  let whole = place.bytes("whole")
  try place.write(Array(whole.prefix(20_000)), to: "cut")
  try #require(whole.count > 40_000)
  let decoded = try place.decode("cut")
  let claimed = try #require(decoded.claimedSeconds)
  #expect(decoded.shortfall != nil && decoded.foundSeconds < 0.6 * claimed)
  #expect(decoded.foundSeconds > 0.5)
  #expect(decoded.samples.count / 2 <= Int(decoded.foundSeconds * 48_000) + 100)
}

@Test func decoder_waveHeaderThatLies_isNotBelieved() throws {
  let place = try Workplace()
  try place.make("true", recording_maker_wav16, strike(seconds: 1, rate: 48_000))
  var bytes = place.bytes("true")
  let data = try #require(
    (12..<bytes.count).first { Array(bytes[$0..<($0 + 4)]) == Array("data".utf8) })
  // It says that it has two thousand million bytes.
  for (index, byte) in [UInt8(0), 0xF0, 0xFF, 0x7F].enumerated() { bytes[data + 4 + index] = byte }
  try place.write(bytes, to: "lie")
  let decoded = try place.decode("lie")
  #expect(decoded.samples.count == 96_000)
  // So it is written by what does not know yet how long it becomes.
  #expect(decoded.shortfall == nil)
}

@Test func decoder_waveCutInTheMiddle_givesWhatIsThereAndSaysSo() throws {
  let place = try Workplace()
  try place.make("whole", recording_maker_wav16, strike(seconds: 4, rate: 48_000))
  let whole = place.bytes("whole")
  #expect(try place.decode("whole").shortfall == nil)
  try place.write(Array(whole.prefix(whole.count / 2)), to: "cut")
  #expect(
    try place.decode("cut").shortfall == "it says that it has 4.0 s, and only 2.0 s are there")
}

@Test func decoder_waveThatSaysMoreThanIsTaken_isNotToldInSeconds() throws {
  let place = try Workplace()
  try place.make("true", recording_maker_wav16, strike(seconds: 1, rate: 48_000))
  var bytes = place.bytes("true")
  let data = try #require(
    (12..<bytes.count).first { Array(bytes[$0..<($0 + 4)]) == Array("data".utf8) })
  for (index, byte) in [UInt8(0), 0, 0, 0x40].enumerated() { bytes[data + 4 + index] = byte }
  try place.write(bytes, to: "lie")
  #expect(
    try place.decode("lie").shortfall
      == "it says that it has more than 120 s, and only 1.0 s are there")
}

@Test(arguments: [recording_maker_vorbis, recording_maker_opus])
func decoder_oggCutInTheMiddle_givesWhatIsThereAndSaysSo(_ format: Int32) throws {
  let place = try Workplace()
  try place.make("whole", format, strike(seconds: 8, rate: 48_000))
  let whole = place.bytes("whole")
  #expect(try place.decode("whole").shortfall == nil)
  try place.write(Array(whole.prefix(whole.count / 2)), to: "cut")
  let decoded = try place.decode("cut")
  #expect((1.0...7.0).contains(decoded.foundSeconds))
  let text = try #require(decoded.shortfall)
  #expect(text.hasPrefix("its end is missing, and only ") && text.hasSuffix(" s are there"))
}

@Test func decoder_flacCutInTheMiddle_givesWhatIsThere() throws {
  let place = try Workplace()
  var generator = SystemRandomNumberGenerator()
  let noise = (0..<96_000).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
  try place.make("whole", recording_maker_flac, noise)
  let whole = place.bytes("whole")
  try place.write(Array(whole.prefix(whole.count / 2)), to: "cut")
  let decoded = try place.decode("cut")
  #expect(decoded.shortfall != nil)
  #expect((0.7...1.05).contains(decoded.foundSeconds))
}
