import ALSAOutput
import Bells
import Glibc
import Testing
import Ticks

private func output(_ name: String) -> [OutputRequest] {
  [OutputRequest(name: name, leadIn: .milliseconds(50))]
}

/// The frames at which sound begins after at least 50 ms of silence.
private func onsets(_ samples: [Int32]) -> [Int] {
  var found: [Int] = []
  var last = -1_000_000
  for frame in 0..<(samples.count / 2) where samples[2 * frame] != 0 {
    if frame - last > 2_400 { found.append(frame) }
    last = frame
  }
  return found
}

@Suite(.serialized) struct AudioThreadTests {
  init() { _ = Recorder.folder }

  @Test func strikes_throughADefaultThatRecords_areThereAtTheirDistancesWithWholeTails() throws {
    let thread = try AudioThread(outputs: output("default"), sounds: [shortTone], settings: brief)
    let begin = bootTime()
    let due = [800, 1_250, 2_003].map { begin + .milliseconds($0) }
    thread.send(plan: due.enumerated().map { strike(UInt32($0.offset), at: $0.element) })
    let news = reports(of: thread, until: { $0 == .closed }, within: .seconds(10))
    #expect(bootTime() - begin > .milliseconds(2_200))
    #expect(outcomes(news) == [.rung, .rung, .rung])
    guard case .opened(let opening)? = news.first else {
      Issue.record("the device was not opened")
      return
    }
    #expect(opening.format == PCMFormat(rateHertz: 48_000, bufferFrames: 9_600))
    #expect(opening.output == 0)
    #expect(news.last == .closed)
    let samples = Recorder.samples("default")
    let found = onsets(samples)
    #expect(found.count == 3)
    for (index, milliseconds) in [450, 753].enumerated() where found.count == 3 {
      let distance = found[index + 1] - found[index]
      #expect(abs(distance - milliseconds * 48) <= 1)
    }
    // The last tail is whole: it ends below what can be heard, and silence follows.
    let last = samples.lastIndex { $0 != 0 } ?? 0
    #expect(abs(Double(samples[last]) / 2_147_483_647) < 1.2e-5)
    #expect(samples.count - last > 2 * 4_800)
    // It was taken in real time: as much as a card would have played since it was opened.
    #expect(Double(samples.count / 2) / 48_000 < 2.8)
    try thread.stop()
  }

