import Appliance
import Bells
import Sessions
import TimerMachine

/// The programmes that there are on a box.
public struct ProgrammeList: Equatable, Sendable {
  /// In their order; no two have one name, and exactly one, `simple`, has the length of the knob.
  public internal(set) var programmes: [Programme] = []
  /// Why a definition of the store is left out, each as a sentence that begins with its key.
  public internal(set) var problems: [String] = []
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
  /// One that cannot be read or rung is left out and told. What a member is called that
  /// this version does not know is ignored.
  /// - Parameters:
  ///   - sounds: the sounds there are; one that is missing is rung by another.
  ///   - definitions: those of the store; what is no programme's is passed over.
  /// - Precondition: `check()` has found nothing.
  public func programmes(
    sounds: [Sound] = Sound.catalogue, definitions: [Definition] = []
  ) -> ProgrammeList {
    var list = ProgrammeList()
    let stored = StoredProgrammes(definitions)
    list.problems = stored.problems
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
          list.problems.append("\(stored.key(of: name) ?? name): \(error.text)")
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
  private(set) var problems: [String] = []
  private var keys: [String: String] = [:]

  init(_ definitions: [Definition]) {
    for definition in definitions {
      guard let id = definition.id(as: .programme) else { continue }
      do throws(SettingsError) {
        try take(definition, id: id)
      } catch {
        problems.append("\(definition.key): \(error.text)")
      }
    }
    sections.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  func key(of name: String) -> String? { keys[name] }

  private mutating func take(_ definition: Definition, id: String) throws(SettingsError) {
    guard let members = definition.value.members else {
      throw SettingsError(
        .value(
          found: String(decoding: definition.value.encoded(), as: UTF8.self),
          expected: "an object", nearest: nil))
    }
    let name = definition.value["name"]?.stringValue ?? id
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
    if let rank = definition.value["rank"]?.stringValue { ranks[name] = Rank(rank) }
    // What simple is stands in the plain sections, and a definition that says nothing but a rank
    // gives that to a programme of another origin.
    let isRankAlone = section.settings.isEmpty && ranks[name] != nil
    if name != NamedSection.Kind.simple && !isRankAlone { sections.append(section) }
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
      text = String(decoding: member.value.encoded(), as: UTF8.self)
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
