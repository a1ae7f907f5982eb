import Ticks

/// How many detents the hand feels in one full cycle of the crown's contacts.
public enum DetentsPerCycle: Int, CaseIterable, Sendable {
  /// The knob rests where both contacts are open.
  case one = 1
  /// It rests where both are open and where both are closed.
  case two = 2
  /// It rests at every quarter.
  case four = 4
}

/// How edges become inputs; the `crown` and `button` sections of the configuration.
public struct ControlSettings: Equatable, Sendable {
  /// Detents in one cycle of the contacts (`crown.detents-per-cycle`).
  public var detentsPerCycle = DetentsPerCycle.one
  /// Whether clockwise is B first (`crown.reverse`).
  public var isReversed = false
  /// How long a level must be stable before it counts (`button.debounce`).
  public var debounceSpan = Span.milliseconds(10)
  /// The longest pause from a release to the press that makes a double (`button.double`).
  public var doubleSpan = Span.milliseconds(350)
  /// How long a long press is held (`button.long`).
  public var longSpan = Span.milliseconds(600)
  /// From the press to the first repeat (`button.repeat-after`).
  public var repeatAfterSpan = Span.milliseconds(600)
  /// From one repeat to the next (`button.repeat-every`).
  public var repeatEverySpan = Span.milliseconds(150)
  /// Where a click waits for a second one: the doubles that the panels bind.
  public var doubleBound = DoubleBinding.standard

  /// A detent is fast when it comes sooner than this after one in the same direction (PRODUCT's
  /// crown panel). That the first after 200 ms of rest counts one follows, this being shorter.
  public static let fastSpan = Span.milliseconds(30)
  /// A detent up to this long after the switch began to move is a jog (PRODUCT's crown panel).
  public static let jogSpan = Span.milliseconds(80)

  /// The default settings.
  public init() {}
}
