import Sessions
import Zones

/// Sits of 24 minutes and more on most days of so many before the 30th of November 2026.
func statistics(
  days: Int, today: LocalDate? = nil, showsStreaks: Bool = true, grace: Int = 0,
  isSat: (Int) -> Bool = { _ in true }, minutes: (Int) -> Int64 = { _ in 24 }
) -> SessionStatistics {
  let last = lastDate
  let sits = (0..<days).filter(isSat).map { ago in
    let start = (last.daysSinceEpoch - Int64(ago)) * 86_400_000 + 25_200_000
    return MeditationSession(
      id: Identity(high: 1, low: UInt64(ago)), startDate: WallInstant(milliseconds: start),
      endDate: WallInstant(milliseconds: start + minutes(ago) * 60_000),
      durationSeconds: minutes(ago) * 60, plannedSeconds: minutes(ago) * 60)
  }
  return SessionStatistics(
    sits, rule: DayRule(graceDays: grace), today: today ?? last, showsStreaks: showsStreaks)
}

/// A Monday.
var lastDate: LocalDate { LocalDate(daysSinceEpoch: 20_787) }

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
