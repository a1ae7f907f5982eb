import Appliance
import Bells
import Sessions
import TimerMachine

/// The programmes that there are on a box.
public struct ProgrammeList: Equatable, Sendable {
  /// In their order; no two have one name, and exactly one, `simple`, has the length of the knob.
  public internal(set) var programmes: [Programme] = []
  /// What of the store's definitions cannot be used.
  public internal(set) var flaws: [StoreFlaw] = []
}

extension Configuration {
  /// The programmes that there are: `simple`, which is always there and is what the plain sections
  /// say; the shipped ones; those of this configuration; and those of the store. Of one name there
  /// is one: that of the configuration, else that of the store, else the shipped one.
  ///
  /// Their order: those without a rank stand first, as they are told of here: `simple`, the shipped
  /// ones, those of the configuration in the order of its file, those of the store by name. Those
  /// with a rank follow, by rank, then by name. A definition of the store may have a rank for a
  /// programme of another origin, `simple` too: the rank is of the name.
  ///
  /// A definition of the store, `programme.ID`, is an object whose members are the keys of a
  /// `[programme NAME]` section with their values as texts, numbers or truth values, and two more:
  /// `name`, without which the id is the name, and `rank`, its place in the order.
  ///
  ///     {"name":"Evening","rank":"n","segments":"walk 10m, sit 25m","bell.end.strikes":2}
  ///
  /// One that cannot be read or rung is left out and told; one whose name, rank or sound alone
  /// cannot be used is used without. A member that this version does not know is ignored.
  /// - Parameters:
  ///   - sounds: the sounds there are; one that is missing is rung by another.
  ///   - definitions: those of the store; what is no programme's is passed over.
  /// - Precondition: `check()` has found nothing.
  public func programmes(
    sounds: [Sound] = Sound.catalogue, definitions: [Definition] = []
  ) -> ProgrammeList {
    var list = ProgrammeList()
    let stored = StoredProgrammes(definitions, sounds: sounds)
    list.flaws = stored.flaws
    var placed = [Placed(simple(sounds: sounds), rank: stored.ranks[NamedSection.Kind.simple])]
    let shipped = ShippedProgrammes.sections
    var names: [String] = []
    for section in shipped + programmeSections + stored.sections
    where !names.contains(section.name) {
      names.append(section.name)
    }
    for name in names {
      for sections in [programmeSections, stored.sections, shipped] {
        guard let section = sections.first(where: { $0.name == name }) else { continue }
        let plan = ProgrammePlan(section, in: self)
        if let error = sections == stored.sections ? plan.errors.first : nil {
          list.flaws.append(StoreFlaw(stored.key(of: name) ?? name, error.text, .programmeOut))
          continue
        }
        placed.append(Placed(plan.programme(sounds: sounds), rank: stored.ranks[name]))
        break
      }
    }
    list.programmes = Configuration.ordered(placed).map(\.programme)
    return list
  }

  private func simple(sounds: [Sound]) -> Programme {
    let settings = plainAppliance(sounds: sounds)
    return Programme(
      name: NamedSection.Kind.simple, length: .set, plan: settings.plan, bells: settings.bells)
  }

  private struct Placed {
    var programme: Programme
    var rank: Rank?

    init(_ programme: Programme, rank: Rank?) {
      self.programme = programme
      self.rank = rank
    }
  }

  private static func ordered(_ placed: [Placed]) -> [Placed] {
    let ranked = placed.filter { $0.rank != nil }.sorted { left, right in
      if left.rank == right.rank {
        return left.programme.name.utf8.lexicographicallyPrecedes(right.programme.name.utf8)
      }
      return left.rank ?? Rank("") < right.rank ?? Rank("")
    }
    return placed.filter { $0.rank == nil } + ranked
  }
}

/// The definitions of a store as sections.
private struct StoredProgrammes {
  private(set) var sections: [NamedSection] = []
  private(set) var ranks: [String: Rank] = [:]
  private(set) var flaws: [StoreFlaw] = []
  private var keys: [String: String] = [:]
  private let sounds: [String]

