import Controls
import RemoteFront
import Testing
import Ticks
import TimerMachine

let nanosecond = Span(nanoseconds: 1)

func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

/// A remote with a hand: each key goes down and comes up, and what it asked for is noted.
struct Hand {
  var panel: RemotePanel
  var phase = Phase.idle
  var isDark = false
  var now = Instant.zero

  init(
    _ phase: Phase = .idle, set: Span = .minutes(20), mapping: RemoteMapping = RemoteMapping()
  ) {
    panel = RemotePanel(mapping: mapping, programmes: ["simple"], setLength: set)
    enter(phase)
  }

  mutating func enter(_ phase: Phase) {
    guard phase != self.phase else { return }
    self.phase = phase
    panel.enter(phase, at: now)
  }

  mutating func give(_ kind: Input.Kind, _ button: Button, in phase: Phase? = nil) -> PanelCommand?
  {
    let input = Input(kind, button: button, decidedAt: now, phaseAtPress: phase ?? self.phase)
    let command = panel.command(for: input, isDark: isDark)
    if command == .wake { isDark = false }
    if command == .toggleBlackout { isDark.toggle() }
    return command
  }

  /// A key goes down and comes up: all that it asked for.
  mutating func press(_ button: Button) -> [PanelCommand] {
    [give(.press, button), give(.release, button), give(.click, button)].compactMap { $0 }
  }

  /// A key goes down, is held, and comes up: an arrow repeats, another key has its long press.
  mutating func hold(_ button: Button, repeats: Int = 1) -> [PanelCommand] {
    var commands = [give(.press, button)]
    for _ in 0..<(button.repeats ? repeats : 1) {
      commands.append(give(button.repeats ? .repeat : .long, button))
    }
    commands.append(give(.release, button))
    return commands.compactMap { $0 }
  }
}

/// The key of a gesture; an arrow's is that of the direction +1.
func button(_ gesture: RemoteGesture) -> Button {
  switch gesture {
  case .leftRight: .right
  case .upDown: .up
  case .select, .selectLong: .select
  case .play, .playLong: .play
  case .back, .backLong: .back
  }
}

extension Hand {
  mutating func make(_ gesture: RemoteGesture) -> [PanelCommand] {
    switch gesture {
    case .leftRight, .upDown, .select, .play, .back: press(button(gesture))
    case .selectLong, .playLong, .backLong: hold(button(gesture))
    }
  }
}
