import ALSAOutput
import Bells
import Glibc
import Synchronization
import Testing
import Ticks
import TimedCard
import Witness

/// The greatest distance of an onset from its instant, in milliseconds.
func greatestError(_ onsets: [Instant], _ due: [Instant]) -> Double {
  guard onsets.count == due.count else { return .infinity }
  return zip(onsets, due).map { abs(Double(($0 - $1).nanoseconds)) / 1e6 }.max() ?? .infinity
}

/// Bells that are played on a card from its making on.
private struct Performance {
  let card: Card
  let due: [Instant]
  private let thread: AudioThread

  /// - Parameter milliseconds: so long after now each of them is due.
  init(
    of milliseconds: [Int64], on card: Card, leadIn: Span = .milliseconds(50),
    sound: Sound = shortTone
  ) throws {
    self.card = card
    thread = try AudioThread(
      outputs: [card.output(leadIn: leadIn)], sounds: [sound], settings: brief)
    let begin = bootTime()
    due = milliseconds.map { begin + .milliseconds($0) }
    thread.send(plan: due.enumerated().map { strike(UInt32($0.offset), at: $0.element) })
  }

  /// Waits for the end, and expects that all were rung, within a millisecond.
  func expectAllOnTime(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let news = outcomes(reports(of: thread, until: { $0 == .closed }, within: .seconds(12)))
    try thread.stop()
    #expect(news == due.map { _ in .rung }, sourceLocation: sourceLocation)
    #expect(greatestError(card.onsets, due) <= 1, sourceLocation: sourceLocation)
  }

  func finish() throws {
    _ = reports(of: thread, until: { $0 == .closed }, within: .seconds(12))
    try thread.stop()
  }
}

/// What a sound is like from its first frame on, left and right.
private func rendered(_ sound: Sound) -> [Float] {
  var rendering = Rendering([.init(frame: 0, action: .strike(sound: 0))], sounds: [sound])
  var block: [Float] = []
  var all: [Float] = []
  while case let count = rendering.next(into: &block), count > 0 {
    all += block.prefix(2 * count)
  }
  return all
}

/// Through libasound, on cards that keep time.
@Suite struct CardPlayingTests {
  init() { _ = Recorder.folder }

  @Test func bells_onACard_beginWithinAMillisecondInOneOpening_rows3And6And7And8And40() throws {
    let card = Card("ten")
    card.state.pointee.quantum_frames = 24
    card.state.pointee.fifo_frames = 64
    try Performance(of: (0..<10).map { 700 + 310 * $0 }, on: card).expectAllOnTime()
    // One opening, one negotiation, and samples without a gap.
    #expect(card.state.pointee.opening_attempts == 1)
    #expect(card.state.pointee.configurations == 1)
    #expect(card.state.pointee.starts == 1)
    #expect(card.state.pointee.underruns == 0)
    #expect(card.state.pointee.period_frames == 2_400)
    #expect(card.state.pointee.buffer_frames == 9_600)
    // It begins and ends in silence.
    #expect(card.heard().prefix(480).allSatisfy { $0 == 0 })
    #expect(card.heard().suffix(480).allSatisfy { $0 == 0 })
  }

  @Test func outputs_thatSwallowLessThanTheirLeadIn_letTheAttackThrough_rows1And2() throws {
    let television = Card("television")
    let amplifier = Card("amplifier")
    let unknown = Card("unknown")
    television.state.pointee.swallow_ns = 1_500_000_000
    amplifier.state.pointee.swallow_ns = 4_500_000_000
    unknown.state.pointee.swallow_ns = 1_500_000_000
    let short = try Performance(of: [2_700], on: television, leadIn: .seconds(2))
    let long = try Performance(of: [5_700], on: amplifier, leadIn: .seconds(5))
    let none = try Performance(of: [700], on: unknown)
    try short.expectAllOnTime()
    try long.expectAllOnTime()
    // The card does swallow: with a lead-in that is too short nothing is heard.
    try none.finish()
    #expect(unknown.heard().count > 24_000)
    #expect(unknown.heard().allSatisfy { $0 == 0 })
  }

