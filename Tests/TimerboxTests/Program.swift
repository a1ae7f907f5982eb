import FoundationEssentials
import Glibc
import Testing

/// A folder of one test's own, with everything that the binary takes from its surroundings.
final class Surroundings: Sendable {
  let folder: String

  /// - Parameter sound: the ALSA configuration; without one there is no card.
  init(sound: String = "pcm.null { type null }\n") throws {
    var template = Array("/tmp/timerbox-run-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    mkdir(folder + "/run", 0o700)
    try write(sound.replacing("FOLDER", with: folder), to: "asound.conf")
  }

  deinit {
    // Nothing of a test's own stays; what a test needs later it has read by now.
    try? FileManager.default.removeItem(atPath: folder)
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func write(_ text: String, to name: String) throws {
    let file = try #require(fopen(path(name), "w"))
    fputs(text, file)
    fclose(file)
  }

  func bytes(_ name: String) -> [UInt8] {
    guard let file = fopen(path(name), "r") else { return [] }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  var environment: [String] {
    [
      "XDG_STATE_HOME=\(folder)/state", "RUNTIME_DIRECTORY=\(folder)/run", "HOME=\(folder)",
      "ALSA_CONFIG_PATH=\(folder)/asound.conf", "PATH=/usr/bin:/bin", "TERM=xterm-256color",
    ]
  }

  /// Runs the binary to its end.
  func run(_ arguments: String...) throws -> Finished {
    try Program(arguments, in: self).finish()
  }
}

/// What a program left when it ended.
struct Finished {
  /// The exit status; a signal counts as 128 and its number.
  var status: Int32
  var output: String
  var complaints: String
  /// From the wish to end to the end.
  var seconds: Double
}

/// A run of the binary that was just built. Its output goes to files, so that nothing can fill up.
final class Program {
  private static let binary: String = {
    // The test bundle lies beside the products of the same build.
    let bundle = String(decoding: readlink("/proc/self/exe"), as: UTF8.self)
    let arguments = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? bundle
    let parts = arguments.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return parts.joined(separator: "/") + "/timerbox"
  }()

  let process: pid_t
  private let surroundings: Surroundings
  private let name: String
  private var status: Int32?

  /// - Parameters:
  ///   - terminal: the path of a terminal to run on; nil for none.
  ///   - output: the path of a pipe to print to; nil for a file, or the terminal.
  init(
    _ arguments: [String], in surroundings: Surroundings, terminal: String? = nil,
    output pipe: String? = nil, environment: [String] = []
  ) throws {
    self.surroundings = surroundings
    name = "program-\(UInt64.random(in: 0 ... .max))"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let output = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, terminal ?? "/dev/null", O_RDWR, 0)
    if let pipe {
      posix_spawn_file_actions_addopen(&actions, 1, pipe, O_WRONLY, 0)
    } else if terminal != nil {
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
    } else {
      posix_spawn_file_actions_addopen(
        &actions, 1, surroundings.path(name + ".out"), output, 0o600)
    }
    posix_spawn_file_actions_addopen(&actions, 2, surroundings.path(name + ".err"), output, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A session of its own (POSIX_SPAWN_SETSID, which the importer does not show), so that the
    // terminal that it opens first is its terminal.
    posix_spawnattr_setflags(&attributes, 0x80)
    var words: [UnsafeMutablePointer<CChar>?] = ([Program.binary] + arguments).map { strdup($0) }
    var variables: [UnsafeMutablePointer<CChar>?] =
      (environment + surroundings.environment).map { strdup($0) }
    words.append(nil)
    variables.append(nil)
    defer { (words + variables).forEach { free($0) } }
    var process: pid_t = 0
    let error = posix_spawn(&process, Program.binary, &actions, &attributes, words, variables)
    try #require(error == 0, "\(Program.binary): \(String(cString: strerror(error)))")
    self.process = process
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
  }

  var output: String { text(".out") }
  var complaints: String { text(".err") }

  private func text(_ suffix: String) -> String {
    String(decoding: surroundings.bytes(name + suffix), as: UTF8.self)
  }

  /// Whether it has a file open.
  func hasOpen(_ path: String) -> Bool {
    (0..<64).contains { readlink("/proc/\(process)/fd/\($0)") == Array(path.utf8) }
  }

  /// Sends a signal, if one is given, and waits for the end.
  func finish(_ signal: Int32? = nil, within seconds: Double = 20) throws -> Finished {
    let begin = now()
    if let signal { kill(process, signal) }
    var raw: Int32 = 0
    try eventually(within: seconds, "the program ends") {
      waitpid(self.process, &raw, WNOHANG) == self.process
    }
    let ended = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
    status = ended
    return Finished(
      status: ended, output: output, complaints: complaints, seconds: now() - begin)
  }
}

private func readlink(_ path: String) -> [UInt8] {
  var bytes = [CChar](repeating: 0, count: 4_096)
  let count = Glibc.readlink(path, &bytes, bytes.count)
  return bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
}

/// Seconds on the monotonic clock.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Looks every 10 ms whether something has come true, up to a limit.
func eventually(
  within seconds: Double = 10, _ what: String, _ condition: () throws -> Bool
) throws {
  let end = now() + seconds
  while now() < end {
    if try condition() { return }
    usleep(10_000)
  }
  throw NotInTime(what: what, seconds: seconds)
}

/// Something that was waited for did not come.
struct NotInTime: Error, CustomStringConvertible {
  var what: String
  var seconds: Double
  var description: String { "after \(seconds) s it is not true that \(what)" }
}
