import Controls
import CrownFront
import Testing
import TimerMachine

@Test func names_ofGesturesAndMeanings_differ() {
  let gestures = CrownGesture.allCases.map { "\($0.name)" }
  let meanings = CrownMeaning.allCases.map { "\($0.name)" }
  #expect(Set(gestures).count == gestures.count)
  #expect(Set(meanings + ["none"]).count == meanings.count + 1)
}

@Test func standard_everyMeaning_fitsItsCell() {
  let mapping = CrownMapping()
  for phase in Phase.allCases {
    for gesture in CrownGesture.allCases {
      #expect(mapping[phase, gesture]?.fits(gesture, in: phase) ?? true, "\(phase) \(gesture)")
    }
  }
}

@Test func standard_doubles_areThoseOfTheControls() {
  #expect(CrownMapping().doubleBound == .standard)
}

/// The command of the timer behind a meaning, where it has one.
private func event(of meaning: CrownMeaning) -> TimerEvent? {
  switch meaning {
  case .start, .startLast: .start
  case .skip: .skip
  case .discard: .discard
  case .pause: .pause
  case .resume: .resume
  case .end: .stop
  case .accept: .accept
  case .length, .volume, .silentVolume, .rate, .nextProgramme, .blackout, .delete: nil
  }
}

@Test func fits_everyCell_isNothingThatTheTimerRefuses() {
  let turns: [CrownMeaning] = [.length, .volume, .silentVolume, .rate]
  for phase in Phase.allCases {
    for gesture in CrownGesture.allCases {
      for meaning in CrownMeaning.allCases {
        let fits = meaning.fits(gesture, in: phase)
        if turns.contains(meaning) != gesture.isTurn { #expect(!fits) }
        guard fits, let event = event(of: meaning) else { continue }
        if case .to = TransitionTable.outcome(of: event, in: phase) { continue }
        Issue.record("\(meaning) is refused in \(phase)")
      }
    }
  }
}

@Test func set_eachCell_changesItAloneAndItsPanel() {
  for phase in Phase.allCases {
    for gesture in CrownGesture.allCases {
      for meaning in CrownMeaning.allCases where meaning.fits(gesture, in: phase) {
        var mapping = CrownMapping()
        mapping.set(phase, gesture, to: meaning)
        let changed = Phase.allCases.flatMap { other in
          CrownGesture.allCases.filter { mapping[other, $0] != CrownMapping()[other, $0] }
        }
        #expect(changed.count <= 1)
        #expect(mapping[phase, gesture] == meaning)
        var panel = CrownPanel(mapping: mapping)
        #expect(panel.command(for: made(gesture, phase), isDark: false) != nil)
      }
    }
  }
}

@Test func set_noMeaning_asksForNothing() {
  var mapping = CrownMapping()
  mapping.set(.running, .double, to: nil)
  var panel = CrownPanel(mapping: mapping)
  #expect(panel.command(for: input(.double, .running), isDark: false) == nil)
  #expect(!mapping.doubleBound[.crown, .running])
  #expect(mapping.doubleBound[.crown, .idle])
  mapping.set(.paused, .double, to: .blackout)
  #expect(mapping.doubleBound[.crown, .paused])
}

// MARK: - Flaws

@Test func flaw_ofTheStandardMapping_isNoneLockedOrNot() {
  #expect(CrownMapping().flaw() == nil)
  #expect(CrownMapping().flaw(isLocked: true) == nil)
}

private struct Change: Sendable {
  var phase: Phase
  var gesture: CrownGesture
  var meaning: CrownMeaning?

  init(_ phase: Phase, _ gesture: CrownGesture, _ meaning: CrownMeaning?) {
    self.phase = phase
    self.gesture = gesture
    self.meaning = meaning
  }
}

private func flaw(_ changes: [Change], isLocked: Bool = false) -> String? {
  var mapping = CrownMapping()
  for change in changes { mapping.set(change.phase, change.gesture, to: change.meaning) }
  return mapping.flaw(isLocked: isLocked)?.description
}

@Test func flaw_noStart_isNamed() {
  #expect(flaw([Change(.idle, .click, nil)]) == "nothing starts a sit in idle")
  #expect(flaw([Change(.idle, .click, .startLast)]) == nil)
  #expect(flaw([Change(.idle, .click, nil), Change(.idle, .double, .start)]) == nil)
}

@Test func flaw_noEndOfARunningSit_isNamed() {
  let noLong = Change(.running, .long, nil)
  #expect(flaw([noLong]) == nil)  // It is paused by a click, and ended from there.
  #expect(flaw([noLong, Change(.running, .click, nil)]) == "nothing ends a running sit")
  #expect(flaw([noLong, Change(.paused, .long, nil)]) == "nothing ends a running sit")
  #expect(flaw([noLong, Change(.running, .double, .end)]) == nil)
  #expect(flaw([Change(.running, .long, .discard), noLong]) == nil)
}

@Test func flaw_ofALockedCrown_countsOnlyTheLongPress() {
  let noLong = Change(.running, .long, nil)
  #expect(flaw([noLong], isLocked: true) == "nothing ends a running sit")
  #expect(flaw([noLong, Change(.running, .double, .end)], isLocked: true) != nil)
  #expect(flaw([Change(.running, .long, .pause)], isLocked: true) == nil)
}

@Test func flaw_noEndOfAPausedSitOrOvertime_isNamed() {
  let noLong = Change(.paused, .long, nil)
  #expect(flaw([noLong]) == nil)  // It is resumed by a click, and ended from there.
  #expect(flaw([noLong, Change(.paused, .click, nil)]) == "nothing ends a paused sit")
  #expect(
    flaw([Change(.overtime, .click, nil), Change(.overtime, .long, nil)])
      == "nothing ends a sit in overtime")
  #expect(flaw([Change(.overtime, .click, nil)]) == nil)
}
