/// One file of a replica. A replica is one file as long as it fits; which others there are is a
/// pure function of its state, so that all boxes with the same state have the same files.
///
/// | volume   | state folder      | shared folder            | holds                          |
/// |----------|-------------------|--------------------------|--------------------------------|
/// | main     | `truth.kv`        | `DEVICE.kv`              | keys, claims, the newest sits  |
/// | overflow | `truth.2.kv`      | `DEVICE.2.kv`            | what a merge left no room for  |
/// | archive  | `archive/2026.kv` | `archive/DEVICE.2026.kv` | the oldest months, by year     |
public enum Volume: Hashable, Comparable, Sendable {
  /// The file that names the others' place by its own.
  case main
  /// A further part of what does not fit into the main file, from 2.
  case overflow(Int)
  /// The archived sits that began in a year of UTC. Parts count from 1.
  case archive(year: Int, part: Int)

  /// The folder of archive volumes, in the state folder and in the shared one.
  public static let archiveFolder = "archive"
  /// What every replica's name ends with.
  public static let suffix = ".kv"

  /// The path of the truth's volume within the state folder.
  public var truthPath: String {
    switch self {
    case .main, .overflow: "truth\(numbers.map { ".\($0)" }.joined())\(Volume.suffix)"
    case .archive: "\(Volume.archiveFolder)/\(numbers.joined(separator: "."))\(Volume.suffix)"
    }
  }

  /// The path of a device's copy of the volume within the shared folder.
  public func exchangePath(of device: Identity) -> String {
    let stem = device.description.lowercased()
    let name = ([stem] + numbers).joined(separator: ".") + Volume.suffix
    if case .archive = self { return "\(Volume.archiveFolder)/\(name)" }
    return name
  }

  private var numbers: [String] {
    switch self {
    case .main: []
    case .overflow(let part): ["\(part)"]
    case .archive(let year, let part):
      ["\(Int64(year), digits: 4)"] + (part == 1 ? [] : ["\(part)"])
    }
  }

  /// How a volume's own first line names it: its place without the device; nil for the main one.
  var label: String? {
    switch self {
    case .main: nil
    case .overflow: numbers.joined(separator: ".")
    case .archive: "\(Volume.archiveFolder)/\(numbers.joined(separator: "."))"
    }
  }

  init?(label: String) {
    self.init(path: label + Volume.suffix, stem: nil)
    if self.label != label { return nil }
  }

  /// The volume that a path names; nil where it is no volume's.
  /// - Parameter stem: `truth`, or a device's UUID in lower case.
  private init?(path: String, stem: String?) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let name = parts.last, name.hasSuffix(Volume.suffix),
      parts.count == 1 || parts[0] == Volume.archiveFolder
    else { return nil }
    var words = name.dropLast(Volume.suffix.utf8.count)
      .split(separator: ".", omittingEmptySubsequences: false)
    if let stem {
      guard words.first.map(String.init) == stem else { return nil }
      words.removeFirst()
    }
    let numbers = words.compactMap { Int($0) }
    guard numbers.count == words.count else { return nil }
    switch (parts.count, numbers.count) {
    case (1, 0): self = .main
    case (1, 1) where numbers[0] > 1: self = .overflow(numbers[0])
    case (2, 1) where numbers[0] >= 0: self = .archive(year: numbers[0], part: 1)
    case (2, 2) where numbers[0] >= 0 && numbers[1] > 1:
      self = .archive(year: numbers[0], part: numbers[1])
    default: return nil
    }
  }

  /// The volume of the truth that a path within the state folder names.
  public init?(truthPath path: String) {
    let stem: String? = path.contains("/") ? nil : "truth"
    self.init(path: path, stem: stem)
    if truthPath != path { return nil }
  }

  /// Whether a path within the state folder names a volume of the truth or the generation before.
  public static func isTruth(_ path: String) -> Bool {
    Volume(truthPath: path) != nil || path == Volume.main.truthPath + ".1"
  }

  /// The volume of a device's copy that a path within the shared folder names.
  public init?(exchangePath path: String, of device: Identity) {
    self.init(path: path, stem: device.description.lowercased())
    if exchangePath(of: device) != path { return nil }
  }
}

/// A volume and the bytes of its file.
public struct VolumeFile: Equatable, Sendable {
  /// Which volume.
  public var volume: Volume
  /// The whole file, at most `StoreCaps.fileBytes`.
  public var bytes: [UInt8]

  /// Makes a volume's file.
  public init(_ volume: Volume, _ bytes: [UInt8]) {
    self.volume = volume
    self.bytes = bytes
  }
}
