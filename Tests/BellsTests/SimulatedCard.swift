import Bells
import Ticks

/// What a simulated card fails with.
enum CardFailure: Error, Equatable {
  case busy
  case gone
}

/// A sound card in virtual time, with faults to order. It keeps what left it, with its instants.
final class SimulatedCard {
  var now = Instant.zero
  var rateHertz = 48_000
  var bufferFrames = 9_600
  /// How far its crystal is off, in parts per million.
  var drift = 0.0
  var busyUntil = Instant.zero
  var goneFrom: Instant?
  var backAt: Instant?
  var stalledFrom: Instant?
  var stalledUntil: Instant?
  var greatestWrite = Int.max
  var traits = OutputTraits()
  /// How long opening takes.
  var openingSpan = Span.zero

  private(set) var opens = 0
  private(set) var prepares = 0
  private(set) var isOpen = false
  /// The greatest sample of each frame that left, and when it did.
  private(set) var heard: [(instant: Instant, level: Float)] = []

  private var queue: [Float] = []
  private var origin: Instant?
  private var written = 0

  var isGone: Bool {
    guard let goneFrom, now >= goneFrom else { return false }
    return backAt.map { now < $0 } ?? true
  }

  private var speed: Double { Double(rateHertz) * (1 + drift / 1e6) }

  private func leaves(_ frame: Int, from origin: Instant) -> Instant {
    origin + Span(nanoseconds: Int64((Double(frame) * 1e9 / speed).rounded()))
  }

  private var played: Int {
    guard let origin else { return 0 }
    var until = now
    if let stalledFrom, now > stalledFrom, now < stalledUntil ?? .init(nanoseconds: .max) {
      until = max(origin, stalledFrom)
    }
    return Int((Double((until - origin).nanoseconds) * speed / 1e9).rounded(.down))
  }

  func open() throws(CardFailure) -> PCMFormat {
    precondition(!isOpen, "the card is opened twice")
    if isGone { throw .gone }
    if now < busyUntil { throw .busy }
    now += openingSpan
    opens += 1
    isOpen = true
    reset()
    return PCMFormat(rateHertz: rateHertz, bufferFrames: bufferFrames)
  }

  private func reset() {
    queue = []
    origin = nil
    written = 0
  }

  func start() throws(CardFailure) {
    if isGone { throw .gone }
    precondition(written > 0, "a card is filled before it starts")
    origin = now
    for (index, level) in queue.enumerated() { heard.append((leaves(index, from: now), level)) }
    queue = []
  }

  func status() throws(CardFailure) -> PCMStatus {
    if isGone { throw .gone }
    guard let origin, played < written else { return .stopped }
    let queued = written - played
    return .running(
      nextFrame: leaves(written, from: origin), queuedFrames: queued,
      roomFrames: bufferFrames - queued)
  }

  func write(_ frames: Range<Int>, of block: borrowing [Float]) throws(CardFailure) -> Int {
    if isGone { throw .gone }
    let count = min(frames.count, bufferFrames - (written - played), greatestWrite)
    for frame in frames.prefix(max(0, count)) {
      let level = max(abs(block[2 * frame]), abs(block[2 * frame + 1]))
      if let origin {
        heard.append((leaves(written, from: origin), level))
      } else {
        queue.append(level)
      }
      written += 1
    }
    return max(0, count)
  }

  func prepare() throws(CardFailure) {
    if isGone { throw .gone }
    prepares += 1
    reset()
  }

  func close() {
    // What has not left when the stream is dropped is never heard.
    heard.removeAll { $0.instant > now }
    isOpen = false
    reset()
  }

  /// When sound began after at least 50 ms of silence: the first frame that is not zero.
  var onsets: [Instant] {
    var found: [Instant] = []
    var silentFrom = Instant(nanoseconds: .min / 2)
    for (instant, level) in heard where level > 0 {
      if instant - silentFrom > .milliseconds(50) { found.append(instant) }
      silentFrom = instant
    }
    return found
  }
}

/// The card as `Playback` holds it.
struct SimulatedPCM: PCM, ~Copyable {
  let card: SimulatedCard

  var outputCount: Int { 1 }
  func traits(of output: Int) -> OutputTraits { card.traits }
  mutating func open(_ output: Int) throws(CardFailure) -> PCMFormat { try card.open() }
  mutating func start() throws(CardFailure) { try card.start() }
  mutating func status() throws(CardFailure) -> PCMStatus { try card.status() }
  mutating func write(
    _ frames: Range<Int>, of block: borrowing [Float]
  ) throws(CardFailure) -> Int { try card.write(frames, of: block) }
  mutating func prepare() throws(CardFailure) { try card.prepare() }
  mutating func close() { card.close() }
}

/// A player and its card in one virtual time.
struct Stage: ~Copyable {
  let card: SimulatedCard
  var playback: Playback<SimulatedPCM, Mixer>
  var reports: [String] = []
  var strikes: [StrikeReport] = []
  var wakeUps = 0
  /// When the player asked to be woken.
  var wake: Instant?

  init(_ card: SimulatedCard = SimulatedCard(), settings: PlaybackSettings = PlaybackSettings()) {
    self.card = card
    playback = Playback(
      device: SimulatedPCM(card: card), player: Mixer(sounds: [tone(1_000, decaySeconds: 0.02)]),
      settings: settings)
  }

  mutating func plan(_ strikes: [Strike]) {
    playback.plan(strikes)
    step()
  }

  mutating func step() {
    wakeUps += 1
    wake = playback.step(now: card.now)
    while let report = playback.takeReport() {
      switch report {
      case .strike(let strike): strikes.append(strike)
      case .opened(let opening): reports.append("opened \(opening.format.rateHertz)")
      case .lost(let failure, _): reports.append("lost \(failure)")
      case .stalled: reports.append("stalled")
      case .underrun(let count): reports.append("underrun \(count)")
      case .closing: reports.append("closing")
      case .closed: reports.append("closed")
      }
    }
  }

  /// Lets time pass, waking the player when it asked for it.
  mutating func run(until end: Instant) {
    while let next = wake, next <= end {
      card.now = max(card.now, next)
      step()
      precondition(wakeUps < 100_000, "the player does not come to rest")
    }
    card.now = max(card.now, end)
  }
}

func milliseconds(_ count: Int64) -> Instant { .zero + .milliseconds(count) }

func planned(_ number: UInt32, at milliseconds: Int64) -> Strike {
  Strike(number: number, sound: 0, due: .zero + .milliseconds(milliseconds), gain: 1)
}
