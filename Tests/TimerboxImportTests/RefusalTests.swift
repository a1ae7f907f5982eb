import Glibc
import RecordingMaker
import Testing

@testable import timerbox_import

private func refusal(_ place: Workplace, _ name: String) -> String? {
  do throws(ImportError) {
    let decoded = try Decoder.decode(try SourceFile(path: place.path(name)))
    _ = try Finishing(decoded)
    return nil
  } catch { return error.text }
}

@Test func source_thatIsNoFile_isRefusedAtOnce() throws {
  let place = try Workplace()
  mkfifo(place.path("pipe"), 0o600)
  mkdir(place.path("folder"), 0o700)
  symlink("loop", place.path("loop"))
  symlink("pipe", place.path("link-to-pipe"))
  #expect(
    refusal(place, "pipe") == "found a device or a pipe, expected an ordinary file")
  #expect(
    refusal(place, "link-to-pipe") == "found a device or a pipe, expected an ordinary file")
  #expect(refusal(place, "folder") == "found a folder, expected an ordinary file")
  #expect(refusal(place, "loop") == "Too many levels of symbolic links")
  #expect(refusal(place, "nothing") == "No such file or directory")
  let zero = try? SourceFile(path: "/dev/zero")
  #expect(zero == nil)
}

@Test func source_linkToAPipe_isRefusedWithoutBeingOpened() throws {
  let place = try Workplace()
  mkfifo(place.path("pipe"), 0o600)
  symlink("pipe", place.path("link"))
  let watch = inotify_init1(O_NONBLOCK)
  try #require(watch >= 0)
  defer { close(watch) }
  try #require(inotify_add_watch(watch, place.path("pipe"), UInt32(IN_OPEN)) >= 0)
  #expect(refusal(place, "link") == "found a device or a pipe, expected an ordinary file")
  var events = [UInt8](repeating: 0, count: 256)
  #expect(read(watch, &events, 256) == -1 && errno == EAGAIN)
  // The watch would have told.
  close(open(place.path("pipe"), O_RDONLY | O_NONBLOCK))
  #expect(read(watch, &events, 256) > 0)
}

@Test func source_emptyAndGarbage_saysWhatWasFound() throws {
  let place = try Workplace()
  try place.write([], to: "empty.wav")
  try place.write(Array("not a sound at all".utf8), to: "text.wav")
  try place.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00], to: "picture.mp3")
  try place.write([0xFF], to: "short.mp3")
  try place.write(Array("RIFF\u{4}\u{0}\u{0}\u{0}WAVE".utf8), to: "head.wav")
  #expect(refusal(place, "empty.wav") == "found an empty file, expected a recording")
  let kinds = "expected WAV, FLAC, Ogg (Vorbis, Opus) or MP3"
  #expect(
    refusal(place, "text.wav") == "found a file that begins with \"not a so\", \(kinds)")
  #expect(
    refusal(place, "picture.mp3")
      == "found a file that begins with the bytes 89 50 4E 47 0D 0A 1A 0A, \(kinds)")
  #expect(refusal(place, "short.mp3") == "found a file that begins with the bytes FF, \(kinds)")
  let head = try #require(refusal(place, "head.wav"))
  #expect(head.hasPrefix("found WAV that cannot be decoded: "))
}

@Test func source_kindThatIsNotTaken_isRefused() throws {
  let place = try Workplace()
  try place.make("sound.wav", recording_maker_aiff, strike(seconds: 0.1, rate: 48_000))
  let text = try #require(refusal(place, "sound.wav"))
  #expect(text.hasSuffix("expected WAV, FLAC, Ogg (Vorbis, Opus) or MP3"))
}

@Test func source_overTheLimits_isRefused() throws {
  let place = try Workplace()
  try place.write(Array("RIFF".utf8), to: "large.wav")
  truncate(place.path("large.wav"), 33_000_000)
  #expect(
    refusal(place, "large.wav") == "found 33000000 bytes, expected at most 32000000 (32 MB)")
  let short = strike(seconds: 0.01, rate: 48_000)
  try place.make("nine", recording_maker_wav16, channels: 9, short)
  #expect(refusal(place, "nine") == "found 9 channels, expected 1 to 8")
  try place.make("slow", recording_maker_wav16, rate: 7_999, short)
  #expect(refusal(place, "slow") == "found 7999 Hz, expected 8000 to 192000 Hz")
  try place.make("fast", recording_maker_wav16, rate: 192_001, short)
  #expect(refusal(place, "fast") == "found 192001 Hz, expected 8000 to 192000 Hz")
}

/// A rate that the library does not take is told like any other.
@Test func source_headerWithARateThatIsNone_saysWhichRate() throws {
  let place = try Workplace()
  let sound = strike(seconds: 0.1, rate: 48_000)
  try place.make("wave", recording_maker_wav16, sound)
  try place.make("flac", recording_maker_flac, sound)
  let expected = "Hz, expected 8000 to 192000 Hz"
  var wave = place.bytes("wave")
  wave.replaceSubrange(24..<28, with: [0, 0, 0, 0])
  try place.write(wave, to: "none.wav")
  #expect(refusal(place, "none.wav") == "found 0 \(expected)")
  wave.replaceSubrange(24..<28, with: [0, 0x28, 0x6B, 0xEE])
  try place.write(wave, to: "fast.wav")
  #expect(refusal(place, "fast.wav") == "found 4000000000 \(expected)")
  var flac = place.bytes("flac")
  flac.replaceSubrange(18..<20, with: [0, 0])
  flac[20] &= 0x0F
  try place.write(flac, to: "none.flac")
  #expect(refusal(place, "none.flac") == "found 0 \(expected)")
}

@Test func source_of120Seconds_isTheLongest() throws {
  let place = try Workplace()
  let longest = [Float](repeating: 0.25, count: 120 * 8_000)
  try place.make("longest", recording_maker_wav16, rate: 8_000, longest)
  #expect(try place.decode("longest").foundSeconds == 120)
  try place.make("longer", recording_maker_wav16, rate: 8_000, longest + [0.25])
  #expect(
    refusal(place, "longer") == "found more than 120 s of sound, expected at most that")
}

@Test func source_ofSilence_isRefused() throws {
  let place = try Workplace()
  try place.make("zero", recording_maker_wav16, silence(seconds: 1, rate: 48_000))
  #expect(refusal(place, "zero") == "found silence, expected a sound that can be heard")
  try place.make(
    "hiss", recording_maker_wav_float, strike(seconds: 1, rate: 48_000, level: 0.000_9))
  #expect(
    refusal(place, "hiss")
      == "found silence (its peak is -61 dBFS), expected a sound that can be heard")
  try place.make(
    "soft", recording_maker_wav_float, strike(seconds: 1, rate: 48_000, level: 0.001_1))
  #expect(refusal(place, "soft") == nil)
}

@Test func source_withNumbersThatAreNone_isRefused() throws {
  let place = try Workplace()
  var sound = strike(seconds: 0.1, rate: 48_000)
  sound[1_000] = .nan
  try place.make("nan", recording_maker_wav_float, sound)
  #expect(refusal(place, "nan") == "found samples that are no numbers, expected sound")
  sound[1_000] = .infinity
  try place.make("infinite", recording_maker_wav_float, sound)
  #expect(refusal(place, "infinite") == "found samples that are no numbers, expected sound")
}

@Test func status_eachRefusal_isOfTheContract() {
  #expect(ImportError.empty.status == .badData)
  #expect(ImportError.tooLong.status == .badData)
  #expect(ImportError.system(.noSuchFile).status == .inputOutput)
  #expect(ImportError.system(.permissionDenied).status == .noPermission)
}
