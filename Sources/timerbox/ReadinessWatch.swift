import ALSAOutput
import Appliance
import Bells
import Ticks

/// How soon the output can sound a strike that it was not told ahead, as its reports say and as it
/// was warmed.
///
/// Invariants:
/// - No strike is promised sooner than its frame can be handed over: an output that was not warm
///   first plays what it has queued.
struct ReadinessWatch {
  private typealias Player = Playback<ALSADevice, Mixer>

  /// What to tell the box.
  private(set) var readiness = OutputReadiness.absent
  private var warmUntil = Instant.zero
  /// How long a strike takes through the open output while it is not warm.
  private var heldSpan = Player.latencySpan

  /// The output is warmed now.
  /// - Parameter nextStrike: the next one that is planned: while one is near, more is queued.
  /// - Returns: whether the readiness has changed.
  mutating func warm(at now: Instant, nextStrike: Instant?) -> Bool {
    let isNear = nextStrike.map { $0 <= now + heldSpan + .seconds(1) } ?? false
    let isQueueLong = now >= warmUntil || isNear
    warmUntil = now + Player.warmSpan
    switch readiness {
    case .absent: return false
    case .closed(let leadIn):
      readiness = .open(from: now + leadIn, latency: Player.latencySpan)
    case .open(let from, _):
      guard isQueueLong else { return false }
      readiness = .open(from: max(from, now + heldSpan), latency: Player.latencySpan)
    }
    return true
  }

  /// An output runs.
  mutating func open(_ opening: Opening, at now: Instant) {
    heldSpan = Player.heldLatencySpan(of: opening.format)
    let latency = now < warmUntil ? Player.latencySpan : heldSpan
    readiness = .open(from: opening.ready, latency: latency)
  }

  /// No output is open; the wanted one needs a lead-in.
  mutating func close(leadIn: Span) { readiness = .closed(leadIn: leadIn + Player.latencySpan) }

  /// No output can be had.
  mutating func lose() { readiness = .absent }

  /// Why an output was lost in whose place none was opened, though there are more: they wait until
  /// something is to sound.
  static func unansweredLoss(in reports: [AudioReport], outputs: Int) -> ALSAOutputError? {
    var loss: ALSAOutputError?
    for report in reports {
      switch report {
      case .strike: break
      case .opened, .running, .closing, .closed: loss = nil
      case .lost(let error, let output): loss = output < outputs - 1 ? error : nil
      }
    }
    return loss
  }
}
