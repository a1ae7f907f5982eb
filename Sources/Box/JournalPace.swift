import Ticks

// Invariants:
// - While a sit is on, no more than `heartbeatSpan` passes from one write to the next.
// - Each bell has a durable write in the `aheadSpan` before it. The heartbeats before a bell are
//   counted back from that one, so that one write is both.
// - Every instant comes from a bell or from the start of the phase, never from the write before it.

/// When the journal of a running sit is to be written next.
struct JournalPace: Equatable, Sendable {
  /// The longest span from one write to the next.
  static let heartbeatSpan = Span.seconds(60)
  /// How long before a bell its durable write is made.
  static let aheadSpan = Span.seconds(2)

  /// A write.
  struct Write: Equatable, Sendable {
    var at: Instant
    var isDurable: Bool
  }

  /// The last write.
  private(set) var written = Instant.zero
  /// The last durable one.
  private(set) var durable = Instant.zero

  mutating func wrote(at instant: Instant, isDurable: Bool) {
    written = instant
    if isDurable { durable = instant }
  }

  /// From when on bells have no durable write yet.
  var uncovered: Instant { durable + JournalPace.aheadSpan }

  /// The next write.
  /// - Parameters:
  ///   - bell: the first bell after `uncovered`; nil where none is to come.
  ///   - phaseBegan: when the phase began.
  func next(bell: Instant?, phaseBegan: Instant) -> Write {
    let beat = JournalPace.heartbeatSpan
    guard let bell else {
      let beats = written < phaseBegan ? 0 : (written - phaseBegan) / beat
      return Write(at: phaseBegan + beat * (beats + 1), isDurable: false)
    }
    let ahead = bell - JournalPace.aheadSpan
    guard ahead > written else { return Write(at: written, isDurable: true) }
    let beats = (ahead - written - Span(nanoseconds: 1)) / beat
    return Write(at: ahead - beat * beats, isDurable: beats == 0)
  }
}
