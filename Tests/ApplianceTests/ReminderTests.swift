import Bells
import Controls
import CrownFront
import Testing
import Ticks
import TimerMachine

@testable import Appliance

private func morning(_ kind: ReminderCall.Kind = .soft, auto: Bool = false) -> ApplianceEvent {
  .reminder(ReminderCall(name: "morning", programme: "zazen", kind: kind, isAuto: auto))
}

private func bench(_ set: (inout ApplianceSettings) -> Void = { _ in }) -> Bench {
  Bench {
    $0.programmes.append(zazen())
    set(&$0)
  }
}

// MARK: - Soft

@Test func softReminder_inIdle_strikesOnceSoftlyAndCallsForFiveMinutes() {
  var bench = bench { $0.bells[Int(BellRole.reminder.rawValue)].strikes = 9 }
  bench.handle(morning(), at: at(10))
  bench.advance(to: at(310) - nanosecond)
  #expect(bench.rungText == ["reminder1@10000"])
  #expect(bench.rung[0].strike.strike.strength == 0.4)
  #expect(bench.appliance.reminder == "morning")
  #expect(bench.appliance.lamp == .blinking)
  bench.advance(to: at(310))
  #expect(bench.effects == ["reminder morning", "reminder over"])
  #expect(bench.appliance.reminder == nil)
  #expect(bench.appliance.lamp == .on)
}

@Test func softReminder_onADarkFace_lightsTheLampAlone() {
  var bench = bench()
  bench.make(.long, at: at(1))
  #expect(bench.appliance.lamp == .off)
  bench.handle(morning(), at: at(10))
  #expect(bench.appliance.isBlackedOut)
  #expect(bench.appliance.lamp == .blinking)
  bench.advance(to: at(310))
  #expect(bench.appliance.lamp == .off)
}

@Test func reminder_whileASitIsOn_doesNothing() {
  for phase in [Phase.preparing, .running, .paused, .overtime] {
    for kind in ReminderCall.Kind.allCases {
      var bench = Bench { $0.plan.overtime = phase == .overtime }
      let instant = bench.reach(phase)
      bench.handle(morning(kind, auto: true), at: instant)
      #expect(bench.effects == [], "\(phase.name)")
      #expect(bench.appliance.reminder == nil)
      #expect(bench.plan.allSatisfy { $0.role != .reminder })
    }
  }
}

/// What each gesture means while a soft reminder calls: what is told, and the strikes that answer.
private let calledTable: [(Phase, CrownGesture, [String], String)] = [
  (.idle, .turn, ["reminder over", "set 21m"], ""),
  (.idle, .pressAndTurn, ["volume 65"], "volume"),
  (.idle, .click, ["idle>preparing", "reminder over"], "yes"),
  (.idle, .double, ["reminder over", "programme zazen"], "programme programme"),
  (.idle, .long, ["reminder over"], "yes"),
  (.ended, .turn, [], ""),
  (.ended, .pressAndTurn, [], ""),
  (.ended, .click, ["ended>preparing", "reminder over"], "yes"),
  (.ended, .long, ["asked delete"], "ask ask"),
]

