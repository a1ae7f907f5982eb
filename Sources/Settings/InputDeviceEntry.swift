import Controls

/// One `[input NAME]` of a board file.
struct InputDeviceEntry {
  let section: String
  let wiring: InputDeviceWiring
  /// Where the device's name stands.
  let place: Place

  /// The relative axes that count whole steps. Those of high resolution count in 120ths.
  static let axes = [
    "REL_X", "REL_Y", "REL_Z", "REL_RX", "REL_RY", "REL_RZ", "REL_HWHEEL", "REL_DIAL", "REL_WHEEL",
    "REL_MISC",
  ]

  /// What a key can play: every part that is a button.
  private static let parts = Line.allCases.filter { Button(line: $0) != nil }

  /// Reads a section; with any error there is no device.
  static func read(_ section: INISection) -> (device: InputDeviceEntry?, errors: [SettingsError]) {
    var errors: [SettingsError] = []
    var name: (text: String, place: Place)?
    var axis: String?
    var keys: [String: Line] = [:]
    for entry in section.entries {
      do throws(SettingsError) {
        switch entry.key {
        case "device":
          name = (entry.value, entry.valuePlace)
          _ = try SettingKind.text.read(entry.value, at: entry.valuePlace)
        case "turn":
          axis = entry.value
          _ = try SettingKind.words(axes).read(entry.value, at: entry.valuePlace)
        default:
          keys[entry.key] = try part(of: entry)
        }
      } catch {
        errors.append(error)
      }
    }
    guard let name else {
      let fault = SettingsFault.missingKey(expected: "device in [\(section.name)]")
      return (nil, errors + [SettingsError(fault, at: section.place)])
    }
    guard errors.isEmpty else { return (nil, errors) }
    let wiring = InputDeviceWiring(
      name: name.text, keys: keys.isEmpty ? InputDeviceWiring.usualKeys : keys, axis: axis)
    return (InputDeviceEntry(section: section.name, wiring: wiring, place: name.place), [])
  }

  /// The part that a key plays.
  private static func part(of entry: INIEntry) throws(SettingsError) -> Line {
    guard KeyNames.contains(entry.key) else {
      let nearest = nearest(to: entry.key, among: ["device", "turn"] + KeyNames.all)
      throw SettingsError(
        .unknownKey(
          found: entry.key, expected: "device, turn or a key such as KEY_OK", nearest: nearest),
        at: entry.keyPlace)
    }
    let names = parts.map(\.name.description)
    _ = try SettingKind.words(names).read(entry.value, at: entry.valuePlace)
    return parts.first { $0.name.description == entry.value } ?? .select
  }
}

extension InputDeviceWiring {
  /// The keys that a remote or a keypad usually has, for a device that is given none.
  public static let usualKeys: [String: Line] = [
    "KEY_UP": .up, "KEY_DOWN": .down, "KEY_LEFT": .left, "KEY_RIGHT": .right,
    "KEY_ENTER": .select, "KEY_KPENTER": .select, "KEY_OK": .select, "KEY_SELECT": .select,
    "KEY_BACK": .back, "KEY_EXIT": .back, "KEY_ESC": .back,
    "KEY_PLAYPAUSE": .play, "KEY_PLAY": .play, "KEY_PAUSE": .play, "KEY_SPACE": .play,
  ]
}
