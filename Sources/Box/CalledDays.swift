import Zones

/// For which day each reminder called last, so that none calls twice for one day, however often the
/// box is started in it. It stays on the device.
///
///     2026-11-30 morning
public struct CalledDays: Equatable, Sendable {
  /// The days, by the names of the reminders.
  public var days: [String: LocalDate] = [:]

  /// No reminder has called yet.
  public init() {}

  /// Reads the file's bytes. A line that cannot be read says nothing: at worst a reminder of the
  /// last minutes calls again.
  public init(parsing bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let date = try? LocalDate(text: String(parts[0])) else { continue }
      days[String(parts[1])] = date
    }
  }

  /// The file's bytes, a line for each reminder by its name.
  public func encoded() -> [UInt8] {
    let lines = days.sorted { $0.key < $1.key }.map { "\($0.value.text) \($0.key)\n" }
    return Array(lines.joined().utf8)
  }
}
