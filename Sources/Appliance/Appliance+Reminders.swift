import Bells
import Controls
import CrownFront
import Ticks
import TimerMachine

/// A reminder that calls.
struct Call {
  var reminder: ReminderCall
  /// When it is over by itself.
  var until: Instant
  /// Whether it wakes somebody, until a hand comes.
  var isWaking: Bool
}

// A reminder calls for `callSpan`, and shows it by the lamp; never in a sit. While it calls:
// - what begins a sit by hand begins the reminder's programme;
// - what darkens or lights the face ends the call instead;
// - whoever sets the length, a programme or a choice wants something else: the call is over;
// - any hand that comes while it wakes makes it quiet, and its whole gesture does nothing else.
//   After that the call goes on without a sound.
//
// With `start = auto` a soft one begins its programme as it rings; one that wakes does so when it
// has become quiet, by a hand or by itself.
extension Appliance {
  /// How long a reminder calls, and the longest that one wakes.
  public static let callSpan = Span.minutes(5)

  /// The name of the reminder that calls; nil when none does.
  public var reminder: String? { call?.reminder.name }

  /// Whether it wakes somebody, and no hand has come yet.
  public var isWaking: Bool { call?.isWaking == true }

  mutating func take(_ reminder: ReminderCall) {
    guard phase == .idle || phase == .ended else { return }
    // A sleeper is woken to the end: what is soft would make the crescendo silent.
    if call?.isWaking == true && reminder.kind != .wake { return }
    endCall()
    let isWaking = reminder.kind == .wake
    call = Call(reminder: reminder, until: now + Appliance.callSpan, isWaking: isWaking)
    tell(.reminder(reminder.name))
    if reminder.isAuto && !isWaking { beginByItself(isUnattended: true) }
    // No two bells begin within the same tick.
    if phase != .running && timer.remaining(at: now) ?? .seconds(1) >= .seconds(1) {
      planner.remind(recipe(of: reminder), at: readiness.earliestStrike(at: now))
    }
  }

  /// Ends the call at its time: what rings rings out.
  mutating func advanceCall(to instant: Instant) {
    guard let call, call.until <= instant else { return }
    if call.reminder.isAuto && call.isWaking { beginByItself(isUnattended: true) }
    if self.call != nil { forgetCall() }
  }

  /// Ends the call, and with it its strikes.
  mutating func endCall() {
    guard call != nil else { return }
    hush()
    forgetCall()
  }

  /// Takes an input that makes a waking call quiet, or belongs to the gesture that did.
  /// - Returns: whether it does nothing else.
  mutating func silenceCall(_ input: Input) -> Bool {
    guard let waking = call, waking.isWaking, input.isOfHand else {
      return swallowing.takes(input, doubleSpan: settings.controls.doubleSpan)
    }
    swallowing.begin(with: input)
    hush()
    guard waking.reminder.isAuto else { return true }
    beginByItself(isUnattended: false)
    give(phase == .idle || phase == .ended ? .no : .yes)
    return true
  }

  /// Carries out what a hand asks for while a reminder calls, where it then means something else.
  /// - Returns: the command as which it is to be answered; nil where it means what it always does.
  mutating func answerCall(_ command: PanelCommand) -> PanelCommand? {
    guard let call, !call.isWaking else { return nil }
    switch command {
    case .start, .startLast, .startLength, .startProgramme, .accept:
      start(call.reminder.length)
      return .start
    case .toggleBlackout:
      endCall()
      return .accept
    case .changeLength, .nextProgramme, .changeChoice:
      endCall()
      return nil
    case .wake, .changeVolume, .toggleTime, .skip, .discard, .pause, .resume, .end, .rate,
      .askDelete, .refuseLocked:
      return nil
    }
  }

  /// The programme of the reminder begins without being asked for: not beside a sit elsewhere.
  /// - Parameter isUnattended: whether no hand has come; then nothing is credited before one does.
  private mutating func beginByItself(isUnattended: Bool) {
    guard let reminder = call?.reminder, elsewhere == nil else { return }
    start(reminder.length, isUnattended: isUnattended)
    settleTimer()
  }

  private mutating func hush() {
    guard let waking = call else { return }
    planner.cancelReminder()
    publish()
    if waking.isWaking { put(.damp) }
    call?.isWaking = false
  }

  private mutating func forgetCall() {
    call = nil
    tell(.reminder(nil))
  }

  /// One soft strike, or the crescendo, with the sound and the level of the role.
  private func recipe(of reminder: ReminderCall) -> BellRecipe {
    let place = reminder.programme.flatMap { programmes.place(of: $0) }
    let bells = programmes[place ?? programmes.simplePlace].bells
    var recipe = bells[Int(BellRole.reminder.rawValue)]
    switch reminder.kind {
    case .soft:
      let beat = StrikePattern.Beat(offset: .zero, strength: Appliance.softStrength)
      recipe.pattern = StrikePattern([beat])
    case .wake: recipe.pattern = .wake
    }
    return recipe
  }
}

extension ReminderCall {
  /// What it begins.
  fileprivate var length: SitLength { programme.map { .programme($0) } ?? .set }
}

/// The gesture by which a hand made a waking call quiet. It is swallowed whole: all that comes of
/// the same press, a double click too, and a turn until the knob has rested.
struct Swallowing {
  private var button: Button?
  private var released: Instant?
  private var turnEnd = Instant(nanoseconds: .min)

  /// A hand has come.
  mutating func begin(with input: Input) {
    if case .detent = input.kind {
      turnEnd = input.at + CrownPanel.restSpan
    } else {
      button = input.button
      released = nil
    }
  }

  /// Takes an input.
  /// - Returns: whether it belongs to the gesture.
  mutating func takes(_ input: Input, doubleSpan: Span) -> Bool {
    if case .detent(_, _, let isHeld) = input.kind {
      guard input.at < turnEnd || (isHeld && button == .crown) else { return false }
      turnEnd = input.at + CrownPanel.restSpan
      return true
    }
    guard button == input.button else { return false }
    switch input.kind {
    case .press:
      // The second press of a double click; any later one is a new gesture.
      let isSecond = released.map { input.at < $0 + doubleSpan } ?? false
      if !isSecond { button = nil }
      return isSecond
    case .release: released = input.at
    case .click, .double, .long: button = nil
    case .repeat, .detent: break
    }
    return true
  }
}

extension ApplianceCommand {
  /// Whether it is asked by somebody who sits here: a volume or a choice may be set by a program at
  /// night.
  var isOfHand: Bool {
    switch self {
    case .start, .timer, .undo: true
    case .choose, .setRating, .setPicture, .setVolume, .setRoleVolume, .ring: false
    }
  }
}

extension Input {
  /// Whether it is a new act of a hand: what follows a press belongs to it.
  var isOfHand: Bool {
    switch kind {
    case .press, .detent: true
    case .release, .click, .double, .long, .repeat: false
    }
  }
}
