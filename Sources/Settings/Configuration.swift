import Ticks

// Invariants:
// - `settings` holds what somebody set, by dotted name; every other key has its default.
// - Each held value was read by the kind of its key, so the typed views never fail.
// - A file is taken whole or not at all.

/// Where an effective value comes from.
public enum Origin: Equatable, Sendable {
  /// The table of defaults.
  case standard
  /// A file: the configuration, a board file, a scenario.
  case file(Place)
  /// A command.
  case command

  /// The origin in words, for `timerbox config`.
  public var text: String {
    switch self {
    case .standard: return "default"
    case .file(let place): return place.text
    case .command: return "set"
    }
  }
}

/// What somebody set.
struct Setting: Equatable, Sendable {
  var text: String
  var value: SettingValue
  var origin: Origin
  /// Where the value begins, if it stands in a file.
  var valuePlace: Place?

  /// Where the key stands, if it stands in a file.
  var place: Place? {
    guard case .file(let place) = origin else { return nil }
    return place
  }
}

/// The effective settings: the defaults of the table, then the board's, then those of the
/// configuration file, then single `set` statements; the later one wins.
///
///     var configuration = Configuration(board: board)
///     try configuration.read(bytes, file: "/etc/timerbox/timerbox.conf")
///     try configuration.set(key: "bell.end.strikes", value: "1")
///     configuration.bells.end.strikes      // 1
public struct Configuration: Equatable, Sendable {
  private var settings: [String: Setting] = [:]
  /// `[programme NAME]` and `[reminder NAME]`, in the order in which they were first named.
  private(set) var named: [NamedSection] = []
  /// What the board makes of its panels.
  private(set) var panels = Panels()

  /// The defaults.
  public init() {}

  /// The defaults and what a board file sets.
  public init(board: Board) {
    panels = board.panels
    for entry in board.settings {
      settings[entry.key.dottedName] = Setting(
        text: entry.text, value: entry.value, origin: .file(entry.place))
    }
  }

  /// Sets one key, as a `set` statement of a scenario does. Call `check()` after the last one.
  /// - Parameters:
  ///   - key: its dotted name: `interval.every`, `bell.end.strikes`.
  ///   - value: the value without white space around it.
  ///   - keyPlace: where the name stands, if it stands in a file.
  ///   - valuePlace: where the value begins there.
  public mutating func set(
    key: String, value: String, keyPlace: Place? = nil, valuePlace: Place? = nil
  ) throws(SettingsError) {
    let origin = keyPlace.map { Origin.file($0) } ?? .command
    if let (kind, name, rest) = NamedSection.parts(ofDotted: key) {
      try kind.check(name: name, at: keyPlace)
      let row = try kind.key(rest, at: keyPlace)
      try set(row, value, in: kind, name, at: valuePlace, origin: origin)
    } else {
      try set(try Configuration.key(key, at: keyPlace), value, at: valuePlace, origin: origin)
    }
  }

  /// Takes in a configuration file. With any error nothing of it is taken.
  /// - Parameters:
  ///   - bytes: the file's bytes.
  ///   - file: its name for messages.
  public mutating func read(_ bytes: [UInt8], file: String) throws(SettingsProblems) {
    let reader = INIReader(bytes, file: file)
    var problems = reader.problems
    var result = self
    for section in reader.sections {
      if let (kind, name) = NamedSection.parts(ofSection: section.name) {
        result.read(section, kind, name, &problems)
        continue
      }
      guard let keys = Configuration.keys(of: section, &problems) else { continue }
      for entry in section.entries {
        do {
          let row = try Configuration.key(entry, among: keys, section: section.name)
          try result.set(row, entry.value, at: entry.valuePlace, origin: .file(entry.keyPlace))
        } catch {
          problems.add(error)
        }
      }
    }
    if problems.isEmpty { for error in result.disagreements() { problems.add(error) } }
    guard problems.isEmpty else { throw problems }
    self = result
  }

  /// Checks that the settings agree with one another. A file is checked when it is read.
  /// - Parameter sounds: the sounds there are, if bells shall be checked against them.
  public func check(sounds: [String]? = nil) throws(SettingsProblems) {
    var problems = SettingsProblems()
    for error in disagreements() { problems.add(error) }
    for error in sounds.map(unknownSounds) ?? [] { problems.add(error) }
    guard problems.isEmpty else { throw problems }
  }

  private mutating func read(
    _ section: INISection, _ kind: NamedSection.Kind, _ name: String,
    _ problems: inout SettingsProblems
  ) {
    do {
      let column = kind.rawValue.unicodeScalars.count + 2
      try kind.check(name: name, at: section.place.moved(columns: column))
    } catch {
      return problems.add(error)
    }
    if !named.contains(where: { $0.kind == kind && $0.name == name }) {
      named.append(NamedSection(kind: kind, name: name, place: section.place))
    }
    for entry in section.entries {
      do {
        let row = try kind.key(entry.key, at: entry.keyPlace)
        try set(
          row, entry.value, in: kind, name, at: entry.valuePlace, origin: .file(entry.keyPlace))
      } catch {
        problems.add(error)
      }
    }
  }

