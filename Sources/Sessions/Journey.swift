import Zones

/// A course of practice with a beginning and perhaps a goal: `journey.ID` in the store. Sits name
/// the id of the journey that was chosen when they began.
///
///     {"begun":"2026-11-30","goalDays":100,"name":"Hundred days"}
///
/// Invariants:
/// - What is counted is derived from the sits and never stored.
/// - Doing it again is a new journey: it has another id, and perhaps the same name. Of one name
///   the one that began last and has not ended is meant.
public struct Journey: Equatable, Sendable {
  /// Its id, the part of the key behind `journey.`.
  public var id: String
  /// What it is called.
  public var name: String
  /// How many days it is to have; nil for one without a goal.
  public var goalDays: Int64?
  /// The day of practice on which it began.
  public var begun: LocalDate
  /// The day on which it was ended; nil while it goes on.
  public var ended: LocalDate?

  /// How many days a goal may be.
  public static let goalRange: ClosedRange<Int64> = 1...36_500
  /// How many characters a name may have.
  public static let nameMax = 63

  /// Makes a journey that has just begun.
  public init(id: String, name: String, goalDays: Int64? = nil, begun: LocalDate) {
    self.id = id
    self.name = name
    self.goalDays = goalDays
    self.begun = begun
  }

  /// Reads a definition; nil where it is no journey. A goal or an end that is not understood counts
  /// as none.
  public init?(_ definition: Definition) {
    guard let id = definition.id(as: .journey),
      let name = definition.value["name"]?.stringValue,
      let begun = Journey.date(definition.value["begun"])
    else { return nil }
    self.init(id: id, name: name, begun: begun)
    goalDays = definition.value["goalDays"]?.integerValue.flatMap {
      Journey.goalRange.contains($0) ? $0 : nil
    }
    ended = Journey.date(definition.value["ended"])
  }

  private static func date(_ value: JSONValue?) -> LocalDate? {
    value?.stringValue.flatMap { try? LocalDate(text: $0) }
  }

  /// Whether a text can be the name of a journey: `none` is no journey.
  public static func isName(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    return (1...nameMax).contains(scalars.count) && text != "none"
      && scalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  /// The name that its definition has in the store.
  public var synced: SyncedName { .journey(id) }

  /// Its definition.
  /// - Parameter earlier: what stands there now; members that this version does not know stay.
  public func value(over earlier: JSONValue? = nil) -> JSONValue {
    let own = ["name", "goalDays", "begun", "ended"]
    var members = (earlier?.members ?? []).filter { !own.contains($0.name) }
    members.append(JSONMember("name", .string(name)))
    members.append(JSONMember("begun", .string(begun.text)))
    if let goalDays { members.append(JSONMember("goalDays", .integer(goalDays))) }
    if let ended { members.append(JSONMember("ended", .string(ended.text))) }
    return .object(of: members)
  }

  /// On how many days there was a sit of it.
  ///
  /// Days are counted that were sat, not those of the calendar: "day 12 of 100" says that twelve
  /// days of practice are done. A day that was missed is not made up for by the calendar, and one
  /// journey goes on over a day that an illness took. Two sits of one day are one day.
  /// - Parameters:
  ///   - sessions: sits in any order, those of others too.
  ///   - rule: what makes a day; grace days add nothing.
  public func daysSat(_ sessions: some Sequence<MeditationSession>, rule: DayRule) -> Int {
    let own = sessions.filter { session in
      session.journey.map { $0.hasSameBytes(as: id) } == true && rule.day(of: session) >= begun
    }
    return SessionDays(own, rule: rule).daysSat
  }

  /// Whether so many days are its goal, or more.
  public func isReached(days: Int) -> Bool { goalDays.map { days >= $0 } ?? false }
}

/// The journeys of an owner.
public struct Journeys: Equatable, Sendable {
  /// In the order in which they began; those of one day by id.
  public let all: [Journey]

  /// Takes the journeys from among definitions.
  public init(_ definitions: some Sequence<Definition>) {
    all = definitions.compactMap { Journey($0) }.sorted { left, right in
      if left.begun != right.begun { return left.begun < right.begun }
      return left.id.precedes(right.id)
    }
  }

  /// The journey that goes on under a name, the one that began last where boxes have begun two at
  /// once. Names are compared byte for byte.
  public func running(_ name: String) -> Journey? {
    all.last { $0.ended == nil && $0.name.hasSameBytes(as: name) }
  }

  /// What is to be written where a journey begins, in this order: the journey itself, since what a
  /// cap refuses must end no other one, and then the end of the one that goes on under its name.
  public func beginning(_ journey: Journey) -> [Journey] {
    guard var earlier = running(journey.name) else { return [journey] }
    earlier.ended = journey.begun
    return [journey, earlier]
  }

  /// The ids of all journeys of a name, those that have ended too: what `--journey NAME` means.
  public func ids(named name: String) -> [String] {
    all.filter { $0.name.hasSameBytes(as: name) }.map(\.id)
  }
}
