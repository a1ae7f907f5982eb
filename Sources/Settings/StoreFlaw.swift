import Bells
import Sessions

/// Something that stands in the store under a name which the program itself shares, and that cannot
/// be used. A person who sets it is refused; what a peer brings is told, and the rest is used.
public struct StoreFlaw: Equatable, Sendable {
  /// What becomes of it where it is there.
  enum Consequence: String, Sendable {
    case programmeOut = "the programme is left out"
    case simple = "all but its rank is left out"
    case journeyOut = "the journey is left out"
    case journeyName = "nobody can choose it"
    case goal = "the journey has no goal"
    case end = "the journey goes on"
    case name = "its name is that of its key"
    case rank = "it has no place of its own"
    case sound = "another sound rings in its place"
    case day = "what is configured holds"
  }

  /// The key in the store.
  public let key: String
  /// What is wrong with it.
  public let fault: String
  private let consequence: Consequence

  init(_ key: String, _ fault: String, _ consequence: Consequence) {
    self.key = key
    self.fault = fault
    self.consequence = consequence
  }

  /// The same in a sentence that begins with the key and says what is done.
  public var text: String { "\(key): \(fault); \(consequence.rawValue)" }
}

extension Configuration {
  /// All that stands in the store under names of the program's own and cannot be used.
  /// - Parameters:
  ///   - definitions: what stands there.
  ///   - sounds: the sounds there are.
  /// - Precondition: `check()` has found nothing.
  public func flaws(in definitions: [Definition], sounds: [Sound]) -> [StoreFlaw] {
    programmes(sounds: sounds, definitions: definitions).flaws
      + definitions.flatMap { StoreFlaw.ofDay($0) + StoreFlaw.ofJourney($0) }
  }

  /// Why a value cannot be put under a key of the store; nil if it can: a key that is none of the
  /// program's own takes any.
  /// - Parameters:
  ///   - value: the value.
  ///   - key: the key.
  ///   - definitions: what stands in the store now.
  ///   - sounds: the sounds there are.
  /// - Precondition: `check()` has found nothing.
  public func refusal(
    of value: JSONValue, under key: String, beside definitions: [Definition], sounds: [Sound]
  ) -> StoreFlaw? {
    guard SyncedName(key) != nil else { return nil }
    let others = definitions.filter { $0.key != key }
    // A programme may also be wrong in what it does to another one, as by its name.
    let before = flaws(in: others, sounds: sounds)
    let definition = Definition(key: key, value: value)
    let all = (others + [definition]).sorted {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
    return flaws(in: all, sounds: sounds).first { !before.contains($0) }
  }
}

extension Configuration {
  /// What a definition of a programme says under names that this version does not know, and so
  /// ignores, each as a sentence: a later version may know it, and a hand may have slipped.
  public static func unknownMembers(of value: JSONValue, under key: String) -> [String] {
    guard Definition(key: key, value: value).id(as: .programme) != nil else { return [] }
    let names = (value.members ?? []).map(\.name).filter { !["name", "rank"].contains($0) }
    return names.compactMap { name in
      do throws(SettingsError) {
        _ = try NamedSection.Kind.programme.key(name, at: nil)
        return nil
      } catch {
        guard case .unknownKey(_, _, let nearest) = error.fault else { return nil }
        return "\(key): \(quoted(name)) is not known to this version and ignored"
          + suggestion(nearest)
      }
    }
  }
}

extension [StoreFlaw] {
  /// All of them in one sentence for people.
  public var sentence: String {
    "The store has what cannot be used: \(map(\.text).joined(separator: "; ")). The rest is used."
  }
}

extension StoreFlaw {
  private init(_ definition: Definition, found: String, expected: String, _ what: Consequence) {
    let fault = SettingsFault.value(found: found, expected: expected, nearest: nil)
    self.init(definition.key, SettingsError(fault).text, what)
  }

  /// `day.starts` and `day.grace`.
  fileprivate static func ofDay(_ definition: Definition) -> [StoreFlaw] {
    let isStart = definition.key == SyncedName.dayStarts.key
    guard isStart || definition.key == SyncedName.dayGrace.key,
      let row = ConfigurationKey.named(definition.key)
    else { return [] }
    let number = isStart ? nil : definition.value.integerValue.map { "\($0)" }
    let text = definition.value.stringValue ?? number
    if let text, (try? row.read(text, at: nil)) != nil { return [] }
    return [
      StoreFlaw(
        definition, found: definition.value.text,
        expected: row.kind.expected + (isStart ? " as a text such as \"04:00\"" : ""), .day)
    ]
  }

  /// A journey: `{"name":"Hundred days","begun":"2026-11-30","goalDays":100}`.
  fileprivate static func ofJourney(_ definition: Definition) -> [StoreFlaw] {
    guard definition.id(as: .journey) != nil else { return [] }
    guard let journey = Journey(definition), Journey.isName(journey.name) else {
      let expected =
        "an object with a name of 1 to \(Journey.nameMax) characters other than none, and begun, a "
        + "date such as 2026-11-30"
      return [
        StoreFlaw(
          definition, found: definition.value.text, expected: expected,
          Journey(definition) == nil ? .journeyOut : .journeyName)
      ]
    }
    var flaws: [StoreFlaw] = []
    func look(_ member: String, isUsed: Bool, _ expected: String, _ consequence: Consequence) {
      guard let value = definition.value[member], value != .null, !isUsed else { return }
      let found = "\(member) = \(value.text)"
      flaws.append(StoreFlaw(definition, found: found, expected: expected, consequence))
    }
    let goals = Journey.goalRange
    look(
      "goalDays", isUsed: journey.goalDays != nil,
      "a whole number from \(goals.lowerBound) to \(goals.upperBound)", .goal)
    look("ended", isUsed: journey.ended != nil, "a date such as 2026-11-30", .end)
    return flaws
  }
}

extension JSONValue {
  /// The value as it is written.
  var text: String { String(decoding: encoded(), as: UTF8.self) }
}
