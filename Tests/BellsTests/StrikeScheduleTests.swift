import Bells
import Testing
import Ticks

private func strike(_ number: UInt32, at milliseconds: Int64) -> Strike {
  Strike(number: number, sound: 0, due: .zero + .milliseconds(milliseconds), gain: 1)
}

@Suite struct StrikeScheduleTests {
  @Test func plan_inAnyOrder_isTakenEarliestFirst() {
    var schedule = StrikeSchedule()
    schedule.replace(with: [
      strike(1, at: 30), strike(2, at: 10), strike(3, at: 20), strike(4, at: 10),
    ])
    #expect([schedule.begin(), schedule.begin(), schedule.begin()].map(\.number) == [2, 4, 3])
    #expect(schedule.first?.number == 1)
  }

  @Test func plan_another_replacesTheWhole() {
    var schedule = StrikeSchedule()
    schedule.replace(with: [strike(1, at: 30), strike(2, at: 10)])
    schedule.replace(with: [strike(3, at: 50)])
    #expect(schedule.begin().number == 3)
    #expect(schedule.first == nil)
    schedule.replace(with: [strike(4, at: 60)])
    schedule.replace(with: [])
    #expect(schedule.first == nil)
  }

  @Test func plan_ofSeventeen_leavesTheLatestOut() {
    for latestFirst in [true, false] {
      var schedule = StrikeSchedule()
      let plan = (0..<17).map { strike(UInt32($0), at: Int64($0)) }
      schedule.replace(with: latestFirst ? plan.reversed() : plan)
      for number in 0..<16 { #expect(schedule.begin().number == UInt32(number)) }
      #expect(schedule.first == nil)
    }
  }

  @Test func strike_thatHasBegun_isNotBegunAgainUntilThirtyTwoOthersHave() {
    var schedule = StrikeSchedule()
    for number in 0..<32 {
      schedule.replace(with: [strike(UInt32(number), at: 0)])
      _ = schedule.begin()
    }
    schedule.replace(with: [strike(0, at: 0)])
    #expect(schedule.first == nil)
    schedule.replace(with: [strike(32, at: 0)])
    _ = schedule.begin()
    schedule.replace(with: [strike(1, at: 0), strike(0, at: 0)])
    #expect(schedule.first?.number == 0)
  }
}
