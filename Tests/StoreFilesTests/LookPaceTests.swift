import Testing
import Ticks

@testable import StoreFiles

private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

@Suite struct LookPaceTests {
  @Test func look_withoutNews_isNeverDue() {
    var pace = LookPace()
    #expect(pace.due == nil)
    pace.looked(at: at(5))
    #expect(pace.due == nil)
  }

  @Test func look_afterNews_isDueOnceItIsQuiet() {
    var pace = LookPace()
    pace.looked(at: at(0))
    pace.noticed(at: at(10_000))
    pace.noticed(at: at(10_100))
    #expect(pace.due == at(10_400))
    pace.looked(at: at(10_400))
    #expect(pace.due == nil)
  }

  @Test func look_whileItIsNeverQuiet_isDueTwoSecondsAfterTheFirstNews() {
    var pace = LookPace()
    for step in 0..<40 { pace.noticed(at: at(1_000 + Int64(step) * 100)) }
    #expect(pace.due == at(3_000))
  }

  @Test func look_soonAfterTheLast_waitsTwoSeconds() {
    var pace = LookPace()
    pace.looked(at: at(1_000))
    pace.noticed(at: at(1_001))
    #expect(pace.due == at(3_000))
    pace.noticed(at: at(2_900))
    #expect(pace.due == at(3_000 + 1))
  }

  @Test func look_whereNobodyTells_isDueEverySixtySeconds() {
    var pace = LookPace()
    pace.isBlind = true
    pace.looked(at: at(1_000))
    #expect(pace.due == at(61_000))
    pace.noticed(at: at(2_000))
    #expect(pace.due == at(3_000))
    pace.looked(at: at(3_000))
    #expect(pace.due == at(63_000))
  }
}
