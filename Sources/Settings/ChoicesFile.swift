/// The file of what was chosen on this device: the form of a configuration, written by the box.
public enum ChoicesFile {
  /// The file's bytes.
  /// - Parameter volume: in percent.
  public static func bytes(volume: Int) -> [UInt8] {
    Array("[choices]\nvolume = \(volume)\n".utf8)
  }

  /// The volume in percent that a file holds, or `nil` if it holds none that can be read: nobody
  /// wrote it by hand, so there is nobody to tell.
  public static func volume(in bytes: [UInt8]) -> Int? {
    let reader = INIReader(bytes, file: "choices")
    let section = reader.sections.first { $0.name == "choices" }
    guard let entry = section?.entries.first(where: { $0.key == "volume" }),
      case .count(let volume)? = try? LocalChoice.read(key: "volume", value: entry.value)
    else { return nil }
    return volume
  }
}
