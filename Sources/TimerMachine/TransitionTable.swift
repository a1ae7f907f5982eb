// House rules of this file:
// - Everything that decides where a sit goes next stands here; the machine only does what it says.
// - Every (event, phase) pair has exactly one outcome; the tests walk all of them.
// - `never` marks an expiry whose timer is not set in that phase: reaching it is a bug.

/// What can happen to a sit: a command from a front, one of its own deadlines, or that the machine
/// sleeps.
public enum TimerEvent: UInt8, CaseIterable, Sendable {
  /// Begin a sit.
  case start
  /// Hold everything.
  case pause
  /// Go on.
  case resume
  /// End here and keep what was sat.
  case stop
  /// End here and keep nothing.
  case discard
  /// Leave out the rest of the preparation.
  case skip
  /// Leave the finished sit.
  case accept
  /// The first start strike is due.
  case startDue
  /// The planned end is reached, and the sit ends with it.
  case endDue
  /// The planned end is reached, and the sit goes on.
  case overtimeDue
  /// The open-ended sit, or the overtime, has lasted as long as it may.
  case limitDue
  /// The sit has been paused for ten minutes.
  case pauseCueDue
  /// The sit has been paused for as long as it may, or its end has come in the pause.
  case pauseLimitDue
  /// The finished sit has been shown for long enough.
  case endedDue
  /// The machine goes to sleep in a sit that has no planned end to come.
  case suspended

  /// Whether a front can give it; the others are deadlines of the machine's own, and its sleep.
  public var isCommand: Bool { rawValue <= TimerEvent.accept.rawValue }

  /// The name that traces, manuals and refusals use.
  public var name: StaticString {
    switch self {
    case .start: "start"
    case .pause: "pause"
    case .resume: "resume"
    case .stop: "stop"
    case .discard: "discard"
    case .skip: "skip"
    case .accept: "accept"
    case .startDue: "start strike due"
    case .endDue: "planned end"
    case .overtimeDue: "planned end, with overtime"
    case .limitDue: "limit reached"
    case .pauseCueDue: "paused for 10 min"
    case .pauseLimitDue: "paused for 60 min, or to the end"
    case .endedDue: "ended for 60 s"
    case .suspended: "suspended, with no end to come"
    }
  }
}

/// Why a command was refused.
public enum Refusal: UInt8, CaseIterable, Sendable {
  /// No sit is on.
  case nothingRuns
  /// A sit is on already.
  case alreadyOn
  /// The sit has not begun.
  case notBegun
  /// The sit is paused already.
  case alreadyPaused
  /// The sit is not paused.
  case notPaused
  /// The end bell has rung.
  case pastTheBell
  /// Only a preparation can be skipped.
  case noPreparation
  /// The sit is over.
  case isOver
  /// There is no finished sit.
  case notOver
  /// The instant at which the sit is to end leaves no second to sit; the phase has no part in it.
  case noTimeLeft

  /// The sentence for a person.
  public var reason: StaticString {
    switch self {
    case .nothingRuns: "no sit is running"
    case .alreadyOn: "a sit is already running"
    case .notBegun: "the sit has not begun yet"
    case .alreadyPaused: "the sit is already paused"
    case .notPaused: "the sit is not paused"
    case .pastTheBell: "the end bell has rung; stop ends the sit"
    case .noPreparation: "only the preparation can be skipped"
    case .isOver: "the sit is over"
    case .notOver: "there is no finished sit to accept"
    case .noTimeLeft: "the end comes before the sit could begin"
    }
  }
}

/// What a transition does beside changing the phase.
public enum Effect: UInt8, CaseIterable, Sendable {
  /// Take the plan and set the start strike.
  case prepare
  /// Bring the start strike forward to the earliest instant at which it can sound.
  case strikeSooner
  /// The sit begins: ring the start bell, count from here.
  case begin
  /// Hold all deadlines.
  case hold
  /// Shift all deadlines by the length of the pause.
  case goOn
  /// Ring the end bell and go on counting.
  case passTheBell
  /// Ring the end bell and close the sit as completed.
  case complete
  /// Close the sit as ended by hand.
  case close
  /// Close the sit; what no press confirmed is not credited.
  case closeUnconfirmed
  /// Close the sit as it is known to be sat: an open-ended one up to here.
  case closeKnown
  /// Ring one soft cue.
  case cue
  /// Forget the sit.
  case forget
  /// Leave the finished sit.
  case leave

