import Controls
import RemoteFront
import Testing
import Ticks
import TimerMachine

private let upper = ["5m", "10m", "15m", "20m", "30m", "45m", "60m", "simple"]
private let lower = ["bell", "interval", "preparation", "picture"]

@Test func focusNames_areThoseOfBothRows() {
  #expect(Hand().panel.focusNames == upper + lower)
}

@Test func focus_atFirst_isOnTheSetLengthOrTheNextShorterOne() {
  for (minutes, name) in [
    (1, "5m"), (4, "5m"), (5, "5m"), (6, "5m"), (19, "15m"), (20, "20m"), (21, "20m"),
    (59, "45m"), (60, "60m"), (1_440, "60m"),
  ] as [(Int64, String)] {
    #expect(Hand(set: .minutes(minutes)).panel.focus == name)
  }
}

@Test func focus_alongEachRow_stopsAtBothEndsAndLeavesThemAtOnce() {
  for (row, names) in [upper, lower].enumerated() {
    var hand = Hand(set: .minutes(5))
    if row == 1 { _ = hand.press(.down) }
    for name in names + [names.last ?? ""] {
      #expect(hand.panel.focus == name)
      _ = hand.press(.right)
    }
    for name in names.reversed() + [names.first ?? ""] {
      #expect(hand.panel.focus == name)
      _ = hand.press(.left)
    }
    _ = hand.press(.right)
    #expect(hand.panel.focus == names[1])
  }
}

@Test func focus_heldArrow_movesWithEachRepeatAndStopsAtTheEnd() {
  var hand = Hand()
  #expect(hand.hold(.right, repeats: 2) == [])
  #expect(hand.panel.focus == "45m")
  _ = hand.hold(.right, repeats: 20)
  #expect(hand.panel.focus == "simple")
}

@Test func focus_betweenTheRows_stopsAboveAndBelowAndEachRowKeepsItsPlace() {
  var hand = Hand()
  _ = hand.press(.up)
  #expect(hand.panel.focus == "20m")
  _ = hand.press(.down)
  _ = hand.press(.right)
  #expect(hand.panel.focus == "interval")
  _ = hand.press(.down)
  #expect(hand.panel.focus == "interval")
  _ = hand.press(.up)
  #expect(hand.panel.focus == "20m")
  _ = hand.press(.down)
  #expect(hand.panel.focus == "interval")
}

@Test func select_onEachCell_startsItOrChangesIt() {
  let expected: [[PanelCommand]] = [
    [5, 10, 15, 20, 30, 45, 60].map { .startLength(.minutes($0)) } + [.startProgramme(0)],
    [.bell, .interval, .preparation, .picture].map { .changeChoice($0) },
  ]
  for (row, commands) in expected.enumerated() {
    var hand = Hand(set: .minutes(5))
    if row == 1 { _ = hand.press(.down) }
    for command in commands {
      #expect(hand.press(.select) == [command])
      _ = hand.press(.right)
    }
  }
}

@Test func focus_duringASit_isNoneAndStandsWhereItWasAfterIt() {
  var hand = Hand()
  _ = hand.press(.right)
  for phase in Phase.allCases where phase != .idle {
    hand.enter(phase)
    #expect(hand.panel.focus == nil)
    _ = hand.press(.left)
  }
  hand.enter(.idle)
  #expect(hand.panel.focus == "30m")
}

// MARK: - A list of programmes that changes

@Test func focus_onALength_staysWhenTheProgrammesChange() {
  var hand = Hand()
  hand.panel.take(programmes: ["zazen", "simple"])
  #expect(hand.panel.focus == "20m")
  #expect(hand.panel.focusNames == Array(upper.dropLast()) + ["zazen", "simple"] + lower)
}

@Test func focus_onAProgramme_followsItsNameAndElseItsPlace() {
  var hand = Hand()
  hand.panel.take(programmes: ["simple", "zazen", "seon", "metta"])
  for _ in 0..<6 { _ = hand.press(.right) }
  #expect(hand.panel.focus == "seon")
  hand.panel.take(programmes: ["seon", "simple", "zazen"])
  #expect(hand.panel.focus == "seon")
  #expect(hand.press(.select) == [.startProgramme(0)])
  hand.panel.take(programmes: ["simple", "zazen"])
  #expect(hand.panel.focus == "simple")
  _ = hand.press(.right)
  #expect(hand.panel.focus == "zazen")
  hand.panel.take(programmes: ["simple"])
  #expect(hand.panel.focus == "simple")
}

@Test func focus_onAChoice_staysWhenTheProgrammesChange() {
  var hand = Hand()
  _ = hand.press(.down)
  _ = hand.press(.right)
  hand.panel.take(programmes: ["simple", "zazen"])
  #expect(hand.panel.focus == "interval")
}
