import Controls
import Testing
import Ticks
import TimerMachine

@testable import Appliance

private func unprepared() -> Bench { Bench { $0.plan.preparation = .zero } }

@Test(
  arguments: [
    (OutputReadiness.absent, 5_000), (.closed(leadIn: .milliseconds(800)), 5_800),
    (.open(from: at(2), latency: .milliseconds(40)), 5_040),
    (.open(from: at(6), latency: .milliseconds(40)), 6_000),
  ] as [(OutputReadiness, Int64)])
func start_withoutPreparation_waitsForTheOutput(readiness: OutputReadiness, begun: Int64) {
  var bench = unprepared()
  bench.handle(.output(readiness), at: at(1))
  bench.start(at: at(5))
  bench.advance(to: at(ms: begun) - nanosecond)
  #expect(bench.appliance.phase == (begun == 5_000 ? .running : .preparing))
  bench.advance(to: at(ms: begun))
  #expect(bench.appliance.phase == .running)
  #expect(bench.told.contains(Told(at: at(ms: begun), text: "begun")))
  bench.advance(to: at(3_000))
  #expect(bench.rungText.first == "start1@\(begun)")
  #expect(bench.rungText[1] == "end1@\(begun + 1_200_000)")
}

@Test func start_withPreparation_doesNotWaitForAnOutputThatIsReadyByThen() {
  var bench = Bench()
  bench.handle(.output(.closed(leadIn: .seconds(2))), at: at(1))
  bench.start(at: at(5))
  bench.advance(to: at(20))
  #expect(bench.rungText == ["start1@15000"])
}

@Test func skip_beforeTheOutputIsReady_waitsForIt() {
  var bench = Bench()
  bench.handle(.output(.closed(leadIn: .seconds(2))), at: at(1))
  bench.start(at: at(5))
  bench.command(.skip, at: at(6))
  bench.advance(to: at(20))
  #expect(bench.rungText == ["start1@8000"])
}

@Test func start_withNoOutputAtAll_runsToItsEnd() {
  var bench = Bench(rings: false) { $0.plan.preparation = .zero }
  bench.start(at: at(5))
  bench.advance(to: at(1_300))
  #expect(bench.closed.map(\.credited) == [.minutes(20)])
  #expect(bench.appliance.phase == .idle)
}

// MARK: - One instant, several hands

@Test func programs_twoAtOneInstant_startsOneSitAndRefusesTheOther() {
  var bench = unprepared()
  bench.fire(at: at(5))
  bench.appliance.handle(.command(.start(.fixed(.minutes(10)))), at: at(5))
  bench.appliance.handle(.command(.start(.fixed(.minutes(30)))), at: at(5))
  bench.appliance.handle(.command(.timer(.pause)), at: at(5))
  bench.fire(at: at(5))
  #expect(
    bench.effects == [
      "idle>preparing", "preparing>running", "begun", "refused start: a sit is already running",
      "running>paused",
    ])
  #expect(bench.appliance.timer.plan?.length == .minutes(10))
}

@Test func programAndHand_atOneInstant_actInTheOrderInWhichTheyAreRead() {
  var bench = unprepared()
  bench.press(.crown, at: at(3))
  // The click is decided at 3.45 s, which is due before the program's word of that instant.
  bench.start(.fixed(.minutes(10)), at: at(ms: 3_450))
  #expect(
    bench.effects == [
      "idle>preparing", "preparing>running", "begun", "refused start: a sit is already running",
    ])
  #expect(bench.appliance.timer.plan?.length == .minutes(20))
}

@Test func twoHands_decidedAtOneInstant_startAndPauseInTheOrderOfButtons() {
  var bench = unprepared()
  bench.edge(.s, .low, at: at(3))
  bench.edge(.s, .high, at: at(ms: 3_100))
  bench.edge(.play, .low, at: at(ms: 3_300))
  // Its click is decided at 3.45 s too; it belongs to idle, so it starts and is refused.
  bench.edge(.play, .high, at: at(ms: 3_440))
  bench.advance(to: at(4))
  #expect(
    bench.effects == [
      "idle>preparing", "preparing>running", "begun", "refused start: a sit is already running",
    ])
}

@Test func timerAndHand_dueAtOneInstant_theTimerComesFirst() {
  var bench = unprepared()
  bench.start(.fixed(.minutes(1)), at: at(0))
  bench.press(.crown, at: at(ms: 59_550))
  bench.advance(to: at(61))
  #expect(
    bench.effects.suffix(3) == ["running>ended", "closed", "refused pause: the sit is over"])
}

@Test func twoProgramsAndAHand_takingTurns_leaveOneSitRight() {
  var bench = unprepared()
  bench.start(.fixed(.minutes(10)), at: at(0))
  bench.press(.crown, at: at(60))
  bench.command(.pause, at: at(ms: 60_200))
  bench.command(.pause, at: at(ms: 60_300))
  bench.advance(to: at(70))
  bench.command(.resume, at: at(ms: 120_200))
  bench.press(.crown, at: at(ms: 120_250))
  bench.command(.resume, at: at(ms: 180_200))
  bench.advance(to: at(800))
  #expect(
    bench.effects == [
      "idle>preparing", "preparing>running", "begun", "running>paused",
      "refused pause: the sit is already paused", "refused pause: the sit is already paused",
      "paused>running", "running>paused", "paused>running", "running>ended", "closed",
      "ended>idle",
    ])
  #expect(bench.closed.first?.credited == .minutes(10))
  #expect(
    bench.closed.first?.interruptions == [
      Interruption(from: at(ms: 60_200), to: at(ms: 120_200)),
      Interruption(from: at(ms: 120_700), to: at(ms: 180_200)),
    ])
}

