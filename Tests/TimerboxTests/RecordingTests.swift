// The bells of the running box, as the real libasound was given them: its `default` is a PCM of
// type `file`, so what a card would have played is in a file.
import Glibc
import Sessions
import Testing

private let recorder = """
  pcm.null { type null }
  pcm.!default { type file slave.pcm null file "FOLDER/heard.raw" format raw perm 384 }

  """

/// Samples of one channel of what was heard; 48,000 a second, full scale 2^31.
private func heard(_ surroundings: Surroundings) -> [Int32] {
  let bytes = surroundings.bytes("heard.raw")
  // Safety: eight bytes are a frame of two little-endian samples; only whole frames are read.
  return bytes.withUnsafeBytes { raw in
    (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: Int32.self) }
  }
}

/// The milliseconds at which a strike adds energy: the loudest sample of 5 ms is half again as loud
/// as that of the 50 ms before it.
private func onsets(_ samples: [Int32]) -> [Int] {
  let peaks = stride(from: 0, to: samples.count - 240, by: 240).map { start in
    samples[start..<start + 240].reduce(0) { max($0, abs(Double($1))) }
  }
  var found: [Int] = []
  for index in peaks.indices where peaks[index] > 1e6 {
    let before = peaks[max(0, index - 10)..<index].max() ?? 0
    guard peaks[index] > 1.5 * before else { continue }
    if let last = found.last, index * 5 - last < 200 { continue }
    found.append(index * 5)
  }
  return found
}

/// Runs for 63 s: a sit lasts at least a minute, and its end bell is what this is about.
@Test func sit_throughTheRealLibrary_leavesItsBellsAtTheirDistancesInTheRecording() throws {
  let surroundings = try Surroundings(sound: recorder)
  try surroundings.write(
    "[sit]\npreparation = 1s\nlength = 1m\n[interval]\nevery = 20s\n[bell end]\nstrikes = 1\n",
    to: "box.conf")
  let service = try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")])
  #expect(try surroundings.run("start").status == 0)
  try service.reach("ended", within: 75)
  let sits = try service.history()
  #expect(sits.first?.member("durationSeconds")?.integerValue == 60)
  #expect(sits.first?.member("completed")?.boolValue == true)
  // The end bell has just begun; let it be heard for a moment, and end in its middle.
  try eventually("the end bell is heard") { onsets(heard(surroundings)).count == 4 }
  let end = try service.program.finish(SIGTERM)
  #expect(end.status == 0)
  #expect(end.seconds < 2)
  let samples = heard(surroundings)
  let found = onsets(samples)
  #expect(found.count == 4)
  for (index, distance) in [20_000, 40_000, 60_000].enumerated() where found.count == 4 {
    #expect(abs(found[index + 1] - found[0] - distance) <= 5)
  }
  // Damped as a hand does it: the recording ends in silence, not in the middle of a wave.
  let last = samples.suffix(480).reduce(0) { max($0, abs(Double($1))) }
  #expect(last < 1e5)
}

@Test func bell_inItsMiddle_ringsOnWhileTheSitGoesOn() throws {
  let surroundings = try Surroundings(sound: recorder)
  try surroundings.write("[sit]\npreparation = 0\nminimum = 0\n", to: "box.conf")
  let service = try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")])
  #expect(try surroundings.run("start").status == 0)
  try service.reach("running")
  try eventually("the bell is heard for two seconds") {
    let samples = heard(surroundings)
    guard let onset = onsets(samples).first else { return false }
    return samples.count > (onset + 2_000) * 48
  }
  #expect(try surroundings.run("stop").status == 0)
  let end = try service.program.finish(SIGTERM)
  #expect(end.status == 0 && end.seconds < 2)
  let samples = heard(surroundings)
  let onset = try #require(onsets(samples).first) * 48
  // Two seconds long there is no gap: each tenth of a second has sound in it.
  for tenth in 1..<20 {
    let part = samples[onset + tenth * 4_800..<onset + (tenth + 1) * 4_800]
    #expect(part.contains { abs(Double($0)) > 1e6 })
  }
}

/// Runs for half a minute: so long does the bowl ring when it is struck 60 dB softer.
@Test func bell_leftAlone_ringsUntilItIsSilentAndTheCardIsGivenBack() throws {
  let surroundings = try Surroundings(sound: recorder)
  try surroundings.write(
    "[sit]\npreparation = 0\nminimum = 0\n[bell start]\nlevel = -60 dB\n", to: "box.conf")
  let service = try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")])
  #expect(try surroundings.run("start").status == 0)
  let recording = surroundings.path("heard.raw")
  try eventually("the card is taken") { service.program.hasOpen(recording) }
  try eventually(within: 90, "the card is given back") { !service.program.hasOpen(recording) }
  #expect(try service.phase() == "running")
  let samples = heard(surroundings)
  let first = try #require(samples.firstIndex { $0 != 0 })
  let last = try #require(samples.lastIndex { $0 != 0 })
  // No gap, no growth: each second sounds, and none is louder than the one before.
  let seconds = stride(from: first, to: last - 48_000, by: 48_000).map { start in
    samples[start..<start + 48_000].reduce(0) { max($0, abs(Double($1))) }
  }
  #expect(seconds.count > 20 && seconds.allSatisfy { $0 > 0 })
  #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0 > $1 })
  // It ended where nobody hears it, below -110 dB of full scale, and not before.
  let end = samples[(last - 4_800)...last].reduce(0) { max($0, abs(Double($1))) }
  #expect(end < 2_147_483_648 * 3.2e-6)
  #expect(try service.program.finish(SIGTERM).seconds < 2)
}

@Test func choices_ofAnEarlierRun_holdForTheBoxAndForItsSound() throws {
  let surroundings = try Surroundings(sound: recorder)
  mkdir(surroundings.path("chosen"), 0o700)
  try surroundings.write(
    "[settings]\nvolume = 0\ninterval = 5m\npreparation = 0\n", to: "chosen/settings")
  let service = try Service(surroundings, words: ["run", "--state", surroundings.path("chosen")])
  #expect(try service.state("volume").integerValue == 0)
  #expect(try service.state("panel").member("interval")?.stringValue == "5m")
  #expect(try surroundings.run("start").status == 0)
  try service.reach("running")
  // Some seconds of the start bell, of which nothing is heard.
  try eventually("the output runs") { heard(surroundings).count > 4 * 48_000 }
  #expect(heard(surroundings).allSatisfy { $0 == 0 })
  #expect(try service.program.finish(SIGTERM).status == 0)
}
