import LinuxIO

/// What a state folder remembers of the shared folder: that it was there, and whether it was a disk
/// of its own.
enum SharedMemory: String {
  /// A folder as others.
  case plain
  /// The place where a disk was mounted.
  case mounted

  /// The file in the state folder: the shared folder's path, and a line with one of these words.
  static let name = "shared-folder"

  /// What is remembered; nil of a folder that was never used.
  init?(of path: String, inState state: String) {
    guard let bytes = try? DurableFolder(state).read(SharedMemory.name, limit: 8_192) else {
      return nil
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.count == 2, lines[0] == path else { return nil }
    self.init(rawValue: String(lines[1]))
  }

  func write(of path: String, inState state: String) throws(StoreFileFault) {
    let bytes = Array("\(path)\n\(rawValue)\n".utf8)
    try DurableFolder(state).replace(SharedMemory.name, with: bytes)
  }

  /// Whether another file system begins at a path; nil where nothing is there.
  static func isMounted(_ path: String) -> Bool? {
    guard let status = try? Files.statusFollowingLinks(path) else { return nil }
    guard let above = try? Files.statusFollowingLinks("\(path)/..") else { return false }
    return status.device != above.device
  }

  /// The folder above a path, by its text.
  static func above(_ path: String) -> String {
    let parts = path.split(separator: "/").dropLast()
    return (path.hasPrefix("/") ? "/" : "./") + parts.joined(separator: "/")
  }
}
