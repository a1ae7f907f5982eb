import ALSAOutput
import Bells
import Glibc
import LinuxIO
import Ticks
import TimedCard

/// How far bells begin from their instants on a sound card that keeps time (Tests/alsa-card): ours,
/// which are known ahead, and `aplay` started at the instant, on the same card in the same run.
/// - Parameter library: the card's plug-in for libasound.
func measureOnsets(library: String) throws {
  let stand = try OnsetStand(library: library)
  let ours = try stand.bells(count: 100)
  Row(
    name: "Onset of a bell, 100 on a timed card", value: ours.text,
    aim: ("at most 1 ms", ours.greatest <= 1)
  ).write()
  let aplay = try stand.aplay(count: 50)
  let ratio = aplay.median / max(ours.median, 1e-3)
  Row(
    name: "… of aplay started at the instant, 50", value: aplay.text,
    aim: ("ours \(fixed(ratio, 0)) times closer", ratio > 1)
  ).write()
}

/// Errors in milliseconds; early and late count alike.
private struct OnsetErrors {
  var all: [Double]

  var median: Double { all.sorted()[all.count / 2] }
  var greatest: Double { all.max() ?? .infinity }
  var text: String { "median \(fixed(median, 3)) ms, max \(fixed(greatest, 3)) ms" }
}

/// A card, and a configuration of ALSA that has nothing else.
private struct OnsetStand {
  private static let soundBytes = 60 * 48_000 * 2 * 4
  private let folder: String
  private var configuration: String { folder + "/asound.conf" }

  init(library: String) throws(Failure) {
    folder = try temporaryFolder()
    try write(
      """
      pcm_type.timed { lib "\(library)" }
      pcm.ours { type timed state "\(folder)/ours.card" }
      pcm.theirs { type timed state "\(folder)/theirs.card" }

      """, to: configuration)
    setenv("ALSA_CONFIG_PATH", configuration, 1)
  }

  private func write(_ text: String, to path: String) throws(Failure) {
    guard let file = fopen(path, "w") else { throw Failure("\(path) cannot be written") }
    defer { fclose(file) }
    guard fputs(text, file) >= 0 else { throw Failure("\(path) cannot be written") }
  }

  /// A sound that is gone before the next begins.
  private static let tone = Sound(
    name: "tone", source: "the bench",
    partials: [
      Partial(frequencyHertz: 1_000, decaySeconds: 0.05, level: 1, beatHertz: 0, pairRatio: 0)
    ], onsetSeconds: 0.005, amplitude: 0.1)

  func bells(count: Int) throws -> OnsetErrors {
    let card = try card("ours")
    defer { timed_card_release(card, Int64(Self.soundBytes)) }
    let audio = try AudioThread(
      outputs: [OutputRequest(name: "ours", leadIn: .milliseconds(100))], sounds: [Self.tone])
    let begin = Clock.bootTime() + .seconds(1)
    // Distances that are no multiple of a period, nor of a frame.
    let due = (0..<count).map { begin + .microseconds(207_313) * Int64($0) }
    var next = 0
    while next < count {
      let known = next..<min(count, next + StrikeSchedule.capacity)
      audio.send(
        plan: known.map { Strike(number: UInt32($0 + 1), sound: 0, due: due[$0], gain: 1) })
      next = known.upperBound
      // The plan is made anew once half of it has begun.
      if next < count { next = known.lowerBound + StrikeSchedule.capacity / 2 }
      sleep(until: next < count ? due[next] - .milliseconds(300) : due[count - 1] + .seconds(1))
    }
    try audio.stop()
    return try errors(card, due)
  }

  func aplay(count: Int) throws -> OnsetErrors {
    let card = try card("theirs")
    defer { timed_card_release(card, Int64(Self.soundBytes)) }
    let file = folder + "/click.wav"
    var wave = WaveFile()
    let samples = [Float](repeating: 0.5, count: 2 * 960)
    var bytes = [UInt8](repeating: 0, count: 960 * 4)
    wave.encoder.encode(0..<960, of: samples, into: &bytes)
    bytes = wave.header(frameCount: 960) + bytes
    let descriptor = open(file, O_WRONLY | O_CREAT, 0o600)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw Failure("\(file) cannot be written")
    }
    close(descriptor)
    var due: [Instant] = []
    for _ in 0..<count {
      let instant = Clock.bootTime() + .milliseconds(50)
      sleep(until: instant)
      due.append(instant)
      let process = try spawn(
        "aplay", ["-q", "-D", "theirs", file], environment: ["ALSA_CONFIG_PATH=" + configuration])
      guard exitStatus(of: process) == 0 else { throw Failure("aplay failed") }
    }
    return try errors(card, due)
  }

  private func card(_ name: String) throws(Failure) -> UnsafeMutablePointer<timed_card> {
    guard let card = timed_card_make("\(folder)/\(name).card", Int64(Self.soundBytes)) else {
      throw Failure("the timed card cannot be made")
    }
    return card
  }

  private func sleep(until instant: Instant) {
    var time = timespec()
    time.tv_sec = Int(instant.nanoseconds / 1_000_000_000)
    time.tv_nsec = Int(instant.nanoseconds % 1_000_000_000)
    while clock_nanosleep(CLOCK_BOOTTIME, Int32(TIMER_ABSTIME), &time, nil) == EINTR {}
  }

  /// The distance of each onset from its instant.
  private func errors(
    _ card: UnsafeMutablePointer<timed_card>, _ due: [Instant]
  ) throws(Failure) -> OnsetErrors {
    let onsets = onsets(card)
    guard onsets.count == due.count else {
      throw Failure("\(onsets.count) of \(due.count) bells were heard")
    }
    let lead = Clock.bootTime().nanoseconds - monotonic()
    return OnsetErrors(
      all: zip(onsets, due).map { abs(Double($0 + lead - $1.nanoseconds)) / 1e6 })
  }

  private func monotonic() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// When each sound began: after 20 ms of silence, or with a start of the stream.
  private func onsets(_ card: UnsafeMutablePointer<timed_card>) -> [Int64] {
    let channels = max(1, Int(card.pointee.channels))
    guard let heard = timed_card_heard(card) else { return [] }
    var found: [Int64] = []
    var last = -1_000_000
    for frame in 0..<Int(card.pointee.heard_frames) where heard[frame * channels] != 0 {
      if frame - last > 960 { found.append(timed_card_time(card, Int64(frame))) }
      last = frame
    }
    return found
  }
}
