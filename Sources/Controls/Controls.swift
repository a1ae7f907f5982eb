import Ticks
import TimerMachine

/// The hand: stamped edges in, decided inputs out. It knows no clock and no line but by what it is
/// told.
///
/// - Look: `nextDeadline`, `phase`, `droppedCount`, `masked`.
/// - News: `handle(_:)` for each edge in the order of the stamps and for each reading of levels,
///   `turn(by:at:)`, `missed(_:at:)`, `lose(_:at:)`, `take(_:)`, `advance(to:)` when a deadline has
///   come, `enter(_:at:)` when the phase changes.
/// - Work: `nextInput()`, `nextLook()` and `nextNoise()`, polled until `nil` after each piece of
///   news.
///
/// **Order.** Before it hands in an edge, the caller advances to the edge's stamp and acts on what
/// that decided, so that the edge meets the phase of its own instant. Before it advances to now, it
/// hands in every edge it can read. Then each way of batching the edges gives the same inputs. An
/// edge read after a deadline that it would have changed acts when it is read: what was decided
/// stays decided.
///
/// **Looks.** Edges get lost, levels do not. A look is a question for the levels of some lines, to
/// be answered by a reading before anything else is handed in. A line that still has edges to be
/// handed in is left out of the reading: they know better. So where no edge is lost, a reading
/// never says anything new.
///
/// **Not here.** What an input asks for, and that it may only wake a dark face, is the panels'
/// (CrownFront, RemoteFront): it is listed as an input all the same.
///
/// Invariants:
/// - Nothing is decided but by an edge, a reading or a deadline; how often `advance(to:)` is called
///   in between makes no difference.
/// - Deadlines fire in the order of time, equal ones in the order of `Button`, and those that are
///   due at an edge's instant before the edge. While a look is not answered, none fires.
/// - Spans count from stamps, never from when an edge was read.
public struct Controls: Sendable {
  private let doubleBound: DoubleBinding
  var decoder: QuadratureDecoder
  var watch = ContactWatch()
  /// Where each quarter is a detent: what became of the last contact's bounce.
  var settler: ContactSettler?
  /// An edge of a contact that waits for a look.
  var waiting: Edge?
  /// Whether edges of the contacts were lost, so that the way they went is not known.
  var loss = ContactLoss.none
  var acceleration = Acceleration()
  var jogWindow: JogWindow
  /// One for each button, in the order of `Button`.
  var recognisers: [ButtonRecogniser]
  /// One for each line, in the order of `Line`.
  var noise: [NoiseWatch]
  /// Whether no line has been noisy lately.
  var isQuiet = true
  var noiseNews: [LineNoise] = []
  var looks = Looks()
  var queue = InputQueue()
  private var earlierPhase: Phase
  private var phaseBegan = Instant(nanoseconds: .min)

  /// The phase that an edge read now belongs to.
  public private(set) var phase: Phase

  /// Makes the controls of a box.
  /// - Parameters:
  ///   - settings: how edges become inputs.
  ///   - levels: the raw level of each line now. A button that is active now gives nothing until
  ///     it has been let go for the debounce span.
  ///   - phase: the phase of the timer now.
  /// - Precondition: no span of the settings is negative, and repeats are some time apart.
  public init(
    settings: ControlSettings = ControlSettings(), levels: LineLevels = .rest, phase: Phase = .idle
  ) {
    precondition(settings.debounceSpan >= .zero, "a debounce span cannot be negative")
    precondition(settings.doubleSpan >= .zero, "a double-click span cannot be negative")
    precondition(settings.longSpan >= .zero, "a long-press span cannot be negative")
    precondition(settings.repeatAfterSpan >= .zero, "a repeat cannot come before its press")
    precondition(settings.repeatEverySpan > .zero, "repeats must be some time apart")
    doubleBound = settings.doubleBound
    decoder = QuadratureDecoder(
      detentsPerCycle: settings.detentsPerCycle, isReversed: settings.isReversed,
      a: levels[.a], b: levels[.b])
    settler = settings.detentsPerCycle == .four ? ContactSettler() : nil
    jogWindow = JogWindow(debounceSpan: settings.debounceSpan, level: levels[.s])
    recognisers = Button.allCases.map {
      ButtonRecogniser(button: $0, settings: settings, level: levels[$0.line])
    }
    noise = Line.allCases.map { NoiseWatch(line: $0) }
    self.phase = phase
    earlierPhase = phase
  }

  /// When something is decided unless an edge comes first; `nil` if nothing is pending, or if a
  /// look must be answered first.
  public var nextDeadline: Instant? {
    looks.isAnswered ? nextDue?.deadline : nil
  }

