import Ticks
import TimerMachine

/// The hand: stamped edges in, decided inputs out. It knows no clock and no line but by what it is
/// told.
///
/// - Look: `nextDeadline`, `phase`, `droppedCount`.
/// - News: `handle(_:)` for each edge in the order of the stamps, `advance(to:)` when a deadline
///   has come, `enter(_:at:)` when the phase changes.
/// - Work: `nextInput()`, polled until `nil` after each piece of news.
///
/// **Order.** Before it hands in an edge, the caller advances to the edge's stamp and acts on what
/// that decided, so that the edge meets the phase of its own instant. Before it advances to now, it
/// hands in every edge it can read. Then each way of batching the edges gives the same inputs. An
/// edge read after a deadline that it would have changed acts when it is read: what was decided
/// stays decided.
///
/// **Not here.** What an input asks for, and that it may only wake a dark face, is the panels'
/// (CrownFront, RemoteFront): it is listed as an input all the same.
///
/// Invariants:
/// - Nothing is decided but by an edge or by a deadline; how often `advance(to:)` is called in
///   between makes no difference.
/// - Deadlines fire in the order of time, equal ones in the order of `Button`, and those that are
///   due at an edge's instant before the edge.
/// - Spans count from stamps, never from when an edge was read.
public struct Controls: Sendable {
  private let doubleBound: DoubleBinding
  private var decoder: QuadratureDecoder
  private var acceleration = Acceleration()
  private var jogWindow: JogWindow
  /// One for each button, in the order of `Button`.
  private var recognisers: [ButtonRecogniser]
  private var queue = InputQueue()
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
    jogWindow = JogWindow(debounceSpan: settings.debounceSpan, level: levels[.s])
    recognisers = Button.allCases.map {
      ButtonRecogniser(button: $0, settings: settings, level: levels[$0.line])
    }
    self.phase = phase
    earlierPhase = phase
  }

  /// When something is decided unless an edge comes first; `nil` if nothing is pending.
  public var nextDeadline: Instant? {
    nextRecogniser?.deadline
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
  /// decided by the next `advance(to:)`.
  public mutating func handle(_ edge: Edge) {
    advance(to: edge.at)
    switch edge.line {
    case .a: turn(decoder.move(a: edge.level, b: decoder.b), at: edge.at)
    case .b: turn(decoder.move(a: decoder.a, b: edge.level), at: edge.at)
    default: handleButton(edge)
    }
  }

  /// Decides everything that is due up to and including an instant.
  public mutating func advance(to instant: Instant) {
    while let next = nextRecogniser, next.deadline <= instant {
      recognisers[next.index].fire(into: &queue)
    }
  }

  /// The oldest input that was not fetched yet, or `nil`.
  public mutating func nextInput() -> Input? {
    queue.next()
  }

  private var nextRecogniser: (index: Int, deadline: Instant)? {
    var earliest: (index: Int, deadline: Instant)?
    for index in recognisers.indices {
      guard let deadline = recognisers[index].nextDeadline else { continue }
      if let earliest, earliest.deadline <= deadline { continue }
      earliest = (index, deadline)
    }
    return earliest
  }

  private mutating func handleButton(_ edge: Edge) {
    guard let button = Button(line: edge.line) else { return }
    if button == .crown { jogWindow.handle(edge.level, at: edge.at) }
    let phase = phase(at: edge.at)
    recognisers[Int(button.rawValue)].handle(
      edge.level, at: edge.at, phase: phase, isDoubleBound: doubleBound[button, phase])
  }

  private mutating func turn(_ step: Int, at: Instant) {
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
