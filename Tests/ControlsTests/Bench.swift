import Controls
import Ticks
import TimerMachine

/// Plays waves, written as in scenario files, and notes what is decided and when.
struct Bench {
  var controls: Controls
  /// What was decided, as `play.press@10000`: the crown's bare, the instant in microseconds.
  var notes: [String] = []
  var inputs: [Input] = []
  /// The true levels: what a look is answered with, whether or not their edges were handed in.
  var truth: LineLevels
  /// Lines that cannot be read: their edges are still to be handed in.
  var unreadable: LineSet = []
  /// How often levels were looked at.
  var lookCount = 0

  init(
    _ settings: ControlSettings = ControlSettings(), levels: LineLevels = .rest,
    phase: Phase = .paused
  ) {
    controls = Controls(settings: settings, levels: levels, phase: phase)
    truth = levels
  }

  /// Hands in edges as a prompt reader does: everything due before an edge comes first. A lost
  /// edge only changes the level.
  mutating func play(_ wave: String, isLost: (Edge) -> Bool = { _ in false }) {
    for edge in edges(wave) { take(edge, isLost: isLost(edge)) }
  }

  mutating func take(
    _ edge: Edge, isLost: Bool = false, thenUnreadable change: (inout LineSet) -> Void = { _ in }
  ) {
    advance(edge.at)
    truth[edge.line] = edge.level
    change(&unreadable)
    if isLost { return }
    controls.handle(edge)
    drain(at: edge.at)
  }

  mutating func advance(_ instant: Instant) {
    while let next = controls.nextDeadline, next <= instant {
      controls.advance(to: next)
      drain(at: next)
    }
    controls.advance(to: instant)
    drain(at: instant)
  }

  /// Fetches everything, and answers looks at once.
  mutating func drain(at instant: Instant) {
    repeat {
      while let input = controls.nextInput() {
        inputs.append(input)
        notes.append(note(input))
      }
      guard let lines = controls.nextLook() else { return }
      lookCount += 1
      let known = lines.subtracting(unreadable)
      controls.handle(LevelReading(lines: known, levels: truth, at: instant))
    } while true
  }
}

/// What a wave gives in the end, with all spans run out.
func notes(
  of wave: String, _ settings: ControlSettings = ControlSettings(), levels: LineLevels = .rest,
  phase: Phase = .paused
) -> [String] {
  var bench = Bench(settings, levels: levels, phase: phase)
  bench.play(wave)
  bench.advance(at(microseconds: 100_000_000))
  return bench.notes
}

/// The edges of a wave: `40:A1` is level 1 on line A 40 µs after the start.
func edges(_ wave: String) -> [Edge] {
  wave.split(separator: " ").map { word in
    let parts = word.split(separator: ":")
    let bytes = Array(parts[1].utf8)
    guard let microseconds = Int64(parts[0]), let line = Line(letter: bytes[0]),
      let level = Level(rawValue: bytes[1] - UInt8(ascii: "0"))
    else { preconditionFailure("\(word) is no edge") }
    return Edge(line: line, level: level, at: at(microseconds: microseconds))
  }
}

func at(microseconds: Int64) -> Instant {
  .zero + .microseconds(microseconds)
}

/// The wave of one clean detent of a full-cycle knob, a quarter every 5 ms by default.
func turn(_ step: Int, from start: Int64, quarter: Int64 = 5_000) -> String {
  let (first, second) = step > 0 ? ("A", "B") : ("B", "A")
  let quarters = ["\(first)0", "\(second)0", "\(first)1", "\(second)1"]
  return quarters.enumerated()
    .map { "\(start + Int64($0.offset) * quarter):\($0.element)" }
    .joined(separator: " ")
}

func settings(_ detentsPerCycle: DetentsPerCycle, isReversed: Bool = false) -> ControlSettings {
  var settings = ControlSettings()
  settings.detentsPerCycle = detentsPerCycle
  settings.isReversed = isReversed
  return settings
}

private func note(_ input: Input) -> String {
  let instant = "@\(input.decidedAt.nanoseconds / 1_000)"
  if case .detent(let step, let isFast, let isHeld) = input.kind {
    return (step > 0 ? "+\(step)" : "\(step)") + (isFast ? " fast" : "")
      + (isHeld ? " held" : "") + instant
  }
  let prefix = input.button == .crown ? "" : "\(input.button.name)."
  return prefix + "\(input.kind.name)" + instant
}