  /// How many inputs were dropped because 64 had not been fetched; the newest are dropped.
  public var droppedCount: Int { queue.droppedCount }

  /// The timer has entered a phase. An edge that was stamped before this instant and is handed in
  /// later still belongs to the phase before. Entering the same phase again changes nothing.
  public mutating func enter(_ newPhase: Phase, at: Instant) {
    guard newPhase != phase else { return }
    // A phase that was passed through within one instant had no edges of its own.
    if at > phaseBegan { earlierPhase = phase }
    phase = newPhase
    phaseBegan = at
  }

  /// Takes an edge, after deciding what was due at its instant. What the edge itself makes due is
  /// decided by the next `advance(to:)`. An edge of a masked line is ignored.
  public mutating func handle(_ edge: Edge) {
    advance(to: edge.at)
    let index = Int(edge.line.rawValue)
    let isNews = noise[index].state == .quiet
    if noise[index].handle(at: edge.at) { mask(edge.line, at: edge.at, isNews: isNews) }
    if noise[index].isMasked { return }
    // One contact alone tells no turn from noise.
    if LineSet.contacts.contains(edge.line), !masked.isDisjoint(with: .contacts) { return }
    switch edge.line {
    case .a, .b: handleContact(edge)
    default:
      // Two equal edges are normal, but the one between them may have been lost.
      if !handleButton(edge) { looks.ask(LineSet(edge.line)) }
    }
  }

  /// The crown was turned by whole detents, as a device tells that decodes its own contacts.
  public mutating func turn(by detents: Int, at instant: Instant) {
    advance(to: instant)
    for _ in 0..<abs(detents) { turn(detents.signum(), at: instant) }
  }

  /// Decides everything that is due up to and including an instant, or up to the next look.
  public mutating func advance(to instant: Instant) {
    while looks.isAnswered, let next = nextDue, next.deadline <= instant { fire(next.timer) }
  }

  /// The oldest input that was not fetched yet, or `nil`.
  public mutating func nextInput() -> Input? {
    queue.next()
  }

  /// The lines whose levels must be read now, or `nil`.
  public mutating func nextLook() -> LineSet? {
    looks.next()
  }

  private enum Timer {
    case button(Int)
    case contacts
    case bounce
    case noise(Int)
  }

  private var nextDue: (timer: Timer, deadline: Instant)? {
    var earliest: (timer: Timer, deadline: Instant)?
    func consider(_ timer: Timer, _ deadline: Instant?) {
      guard let deadline else { return }
      if let earliest, earliest.deadline <= deadline { return }
      earliest = (timer, deadline)
    }
    for index in recognisers.indices { consider(.button(index), recognisers[index].nextDeadline) }
    consider(.bounce, settler?.nextDeadline)
    consider(.contacts, watch.nextLook)
    if isQuiet { return earliest }
    for index in noise.indices { consider(.noise(index), noise[index].nextDeadline) }
    return earliest
  }

  private mutating func fire(_ timer: Timer) {
    switch timer {
    case .button(let index):
      let mustLook = recognisers[index].fire(into: &queue)
      if mustLook { looks.ask(LineSet(recognisers[index].button.line)) }
    case .contacts: looks.ask(.contacts)
    case .bounce: settleBounce()
    case .noise(let index): tryAgain(index)
    }
  }

  /// - Returns: whether the level is another than the one that was known.
  mutating func handleButton(_ edge: Edge) -> Bool {
    guard let button = Button(line: edge.line) else { return true }
    if button == .crown { jogWindow.handle(edge.level, at: edge.at) }
    let phase = phase(at: edge.at)
    return recognisers[Int(button.rawValue)].handle(
      edge.level, at: edge.at, phase: phase, isDoubleBound: doubleBound[button, phase],
      isRestless: noise[Int(edge.line.rawValue)].isRestless)
  }

  mutating func turn(_ step: Int, at: Instant) {
    guard step != 0, !jogWindow.contains(at) else { return }
    let crown = Int(Button.crown.rawValue)
    let phaseAtPress = recognisers[crown].phaseAtPress
    recognisers[crown].turn(at: at, into: &queue)
    let kind = Input.Kind.detent(
      step: step, isFast: acceleration.isFast(step: step, at: at), isHeld: phaseAtPress != nil)
    queue.append(
      Input(
        kind, button: .crown, at: at, decidedAt: at,
        phaseAtPress: phaseAtPress ?? phase(at: at)))
  }

  private func phase(at instant: Instant) -> Phase {
    instant < phaseBegan ? earlierPhase : phase
  }
}
