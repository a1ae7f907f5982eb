import Ticks

/// What a sit is to be: everything that the machine needs to know before it starts.
public struct SitPlan: Equatable, Sendable {
  /// From the command to the first start strike; zero begins at once.
  public var preparation: Span
  /// Planned length from the first start strike; nil for an open-ended sit.
  public var length: Span?
  /// An interval bell rings at every multiple of this; nil for none.
  public var intervalEvery: Span?
  /// Whether the sit goes on past its end bell until a press.
  public var overtime: Bool
  /// How long overtime may last before it ends by itself.
  public var overtimeLimit: Span
  /// How long an open-ended sit may last before it ends by itself.
  public var openLimit: Span
  /// A sit that is stopped before this is not kept.
  public var minimum: Span

  /// Makes a plan; the defaults are those of the configuration keys.
  /// - Precondition: the length is at least one second, the interval too (no two bells may begin
  ///   within one tick), the limits are positive, and nothing is negative.
  public init(
    preparation: Span = .seconds(10), length: Span?, intervalEvery: Span? = nil,
    overtime: Bool = false, overtimeLimit: Span = .minutes(60), openLimit: Span = .hours(3),
    minimum: Span = .seconds(60)
  ) {
    precondition(preparation >= .zero, "a preparation cannot be negative")
    precondition(length.map { $0 >= .seconds(1) } ?? true, "a sit lasts at least a second")
    precondition(
      intervalEvery.map { $0 >= .seconds(1) } ?? true, "an interval lasts at least a second")
    precondition(overtimeLimit > .zero && openLimit > .zero, "a limit must be positive")
    precondition(minimum >= .zero, "a minimum cannot be negative")
    self.preparation = preparation
    self.length = length
    self.intervalEvery = intervalEvery
    self.overtime = overtime
    self.overtimeLimit = overtimeLimit
    self.openLimit = openLimit
    self.minimum = minimum
  }
}
