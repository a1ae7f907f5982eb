import Controls
import CrownFront
import Testing
import Ticks
import TimerMachine

let nanosecond = Span(nanoseconds: 1)

func at(ms milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

/// An input of the crown.
func input(_ kind: Input.Kind, _ phase: Phase, at instant: Instant = .zero) -> Input {
  Input(kind, button: .crown, decidedAt: instant, phaseAtPress: phase)
}

func detent(
  _ step: Int, isFast: Bool = false, isHeld: Bool = false, _ phase: Phase = .idle,
  at instant: Instant = .zero
) -> Input {
  input(.detent(step: step, isFast: isFast, isHeld: isHeld), phase, at: instant)
}

/// The input that makes a gesture; a turn goes one detent clockwise.
func made(_ gesture: CrownGesture, _ phase: Phase) -> Input {
  switch gesture {
  case .turn: detent(1, phase)
  case .pressAndTurn: detent(1, isHeld: true, phase)
  case .click: input(.click, phase)
  case .double: input(.double, phase)
  case .long: input(.long, phase)
  }
}

/// PRODUCT's crown table: phase, turn, press and turn, click, double click, long press.
let productTable = """
  idle | length ±1 min a detent, ±5 fast | volume, with a soft strike to hear it | start | \
  next programme, told by soft taps (first: one) | blackout on/off
  preparing | volume, with a soft strike | volume | skip to start | – | discard
  running | volume, silently | volume, silently | pause | blackout on/off | end here, keep
  paused | – | – | resume | – | end here, keep
  overtime | volume, silently | volume, silently | finish | – | finish
  ended | rating 1–5 if `rating` is on | – | accept | – | asks (two taps)
  """

/// What each cell asks for. A bare "volume" stands beside one with a strike.
let productMeanings: [String: PanelCommand] = [
  "length ±1 min a detent, ±5 fast": .changeLength(steps: 1, isFast: false),
  "volume, with a soft strike to hear it": .changeVolume(steps: 1, isHeard: true),
  "volume, with a soft strike": .changeVolume(steps: 1, isHeard: true),
  "volume": .changeVolume(steps: 1, isHeard: true),
  "volume, silently": .changeVolume(steps: 1, isHeard: false),
  "start": .start,
  "next programme, told by soft taps (first: one)": .nextProgramme,
  "blackout on/off": .toggleBlackout,
  "skip to start": .skip,
  "discard": .discard,
  "pause": .pause,
  "resume": .resume,
  "end here, keep": .end,
  "finish": .end,
  "rating 1–5 if `rating` is on": .rate(steps: 1),
  "accept": .accept,
  "asks (two taps)": .askDelete,
]

/// The command of each cell of PRODUCT's table, after checking that its phases stand in order.
func productCells() throws -> [[PanelCommand?]] {
  let rows = productTable.split(separator: "\n").map { line in
    line.split(separator: "|").map { cell in
      String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }
  #expect(rows.map { $0[0] } == Phase.allCases.map { "\($0.name)" })
  return try rows.map { row in
    try row.dropFirst().map { cell -> PanelCommand? in
      if cell == "–" { return nil }
      let command: PanelCommand? = productMeanings[cell]
      let found: PanelCommand = try #require(command, "\(cell)")
      return found
    }
  }
}
