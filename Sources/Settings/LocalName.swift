import Controls

/// The names that are a device's own, so that no value stands under them in the shared store: what
/// is chosen on the device, and what its configuration and its board file say.
public enum LocalName {
  /// The sections of the configuration that describe the owner's practice and not a device. What
  /// they name may be a definition in the store.
  private static let sharedSections = ["bell", "programme", "day"]

  /// The first words of the sections that are this device's own.
  private static let sections: [String] = {
    let words = (ConfigurationKey.sections + NamedSection.Kind.allCases.map(\.rawValue)).map(
      firstWord)
    return (words + BoardReader.sectionNames.map(firstWord)).filter { !sharedSections.contains($0) }
  }()

  /// Why no value may be put under a name in the shared store, in a sentence; nil if one may.
  public static func refusal(of name: String) -> String? {
    let isChosen = LocalChoice.all.contains { $0.name == name } || name.hasPrefix("volume.")
    if isChosen {
      return "\(quoted(name)) is this device's own and is never shared: timerbox set \(name) VALUE"
    }
    if PanelChoice.allCases.contains(where: { $0.name.description == name }) {
      return "\(quoted(name)) is this device's own and is never shared: it is chosen at its remote"
    }
    let section = firstWord(name)
    guard name != section, sections.contains(section) else { return nil }
    return "\(quoted(name)) is this device's own and is never shared: it stands in its "
      + "configuration or board file, under [\(section)]"
  }

  private static func firstWord(_ name: String) -> String {
    String(name.prefix { $0 != " " && $0 != "." })
  }
}
