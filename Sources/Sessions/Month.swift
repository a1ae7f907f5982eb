import Zones

/// A month of UTC: the bucket of the sits that began in it.
struct Month: Hashable, Comparable, Sendable {
  let year: Int
  /// 1 to 12.
  let number: Int

  init(of instant: WallInstant) {
    let day = instant.day(offsetSeconds: 0)
    year = day.year
    number = day.month
  }

  /// Reads what `text` writes.
  init?(_ text: String) {
    let words = text.split(separator: "-", omittingEmptySubsequences: false)
    guard words.count == 2, let year = Int(words[0]), let number = Int(words[1]) else { return nil }
    self.year = year
    self.number = number
    if !self.text.hasSameBytes(as: text) { return nil }
  }

  /// As in `2026-11`.
  var text: String { "\(Int64(year), digits: 4)-\(Int64(number), digits: 2)" }

  /// The key under which the month's sits stand, as `sits.2026-11`.
  var key: String { Month.keyPrefix + text }

  static let keyPrefix = "sits."

  static func < (left: Month, right: Month) -> Bool {
    (left.year, left.number) < (right.year, right.number)
  }
}

extension String {
  /// Whether a key is one that the store makes itself.
  var isReservedKey: Bool { utf8.starts(with: Month.keyPrefix.utf8) }
}
