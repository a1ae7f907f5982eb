import Appliance
import Controls

/// The file of what was chosen on this device: the form of a configuration, written by the box.
public enum ChoicesFile {
  /// The file's bytes.
  /// - Parameters:
  ///   - volume: in percent.
  ///   - choices: those for the sits. What nobody chose here is left out, so that a change of the
  ///     configuration still reaches it.
  public static func bytes(volume: Int, choices: Choices) -> [UInt8] {
    var text = "[choices]\nvolume = \(volume)\n"
    for choice in PanelChoice.allCases where choices.chosen.contains(choice) {
      text += "\(choice.name) = \(choices.text(choice))\n"
    }
    return Array(text.utf8)
  }

  /// Takes what a file holds into the settings of an appliance. What cannot be read is left: nobody
  /// wrote it by hand, so there is nobody to tell.
  public static func apply(_ bytes: [UInt8], to settings: inout ApplianceSettings) {
    if let volume = volume(in: bytes) { settings.volume = volume }
    let section = INIReader(bytes, file: "choices").sections.first { $0.name == "choices" }
    for entry in section?.entries ?? [] {
      let choice = PanelChoice.allCases.first { $0.name.description == entry.key }
      if let choice { settings.choose(choice, entry.value) }
    }
  }

  /// The volume in percent that a file holds, or `nil` if it holds none that can be read: nobody
  /// wrote it by hand, so there is nobody to tell.
  static func volume(in bytes: [UInt8]) -> Int? {
    let reader = INIReader(bytes, file: "choices")
    let section = reader.sections.first { $0.name == "choices" }
    guard let entry = section?.entries.first(where: { $0.key == "volume" }),
      case .count(let volume)? = try? LocalChoice.read(key: "volume", value: entry.value)
    else { return nil }
    return volume
  }
}
