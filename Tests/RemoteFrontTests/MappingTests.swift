import Controls
import RemoteFront
import Testing
import TimerMachine

@Test func names_ofGesturesAndMeanings_differ() {
  let gestures = RemoteGesture.allCases.map { "\($0.name)" }
  let meanings = RemoteMeaning.allCases.map { "\($0.name)" }
  #expect(Set(gestures).count == gestures.count)
  #expect(Set(meanings + ["none"]).count == meanings.count + 1)
}

@Test func steps_ofTheKeys_areThoseOfTheirArrows() {
  #expect(Button.allCases.map(RemoteGesture.step) == [0, 1, -1, -1, 1, 0, 0, 0])
}

@Test func standard_everyMeaning_fitsItsCell() {
  let mapping = RemoteMapping()
  for phase in Phase.allCases {
    for gesture in RemoteGesture.allCases {
      #expect(mapping[phase, gesture]?.fits(gesture, in: phase) ?? true, "\(phase) \(gesture)")
    }
  }
}

/// The command of the timer behind a meaning, where it has one.
private func event(of meaning: RemoteMeaning) -> TimerEvent? {
  switch meaning {
  case .start, .startLast: .start
  case .skip: .skip
  case .discard: .discard
  case .pause: .pause
  case .resume: .resume
  case .end, .askEnd: .stop
  case .accept: .accept
  case .focus, .row, .length, .volume, .choose, .blackout, .time: nil
  }
}

@Test func fits_everyCell_isNothingThatTheTimerRefuses() {
  let arrows: [RemoteMeaning] = [.focus, .row, .length, .volume]
  for phase in Phase.allCases {
    for gesture in RemoteGesture.allCases {
      for meaning in RemoteMeaning.allCases {
        let fits = meaning.fits(gesture, in: phase)
        if arrows.contains(meaning) != gesture.isArrow { #expect(!fits) }
        guard fits, let event = event(of: meaning) else { continue }
        if case .to = TransitionTable.outcome(of: event, in: phase) { continue }
        Issue.record("\(meaning) is refused in \(phase)")
      }
    }
  }
}

@Test func set_eachCell_changesItAlone() {
  for phase in Phase.allCases {
    for gesture in RemoteGesture.allCases {
      for meaning in RemoteMeaning.allCases where meaning.fits(gesture, in: phase) {
        var mapping = RemoteMapping()
        mapping.set(phase, gesture, to: meaning)
        let changed = Phase.allCases.flatMap { other in
          RemoteGesture.allCases.filter { mapping[other, $0] != RemoteMapping()[other, $0] }
        }
        #expect(changed.count <= 1)
        #expect(mapping[phase, gesture] == meaning)
      }
    }
  }
}

@Test func set_longPress_actsWithTheLongPressAlone() {
  var mapping = RemoteMapping()
  mapping.set(.running, .backLong, to: .end)
  var hand = Hand(.running, mapping: mapping)
  #expect(hand.hold(.back) == [.end])
  #expect(!hand.panel.isAsking)
  #expect(hand.press(.back) == [])
  #expect(hand.panel.isAsking)
}

@Test func set_otherMeanings_askForThem() {
  var mapping = RemoteMapping()
  mapping.set(.idle, .play, to: .start)
  mapping.set(.idle, .upDown, to: .length)
  mapping.set(.running, .select, to: nil)
  mapping.set(.overtime, .back, to: .askEnd)
  var hand = Hand(mapping: mapping)
  #expect(hand.press(.play) == [.start])
  #expect(hand.press(.down) == [.changeLength(steps: -1, isFast: false)])
  hand.enter(.running)
  #expect(hand.press(.select) == [])
  hand.enter(.overtime)
  #expect(hand.press(.back) == [])
  #expect(hand.panel.isAsking)
  #expect(hand.press(.select) == [.end])
}

// MARK: - Flaws

private struct Change: Sendable {
  var phase: Phase
  var gesture: RemoteGesture
  var meaning: RemoteMeaning?

  init(_ phase: Phase, _ gesture: RemoteGesture, _ meaning: RemoteMeaning?) {
    self.phase = phase
    self.gesture = gesture
    self.meaning = meaning
  }
}

private func flaw(_ changes: Change...) -> String? {
  var mapping = RemoteMapping()
  for change in changes { mapping.set(change.phase, change.gesture, to: change.meaning) }
  return mapping.flaw?.description
}

@Test func flaw_ofTheStandardMapping_isNone() {
  #expect(RemoteMapping().flaw == nil)
}

@Test func flaw_noStart_isNamed() {
  let noSelect = Change(.idle, .select, nil)
  #expect(flaw(noSelect) == nil)
  #expect(flaw(noSelect, Change(.idle, .play, nil)) == "nothing starts a sit in idle")
  #expect(flaw(noSelect, Change(.idle, .play, .start)) == nil)
  #expect(flaw(noSelect, Change(.idle, .play, nil), Change(.idle, .backLong, .startLast)) == nil)
}

@Test func flaw_noEndOfARunningSit_isNamed() {
  let noBack = Change(.running, .back, nil)
  #expect(flaw(noBack) == nil)  // It is paused by play, and ended from there.
  #expect(flaw(noBack, Change(.running, .play, nil)) == "nothing ends a running sit")
  #expect(flaw(noBack, Change(.paused, .back, nil)) == "nothing ends a running sit")
  #expect(flaw(noBack, Change(.running, .play, .end)) == nil)
  #expect(flaw(Change(.running, .back, .discard), Change(.running, .play, nil)) != nil)
}

@Test func flaw_noEndOfAPausedSitOrOvertime_isNamed() {
  let noBack = Change(.paused, .back, nil)
  #expect(flaw(noBack) == nil)  // It is resumed, and ended from there.
  #expect(
    flaw(noBack, Change(.paused, .select, nil), Change(.paused, .play, nil))
      == "nothing ends a paused sit")
  #expect(
    flaw(
      Change(.overtime, .select, nil), Change(.overtime, .play, nil), Change(.overtime, .back, nil)
    ) == "nothing ends a sit in overtime")
}
