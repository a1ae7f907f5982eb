import Sessions
import Ticks
import TimerMachine
import Zones

// Invariants:
// - Dates are made from the newest reading of the wall clock, so that a clock that is set in
//   mid-sit dates both ends alike; what lies before an outage of unknown length is dated by the
//   clock of then, if that was known.
// - The offset, and with it the day, is that of the place where the sit began.

/// What the box knows of a sit beside what the timer does.
struct OpenSit: Equatable, Sendable {
  /// Where the sit began.
  enum Place: Equatable, Sendable {
    /// In a zone: the offset follows from the date, which may still be set right.
    case zone(ZoneRules)
    /// At an offset that was written down.
    case offset(Int64)
  }

  /// No more stretches than this are kept apart; of more the first and the newest are.
  static let pastsMax = 8

  var id: Identity
  var programme: String
  var journey: String?
  /// The local time at which it ends, so long after midnight.
  var until: Span?
  var isClockKnownAtBegin: Bool
  var place: Place
  /// The readings at the ends of the stretches before outages of unknown length, oldest first.
  var pasts: [WallReading] = []

  /// The clocks of the past that were known.
  private var known: [WallReading] { pasts.filter(\.isKnown) }

  /// The date of an instant.
  /// - Parameter isEnd: whether a stretch ends here, and does not begin.
  func date(_ instant: Instant, isEnd: Bool = false, _ wall: WallReading) -> WallInstant {
    let known = known
    let past = known.first { isEnd ? instant <= $0.at : instant < $0.at }
    // An outage of which nothing is known is taken for none.
    let present = wall.isKnown ? wall : known.last ?? wall
    return (past ?? present).wall(at: instant)
  }

  /// What is known of the clock that dates it.
  func clock(_ wall: WallReading) -> MeditationSession.Clock {
    if !wall.isKnown || known.count < pasts.count { return .unsynced }
    return isClockKnownAtBegin && pasts.isEmpty ? .synced : .repaired
  }

  func offsetSeconds(_ begun: Instant, _ wall: WallReading) -> Int64 {
    switch place {
    case .offset(let seconds): seconds
    case .zone(let rules): rules.offsetSeconds(at: date(begun, isEnd: true, wall))
    }
  }

  /// How far ahead another guess may be for a sit without a date to stand behind it: no board
  /// without a clock goes on for longer. One further ahead is of a clock that was wrong itself.
  private static let orderedMilliseconds: Int64 = 10 * 366 * 86_400_000

  /// The reading that dates the sit where its date is a guess.
  /// - Parameter guesses: when others ended whose dates are a guess. One whose date is a guess too
  ///   begins no earlier, so that the sits of a board without a clock stand in the order of its
  ///   boots. A date that was known orders none: a single false one, far ahead, would take all
  ///   guesses with it.
  func ordered(
    _ wall: WallReading, of finished: FinishedSit, behind guesses: [WallInstant]
  ) -> WallReading {
    guard !wall.isKnown, known.isEmpty else { return wall }
    let guess = date(finished.begun, isEnd: true, wall)
    let ahead = guesses.map { $0.milliseconds - guess.milliseconds }
    let most = ahead.filter { 1..<OpenSit.orderedMilliseconds ~= $0 }.max() ?? 0
    var ordered = wall
    ordered.unixNanoseconds += most * 1_000_000
    return ordered
  }

  /// The sit as it is kept.
  func session(of finished: FinishedSit, _ wall: WallReading) -> MeditationSession {
    let start = date(finished.begun, isEnd: true, wall)
    // What was sat has room, also where the clocks before and after an outage do not fit together.
    let sat = MeditationSession.wholeSeconds(finished.credited + finished.unconfirmed)
    let end = max(
      WallInstant(milliseconds: start.milliseconds + sat * 1_000),
      date(finished.ended, isEnd: true, wall))
    var session = MeditationSession(
      id: id, startDate: start, endDate: end,
      durationSeconds: MeditationSession.wholeSeconds(finished.credited),
      plannedSeconds: finished.planned?.wholeSeconds)
    session.overtimeSeconds = MeditationSession.wholeSeconds(finished.overtime)
    session.unconfirmedSeconds = MeditationSession.wholeSeconds(finished.unconfirmed)
    session.completed = finished.completed
    session.interruptions = finished.interruptions.map {
      let from = min(max(start, date($0.from, isEnd: true, wall)), end)
      let to = min(max(from, date($0.to, wall)), end)
      return MeditationSession.Interruption(from: from, to: to, kind: $0.kind.stored)
    }
    session.utcOffsetSeconds = offsetSeconds(finished.begun, wall)
    session.programme = programme
    session.journey = journey
    session.clock = clock(wall)
    return session
  }
}

extension OpenSit {
  /// The sit of a journal as another clock has it.
  /// - Parameter shift: what is added to every instant.
  init(_ journal: SitJournal, shift: Span) {
    id = journal.sit
    programme = journal.programme
    journey = journal.journey
    until = journal.until
    isClockKnownAtBegin = journal.isClockKnownAtBegin
    place = .offset(journal.offsetSeconds)
    pasts = journal.pasts.map { past in
      var reading = past.wall
      reading.at += shift
      return reading
    }
  }

  /// The sit by a clock on which every instant is so much later.
  func shifted(by span: Span) -> OpenSit {
    var sit = self
    for index in sit.pasts.indices { sit.pasts[index].at += span }
    return sit
  }

  /// The sit in the zone where the box stands, if its offset was one of a date that nobody knew.
  /// - Parameter wall: the reading that dated it.
  func placed(in zone: ZoneRules, _ wall: WallReading) -> OpenSit {
    guard !wall.isKnown, known.isEmpty else { return self }
    var sit = self
    sit.place = .zone(zone)
    return sit
  }

  /// Keeps the clock that dates what lies before an outage of unknown length.
  mutating func append(past reading: WallReading) {
    if pasts.count == OpenSit.pastsMax { pasts.remove(at: 1) }
    pasts.append(reading)
  }
}

extension Interruption.Kind {
  /// The kind under its name in files.
  var stored: MeditationSession.Interruption.Kind {
    switch self {
    case .pause: .pause
    case .suspend: .suspend
    case .outage: .outage
    }
  }
}
