import Ticks
import Zones

/// One sit, as it is kept: from the first start strike to its end. It never changes by itself; the
/// day it counts for, streaks and totals are derived from it every time.
///
/// Lengths are whole seconds. They are rounded down from nanoseconds in one place, `wholeSeconds`,
/// so that no sit is credited with time that was not sat.
public struct MeditationSession: Equatable, Sendable {
  /// The kind of device that recorded a sit. Not a closed list: a kind that this version does not
  /// know is read, kept and written again as it came.
  public struct SourceDevice: Hashable, Sendable {
    /// The name in files.
    public var name: String

    /// Makes a kind of device.
    public init(_ name: String) { self.name = name }

    /// An iPhone.
    public static let iPhone = SourceDevice("iPhone")
    /// An iPad.
    public static let iPad = SourceDevice("iPad")
    /// A Mac.
    public static let mac = SourceDevice("mac")
    /// An Apple TV.
    public static let appleTV = SourceDevice("appleTV")
    /// An Apple Watch.
    public static let appleWatch = SourceDevice("appleWatch")
    /// A box with a knob.
    public static let timerBox = SourceDevice("timerBox")
    /// A box behind a television.
    public static let timerTV = SourceDevice("timerTV")
  }

  /// What is known of the wall clock that dated a sit. Open, as `SourceDevice` is.
  public struct Clock: Hashable, Sendable {
    /// The name in files.
    public var name: String

    /// Makes a clock's state.
    public init(_ name: String) { self.name = name }

    /// The clock was known during the sit.
    public static let synced = Clock("synced")
    /// The clock became known later in the same boot, and the dates were set right.
    public static let repaired = Clock("repaired")
    /// The clock was never known: the dates are a guess.
    public static let unsynced = Clock("unsynced")
  }

  /// A stretch of a sit that is not credited.
  public struct Interruption: Hashable, Sendable {
    /// Why a sit was interrupted. Open, as `SourceDevice` is.
    public struct Kind: Hashable, Sendable {
      /// The name in files.
      public var name: String

      /// Makes a kind of interruption.
      public init(_ name: String) { self.name = name }

      /// The sitter paused.
      public static let pause = Kind("pause")
      /// The machine slept.
      public static let suspend = Kind("suspend")
      /// The power or the program was away.
      public static let outage = Kind("outage")
    }

    /// When it began.
    public var from: WallInstant
    /// When it ended.
    public var to: WallInstant
    /// Why.
    public var kind: Kind
    /// What this version does not know of it, as it came.
    public var unknown: [JSONValue]

    /// Makes an interruption.
    public init(from: WallInstant, to: WallInstant, kind: Kind, unknown: [JSONValue] = []) {
      self.from = from
      self.to = to
      self.kind = kind
      self.unknown = unknown
    }
  }

  /// Which sit this is; given once, by whoever records it.
  public var id: Identity
  /// The first start strike.
  public var startDate: WallInstant
  /// The end.
  public var endDate: WallInstant
  /// Time credited: without preparation and interruptions, with confirmed overtime.
  public var durationSeconds: Int64
  /// The kind of device that recorded it.
  public var sourceDevice = SourceDevice.timerBox
  /// Whether a phone has handed it to HealthKit. Once true, true on every device.
  public var syncedToHealthKit = false
  /// The length planned; nil for an open sit.
  public var plannedSeconds: Int64?
  /// Credited time past the planned end.
  public var overtimeSeconds: Int64 = 0
  /// Time that nobody confirmed by a press; not part of `durationSeconds`.
  public var unconfirmedSeconds: Int64 = 0
  /// Whether it reached its planned end.
  public var completed = true
  /// Pauses, suspends and outages, in order.
  public var interruptions: [Interruption] = []
  /// Seconds east of Greenwich where and when it began.
  public var utcOffsetSeconds: Int64 = 0
  /// The programme's name; nil when none is known.
  public var programme: String?
  /// The journey it belongs to.
  public var journey: String?
  /// How it was, 1 to 5.
  public var rating: Int64?
  /// The sitter's words.
  public var note: String?
  /// What is known of the clock that dated it.
  public var clock = Clock.synced
  /// Members that this version does not know, as they came.
  public var unknown: [JSONMember] = []

  /// Makes a completed sit without interruptions; the other fields have their usual values and can
  /// be set.
  public init(
    id: Identity, startDate: WallInstant, endDate: WallInstant, durationSeconds: Int64,
    plannedSeconds: Int64?
  ) {
    self.id = id
    self.startDate = startDate
    self.endDate = endDate
    self.durationSeconds = durationSeconds
    self.plannedSeconds = plannedSeconds
  }

  /// A length as a sit keeps it: whole seconds, rounded down.
  public static func wholeSeconds(_ credited: Span) -> Int64 { credited.wholeSeconds }

  /// The civil date a sit counts for: of its start, in its own offset, less `dayStartsSeconds`.
  public func day(dayStartsSeconds: Int64) -> LocalDate {
    startDate.day(offsetSeconds: utcOffsetSeconds, dayStartsSeconds: dayStartsSeconds)
  }

  /// What keeps this from being a sit; nil when nothing does.
  public var problem: String? {
    let dates = [startDate, endDate] + interruptions.flatMap { [$0.from, $0.to] }
    if !dates.allSatisfy({ WallInstant.range.contains($0.milliseconds) }) {
      return "a date is outside the years 0 to 9999"
    }
    if endDate < startDate { return "endDate is before startDate" }
    let lengths = [durationSeconds, plannedSeconds ?? 0, overtimeSeconds, unconfirmedSeconds]
    if lengths.contains(where: { $0 < 0 }) { return "a length is negative" }
    if abs(utcOffsetSeconds) >= 86_400 { return "utcOffsetSeconds is a day or more" }
    if let rating, !(1...5).contains(rating) { return "rating \(rating) is not within 1 to 5" }
    return SessionCodec.problem(ofUnknown: unknown)
  }
}
