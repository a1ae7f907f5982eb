import Appliance
import Bells
import Box
import LinuxIO
import Sessions
import Settings
import Ticks
import TimerMachine
import Zones

extension Verb {
  static let plan = Verb(
    "plan", "[PROGRAMME|LENGTH] [--until HH:MM] [--open] [--seed N]", words: 0...1,
    "print the bells of a sit before you sit",
    details: """
      Without PROGRAMME it is the chosen one, and a LENGTH, --until or --open is one of simple. Each
      line is a bell: when it rings after the start, at what time if the sit began now (where the
      time is known), its role, its sound and how often it is struck. Interval bells that a sit of
      this length never rings are named under it: the sit is begun all the same. Random bells are
      drawn with the seed that is named; each sit draws its own.
      """,
    options: [
      Option(name: "--until", value: "HH:MM", help: "a sit that ends at a time of the clock"),
      Option(name: "--open", value: nil, help: "a sit without a planned end"),
      Option(name: "--seed", value: "N", help: "draw random bells with this seed (0)"),
    ], run: PlanVerb.run)
}

enum PlanVerb {
  static func run(_ options: Options) throws(VerbError) -> ExitStatus {
    let (configuration, sounds) = try Places.configurationAndSounds(options)
    let list = configuration.programmes(
      sounds: sounds, definitions: try StoreFile(options).store.definitions)
    var settings = configuration.appliance(sounds: sounds)
    settings.programmes = list.programmes
    LocalSettings.look(state: Places.stateFolder(options)).file.apply(to: &settings)
    let clock = PlanClock()
    let programme = try programme(options, settings, list)
    let plan = PrintedPlan(
      programme: programme, length: try length(options, programme, settings, clock),
      seed: try seed(options), sounds: sounds)
    if options.has("--json") {
      Output.write(plan.json(clock).encoded() + [UInt8(ascii: "\n")])
    } else {
      Output.write(plan.text(clock))
    }
    return .done
  }

  /// The option or the word that says how long a sit of `simple` is; nil for a programme's name.
  private static func isLength(_ word: String) -> Bool { word.first?.isNumber == true }

  private static func programme(
    _ options: Options, _ settings: ApplianceSettings, _ list: ProgrammeList
  ) throws(VerbError) -> Programme {
    let ends = ["--until", "--open"].filter { options.has($0) }
    if ends.count == 2 { throw Verb.plan.usageError("found --until and --open, expected one") }
    let word = options.words.first
    if let word, let end = ends.first {
      throw Verb.plan.usageError("found \(quoted(word)) and \(end), expected one of them")
    }
    let simple = Programme.simple.name
    let isOfSimple = !ends.isEmpty || word.map(isLength) == true
    let name = isOfSimple ? simple : word ?? settings.programme
    if let programme = settings.programmes.first(where: { $0.name == name }) { return programme }
    // A choice that there is not now stands for the first.
    if word == nil, let first = settings.programmes.first { return first }
    for flaw in list.flaws { Output.complain("timerbox: \(StoreWords.plain(flaw.text))") }
    let names = settings.programmes.map(\.name)
    throw VerbError(
      status: .usage,
      message: "found the programme \(quoted(name)), expected \(names.joined(separator: ", "))"
        + suggestion(for: name, among: names))
  }

  /// How long the sit is; nil for an open one.
  private static func length(
    _ options: Options, _ programme: Programme, _ settings: ApplianceSettings, _ clock: PlanClock
  ) throws(VerbError) -> Span? {
    if options.has("--open") { return nil }
    if let text = options.value("--until") {
      guard let time = Configuration.timeOfDay(text) else {
        throw Verb.plan.usageError("--until: found \(quoted(text)), expected a time such as 07:00")
      }
      return try clock.length(until: time, programme)
    }
    if let word = options.words.first, isLength(word) {
      guard let span = try? Span(length: word), Verb.startRange.contains(span) else {
        throw Verb.plan.usageError(Verb.lengthRefusal(word))
      }
      return span
    }
    switch programme.length {
    case .set: return settings.length
    case .fixed: return programme.plan.length
    case .open: return nil
    case .until(let time): return try clock.length(until: time, programme)
    }
  }

  private static func seed(_ options: Options) throws(VerbError) -> UInt64 {
    guard let text = options.value("--seed") else { return 0 }
    guard let seed = UInt64(text) else {
      throw Verb.plan.usageError("--seed: found \(quoted(text)), expected a whole number")
    }
    return seed
  }
}

/// The wall clock as a plan needs it: the time of day of a sit that begins now.
struct PlanClock {
  var now = WallInstant(nanoseconds: Clock.wall())
  var zone = (try? Inputs.zone(Machine.zoneName())) ?? ZoneRules.utc
  var isKnown = Clock.wallIsKnown()

  /// How long a sit of a programme is that goes on until the clock shows a time, if it is begun
  /// now. What a box would refuse is refused in its words.
  func length(until time: Span, _ programme: Programme) throws(VerbError) -> Span {
    let seconds = Span.milliseconds(now.milliseconds).wholeSeconds
    guard isKnown, let end = zone.nextShowing(of: time.wholeSeconds, after: seconds) else {
      throw VerbError(status: .notHeld, message: "the time of day is not known")
    }
    let left = Span.milliseconds(end.unixSeconds * 1_000 - now.milliseconds)
    let length = left - programme.plan.preparation
    guard length >= .seconds(1) else {
      throw VerbError(status: .notHeld, message: Refusal.noTimeLeft.reason.description)
    }
    return length
  }

  /// The time of day so long after now, as `HH:MM:SS`.
  func time(after span: Span) -> String {
    let instant = WallInstant(milliseconds: now.milliseconds + span.nanoseconds / 1_000_000)
    let text = instant.text(offsetSeconds: zone.offsetSeconds(at: instant))
    return String(text.dropFirst(11).prefix(8))
  }
}