  @Test func cards_ofOneAndOfEightChannelsAndOfOtherCrystals_soundOnTime_rows26And38() throws {
    let mono = Card("mono")
    mono.state.pointee.channels_max = 1
    mono.state.pointee.crystal_ppm = 300
    let many = Card("eight")
    many.state.pointee.channels_min = 8
    many.state.pointee.crystal_ppm = -300
    let performances = try [mono, many].map { card in
      try Performance(of: [700, 1_300, 1_900, 2_500], on: card)
    }
    for performance in performances { try performance.expectAllOnTime() }
    #expect(mono.state.pointee.channels == 1)
    let wanted = rendered(shortTone)
    var peak = 0.0
    for frame in 0..<(wanted.count / 2) {
      let mean = Double(wanted[2 * frame] + wanted[2 * frame + 1]) / 2
      peak = max(peak, mean)
    }
    let heard = Double(mono.heard().max() ?? 0) / 2_147_483_647
    #expect(abs(heard / peak - 1) < 0.01)
    #expect(many.state.pointee.channels == 8)
    #expect(many.heard(1).contains { $0 != 0 })
    for channel in 2..<8 { #expect(many.heard(channel).allSatisfy { $0 == 0 }) }
  }

  @Test func card_ofAnotherRateAndOf16Bits_isPlayedAtItsRate() throws {
    let card = Card("disc")
    card.state.pointee.rate_min = 44_100
    card.state.pointee.rate_max = 44_100
    card.state.pointee.only_format = 1 + 2  // SND_PCM_FORMAT_S16_LE
    try Performance(of: [700, 1_250], on: card).expectAllOnTime()
    #expect(card.state.pointee.rate == 44_100)
  }

  @Test func click_ofFiveMilliseconds_isHeardWhole_row29() throws {
    let card = Card("click")
    let click = Sound(
      name: "click", source: "a test",
      partials: [
        Partial(frequencyHertz: 3_000, decaySeconds: 0.005, level: 1, beatHertz: 0, pairRatio: 0)
      ], onsetSeconds: 0.0005, amplitude: 0.1)
    try Performance(of: [700], on: card, sound: click).expectAllOnTime()
    let wanted = rendered(click)
    let heard = card.heard()
    let first = (heard.firstIndex { $0 != 0 } ?? 0) - 1
    try #require(first >= 0 && heard.count >= first + wanted.count / 2)
    var greatest = 0.0
    for frame in 0..<(wanted.count / 2) {
      let sample = Double(heard[first + frame]) / 2_147_483_647
      greatest = max(greatest, abs(sample - Double(wanted[2 * frame])))
    }
    #expect(greatest < 1e-6)
  }

  @Test func frames_handedOver_areHeardSampleForSampleFromTheFirst_row28() throws {
    let card = Card("exact")
    var device = ALSADevice(outputs: [card.output])
    let format = try device.open(0)
    var block: [Float] = []
    for frame in 1...1_024 { block += [Float(frame) / 2_048, -Float(frame) / 2_048] }
    var written: [Int32] = []
    var isRunning = false
    while written.count < 24_000 {
      let place = written.count % 1_024
      let taken = try device.write(place..<1_024, of: block)
      for frame in place..<(place + taken) {
        let sample: Double = Double(frame + 1) / 2_048
        written.append(Int32((sample * 2_147_483_647).rounded()))
      }
      guard taken == 0 else { continue }
      if !isRunning {
        #expect(written.count == format.bufferFrames)
        try device.start()
        isRunning = true
      }
      usleep(5_000)
      guard case .running = try device.status() else { break }
    }
    device.close()
    let heard = card.heard()
    #expect(heard.count > 14_000)
    #expect(heard.elementsEqual(written.prefix(heard.count)))
  }

  @Test func stream_besideAStormOfFileSynchronisation_hasNoUnderrun_row31() throws {
    let card = Card("storm")
    let storm = try Storm()
    let performance = try Performance(of: [800, 1_400, 2_000], on: card)
    try performance.expectAllOnTime()
    #expect(storm.stop() > 0)
    #expect(card.state.pointee.underruns == 0)
  }

  @Test func card_withoutTimeStamps_isBelievedByItsDelay_row32() throws {
    witness_hide_stamps(1)
    defer { witness_hide_stamps(0) }
    let before = witness_hidden()
    let card = Card("stampless")
    try Performance(of: [700, 1_010], on: card).expectAllOnTime()
    #expect(witness_hidden() > before)
  }
}

/// A thread that writes a file and has it brought to the disk, over and over.
private final class Storm: Sendable {
  private let isOver = Atomic(false)
  private let rounds = Atomic(0)
  // Only the thread that makes the storm and stops it touches it.
  nonisolated(unsafe) private var thread = pthread_t()

  init() throws {
    let argument = Unmanaged.passRetained(self).toOpaque()
    let error = pthread_create(
      &thread, nil,
      { raw in
        raw.map { Unmanaged<Storm>.fromOpaque($0).takeRetainedValue().run() }
        return nil
      }, argument)
    try #require(error == 0)
  }

  private func run() {
    let path = Recorder.folder + "/storm"
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    let bytes = Array(repeating: UInt8(1), count: 1 << 18)
    while !isOver.load(ordering: .relaxed), file >= 0 {
      guard pwrite(file, bytes, bytes.count, 0) == bytes.count, fsync(file) == 0 else { break }
      rounds.wrappingAdd(1, ordering: .relaxed)
      usleep(1_000)
    }
    close(file)
    unlink(path)
  }

  /// How many times it was brought to the disk.
  func stop() -> Int {
    isOver.store(true, ordering: .relaxed)
    pthread_join(thread, nil)
    return rounds.load(ordering: .relaxed)
  }
}