  @Test func strikes_throughAConversionToAnotherRateAndMono_keepTheirDistances() throws {
    let thread = try AudioThread(outputs: output("cd"), sounds: [shortTone], settings: brief)
    let begin = bootTime()
    thread.send(plan: [700, 1_200].map { strike(UInt32($0), at: begin + .milliseconds($0)) })
    let news = reports(of: thread, until: { $0 == .closed }, within: .seconds(10))
    #expect(outcomes(news) == [.rung, .rung])
    try thread.stop()
    // Each 32-bit word holds two frames of 16 bits, so a pair of words is four frames.
    let found = onsets(Recorder.samples("converted")).map { 4 * $0 }
    #expect(found.count == 2)
    if found.count == 2 { #expect(abs(found[1] - found[0] - 22_050) <= 8) }
  }

  @Test func stop_inMidBell_dampsAndReturnsWithinASecond() throws {
    let thread = try AudioThread(outputs: output("damped"), sounds: [longTone], settings: brief)
    thread.send(plan: [strike(1, at: bootTime() + .milliseconds(700))])
    _ = reports(of: thread, until: { outcomes([$0]) == [.rung] }, within: .seconds(5))
    usleep(200_000)
    let begin = bootTime()
    try thread.stop()
    #expect(bootTime() - begin < .seconds(1))
    let samples = Recorder.samples("damped")
    let last = samples.lastIndex { $0 != 0 } ?? 0
    #expect((samples.max() ?? 0) > 100_000_000)
    #expect(abs(Double(samples[last]) / 2_147_483_647) < 1.2e-5)
    try thread.stop()
  }

  @Test func plan_replacedBeforeItsStrike_cancelsIt() throws {
    let thread = try AudioThread(outputs: output("replaced"), sounds: [shortTone], settings: brief)
    let begin = bootTime()
    thread.send(plan: [strike(1, at: begin + .milliseconds(900))])
    thread.send(plan: [])
    thread.send(plan: [strike(2, at: begin + .milliseconds(700))])
    let news = reports(of: thread, until: { $0 == .closed }, within: .seconds(5))
    #expect(outcomes(news) == [.rung])
    #expect(onsets(Recorder.samples("replaced")).count == 1)
    try thread.stop()
  }

  @Test func volume_ofAQuarter_isHeardAsItsCube() throws {
    let thread = try AudioThread(
      outputs: output("quiet"), sounds: [longTone], settings: brief, volumes: Volumes())
    thread.set(Volumes(25))
    thread.send(plan: [strike(1, at: bootTime() + .milliseconds(650))])
    _ = reports(of: thread, until: { outcomes([$0]) == [.rung] }, within: .seconds(5))
    // It is told as its first frame is handed over, and a stop damps it before its peak.
    usleep(250_000)
    try thread.stop()
    let peak = Double(Recorder.samples("quiet").max() ?? 0) / 2_147_483_647
    #expect(abs(peak / (0.1 * 1.15 / 64) - 1) < 0.02)
  }

  @Test func device_thatDoesNotExist_isLostWithItsNameAndTheStrikeIsMissed() throws {
    var settings = brief
    settings.latest = .milliseconds(100)
    let thread = try AudioThread(
      outputs: output("nothing"), sounds: [shortTone], settings: settings)
    thread.send(plan: [strike(1, at: bootTime() + .milliseconds(200))])
    let news = reports(
      of: thread, until: { outcomes([$0]) == [.missed] }, within: .seconds(5))
    guard case .lost(let error, 0)? = news.first else {
      Issue.record("the device was not lost: \(news)")
      return
    }
    #expect(
      error.description == "sound device 'nothing': ALSA's configuration has no such name")
    try thread.stop()
  }

  @Test func device_whoseFileCannotBeWritten_isLostAndTheThreadStops() throws {
    let thread = try AudioThread(outputs: output("late"), sounds: [shortTone], settings: brief)
    thread.warm()
    let news = reports(
      of: thread, until: { if case .lost = $0 { true } else { false } }, within: .seconds(5))
    guard case .lost(let error, 0)? = news.last else {
      Issue.record("the device was not lost: \(news)")
      return
    }
    #expect(error.description.hasPrefix("sound device 'late': "))
    try thread.stop()
  }

  @Test func thread_withNothingPlanned_neverWakes() throws {
    // The card tells which thread plays on it: other tests have threads of that name too.
    let card = Card("idle")
    let thread = try AudioThread(outputs: [card.output], sounds: [shortTone], settings: brief)
    thread.send(plan: [strike(1, at: bootTime() + .milliseconds(200))])
    let news = reports(of: thread, until: { $0 == .closed }, within: .seconds(5))
    #expect(news.last == .closed)
    usleep(100_000)
    let before = switches(of: card.state.pointee.thread)
    usleep(300_000)
    #expect(before > 0)
    #expect(switches(of: card.state.pointee.thread) == before)
    try thread.stop()
  }

  /// How often a thread has gone to sleep.
  private func switches(of thread: Int64) -> Int {
    Int(line("voluntary_ctxt_switches:", of: "\(thread)") ?? "") ?? -1
  }

  private func line(_ key: String, of task: String) -> String? {
    guard let file = fopen("/proc/self/task/\(task)/status", "r") else { return nil }
    defer { fclose(file) }
    var buffer = Array(repeating: CChar(0), count: 512)
    while fgets(&buffer, 512, file) != nil {
      let text = String(
        decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) },
        as: UTF8.self)
      if text.hasPrefix(key) {
        return String(text.dropFirst(key.count).drop { $0 == " " || $0 == "\t" })
      }
    }
    return nil
  }
}
