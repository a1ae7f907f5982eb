import Ticks

// Sections that somebody names. A programme has keys of its own, and may have any key of [sit],
// [interval] and [bell ROLE] with its section before it, in the place of what that section says:
//
//     [programme evening]
//     segments = walk 10m, sit 25m
//     rounds = 2
//     sit.preparation = 0
//     bell.end.strikes = 2
//     bell.walk.begin.strikes = 2

/// `[programme NAME]` or `[reminder NAME]`: what somebody set in it.
struct NamedSection: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case programme, reminder
  }

  let kind: Kind
  let name: String
  /// Where it begins, if it stands in a file.
  let place: Place?
  /// In the order in which they were first set.
  private(set) var settings: [(key: String, setting: Setting)] = []

  init(kind: Kind, name: String, place: Place?) {
    self.kind = kind
    self.name = name
    self.place = place
  }

  subscript(key: String) -> Setting? { settings.first { $0.key == key }?.setting }

  mutating func set(_ key: String, to setting: Setting) {
    if let index = settings.firstIndex(where: { $0.key == key }) {
      settings[index].setting = setting
    } else {
      settings.append((key, setting))
    }
  }

  static func == (left: NamedSection, right: NamedSection) -> Bool {
    left.kind == right.kind && left.name == right.name && left.place == right.place
      && left.settings.elementsEqual(right.settings) { $0 == $1 }
  }

  /// What a section's name says; nil where it is of another kind, or has no name of its own.
  static func parts(ofSection text: String) -> (Kind, String)? {
    let words = text.split(separator: " ", maxSplits: 1).map { String($0) }
    guard words.count == 2, let kind = Kind(rawValue: words[0]) else { return nil }
    return (kind, words[1])
  }

  /// The parts of a dotted name, such as `programme.evening.sit.length`; nil where it is of another
  /// kind.
  static func parts(ofDotted text: String) -> (Kind, name: String, rest: String)? {
    let words = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
      .map { String($0) }
    guard words.count == 3, let kind = Kind(rawValue: words[0]) else { return nil }
    return (kind, words[1], words[2])
  }
}

extension NamedSection.Kind {
  /// The programme that is always there. It is what the plain sections say.
  static let simple = "simple"

  /// Refuses what a section of this kind cannot be called.
  func check(name: String, at place: Place?) throws(SettingsError) {
    guard ProgrammeName.isOne(name) else {
      throw SettingsError(
        .value(found: name, expected: ProgrammeName.expected, nearest: nil), at: place)
    }
    guard self == .programme, name == NamedSection.Kind.simple else { return }
    let expected = "another name; what simple is stands in [sit], [interval] and [bell ROLE]"
    throw SettingsError(.value(found: name, expected: expected, nearest: nil), at: place)
  }

  /// The key of a name within a section of this kind.
  func key(_ name: String, at place: Place?) throws(SettingsError) -> ConfigurationKey {
    if let row = key(named: name) { return row }
    throw SettingsError(
      .unknownKey(
        found: name, expected: expectedKey, nearest: nearest(to: name, among: names(for: name))),
      at: place)
  }

  /// The key of a name; nil where there is none.
  func key(named name: String) -> ConfigurationKey? {
    if let row = NamedSection.own[self]?.first(where: { $0.name == name }) { return row }
    guard self == .programme else { return nil }
    if let row = NamedSection.shared.first(where: { $0.name == name }) { return row }
    let words = name.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    guard words.count == 4, words[0] == "bell", NamedSection.edges.contains(words[2]),
      (try? SettingKind.name.read(words[1], at: nil)) != nil,
      let row = ConfigurationKey.named("bell.segment.\(words[3])")
    else { return nil }
    return row.renamed(name)
  }

  private var expectedKey: String {
    let own = (NamedSection.own[self] ?? []).map(\.name)
    switch self {
    case .programme:
      return own.joined(separator: ", ")
        + ", a key of [sit], [interval] or [bell ROLE] with its section before it, or a key such "
        + "as bell.walk.begin.strikes"
    case .reminder: return listed(own)
    }
  }

  /// The names that a misspelt one may have been.
  private func names(for name: String) -> [String] {
    let own = (NamedSection.own[self] ?? []).map(\.name)
    guard self == .programme else { return own }
    let words = name.split(separator: ".", omittingEmptySubsequences: false)
    // The kind of a segment is somebody's own word.
    let kind = words.count == 4 ? words[1] : "walk"
    let bells = NamedSection.edges.flatMap { edge in
      NamedSection.bellKeys.map { "bell.\(kind).\(edge).\($0)" }
    }
    return own + NamedSection.shared.map(\.name) + bells
  }
}

extension NamedSection {
  /// Where a kind of segment has bells of its own.
  static let edges = ["begin", "end"]
  /// The keys of a bell.
  static let bellKeys = ConfigurationKey.all.filter { $0.section == "bell segment" }.map(\.name)

  /// The keys that only a section of a kind has.
  fileprivate static let own: [Kind: [ConfigurationKey]] = [
    .programme: [
      ConfigurationKey(
        "", "segments", .segments, "",
        "Its stretches in order, each a kind and a length; one stretch of kind sit if empty."),
      ConfigurationKey(
        "", "rounds", .count(1...SettingKind.segmentsMax), "1", "How often they are gone through."),
      ConfigurationKey(
        "", "sit.length", .programmeLength(SettingKind.segmentRange), "",
        "How long it lasts where it has no segments; as in [sit] if empty."),
    ],
    .reminder: [
      ConfigurationKey(
        "", "at", .timeOfDay(.zero...(.minutes(1_439))), "07:00", "When it calls, in local time."),
      ConfigurationKey("", "days", .days, "daily", "On which days it calls."),
      ConfigurationKey(
        "", "programme", .programmeName, "", "What it begins; the chosen programme if empty."),
      ConfigurationKey(
        "", "kind", .words(["soft", "wake"]), "soft",
        "How it calls: with one soft strike, or with strikes that swell for up to five minutes."),
      ConfigurationKey(
        "", "start", .words(["press", "auto"]), "press",
        "Whether the sit begins at a press or by itself."),
    ],
  ]

  /// The keys of the plain sections that a programme may have. What becomes of a sit after an
  /// outage is the device's to say, whatever the sit was.
  fileprivate static let shared = ConfigurationKey.all.filter { key in
    ["sit", "interval", "bell"].contains(key.section.prefix { $0 != " " })
      && !["sit.length", "sit.recover"].contains(key.dottedName)
  }.map { $0.renamed($0.dottedName) }

  /// The keys of a kind of section, for whoever shows them.
  static func keys(of kind: Kind) -> [ConfigurationKey] { own[kind] ?? [] }
}

extension ConfigurationKey {
  /// The same under another name and without a section.
  fileprivate func renamed(_ name: String) -> ConfigurationKey {
    ConfigurationKey("", name, kind, standard, isOfBoard: isOfBoard, about)
  }
}
