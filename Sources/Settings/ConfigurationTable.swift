import Bells
import Box
import Ticks

// Every section and key of the configuration, in the order in which documents show them. Names and
// defaults are those of the contract; a range that the contract does not give is chosen here, and
// its reason stands beside it.

private typealias Key = ConfigurationKey

/// The longest sit that a command can ask for.
private let sevenDays = Span.hours(168)

private let sitKeys = [
  Key("sit", "length", .length(.minutes(1)...sevenDays), "20m", "How long a sit lasts."),
  Key(
    "sit", "preparation", .length(.zero ... .minutes(30)), "10s",
    "The time between the press and the start bell."),
  Key(
    "sit", "minimum", .length(.zero ... .hours(1)), "60s",
    "A sit that ends early is kept if it lasted this long."),
  Key("sit", "overtime", .yesOrNo, "no", "Whether a sit goes on after its end bell until a press."),
  Key(
    "sit", "overtime-limit", .length(.minutes(1)...(.hours(24))), "60m",
    "When overtime ends by itself."),
  Key(
    "sit", "open-limit", .length(.minutes(1)...sevenDays), "3h",
    "When an open-ended sit ends by itself."),
  Key(
    "sit", "recover", .words(RecoverPolicy.allCases.map(\.rawValue)), "resume",
    "What becomes of a sit after an outage of unknown length."),
]

private let intervalKeys = [
  // No two bells begin within one tick, so a second is the least.
  Key(
    "interval", "every", .lengthOrZero(.seconds(1)...sevenDays), "0",
    "A bell after each such span, counted from the start; 0 for none."),
  Key(
    "interval", "fractions", .fractions, "",
    "Bells at parts of the sit; none in an open one."),
  Key(
    "interval", "at", .lengths(.seconds(1)...sevenDays), "",
    "Bells at these spans after the start."),
  Key(
    "interval", "from-end", .lengths(.seconds(1)...sevenDays), "",
    "Bells at these spans before the planned end; none in an open sit."),
  Key(
    "interval", "random", .random(0...1_000), "0",
    "So many bells at random, one somewhere in each of as many equal parts of the sit, or of a "
      + "window after its start as 3 in 5m..25m says."),
  Key(
    "interval", "count", .count(1...10_000), "",
    "The most interval bells of a sit, random ones too: the first ones; all if empty."),
]

/// The roles of bells that a configuration names.
private let bellRoles = ["start", "interval", "segment", "end", "reminder", "cue"]

private func bellKeys(_ role: String) -> [Key] {
  let section = "bell " + role
  return [
    Key(
      section, "sound", .sound, "large-bowl",
      "The sound, or none to silence the role."),
    // A mala has 108 beads; nobody is served by more.
    Key(
      section, "strikes", .count(1...108), role == "end" ? "3" : "1",
      "How often it is struck."),
    Key(
      section, "gap", .length(.milliseconds(500)...(.minutes(1))), "6s",
      "The span from one strike to the next."),
    Key(
      section, "pattern", .pattern, "",
      "Strikes at chosen offsets, each with its strength, in place of strikes and gap."),
    // Below −60 dB nothing is heard; above +12 dB the limiter would do all the work.
    Key(
      section, "level", .decibels(-60...12), "0 dB",
      role == "cue"
        ? "How loud the answers to a hand are, and the sign of a long pause."
        : "How loud it is beside the other bells."),
  ]
}

private let crownKeys = [
  Key(
    "crown", "detents-per-cycle", .countAmong([1, 2, 4]), "1", isOfBoard: true,
    "How many clicks of the hand one full cycle of both lines has."),
  Key("crown", "reverse", .yesOrNo, "no", isOfBoard: true, "Whether the lines are swapped."),
  Key(
    "crown", "step", .length(.seconds(1)...(.hours(1))), "1m",
    "What one detent adds to the length."),
  Key(
    "crown", "fast-step", .length(.seconds(1)...(.hours(1))), "5m",
    "What one detent of a fast turn adds."),
  Key("crown", "lock", .yesOrNo, "no", "Whether only a long press acts while a sit runs."),
]

private let buttonKeys = [
  // Contacts bounce for a few milliseconds; what is longer than 100 ms is felt as a delay.
  Key(
    "button", "debounce", .length(.zero ... .milliseconds(100)), "10ms", isOfBoard: true,
    "How long a level must be stable to count."),
  Key(
    "button", "double", .length(.milliseconds(50)...(.seconds(2))), "350ms", isOfBoard: true,
    "The longest span from a release to the second press of a double click."),
  Key(
    "button", "long", .length(.milliseconds(100)...(.seconds(10))), "600ms", isOfBoard: true,
    "How long a press is held to be a long one."),
  Key(
    "button", "repeat-after", .length(.milliseconds(100)...(.seconds(10))), "600ms",
    isOfBoard: true, "How long an arrow is held before it repeats."),
  Key(
    "button", "repeat-every", .length(.milliseconds(20)...(.seconds(5))), "150ms",
    isOfBoard: true, "The span between repeats."),
]

private let soundKeys = [
  Key("sound", "device", .device, "default", "The ALSA device that bells ring on."),
  Key("sound", "fallback", .devices, "", "The devices to try when that one is away."),
  Key(
    "sound", "lead-in", .length(.zero ... .seconds(10)), "",
    "Silence before the first strike after opening; by the output if empty."),
  Key(
    "sound", "keep-alive", .words(["sit", "never", "always"]), "",
    "When the output is kept open; by the output if empty."),
  Key(
    "sound", "offset", .offsets, "0",
    "How much later than the card says a strike is heard, as from a television; it is played so "
      + "much earlier."),
  Key(
    "sound", "latest", .length(.zero ... .minutes(1)), "5s",
    "A bell that is so late is missed; less late it still rings."),
  Key("sound", "speaker", .words(["full", "small"]), "full", "The loudspeaker."),
  Key(
    "sound", "ambient", .words(["none"] + AmbientSound.allCases.map { "\($0.name)" }), "none",
    "A sound under the sit."),
]

private let otherKeys = [
  Key(
    "cue", "detent", .words(["dark", "always", "never"]), "dark",
    "When a detent has a soft tick: while no face shows the length, always or never."),
  Key("cue", "tap", .yesOrNo, "yes", "Whether gestures are answered by taps."),
  Key(
    "day", "starts", .timeOfDay(.zero ... .hours(6)), "00:00",
    "When a day of practice begins; a sit before it counts for the evening before."),
  Key("day", "grace", .count(0...7), "0", "Days off that keep a streak."),
  Key("day", "streak", .yesOrNo, "yes", "Whether anything here tells of streaks."),
  Key(
    "store", "folder", .path, "",
    "The shared folder of replicas; the one of the installation if empty."),
  Key(
    "store", "device-name", .name, "",
    "What this device is called where another one tells of its sit; its number if empty."),
]

extension ConfigurationKey {
  /// Every key with a fixed section. Those of `[programme NAME]` and `[reminder NAME]` are in
  /// `NamedSection`.
  public static let all: [ConfigurationKey] =
    sitKeys + intervalKeys
    + bellRoles.flatMap(bellKeys)
    + crownKeys + buttonKeys + soundKeys + otherKeys

  /// The sections in order, each once.
  static let sections: [String] = all.reduce(into: []) { sections, key in
    if sections.last != key.section { sections.append(key.section) }
  }

  private static let byDottedName = Dictionary(
    uniqueKeysWithValues: all.map { ($0.dottedName, $0) })

  /// The key with a dotted name, such as `bell.end.strikes`.
  static func named(_ dottedName: String) -> ConfigurationKey? { byDottedName[dottedName] }
}
