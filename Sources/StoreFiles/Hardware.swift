import LinuxIO

/// What tells one machine from another of the same make.
enum Hardware {
  /// What many boards say that were given no number of their own.
  private static let placeholders = ["03000200-0400-0500-0006-000700080009"]

  /// The number of this machine, with where it comes from; nil where it has none that this user may
  /// read. A card that was copied into another machine is known by another number.
  /// - Parameter root: stands before the paths, for tests.
  static func fingerprint(root: String = "") -> String? {
    let sources = [
      ("device-tree", "/proc/device-tree/serial-number"),
      ("dmi", "/sys/class/dmi/id/product_uuid"),
    ]
    for (name, path) in sources {
      guard let bytes = try? Files.readWhole(root + path, limit: 256) else { continue }
      let text = String(decoding: bytes.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
        .lowercased()
      if isTelling(text) { return "\(name) \(text)" }
    }
    return nil
  }

  /// A number of zeros, or of one digit only, is what a board says that was given none.
  private static func isTelling(_ text: String) -> Bool {
    let digits = text.filter { $0.isHexDigit }
    return digits.count >= 8 && Set(digits).count >= 3 && !placeholders.contains(text)
  }
}