@Test(arguments: calledTable)
func crown_whileAReminderCalls_doesWhatTheTableSays(
  phase: Phase, gesture: CrownGesture, effects: [String], answer: String
) {
  var bench = bench()
  let instant = bench.reach(phase)
  bench.handle(morning(), at: instant)
  bench.told = []
  bench.make(gesture, at: instant + .milliseconds(1_010))
  bench.advance(to: instant + .milliseconds(2_500))
  #expect(Set(bench.effects) == Set(effects))
  #expect(bench.cueText == answer)
  #expect(bench.isEachCueWithinATwelfthOfASecond)
  let isBegun = effects.contains { $0.hasSuffix(">preparing") }
  if isBegun { #expect(bench.appliance.programme.name == "zazen") }
  #expect((bench.appliance.reminder == nil) == effects.contains("reminder over"))
  #expect(!bench.appliance.isBlackedOut)
}

@Test func remote_whileAReminderCalls_beginsItsProgrammeOrEndsTheCall() {
  for (button, effect) in [
    (Button.select, "idle>preparing"), (.play, "idle>preparing"), (.back, "reminder over"),
  ] {
    var bench = bench()
    bench.handle(morning(), at: at(10))
    bench.press(button, at: at(20))
    bench.advance(to: at(21))
    #expect(bench.effects.contains(effect), "\(button.name)")
    #expect(bench.appliance.reminder == nil)
    #expect(!bench.appliance.isBlackedOut)
    #expect(bench.cueText == "yes")
    if button != .back { #expect(bench.appliance.programme.name == "zazen") }
  }
}

@Test(arguments: [
  (Span.minutes(5) - nanosecond, "zazen"), (.minutes(5), "simple"),
  (.minutes(5) + nanosecond, "simple"),
])
func press_withinTheCall_beginsTheProgrammeOfTheReminder(after: Span, name: String) {
  var bench = bench()
  bench.handle(morning(), at: at(10))
  bench.advance(to: at(10) + after)
  // A panel's command, since the nanoseconds of a hand are not settled.
  bench.appliance.now = at(10) + after
  if bench.appliance.answerCall(.start) == nil { bench.appliance.start(.set) }
  bench.fire(at: at(10) + after)
  #expect(bench.appliance.programme.name == name)
  #expect(bench.appliance.phase == .preparing)
}

@Test func reminder_ofAProgrammeThatIsGone_refusesThePress() {
  var bench = Bench()
  bench.handle(morning(), at: at(10))
  bench.press(.crown, at: at(20))
  bench.advance(to: at(22))
  #expect(bench.effects.last == "refused start: there is no programme zazen")
  #expect(bench.cueText == "no no")
  #expect(bench.appliance.reminder == "morning")
}

@Test func reminder_withoutAProgramme_callsToTheChosenOne() {
  var bench = bench { $0.programme = "zazen" }
  bench.handle(.reminder(ReminderCall(name: "noon")), at: at(10))
  bench.press(.crown, at: at(20))
  bench.advance(to: at(22))
  #expect(bench.appliance.programme.name == "zazen")
}

@Test func startByAProgram_whileAReminderCalls_isWhatItAsksFor() {
  var bench = bench()
  bench.handle(morning(), at: at(10))
  bench.start(.fixed(.minutes(3)), at: at(20))
  #expect(bench.appliance.programme.name == "simple")
  #expect(bench.appliance.reminder == nil)
}

@Test func twoReminders_theLaterOneCalls() {
  var bench = bench()
  bench.handle(morning(), at: at(10))
  bench.handle(.reminder(ReminderCall(name: "noon")), at: at(60))
  bench.advance(to: at(120))
  #expect(bench.effects == ["reminder morning", "reminder over", "reminder noon"])
  #expect(bench.rung.last?.at == at(60))
}

@Test func wakingReminder_besideASoftOne_wakesToTheEnd() {
  var bench = bench()
  bench.handle(morning(.wake), at: at(10))
  bench.handle(.reminder(ReminderCall(name: "noon")), at: at(60))
  bench.advance(to: at(310) - nanosecond)
  #expect(bench.appliance.reminder == "morning")
  #expect(bench.effects == ["reminder morning"])
  #expect(bench.rung.last.map { $0.at > at(240) } == true)
}

// MARK: - By itself

@Test func autoReminder_strikesAndBeginsItsProgramme() {
  var bench = bench()
  bench.handle(morning(auto: true), at: at(10))
  bench.advance(to: at(40))
  #expect(bench.effects.contains("begun"))
  #expect(bench.appliance.programme.name == "zazen")
  #expect(bench.appliance.reminder == nil)
  #expect(bench.rungText == ["reminder1@10000", "start1@15000", "start2@21000", "start3@27000"])
}

@Test func autoReminder_ofAProgrammeWithoutPreparation_leavesTheBellToTheSit() {
  var bench = Bench { $0.programmes.append(zazen(preparation: .zero)) }
  bench.handle(morning(auto: true), at: at(10))
  bench.advance(to: at(12))
  #expect(bench.rungText == ["start1@10000"])
}

@Test func autoReminder_whileASitRunsElsewhere_onlyCalls() {
  var bench = bench()
  bench.handle(.elsewhere(reason: "a sit runs on kitchen since 07:00"), at: at(1))
  bench.handle(morning(auto: true), at: at(10))
  bench.advance(to: at(20))
  #expect(bench.effects == ["reminder morning"])
  #expect(bench.appliance.reminder == "morning")
  bench.press(.crown, at: at(20))
  bench.advance(to: at(25))
  #expect(bench.effects.last == "refused start: a sit runs on kitchen since 07:00")
}

// MARK: - To wake by

@Test func wakingReminder_untilNobodyComes_growsForFiveMinutesAndEnds() {
  var bench = bench()
  bench.handle(morning(.wake), at: at(10))
  bench.advance(to: at(1_000))
  #expect(bench.rung.count == 31)
  #expect(bench.rung.first?.at == at(10))
  #expect(bench.rung.last?.at == at(310))
  let strengths = bench.rung.map(\.strike.strike.strength)
  #expect(zip(strengths, strengths.dropFirst()).allSatisfy { $0 < $1 })
  #expect(strengths.first ?? 1 < 0.06 && strengths.last == 1)
  #expect(bench.effects == ["reminder morning", "reminder over"])
  #expect(bench.appliance.phase == .idle)
}

@Test func anyGesture_whileItWakes_makesItQuietAndDoesNothingElse() {
  for gesture in CrownGesture.allCases {
    var bench = bench { $0.cues.detent = .always }
    bench.handle(morning(.wake), at: at(10))
    bench.make(gesture, at: at(ms: 45_005))
    bench.advance(to: at(1_000))
    #expect(bench.effects == ["reminder morning", "reminder over"], "\(gesture.name)")
    #expect(bench.cues.isEmpty, "\(gesture.name)")
    #expect(bench.rung.count == 4, "\(gesture.name)")
    #expect(bench.works.filter { $0 == "damp" }.count == 1, "\(gesture.name)")
    #expect(!bench.appliance.isBlackedOut)
  }
  for button in Button.allCases where button != .crown {
    var bench = bench()
    bench.handle(morning(.wake), at: at(10))
    bench.press(button, at: at(45))
    bench.advance(to: at(1_000))
    #expect(bench.effects == ["reminder morning", "reminder over"], "\(button.name)")
    #expect(bench.rung.count == 4)
    #expect(bench.appliance.focus == "20m")
  }
}

@Test func secondPress_afterItWasMadeQuiet_beginsTheProgrammeOfTheReminder() {
  var bench = bench()
  bench.handle(morning(.wake), at: at(10))
  bench.make(.click, at: at(45))
  bench.advance(to: at(60))
  #expect(bench.appliance.reminder == "morning")
  #expect(bench.appliance.lamp == .blinking)
  bench.make(.click, at: at(60))
  bench.advance(to: at(62))
  #expect(bench.appliance.programme.name == "zazen")
  #expect(bench.appliance.phase == .preparing)
  #expect(bench.cueText == "yes")
}

@Test func turn_afterTheKnobHasRested_isATurnAgain() {
  var bench = bench()
  bench.handle(morning(.wake), at: at(10))
  bench.turn(3, at: at(45), every: .milliseconds(199))
  bench.advance(to: at(46))
  #expect(bench.effects == ["reminder morning"])
  bench.turn(1, at: at(47))
  #expect(bench.effects == ["reminder morning", "reminder over", "set 21m"])
}

@Test func wakingReminder_thatBeginsByItself_doesSoOnceItIsQuiet() {
  var pressed = bench()
  pressed.handle(morning(.wake, auto: true), at: at(10))
  pressed.make(.click, at: at(45))
  pressed.advance(to: at(46))
  #expect(pressed.appliance.programme.name == "zazen")
  #expect(pressed.appliance.phase == .preparing)
  #expect(pressed.effects.filter { $0.hasPrefix("refused") } == [])
  var alone = bench()
  alone.handle(morning(.wake, auto: true), at: at(10))
  alone.advance(to: at(310) - nanosecond)
  #expect(alone.appliance.phase == .idle)
  alone.advance(to: at(310))
  #expect(alone.appliance.phase == .preparing)
  #expect(alone.appliance.programme.name == "zazen")
}

@Test func autoReminder_withoutAHand_leavesItsSitInDoubt() {
  func doubt(_ kind: ReminderCall.Kind, pressed: Int64?, isAuto: Bool = true) -> Span? {
    var bench = bench()
    bench.handle(morning(kind, auto: isAuto), at: at(10))
    if let pressed { bench.make(.click, at: at(pressed)) }
    bench.advance(to: at(320))
    return bench.appliance.timer.snapshot?.doubtfulFrom
  }
  #expect(doubt(.soft, pressed: nil) == .zero && doubt(.wake, pressed: nil) == .zero)
  // The press that makes a waking one quiet is a hand, and so is one in the sit.
  #expect(doubt(.wake, pressed: 45) == nil && doubt(.soft, pressed: 45) == nil)
  // One that a press has begun.
  #expect(doubt(.soft, pressed: 20, isAuto: false) == nil)
}

@Test func handThatSilencesACall_whoseSitIsRefused_isToldNo() {
  var elsewhere = bench()
  elsewhere.handle(.elsewhere(reason: "a sit runs on kitchen since 07:00"), at: at(1))
  elsewhere.handle(morning(.wake, auto: true), at: at(10))
  elsewhere.make(.click, at: at(45))
  elsewhere.advance(to: at(47))
  #expect(elsewhere.appliance.phase == .idle && elsewhere.cueText == "no no")
  #expect(elsewhere.isEachCueWithinATwelfthOfASecond)
  var unknown = Bench()
  unknown.handle(morning(.wake, auto: true), at: at(10))
  unknown.make(.click, at: at(45))
  unknown.advance(to: at(47))
  #expect(unknown.appliance.phase == .idle && unknown.cueText == "no no")
}

@Test func wakingReminder_ofASilencedRole_showsItselfByTheLamp() {
  var bench = bench { settings in
    for place in settings.programmes.indices {
      settings.programmes[place].bells[Int(BellRole.reminder.rawValue)].sound = nil
    }
  }
  bench.handle(morning(.wake), at: at(10))
  bench.advance(to: at(20))
  #expect(bench.rung.isEmpty)
  #expect(bench.appliance.lamp == .blinking)
}
