/// One row of the table of settings: a key, what it takes, its default and what it does.
public struct ConfigurationKey: Equatable, Sendable {
  /// Its section: `sit`, `bell end`; empty for a device-local choice.
  public let section: String
  /// Its name in the section: `overtime-limit`.
  public let name: String
  /// What it takes.
  public let kind: SettingKind
  /// The default as a person would write it; empty where the key is then not set, and such a key
  /// may also be given an empty value.
  public let standard: String
  /// Whether it describes the board, so that a board file may hold it too.
  public let isOfBoard: Bool
  /// What it does, in a sentence.
  public let about: String
  /// The default, read.
  let standardValue: SettingValue

  init(
    _ section: String, _ name: String, _ kind: SettingKind, _ standard: String,
    isOfBoard: Bool = false, _ about: String
  ) {
    self.section = section
    self.name = name
    self.kind = kind
    self.standard = standard
    self.isOfBoard = isOfBoard
    self.about = about
    do {
      standardValue = standard.isEmpty ? .unset : try kind.read(standard, at: nil)
    } catch {
      preconditionFailure("the default of \(section) \(name): \(error.text)")
    }
  }

  /// The name that scenarios and messages use: `bell.end.strikes`.
  public var dottedName: String {
    guard !section.isEmpty else { return name }
    return section.split(separator: " ").joined(separator: ".") + "." + name
  }

  /// Reads a value of this key.
  func read(_ text: String, at place: Place?) throws(SettingsError) -> SettingValue {
    text.isEmpty && standard.isEmpty ? .unset : try kind.read(text, at: place)
  }
}
