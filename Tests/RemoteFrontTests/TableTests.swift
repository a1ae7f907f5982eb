import Controls
import RemoteFront
import Testing
import Ticks
import TimerMachine

/// PRODUCT's remote table: phase, left / right, up / down, select, play, back.
private let productTable = """
  idle | move the focus, stop at the ends | between the rows | \
  start, or change the focused choice | start the last | blackout
  preparing | – | volume | skip to start | skip to start | discard
  running | – | volume | show or hide the time | pause | asks; select ends and keeps, back goes on
  paused | – | volume | resume | resume | asks; select ends and keeps
  overtime | – | volume | finish | finish | finish
  ended | – | – | accept | accept | accept
  """

/// What each cell asks for with the key of the direction +1; what only moves the picture asks the
/// box for nothing.
private let productCommands: [String: [PanelCommand]] = [
  "–": [],
  "move the focus, stop at the ends": [],
  "between the rows": [],
  "start, or change the focused choice": [.startLength(.minutes(20))],
  "start the last": [.startLast],
  "blackout": [.toggleBlackout],
  "volume": [.changeVolume(steps: 1, isHeard: false)],
  "skip to start": [.skip],
  "discard": [.discard],
  "show or hide the time": [.toggleTime],
  "pause": [.pause],
  "resume": [.resume],
  "asks; select ends and keeps, back goes on": [],
  "asks; select ends and keeps": [],
  "finish": [.end],
  "accept": [.accept],
]

private let productRows = productTable.split(separator: "\n").map { line in
  line.split(separator: "|").map { cell in
    String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

/// The cell of PRODUCT's table; a long press has none there.
private func cell(_ phase: Phase, _ gesture: RemoteGesture) -> String {
  let row = productRows[Int(phase.rawValue)]
  let column = Int(gesture.rawValue) + 1
  return column < row.count ? row[column] : "–"
}

@Test func remotePanel_everyPhaseAndGesture_asksWhatTheTableSays() throws {
  #expect(productRows.map { $0[0] } == Phase.allCases.map { "\($0.name)" })
  for phase in Phase.allCases {
    for gesture in RemoteGesture.allCases {
      var hand = Hand(phase)
      let cell = cell(phase, gesture)
      let known: [PanelCommand]? = productCommands[cell]
      let expected: [PanelCommand] = try #require(known, "\(cell)")
      let got = hand.make(gesture)
      #expect(got == expected, "\(phase) \(gesture)")
      #expect(hand.panel.isAsking == cell.hasPrefix("asks"), "\(phase) \(gesture)")
      #expect(hand.panel.focus == focus(after: cell, in: phase), "\(phase) \(gesture)")
    }
  }
}

private func focus(after cell: String, in phase: Phase) -> String? {
  if phase != .idle { return nil }
  return cell.hasPrefix("move the focus") ? "30m" : "20m"
}

@Test func remotePanel_leftAndDown_goTheOtherWay() {
  for phase in Phase.allCases {
    var hand = Hand(phase)
    let hasVolume = cell(phase, .upDown) == "volume"
    #expect(
      hand.press(.down) == (hasVolume ? [.changeVolume(steps: -1, isHeard: false)] : []))
  }
  var hand = Hand()
  #expect(hand.press(.left) == [])
  #expect(hand.panel.focus == "15m")
  #expect(hand.press(.down) == [])
  #expect(hand.panel.focus == "bell")
}

@Test func remotePanel_heldArrow_actsWithEachRepeatAndNotWithItsPressAndRelease() {
  var hand = Hand(.running)
  let louder: PanelCommand = .changeVolume(steps: 1, isHeard: false)
  #expect(hand.hold(.up, repeats: 3) == [louder, louder, louder])
}

@Test func remotePanel_inputsOfTheCrownAndOtherKinds_askForNothing() {
  let kinds: [Input.Kind] = [
    .press, .release, .click, .double, .long, .repeat,
    .detent(step: 1, isFast: false, isHeld: false),
  ]
  for phase in Phase.allCases {
    for kind in kinds {
      var hand = Hand(phase)
      let got = hand.give(kind, .crown)
      #expect(got == nil, "\(phase) \(kind)")
    }
  }
  for button in Button.allCases {
    var hand = Hand(.overtime)
    for kind in [button.repeats ? Input.Kind.long : .repeat, .double] {
      let got = hand.give(kind, button)
      #expect(got == nil, "\(button) \(kind)")
    }
  }
}
