import Appliance
import Controls
import TimerMachine

/// The file of what was chosen on this device: the form of a configuration, written by the box.
public enum ChoicesFile {
  /// The file's bytes.
  /// - Parameters:
  ///   - volume: in percent.
  ///   - choices: those for the sits. What nobody chose here is left out, so that a change of the
  ///     configuration still reaches it.
  ///   - roleVolumes: the volumes of the roles that have one of their own, in the order of
  ///     `BellRole`.
  ///   - soundDevice: the ALSA device, if one was chosen.
  public static func bytes(
    volume: Int, choices: Choices, roleVolumes: [Int?] = [], soundDevice: String? = nil
  ) -> [UInt8] {
    var text = "[choices]\nvolume = \(volume)\n"
    for (role, percent) in zip(BellRole.allCases, roleVolumes) {
      if let percent { text += "volume.\(role.name) = \(percent)\n" }
    }
    if let soundDevice { text += "sound.device = \(soundDevice)\n" }
    for choice in PanelChoice.allCases where choices.chosen.contains(choice) {
      text += "\(choice.name) = \(choices.text(choice))\n"
    }
    return Array(text.utf8)
  }

  /// Takes what a file holds into the settings of an appliance. What cannot be read is left: nobody
  /// wrote it by hand, so there is nobody to tell.
  public static func apply(_ bytes: [UInt8], to settings: inout ApplianceSettings) {
    for entry in entries(bytes) {
      if case .count(let percent)? = try? LocalChoice.read(key: entry.key, value: entry.value) {
        switch try? LocalChoice.subject(key: entry.key) {
        case .volume: settings.volume = percent
        case .roleVolume(let role): settings.roleVolumes[Int(role.rawValue)] = percent
        case .soundDevice, nil: break
        }
      }
      let choice = PanelChoice.allCases.first { $0.name.description == entry.key }
      if let choice { settings.choose(choice, entry.value) }
    }
  }

  /// The ALSA device that a file holds; nil if none was chosen, or none that can be read.
  public static func soundDevice(in bytes: [UInt8]) -> String? {
    guard let entry = entries(bytes).first(where: { $0.key == "sound.device" }),
      case .text(let device)? = try? LocalChoice.read(key: entry.key, value: entry.value)
    else { return nil }
    return device
  }

  /// What a file holds, as it stands there.
  public static func texts(in bytes: [UInt8]) -> [(key: String, value: String)] {
    entries(bytes).map { ($0.key, $0.value) }
  }

  private static func entries(_ bytes: [UInt8]) -> [INIEntry] {
    INIReader(bytes, file: "choices").sections.first { $0.name == "choices" }?.entries ?? []
  }
}