  init(_ definitions: [Definition], sounds: [Sound]) {
    self.sounds = sounds.filter(\.isBell).map(\.name) + ["none"]
    for definition in definitions {
      guard let id = definition.id(as: .programme) else { continue }
      do throws(SettingsError) {
        try take(definition, id: id)
      } catch {
        flaws.append(StoreFlaw(definition.key, error.text, .programmeOut))
      }
    }
    sections.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  func key(of name: String) -> String? { keys[name] }

  private mutating func take(_ definition: Definition, id: String) throws(SettingsError) {
    guard let members = definition.value.members else {
      throw SettingsError(
        .value(found: definition.value.text, expected: "an object", nearest: nil))
    }
    let name = text("name", of: definition, .name) ?? id
    guard ProgrammeName.isOne(name) else {
      throw SettingsError(.value(found: name, expected: ProgrammeName.expected, nearest: nil))
    }
    if let other = keys[name] {
      let expected = "another name than that of \(other)"
      throw SettingsError(.value(found: name, expected: expected, nearest: nil))
    }
    var section = NamedSection(kind: .programme, name: name, place: nil)
    for member in members where !["name", "rank"].contains(member.name) {
      guard let row = NamedSection.Kind.programme.key(named: member.name) else { continue }
      try section.set(row, to: member)
    }
    keys[name] = definition.key
    if let rank = text("rank", of: definition, .rank) { ranks[name] = Rank(rank) }
    lookAtSounds(of: section, definition.key)
    // A definition that says nothing but a rank gives that to a programme of another origin.
    let isRankAlone = section.settings.isEmpty && ranks[name] != nil
    if isRankAlone { return }
    do throws(SettingsError) {
      try NamedSection.Kind.programme.check(name: name, at: nil)
      sections.append(section)
    } catch {
      // What simple is stands in the plain sections of each box.
      flaws.append(StoreFlaw(definition.key, error.text, .simple))
    }
  }

  /// The text of a member that is no key of a section; nil where there is none that can be used.
  private mutating func text(
    _ member: String, of definition: Definition, _ consequence: StoreFlaw.Consequence
  ) -> String? {
    guard let value = definition.value[member] else { return nil }
    if let text = value.stringValue, !text.isEmpty { return text }
    let fault = SettingsFault.value(
      found: "\(member) = \(value.text)", expected: "a text", nearest: nil)
    flaws.append(StoreFlaw(definition.key, SettingsError(fault).text, consequence))
    return nil
  }

  /// A sound that there is not here may be one of another version, or of another box.
  private mutating func lookAtSounds(of section: NamedSection, _ key: String) {
    for (name, setting) in section.settings where name.hasSuffix(".sound") {
      let sound = setting.text
      if sounds.contains(sound) || sound.hasPrefix(Sound.ownPrefix) { continue }
      let fault = SettingsFault.value(
        found: "\(name) = \(sound)", expected: listed(sounds),
        nearest: nearest(to: sound, among: sounds))
      flaws.append(StoreFlaw(key, SettingsError(fault).text, .sound))
    }
  }
}

extension NamedSection {
  /// Takes in a member of a definition.
  fileprivate mutating func set(
    _ row: ConfigurationKey, to member: JSONMember
  ) throws(SettingsError) {
    let text: String
    switch member.value {
    case .string(let string): text = string
    case .number(let digits): text = digits
    case .bool(let isYes): text = isYes ? "yes" : "no"
    case .null, .array, .object:
      text = member.value.text
      throw SettingsError(
        .value(found: "\(row.name) = \(text)", expected: row.kind.expected, nearest: nil))
    }
    let value: SettingValue
    do throws(SettingsError) { value = try row.read(text, at: nil) } catch {
      throw SettingsError(error.fault.named(row.name))
    }
    set(row.name, to: Setting(text: text, value: value, origin: .command, valuePlace: nil))
  }
}

extension SettingsFault {
  /// The fault of a value that stands in no file: it must say of which key it is.
  fileprivate func named(_ key: String) -> SettingsFault {
    switch self {
    case .value(let found, let expected, let nearest):
      .value(found: "\(key) = \(found)", expected: expected, nearest: nearest)
    case .duplicateItem(let found): .duplicateItem(found: "\(found) in \(key)")
    default: self
    }
  }
}
