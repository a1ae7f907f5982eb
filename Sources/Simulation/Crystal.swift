import Ticks

/// The beat of a sound card, one a frame, in whole nanoseconds: 48 000 a second, give or take some
/// millionths, and none while it stands still.
///
/// Frames are counted from the beginning of the scenario, so that without drift frame `n` leaves at
/// `n / 48 000` s, rounded up to the nanosecond.
struct Crystal {
  private var anchor = Instant.zero
  private var anchorFrame: Int64 = 0
  private var stoppedUntil = Instant.zero
  /// Frames in a million seconds.
  private var pace = SimulatedCard.rateHertz * 1_000_000

  /// Nanoseconds of a million seconds.
  private static let paceSpan: Int64 = 1_000_000_000_000_000

  /// Whether no frame leaves at an instant.
  func isStopped(at now: Instant) -> Bool { now < stoppedUntil }

  /// When a frame leaves. While the crystal stands still, frames that have left count as of its
  /// end.
  func leaves(_ frame: Int64) -> Instant {
    let frames = max(0, frame - anchorFrame)
    let (whole, hasRest) = Crystal.division(frames, Crystal.paceSpan, by: pace)
    return anchor + Span(nanoseconds: whole + (hasRest ? 1 : 0))
  }

  /// The first frame that leaves at an instant or after it.
  func nextFrame(at now: Instant) -> Int64 {
    guard now > anchor else { return anchorFrame }
    let (left, _) = Crystal.division((now - anchor).nanoseconds, pace, by: Crystal.paceSpan)
    let frame = anchorFrame + left
    return leaves(frame) >= now ? frame : frame + 1
  }

  /// Goes faster or slower from now on.
  mutating func drift(millionths: Int64, from now: Instant) {
    moveAnchor(to: now)
    pace = SimulatedCard.rateHertz * (1_000_000 + millionths)
  }

  /// Stands still from now on, for so long.
  mutating func stop(at now: Instant, for span: Span) {
    moveAnchor(to: now)
    anchor = max(anchor, now + span)
    stoppedUntil = anchor
  }

  /// Goes on now.
  mutating func resume(at now: Instant) {
    guard isStopped(at: now) else { return }
    (anchor, stoppedUntil) = (now, now)
  }

  /// The clock that counts the instants begins anew, so much later than the last one.
  mutating func moveClock(by span: Span) {
    anchor = anchor - span
    stoppedUntil = stoppedUntil - span
  }

  private mutating func moveAnchor(to now: Instant) {
    guard now > anchor else { return }
    let frame = nextFrame(at: now)
    // The frame that is next stays where it was, so that none is counted twice.
    (anchor, anchorFrame) = (leaves(frame), frame)
  }

  /// a × b / c and whether something is left over, for products beyond 64 bits.
  private static func division(_ a: Int64, _ b: Int64, by c: Int64) -> (Int64, hasRest: Bool) {
    let product = UInt64(a).multipliedFullWidth(by: UInt64(b))
    let (quotient, rest) = UInt64(c).dividingFullWidth(product)
    return (Int64(quotient), rest > 0)
  }
}
