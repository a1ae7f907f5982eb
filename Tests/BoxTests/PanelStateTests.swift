// What the state tells of the programme, for whoever draws it.
import Appliance
import Box
import Testing
import Ticks
import TimerMachine

private let walk = StateLine.Segment(kind: "walk", seconds: 600)
private let sit = StateLine.Segment(kind: "sit", seconds: 900)

private func bench(chosen: String) -> BoxBench {
  var zazen = Programme.simple
  zazen.name = "zazen"
  zazen.length = .fixed
  zazen.plan = SitPlan(
    preparation: .seconds(5), length: .minutes(25),
    segments: [
      Segment(kind: "walk", length: .minutes(10)), Segment(kind: "sit", length: .minutes(15)),
    ], intervals: IntervalPlan(every: .minutes(7)))
  zazen.plan.intervals.random = 3
  var open = Programme.simple
  open.name = "free"
  open.length = .open
  var dawn = open
  dawn.name = "dawn"
  dawn.length = .until(.hours(7) + .minutes(5))
  return BoxBench {
    $0.programmes += [zazen, open, dawn]
    $0.programme = chosen
  }
}

@Test func panel_inIdle_tellsTheChosenProgrammeAsItWouldBeSat() {
  let line = bench(chosen: "zazen").box.state(at: .zero)
  #expect(line.programme == "zazen")
  #expect(line.segment == nil)
  #expect(line.plannedSeconds == nil)
  #expect(line.setSeconds == 1_500)
  #expect(line.panel.length == "25m")
  #expect(line.panel.segments == [walk, sit])
  // Random bells are nobody's to see ahead.
  #expect(line.panel.intervals == [420, 840, 1_260])
}

@Test func segment_inASit_isTheOneThatIsOn() {
  var bench = bench(chosen: "zazen")
  bench.start(at: at(0))
  for (second, kind) in [(Int64(1), "walk"), (604, "walk"), (605, "sit"), (1_504, "sit")] {
    bench.advance(to: at(second))
    #expect(bench.box.state(at: at(second)).segment == kind)
  }
}

@Test func length_ofAProgrammeWithoutOne_isToldInWords() {
  let open = bench(chosen: "free").box.state(at: .zero)
  #expect(open.panel.length == "open")
  #expect(open.panel.intervals == [])
  let dawn = bench(chosen: "dawn").box.state(at: .zero)
  #expect(dawn.panel.length == "until 07:05")
  var until = bench(chosen: "simple")
  // Not a whole number of microseconds.
  until.start(.until(at(500) + Span(nanoseconds: 1)), at: at(1))
  until.advance(to: at(20))
  let line = until.box.state(at: at(20))
  #expect(line.panel.length == "until")
  #expect(line.plannedSeconds == 489)
  #expect(line.endsAt == "2026-01-01T06:08:20Z")
}

@Test func reminderRatingAndQuestion_areInTheState() {
  var bench = bench(chosen: "simple")
  bench.handle(.appliance(.reminder(ReminderCall(name: "morning"))), at: at(1))
  #expect(bench.box.state(at: at(1)).panel.reminder == "morning")
  bench.advance(to: at(301))
  #expect(bench.box.state(at: at(301)).panel.reminder == nil)
}
