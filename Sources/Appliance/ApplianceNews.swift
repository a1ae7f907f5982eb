import Bells
import Controls
import Ticks
import TimerMachine

/// News from outside the appliance.
public enum ApplianceEvent: Sendable {
  /// A line changed. Its instant is the kernel's stamp.
  case edge(Edge)
  /// The crown was turned by so many detents, clockwise when positive, on a device that decodes its
  /// own contacts.
  case turned(Int)
  /// The levels of some lines were read: the answer to `readLevels`.
  case levels(LevelReading)
  /// Edges of these lines were lost.
  case edgesMissed(LineSet)
  /// These lines can no longer be read.
  case linesLost(LineSet)
  /// These lines can be read, now or again, and have these levels.
  case linesTaken(LevelReading)
  /// A program asks for something.
  case command(ApplianceCommand)
  /// The output has dealt with a strike.
  case strike(StrikeReport)
  /// The output can, from now on, do something else about a strike that it was not told ahead.
  case output(OutputReadiness)
  /// Whether anybody can see a face: one is drawn, or a presenter follows the state. Until it is
  /// told there is one.
  case faceSeen(Bool)
  /// Somebody looks, and wants every second; or nobody does.
  case ticksWanted(Bool)
}

/// What a program may ask for. A front's gestures lead to the same work.
public enum ApplianceCommand: Equatable, Sendable {
  /// Begin a sit of the set length, of this length, or an open-ended one.
  case start(SitLength)
  /// A command of the timer's own; not a start.
  case timer(TimerEvent)
  /// Set the volume in percent, 0 to 100.
  case setVolume(Int)
  /// Set the volume of one role, 0 to 100, or let it follow the box's own again.
  case setRoleVolume(BellRole, Int?)
  /// Ring a sound once, by its position among the sounds; that of the end bell if nil.
  case ring(sound: Int?)
}

/// How long a sit is to be.
public enum SitLength: Equatable, Sendable {
  /// What the knob is set to.
  case set
  /// This long.
  case fixed(Span)
  /// Until somebody ends it.
  case open
}

/// How soon the output can sound a strike that it was not told ahead.
public enum OutputReadiness: Equatable, Sendable {
  /// There is none: a sit does not wait for it.
  case absent
  /// It must be opened and led in, which takes this long from the moment it is asked.
  case closed(leadIn: Span)
  /// It runs, or will from this instant on; a strike takes this long to get through it.
  case open(from: Instant, latency: Span)

  /// The first instant at which a strike that is ordered now can sound.
  public func earliestStrike(at now: Instant) -> Instant {
    switch self {
    case .absent: now
    case .closed(let leadIn): now + leadIn
    case .open(let from, let latency): max(now + latency, from)
    }
  }
}

/// What happened, for whoever keeps a trace or shows the state.
public enum Notice: Sendable {
  /// A hand did something; swallowed inputs are told too.
  case input(Input)
  /// The phase changed.
  case phase(from: Phase, to: Phase)
  /// The length for the next sit was set.
  case set(Span)
  /// The volume was set, in percent.
  case volume(Int)
  /// A command was refused; nothing changed.
  case refused(command: StaticString, reason: StaticString)
  /// A second passed; what is left in seconds.
  case tick(remaining: Int64)
  /// A sit began.
  case begun
  /// A sit is over and is to be kept.
  case closed(FinishedSit)
  /// A sit is over and is not kept.
  case discarded
  /// The output has dealt with a strike.
  case strike(PlannedStrike, StrikeReport)
  /// A line picks up noise, or has stopped doing so.
  case noise(LineNoise)
  /// These buttons are active since their lines were taken, and are not listened to until let go.
  case heldAtStart(LineSet)
}

/// Work that the appliance wants done.
public enum ApplianceAction: Sendable {
  /// Tell what happened, and since when it is so.
  case notice(Notice, at: Instant)
  /// These are the strikes to come, in place of all that were ordered before.
  case plan([PlannedStrike])
  /// The volumes of the output.
  case volumes(Volumes)
  /// What is to sound under the bells.
  case ambient(AmbientSound?)
  /// A sit has begun, preparation counted, or is over: for outputs that are held while one runs.
  case sitting(Bool)
  /// A hand is at the box: open the output, a strike may follow.
  case warmUp
  /// Silence what rings, as a hand does it.
  case damp
  /// Read the levels of these lines, and answer with `ApplianceEvent.levels` before any other news.
  /// The answer leaves out a line that cannot be read or has edges still to be told.
  case readLevels(LineSet)
  /// These lines alone are to be deaf from now on: their edges are noise, and nothing is done with
  /// them.
  case mask(LineSet)
}
