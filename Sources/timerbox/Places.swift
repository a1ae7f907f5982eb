import LinuxIO
import Sessions
import Settings

/// Where things are when nobody says otherwise (CONTRACT, "One binary").
enum Places {
  static let configurationFile = "/etc/timerbox/timerbox.conf"
  static let serviceFolder = "/var/lib/timerbox"

  /// The device's own folder. A service manager that names a state folder makes this the service's
  /// own; a person who has no folder of their own looks at the service's.
  static func stateFolder(_ options: Options) -> String {
    options.value("--state") ?? home(of: "state")
  }

  /// The shared folder of replicas; the configuration may name another.
  static func storeFolder(_ options: Options, _ configuration: Configuration) -> String {
    options.value("--store") ?? configuration.store.folder ?? home(of: "store")
  }

  private static func home(of name: String) -> String {
    if Machine.environment("STATE_DIRECTORY") != nil { return "\(serviceFolder)/\(name)" }
    let state =
      Machine.environment("XDG_STATE_HOME")
      ?? "\(Machine.environment("HOME") ?? "")/.local/state"
    let own = "\(state)/timerbox"
    let hasOwn = (try? Files.status(own)) != nil
    let hasService = (try? Files.status(serviceFolder)) != nil
    return "\(!hasOwn && hasService ? serviceFolder : own)/\(name)"
  }

  /// The configuration: defaults, the board, then the file. A missing default file is fine, a
  /// missing named one is not.
  /// - Parameter file: a file that was named otherwise than by `--config`.
  static func configuration(
    _ options: Options, file: String? = nil
  ) throws(VerbError) -> Configuration {
    var configuration = try Configuration(board: board(options))
    let named = file ?? options.value("--config")
    let path = named ?? configurationFile
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.readWhole(path, limit: Inputs.bytesMax)
    } catch {
      if error.errno == .noSuchFile && named == nil { return configuration }
      throw VerbError(status: .configuration, message: "\(path): \(error.errno.text)")
    }
    do throws(SettingsProblems) {
      try configuration.read(bytes, file: path)
      try configuration.check(sounds: SoundsVerb.names)
    } catch {
      throw VerbError(status: .configuration, message: error.text)
    }
    return configuration
  }

  private static func board(_ options: Options) throws(VerbError) -> Board {
    guard let name = options.value("--board"), name != "simulated" else { return .simulated }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.readWhole(name, limit: Inputs.bytesMax)
    } catch {
      let message =
        name.contains("/") || name.contains(".")
        ? "\(name): \(error.errno.text)"
        : "found the board \"\(name)\", expected \"simulated\" or a board file"
      throw VerbError(status: .configuration, message: message)
    }
    do throws(SettingsProblems) { return try Board(bytes, file: name) } catch {
      throw VerbError(status: .configuration, message: error.text)
    }
  }
}