  private mutating func set(
    _ row: ConfigurationKey, _ text: String, in kind: NamedSection.Kind, _ name: String,
    at place: Place?, origin: Origin
  ) throws(SettingsError) {
    let value = try row.read(text, at: place)
    let setting = Setting(text: text, value: value, origin: origin, valuePlace: place)
    if let index = named.firstIndex(where: { $0.kind == kind && $0.name == name }) {
      named[index].set(row.name, to: setting)
    } else {
      var section = NamedSection(kind: kind, name: name, place: nil)
      section.set(row.name, to: setting)
      named.append(section)
    }
  }

  /// The same with other settings in place of some; nil gives a key its default again.
  func replacing(_ others: [(key: String, setting: Setting?)]) -> Configuration {
    var result = self
    for (key, setting) in others { result.settings[key] = setting }
    return result
  }

  /// The keys of the table, each with its effective value as text and its origin, in the
  /// order of the table.
  public var effective: [(key: ConfigurationKey, text: String, origin: Origin)] {
    ConfigurationKey.all.map { key in
      (key, text(of: key.dottedName), origin(of: key.dottedName))
    }
  }

  /// What programmes and reminders set, each by its dotted name, in the order of their sections.
  public var effectiveNamed: [(name: String, text: String, origin: Origin)] {
    named.flatMap { section in
      section.settings.map { key, setting in
        ("\(section.kind.rawValue).\(section.name).\(key)", setting.text, setting.origin)
      }
    }
  }

  /// The effective value of a key as text.
  /// - Precondition: the key is one of the table.
  func text(of dottedName: String) -> String {
    settings[dottedName]?.text ?? Configuration.row(dottedName).standard
  }

  /// Where the effective value of a key comes from.
  public func origin(of dottedName: String) -> Origin {
    settings[dottedName]?.origin ?? .standard
  }

  /// Where the effective value of a key begins, if it stands in a file.
  func valuePlace(of dottedName: String) -> Place? { settings[dottedName]?.valuePlace }

  /// What somebody set under a key; nil where the default holds.
  func setting(of dottedName: String) -> Setting? { settings[dottedName] }

  /// The effective value of a key.
  /// - Precondition: the key is one of the table.
  func value(of dottedName: String) -> SettingValue {
    settings[dottedName]?.value ?? Configuration.row(dottedName).standardValue
  }

  private mutating func set(
    _ row: ConfigurationKey, _ text: String, at place: Place?, origin: Origin
  ) throws(SettingsError) {
    let value = try row.read(text, at: place)
    settings[row.dottedName] = Setting(
      text: text, value: value, origin: origin, valuePlace: place)
  }

  /// The key with a dotted name.
  /// - Precondition: the key is one of the table.
  static func row(_ dottedName: String) -> ConfigurationKey {
    guard let row = ConfigurationKey.named(dottedName) else {
      preconditionFailure("no key is called \(dottedName)")
    }
    return row
  }
}

// What names mean.
extension Configuration {
  /// The key that a dotted name means.
  private static func key(_ name: String, at place: Place?) throws(SettingsError)
    -> ConfigurationKey
  {
    if let row = ConfigurationKey.named(name) { return row }
    let nearest = nearest(to: name, among: ConfigurationKey.all.map(\.dottedName))
    throw SettingsError(
      .unknownKey(
        found: name, expected: "a configuration key such as sit.length", nearest: nearest),
      at: place)
  }

  /// The keys of a section, or nil after an error.
  private static func keys(
    of section: INISection, _ problems: inout SettingsProblems
  ) -> [ConfigurationKey]? {
    let keys = ConfigurationKey.all.filter { $0.section == section.name }
    guard keys.isEmpty else { return keys }
    let rest = section.name.drop { $0 != " " }
    let candidates =
      ConfigurationKey.sections
      + NamedSection.Kind.allCases.map(\.rawValue).map {
        rest.isEmpty ? $0 + " NAME" : $0 + rest
      }
    problems.add(
      .unknownSection(
        found: section.name, expected: "one of \(sectionNames)",
        nearest: nearest(to: section.name, among: candidates)),
      at: section.place)
    return nil
  }

  private static let sectionNames: String = {
    let plain = ConfigurationKey.sections.filter { !$0.contains(" ") }
    let named = ["bell ROLE"] + NamedSection.Kind.allCases.map { $0.rawValue + " NAME" }
    return listed(plain.sorted() + named)
  }()

  /// The key that an entry of a section means.
  static func key(
    _ entry: INIEntry, among keys: [ConfigurationKey], section: String
  ) throws(SettingsError) -> ConfigurationKey {
    guard let row = keys.first(where: { $0.name == entry.key }) else {
      let nearest = nearest(to: entry.key, among: keys.map(\.name))
      throw SettingsError(
        .unknownKey(
          found: entry.key, expected: "\(listed(keys.map(\.name))) in [\(section)]",
          nearest: nearest),
        at: entry.keyPlace)
    }
    return row
  }
}
