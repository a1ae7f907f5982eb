import Appliance
import Controls
import Sessions
import Settings
import Ticks
import Zones

/// A scenario as it was read: settings, and statements with their instants.
public struct Scenario: Sendable {
  /// The file, as it was named.
  public var file: String
  /// The wall clock at the start.
  public var wall = Timestamp(unixNanoseconds: 1_767_247_200_000_000_000)
  /// The rules of the zone the boxes stand in.
  public var zone = ZoneRules.utc
  /// Whether the boards have a battery clock, so that they know the time when the power comes.
  public var hasBatteryClock = true
  /// What everything random is drawn from.
  public var seed: UInt64 = 1
  /// What the box's hands are wired to. Its chip and its devices are simulated.
  public var board = Board.simulated
  /// The boxes there are, each with its configuration and board keys. Before one is named there is
  /// one, called `box`.
  public var boxes = [NamedBox(name: "box")]
  /// What happens, in file order.
  public var statements: [Statement] = []
  /// When the run is over.
  public var end = Instant.zero

  /// The years that a wall clock may show, in nanoseconds since 1970: up to 2200, so that no sum of
  /// a date and a length is too great.
  static let wallRange: ClosedRange<Int64> = 0...7_258_118_400_000_000_000

  /// A place in the file.
  public struct Place: Equatable, Sendable {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in characters (Unicode scalars).
    public var column: Int
  }

  /// A box of a scenario.
  public struct NamedBox: Sendable {
    /// What statements and traces call it.
    public var name: String
    /// Its configuration and board keys.
    public var configuration = Configuration()
  }

  /// A statement with its instant; nil holds for the whole run.
  public struct Statement: Sendable {
    /// Where it stands.
    public var place: Place
    /// When it happens.
    public var at: Instant?
    /// The position of the box that it is for; nil is for all of them.
    public var box: Int?
    /// What happens.
    public var action: Action
  }

  /// What a statement does.
  public enum Action: Sendable {
    /// The crown turns by so many detents, clockwise when positive.
    case turn(Int, every: Span)
    /// A button goes down and comes up.
    case press(Button, Span)
    /// A button goes down, or comes up.
    case level(Button, Level)
    /// Single edges, each so long after the instant.
    case wave([(after: Span, line: Line, level: Level)])
    /// Somebody asks for something.
    case command(ApplianceCommand)
    /// Somebody asks for a sit until the clock shows this, so long after midnight.
    case startUntil(Span, anyway: Bool)
    /// The wall clock is set forward or back.
    case wallStep(Span)
    /// The wall clock is set.
    case wallSet(Timestamp)
    /// The board learns the time.
    case synced
    /// The box is in another zone.
    case zone(ZoneRules)
    /// The machine sleeps for so long.
    case suspend(Span)
    /// The box is gone for so long, and comes back.
    case outage(Outage, Span)
    /// The disk behaves otherwise.
    case disk(DiskState)
    /// A byte in the middle of the truth on the disk flips.
    case truthDamaged
    /// The wanted output behaves otherwise.
    case audio(AudioChange)
    /// Edges are lost otherwise.
    case lose(EdgeLoss)
    /// Edges are read otherwise.
    case reader(EdgeReading)
    /// Something befalls the shared folder as a box sees it.
    case share(ShareChange)
    /// A key of the store is set, or deleted where the value is nil.
    case keyValue(String, JSONValue?)
    /// A course of practice begins, ends or is chosen.
    case journey(JourneyChange)
    /// A line is otherwise.
    case line(Line, LineCondition)
    /// Something must be so.
    case expect(Expectation)
  }
}

/// What a box is gone by.
public enum Outage: Equatable, Sendable {
  /// The process alone: the machine runs on.
  case kill
  /// The power: another boot, and what was not made durable is lost.
  case powerCut
}

/// How the simulated disk behaves.
public enum DiskState: Equatable, Sendable {
  /// It takes everything at once.
  case ok
  /// It has no room.
  case full
  /// It takes no writes.
  case readOnly
  /// It reports an error of the device.
  case error
  /// Every save takes so long.
  case slow(Span)
}

/// What happens to the shared folder, as one box sees it.
public enum ShareChange: Equatable, Sendable {
  /// The engine carries nothing any more.
  case split
  /// It carries again, and brings what was missed.
  case join
  /// Another device's copy appears under this name.
  case peer(name: String, bytes: [UInt8])
  /// The engine loses the box's own copy.
  case copyGone
  /// The engine empties the box's own copy.
  case copyEmpty
  /// The engine puts the first version of the box's own copy back.
  case copyOld
}

/// What a person does with a course of practice.
public enum JourneyChange: Equatable, Sendable {
  /// It begins, with a goal of so many days or none.
  case begin(String, goalDays: Int64?)
  /// It ends.
  case end(String)
  /// Sits belong to it from now on; nil: to none.
  case choose(String?)
}

/// What happens to the wanted output. Each fault goes on until it is taken back, a stall until it
/// is over; outputs to fall back on stay well.
public enum AudioChange: Equatable, Sendable {
  /// It is unplugged, also in the middle of a tail.
  case gone
  /// It is plugged in again.
  case back
  /// Another program holds it: it cannot be opened. What is open goes on.
  case busy
  /// It is well in every way.
  case ok
  /// It takes nothing and plays nothing for so long.
  case stall(Span)
  /// It refuses the format, so that it cannot be opened. What is open goes on.
  case refuse
  /// What is behind it does not sound for so long after each opening.
  case swallow(Span)
  /// Its crystal is fast by so many millionths; slow when negative.
  case drift(millionths: Int64)
}

/// What must be so.
public enum Expectation: Sendable {
  /// The phase.
  case phase(String)
  /// Time left.
  case remaining(Span)
  /// Time sat.
  case elapsed(Span)
  /// The length that the next press would start.
  case set(Span)
  /// Volume in percent.
  case volume(Int)
  /// The name of the focused cell; `none`: nothing has the focus.
  case focus(String)
  /// How many sits there are.
  case records(Int)
  /// How many were taken up again after an outage.
  case recovered(Int)
  /// How many were found after an outage and waited for a press.
  case offered(Int)
  /// The streak that is alive now, and whether today is still to be sat where that is asked.
  case streak(Int, isDue: Bool?)
  /// What was sat on a day.
  case dayTotal(LocalDate, Span)
  /// The name of the programme that is on, or chosen.
  case programme(String)
  /// The kind of the running segment; `none` outside a sit.
  case segment(String)
  /// The box on which another sit runs; `none`.
  case elsewhere(String)
  /// How far the journeys of a name are: `day 12 of 100`; `none`.
  case journey(String, String)
  /// The value of a key of the store; nil: there is none.
  case keyValue(String, JSONValue?)
  /// How often the box has written its copy in the shared folder.
  case copies(Int)
  /// How many bytes the truth has at most.
  case usage(Int)
  /// A line of what does not work contains this; empty: nothing is degraded.
  case degraded(String)
  /// The bells whose attack is heard, by onset. Empty: none.
  case bells([(onset: Span, role: String)])
  /// The cues that are heard, by onset. Empty: none.
  case cues([(onset: Span, name: String)])
  /// How many bells did not ring.
  case missed(Int)
  /// What the output does.
  case output(String)
  /// How often an output was opened.
  case openings(Int)
  /// The decoded inputs.
  case inputs([String])
  /// Detents in each direction.
  case detents(clockwise: Int, counterclockwise: Int)
  /// Fields of the n-th sit.
  case record(Int, [(field: String, value: String)])
}
