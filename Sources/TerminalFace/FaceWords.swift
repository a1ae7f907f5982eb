import Box

/// What the face says of a state, in words and figures.
enum FaceWords {
  /// `25:00`; above an hour `1:05:00`; in the last minute `0:59`.
  static func clock(_ seconds: Int64) -> String {
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }

  /// `25 min`, `1 h 30 min`, `4 min 22 s`.
  static func length(_ seconds: Int64) -> String {
    let parts = [(seconds / 3_600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
    let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return words.isEmpty ? "0 s" : words.joined(separator: " ")
  }

  /// How long the sit is, or the next one in idle; nil where nobody knows ahead.
  static func planned(_ state: StateLine) -> Int64? {
    guard state.phase == "idle" else { return state.plannedSeconds }
    return state.panel.length == "open" || state.panel.length.hasPrefix("until")
      ? nil : state.setSeconds
  }

  /// Where one segment ends and the next begins, in seconds after the start.
  static func borders(_ state: StateLine) -> [Int64] {
    var borders: [Int64] = []
    for segment in state.panel.segments.dropLast() {
      borders.append((borders.last ?? 0) + segment.seconds)
    }
    return borders
  }

  /// The large figure. Before a sit that ends by the clock it is that time: `07:00`.
  static func time(_ state: StateLine) -> String {
    switch state.phase {
    case "idle": idleTime(state)
    case "overtime": "+" + clock(state.overtimeSeconds)
    case "ended": clock(state.elapsedSeconds)
    default: clock(state.remainingSeconds ?? state.elapsedSeconds)
    }
  }

  private static func idleTime(_ state: StateLine) -> String {
    if let planned = planned(state) { return clock(planned) }
    let until = state.panel.length.split(separator: " ").dropFirst().first
    return until.map { Cells.clean(String($0)) } ?? clock(0)
  }

  /// The widest figure of this sit, by which the digits' size is chosen once for all of it.
  static func widestTime(_ state: StateLine) -> String {
    let planned = clock(max(state.setSeconds, state.plannedSeconds ?? 0))
    let now = time(state)
    return now.utf8.count > planned.utf8.count ? now : planned
  }

  /// The phase's word.
  static func phase(_ state: StateLine) -> String {
    switch state.phase {
    case "idle": reminder(state) ?? "Ready"
    case "preparing": "Settling"
    case "running": state.segment.map { Cells.clean($0) }.map { capital($0) } ?? "Sit"
    case "paused": "Paused"
    case "overtime": "Past the bell"
    case "ended": reminder(state) ?? done(state)
    default: Cells.clean(state.phase)
    }
  }

  /// A reminder that calls stands in the place of the phase.
  private static func reminder(_ state: StateLine) -> String? {
    state.panel.reminder.map { capital(Cells.clean($0)) }
  }

  private static func done(_ state: StateLine) -> String {
    if state.panel.kept == false { return "Done, too short to be kept" }
    return "Done" + (state.panel.rating.map { ", \($0) of 5" } ?? "")
  }

  /// What has passed of a sit that is on, or is left of it; nil where none is.
  static func progress(_ state: StateLine) -> String? {
    switch state.phase {
    case "preparing", "running", "paused":
      time(state) + (state.remainingSeconds == nil ? " sat" : " left")
    case "overtime": time(state)
    case "ended": time(state) + " sat"
    default: nil
    }
  }

  /// `walk 1/2`, in a sit of more than one segment.
  static func segment(_ state: StateLine) -> String? {
    let segments = state.panel.segments
    guard segments.count > 1, let kind = state.segment, state.phase != "ended" else { return nil }
    let passed = borders(state).filter { $0 <= state.elapsedSeconds }.count
    return "\(Cells.clean(kind)) \(passed + 1)/\(segments.count)"
  }

  private static func capital(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  /// `ends 07:25`, from the hour and minute of an ISO 8601 instant.
  static func end(_ state: StateLine) -> String? {
    guard state.phase != "idle", state.phase != "ended", let instant = state.endsAt,
      let mark = instant.firstIndex(of: "T")
    else { return nil }
    let time = instant[instant.index(after: mark)...].prefix(5)
    return time.utf8.count == 5 ? "ends " + Cells.clean(String(time)) : nil
  }

  /// Programme, segment, length, end and volume, as many as the width takes; length and volume stay
  /// longest.
  static func names(_ state: StateLine, columns: Int) -> String {
    let programme = Cells.clean(state.programme)
    let part = segment(state)
    let set = planned(state).map(length) ?? Cells.clean(state.panel.length)
    let volume = "volume \(state.volume)"
    let ways = [
      [programme, part, set, end(state), volume], [part, set, end(state), volume],
      [set, end(state), volume], [set, volume],
    ]
    let lines = ways.map { $0.compactMap { $0 }.joined(separator: " · ") }
    return lines.first { Cells.width($0) <= columns } ?? Cells.cut(lines[3], to: columns)
  }

  /// What does not work, and a sit of this owner that runs elsewhere.
  static func faults(_ state: StateLine) -> [String] {
    let elsewhere = state.activeElsewhere.map { ["A sit is running on \($0)."] } ?? []
    return (state.degraded + elsewhere).map { Cells.clean($0) }
  }

  /// One line of help, or the open question.
  static func help(_ state: StateLine, columns: Int) -> String {
    if let question = state.panel.dialog { return Cells.cut(Cells.clean(question), to: columns) }
    let hints = ["←→ turn", "space press", "hold long", "q quit"]
    let ways = [" · ", "  "].map { hints.joined(separator: $0) }
    return ways.first { Cells.width($0) <= columns } ?? Cells.cut(ways[1], to: columns)
  }
}
