import Bells
import Controls
import Ticks
import TimerMachine

// What is heard beside the bells of a sit: answers to a hand, a bell by command, what sounds under
// a sit; and how loud all of it is.
extension Appliance {
  /// The volumes of the output.
  public var volumes: Volumes { ApplianceSettings.volumes(volume, roleVolumes) }

  /// The sounds there are.
  public var sounds: [Sound] { settings.sounds }

  mutating func setVolume(_ percent: Int) {
    precondition((0...100).contains(percent), "a volume lies between 0 and 100")
    guard percent != volume else { return }
    volume = percent
    put(.volumes(volumes))
    tell(.volume(percent))
  }

  mutating func setVolume(of role: BellRole, _ percent: Int?) {
    precondition((0...100).contains(percent ?? 0), "a volume lies between 0 and 100")
    guard percent != roleVolumes[Int(role.rawValue)] else { return }
    roleVolumes[Int(role.rawValue)] = percent
    put(.volumes(volumes))
  }

  /// Rings a sound once, at full strike; that of the end bell if none is named.
  mutating func ring(_ sound: Int?) {
    let bell = endBell
    let wanted = sound ?? bell.sound ?? 0
    precondition(sounds.indices.contains(wanted), "there is such a sound")
    planner.ring(wanted, gain: bell.gain, at: readiness.earliestStrike(at: now), now: now)
  }

  /// The bell that a hand would hear at the end: that of the sit, or of the chosen programme.
  private var endBell: BellRecipe {
    phase == .idle ? recipes(of: chosen)[Int(BellRole.end.rawValue)] : planner[.end]
  }

  // MARK: - Answers

  /// Answers a hand whose command was carried out or refused.
  /// - Parameter isLengthChanged: whether it has changed the length: at the ends of the range it
  ///   does not.
  ///   - isProgrammeChanged: whether it has chosen another programme.
  mutating func answer(
    _ command: PanelCommand, isRefused: Bool, isLengthChanged: Bool, isProgrammeChanged: Bool
  ) {
    let cue: Cue? =
      isRefused
      ? .no : isProgrammeChanged ? chosenCue(for: command) : cue(for: command, isLengthChanged)
    if let cue { give(cue) }
  }

  private func chosenCue(for command: PanelCommand) -> Cue {
    if case .startProgramme = command { return .yes }
    return .programme
  }

  /// What answers a command that was carried out; nil where the light answers, or the picture, or
  /// nothing has happened.
  private func cue(for command: PanelCommand, _ isLengthChanged: Bool) -> Cue? {
    switch command {
    case .changeLength: isLengthChanged ? lengthCue : nil
    case .changeVolume(_, let isHeard): isHeard ? .volume : nil
    case .start, .startLast, .startLength, .startProgramme, .skip, .discard, .end, .accept: .yes
    case .nextProgramme: .programme
    case .pause: .pause
    case .resume: .resume
    case .rate: choices.hasRating ? .rating : nil
    case .askDelete: phase == .ended ? .ask : .yes
    case .wake, .changeChoice, .toggleBlackout, .toggleTime, .refuseLocked: nil
    }
  }

  private var lengthCue: Cue? {
    switch settings.cues.detent {
    case .never: return nil
    case .dark where !isBlackedOut && isFaceSeen: return nil
    case .dark, .always: break
    }
    return setSpan.nanoseconds % Span.minutes(5).nanoseconds == 0 ? .fifthMinute : .detent
  }

  /// Gives an answer, unless the output cannot sound while it still answers anything.
  mutating func give(_ cue: Cue) {
    guard settings.cues.hasTaps || !cue.isTap else { return }
    let earliest = readiness.earliestStrike(at: now)
    guard earliest <= now + CuePlanner.latestSpan else { return }
    let strikes = strikes(of: cue)
    cuePlanner.give(
      cue, strikes, earliest: earliest, firstNumber: planner.takeNumbers(strikes.sounds.count))
  }

  /// The table of what is heard: taps and ticks as loud as the role of cues says, the volume at its
  /// own.
  private func strikes(of cue: Cue) -> CueStrikes {
    switch cue {
    case .yes, .resume: taps(1)
    case .pause: taps(0, low: 1)
    case .no: taps(0, low: 2)
    case .ask: taps(2)
    case .rating: taps(over.rating ?? 1)
    case .programme: place(chosenPlace + 1)
    case .detent: sounds("tick")
    case .fifthMinute: sounds("tick-low")
    case .volume:
      CueStrikes(
        sounds: [endBell.sound ?? 0], gain: endBell.gain, strength: Appliance.softStrength,
        channel: 0)
    }
  }

  /// A place in the list of programmes. Five taps can still be counted without counting, and more
  /// cannot: from the sixth on a low tap after the others stands for five, so that six is tap, low;
  /// seven is tap, tap, low; eleven is tap, low, low. It begins with a soft tap, and no refusal
  /// does.
  private func place(_ place: Int) -> CueStrikes {
    let fives = (place - 1) / 5
    return taps(place - 5 * fives, low: fives)
  }

  private func taps(_ soft: Int, low: Int = 0) -> CueStrikes {
    var strikes = sounds("tap")
    let lower = settings.sound(named: "tap-low") ?? 0
    strikes.sounds =
      Array(repeating: strikes.sounds[0], count: soft) + Array(repeating: lower, count: low)
    return strikes
  }

  private func sounds(_ name: String) -> CueStrikes {
    CueStrikes(
      sounds: [settings.sound(named: name) ?? 0], gain: settings.cues.gain, strength: 1,
      channel: BellPlanner.channel(of: .cue))
  }

  /// How hard a mallet comes that shows a volume and does not call.
  static let softStrength: Float = 0.4

  // MARK: - Under a sit

  /// Tells the output that a sit has begun or is over, and what sounds under it: from the first
  /// preparation to the end, but not in a pause.
  mutating func soundUnder(from: Phase, to: Phase) {
    if from.isOfSit != to.isOfSit { put(.sitting(to.isOfSit)) }
    guard let ambient = settings.ambient, from.hasAmbient != to.hasAmbient else { return }
    put(.ambient(to.hasAmbient ? ambient : nil))
  }
}

extension Phase {
  fileprivate var isOfSit: Bool {
    switch self {
    case .idle, .ended: false
    case .preparing, .running, .paused, .overtime: true
    }
  }

  fileprivate var hasAmbient: Bool { isOfSit && self != .paused }
}
