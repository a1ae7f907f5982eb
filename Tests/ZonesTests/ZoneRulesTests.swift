import Testing
import Zones

/// 2026-01-01T00:00:00Z.
private let newYear2026: Int64 = 1_767_225_600

private func instant(_ text: String) throws -> Int64 { try Timestamp(text: text).unixSeconds }

@Test func zoneRules_utc_neverChanges() {
  #expect(ZoneRules.utc.offsetSeconds(atUnixSeconds: newYear2026) == 0)
  #expect(ZoneRules.utc.abbreviation(atUnixSeconds: 0) == "UTC")
  #expect(ZoneRules.utc.nextChange(after: Int64.min) == nil)
}

@Test func rule_northernSummer_changesAtTheSecond() throws {
  let rules = try ZoneRules(tzif: madeZone(rule: "CET-1CEST,M3.5.0,M10.5.0/3"))
  let spring = try instant("2026-03-29T01:00:00Z")
  let autumn = try instant("2026-10-25T01:00:00Z")
  #expect(rules.offsetSeconds(atUnixSeconds: spring - 1) == 3_600)
  #expect(rules.offsetSeconds(atUnixSeconds: spring) == 7_200)
  #expect(rules.isSummerTime(atUnixSeconds: spring))
  #expect(rules.abbreviation(atUnixSeconds: spring) == "CEST")
  #expect(rules.offsetSeconds(atUnixSeconds: autumn - 1) == 7_200)
  #expect(rules.offsetSeconds(atUnixSeconds: autumn) == 3_600)
  #expect(rules.nextChange(after: newYear2026) == spring)
  #expect(rules.nextChange(after: spring) == autumn)
  #expect(rules.nextChange(after: spring - 1) == spring)
}

@Test func rule_southernSummer_spansTheNewYear() throws {
  let rules = try ZoneRules(tzif: madeZone(rule: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"))
  #expect(rules.offsetSeconds(atUnixSeconds: newYear2026) == 39_600)
  #expect(rules.abbreviation(atUnixSeconds: newYear2026) == "+11")
  #expect(try rules.nextChange(after: newYear2026) == instant("2026-04-04T15:00:00Z"))
  #expect(try rules.offsetSeconds(atUnixSeconds: instant("2026-07-01T00:00:00Z")) == 37_800)
}

@Test func rule_bracketedNameWithoutSummer_holdsForEver() throws {
  let rules = try ZoneRules(tzif: madeZone(rule: "<+0330>-3:30"))
  #expect(rules.offsetSeconds(atUnixSeconds: newYear2026) == 12_600)
  #expect(rules.abbreviation(atUnixSeconds: newYear2026) == "+0330")
  #expect(rules.nextChange(after: newYear2026) == nil)
}

@Test func rule_julianDay_neverCountsTheLeapDay() throws {
  let rules = try ZoneRules(tzif: madeZone(rule: "STD0SUM,J60/0,J300/0"))
  #expect(try rules.nextChange(after: newYear2026) == instant("2026-03-01T00:00:00Z"))
  #expect(
    try rules.nextChange(after: instant("2028-01-01T00:00:00Z")) == instant("2028-03-01T00:00:00Z"))
}

@Test func rule_ordinalDay_countsTheLeapDay() throws {
  let rules = try ZoneRules(tzif: madeZone(rule: "STD0SUM,59/0,300/0"))
  #expect(try rules.nextChange(after: newYear2026) == instant("2026-03-01T00:00:00Z"))
  #expect(
    try rules.nextChange(after: instant("2028-01-01T00:00:00Z")) == instant("2028-02-29T00:00:00Z"))
}

@Test func rule_timesBeyondADay_moveToOtherDays() throws {
  // Greenland's rule: 22:00 on the Saturday before, written from the Sunday.
  let early = try ZoneRules(tzif: madeZone(rule: "<-02>2<-01>,M3.5.0/-1,M10.5.0/0"))
  #expect(try early.nextChange(after: newYear2026) == instant("2026-03-29T01:00:00Z"))
  let late = try ZoneRules(tzif: madeZone(rule: "STD0SUM,M1.1.1/167,M12.5.0/-167"))
  #expect(try late.nextChange(after: newYear2026) == instant("2026-01-11T23:00:00Z"))
}

@Test func rule_summerTimeAllYear_neverChanges() throws {
  let rules = try ZoneRules(tzif: madeZone(rule: "EST5EDT,0/0,J365/25"))
  for day in 0..<800 {
    #expect(rules.offsetSeconds(atUnixSeconds: newYear2026 + Int64(day) * 86_400) == -14_400)
  }
  #expect(rules.nextChange(after: newYear2026) == nil)
}

@Test func changes_listedInTheFile_holdUntilTheRuleTakesOver() throws {
  let rules = try ZoneRules(tzif: madeZone(instants: [100, 200, 300], rule: "END-2"))
  #expect(rules.abbreviation(atUnixSeconds: 99) == "STD")
  #expect(rules.abbreviation(atUnixSeconds: 100) == "SUM")
  #expect(rules.abbreviation(atUnixSeconds: 299) == "STD")
  #expect(rules.abbreviation(atUnixSeconds: 300) == "END")
  #expect(rules.nextChange(after: -5) == 100)
  #expect(rules.nextChange(after: 299) == 300)
  #expect(rules.nextChange(after: 300) == nil)
}

@Test func changes_withAnEmptyRule_leaveTheLastForEver() throws {
  let rules = try ZoneRules(tzif: madeZone(instants: [100], rule: ""))
  #expect(rules.abbreviation(atUnixSeconds: 99) == "STD")
  #expect(rules.abbreviation(atUnixSeconds: Int64.max) == "SUM")
}

@Test(arguments: ["2", "3", "4", "9"] as [Character])
func changes_laterVersions_useThe64BitBlock(version: Character) throws {
  let far: Int64 = 5_000_000_000
  let bytes = madeZone(instants: [-far, far], rule: "", version: version)
  let rules = try ZoneRules(tzif: bytes)
  #expect(rules.abbreviation(atUnixSeconds: -far - 1) == "STD")
  #expect(rules.abbreviation(atUnixSeconds: far - 1) == "SUM")
  #expect(rules.abbreviation(atUnixSeconds: far) == "STD")
}

@Test func changes_versionOne_useThe32BitBlock() throws {
  let seoul = try ZoneRules(tzif: zoneFile("Asia/Seoul"))
  var bytes = try zoneFile("Asia/Seoul")
  bytes[4] = 0
  let old = try ZoneRules(tzif: bytes)
  // 1988-07-01T00:00:00Z, in Seoul's second year of summer time.
  #expect(seoul.offsetSeconds(atUnixSeconds: 583_718_400) == 36_000)
  #expect(old.offsetSeconds(atUnixSeconds: 583_718_400) == 36_000)
}

@Test func offset_farthestInstants_areAnsweredAsTheNearest() throws {
  let rules = try ZoneRules(tzif: madeZone(rule: "CET-1CEST,M3.5.0,M10.5.0/3"))
  #expect(rules.offsetSeconds(atUnixSeconds: Int64.max) == 3_600)
  #expect(rules.offsetSeconds(atUnixSeconds: Int64.min) == 3_600)
  #expect(rules.nextChange(after: Int64.max) == nil)
}
