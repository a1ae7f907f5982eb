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

  /// What cannot begin at a reminder, as sentences with their places.
  /// - Parameter programmes: the names of all there are, those of the store too.
  public func reminderProblems(programmes: [String]) -> [String] {
    named.filter { $0.kind == .reminder }.compactMap { section in
      guard let setting = section["programme"], case .text(let name) = setting.value,
        !programmes.contains(name)
      else { return nil }
      let nearest = nearest(to: name, among: programmes)
      let fault = SettingsFault.value(
        found: name, expected: listed(programmes), nearest: nearest)
      return SettingsError(fault, at: setting.valuePlace).text
    }
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
