import Appliance
import Controls
import CrownFront
import Ticks
import TimerMachine

// Hands and programs at the bench. Every gesture is made of raw edges.
extension Bench {
  mutating func edge(_ line: Line, _ level: Level, at instant: Instant) {
    handle(.edge(Edge(line: line, level: level, at: instant)), at: instant)
  }

  mutating func press(_ button: Button, at instant: Instant, for span: Span = .milliseconds(100)) {
    edge(button.line, .low, at: instant)
    edge(button.line, .high, at: instant + span)
  }

  /// Clean detents; each is completed at a multiple of `spacing` after the instant.
  mutating func turn(
    _ detents: Int, at instant: Instant, every spacing: Span = .milliseconds(50)
  ) {
    let contacts: [Line] = detents > 0 ? [.a, .b] : [.b, .a]
    for index in 0..<abs(detents) {
      let end = instant + spacing * Int64(index)
      edge(contacts[0], .low, at: end - .milliseconds(3))
      edge(contacts[1], .low, at: end - .milliseconds(2))
      edge(contacts[0], .high, at: end - .milliseconds(1))
      edge(contacts[1], .high, at: end)
    }
  }

  /// Makes a gesture and waits until it is decided; a click that waits for its double is not yet.
  mutating func make(_ gesture: CrownGesture, at instant: Instant) {
    switch gesture {
    case .turn: turn(1, at: instant)
    case .pressAndTurn:
      edge(.s, .low, at: instant)
      turn(1, at: instant + .milliseconds(200))
      edge(.s, .high, at: instant + .milliseconds(800))
    case .click: press(.crown, at: instant)
    case .double:
      press(.crown, at: instant)
      press(.crown, at: instant + .milliseconds(200))
    case .long: press(.crown, at: instant, for: .milliseconds(700))
    }
    advance(to: now + .milliseconds(10))
  }

  mutating func start(_ length: SitLength = .set, at instant: Instant) {
    handle(.command(.start(length)), at: instant)
  }

  mutating func command(_ event: TimerEvent, at instant: Instant) {
    handle(.command(.timer(event)), at: instant)
  }

  /// Brings a fresh bench into a phase by programs alone, and forgets how.
  /// - Returns: an instant at which nothing else is due for a while.
  mutating func reach(_ phase: Phase) -> Instant {
    var instant = at(2)
    if phase != .idle { start(at: at(1)) }
    switch phase {
    case .idle, .preparing: break
    case .running, .paused:
      instant = at(200)
      advance(to: at(200))
      if phase == .paused { command(.pause, at: at(200)) }
    case .overtime, .ended:
      instant = at(1_240)
    }
    advance(to: instant)
    told = []
    works = []
    return instant
  }
}

/// A bench whose sits have overtime where the phase needs it.
func bench(for phase: Phase) -> Bench {
  Bench { $0.plan.overtime = phase == .overtime }
}
