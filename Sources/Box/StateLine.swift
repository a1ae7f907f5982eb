import Ticks
import TimerMachine

/// What the box shows to whoever asks: one line of the control socket, and all that a presenter
/// ever knows. Field names are the contract's (CONTRACT, "State line").
public struct StateLine: Codable, Equatable, Sendable {
  /// A stretch of a sit.
  public struct Segment: Codable, Equatable, Sendable {
    /// What is done in it: `sit`, `walk`.
    public var kind: String
    /// How long it lasts.
    public var seconds: Int64

    /// Makes a segment.
    public init(kind: String, seconds: Int64) {
      self.kind = kind
      self.seconds = seconds
    }
  }

  /// What the front shows beside the sit.
  public struct Panel: Codable, Equatable, Sendable {
    /// The name of the focused cell: a length such as `20m`, a programme, or a choice (`bell`,
    /// `interval`, `preparation`, `picture`); nil where nothing has the focus.
    public var focus: String?
    /// The open question, as the face asks it; nil when none is open.
    public var dialog: String?
    /// Whether the face is dark by choice.
    public var blackout = false
    /// Whether the picture is ambient and dim, since a pause is long.
    public var dimmed = false
    /// Whether the time left is hidden by choice.
    public var timeHidden = false
    /// The chosen sound of the bells, or `none`.
    public var bell = "large-bowl"
    /// The chosen span between interval bells, or `none`.
    public var interval = "none"
    /// The chosen preparation.
    public var preparation = "10s"
    /// What is seen behind the time: `fire`, `water`, `plain` or `none`.
    public var picture = "fire"
    /// How long the sit is, or the next one in idle: `25m`, `open`, `until 07:00`, or `until` where
    /// a program has said at which instant it ends.
    public var length = "20m"
    /// The stretches of that sit; empty where it has one.
    public var segments: [Segment] = []
    /// Its interval bells in seconds after its start, the first ones, as far as they are known.
    /// Those at random are not: nobody is to see them come.
    public var intervals: [Int64] = []
    /// How the sit that is over was rated; nil where it was not.
    public var rating: Int?
    /// Whether the sit that is over is kept, or was too short for it; nil where none is over.
    public var kept: Bool?
    /// The name of the reminder that calls; nil when none does.
    public var reminder: String?

    /// Makes the panel's part of an idle box that nobody has configured.
    public init() {}
  }

  /// The phase's name.
  public var phase: String
  /// The name of the sit's programme; in idle that of the chosen one.
  public var programme: String
  /// The kind of the running segment, `sit` where there is one stretch; nil outside a sit.
  public var segment: String?
  /// Planned length of the sit in seconds; nil for an open one and outside a sit.
  public var plannedSeconds: Int64?
  /// Whole seconds sat, pauses left out.
  public var elapsedSeconds: Int64
  /// Whole seconds to the planned end, rounded up; nil for an open sit.
  public var remainingSeconds: Int64?
  /// Whole seconds past the planned end.
  public var overtimeSeconds: Int64
  /// The planned end as ISO 8601 with offset; nil when the clock is not known or nothing runs.
  public var endsAt: String?
  /// The length that the next press would start, in seconds.
  public var setSeconds: Int64
  /// Volume in percent.
  public var volume: Int
  /// The volumes of the roles that have one of their own, by the names of the roles.
  public var roleVolumes: [String: Int]
  /// What the front shows.
  public var panel: Panel
  /// What does not work, each with what still does.
  public var degraded: [String]
  /// Where another sit of this owner runs; nil when none is known.
  public var activeElsewhere: String?

  /// Who vouches for the time of day: `kernel`, `timesyncd`, `batteryClock`, or `unknown`; only in
  /// the answer to `status`.
  public var clock: String?

  /// How the store stands; only in the answer to `status`, and nil until the store is read.
  public var store: StateStore?

  /// Makes a state line of an idle box.
  public init() {
    phase = "idle"
    programme = "simple"
    elapsedSeconds = 0
    overtimeSeconds = 0
    setSeconds = 1_200
    volume = 60
    roleVolumes = [:]
    panel = Panel()
    degraded = []
  }
}
