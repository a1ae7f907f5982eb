import Controls
import RemoteFront
import Testing
import Ticks
import TimerMachine

/// The remote while it asks.
private func asking(in phase: Phase = .running) -> Hand {
  var hand = Hand(phase)
  #expect(hand.press(.back) == [])
  #expect(hand.panel.isAsking)
  return hand
}

@Test func dialog_select_endsAndKeeps() {
  for phase in [Phase.running, .paused] {
    var hand = asking(in: phase)
    #expect(hand.press(.select) == [.end])
    #expect(!hand.panel.isAsking)
  }
}

@Test func dialog_back_goesOnAndAsksAgainNextTime() {
  for phase in [Phase.running, .paused] {
    var hand = asking(in: phase)
    #expect(hand.press(.back) == [])
    #expect(!hand.panel.isAsking)
    #expect(hand.press(.back) == [])
    #expect(hand.panel.isAsking)
  }
}

@Test func dialog_otherKeys_doNothingAndLeaveItOpen() {
  for phase in [Phase.running, .paused] {
    for button in [Button.up, .down, .left, .right, .play] {
      var hand = asking(in: phase)
      #expect(hand.press(button) == [], "\(button)")
      #expect(hand.hold(button, repeats: 3) == [], "\(button)")
      #expect(hand.panel.isAsking)
    }
    for button in [Button.select, .back] {
      var hand = asking(in: phase)
      #expect(hand.hold(button) == [], "\(button)")
      #expect(hand.panel.isAsking)
    }
  }
}

@Test func dialog_pauseAndResumeFromElsewhere_leaveItOpen() {
  var hand = asking()
  hand.enter(.paused)
  #expect(hand.panel.isAsking)
  hand.enter(.running)
  #expect(hand.panel.isAsking)
  #expect(hand.press(.select) == [.end])
}

@Test func dialog_sitThatEndsByItself_closesIt() {
  for phase in [Phase.overtime, .ended, .idle] {
    var hand = asking()
    hand.enter(phase)
    #expect(!hand.panel.isAsking)
  }
}

@Test func dialog_keyHeldAcrossTheEnd_belongsToTheQuestionAndDoesNothing() {
  for button in [Button.select, .back, .play] {
    for phase in [Phase.overtime, .ended] {
      var hand = asking()
      let down = hand.give(.press, button)
      hand.enter(phase)
      let up = hand.give(.click, button, in: .running)
      #expect(down == nil && up == nil, "\(button) \(phase)")
      #expect(!hand.panel.isAsking)
    }
  }
}

@Test func dialog_keyThatWasDownBeforeTheQuestion_isNoAnswer() {
  var hand = Hand(.running)
  let down = hand.give(.press, .select)
  #expect(down == nil)
  #expect(hand.press(.back) == [])
  let up = hand.give(.click, .select)
  #expect(up == .toggleTime)
  #expect(hand.panel.isAsking)
}

@Test func dialog_backHeldAcrossTheEnd_doesNotAskAboutASitThatIsOver() {
  var hand = Hand(.running)
  let down = hand.give(.press, .back)
  hand.enter(.ended)
  let up = hand.give(.click, .back, in: .running)
  #expect(down == nil && up == nil)
  #expect(!hand.panel.isAsking)
}

@Test func dialog_onADarkFace_staysOpenUnderTheKeyThatWakes() {
  var hand = asking()
  hand.isDark = true
  #expect(hand.press(.select) == [.wake])
  #expect(hand.panel.isAsking)
  #expect(hand.press(.select) == [.end])
}
