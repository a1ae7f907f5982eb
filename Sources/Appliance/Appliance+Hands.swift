import Controls
import CrownFront
import RemoteFront
import Ticks
import TimerMachine

// What the hand does: edges become inputs, inputs what a panel asks for, and that is answered.
extension Appliance {
  mutating func handleHand(_ event: ApplianceEvent) {
    switch event {
    case .edge(var edge):
      // The stamp is converted from another clock, and may end up a little in the future.
      edge.at = min(edge.at, now)
      controls.handle(edge)
    case .turned(let detents):
      controls.turn(by: min(max(detents, -Self.detentsMax), Self.detentsMax), at: now)
    case .levels(let reading): controls.handle(reading, at: now)
    case .edgesMissed(let lines): controls.missed(lines, at: now)
    case .linesLost(let lines): controls.lose(lines, at: now)
    case .linesTaken(var reading):
      reading.at = now
      controls.take(reading)
    default: break
    }
    takeInputs()
  }

  mutating func takeInputs() {
    while let input = controls.nextInput() {
      now = max(now, input.decidedAt)
      tell(.input(input), at: input.decidedAt)
      if isTouch(input) { put(.warmUp) }
      if input.isOfHand { touch() }
      if silenceCall(input) { continue }
      isRefused = false
      let before = (setSpan, choices.programme)
      let command = act(on: input)
      settleTimer()
      if let command {
        answer(
          command, isRefused: isRefused, isLengthChanged: setSpan != before.0,
          isProgrammeChanged: choices.programme != before.1)
      }
    }
    while let noise = controls.nextNoise() { tell(.noise(noise)) }
    if controls.heldAtStart != heldAtStart {
      heldAtStart = controls.heldAtStart
      tell(.heldAtStart(heldAtStart))
    }
    if controls.masked != masked {
      masked = controls.masked
      put(.mask(masked))
    }
    if let lines = controls.nextLook() { put(.readLevels(lines)) }
  }

  /// A detent or a press may lead to a strike, so the output is opened with it. A detent while a
  /// sit runs sets the volume silently.
  private func isTouch(_ input: Input) -> Bool {
    switch input.kind {
    case .detent: phase != .running
    case .press: true
    case .release, .click, .double, .long, .repeat: false
    }
  }

  /// Each panel is told every input: what is none of its own may still be a touch to it.
  /// - Returns: what the hand asks for.
  private mutating func act(on input: Input) -> PanelCommand? {
    let isDark = isBlackedOut
    let command = crown.command(for: input, isDark: isDark)
    let other = remote?.command(for: input, isDark: isDark)
    guard let asked = command ?? other else { return nil }
    if let answered = answerCall(asked) { return answered }
    carryOut(asked)
    return asked
  }

  /// Somebody is awake: what ran unseen until now was sat.
  mutating func touch() {
    timer.confirm(at: now)
    tell(.touched)
  }
}
