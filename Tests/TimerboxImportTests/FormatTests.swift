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
  #expect(!decoded.isCut)
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
  let weights = ChannelWeights.weights(places: nil, 8)
  #expect(weights.map(\.left) == [1, 0, 0.707_106_8, 0, 0.707_106_8, 0, 0.707_106_8, 0])
  #expect(weights.map(\.right) == [0, 1, 0.707_106_8, 0, 0, 0.707_106_8, 0, 0.707_106_8])
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
  #expect(decoded.isCut)
  #expect(decoded.foundSeconds < 0.6 * decoded.claimedSeconds)
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
  #expect(try place.decode("lie").samples.count == 96_000)
}

@Test func decoder_flacCutInTheMiddle_givesWhatIsThere() throws {
  let place = try Workplace()
  var generator = SystemRandomNumberGenerator()
  let noise = (0..<96_000).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
  try place.make("whole", recording_maker_flac, noise)
  let whole = place.bytes("whole")
  try place.write(Array(whole.prefix(whole.count / 2)), to: "cut")
  let decoded = try place.decode("cut")
  #expect(decoded.isCut)
  #expect((0.7...1.05).contains(decoded.foundSeconds))
}