// MARK: - Late and backward news

@Test func edge_readLate_actsWhenItIsRead() {
  var bench = Bench()
  bench.advance(to: at(10))
  bench.appliance.handle(.edge(Edge(line: .s, level: .low, at: at(3))), at: at(10))
  bench.appliance.handle(.edge(Edge(line: .s, level: .high, at: at(ms: 3_100))), at: at(10))
  bench.advance(to: at(10))
  #expect(bench.appliance.phase == .preparing)
  #expect(bench.changes.last == Told(at: at(10), text: "idle>preparing"))
  bench.advance(to: at(30))
  #expect(bench.rungText == ["start1@20000"])
}

@Test func edge_stampedInTheFuture_countsAsOfNow() {
  var bench = Bench()
  bench.start(.fixed(.minutes(1)), at: at(0))
  bench.fire(at: at(60))
  bench.appliance.handle(.edge(Edge(line: .s, level: .low, at: at(1_000))), at: at(60))
  bench.appliance.handle(.edge(Edge(line: .s, level: .high, at: at(1_001))), at: at(ms: 60_100))
  bench.advance(to: at(61))
  #expect(bench.appliance.phase == .paused)
  #expect(bench.changes.last == Told(at: at(ms: 60_450), text: "running>paused"))
}

@Test func command_beforeTheLastInstant_countsAsOfThat() {
  var bench = unprepared()
  bench.start(.fixed(.minutes(10)), at: at(5))
  bench.fire(at: at(100))
  bench.appliance.handle(.command(.timer(.pause)), at: at(40))
  bench.fire(at: at(100))
  #expect(bench.told.last == Told(at: at(100), text: "running>paused"))
  #expect(bench.appliance.timer.remaining(at: at(100)) == .seconds(505))
}

@Test func command_beforeAStartThatIsDueAtOnce_findsTheSitBegun() {
  var bench = unprepared()
  bench.fire(at: at(5))
  bench.appliance.handle(.command(.start(.set)), at: at(5))
  bench.appliance.handle(.command(.timer(.stop)), at: at(4))
  bench.fire(at: at(5))
  #expect(
    bench.effects == [
      "idle>preparing", "preparing>running", "begun", "running>ended", "discarded",
    ])
}

// MARK: - Pauses and ticks

@Test func pauses_fiveHundredCommandsInFiveSeconds_leaveTheTimeAndTheBellsExact() {
  var bench = Bench {
    $0.plan.preparation = .zero
    $0.plan.intervals.every = .minutes(5)
  }
  bench.start(at: at(0))
  var held = Span.zero
  for index in 0..<500 {
    let instant = at(60) + Span(nanoseconds: Int64(index) * 10_000_007)
    bench.command(index % 2 == 0 ? .pause : .resume, at: instant)
    if index % 2 == 1 { held += Span(nanoseconds: 10_000_007) }
  }
  #expect(
    bench.appliance.timer.remaining(at: bench.now) == .minutes(20) - (bench.now - at(0) - held))
  bench.advance(to: at(2_000))
  #expect(
    bench.rung.map(\.strike.role) == [.start, .interval, .interval, .interval, .end, .end, .end])
  let dues: [Span] = [.zero, .minutes(5), .minutes(10), .minutes(15), .minutes(20)]
  for (index, due) in dues.enumerated() {
    #expect(bench.rung[index].at == at(0) + due + (index == 0 ? .zero : held))
  }
  #expect(Set(bench.rung.map(\.strike.strike.number)).count == bench.rung.count)
}

@Test func ticks_askedForInMidSit_beginWithTheNextSecond() {
  var bench = unprepared()
  bench.start(.fixed(.minutes(20)), at: at(ms: 300))
  bench.advance(to: at(1_000))
  bench.handle(.ticksWanted(true), at: at(1_000))
  bench.advance(to: at(ms: 1_002_299))
  let ticks = bench.told.filter { $0.text.hasPrefix("tick") }
  #expect(
    ticks == [
      Told(at: at(ms: 1_000_300), text: "tick 200"), Told(at: at(ms: 1_001_300), text: "tick 199"),
    ])
  bench.handle(.ticksWanted(false), at: at(ms: 1_002_299))
  #expect(bench.appliance.nextDeadline == at(ms: 1_200_300))
}

@Test func ticks_askedForWhilePreparing_beginWithTheNextSecond() {
  var bench = Bench()
  bench.start(at: at(0))
  bench.handle(.ticksWanted(true), at: at(ms: 7_500))
  bench.advance(to: at(10) - nanosecond)
  #expect(bench.effects == ["idle>preparing", "tick 2", "tick 1"])
}
