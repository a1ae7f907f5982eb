import Bells
import RecordingMaker
import Testing

@testable import timerbox_import

private let rate = 48_000

private func decoded(_ sound: [Float]) -> Decoded {
  Decoded(samples: sound.flatMap { [$0, $0] }, claimedSeconds: nil, foundSeconds: 0)
}

/// What is heard of a recording, measured anew.
private func heard(_ recording: Recording) throws -> (loudness: Double, peak: Double) {
  let meter = try Meter()
  try meter.add(recording.samples.map { Float($0) / 32_767 * recording.gain })
  return (meter.loudness, try meter.peakDecibels())
}

@Test func loudness_loudAndSoftRecordings_becomeThatOfTheBells() throws {
  for level in [Float(0.15), 0.5, 0.99, 20] {
    let sound = strike(seconds: 3, rate: rate, level: level)
    let finished = try Finishing(decoded(sound))
    let (loudness, peak) = try heard(finished.recording)
    #expect(abs(loudness + 18) < 0.1)
    #expect(abs(finished.loudness - loudness) < 0.05)
    #expect(peak <= -6)
  }
}

@Test func loudness_ofAClick_isHeldByItsPeak() throws {
  let sound = (0..<4_800).map { frame -> Float in
    let level = Float(max(0, 240 - frame)) / 240
    return frame % 2 == 0 ? level : -level
  }
  let finished = try Finishing(decoded(sound))
  let (loudness, peak) = try heard(finished.recording)
  #expect(loudness < -18.5)
  #expect(abs(peak + 6) < 0.1)
}

@Test func loudness_ofAVerySoftRecording_isRaisedBy12DecibelsAtMost() throws {
  let sound = strike(seconds: 3, rate: rate, level: 0.01)
  let before = try Meter()
  try before.add(sound.flatMap { [$0, $0] })
  let finished = try Finishing(decoded(sound))
  let (loudness, _) = try heard(finished.recording)
  #expect(abs(loudness - before.loudness - 12) < 0.1)
}

@Test func ends_everyRecording_areExactlyZero() throws {
  for seconds in [0.01, 0.1, 1.0] {
    let samples = try Finishing(decoded(strike(seconds: seconds, rate: rate))).recording.samples
    #expect(samples[0] == 0 && samples[1] == 0)
    #expect(samples[samples.count - 1] == 0 && samples[samples.count - 2] == 0)
    #expect(samples.contains { $0.magnitude > 32_000 })
  }
}

@Test func attack_onTheFirstFrame_isKept() throws {
  // A click, and 100 ms of what it leaves behind.
  let sound = [1] + (0..<4_800).map { Float($0 % 2 == 0 ? 0.01 : -0.01) }
  let samples = try Finishing(decoded(sound)).recording.samples
  #expect(samples.firstIndex { $0.magnitude > 32_000 } == 2 * 48)
  // The last frame is kept too: a frame of silence comes behind it.
  #expect(samples.count == 2 * (48 + sound.count + 1))
}

@Test func sound_shorterThan10Milliseconds_isRefused() throws {
  let text = "found less than 10 ms of sound, expected a recording"
  for frames in [1, 479, 480, 481] {
    let sound = (0..<frames).map { Float($0 % 2 == 0 ? 0.5 : -0.5) }
    var found: String?
    do throws(ImportError) {
      _ = try Finishing(decoded(silence(seconds: 1, rate: rate) + sound))
    } catch { found = error.text }
    #expect(found == (frames < 480 ? text : nil))
  }
}

@Test func silenceInFront_ofAnyLength_isTakenOff() throws {
  let struck = strike(seconds: 1, rate: rate)
  let plain = try Finishing(decoded(struck)).recording
  for seconds in [0.0, 0.025, 0.05, 0.051, 2.0] {
    let recording = try Finishing(decoded(silence(seconds: seconds, rate: rate) + struck)).recording
    let attack = recording.samples.firstIndex { $0.magnitude > 16_000 } ?? 0
    // 1 ms, and what the fade over it takes.
    #expect(attack / 2 <= 60)
    #expect(abs(recording.frameCount - plain.frameCount) <= 48)
  }
}

@Test func silenceBehind_isTakenOff() throws {
  let sound = strike(seconds: 1, rate: rate) + silence(seconds: 5, rate: rate)
  #expect(try Finishing(decoded(sound)).recording.frameCount <= 48_002)
}

@Test func constantPart_isTakenOut() throws {
  let sound: [Float] = strike(seconds: 1, rate: rate).map { $0 * 0.5 + 0.2 }
  let samples = try Finishing(decoded(sound)).recording.samples
  let mean = samples.reduce(0.0) { $0 + Double($1) } / Double(samples.count)
  // The fade at the end moves it a little.
  #expect(abs(mean) < 100)
}
