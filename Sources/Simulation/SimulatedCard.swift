import Bells
import Ticks

/// Why a simulated output cannot be had.
enum SimulatedCardFailure: Error, Equatable {
  case gone
  case busy
  case refused
  case stuck

  /// What the face says of it, in the words of the real output.
  func text(_ name: String) -> String {
    switch self {
    case .gone where name == "default": "No sound card"
    case .gone: "No sound card ('\(name)' is not there)"
    case .busy: "No sound ('\(name)' is held by another program)"
    case .stuck: "No sound ('\(name)' plays nothing)"
    case .refused: "No sound ('\(name)': Invalid argument)"
    }
  }
}

/// The outputs of a scenario: the wanted one, with faults to order, and those to fall back on,
/// which are always well. Nobody hears them, and they keep no queue: what is handed over leaves at
/// once.
///
/// Invariants:
/// - A frame leaves on a beat of the output's crystal. All arithmetic is in whole numbers, so that
///   it is the same on every machine.
/// - No call ever waits. An output that stands still for so long that it counts as stuck says so as
///   soon as it is looked at, and is not opened before it goes on.
final class SimulatedCard {
  static let rateHertz: Int64 = 48_000
  /// An output that stands still for less is waited for.
  private static let stuckSpan = Span.seconds(1)

  /// How the outputs are to be treated, the wanted one first.
  private let traits: [OutputTraits]
  /// The scenario's time; never goes back.
  var now = Instant.zero

  private var isGone = false
  private var isBusy = false
  private var isRefusing = false
  private var stuckUntil = Instant.zero
  private var swallowSpan = Span.zero
  private var wanted = Crystal()
  private var others = Crystal()

  /// The output that is open.
  private(set) var opened: Int?
  /// How often an output was opened.
  private(set) var openings = 0
  /// Until when what is behind the open output does not sound.
  private(set) var deafUntil = Instant.zero

  init(traits: [OutputTraits]) {
    precondition(!traits.isEmpty, "there is an output")
    self.traits = traits
  }

  var outputCount: Int { traits.count }
  func traits(of output: Int) -> OutputTraits { traits[output] }

  /// What a scenario does to the wanted output.
  func change(_ change: AudioChange) {
    switch change {
    case .gone: isGone = true
    case .back: isGone = false
    case .busy: isBusy = true
    case .refuse: isRefusing = true
    case .swallow(let span): swallowSpan = span
    case .stall(let span):
      wanted.stop(at: now, for: span)
      if span >= Self.stuckSpan { stuckUntil = max(stuckUntil, now + span) }
    case .drift(let millionths): wanted.drift(millionths: millionths, from: now)
    case .ok:
      (isGone, isBusy, isRefusing) = (false, false, false)
      (stuckUntil, swallowSpan) = (now, .zero)
      wanted.resume(at: now)
      wanted.drift(millionths: 0, from: now)
    }
  }

  func open(_ output: Int) throws(SimulatedCardFailure) -> PCMFormat {
    precondition(opened == nil, "an output is opened twice")
    if output == 0 {
      try expectPlaying()
      if isBusy { throw .busy }
      if isRefusing { throw .refused }
    }
    opened = output
    openings += 1
    deafUntil = now + (output == 0 ? swallowSpan : .zero)
    return PCMFormat(rateHertz: Int(Self.rateHertz), bufferFrames: Int(Self.rateHertz) / 5)
  }

  func status() throws(SimulatedCardFailure) -> PCMStatus {
    if opened == 0 { try expectPlaying() }
    return .running(
      nextFrame: firstFrame(at: now), queuedFrames: 0, roomFrames: Int(Self.rateHertz) / 5)
  }

  /// When the first frame leaves that leaves at an instant or after it.
  func firstFrame(at instant: Instant) -> Instant {
    let crystal = opened == 0 ? wanted : others
    return crystal.leaves(crystal.nextFrame(at: instant))
  }

  /// When the first frame of a strike left that is heard at an instant.
  func firstFrameLeft(forAStrikeHeardAt instant: Instant) -> Instant {
    firstFrame(at: instant - traits[opened ?? 0].offset)
  }

  func close() { opened = nil }

  /// The machine sleeps for so long, and the outputs with it.
  func sleep(for span: Span) {
    wanted.stop(at: now, for: span)
    others.stop(at: now, for: span)
  }

  /// The boot clock begins anew, so much later than the last one.
  func moveClock(by span: Span) {
    wanted.moveClock(by: span)
    others.moveClock(by: span)
    (now, stuckUntil, deafUntil) = (now - span, stuckUntil - span, deafUntil - span)
  }

  private func expectPlaying() throws(SimulatedCardFailure) {
    if isGone { throw .gone }
    if now < stuckUntil { throw .stuck }
  }
}

/// The card as `Playback` holds it.
struct SimulatedPCM: PCM, ~Copyable {
  let card: SimulatedCard

  var outputCount: Int { card.outputCount }
  func traits(of output: Int) -> OutputTraits { card.traits(of: output) }
  mutating func open(_ output: Int) throws(SimulatedCardFailure) -> PCMFormat {
    try card.open(output)
  }
  mutating func start() throws(SimulatedCardFailure) {}
  mutating func status() throws(SimulatedCardFailure) -> PCMStatus { try card.status() }
  mutating func write(
    _ frames: Range<Int>, of block: borrowing [Float]
  ) throws(SimulatedCardFailure) -> Int { frames.count }
  mutating func prepare() throws(SimulatedCardFailure) {}
  mutating func close() { card.close() }
}
