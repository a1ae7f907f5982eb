import Bells
import Ticks

/// What a simulated card fails with.
enum CardFailure: Error, Equatable {
  case busy
  case gone
}

/// A sound card in virtual time, with faults to order. It keeps what left it, with its instants.
final class SimulatedCard {
  /// What a driver may do besides playing.
  enum Fault: Equatable {
    case none
    /// It says that it runs, and takes nothing.
    case again
    /// It says that it has room, and takes nothing, though what was queued leaves.
    case refusing
    /// It stops as soon as it was started.
    case stopping
    /// It tells a queue greater than its buffer, and one below zero, in turn.
    case absurd
  }

  var now = Instant.zero
  var rateHertz = 48_000
  var bufferFrames = 9_600
  /// How far its crystal is off, in parts per million.
  var drift = 0.0
  /// In what steps it tells its position: a multiple of one frame.
  var granularFrames = 1
  /// How much later than true a status tells the time, at most; each other one.
  var jitter = Span.zero
  var busyUntil = Instant.zero
  var goneFrom: Instant?
  var backAt: Instant?
  var stalledFrom: Instant?
  var stalledUntil: Instant?
  /// How long after each start it plays until it is gone.
  var playingSpan: Span?
  var fault = Fault.none
  var greatestWrite = Int.max
  var traits = OutputTraits()
  /// How long opening takes.
  var openingSpan = Span.zero

  private(set) var opens = 0
  private(set) var tries = 0
  private(set) var prepares = 0
  private(set) var isOpen = false
  /// The greatest sample of each frame that left, and when it did.
  private(set) var heard: [(instant: Instant, level: Float)] = []
  /// Whether `heard` is kept. If not, only marks are.
  var isRecording = true
  /// The frame of the block at which a `Metronome` struck last, and when such frames left.
  var mark: Int?
  private(set) var marks: [Instant] = []
  /// The least that was ever queued while it ran.
  var leastQueued = Int.max
  /// The most that was ever queued.
  private(set) var mostQueued = 0

  private var queue: [Float] = []
  private var queuedMark: Int?
  private var origin: Instant?
  private var written = 0
  private var statuses = 0

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

  /// As far as the driver knows.
  private var seen: Int { played - played % granularFrames }

  func open() throws(CardFailure) -> PCMFormat {
    precondition(!isOpen, "the card is opened twice")
    tries += 1
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
    queuedMark = nil
    origin = nil
    written = 0
  }

  func start() throws(CardFailure) {
    if isGone { throw .gone }
    if fault == .again {
      origin = now
      return
    }
    precondition(written > 0, "a card is filled before it starts")
    origin = now
    for (index, level) in queue.enumerated() { heard.append((leaves(index, from: now), level)) }
    if let queuedMark { marks.append(leaves(queuedMark, from: now)) }
    queue = []
    queuedMark = nil
  }

  /// As a driver tells it: the time, and the delay by the rate that the card claims.
  func status() throws(CardFailure) -> PCMStatus {
    if isGone { throw .gone }
    if let playingSpan, let origin, now - origin > playingSpan { throw .gone }
    statuses += 1
    if fault == .again {
      return .running(nextFrame: now, queuedFrames: 0, roomFrames: bufferFrames)
    }
    guard origin != nil, played < written, fault != .stopping else { return .stopped }
    leastQueued = min(leastQueued, written - played)
    mostQueued = max(mostQueued, written - played)
    if fault == .absurd {
      let queued = statuses % 2 == 0 ? 50 * bufferFrames : -3 * bufferFrames
      return .running(
        nextFrame: now + .milliseconds(200), queuedFrames: queued, roomFrames: bufferFrames)
    }
    let queued = written - seen
    let late = Span(nanoseconds: statuses % 2 == 0 ? 0 : jitter.nanoseconds)
    let delay = Span(nanoseconds: Int64(queued) * 1_000_000_000 / Int64(rateHertz))
    return .running(
      nextFrame: now + late + delay, queuedFrames: queued, roomFrames: bufferFrames - queued)
  }

  func write(_ frames: Range<Int>, of block: borrowing [Float]) throws(CardFailure) -> Int {
    if isGone { throw .gone }
    if fault == .again || (fault == .refusing && origin != nil) { return 0 }
    let count = max(0, min(frames.count, bufferFrames - (written - seen), greatestWrite))
    if let place = mark, frames.prefix(count).contains(place) {
      mark = nil
      let frame = written + place - frames.lowerBound
      if let origin { marks.append(leaves(frame, from: origin)) } else { queuedMark = frame }
    }
    guard isRecording else {
      written += count
      return count
    }
    for frame in frames.prefix(count) {
      let level = max(abs(block[2 * frame]), abs(block[2 * frame + 1]))
      if let origin {
        heard.append((leaves(written, from: origin), level))
      } else {
        queue.append(level)
      }
      written += 1
    }
    return count
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

/// The cards as `Playback` holds them. They share one virtual time, the first one's.
struct SimulatedPCM: PCM, ~Copyable {
  let cards: [SimulatedCard]
  private var current = 0

  init(card: SimulatedCard) { cards = [card] }
  init(cards: [SimulatedCard]) { self.cards = cards }

  private var card: SimulatedCard {
    cards[current].now = cards[0].now
    return cards[current]
  }

  var outputCount: Int { cards.count }
  func traits(of output: Int) -> OutputTraits { cards[output].traits }
  mutating func open(_ output: Int) throws(CardFailure) -> PCMFormat {
    current = output
    let card = card
    let format = try card.open()
    cards[0].now = card.now
    return format
  }
  mutating func start() throws(CardFailure) { try card.start() }
  mutating func status() throws(CardFailure) -> PCMStatus { try card.status() }
  mutating func write(
    _ frames: Range<Int>, of block: borrowing [Float]
  ) throws(CardFailure) -> Int { try card.write(frames, of: block) }
  mutating func prepare() throws(CardFailure) { try card.prepare() }
  mutating func close() { card.close() }
}

/// A player that only marks where it is struck, and rings for a span: cheap for long days.
struct Metronome: Instrument, ~Copyable {
  let card: SimulatedCard
  let ring: Span
  private(set) var rateHertz = 48_000
  private var framesLeft = 0
  private var isStruck = false
  private var isAmbient = false

  init(card: SimulatedCard, ring: Span) {
    self.card = card
    self.ring = ring
  }

  var isSilent: Bool { framesLeft == 0 && !isAmbient }
  mutating func retune(rateHertz: Int) { self.rateHertz = rateHertz }
  mutating func setVolumes(_ volumes: Volumes) {}
  mutating func setAmbient(_ ambient: AmbientSound?) { isAmbient = ambient != nil }
  mutating func strike(_ strike: Strike) {
    framesLeft = Int(ring.nanoseconds / 1_000) * rateHertz / 1_000_000
    isStruck = true
  }
  mutating func damp() { framesLeft = min(framesLeft, rateHertz * 3 / 10) }
  mutating func skip(frames: Int) { framesLeft -= min(framesLeft, frames) }
  mutating func render(_ frames: Range<Int>, into block: inout [Float]) {
    if isStruck, !frames.isEmpty {
      card.mark = frames.lowerBound
      isStruck = false
    }
    framesLeft -= min(framesLeft, frames.count)
  }
}
