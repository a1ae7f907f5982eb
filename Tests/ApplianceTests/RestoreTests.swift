// A sit that is taken up after an outage, one that is slept through, and what a hand confirms.
import Controls
import Testing
import Ticks
import TimerMachine

@testable import Appliance

/// A snapshot of a sit of `zazen` that began at 100 s, and the bench that takes it up.
private func restored(_ phase: Phase = .running, at instant: Instant) -> Bench {
  var bench = Bench { $0.programmes.append(zazen(preparation: .zero)) }
  var snapshot = TimerSnapshot(plan: zazen(preparation: .zero).plan, phase: phase, begun: at(100))
  snapshot.pausedAt = at(200)
  bench.advance(to: instant)
  bench.appliance.restore(snapshot, programme: "zazen", at: instant)
  bench.fire(at: instant)
  return bench
}

@Test func restore_aRunningSit_ringsNothingForThePastAndAllThatIsToCome() {
  var bench = restored(at: at(130))
  #expect(bench.effects == ["idle>running"])
  #expect(bench.works.contains("sitting true"))
  #expect(bench.appliance.programme.name == "zazen")
  #expect(bench.appliance.phaseBegan == at(130))
  bench.advance(to: at(2_000))
  // zazen's walk ends with two strikes of its own.
  #expect(bench.rungText == ["segment1@700000", "segment2@706000", "end1@1900000"])
  #expect(bench.closed.first?.begun == at(100))
}

@Test func restore_afterABorder_doesNotRingIt() {
  var bench = restored(at: at(700))
  bench.advance(to: at(2_000))
  #expect(bench.rungText == ["end1@1900000"])
}

@Test func restore_aPausedSit_isPausedForEveryFront() {
  var bench = restored(.paused, at: at(300))
  #expect(bench.effects == ["idle>paused"])
  bench.press(.crown, at: at(310))
  bench.advance(to: at(311))
  #expect(bench.appliance.phase == .running)
  #expect(bench.cueText == "resume")
}

@Test func restore_aSitOfAProgrammeThatIsGone_keepsItsName() {
  var bench = Bench()
  let plan = SitPlan(preparation: .zero, length: .minutes(10))
  let snapshot = TimerSnapshot(plan: plan, phase: .running, begun: at(100))
  bench.advance(to: at(130))
  bench.appliance.restore(snapshot, programme: "gone", at: at(130))
  bench.fire(at: at(130))
  #expect(bench.appliance.programme.name == "gone")
  bench.advance(to: at(720))
  #expect(bench.rungText == ["end1@700000", "end2@706000", "end3@712000"])
  bench.advance(to: at(800))
  #expect(bench.appliance.programme.name == "simple")
}

@Test func giveCue_afterARestore_ringsOnceWhenTheOutputCan() {
  var bench = restored(at: at(130))
  bench.handle(.output(.closed(leadIn: .milliseconds(800))), at: at(131))
  bench.appliance.giveCue(at: at(131))
  bench.fire(at: at(131))
  bench.advance(to: at(140))
  #expect(bench.rungText == ["cue1@131800"])
}

// MARK: - Sleep and a clock that is set

@Test func sleep_inAnOpenSit_closesItAsTheMachineFellAsleep() {
  var bench = Bench { $0.plan.preparation = .zero }
  bench.start(.open, at: at(10))
  bench.handle(.slept(to: at(5_000)), at: at(300))
  #expect(bench.effects.suffix(2) == ["running>ended", "closed"])
  #expect(bench.closed.first?.ended == at(300))
  #expect(bench.closed.first?.credited == .seconds(290))
}

@Test func sleep_inAFixedSit_countsAndItsBellsAreDue() {
  var bench = Bench { $0.plan.preparation = .zero }
  bench.start(.fixed(.minutes(10)), at: at(10))
  bench.handle(.slept(to: at(500)), at: at(300))
  bench.advance(to: at(700))
  #expect(bench.closed.first?.credited == .minutes(10))
  #expect(bench.rungText.contains("end1@610000"))
}

@Test func end_movedByTheClock_movesTheBellAndNothingElse() {
  var bench = Bench { $0.plan.preparation = .zero }
  bench.start(.until(at(1_000)), at: at(10))
  bench.handle(.endMoved(to: at(800)), at: at(300))
  bench.advance(to: at(801))
  #expect(bench.rungText == ["start1@10000", "end1@800000"])
  var fixed = Bench { $0.plan.preparation = .zero }
  fixed.start(.fixed(.minutes(10)), at: at(10))
  fixed.handle(.endMoved(to: at(400)), at: at(300))
  fixed.advance(to: at(500))
  #expect(fixed.closed.isEmpty)
}

@Test func untilCommand_withLessThanASecondToSit_isRefused() {
  var bench = Bench()
  bench.start(.until(at(10)), at: at(3))
  #expect(bench.effects == ["refused start: the end comes before the sit could begin"])
}

// MARK: - What a hand confirms

@Test func hand_ofEveryKind_isATouchOnceForEachPressAndDetent() {
  var bench = Bench()
  bench.turn(2, at: at(1))
  bench.make(.double, at: at(2))
  bench.press(.left, at: at(4), for: .seconds(2))
  bench.handle(.command(.timer(.stop)), at: at(10))
  bench.handle(.command(.start(.set)), at: at(11))
  bench.handle(.command(.undo), at: at(12))
  #expect(bench.touches.count == 8)
  for command: ApplianceCommand in [
    .setVolume(30), .setRoleVolume(.end, 3), .ring(sound: 0), .choose(programme: "simple"),
    .setRating(true),
  ] {
    bench.handle(.command(command), at: at(13))
  }
  #expect(bench.touches.count == 8)
}

@Test func press_inOvertime_confirmsWhatRanUntilThen() {
  for (isTouched, credited) in [(true, Span.minutes(30)), (false, .minutes(20))] {
    var bench = Bench {
      $0.plan.preparation = .zero
      $0.plan.overtime = true
    }
    bench.start(at: at(0))
    // A turn: it sets the volume, silently.
    if isTouched { bench.turn(1, at: at(1_800)) }
    bench.advance(to: at(6_000))
    #expect(bench.closed.first?.credited == credited)
    #expect(bench.closed.first?.completed == true)
  }
}

@Test func swallowedPress_onADarkFace_confirmsToo() {
  var bench = Bench {
    $0.plan.preparation = .zero
    $0.plan.overtime = true
  }
  bench.start(at: at(0))
  bench.make(.double, at: at(60))
  bench.press(.up, at: at(1_800))
  bench.advance(to: at(6_000))
  #expect(bench.closed.first.map { $0.credited > .minutes(29) } == true)
}
