import Sessions
import Ticks
import Zones

// Invariants:
// - A time of day that summer time leaves out is taken for the first instant after the gap.
// - Of a time of day that is shown twice the earlier one comes first.
// - A day that never was (Apia, 2011-12-30) shows nothing.
// - Of two that are as near as each other the earlier one is the nearest.

extension ZoneRules {
  /// No zone is further from another one than this, and none changes by more at once.
  private static let farthestSeconds: Int64 = 50 * 3_600

  /// The instants at which the clock on the wall shows a time of a day, in order: mostly one.
  /// - Parameters:
  ///   - secondsOfDay: so long after midnight, 0 to 86,399.
  ///   - date: the day on the wall.
  /// - Returns: Unix seconds.
  func showings(of secondsOfDay: Int64, on date: LocalDate) -> [Int64] {
    let midnight = date.daysSinceEpoch * 86_400
    guard let dayBegins = moments(ofLocal: midnight).first,
      LocalDate(
        unixSeconds: dayBegins, offsetSeconds: offsetSeconds(atUnixSeconds: dayBegins)) == date
    else { return [] }
    return moments(ofLocal: midnight + secondsOfDay)
  }

  /// The first showing of a time of day after an instant, on days that are wanted: where a sit
  /// until that time ends that is begun then.
  /// - Parameters:
  ///   - secondsOfDay: so long after midnight, 0 to 86,399.
  ///   - unixSeconds: only what comes after it counts.
  ///   - isFirstOnly: whether only the first showing of a day counts.
  /// - Returns: Unix seconds and the day; nil where none comes within two weeks.
  public func nextShowing(
    of secondsOfDay: Int64, after unixSeconds: Int64, isFirstOnly: Bool = false,
    on isWanted: (LocalDate) -> Bool = { _ in true }
  ) -> (unixSeconds: Int64, date: LocalDate)? {
    let offset = offsetSeconds(atUnixSeconds: unixSeconds)
    let today = LocalDate(unixSeconds: unixSeconds, offsetSeconds: offset)
    // Yesterday's can still come where a gap ends the day; and a week may lack a day.
    for days in -1...14 {
      let date = today.adding(days: days)
      guard isWanted(date) else { continue }
      let showings = showings(of: secondsOfDay, on: date)
      for showing in isFirstOnly ? showings.prefix(1) : showings[...]
      where showing > unixSeconds {
        return (showing, date)
      }
    }
    return nil
  }

  /// Of all instants at which the clock on the wall shows a time the one nearest to another.
  /// - Returns: Unix seconds.
  func nearestShowing(of secondsOfDay: Int64, to unixSeconds: Int64) -> Int64? {
    // A day may be left out, so that the one before is looked at too.
    var nearest: Int64?
    var from = unixSeconds - 2 * 86_400
    while let next = nextShowing(of: secondsOfDay, after: from)?.unixSeconds {
      if let nearest, abs(nearest - unixSeconds) <= abs(next - unixSeconds) { break }
      nearest = next
      from = next
    }
    return nearest
  }

  /// The instants at which local time reads so, in order; for one that is left out the first
  /// instant after the gap.
  private func moments(ofLocal local: Int64) -> [Int64] {
    var moments: [Int64] = []
    var begin = local - ZoneRules.farthestSeconds
    var shownBefore = Int64.max
    while begin <= local + ZoneRules.farthestSeconds {
      let offset = Int64(offsetSeconds(atUnixSeconds: begin))
      let end = nextChange(after: begin) ?? Int64.max / 2
      if (begin + offset..<end + offset).contains(local) {
        moments.append(local - offset)
      } else if shownBefore <= local && local < begin + offset {
        moments.append(begin)
      }
      shownBefore = end + offset
      begin = end
    }
    return moments
  }
}

extension WallReading {
  /// When the wall clock shows a time, if nobody sets it.
  func instant(of wall: WallInstant) -> Instant {
    at + Span(nanoseconds: wall.milliseconds * 1_000_000 - unixNanoseconds)
  }

  /// The same, of whole seconds since 1970.
  func instant(ofUnixSeconds seconds: Int64) -> Instant {
    instant(of: WallInstant(milliseconds: seconds * 1_000))
  }

  /// The same clock as another instant reads it.
  func read(at instant: Instant) -> WallReading {
    WallReading(
      at: instant, unixNanoseconds: unixNanoseconds + (instant - at).nanoseconds,
      isKnown: isKnown)
  }
}
