import LinuxIO

/// What a state folder remembers of a shared folder: that it was there, and whether it was on a
/// disk that was mounted somewhere.
enum SharedMemory: Equatable {
  /// On the disk at the root of all, as other folders.
  case plain
  /// On another disk, so many levels below the place where that was mounted.
  case mounted(levels: Int)

  /// The file in the state folder: a line for each folder, with `plain` or `mounted N`, a blank and
  /// the whole path.
  static let name = "shared-folder"
  /// How many folders are remembered, the last ones.
  private static let limit = 32
  private static let byteLimit = 1 << 18

  /// What is remembered; nil of a folder that was never used.
  init?(of path: String, inState state: String) {
    let wanted = SharedMemory.whole(path)
    for line in SharedMemory.lines(inState: state) {
      if let found = SharedMemory.parse(line), found.path == wanted {
        self = found.memory
        return
      }
    }
    return nil
  }

  /// How a path leads to its disk now; nil where nothing is there, or where a disk does not say:
  /// what is remembered is not to hang on a fault that passes.
  init?(now path: String) {
    guard var status = try? Files.statusFollowingLinks(path) else { return nil }
    var (levels, place) = (0, path)
    while true {
      place += "/.."
      let above: FileStatus
      do throws(SystemError) { above = try Files.statusFollowingLinks(place) } catch {
        guard error.errno == .permissionDenied else { return nil }
        // Whoever may not look further up is told of no mount there.
        self = .plain
        return
      }
      if above.device != status.device {
        self = .mounted(levels: levels)
        return
      }
      if above.inode == status.inode {
        self = .plain
        return
      }
      (status, levels) = (above, levels + 1)
    }
  }

  /// Whether the disk that was there before, when this was remembered, is not there now.
  func isLost(_ now: SharedMemory) -> Bool {
    switch (self, now) {
    case (.plain, _): false
    case (.mounted, .plain): true
    case (.mounted(let before), .mounted(let levels)): levels > before
    }
  }

  func write(of path: String, inState state: String) throws(StoreFileFault) {
    let wanted = SharedMemory.whole(path)
    var lines = SharedMemory.lines(inState: state).filter {
      guard let found = SharedMemory.parse($0) else { return false }
      return found.path != wanted
    }
    lines = lines.suffix(SharedMemory.limit - 1) + ["\(word) \(wanted)"]
    let text = lines.map { $0 + "\n" }.joined()
    try DurableFolder(state).replace(SharedMemory.name, with: Array(text.utf8))
  }

  private var word: String {
    switch self {
    case .plain: "plain"
    case .mounted(let levels): "mounted \(levels)"
    }
  }

  private static func lines(inState state: String) -> [String] {
    let bytes = (try? DurableFolder(state).read(name, limit: byteLimit)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  private static func parse(_ line: String) -> (memory: SharedMemory, path: String)? {
    guard let slash = line.firstIndex(of: "/") else { return nil }
    let path = String(line[slash...])
    let words = line[..<slash].split(separator: " ")
    if words == ["plain"] { return (.plain, path) }
    guard words.count == 2, words[0] == "mounted", let levels = Int(words[1]) else { return nil }
    return (.mounted(levels: levels), path)
  }

  /// A path from the root, without what does not change where it leads.
  static func whole(_ path: String) -> String {
    let start = path.hasPrefix("/") ? "" : Machine.linkTarget("/proc/self/cwd") ?? ""
    return "/"
      + "\(start)/\(path)".split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// The folder above a path, by its text.
  static func above(_ path: String) -> String {
    let parts = path.split(separator: "/").dropLast()
    return (path.hasPrefix("/") ? "/" : "./") + parts.joined(separator: "/")
  }
}
