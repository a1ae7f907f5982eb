import Appliance
import Bells
import Ticks

/// The output of a scenario: the very machine that plays on a real card, on simulated cards and
/// with an instrument that nobody hears. Without a lead-in it has no latency at all.
struct SimulatedOutput: ~Copyable {
  /// What became of the output, for the box.
  enum News {
    /// What became of a strike, and whether its first frame was heard.
    case strike(StrikeReport, isHeard: Bool)
    /// What can be done about a strike that was not known ahead.
    case readiness(OutputReadiness)
    /// The wanted output sounds.
    case works
    /// Another one sounds in its place, in words.
    case fellBack(String)
    /// None sounds, in words.
    case lost(String)
  }

  /// How often an output was opened.
  private(set) var openings = 0
  /// What it does, as scenarios name it.
  private(set) var state = State.closed
  /// What to tell the box of it before anything was tried.
  let readiness: OutputReadiness

  /// How the outputs are named, the wanted one first.
  private let names: [String]
  private let sounds: [Sound]
  private let settings: PlaybackSettings
  private let card: SimulatedCard
  private var playback: Playback<SimulatedPCM, SilentInstrument>
  /// At first, for one that is to be held from the start.
  private var wake: Instant? = .zero
  private var news: [News] = []
  /// Why the wanted output was lost last.
  private var lossReason: String?

  /// - Parameters:
  ///   - outputs: by name, the wanted one first.
  ///   - sounds: what strikes can sound, by position.
  ///   - settings: how late a strike may be, and the like.
  init(
    outputs: [(name: String, traits: OutputTraits)], sounds: [Sound], settings: PlaybackSettings
  ) {
    names = outputs.map(\.name)
    self.sounds = sounds
    self.settings = settings
    readiness = .closed(leadIn: outputs[0].traits.leadIn)
    card = SimulatedCard(traits: outputs.map(\.traits))
    playback = Playback(
      device: SimulatedPCM(card: card), player: SilentInstrument(sounds: sounds),
      settings: settings)
  }

  /// What an output does, by the names that scenarios use.
  enum State: String, CaseIterable {
    case closed, fallback, lost, open
  }

  /// When `advance` has something to do.
  var nextDeadline: Instant? { wake }

  // MARK: Orders. A step is due at once after each.

  mutating func plan(_ plan: [PlannedStrike], at now: Instant) {
    playback.plan(plan.map(\.strike))
    wake = now
  }

  mutating func setAmbient(_ ambient: AmbientSound?, at now: Instant) {
    step(now)
    playback.setAmbient(ambient, now: now)
    wake = now
  }

  mutating func setSitting(_ isSitting: Bool, at now: Instant) {
    playback.setSitting(isSitting)
    wake = now
  }

  mutating func warmUp(at now: Instant) {
    playback.warm(now: now)
    wake = now
  }

  mutating func damp(at now: Instant) {
    step(now)
    playback.damp()
    wake = now
  }

  mutating func change(_ change: AudioChange, at now: Instant) {
    card.now = now
    card.change(change)
    // Whoever plugs a card in is waiting for it.
    if change == .back || change == .ok { playback.retry() }
    wake = now
  }

  /// The machine sleeps for so long; nothing is stepped meanwhile.
  mutating func suspend(at now: Instant, for span: Span) {
    step(now)
    card.now = now
    card.sleep(for: span)
  }

  /// Whoever played is gone.
  mutating func close(at now: Instant) {
    card.now = now
    card.close()
    (state, news, lossReason) = (.closed, [], nil)
  }

  /// Somebody is to play again, and knows nothing of before.
  mutating func restart(at now: Instant) {
    card.now = now
    playback = Playback(
      device: SimulatedPCM(card: card), player: SilentInstrument(sounds: sounds),
      settings: settings)
    wake = now
  }

  /// The boot clock begins anew, so much later than the last one.
  mutating func moveClock(by span: Span) { card.moveClock(by: span) }

  // MARK: Time

  /// Does what is due. What comes of it is taken with `nextNews`.
  mutating func advance(to now: Instant) { step(now) }

  /// Lets time pass up to an instant. What changes how long something rings needs it first, since
  /// nobody wakes while nothing is due.
  private mutating func step(_ now: Instant) {
    card.now = now
    wake = playback.step(now: now)
    while let report = playback.takeReport() { take(report) }
    openings = card.openings
    switch card.opened {
    case nil: state = playback.phase == .lost ? .lost : .closed
    case 0: state = .open
    case _: state = .fallback
    }
  }

  /// The next news, oldest first.
  mutating func nextNews() -> News? { news.isEmpty ? nil : news.removeFirst() }

  private mutating func take(_ report: PlaybackReport<SimulatedCardFailure>) {
    switch report {
    case .strike(var strike):
      if strike.outcome == .missed { return news.append(.strike(strike, isHeard: false)) }
      strike.started = card.firstFrameLeft(forAStrikeHeardAt: strike.started)
      news.append(.strike(strike, isHeard: strike.started >= card.deafUntil))
    case .opened(let opening):
      news.append(.readiness(.open(from: opening.ready, latency: .zero)))
    case .running(let output):
      news.append(output == 0 ? .works : .fellBack(fallback(output)))
    case .lost(let failure, let output): lose(output, failure.text(names[output]))
    case .stalled(let output):
      lose(output, SimulatedCardFailure.stuck.text(names[output]))
    case .underrun, .closing: break
    case .closed: news.append(.readiness(readiness))
    }
  }

  /// Told as the service tells it: of several outputs the next one is tried at once.
  private mutating func lose(_ output: Int, _ reason: String) {
    if output == 0 { lossReason = reason }
    guard output == names.count - 1 else { return }
    news.append(.readiness(.absent))
    news.append(.lost(reason))
  }

  private func fallback(_ output: Int) -> String {
    "\(lossReason ?? "\(names[0]) is away"). Bells ring on the fallback \(names[output])."
  }
}
