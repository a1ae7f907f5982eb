import Bells
import FoundationEssentials
import Glibc
import LinuxIO

// What sound costs: rendered as fast as this machine can, and played by the service on a card that
// keeps time, next to mpg123 on the same card.

/// Sounds of different tunings, from the longest on, so that none dies away while it is measured.
private let longest: [Sound] = Sound.catalogue.sorted { $0.seconds > $1.seconds }

func measureSound(_ program: String, card: String) throws {
  for voices in [1, 4, 16] { measureRendering(voices) }
  let card = PlayedCard(library: card)
  try measureMemory(program)
  let one = try measureSounding(program, card, voices: 1)
  _ = try measureSounding(program, card, voices: 4)
  try measureHeld(program, card)
  try measurePeer(program, card, one)
}

/// How much faster than real time so many banks are rendered.
private func measureRendering(_ voices: Int) {
  let frames = 1_024
  var mixer = Mixer()
  for voice in 0..<voices {
    // The same sound on another channel is another bank.
    let sound = Sound.index(named: longest[voice % longest.count].name) ?? 0
    let channel = UInt8(voice / longest.count)
    mixer.strike(Strike(number: 0, sound: sound, due: .zero, gain: 0.2, channel: channel))
  }
  var block = [Float](repeating: 0, count: 2 * frames)
  let blocks = 48_000 * 10 / frames
  let begun = Clock.monotonic()
  for _ in 0..<blocks { mixer.render(0..<frames, into: &block) }
  let passed = Double(Clock.monotonic() - begun) / 1e9
  let times = Double(blocks * frames) / 48_000 / passed
  // A Raspberry Pi Zero 2 is 8 to 15 times slower: there a sixteenth of a core is left for this.
  let least = 240.0 / Double(voices)
  Row(
    name: "rendering, \(voices == 1 ? "a voice" : "\(voices) voices")",
    value: "\(fixed(times, 0)) times real time",
    aim: voices == 1 ? nil : ("at least \(fixed(least, 0))", times >= least)
  ).write()
}

/// What a process costs over a while.
private struct Cost {
  /// Of one core.
  var percent: Double
  var wakeUpsPerSecond: Double

  /// Whoever has no device open does not wake.
  var isOfAnOpenDevice: Bool { (1...25).contains(wakeUpsPerSecond) }

  var text: String {
    "\(fixed(percent, 2)) %, \(fixed(wakeUpsPerSecond, 1)) wake-ups /s"
  }
}

private let measuredSeconds: UInt32 = 10

/// - Parameter look: nanoseconds run so far, and wake-ups.
private func cost(_ look: () throws -> (nanoseconds: Int64, wakeUps: Int)) throws -> Cost {
  let begun = Clock.monotonic()
  let before = try look()
  sleep(measuredSeconds)
  let after = try look()
  let passed = Double(Clock.monotonic() - begun)
  return Cost(
    percent: Double(after.nanoseconds - before.nanoseconds) * 100 / passed,
    wakeUpsPerSecond: Double(after.wakeUps - before.wakeUps) * 1e9 / passed)
}

extension RunningService {
  fileprivate func audioLook() throws -> (nanoseconds: Int64, wakeUps: Int) {
    let wakeUps = try wakeUps()
    guard let count = wakeUps["audio"] else { throw Failure("the service has no thread audio") }
    return (try processorTime(), count)
  }

  fileprivate func ring(_ sounds: [Sound]) throws {
    for sound in sounds { try command(["ring", sound.name]) }
  }
}

private func measureSounding(
  _ program: String, _ card: PlayedCard, voices: Int
) throws -> Cost {
  let service = try RunningService(program, card: card)
  sleep(1)
  try service.ring(Array(longest.prefix(voices)))
  sleep(2)
  let cost = try cost { try service.audioLook() }
  Row(
    name: "CPU, audio's wake-ups, \(voices == 1 ? "a voice sounds" : "\(voices) voices sound")",
    value: cost.text,
    aim: ("under 5 %, 1 to 25 /s", cost.percent < 5 && cost.isOfAnOpenDevice)
  ).write()
  return cost
}

/// Every sound there is rings once. On an output of which nothing is kept.
private func measureMemory(_ program: String) throws {
  let service = try RunningService(program)
  sleep(1)
  try service.ring(longest)
  sleep(2)
  let megabytes = Double(try service.memory().resident) * 1_024 / 1_000_000
  Row(
    name: "resident memory, all \(longest.count) sounds in use",
    value: "\(fixed(megabytes, 1)) MB", aim: ("under 16", megabytes < 16)
  ).write()
}

/// The device is held, and nothing sounds.
private func measureHeld(_ program: String, _ card: PlayedCard) throws {
  let configuration = "[sound]\nkeep-alive = always\n"
  let service = try RunningService(program, configuration: configuration, card: card)
  sleep(3)
  let cost = try cost { try service.audioLook() }
  Row(
    name: "CPU, audio's wake-ups, the device held", value: cost.text,
    aim: ("under 1 %, 1 to 25 /s", cost.percent < 1 && cost.isOfAnOpenDevice)
  ).write()
}

// MARK: The peer

/// mpg123 plays a recording of one of our bowls on the same card.
private func measurePeer(_ program: String, _ card: PlayedCard, _ ours: Cost) throws {
  let folder = try temporaryFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let sound = try card.install(in: folder)
  try sound.write(toFile: folder + "/asound.conf", atomically: false, encoding: .utf8)
  for (tool, words) in [
    (program, ["sounds", "render", longest[0].name, folder + "/bowl.wav"]),
    ("lame", ["--quiet", "-b", "192", folder + "/bowl.wav", folder + "/bowl.mp3"]),
  ] {
    guard exitStatus(of: try spawn(tool, words, environment: ["HOME=\(folder)"])) == 0 else {
      throw Failure("\(tool) \(words[0]) failed")
    }
  }
  let words = ["-q", "-o", "alsa", "-a", PlayedCard.name, folder + "/bowl.mp3"]
  let environment = ["HOME=\(folder)", "ALSA_CONFIG_PATH=\(folder)/asound.conf"]
  let peer = try spawn("mpg123", words, environment: environment)
  defer {
    kill(peer, SIGKILL)
    _ = exitStatus(of: peer)
  }
  sleep(2)
  let theirs = try cost { try look(at: peer) }
  guard kill(peer, 0) == 0, theirs.wakeUpsPerSecond > 0 else {
    throw Failure("mpg123 plays nothing")
  }
  Row(name: "CPU, wake-ups of mpg123, a file on that card", value: theirs.text, aim: nil).write()
  Row(
    name: "  ratio of CPU, of wake-ups: a voice to a file",
    value: "\(fixed(ours.percent / max(0.01, theirs.percent), 2)), "
      + fixed(ours.wakeUpsPerSecond / max(0.01, theirs.wakeUpsPerSecond), 2),
    aim: nil
  ).write()
}

/// Of a process and all its threads.
private func look(at process: pid_t) throws -> (nanoseconds: Int64, wakeUps: Int) {
  let tasks = "/proc/\(process)/task"
  var sum: (nanoseconds: Int64, wakeUps: Int) = (0, 0)
  for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
    sum.nanoseconds += try processorTime(ofTask: "\(tasks)/\(task)")
    sum.wakeUps += try wakeUps(ofTask: "\(tasks)/\(task)")
  }
  return sum
}
