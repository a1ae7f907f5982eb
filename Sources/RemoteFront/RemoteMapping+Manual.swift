import TimerMachine

extension RemoteMapping {
  /// The whole table as Markdown, for the manual: one row a phase, one column a gesture, in the
  /// words of board files. Where a gesture means nothing stands a dash.
  public var manual: String {
    var text = "| phase |"
    var rule = "|---|"
    for gesture in RemoteGesture.allCases {
      text += " \(gesture.name) |"
      rule += "---|"
    }
    text += "\n" + rule + "\n"
    for phase in Phase.allCases {
      text += "| \(phase.name) |"
      for gesture in RemoteGesture.allCases { text += " \(self[phase, gesture]?.name ?? "–") |" }
      text += "\n"
    }
    return text
  }
}
