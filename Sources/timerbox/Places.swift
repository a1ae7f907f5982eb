import ALSAOutput
import Bells
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
  /// - Parameters:
  ///   - board: in place of the one that `--board` names.
  ///   - file: a file that was named otherwise than by `--config`.
  static func configuration(
    _ options: Options, board: Board? = nil, file: String? = nil
  ) throws(VerbError) -> Configuration {
    let configuration = try readConfiguration(options, board: board, file: file)
    try refuseStore(options, configuration)
    return configuration
  }

  /// The same with the sounds there are on this device.
  static func configurationAndSounds(
    _ options: Options
  ) throws(VerbError) -> (Configuration, [Sound]) {
    let configuration = try configuration(options)
    let state = stateFolder(options)
    return (configuration, SoundParts(configuration, try board(options), state: state).sounds)
  }

  /// An engine that carries the shared folder would else carry the truth, and write over it.
  private static func refuseStore(
    _ options: Options, _ configuration: Configuration
  ) throws(VerbError) {
    let store = storeFolder(options, configuration)
    guard store.isEmpty || isSame(store, stateFolder(options)) else { return }
    let isOption = options.value("--store") != nil
    let problem = store.isEmpty ? "has no name" : "is the state folder"
    throw VerbError(
      status: isOption ? .usage : .configuration,
      message: "\(isOption ? "--store" : "[store] folder"): the shared folder \(problem), expected "
        + "a folder of its own")
  }

  /// Whether two paths lead to one folder, also where that is not made yet.
  static func isSame(_ first: String, _ second: String) -> Bool {
    guard let one = try? Files.statusFollowingLinks(first),
      let other = try? Files.statusFollowingLinks(second)
    else { return first == second }
    return one.inode == other.inode && one.device == other.device
  }

  private static func readConfiguration(
    _ options: Options, board: Board?, file: String?
  ) throws(VerbError) -> Configuration {
    let wired: Board
    if let board { wired = board } else { wired = try self.board(options) }
    var configuration = Configuration(board: wired)
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
      try configuration.check(sounds: Sound.bellNames)
    } catch {
      throw VerbError(status: .configuration, message: error.text)
    }
    return configuration
  }

  /// What is odd about a board on this machine, as sentences with their places.
  static func warnings(of board: Board) -> [String] {
    let card = SoundSystem().cards.first { $0.kind == .i2s }
    return (board.warnings + board.warnings(i2sCard: card?.id)).map(\.text)
  }

  /// The board that `--board` names; the simulated one if there is no such option.
  static func board(_ options: Options) throws(VerbError) -> Board {
    try board(named: options.value("--board") ?? Board.simulated.name)
  }

  /// The board of a name or a file.
  static func board(named name: String) throws(VerbError) -> Board {
    if name == Board.simulated.name { return .simulated }
    if name.contains("/") || name.contains(".") { return try board(inFile: name) }
    let shipped = name == "auto" ? try boardOfMachine() : name
    if shipped == Board.simulated.name { return .simulated }
    let path = boardFolders.map { "\($0)/\(shipped).ini" }.first { path in
      (try? Files.status(path)) != nil
    }
    guard let path else {
      let names = ["auto"] + boardNames
      throw VerbError(
        status: .configuration,
        message: "found the board \(quoted(shipped)), expected \(names.joined(separator: ", ")) "
          + "or a board file\(suggestion(for: shipped, among: names))")
    }
    return try board(inFile: path)
  }

  private static func board(inFile path: String) throws(VerbError) -> Board {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.readWhole(path, limit: Inputs.bytesMax)
    } catch {
      throw VerbError(status: .configuration, message: "\(path): \(error.errno.text)")
    }
    do throws(SettingsProblems) { return try Board(bytes, file: path) } catch {
      throw VerbError(status: .configuration, message: error.text)
    }
  }

  /// The name of the shipped board for this machine, by what its device tree says.
  private static func boardOfMachine() throws(VerbError) -> String {
    let tree = "/proc/device-tree"
    let limit = 4_096
    let model = BoardModel(
      model: (try? Files.readWhole("\(tree)/model", limit: limit)) ?? [],
      compatible: (try? Files.readWhole("\(tree)/compatible", limit: limit)) ?? [])
    guard let name = model.boardName else {
      throw VerbError(
        status: .configuration,
        message: "--board auto found \(model.text), expected a machine that has a board; give one "
          + "of \(boardNames.joined(separator: ", ")) or a board file")
    }
    return name
  }

  /// Where shipped boards are: beside the `bin` of this program, or in its source tree.
  private static var boardFolders: [String] {
    let program = Machine.linkTarget("/proc/self/exe") ?? ""
    let parts = program.split(separator: "/").dropLast(2)
    let prefix = parts.map { "/\($0)" }.joined()
    return ["\(prefix)/share/timerbox/board", "board"]
  }

  /// The boards that `--board` can name.
  private static var boardNames: [String] {
    let names = Set(boardFolders.flatMap(namesOfBoards)).union([Board.simulated.name])
    return names.sorted()
  }

  private static func namesOfBoards(in path: String) -> [String] {
    do throws(SystemError) {
      let folder = try Files.open(path, [.readOnly, .folder])
      return try Files.names(in: folder).filter { $0.hasSuffix(".ini") }
        .map { String($0.dropLast(4)) }
    } catch {
      return []
    }
  }
}
