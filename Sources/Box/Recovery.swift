import Sessions
import Ticks
import TimerMachine

// The table (PRODUCT, "Crash and power cut"). How long an outage was is known in the same boot from
// the boot-time clock, and in another one where both wall clocks are known.
//
// | found               | outage                | becomes                             |
// |---------------------|-----------------------|-------------------------------------|
// | preparing, or known | any                   | dropped                             |
// | paused              | any                   | paused as it was; over after 60 min |
// | running, overtime   | up to 10 min          | goes on; over if its end has passed |
// | running             | over 10, up to 60 min | offered: it waits, paused           |
// | overtime            | over 10, up to 60 min | closed with what is known           |
// | running, overtime   | over 60 min           | closed with what is known           |
// | running, overtime   | unknown, `resume`     | goes on from the last known instant |
// | running             | unknown, `wait`       | offered                             |
// | overtime            | unknown, `wait`       | closed with what is known           |
// | running, overtime   | unknown, `close`      | closed with what is known           |

/// What becomes of a sit that was found after an outage: a pure function of its journal and of the
/// clocks, so that a second start with the same journal comes to the same.
struct Recovery: Equatable, Sendable {
  /// What becomes of it.
  enum Outcome: Equatable, Sendable {
    /// Nothing of it is to be kept.
    case dropped
    /// It is over; nil where it was too short to be kept.
    case closed(FinishedSit?)
    /// It goes on, or is paused as it was.
    case goesOn(TimerSnapshot)
    /// It waits, paused, for a press.
    case offered(TimerSnapshot)
  }

  /// Up to so long an outage leaves the deadline where it was.
  static let shortSpan = Span.minutes(10)
  /// After a longer one than this nobody is expected to sit there still.
  static let longSpan = Span.minutes(60)
  /// A wall clock that says more than this was wrong, now or then.
  static let absurdSpan = Span.hours(366 * 24)

  /// What becomes of it.
  var outcome: Outcome
  /// The sit by the present boot's clock.
  var sit: OpenSit
  /// Whether the length of the outage is unknown.
  var isUnknown: Bool

  /// Decides.
  /// - Parameters:
  ///   - isStored: whether the store knows the sit.
  ///   - boot: the present boot.
  ///   - wall: the wall clock's reading; its instant is the present one.
  static func decide(
    _ journal: SitJournal, isStored: Bool = false, boot: Identity, wall: WallReading,
    policy: RecoverPolicy = .resume
  ) -> Recovery {
    let now = wall.at
    let length = outage(journal, boot: boot, wall: wall)
    let last = now - (length ?? .zero)
    let shift = last - journal.wall.at
    var sit = OpenSit(journal, shift: shift)
    var lastReading = journal.wall
    lastReading.at = last
    if length == nil { sit.append(past: lastReading) }
    let found = journal.snapshot.shifted(by: shift)
    let outcome =
      isStored || found.phase == .preparing
      ? .dropped : outcome(found, from: last, to: now, length: length, policy)
    return Recovery(outcome: outcome, sit: sit, isUnknown: length == nil)
  }

  /// How long the outage was; nil where that is not known.
  static func outage(_ journal: SitJournal, boot: Identity, wall: WallReading) -> Span? {
    outage(since: journal.wall, of: journal.boot, boot: boot, wall: wall)
  }

  /// How long it is since a reading of the wall clock was taken in a boot; nil where that is not
  /// known.
  static func outage(
    since then: WallReading, of thenBoot: Identity, boot: Identity, wall: WallReading
  ) -> Span? {
    if thenBoot == boot && then.at <= wall.at { return wall.at - then.at }
    guard then.isKnown && wall.isKnown else { return nil }
    let (length, isAbsurd) = wall.unixNanoseconds.subtractingReportingOverflow(
      then.unixNanoseconds)
    return !isAbsurd && (0...absurdSpan.nanoseconds).contains(length)
      ? Span(nanoseconds: length) : nil
  }

  private static func outcome(
    _ found: TimerSnapshot, from last: Instant, to now: Instant, length: Span?,
    _ policy: RecoverPolicy
  ) -> Outcome {
    let closed = Outcome.closed(found.closed(at: last))
    if found.phase == .paused { return found.isOver(at: now) ? closed : .goesOn(found) }
    let offered = found.held(from: last, to: now).flatMap {
      $0.isOver(at: now) ? nil : Outcome.offered($0)
    }
    guard let length else {
      switch policy {
      case .resume:
        let goingOn = found.resumed(from: last, to: now)
        return goingOn.isOver(at: now) ? closed : .goesOn(goingOn)
      case .wait: return offered ?? closed
      case .close: return closed
      }
    }
    if length > longSpan { return closed }
    if length > shortSpan { return offered ?? closed }
    let goingOn = found.afterOutage(from: last, to: now)
    return goingOn.isOver(at: now) ? closed : .goesOn(goingOn)
  }
}
