// Invariants:
// - The instants of `changes` rise strictly; each says what local time is from it on.
// - Before the first change `first` holds; from the last one on `rule` does, where there is one.
// - Without any change the rule holds at all times (RFC 9636 section 3.2).
// - Every instant has an answer; one outside the years −9999 to 9999 has that of the nearest
//   inside.

/// What a time zone's clocks show and when they change, read from the bytes of a TZif file.
///
/// A shell reads the file (`/usr/share/zoneinfo/Asia/Seoul`, `/etc/localtime`); this type never
/// touches one.
///
///     let rules = try ZoneRules(tzif: bytes)
///     let offset = rules.offsetSeconds(atUnixSeconds: 1_796_000_000)   // 32,400 in Seoul
///     let day = LocalDate(unixSeconds: 1_796_000_000, offsetSeconds: offset)
public struct ZoneRules: Equatable, Sendable {
  struct Change: Equatable, Sendable {
    var instant: Int64
    var time: LocalTime
  }

  private let first: LocalTime
  private let changes: [Change]
  var rule: PosixZone?

  /// The years −9999 to 9999 in Unix seconds, less two days at either end, so that no local date
  /// falls outside.
  private static let instantRange: ClosedRange<Int64> =
    (LocalDate.dayRange.lowerBound + 2) * 86_400...(LocalDate.dayRange.upperBound - 2) * 86_400

  /// Reads the rules.
  /// - Parameter bytes: a whole file of version 1 to 4 (RFC 8536, RFC 9636).
  public init(tzif bytes: [UInt8]) throws(ZoneError) {
    var reader = ZoneFileReader(bytes)
    self = try reader.read()
  }

  init(first: LocalTime, changes: [Change], rule: PosixZone? = nil) {
    self.first = first
    self.changes = changes
    self.rule = rule
  }

  /// Universal time: no offset and no change.
  public static let utc = ZoneRules(
    first: LocalTime(offsetSeconds: 0, isSummerTime: false, abbreviation: "UTC"), changes: [])

  /// How many seconds local time is ahead of UTC (east is positive).
  public func offsetSeconds(atUnixSeconds unixSeconds: Int64) -> Int32 {
    time(at: unixSeconds).offsetSeconds
  }

  /// Whether summer time holds.
  public func isSummerTime(atUnixSeconds unixSeconds: Int64) -> Bool {
    time(at: unixSeconds).isSummerTime
  }

  /// What people call local time then: `KST`, `CEST`, `+1030`.
  public func abbreviation(atUnixSeconds unixSeconds: Int64) -> String {
    time(at: unixSeconds).abbreviation
  }

  /// The next instant, in Unix seconds, from which offset, summer time or abbreviation differ from
  /// what they are at `unixSeconds`; nil where they never do again. Changes that a file lists
  /// without a difference are passed over.
  public func nextChange(after unixSeconds: Int64) -> Int64? {
    let now = time(at: unixSeconds)
    for change in changes[firstChange(after: unixSeconds)...]
    where time(at: change.instant) != now {
      return change.instant
    }
    guard let rule else { return nil }
    let start = max(unixSeconds, changes.last?.instant ?? unixSeconds)
    for change in rule.changes(around: clamped(start))
    where change.instant > start && change.instant <= ZoneRules.instantRange.upperBound
      && rule.time(at: change.instant) != now
    {
      return change.instant
    }
    return nil
  }

  private func time(at unixSeconds: Int64) -> LocalTime {
    let next = firstChange(after: unixSeconds)
    if next == changes.count, let rule { return rule.time(at: clamped(unixSeconds)) }
    return next == 0 ? first : changes[next - 1].time
  }

  /// The index of the first change later than an instant, by halving.
  private func firstChange(after unixSeconds: Int64) -> Int {
    var low = 0
    var high = changes.count
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].instant <= unixSeconds { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func clamped(_ unixSeconds: Int64) -> Int64 {
    let range = ZoneRules.instantRange
    return min(max(unixSeconds, range.lowerBound), range.upperBound)
  }
}
