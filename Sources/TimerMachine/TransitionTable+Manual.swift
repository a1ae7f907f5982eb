extension TransitionTable {
  /// The whole table as Markdown, for the manual: one row an event, one column a phase.
  ///
  /// A refusal stands as its sentence in italics; a deadline that cannot come there as a dash.
  public static var manual: String {
    var text = "| event |"
    var rule = "|---|"
    for phase in Phase.allCases {
      text += " \(phase.name) |"
      rule += "---|"
    }
    text += "\n" + rule + "\n"
    for event in TimerEvent.allCases {
      text += "| \(event.name) |"
      for phase in Phase.allCases {
        text += " \(cell(outcome(of: event, in: phase))) |"
      }
      text += "\n"
    }
    return text
  }

  private static func cell(_ outcome: Outcome) -> String {
    switch outcome {
    case .to(let phase, let effect): "**\(phase.name)**: \(effect.words)"
    case .refused(let refusal): "*\(refusal.reason)*"
    case .never: "–"
    }
  }
}
