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
  /// These are the programmes there are, in place of all before: at least one, no two of one name,
  /// and one with the length of the knob. A sit that is on keeps its plan and its bells.
  case programmes([Programme])
  /// When each programme of a time of day would end if it were begun now; one that is not among
  /// them cannot be begun, since the time of day is not known. To be told anew when the clock or
  /// the zone is set, and as soon as an end has passed.
  case untilEnds([UntilEnd])
  /// The clock was set: the sit that is on, and goes on until a time of day, ends at this instant.
  case endMoved(to: Instant)
  /// Whether and where another sit of the owner runs, as the reason for which a start is refused.
  case elsewhere(reason: String?)
  /// A reminder is due now.
  case reminder(ReminderCall)
  /// The machine slept, from the instant of this news to another. It is told before anything that
  /// is due after that instant is fired.
  case slept(to: Instant)
}

/// What a program may ask for. A front's gestures lead to the same work.
public enum ApplianceCommand: Equatable, Sendable {
  /// Begin a sit; with `anyway` also while one runs elsewhere.
  case start(SitLength, anyway: Bool = false)
  /// Choose the programme of a name for the sits to come.
  case choose(programme: String)
  /// Let a turn rate the sit that is over, or not.
  case setRating(Bool)
  /// Show another picture behind the time.
  case setPicture(Picture)
  /// Bring back the sit that a hand has deleted, until the next one begins.
  case undo
  /// A command of the timer's own; not a start.
  case timer(TimerEvent)
  /// Set the volume in percent, 0 to 100.
  case setVolume(Int)
  /// Set the volume of one role, 0 to 100, or let it follow the box's own again.
  case setRoleVolume(BellRole, Int?)
  /// Ring a sound once, by its position among the sounds; that of the end bell if nil.
  case ring(sound: Int?)
}

/// What a sit is to be.
public enum SitLength: Equatable, Sendable {
  /// The chosen programme; with `simple`, as long as the knob is set to.
  case set
  /// `simple`, this long.
  case fixed(Span)
  /// `simple`, until somebody ends it.
  case open
  /// `simple`, until an instant, whatever pauses it has.
  case until(Instant)
  /// The programme of this name.
  case programme(String)
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
  /// Another programme is chosen.
  case programme(String)
  /// A command was refused; nothing changed.
  case refused(command: StaticString, reason: String)
  /// A second passed; what is left in seconds.
  case tick(remaining: Int64)
  /// A sit began.
  case begun
  /// A sit is over and is to be kept.
  case closed(FinishedSit)
  /// A sit is over and is not kept.
  case discarded
  /// The sit that is over was rated, 1 to 5.
  case rated(Int)
  /// A hand was asked whether the sit that is over shall be deleted.
  case askedDelete
  /// The sit that was over was deleted by a hand.
  case deleted
  /// The sit that was deleted last is to be there again.
  case undone
  /// A hand was at the box: whoever sits there is awake.
  case touched
  /// A reminder of this name calls; nil when the call is over.
  case reminder(String?)
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
