import Testing
import Ticks
import TimerMachine

private let kinhin = [
  Segment(kind: "sit", length: .minutes(25)), Segment(kind: "walk", length: .seconds(600)),
  Segment(kind: "sit", length: .minutes(25)),
]
private let zazen = SitPlan(preparation: .seconds(10), length: .minutes(60), segments: kinhin)

@Test func segments_theirBorders_ringOneBellEachWithTheirNumber() {
  var driver = MachineDriver()
  driver.start(zazen, at: at(0))
  let foreseen = [
    Bell(role: .start, ordinal: 0, due: at(10)), Bell(role: .segment, ordinal: 1, due: at(1510)),
    Bell(role: .segment, ordinal: 2, due: at(2110)), Bell(role: .end, ordinal: 0, due: at(3610)),
  ]
  #expect(driver.machine.upcomingBells() == foreseen)
  driver.advance(to: at(1510) - nanosecond)
  #expect(driver.bells.count == 1)
  driver.advance(to: at(1510))
  #expect(driver.bells.count == 2)
  #expect(driver.machine.upcomingBells() == Array(foreseen[2...]))
  driver.advance(to: at(3610))
  #expect(driver.bells == foreseen)
  #expect(driver.closed.map(\.credited) == [.minutes(60)])
}

@Test func segments_inAPause_shiftWithIt() {
  var driver = MachineDriver()
  driver.start(zazen, at: at(0))
  driver.command(.pause, at: at(110))
  #expect(driver.machine.segmentRemaining(at: at(300)) == .seconds(1400))
  driver.command(.resume, at: at(410))
  driver.advance(to: at(1810) - nanosecond)
  #expect(driver.bells.count == 1)
  driver.advance(to: at(1810))
  #expect(driver.bells.last == Bell(role: .segment, ordinal: 1, due: at(1810)))
}

@Test func segment_aroundABorder_isTheLaterOneFromTheBorderOn() {
  var driver = MachineDriver()
  driver.start(zazen, at: at(0))
  let look = { (driver: MachineDriver, instant: Instant) -> (String?, Int?, Span, Span?) in
    (
      driver.machine.segment(at: instant)?.kind, driver.machine.segmentIndex(at: instant),
      driver.machine.segmentElapsed(at: instant), driver.machine.segmentRemaining(at: instant)
    )
  }
  #expect(look(driver, at(5)) == ("sit", 0, .zero, nil))
  driver.advance(to: at(10))
  #expect(look(driver, at(1510) - nanosecond) == ("sit", 0, .minutes(25) - nanosecond, nanosecond))
  #expect(look(driver, at(1510)) == ("walk", 1, .zero, .seconds(600)))
  #expect(look(driver, at(1510) + nanosecond).2 == nanosecond)
  driver.advance(to: at(2110))
  #expect(look(driver, at(2120)) == ("sit", 2, .seconds(10), .seconds(1490)))
  driver.advance(to: at(3610))
  #expect(look(driver, at(3650)) == ("sit", 2, .minutes(25), .zero))
  driver.advance(to: at(3670))
  #expect(look(driver, at(3670)) == (nil, nil, .zero, nil))
}

@Test func segment_ofASitOfOneStretch_isNone() {
  var driver = MachineDriver()
  driver.start(SitPlan(preparation: .zero, length: .minutes(20)), at: at(0))
  #expect(driver.machine.segment(at: at(60)) == nil)
  #expect(driver.machine.segmentIndex(at: at(60)) == nil)
  #expect(driver.machine.segmentElapsed(at: at(60)) == .seconds(60))
  #expect(driver.machine.segmentRemaining(at: at(60)) == .seconds(1140))
}

@Test func segment_inOvertime_isTheLastWithNothingLeft() {
  var plan = zazen
  plan.overtime = true
  var driver = MachineDriver()
  driver.start(plan, at: at(0))
  driver.advance(to: at(3700))
  #expect(driver.machine.phase == .overtime)
  #expect(driver.machine.segmentIndex(at: at(3700)) == 2)
  #expect(driver.machine.segmentRemaining(at: at(3700)) == .zero)
}

@Test func ticks_ofSegmentsThatAreNoWholeSeconds_countFromEachBeginning() {
  let segments = [
    Segment(kind: "walk", length: .milliseconds(2_500)),
    Segment(kind: "sit", length: .milliseconds(2_000)),
  ]
  var driver = MachineDriver(ticks: true)
  driver.start(
    SitPlan(preparation: .zero, length: .milliseconds(4_500), segments: segments), at: at(1))
  driver.advance(to: at(60))
  let ticks = driver.trace.filter { if case .tick = $0.news { true } else { false } }
  let instants: [Int64] = [2_000, 3_000, 4_500, 5_500]
  #expect(ticks.map(\.at) == instants.map { at(ms: $0) })
}

@Test func nextBell_ofASit_isTheFirstAfterTheInstant() {
  var plan = zazen
  plan.intervals.every = .minutes(20)
  var driver = MachineDriver()
  #expect(driver.machine.nextBell(after: at(0)) == nil)
  driver.start(plan, at: at(0))
  let bells = driver.machine.upcomingBells(10).map(\.due)
  #expect(bells.count == 6)
  var instant = at(0)
  for bell in bells {
    #expect(driver.machine.nextBell(after: instant) == bell)
    #expect(driver.machine.nextBell(after: bell - nanosecond) == bell)
    instant = bell
  }
  #expect(driver.machine.nextBell(after: instant) == nil)
  driver.advance(to: at(1300))
  #expect(driver.machine.nextBell(after: at(1300)) == at(1510))
  driver.command(.pause, at: at(1300))
  #expect(driver.machine.nextBell(after: at(1300)) == at(1900))
  #expect(driver.machine.nextBell(after: at(1900)) == nil)
  driver.command(.resume, at: at(1950))
  #expect(driver.machine.nextBell(after: at(1950)) == at(2160))
}
