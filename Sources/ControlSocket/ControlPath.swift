import LinuxIO

/// Where the control socket is.
///
/// A service takes the first folder that it may use: the one that systemd made for it
/// (`RUNTIME_DIRECTORY`), for root `/run/timerbox`, the user's own (`XDG_RUNTIME_DIR`), and last
/// one of its own under `/tmp`, where anyone may have put something before: it is taken only if it
/// is a folder of this user that nobody else can enter.
public enum ControlPath {
  /// The socket's name in its folder.
  public static let name = "control.sock"

  private static let systemFolder = "/run/timerbox"

  /// The folders in order.
  static func folders(user: UInt32, environment: (String) -> String?) -> [String] {
    if let list = environment("RUNTIME_DIRECTORY"), let first = list.split(separator: ":").first {
      return [String(first)]
    }
    let root = user == 0 ? [systemFolder] : []
    let own = environment("XDG_RUNTIME_DIR").map { ["\($0)/timerbox"] } ?? []
    return root + own + [sharedFolder(user)]
  }

  private static func sharedFolder(_ user: UInt32) -> String { "/tmp/timerbox-\(user)" }

  /// The path for a service; its folder is made where it is missing.
  /// - Parameter option: a path that was named by the user; it goes before all others.
  /// - Throws: why the last folder cannot be used.
  public static func forService(
    option: String? = nil, user: UInt32 = Machine.user,
    environment: (String) -> String? = Machine.environment
  ) throws(SystemError) -> String {
    if let option { return option }
    var failure = SystemError(call: "mkdir", errno: .noSuchFile)
    for folder in folders(user: user, environment: environment) {
      do throws(SystemError) {
        try prepare(folder, user: user)
        return "\(folder)/\(name)"
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// The paths that a client tries, in order: those of its own user, then the system's service.
  /// Whoever names a runtime folder means the service there, and no other.
  public static func forClient(
    option: String? = nil, user: UInt32 = Machine.user,
    environment: (String) -> String? = Machine.environment
  ) -> [String] {
    if let option { return [option] }
    var found = folders(user: user, environment: environment)
    let isNamed = environment("RUNTIME_DIRECTORY") != nil
    if !isNamed && !found.contains(systemFolder) { found.append(systemFolder) }
    return found.map { "\($0)/\(name)" }
  }

  static func prepare(_ folder: String, user: UInt32) throws(SystemError) {
    try Files.makeFolder(folder, permissions: folder == systemFolder ? 0o755 : 0o700)
    let status = try Files.status(folder)
    guard status.kind == .folder else {
      throw SystemError(call: "mkdir", path: folder, errno: .notFolder)
    }
    guard folder.hasPrefix("/tmp/") else { return }
    guard status.owner == user, status.permissions & 0o077 == 0 else {
      throw SystemError(call: "mkdir", path: folder, errno: .notPermitted)
    }
  }
}
