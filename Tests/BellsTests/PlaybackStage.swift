import Bells
import Ticks

/// A player and its card in one virtual time.
struct Stage<Player: Instrument & ~Copyable>: ~Copyable {
  let card: SimulatedCard
  var playback: Playback<SimulatedPCM, Player>
  var reports: [String] = []
  var strikes: [StrikeReport] = []
  /// Which outputs were told to play, in order.
  var running: [Int] = []
  var wakeUps = 0
  /// When the player asked to be woken.
  var wake: Instant?

  init(
    cards: [SimulatedCard], player: consuming Player,
    settings: PlaybackSettings = PlaybackSettings()
  ) {
    card = cards[0]
    playback = Playback(
      device: SimulatedPCM(cards: cards), player: player, settings: settings)
  }

  mutating func plan(_ strikes: [Strike]) {
    playback.plan(strikes)
    step()
  }

  mutating func warm() {
    playback.warm(now: card.now)
    step()
  }

  mutating func step() {
    wakeUps += 1
    wake = playback.step(now: card.now)
    while let report = playback.takeReport() {
      switch report {
      case .strike(let strike): strikes.append(strike)
      case .opened(let opening):
        let place = opening.output == 0 ? "" : " on \(opening.output)"
        reports.append("opened \(opening.format.rateHertz)\(place)")
      case .running(let output): running.append(output)
      case .lost(let failure, let output):
        reports.append("lost \(failure)" + (output == 0 ? "" : " on \(output)"))
      case .stalled(let output): reports.append("stalled" + (output == 0 ? "" : " on \(output)"))
      case .underrun(let count): reports.append("underrun \(count)")
      case .closing: reports.append("closing")
      case .closed: reports.append("closed")
      }
    }
  }

  /// Lets time pass, waking the player when it asked for it.
  mutating func run(until end: Instant) {
    while let next = wake, next <= end {
      card.now = max(card.now, next)
      step()
      precondition(wakeUps < 1_000_000, "the player does not come to rest")
    }
    card.now = max(card.now, end)
  }

  mutating func run(for span: Span) { run(until: card.now + span) }
}

extension Stage where Player: ~Copyable, Player == Mixer {
  init(_ card: SimulatedCard = SimulatedCard(), settings: PlaybackSettings = PlaybackSettings()) {
    self.init(
      cards: [card], player: Mixer(sounds: [tone(1_000, decaySeconds: 0.02)]),
      settings: settings)
  }
}

func milliseconds(_ count: Int64) -> Instant { .zero + .milliseconds(count) }

func planned(_ number: UInt32, at milliseconds: Int64) -> Strike {
  Strike(number: number, sound: 0, due: .zero + .milliseconds(milliseconds), gain: 1)
}
