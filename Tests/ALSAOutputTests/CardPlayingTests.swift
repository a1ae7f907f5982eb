import ALSAOutput
import Bells
import Glibc
import Testing
import Ticks
import TimedCard
import Witness

/// The greatest distance of an onset from its instant, in milliseconds.
func greatestError(_ onsets: [Instant], _ due: [Instant]) -> Double {
  guard onsets.count == due.count else { return .infinity }
  return zip(onsets, due).map { abs(Double(($0 - $1).nanoseconds)) / 1e6 }.max() ?? .infinity
}

/// Plays bells so long after now, to the end.
@discardableResult
private func play(
  _ milliseconds: [Int64], on card: Card, leadIn: Span = .milliseconds(50),
  sound: Sound = shortTone
) throws -> (due: [Instant], outcomes: [StrikeReport.Outcome]) {
  let thread = try AudioThread(
    outputs: [card.output(leadIn: leadIn)], sounds: [sound], settings: brief)
  let begin = bootTime()
  let due = milliseconds.map { begin + .milliseconds($0) }
  thread.send(plan: due.enumerated().map { strike(UInt32($0.offset), at: $0.element) })
  let news = reports(of: thread, until: { $0 == .closed }, within: .seconds(12))
  try thread.stop()
  return (due, outcomes(news))
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
    let (due, outcomes) = try play((0..<10).map { 700 + 310 * $0 }, on: card)
    #expect(outcomes == Array(repeating: .rung, count: 10))
    #expect(greatestError(card.onsets, due) <= 1)
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

  @Test func output_thatSwallowsOneAndAHalfSeconds_letsTheAttackThrough_row1() throws {
    let card = Card("television")
    card.state.pointee.swallow_ns = 1_500_000_000
    let (due, outcomes) = try play([2_700], on: card, leadIn: .seconds(2))
    #expect(outcomes == [.rung])
    #expect(greatestError(card.onsets, due) <= 1)
  }

  @Test func output_thatSwallowsFourAndAHalfSeconds_withALeadInOfFive_letsItThrough_row2() throws {
    let card = Card("amplifier")
    card.state.pointee.swallow_ns = 4_500_000_000
    let (due, outcomes) = try play([5_700], on: card, leadIn: .seconds(5))
    #expect(outcomes == [.rung])
    #expect(greatestError(card.onsets, due) <= 1)
  }

  @Test func output_thatSwallowsMoreThanTheLeadIn_swallowsTheBell() throws {
    let card = Card("short")
    card.state.pointee.swallow_ns = 1_500_000_000
    #expect(try play([700], on: card).outcomes == [.rung])
    #expect(card.heard().allSatisfy { $0 == 0 })
  }

  @Test func card_ofOneChannelWhoseCrystalIsFast_hasTheMeanOnTime_rows26And38() throws {
    let card = Card("mono")
    card.state.pointee.channels_max = 1
    card.state.pointee.crystal_ppm = 300
    let (due, outcomes) = try play([700, 1_300, 1_900], on: card)
    #expect(outcomes == [.rung, .rung, .rung])
    #expect(greatestError(card.onsets, due) <= 1)
    #expect(card.state.pointee.channels == 1)
    let wanted = rendered(shortTone)
    var peak = 0.0
    for frame in 0..<(wanted.count / 2) {
      let mean = Double(wanted[2 * frame] + wanted[2 * frame + 1]) / 2
      peak = max(peak, mean)
    }
    let heard = Double(card.heard().max() ?? 0) / 2_147_483_647
    #expect(abs(heard / peak - 1) < 0.01)
  }

  @Test func card_ofEightChannelsWhoseCrystalIsSlow_soundsOnTheFirstTwo_rows26And38() throws {
    let card = Card("eight")
    card.state.pointee.channels_min = 8
    card.state.pointee.crystal_ppm = -300
    let (due, outcomes) = try play([700, 1_300, 1_900], on: card)
    #expect(outcomes == [.rung, .rung, .rung])
    #expect(greatestError(card.onsets, due) <= 1)
    #expect(card.state.pointee.channels == 8)
    #expect(card.heard(1).contains { $0 != 0 })
    for channel in 2..<8 { #expect(card.heard(channel).allSatisfy { $0 == 0 }) }
  }

  @Test func card_ofAnotherRateAndOf16Bits_isPlayedAtItsRate() throws {
    let card = Card("disc")
    card.state.pointee.rate_min = 44_100
    card.state.pointee.rate_max = 44_100
    card.state.pointee.only_format = 1 + 2  // SND_PCM_FORMAT_S16_LE
    let (due, outcomes) = try play([700, 1_250], on: card)
    #expect(outcomes == [.rung, .rung])
    #expect(card.state.pointee.rate == 44_100)
    #expect(greatestError(card.onsets, due) <= 1)
  }

  @Test func click_ofFiveMilliseconds_isHeardWhole_row29() throws {
    let card = Card("click")
    let click = Sound(
      name: "click", source: "a test",
      partials: [
        Partial(frequencyHertz: 3_000, decaySeconds: 0.005, level: 1, beatHertz: 0, pairRatio: 0)
      ], onsetSeconds: 0.0005, amplitude: 0.1)
    #expect(try play([700], on: card, sound: click).outcomes == [.rung])
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
    let (due, outcomes) = try play([800, 1_400, 2_000], on: card)
    #expect(storm.stop() > 0)
    #expect(outcomes == [.rung, .rung, .rung])
    #expect(card.state.pointee.underruns == 0)
    #expect(greatestError(card.onsets, due) <= 1)
  }

  @Test func card_withoutTimeStamps_isBelievedByItsDelay_row32() throws {
    witness_hide_stamps(1)
    defer { witness_hide_stamps(0) }
    let before = witness_hidden()
    let card = Card("stampless")
    let (due, outcomes) = try play([700, 1_000], on: card)
    #expect(witness_hidden() > before)
    #expect(outcomes == [.rung, .rung])
    #expect(greatestError(card.onsets, due) <= 1)
  }
}

/// A thread that writes a file and has it brought to the disk, over and over.
private final class Storm: @unchecked Sendable {
  // Each is written by one of the two threads, in words that are never torn.
  private var isOver = false
  private var rounds = 0
  private var thread = pthread_t()

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
    while !isOver, file >= 0 {
      guard pwrite(file, bytes, bytes.count, 0) == bytes.count, fsync(file) == 0 else { break }
      rounds += 1
      usleep(1_000)
    }
    close(file)
    unlink(path)
  }

  /// How many times it was brought to the disk.
  func stop() -> Int {
    isOver = true
    pthread_join(thread, nil)
    return rounds
  }
}
