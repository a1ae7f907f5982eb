import Box
import Ticks

extension Configuration {
  /// Puts what is configured of the box itself into its settings.
  public func apply(to settings: inout BoxSettings) {
    settings.recover = sit.recover
    settings.dayStartsSeconds = day.starts.wholeSeconds
    settings.reminders = reminders
    settings.deviceName = store.deviceName
  }

  /// The reminders, in the order in which they stand in the file.
  public var reminders: [Reminder] {
    named.filter { $0.kind == .reminder }.map { section in
      func value(_ key: String) -> SettingValue? {
        section[key]?.value
          ?? NamedSection.keys(of: .reminder).first { $0.name == key }?.standardValue
      }
      func text(_ key: String) -> String? {
        if case .text(let text)? = value(key) { text } else { nil }
      }
      guard case .length(let at)? = value("at"), case .days(let days)? = value("days") else {
        preconditionFailure("the table gives at and days another kind")
      }
      return Reminder(
        name: section.name, at: at, days: days, programme: text("programme"),
        kind: text("kind") == "wake" ? .wake : .soft, startsByItself: text("start") == "auto")
    }
  }
}