  /// The words for the manual's table.
  public var words: StaticString {
    switch self {
    case .prepare: "count down to the start bell"
    case .strikeSooner: "the start bell comes at once"
    case .begin: "the start bell rings; the sit begins"
    case .hold: "everything is held"
    case .goOn: "everything goes on"
    case .passTheBell: "the end bell rings; the sit goes on"
    case .complete: "the end bell rings; the sit is kept"
    case .close: "what was sat is kept"
    case .closeUnconfirmed: "what a press confirmed is kept"
    case .closeKnown: "what is known to be sat is kept"
    case .cue: "one soft cue"
    case .forget: "nothing is kept"
    case .leave: "back to the beginning"
    }
  }
}

/// What an event leads to in a phase.
public enum Outcome: Equatable, Sendable {
  /// The machine goes to a phase (perhaps the one it is in) and does something.
  case to(Phase, Effect)
  /// The command is refused and nothing changes.
  case refused(Refusal)
  /// The event cannot come in that phase.
  case never
}

/// All transitions of the timer.
public enum TransitionTable {
  /// One row an event, in the order of `TimerEvent`; one outcome a phase, in the order of `Phase`:
  /// idle, preparing, running, paused, overtime, ended.
  static let rows: [[Outcome]] = [
    // start
    [
      .to(.preparing, .prepare), .refused(.alreadyOn), .refused(.alreadyOn),
      .refused(.alreadyOn), .refused(.alreadyOn), .to(.preparing, .prepare),
    ],
    // pause
    [
      .refused(.nothingRuns), .refused(.notBegun), .to(.paused, .hold),
      .refused(.alreadyPaused), .refused(.pastTheBell), .refused(.isOver),
    ],
    // resume
    [
      .refused(.nothingRuns), .refused(.notBegun), .refused(.notPaused),
      .to(.running, .goOn), .refused(.pastTheBell), .refused(.isOver),
    ],
    // stop
    [
      .refused(.nothingRuns), .to(.idle, .forget), .to(.ended, .close),
      .to(.ended, .close), .to(.ended, .close), .refused(.isOver),
    ],
    // discard
    [
      .refused(.nothingRuns), .to(.idle, .forget), .to(.idle, .forget),
      .to(.idle, .forget), .to(.idle, .forget), .refused(.isOver),
    ],
    // skip
    [
      .refused(.nothingRuns), .to(.preparing, .strikeSooner), .refused(.noPreparation),
      .refused(.noPreparation), .refused(.noPreparation), .refused(.isOver),
    ],
    // accept
    [
      .refused(.notOver), .refused(.notOver), .refused(.notOver),
      .refused(.notOver), .refused(.notOver), .to(.idle, .leave),
    ],
    // startDue
    [.never, .to(.running, .begin), .never, .never, .never, .never],
    // endDue
    [.never, .never, .to(.ended, .complete), .never, .never, .never],
    // overtimeDue
    [.never, .never, .to(.overtime, .passTheBell), .never, .never, .never],
    // limitDue
    [
      .never, .never, .to(.ended, .closeUnconfirmed),
      .never, .to(.ended, .closeUnconfirmed), .never,
    ],
    // pauseCueDue
    [.never, .never, .never, .to(.paused, .cue), .never, .never],
    // pauseLimitDue
    [.never, .never, .never, .to(.ended, .closeUnconfirmed), .never, .never],
    // endedDue
    [.never, .never, .never, .never, .never, .to(.idle, .leave)],
    // suspended
    [.never, .never, .to(.ended, .closeKnown), .never, .to(.ended, .closeKnown), .never],
  ]

  /// What an event leads to in a phase.
  public static func outcome(of event: TimerEvent, in phase: Phase) -> Outcome {
    rows[Int(event.rawValue)][Int(phase.rawValue)]
  }
}
