import Glibc

/// Starts a program; standard input and error lead nowhere, and so does standard output unless a
/// descriptor is named for it.
func spawn(
  _ program: String, _ words: [String], environment: [String] = [], output: Int32? = nil
) throws(Failure) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for descriptor in Int32(0)...2 {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
  }
  if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
  var argv: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
  var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
  defer { for text in argv + variables { free(text) } }
  var process: pid_t = 0
  guard posix_spawnp(&process, program, &actions, nil, &argv, &variables) == 0 else {
    throw Failure("\(program) cannot be run")
  }
  return process
}

/// A program that runs beside this one; what it writes to standard output waits to be read.
struct Child {
  private let program: String
  private let process: pid_t
  private let end: Int32

  init(_ program: String, _ words: [String], environment: [String] = []) throws(Failure) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure("no pipe") }
    defer { close(ends[1]) }
    // The programs that start later must not hold this one's pipe.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.program = program
    process = try spawn(program, words, environment: environment, output: ends[1])
    end = ends[0]
  }

  /// Waits for its end and gives what it wrote.
  func output() throws(Failure) -> String {
    defer { close(end) }
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(end, &part, part.count)
      guard count > 0 else { break }
      text += part[..<count]
    }
    guard exitStatus(of: process) == 0 else { throw Failure("\(program) failed") }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Waits for the end of a program. What a signal has ended has no status of 0.
func exitStatus(of process: pid_t) -> Int32 {
  var status: Int32 = 0
  while waitpid(process, &status, 0) < 0 && errno == EINTR {}
  return status
}

/// A new folder; who asks for it removes it.
func temporaryFolder() throws(Failure) -> String {
  var template = Array("/tmp/timerbox-bench-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { throw Failure("no temporary folder") }
  return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Why something could not be measured.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
