import Appliance
import Bells
import Box
import Ticks
import TimerMachine

/// `[sit]`.
public struct SitSettings: Equatable, Sendable {
  /// How long a sit lasts.
  public var length: Span
  /// The time between the press and the start bell; zero for none.
  public var preparation: Span
  /// A sit that ends early is kept if it lasted this long.
  public var minimum: Span
  /// Whether a sit goes on after its end bell.
  public var hasOvertime: Bool
  /// When overtime ends by itself.
  public var overtimeLimit: Span
  /// When an open-ended sit ends by itself.
  public var openLimit: Span
  /// What becomes of a sit after an outage of unknown length.
  public var recover: RecoverPolicy
}

/// `[interval]`.
public struct IntervalSettings: Equatable, Sendable {
  /// The span between interval bells, from the start; nil for none.
  public var every: Span?
  /// Bells at parts of the sit.
  public var fractions: [IntervalPlan.Fraction] = []
  /// Bells at these spans after the start.
  public var at: [Span] = []
  /// Bells at these spans before the planned end.
  public var fromEnd: [Span] = []
  /// So many bells at random.
  public var random = 0
  /// Where they ring, as spans after the start; nil for the whole sit.
  public var randomWindow: ClosedRange<Span>?
  /// The most interval bells; nil for all.
  public var count: Int?

  /// The same for the timer.
  var plan: IntervalPlan {
    var plan = IntervalPlan(every: every)
    plan.fractions = fractions
    plan.at = at
    plan.fromEnd = fromEnd
    plan.random = random
    plan.randomWindow = randomWindow
    plan.count = count
    return plan
  }
}

/// `[bell ROLE]`.
public struct BellSettings: Equatable, Sendable {
  /// The sound's name; nil for a silent role.
  public var sound: String?
  /// How often it is struck, at least once.
  public var strikes: Int
  /// The span from one strike to the next.
  public var gap: Span
  /// The strikes in place of those; nil for none.
  public var pattern: StrikePattern?
  /// Its level in decibels; 0 as it is.
  public var levelDecibels: Double
}

/// The bells of all roles.
public struct BellsSettings: Equatable, Sendable {
  /// `[bell start]`.
  public var start: BellSettings
  /// `[bell interval]`.
  public var interval: BellSettings
  /// `[bell segment]`.
  public var segment: BellSettings
  /// `[bell end]`.
  public var end: BellSettings
  /// `[bell reminder]`.
  public var reminder: BellSettings
  /// `[bell cue]`.
  public var cue: BellSettings
}

/// `[crown]`.
public struct CrownSettings: Equatable, Sendable {
  /// 1, 2 or 4.
  public var detentsPerCycle: Int
  /// Whether the lines are swapped.
  public var isReversed: Bool
  /// What one detent adds to the length.
  public var step: Span
  /// What one detent of a fast turn adds.
  public var fastStep: Span
  /// Whether only a long press acts while a sit runs.
  public var isLocked: Bool
}

/// `[button]`.
public struct ButtonSettings: Equatable, Sendable {
  /// How long a level must be stable to count.
  public var debounce: Span
  /// The longest span from a release to the second press of a double click.
  public var double: Span
  /// How long a press is held to be a long one.
  public var long: Span
  /// How long an arrow is held before it repeats.
  public var repeatAfter: Span
  /// The span between repeats.
  public var repeatEvery: Span
}

/// `[sound]`.
public struct SoundSettings: Equatable, Sendable {
  /// The ALSA device.
  public var device: String
  /// The devices to try when that one is away.
  public var fallback: [String]
  /// Silence before the first strike; nil to go by the output.
  public var leadIn: Span?
  /// When the output is kept open; nil to go by the output.
  public var keepAlive: KeepAlive?
  /// How much later a strike is heard than the card says.
  public var offsets: OutputOffsets
  /// How late a bell may still ring.
  public var latest: Span
  /// What the loudspeaker is.
  public var speaker: Speaker
  /// What sounds under a sit.
  public var ambient: AmbientSound?
}

/// `[store]`.
public struct StoreSettings: Equatable, Sendable {
  /// The shared folder; nil for the one of the installation.
  public var folder: String?
  /// What people call this device; nil where they gave it no name.
  public var deviceName: String?
}

/// `[day]`.
public struct DaySettings: Equatable, Sendable {
  /// When a day begins, as the span since midnight.
  public var starts: Span
  /// Days off that keep a streak.
  public var grace: Int
  /// Whether anything here tells of streaks.
  public var showsStreaks: Bool
}

extension Configuration {
  /// `[sit]`.
  public var sit: SitSettings {
    SitSettings(
      length: span("sit.length"), preparation: span("sit.preparation"),
      minimum: span("sit.minimum"), hasOvertime: flag("sit.overtime"),
      overtimeLimit: span("sit.overtime-limit"), openLimit: span("sit.open-limit"),
      recover: RecoverPolicy(rawValue: string("sit.recover") ?? "") ?? .resume)
  }

