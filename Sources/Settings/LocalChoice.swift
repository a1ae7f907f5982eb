import TimerMachine

/// The choices that are made on this device and stay on it (`timerbox set`): they are never in the
/// configuration file and never in the shared store.
public enum LocalChoice {
  /// Every choice, those of later rooms too.
  public static let all: [ConfigurationKey] =
    [
      // The box must be heard when it is first switched on, and startle nobody.
      ConfigurationKey("", "volume", .count(0...100), "60", "How loud the bells are, in percent.")
    ]
    + ["start", "interval", "segment", "end", "reminder", "cue"].map { role in
      ConfigurationKey(
        "", "volume." + role, .count(0...100), "",
        isBuilt: ConfigurationKey.named("bell.\(role).sound")?.isBuilt == true,
        "How loud this role is, whatever the volume; it follows the volume if empty.")
    } + [
      ConfigurationKey("", "programme", .name, "", isBuilt: false, "The chosen programme."),
      ConfigurationKey(
        "", "brightness", .count(0...100), "", isBuilt: false, "How bright the face is."),
      ConfigurationKey(
        "", "picture", .words(["fire", "water", "plain"]), "", isBuilt: false,
        "What is seen behind the time."),
      ConfigurationKey(
        "", "rating", .yesOrNo, "no", isBuilt: false, "Whether a sit is rated when it has ended."),
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
    /// The ALSA device.
    case soundDevice
  }

  /// What a key changes.
  public static func subject(key: String) throws(SettingsError) -> Subject {
    _ = try row(key)
    if key == "volume" { return .volume }
    let role = BellRole.allCases.first { key == "volume.\($0.name)" }
    return role.map { .roleVolume($0) } ?? .soundDevice
  }

  private static func row(_ key: String) throws(SettingsError) -> ConfigurationKey {
    let expected = listed(all.filter(\.isBuilt).map(\.name))
    guard let row = all.first(where: { $0.name == key }) else {
      let nearest = nearest(to: key, among: all.map(\.name))
      throw SettingsError(.unknownKey(found: key, expected: expected, nearest: nearest))
    }
    guard row.isBuilt else { throw SettingsError(.notBuilt(found: key, expected: expected)) }
    return row
  }
}
