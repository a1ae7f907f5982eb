import Controls
import RemoteFront
import Ticks
import TimerMachine

// What the panels ask for, carried out; and what the fronts show beside the timer.
extension Appliance {
  /// The names of all cells that can have the remote's focus, with these programmes.
  public static func focusNames(programmes: [String]) -> [String] {
    RemotePanel(programmes: programmes, setLength: .zero).focusNames
  }

  /// The name of the cell that has the remote's focus; nil where there is none.
  public var focus: String? { remote?.focus }

  /// Whether the remote's front asks if the sit shall end.
  public var isAskingEnd: Bool { remote?.isAsking ?? false }

  /// Whether the picture is ambient and dim, because nobody has touched anything in a long pause.
  public var isDimmed: Bool { remote?.isDimmed ?? false }

  /// What the status lamp shows.
  public var lamp: Lamp { Lamp(in: phase, isDark: isBlackedOut, isCalled: call != nil) }

  mutating func carryOut(_ command: PanelCommand) {
    switch command {
    case .wake: isBlackedOut = false
    case .changeLength(let steps, let isFast): changeLength(steps, isFast: isFast)
    case .changeVolume(let steps, _): changeVolume(steps)
    case .start: start(.set)
    case .startLast: start(lastLength)
    case .startLength(let span): start(.fixed(span))
    case .startProgramme(let place): startProgramme(place)
    // After the last programme comes the first.
    case .nextProgramme: choose((chosenPlace + 1) % programmes.count)
    case .changeChoice(let choice): change(choice)
    case .toggleBlackout: isBlackedOut.toggle()
    case .toggleTime: if phase == .running { isTimeHidden.toggle() }
    case .skip: time(.skip)
    case .discard: time(.discard)
    case .pause: time(.pause)
    case .resume: time(.resume)
    case .end: time(.stop)
    case .accept: time(.accept)
    case .rate(let steps): rate(steps)
    case .askDelete: askDelete()
    case .refuseLocked: refuse("crown", "the crown is locked")
    }
  }

  /// A programme that is begun from the focus row is also chosen.
  private mutating func startProgramme(_ place: Int) {
    let name = programmes[place].name
    start(.programme(name))
    if phase == .preparing { choose(place) }
  }

  /// The length that is set is that of `simple`: a turn goes back to it from a programme that
  /// brings its own, and counts from its first detent on.
  private mutating func changeLength(_ steps: Int, isFast: Bool) {
    if !chosen.isSimple { choose(programmes.simplePlace) }
    let change = isFast ? settings.fastStepSpan : settings.stepSpan
    let wanted = setSpan + change * Int64(steps)
    let range = Appliance.knobRange
    let length = min(max(wanted, range.lowerBound), range.upperBound)
    guard length != setSpan else { return }
    setSpan = length
    tell(.set(length))
  }

  private mutating func changeVolume(_ steps: Int) {
    let wanted = volume + steps * Appliance.volumeStepPercent
    // Whoever is below the floor by command is not lifted by a turn towards silence.
    let floor = min(volume, Appliance.volumeFloorPercent)
    setVolume(min(max(wanted, floor), 100))
  }

  private mutating func change(_ choice: PanelChoice) {
    choices.change(choice)
  }
}