  /// `[interval]`.
  public var interval: IntervalSettings {
    let every = span("interval.every")
    var settings = IntervalSettings(every: every == .zero ? nil : every)
    if case .fractions(let fractions) = value(of: "interval.fractions") {
      settings.fractions = fractions
    }
    settings.at = lengths("interval.at")
    settings.fromEnd = lengths("interval.from-end")
    if case .random(let count, let window) = value(of: "interval.random") {
      settings.random = count
      settings.randomWindow = window
    }
    if case .count(let count) = value(of: "interval.count") { settings.count = count }
    return settings
  }

  /// `[bell ROLE]` for each role.
  public var bells: BellsSettings {
    BellsSettings(
      start: bell("start"), interval: bell("interval"), segment: bell("segment"),
      end: bell("end"), reminder: bell("reminder"), cue: bell("cue"))
  }

  /// `[crown]`.
  public var crown: CrownSettings {
    CrownSettings(
      detentsPerCycle: count("crown.detents-per-cycle"), isReversed: flag("crown.reverse"),
      step: span("crown.step"), fastStep: span("crown.fast-step"), isLocked: flag("crown.lock"))
  }

  /// `[button]`.
  public var button: ButtonSettings {
    ButtonSettings(
      debounce: span("button.debounce"), double: span("button.double"),
      long: span("button.long"), repeatAfter: span("button.repeat-after"),
      repeatEvery: span("button.repeat-every"))
  }

  /// `[sound]`.
  public var sound: SoundSettings {
    SoundSettings(
      device: string("sound.device") ?? "", fallback: list("sound.fallback"),
      leadIn: optionalSpan("sound.lead-in"), keepAlive: keepAlive, offsets: offsets,
      latest: span("sound.latest"), speaker: string("sound.speaker") == "small" ? .small : .full,
      ambient: AmbientSound.allCases.first { "\($0.name)" == string("sound.ambient") })
  }

  /// `[cue]`.
  public var cue: CueSettings {
    var cue = CueSettings()
    cue.hasTaps = flag("cue.tap")
    switch string("cue.detent") {
    case "always": cue.detent = .always
    case "never": cue.detent = .never
    default: cue.detent = .dark
    }
    return cue
  }

  private var keepAlive: KeepAlive? {
    switch string("sound.keep-alive") {
    case "sit": .sit
    case "never": .never
    case "always": .always
    default: nil
    }
  }

  private var offsets: OutputOffsets {
    guard case .offsets(let offsets) = value(of: "sound.offset") else { wrongKind("sound.offset") }
    return offsets
  }

  /// `[store]`.
  public var store: StoreSettings {
    StoreSettings(folder: string("store.folder"), deviceName: string("store.device-name"))
  }

  /// `[day]`.
  public var day: DaySettings {
    DaySettings(
      starts: span("day.starts"), grace: count("day.grace"), showsStreaks: flag("day.streak"))
  }

  private func bell(_ role: String) -> BellSettings {
    let section = "bell.\(role)."
    let sound = string(section + "sound")
    guard case .decibels(let level) = value(of: section + "level") else {
      wrongKind(section + "level")
    }
    return BellSettings(
      sound: sound == "none" ? nil : sound, strikes: count(section + "strikes"),
      gap: span(section + "gap"), pattern: pattern(section + "pattern"), levelDecibels: level)
  }

  func span(_ key: String) -> Span {
    guard let span = optionalSpan(key) else { wrongKind(key) }
    return span
  }

  private func optionalSpan(_ key: String) -> Span? {
    switch value(of: key) {
    case .length(let span): return span
    case .unset: return nil
    default: wrongKind(key)
    }
  }

  private func string(_ key: String) -> String? {
    switch value(of: key) {
    case .text(let text): return text
    case .unset: return nil
    default: wrongKind(key)
    }
  }

  private func lengths(_ key: String) -> [Span] {
    switch value(of: key) {
    case .lengths(let lengths): return lengths
    case .unset: return []
    default: wrongKind(key)
    }
  }

  private func list(_ key: String) -> [String] {
    switch value(of: key) {
    case .list(let list): return list
    case .unset: return []
    default: wrongKind(key)
    }
  }

  private func pattern(_ key: String) -> StrikePattern? {
    switch value(of: key) {
    case .pattern(let pattern): return pattern
    case .unset: return nil
    default: wrongKind(key)
    }
  }

  private func flag(_ key: String) -> Bool {
    guard case .flag(let flag) = value(of: key) else { wrongKind(key) }
    return flag
  }

  func count(_ key: String) -> Int {
    guard case .count(let count) = value(of: key) else { wrongKind(key) }
    return count
  }

  private func wrongKind(_ key: String) -> Never {
    preconditionFailure("the table gives \(key) another kind")
  }
}
