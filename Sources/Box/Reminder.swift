import Ticks

/// The days of a week on which something happens.
public struct Weekdays: Equatable, Sendable {
  /// One bit a day, that of Monday first.
  private var bits: UInt8 = 0

  /// No day.
  public init() {}

  /// Days by their ISO 8601 numbers: 1 Monday to 7 Sunday, as `LocalDate.weekday` has them.
  /// - Precondition: each lies within 1 to 7.
  public init(_ days: some Sequence<Int>) {
    for day in days { insert(day) }
  }

  /// Every day.
  public static let daily = Weekdays(1...7)

  /// Whether a day is one of them.
  public func contains(_ day: Int) -> Bool { (1...7).contains(day) && bits & 1 << (day - 1) != 0 }

  /// Adds a day.
  /// - Precondition: it lies within 1 to 7.
  public mutating func insert(_ day: Int) {
    precondition((1...7).contains(day), "a week has the days 1 to 7")
    bits |= 1 << (day - 1)
  }

  /// Whether there is none.
  public var isEmpty: Bool { bits == 0 }
}

/// A call to sit, at a time of the clock on the wall: `[reminder NAME]`.
public struct Reminder: Equatable, Sendable {
  /// How it calls.
  public enum Kind: Equatable, Sendable {
    /// The LED and one soft strike.
    case soft
    /// A crescendo that a press ends.
    case wake
  }

  /// Its name, once in a configuration.
  public var name: String
  /// When it is due, as the span since midnight that the clock on the wall shows.
  public var at: Span
  /// On which local days; at least one.
  public var days: Weekdays
  /// The programme that it begins; nil for the one that is chosen then.
  public var programme: String?
  /// How it calls.
  public var kind: Kind
  /// Whether the sit begins by itself, and not at a press.
  public var startsByItself: Bool

  /// Makes a reminder; what is not given is the default of its key.
  /// - Precondition: `at` lies within a day, and there is a day.
  public init(
    name: String, at: Span, days: Weekdays = .daily, programme: String? = nil,
    kind: Kind = .soft, startsByItself: Bool = false
  ) {
    precondition(at >= .zero && at < .hours(24) && !days.isEmpty, "a reminder is due some time")
    self.name = name
    self.at = at
    self.days = days
    self.programme = programme
    self.kind = kind
    self.startsByItself = startsByItself
  }
}
