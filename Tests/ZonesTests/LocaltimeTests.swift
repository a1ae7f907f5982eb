import Glibc
import SystemZone
import Testing
import Zones

@Suite struct Localtime {
  private let years1900To2100: ClosedRange<Int64> = -2_208_988_800...4_133_980_799

  @Test(arguments: sampledZones)
  func zoneRules_seededInstants_agreeWithTheLibrary(name: String) throws {
    let rules = try ZoneRules(tzif: zoneFile(name))
    var generator = SplitMix(state: 20_261_130)
    for _ in 0..<4_000 {
      expectAgreement(rules, Int64.random(in: years1900To2100, using: &generator), name)
    }
  }

  @Test(arguments: sampledZones)
  func zoneRules_aroundEachChange_agreeWithTheLibrary(name: String) throws {
    let rules = try ZoneRules(tzif: zoneFile(name))
    var instant = years1900To2100.lowerBound
    var count = 0
    while let next = rules.nextChange(after: instant), next <= years1900To2100.upperBound {
      for nearby in next - 1...next + 1 { expectAgreement(rules, nearby, name) }
      instant = next
      count += 1
    }
    // Berlin, New York and Lord Howe change twice a year, so a walk that stops early shows.
    let summerZones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]
    #expect(count > 200 || !summerZones.contains(name), "\(name) has \(count) changes")
  }

  @Test(arguments: sampledZones)
  func nextChange_everyQuarter_missesNoChangeOfTheLibrary(name: String) throws {
    let rules = try ZoneRules(tzif: zoneFile(name))
    for instant in stride(from: years1900To2100.lowerBound, to: 4_100_000_000, by: 7_776_000) {
      let later = instant + 7_776_000
      let next = rules.nextChange(after: instant) ?? Int64.max
      let differs =
        system_zone_time(name, instant).tm_gmtoff != system_zone_time(name, later).tm_gmtoff
      #expect(!differs || next <= later, "\(name) after \(instant)")
    }
  }

  private func expectAgreement(_ rules: ZoneRules, _ instant: Int64, _ name: String) {
    let library = system_zone_time(name, instant)
    let offset = rules.offsetSeconds(atUnixSeconds: instant)
    #expect(Int(offset) == library.tm_gmtoff, "\(name) at \(instant)")
    #expect(rules.isSummerTime(atUnixSeconds: instant) == (library.tm_isdst > 0), "\(instant)")
    #expect(
      rules.abbreviation(atUnixSeconds: instant) == library.tm_zone.map { String(cString: $0) },
      "\(name) at \(instant)")
    let date = LocalDate(unixSeconds: instant, offsetSeconds: offset)
    #expect(date.year == Int(library.tm_year) + 1_900, "\(name) at \(instant)")
    #expect(date.month == Int(library.tm_mon) + 1, "\(name) at \(instant)")
    #expect(date.day == Int(library.tm_mday), "\(name) at \(instant)")
    #expect(date.weekday % 7 == Int(library.tm_wday), "\(name) at \(instant)")
  }
}

/// A seeded source of instants (SplitMix64), since this room does not see the one in Ticks.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
