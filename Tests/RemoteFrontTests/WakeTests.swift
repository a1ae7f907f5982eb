import Controls
import RemoteFront
import Testing
import Ticks
import TimerMachine

private let keys = Button.allCases.filter { $0 != .crown }

@Test func darkFace_firstKey_wakesAsItGoesDownAndDoesNothingElse() {
  for phase in Phase.allCases {
    for button in keys {
      var hand = Hand(phase)
      let focus = hand.panel.focus
      hand.isDark = true
      let down = hand.give(.press, button)
      #expect(down == .wake, "\(phase) \(button)")
      let rest = [hand.give(.release, button), hand.give(.click, button)]
      #expect(rest == [nil, nil], "\(phase) \(button)")
      #expect(!hand.panel.isAsking && hand.panel.focus == focus)
    }
  }
}

@Test func darkFace_heldKey_isSwallowedWithAllThatComesOfIt() {
  for button in keys {
    var hand = Hand(.running)
    hand.isDark = true
    #expect(hand.hold(button, repeats: 5) == [.wake], "\(button)")
  }
}

@Test func darkFace_nextPress_acts() {
  var hand = Hand(.running)
  hand.isDark = true
  #expect(hand.press(.play) == [.wake])
  #expect(hand.press(.play) == [.pause])
}

@Test func darkFace_secondKeyBesideTheWakingOne_actsAndTheFirstStaysSwallowed() {
  var hand = Hand(.running)
  hand.isDark = true
  let first = hand.give(.press, .up)
  #expect(first == .wake)
  #expect(hand.press(.play) == [.pause])
  let held = hand.give(.repeat, .up)
  #expect(held == nil)
}

@Test func darkFace_keyThatWasDownWhenItWentDark_wakesAndIsSwallowed() {
  for (button, kind) in [
    (Button.play, Input.Kind.click), (.up, .repeat), (.select, .long),
  ] {
    var hand = Hand(.running)
    let down = hand.give(.press, button)
    hand.isDark = true
    let decided = hand.give(kind, button)
    let later = hand.give(kind, button)
    #expect([down, decided, later] == [nil, .wake, nil], "\(button)")
  }
}

@Test func darkFace_backInIdle_darkensAndTheNextKeyWakes() {
  var hand = Hand()
  #expect(hand.press(.back) == [.toggleBlackout])
  #expect(hand.isDark)
  #expect(hand.press(.back) == [.wake])
  #expect(!hand.isDark)
}

// MARK: - Dimming

@Test func dimming_inAPause_comesAfterFiveMinutes() {
  var hand = Hand(.running)
  hand.now = at(100)
  hand.enter(.paused)
  #expect(hand.panel.nextDeadline == at(400))
  for (instant, isDimmed) in [
    (at(400) - nanosecond, false), (at(400), true), (at(400) + nanosecond, true),
  ] {
    var panel = hand.panel
    panel.advance(to: instant)
    #expect(panel.isDimmed == isDimmed)
    #expect(panel.nextDeadline == (isDimmed ? nil : at(400)))
  }
}

@Test func dimming_outsideAPause_neverComes() {
  for phase in Phase.allCases where phase != .paused {
    var hand = Hand(phase)
    #expect(hand.panel.nextDeadline == nil)
    hand.panel.advance(to: at(100_000))
    #expect(!hand.panel.isDimmed)
  }
}

@Test func dimming_anyTouch_putsItOff() {
  for button in Button.allCases {
    var hand = Hand(.paused)
    hand.now = at(200)
    _ = hand.give(.press, button)
    #expect(hand.panel.nextDeadline == at(500), "\(button)")
  }
}

@Test func dimmed_firstKey_wakesAndDoesNothingElseAndItDimsAgain() {
  for button in keys {
    var hand = Hand(.paused)
    hand.panel.advance(to: at(300))
    hand.now = at(350)
    #expect(hand.press(button) == [.wake], "\(button)")
    #expect(!hand.panel.isDimmed)
    #expect(hand.panel.nextDeadline == at(650))
  }
  var hand = Hand(.paused)
  hand.panel.advance(to: at(300))
  hand.now = at(350)
  #expect(hand.press(.play) == [.wake])
  #expect(hand.press(.play) == [.resume])
}

@Test func dimmed_crown_liftsItAndIsNotSwallowedHere() {
  var hand = Hand(.paused)
  hand.panel.advance(to: at(300))
  hand.now = at(350)
  let turned = hand.give(.detent(step: 1, isFast: false, isHeld: false), .crown)
  #expect(turned == nil)
  #expect(!hand.panel.isDimmed)
  #expect(hand.press(.play) == [.resume])
}

@Test func dimmed_endOfThePause_liftsIt() {
  for phase in [Phase.running, .ended] {
    var hand = Hand(.paused)
    hand.panel.advance(to: at(300))
    hand.now = at(400)
    hand.enter(phase)
    #expect(!hand.panel.isDimmed)
    #expect(hand.panel.nextDeadline == nil)
  }
}
