import Ticks

/// A stretch of a sit with its own kind and length: `walk 10m`.
public struct Segment: Equatable, Sendable {
  /// What is done in it: `sit`, `walk`, `rest`, or any other word. Bells and faces name it.
  public var kind: String
  /// How long it lasts.
  public var length: Span

  /// Makes a segment.
  /// - Precondition: it lasts at least a second, so that no two bells begin within one tick.
  public init(kind: String, length: Span) {
    precondition(length >= .seconds(1), "a segment lasts at least a second")
    self.kind = kind
    self.length = length
  }
}

/// Where the interval bells of a sit ring. All parts hold together; at one instant one bell rings.
public struct IntervalPlan: Equatable, Sendable {
  /// A part of a sit: `numerator` / `denominator` of its length.
  public struct Fraction: Equatable, Sendable {
    /// Above the line, at least 1.
    public var numerator: Int64
    /// Under the line, greater than the numerator.
    public var denominator: Int64

    /// Makes a fraction.
    /// - Precondition: it lies between 0 and 1.
    public init(_ numerator: Int64, _ denominator: Int64) {
      precondition(numerator >= 1 && denominator > numerator, "a fraction lies between 0 and 1")
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  /// A bell after each such span, counted from the start; nil for none.
  public var every: Span?
  /// Bells at parts of the planned length; an open-ended sit has none.
  public var fractions: [Fraction] = []
  /// Bells at these spans after the start.
  public var at: [Span] = []
  /// Bells at these spans before the planned end; an open-ended sit has none.
  public var fromEnd: [Span] = []
  /// So many bells at random: `randomWindow` is cut into as many equal parts, and one rings
  /// somewhere within each, at least `randomMarginSpan` from both ends of its part.
  public var random = 0
  /// Where random bells ring, as spans after the start; nil for the whole sit, of which an
  /// open-ended one has none.
  public var randomWindow: ClosedRange<Span>?
  /// The most interval bells of a sit, random ones among them: the first so many; nil for no limit.
  public var count: Int?

  /// How far a random bell is from the ends of its part, so that two are never nearer than twice
  /// that.
  public static let randomMarginSpan = Span.seconds(5)
  /// How long the part of a random bell is at least: where the margins take more than half of it,
  /// the bells come in an even beat and not by chance.
  public static let randomPartSpan = Span.seconds(20)

  /// Makes a plan without bells.
  public init() {}

  /// A bell after each such span; none if nil.
  /// - Precondition: it is at least a second: no two bells begin within one tick.
  public init(every: Span?) {
    precondition(every.map { $0 >= .seconds(1) } ?? true, "an interval lasts at least a second")
    self.every = every
  }
}

/// What a sit is to be: everything that the machine needs to know before it starts.
public struct SitPlan: Equatable, Sendable {
  /// From the command to the first start strike; zero begins at once.
  public var preparation: Span
  /// Planned length from the first start strike; nil for an open-ended sit, and for one until an
  /// instant: the machine then sets the length that the sit has as it begins, which parts and
  /// windows of interval bells are cut from.
  public var length: Span?
  /// The stretches of the sit, in order; their lengths add up to `length`. None: one stretch, as
  /// every sit until an instant is.
  public var segments: [Segment]
  /// The instant at which the sit ends, whatever pauses it has ("end at 07:00"); nil where the
  /// length says.
  public var end: Instant?
  /// Where interval bells ring.
  public var intervals: IntervalPlan
  /// What the instants of random bells are drawn from, so that a run can be played again.
  public var seed: UInt64
  /// Whether the sit goes on past its end bell until a press.
  public var overtime: Bool
  /// How long overtime may last before it ends by itself.
  public var overtimeLimit: Span
  /// How long an open-ended sit may last before it ends by itself.
  public var openLimit: Span
  /// A sit that is stopped before this is not kept.
  public var minimum: Span

  /// Makes a plan; the defaults are those of the configuration keys.
  /// - Precondition: the length is at least a second and the sum of the segments, if there are any;
  ///   the limits are positive, and nothing is negative.
  public init(
    preparation: Span = .seconds(10), length: Span?, segments: [Segment] = [],
    end: Instant? = nil, intervals: IntervalPlan = IntervalPlan(), seed: UInt64 = 0,
    overtime: Bool = false, overtimeLimit: Span = .minutes(60), openLimit: Span = .hours(3),
    minimum: Span = .seconds(60)
  ) {
    precondition(preparation >= .zero, "a preparation cannot be negative")
    precondition(length.map { $0 >= .seconds(1) } ?? true, "a sit lasts at least a second")
    precondition(overtimeLimit > .zero && openLimit > .zero, "a limit must be positive")
    precondition(minimum >= .zero, "a minimum cannot be negative")
    self.preparation = preparation
    self.length = length
    self.segments = segments
    self.end = end
    self.intervals = intervals
    self.seed = seed
    self.overtime = overtime
    self.overtimeLimit = overtimeLimit
    self.openLimit = openLimit
    self.minimum = minimum
    precondition(segmentsFit, "the segments make up the length")
  }

  var segmentsFit: Bool {
    segments.isEmpty || segments.reduce(Span.zero) { $0 + $1.length } == length
  }
}
