import Appliance
import TimerMachine

/// The choices that are made on this device and stay on it (`timerbox set`): they are never in the
/// configuration file and never in the shared store.
public enum LocalChoice {
  /// Every choice.
  public static let all: [ConfigurationKey] =
    [
      // The box must be heard when it is first switched on, and startle nobody.
      ConfigurationKey("", "volume", .count(0...100), "60", "How loud the bells are, in percent.")
    ]
    + ["start", "interval", "segment", "end", "reminder", "cue"].map { role in
      ConfigurationKey(
        "", "volume." + role, .count(0...100), "",
        "How loud this role is, whatever the volume; it follows the volume if empty.")
    } + [
      ConfigurationKey(
        "", "programme", .programmeName, "simple", "The programme that the next press begins."),
      ConfigurationKey(
        "", "journey", .text, "none", "The journey that sits belong to, or none."),
      ConfigurationKey(
        "", "rating", .yesOrNo, "no", "Whether a turn rates the sit that has ended."),
      ConfigurationKey("", "brightness", .count(0...100), "100", "How bright a face is."),
      ConfigurationKey(
        "", "picture", .words(Picture.allCases.map(\.name.description)), "fire",
        "What is seen behind the time."),
      ConfigurationKey(
        "", "sound.device", .device, "",
        "The ALSA device that bells ring on; the configuration's if empty."),
    ]

  /// Reads a choice.
  /// - Parameters:
  ///   - key: its name.
  ///   - value: its value without white space around it.
  public static func read(key: String, value: String) throws(SettingsError) -> SettingValue {
    try row(key).read(value, at: nil)
  }

  /// The value of a choice that nobody has made.
  public static func standard(key: String) throws(SettingsError) -> SettingValue {
    try row(key).standardValue
  }

  /// What a choice changes.
  public enum Subject: Equatable, Sendable {
    /// The box's own volume.
    case volume
    /// The volume of a role.
    case roleVolume(BellRole)
    /// The programme of the next sit.
    case programme
    /// The journey that sits belong to.
    case journey
    /// Whether sits are rated.
    case rating
    /// How bright a face is.
    case brightness
    /// What is seen behind the time.
    case picture
    /// The ALSA device.
    case soundDevice
  }

  /// What a key changes.
  public static func subject(key: String) throws(SettingsError) -> Subject {
    _ = try row(key)
    switch key {
    case "volume": return .volume
    case "programme": return .programme
    case "journey": return .journey
    case "rating": return .rating
    case "brightness": return .brightness
    case "picture": return .picture
    default:
      let role = BellRole.allCases.first { key == "volume.\($0.name)" }
      return role.map { .roleVolume($0) } ?? .soundDevice
    }
  }

  private static func row(_ key: String) throws(SettingsError) -> ConfigurationKey {
    guard let row = all.first(where: { $0.name == key }) else {
      let nearest = nearest(to: key, among: all.map(\.name))
      let expected = listed(all.map(\.name))
      throw SettingsError(.unknownKey(found: key, expected: expected, nearest: nearest))
    }
    return row
  }
}
