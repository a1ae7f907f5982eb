import Controls
import Testing
import Ticks
import TimerMachine

/// PRODUCT's crown table: phase, turn, press and turn, click, double click, long press.
private let crownTable = """
  idle | length ±1 min a detent, ±5 fast | volume, with a soft strike to hear it | start | \
  next programme, told by soft taps (first: one) | blackout on/off
  preparing | volume, with a soft strike | volume | skip to start | – | discard
  running | volume, silently | volume, silently | pause | blackout on/off | end here, keep
  paused | – | – | resume | – | end here, keep
  overtime | volume, silently | volume, silently | finish | – | finish
  ended | rating 1–5 if `rating` is on | – | accept | – | asks (two taps)
  """

/// PRODUCT's remote table: phase, left / right, up / down, select, play, back.
private let remoteTable = """
  idle | move the focus, stop at the ends | between the rows | \
  start, or change the focused choice | start the last | blackout
  preparing | – | volume | skip to start | skip to start | discard
  running | – | volume | show or hide the time | pause | asks; select ends and keeps, back goes on
  paused | – | volume | resume | resume | asks; select ends and keeps
  overtime | – | volume | finish | finish | finish
  ended | – | – | accept | accept | accept
  """

/// What each cell of the crown table asks for. A bare "volume" stands beside one with a strike.
private let crownMeanings: [String: PanelCommand] = [
  "length ±1 min a detent, ±5 fast": .changeLength,
  "volume, with a soft strike to hear it": .changeVolume(isHeard: true),
  "volume, with a soft strike": .changeVolume(isHeard: true),
  "volume": .changeVolume(isHeard: true),
  "volume, silently": .changeVolume(isHeard: false),
  "start": .start,
  "next programme, told by soft taps (first: one)": .nextProgramme,
  "blackout on/off": .toggleBlackout,
  "skip to start": .skip,
  "discard": .discard,
  "pause": .pause,
  "resume": .resume,
  "end here, keep": .endAndKeep,
  "finish": .finish,
  "rating 1–5 if `rating` is on": .rate,
  "accept": .accept,
  "asks (two taps)": .askDelete,
]

private let remoteMeanings: [String: PanelCommand] = [
  "move the focus, stop at the ends": .moveFocus,
  "between the rows": .changeRow,
  "start, or change the focused choice": .activateFocus,
  "start the last": .startLast,
  "blackout": .toggleBlackout,
  "volume": .changeVolume(isHeard: false),
  "skip to start": .skip,
  "discard": .discard,
  "show or hide the time": .toggleTime,
  "pause": .pause,
  "resume": .resume,
  "asks; select ends and keeps, back goes on": .askEnd,
  "asks; select ends and keeps": .askEnd,
  "finish": .finish,
  "accept": .accept,
]

private func meaning(
  of cell: String, in meanings: [String: PanelCommand]
) throws -> PanelCommand {
  let command: PanelCommand? = meanings[cell]
  return try #require(command, "\(cell)")
}

/// The cells of a table, without the phases, after checking that those are all there in order.
private func cells(_ table: String) -> [[String]] {
  let rows = table.split(separator: "\n").map { line in
    line.split(separator: "|").map { String($0.drop { $0 == " " }.trimmingSuffix(" ")) }
  }
  #expect(rows.map { $0[0] } == Phase.allCases.map { "\($0.name)" })
  return rows.map { Array($0.dropFirst()) }
}

extension Substring {
  fileprivate func trimmingSuffix(_ character: Character) -> Substring {
    var rest = self
    while rest.last == character { rest.removeLast() }
    return rest
  }
}

@Test func crownPanel_everyPhaseAndGesture_asksWhatTheTableSays() throws {
  let rows = cells(crownTable)
  for phase in Phase.allCases {
    for gesture in CrownGesture.allCases {
      let cell = rows[Int(phase.rawValue)][Int(gesture.rawValue)]
      let expected: PanelCommand? = cell == "–" ? nil : try meaning(of: cell, in: crownMeanings)
      #expect(CrownPanel.command(for: gesture, in: phase) == expected, "\(phase) \(gesture)")
      #expect(CrownPanel.binds(gesture, in: phase) == (cell != "–"), "\(phase) \(gesture)")
    }
  }
}

