import Bells
import Testing
import Ticks

/// A player without a tone: a strike rings for a span, and nothing is rendered.
private struct Hum: Instrument, ~Copyable {
  let ring: Span
  var framesLeft = 0

  init(ring: Span) { self.ring = ring }

  var rateHertz: Int { 48_000 }
  var isSilent: Bool { framesLeft == 0 }
  var soundingFrames: Int { max(1, framesLeft) }
  mutating func retune(rateHertz: Int) {}
  mutating func setVolumes(_ volumes: Volumes) {}
  mutating func setAmbient(_ ambient: AmbientSound?) {}
  mutating func strike(_ strike: Strike) {
    framesLeft = Int(ring.nanoseconds / 1_000) * rateHertz / 1_000_000
  }
  mutating func damp() { framesLeft = min(framesLeft, rateHertz * 3 / 10) }
  mutating func skip(frames: Int) { framesLeft -= min(framesLeft, frames) }
  mutating func render(_ frames: Range<Int>, into block: inout [Float]) {
    framesLeft -= min(framesLeft, frames.count)
  }
}

private final class Clock {
  var now = Instant.zero
  var opens = 0
  var isOpen = false
  /// Whether it wants the frames that have left, or none ever.
  var isOwed = false
  var written = 0
  var started = Instant.zero
}

/// An output without latency.
private struct Ear: PCM, ~Copyable {
  let clock: Clock
  let traits: OutputTraits

  var outputCount: Int { 1 }
  func traits(of output: Int) -> OutputTraits { traits }
  mutating func open(_ output: Int) throws(CardFailure) -> PCMFormat {
    clock.opens += 1
    clock.isOpen = true
    clock.written = 0
    return PCMFormat(rateHertz: 48_000, bufferFrames: 9_600)
  }
  mutating func start() throws(CardFailure) { clock.started = clock.now }
  mutating func status() throws(CardFailure) -> PCMStatus {
    guard clock.isOwed else {
      return .running(nextFrame: clock.now, queuedFrames: 0, roomFrames: 0)
    }
    let left = Int((clock.now - clock.started).nanoseconds / 1_000) * 48 / 1_000
    let next = clock.started + .microseconds(Int64(clock.written) * 1_000 / 48)
    let owed = left - clock.written
    return .running(nextFrame: next, queuedFrames: -owed, roomFrames: owed)
  }
  mutating func write(
    _ frames: Range<Int>, of block: borrowing [Float]
  ) throws(CardFailure) -> Int {
    clock.written += frames.count
    return frames.count
  }
  mutating func prepare() throws(CardFailure) {}
  mutating func close() { clock.isOpen = false }
}

private struct Room: ~Copyable {
  let clock = Clock()
  var playback: Playback<Ear, Hum>
  var wake: Instant?
  var wakeUps = 0
  var strikes: [StrikeReport] = []
  var closings: [Instant] = []

  init(
    isOwed: Bool = false, traits: OutputTraits = OutputTraits(leadIn: .zero),
    ring: Span = .seconds(98), hold: Span = .zero
  ) {
    clock.isOwed = isOwed
    playback = Playback(
      device: Ear(clock: clock, traits: traits), player: Hum(ring: ring),
      settings: PlaybackSettings(hold: hold, queue: .immediate))
  }

  mutating func step() {
    wakeUps += 1
    wake = playback.step(now: clock.now)
    while let report = playback.takeReport() {
      if case .strike(let strike) = report { strikes.append(strike) }
      if case .closed = report { closings.append(clock.now) }
    }
  }

  mutating func plan(_ strikes: [Strike]) {
    playback.plan(strikes)
    step()
  }

  mutating func run(until end: Instant) {
    while let next = wake, next <= end {
      precondition(next > clock.now, "time stands still")
      clock.now = next
      step()
    }
    clock.now = end
  }
}

