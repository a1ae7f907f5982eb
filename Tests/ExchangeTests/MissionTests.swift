import Sessions
import Testing
import Zones

@testable import Exchange

/// What users of other timers reported of import and export, by the numbers of the reports.
@Suite struct MissionTests {
  /// What an import into a store does, as the verb does it.
  private func take(_ file: [UInt8], into store: inout SessionStore, _ zone: ZoneRules) throws
    -> [Int]
  {
    let read = try SessionFile(file, zone: zone)
    let before = store.sessions.count
    var known = 0
    for row in read.rows { known += try store.add(row.session) ? 0 : 1 }
    return [store.sessions.count - before, known, read.badRows]
  }

  @Test(arguments: [false, true])
  func report49_importOfOnesOwnExport_isCounted_andTheSecondAddsNothing(isCSV: Bool) throws {
    let sits = (0..<50).map { sit($0) } + [richSit(60)]
    let file = isCSV ? SessionFile.csv(sits) : SessionFile.json(sits)
    var store = SessionStore(owner: owner, device: kitchen)
    for index in 0..<7 { try store.add(sits[index]) }
    #expect(try take(file, into: &store, .utc) == [44, 7, 0])
    #expect(store.sessions == sits)
    #expect(try take(file, into: &store, zone("Asia/Seoul")) == [0, 51, 0])
    #expect(store.sessions == sits)
  }

  @Test(
    arguments: [
      "Asia/Seoul", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
      "Pacific/Apia", "Pacific/Kiritimati", "UTC",
    ])
  func report50_exportInOneZone_importInAnother_acrossSummerTime_keepsInstants(
    name: String
  ) throws {
    let here = try zone(name)
    // Every six hours through the days around the changes of 2026, and the day that never was.
    let days: [(from: Int64, count: UInt64)] = [
      (1_774_656_000, 12), (1_793_404_800, 12), (1_775_260_800, 12), (1_325_116_800, 12),
    ]
    var sits: [MeditationSession] = []
    for (from, count) in days {
      for index in 0..<count {
        let start = from + Int64(index) * 21_600
        var session = sit(UInt64(start))
        session.startDate.milliseconds = start * 1_000
        session.endDate.milliseconds = start * 1_000 + 600_000
        session.utcOffsetSeconds = Int64(here.offsetSeconds(atUnixSeconds: start))
        sits.append(session)
      }
    }
    for file in [SessionFile.csv(sits), SessionFile.json(sits)] {
      for there in ["Europe/Berlin", "Pacific/Kiritimati", "UTC"] {
        var store = SessionStore(owner: owner, device: kitchen)
        #expect(try take(file, into: &store, zone(there)) == [48, 0, 0])
        #expect(try take(file, into: &store, zone(name)) == [0, 48, 0])
        #expect(Set(store.sessions.map(\.startDate)) == Set(sits.map(\.startDate)))
        let days = Set(sits.map { $0.day(dayStartsSeconds: 0) })
        #expect(Set(store.sessions.map { $0.day(dayStartsSeconds: 0) }) == days)
      }
    }
  }
}