@Test func remotePanel_everyPhaseAndKey_asksWhatTheTableSays() throws {
  let rows = cells(remoteTable)
  for phase in Phase.allCases {
    for key in RemotePanel.Key.allCases {
      let cell = rows[Int(phase.rawValue)][Int(key.rawValue)]
      let expected: PanelCommand? = cell == "–" ? nil : try meaning(of: cell, in: remoteMeanings)
      #expect(RemotePanel.command(for: key, in: phase) == expected, "\(phase) \(key)")
    }
  }
}

@Test func panels_rows_standInTheOrderOfThePhases() {
  #expect(CrownPanel.table.map(\.phase) == Phase.allCases)
  #expect(RemotePanel.table.map(\.phase) == Phase.allCases)
}

private let everyKind: [Input.Kind] = [
  .detent(step: 1, isFast: false, isHeld: false), .detent(step: -1, isFast: true, isHeld: true),
  .press, .release, .click, .double, .long, .repeat,
]

@Test func crownPanel_everyInput_isTheGestureOfTheCrownAlone() {
  let gestures: [CrownGesture?] = [.turn, .pressAndTurn, nil, nil, .click, .double, .long, nil]
  for button in Button.allCases {
    for (kind, gesture) in zip(everyKind, gestures) {
      let input = Input(kind, button: button, decidedAt: .zero, phaseAtPress: .running)
      #expect(CrownGesture(input) == (button == .crown ? gesture : nil))
      let command = gesture.flatMap { CrownPanel.command(for: $0, in: .running) }
      #expect(CrownPanel.command(for: input) == (button == .crown ? command : nil))
    }
  }
}

@Test func remotePanel_everyInput_actsWithClicksAndRepeatsOfKeysAlone() {
  let keys: [RemotePanel.Key?] = [
    nil, .upDown, .upDown, .leftRight, .leftRight, .select, .back, .play,
  ]
  for (button, key) in zip(Button.allCases, keys) {
    #expect(RemotePanel.Key(button) == key)
    for kind in everyKind {
      let input = Input(kind, button: button, decidedAt: .zero, phaseAtPress: .idle)
      let acts = kind == .click || kind == .repeat
      let expected = acts ? key.flatMap { RemotePanel.command(for: $0, in: .idle) } : nil
      #expect(RemotePanel.command(for: input) == expected, "\(button) \(kind)")
    }
  }
}

@Test func remotePanel_answerAndSteps_areThoseOfTheKeys() {
  #expect(
    RemotePanel.Key.allCases.map(RemotePanel.answer) == [nil, nil, .endAndKeep, nil, .keepOn])
  #expect(Button.allCases.map(RemotePanel.step) == [0, 1, -1, -1, 1, 0, 0, 0])
}

@Test func lines_lettersAndButtons_areThoseOfScenarios() {
  let letters = Line.allCases.map { String(Unicode.Scalar($0.letter)) }.joined()
  #expect(letters == "ABSUDLROKP")
  #expect(Line.allCases.map { Line(letter: $0.letter) } == Line.allCases)
  #expect(Line(letter: UInt8(ascii: "X")) == nil)
  #expect(Line(letter: UInt8(ascii: "a")) == nil)
  #expect(Button.allCases.map { Button(line: $0.line) } == Button.allCases)
  #expect([Line.a, .b].map { Button(line: $0) } == [nil, nil])
}

@Test func lineLevels_eachLine_isKeptAlone() {
  for line in Line.allCases {
    var levels = LineLevels.rest
    levels[line] = .low
    #expect(Line.allCases.filter { levels[$0] == .low } == [line])
    levels[line] = .high
    #expect(levels == .rest)
  }
}