@Suite struct PlaybackImmediateTests {
  @Test func strike_dueNowOnAClosedDevice_isOpenedForAndStruckInTheSameStep() {
    for isOwed in [false, true] {
      var room = Room(isOwed: isOwed)
      room.clock.now = milliseconds(5_000)
      room.plan([planned(1, at: 5_000)])
      #expect(
        room.strikes == [StrikeReport(number: 1, started: milliseconds(5_000), outcome: .rung)])
      #expect(room.clock.opens == 1)
    }
  }

  @Test func strike_plannedAhead_wakesAtItsInstantAndNotBefore() {
    for isOwed in [false, true] {
      var room = Room(isOwed: isOwed)
      room.plan([planned(1, at: 60_000), planned(2, at: 60_250)])
      #expect(room.wake == milliseconds(60_000))
      room.run(until: milliseconds(59_999))
      #expect(room.wakeUps == 1)
      room.run(until: milliseconds(60_000))
      #expect(room.strikes.map(\.started) == [milliseconds(60_000)])
      #expect(room.wake == milliseconds(60_250))
      room.run(until: milliseconds(60_250))
      #expect(room.strikes.map(\.started) == [milliseconds(60_000), milliseconds(60_250)])
      #expect(room.strikes.map(\.outcome) == [.rung, .rung])
    }
  }

  @Test func strike_orderedWhileAnotherRings_startsAtOnce() {
    for isOwed in [false, true] {
      var room = Room(isOwed: isOwed)
      room.plan([planned(1, at: 0)])
      room.run(until: milliseconds(10_000))
      room.plan([planned(2, at: 10_000)])
      #expect(room.strikes.map(\.started) == [.zero, milliseconds(10_000)])
      #expect(room.clock.opens == 1)
    }
  }

  @Test func tail_of98Seconds_takesNoWakeUpsButItsEnd() {
    for isOwed in [false, true] {
      var room = Room(isOwed: isOwed)
      room.plan([planned(1, at: 1_000)])
      room.run(until: milliseconds(98_999))
      #expect(room.clock.isOpen)
      room.run(until: milliseconds(200_000))
      #expect(room.wakeUps <= 5)
      #expect(room.closings.count == 1)
      #expect((room.closings[0] - milliseconds(99_000)) < .milliseconds(1))
      #expect(room.wake == nil)
    }
  }

  @Test func leadIn_ofAnImmediateDevice_isOpenedForByItsSpan() {
    var room = Room(traits: OutputTraits(leadIn: .seconds(2)))
    room.plan([planned(1, at: 10_000)])
    #expect(room.wake == milliseconds(8_000))
    room.run(until: milliseconds(10_000))
    #expect(room.strikes.map(\.outcome) == [.rung])
    room.run(until: milliseconds(200_000))
    room.plan([planned(2, at: 200_000)])
    #expect(room.strikes.count == 1)
    room.run(until: milliseconds(202_000))
    #expect(room.strikes.last?.started == milliseconds(202_000))
    #expect(room.strikes.last?.outcome == .late)
  }

  @Test func warm_ofAnImmediateDevice_opensAtOnceAndHoldsTenSeconds() {
    var room = Room()
    room.playback.warm(now: .zero)
    room.step()
    #expect(room.clock.isOpen)
    room.run(until: milliseconds(9_999))
    #expect(room.clock.isOpen)
    room.run(until: milliseconds(10_001))
    #expect(!room.clock.isOpen)
    #expect(room.wakeUps <= 4)
  }

  @Test func strike_asLateAsTheLatest_isMissedAndJustInTimeRings() {
    let nanosecond = Span(nanoseconds: 1)
    let cases: [(latest: Span, late: Span, outcome: StrikeReport.Outcome)] = [
      (.seconds(5), .seconds(5) + nanosecond, .missed), (.seconds(5), .seconds(5), .missed),
      (.seconds(5), .seconds(5) - nanosecond, .late),
      (.zero, .milliseconds(1) + nanosecond, .missed), (.zero, .milliseconds(1), .rung),
      (.milliseconds(1), .milliseconds(1), .rung),
    ]
    for (latest, late, outcome) in cases {
      var room = Room()
      room.playback.settings.latest = latest
      room.clock.now = milliseconds(10_000)
      room.plan([Strike(number: 1, sound: 0, due: room.clock.now - late, gain: 1)])
      #expect(room.strikes.map(\.outcome) == [outcome])
    }
  }

  @Test func strikes_overdueTogether_ringOnceAndTheNextIsOnTime() {
    var room = Room()
    room.clock.now = milliseconds(10_000)
    room.plan([9_000, 9_500, 9_990, 10_003].map { planned(UInt32($0), at: $0) })
    room.run(until: milliseconds(11_000))
    #expect(room.strikes.map(\.outcome) == [.late, .missed, .missed, .rung])
  }
}
