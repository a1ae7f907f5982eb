import Zones

/// Which sits are meant: those that fit all that is given. Nothing given means all.
public struct SessionFilter: Equatable, Sendable {
  /// The first day of practice.
  public var from: LocalDate?
  /// The last day of practice.
  public var to: LocalDate?
  /// The programme's name, as the sit keeps it.
  public var programme: String?
  /// The journey as the sit may keep it: the name or the id that was given, and the ids of the
  /// journeys of that name.
  public var journeys: [String]?
  /// The kind of device that recorded the sit: `timerBox`, `iPhone`.
  public var device: String?

  /// All sits.
  public init() {}

  /// Reads the options of a verb.
  /// - Parameters:
  ///   - store: says which journeys have a name (`journey.ID` with a member `name`).
  ///   - option: the value of an option such as `--from`; nil where it is not given.
  public init(
    in store: SessionStore, option: (String) -> String?
  ) throws(SessionFilterError) {
    from = try SessionFilter.day("--from", option("--from"))
    to = try SessionFilter.day("--to", option("--to"))
    if let from, let to, from > to { throw .reversed(from: from, to: to) }
    programme = option("--programme")
    journeys = option("--journey").map { [$0] + store.journeys(named: $0) }
    device = option("--device")
  }

  private static func day(
    _ option: String, _ text: String?
  ) throws(SessionFilterError) -> LocalDate? {
    guard let text else { return nil }
    do throws(TimestampError) { return try LocalDate(text: text) } catch {
      throw .notADay(option: option, found: text)
    }
  }

  /// Whether a sit is meant. Names are compared byte for byte.
  public func admits(_ session: MeditationSession, rule: DayRule) -> Bool {
    if from != nil || to != nil {
      let day = rule.day(of: session)
      if let from, day < from { return false }
      if let to, day > to { return false }
    }
    return SessionFilter.fits(session.programme, programme.map { [$0] })
      && SessionFilter.fits(session.journey, journeys)
      && SessionFilter.fits(session.sourceDevice.name, device.map { [$0] })
  }

  private static func fits(_ name: String?, _ wanted: [String]?) -> Bool {
    guard let wanted else { return true }
    guard let name else { return false }
    return wanted.contains { $0.hasSameBytes(as: name) }
  }

  /// What is asked for beside the days, for a caption: `programme zazen · device timerBox`.
  public var names: String {
    let parts: [(String, String?)] = [
      ("programme", programme), ("journey", journeys?.first), ("device", device),
    ]
    return parts.compactMap { kind, name in name.map { "\(kind) \($0)" } }
      .joined(separator: " · ")
  }
}

/// Why options are no filter.
public enum SessionFilterError: Error, Equatable, Sendable, CustomStringConvertible {
  /// An option's value is no date of the calendar.
  case notADay(option: String, found: String)
  /// The first day comes after the last.
  case reversed(from: LocalDate, to: LocalDate)

  /// The sentence a person reads.
  public var description: String {
    switch self {
    case .notADay(let option, let found):
      "\(option): found \"\(found)\", expected a day of the calendar such as 2026-11-30"
    case .reversed(let from, let to): "--from \(from.text) is after --to \(to.text)"
    }
  }
}

extension SessionStore {
  /// The ids of the journeys that have a name.
  func journeys(named name: String) -> [String] {
    let prefix = SyncedName.journey("-").key.dropLast()
    return keys.filter { $0.hasPrefix(prefix) }.compactMap { key in
      let isNamed = value(forKey: key)?["name"]?.stringValue?.hasSameBytes(as: name) ?? false
      return isNamed ? String(key.dropFirst(prefix.count)) : nil
    }
  }
}
