import Sessions
import Ticks
import TimerMachine

/// The running sit as it is written down on the device, so that it survives a crash and a power
/// cut. All its instants are of the boot that it was written in.
public struct SitJournal: Equatable, Sendable {
  /// A stretch of the sit before an outage of unknown length, and the clock that dates it.
  public struct Past: Equatable, Sendable {
    /// What the wall clock showed at its end, which is the reading's instant.
    public var wall: WallReading

    /// Makes a stretch.
    public init(wall: WallReading) { self.wall = wall }
  }

  /// Which sit it is: the identity that its record gets.
  public var sit: Identity
  /// The sit, its plan with it: the programme is not needed to go on, and is never changed by it.
  public var snapshot: TimerSnapshot
  /// The programme's name.
  public var programme: String
  /// The journey it belongs to.
  public var journey: String?
  /// The local time at which it ends, so long after midnight; nil for one that has a length.
  public var until: Span?
  /// The boot that it was written in.
  public var boot: Identity
  /// What the wall clock showed as it was written; its instant is the last one that is known of
  /// the sit.
  public var wall: WallReading
  /// Whether the time was known as the sit began.
  public var isClockKnownAtBegin: Bool
  /// Seconds east of Greenwich where the sit began.
  public var offsetSeconds: Int64
  /// The stretches before outages of unknown length, oldest first.
  public var pasts: [Past]

  /// Makes a journal of a sit that has had no outage.
  public init(
    sit: Identity, snapshot: TimerSnapshot, programme: String, journey: String? = nil,
    until: Span? = nil, boot: Identity, wall: WallReading, isClockKnownAtBegin: Bool,
    offsetSeconds: Int64, pasts: [Past] = []
  ) {
    self.sit = sit
    self.snapshot = snapshot
    self.programme = programme
    self.journey = journey
    self.until = until
    self.boot = boot
    self.wall = wall
    self.isClockKnownAtBegin = isClockKnownAtBegin
    self.offsetSeconds = offsetSeconds
    self.pasts = pasts
  }
}

/// What the journal's file holds: all that a start has to go on with.
public struct Journal: Equatable, Sendable {
  /// The sit that is on and has begun.
  public var running: SitJournal?
  /// The sits that are over and wait for something, oldest first.
  var over: [ClosedSit]
  /// Whether a sit is being prepared. It has not begun, and is not taken up again.
  public var isPreparing: Bool

  /// Makes the journal of a sit that is on, or one that holds nothing.
  public init(running: SitJournal? = nil) { self.init(running: running, over: []) }

  init(running: SitJournal?, over: [ClosedSit], isPreparing: Bool = false) {
    self.running = running
    self.over = over
    self.isPreparing = isPreparing
  }

  /// The sits in it, of which a start asks whether the store knows them.
  public var sits: [Identity] { over.map(\.id) + (running.map { [$0.sit] } ?? []) }

  /// Whether nothing is in it.
  public var isEmpty: Bool { running == nil && over.isEmpty && !isPreparing }
}

/// Why a journal cannot be used.
public enum JournalError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It was cut off, or a byte of it has flipped.
  case damaged
  /// It is whole, and its member with this name is not what this version knows.
  case notUnderstood(member: String)

  /// The sentence a person reads.
  public var description: String {
    switch self {
    case .damaged: "The journal of a sit is damaged, and that sit cannot be taken up again."
    case .notUnderstood(let member):
      "The journal of a sit has no \"\(member)\" that is understood, and the sit is left."
    }
  }
}
