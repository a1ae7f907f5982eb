import ALSAOutput
import Appliance
import Bells
import Ticks

/// How soon the output can sound a strike that it was not told ahead, as its reports say and as it
/// was warmed.
///
/// Invariants:
/// - No strike is promised sooner than its frame can be handed over, behind what is queued.
struct ReadinessWatch {
  private typealias Player = Playback<ALSADevice, Mixer>

  /// How long opening takes besides the lead-in.
  private static let openingSpan = Span.milliseconds(60)

  /// What to tell the box.
  private(set) var readiness = OutputReadiness.absent
  /// How much later than its frames the open output is heard.
  private var offset = Span.zero

  /// The output is warmed now.
  /// - Parameter nextBell: when a bell strikes next: while that is near, more is queued.
  /// - Returns: whether the readiness has changed.
  mutating func warm(at now: Instant, nextBell: Instant?) -> Bool {
    switch readiness {
    case .absent: return false
    case .closed(let leadIn):
      readiness = .open(from: now + leadIn, latency: Player.latencySpan + offset)
    case .open(let from, let latency):
      let behind = now + Player.nearLatencySpan + offset
      guard let nextBell, nextBell <= behind + Player.nearSpan else { return false }
      readiness = .open(from: max(from, behind), latency: latency)
    }
    return true
  }

  /// An output runs.
  mutating func open(_ opening: Opening, offset: Span) {
    self.offset = offset
    readiness = .open(from: opening.ready, latency: Player.latencySpan + offset)
  }

  /// No output is open; the one that will be has these traits.
  mutating func close(_ traits: OutputTraits) {
    offset = traits.offset
    readiness = .closed(leadIn: traits.leadIn + ReadinessWatch.openingSpan + offset)
  }

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
