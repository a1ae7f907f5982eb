import FoundationEssentials
import Glibc
import LinuxIO

/// The service as a process of its own: the static release binary, without a terminal, on an output
/// that takes sound in real time and writes it nowhere.
private final class RunningService {
  let process: pid_t
  let folder: String
  private let program: String

  init(_ program: String, notify: String? = nil) throws {
    self.program = program
    var template = Array("/tmp/timerbox-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure("no temporary folder") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    mkdir(folder + "/run", 0o700)
    let sound = "pcm.null { type null }\npcm.!default { type null }\n"
    try sound.write(toFile: folder + "/asound.conf", atomically: false, encoding: .utf8)
    process = try spawn(program, ["run"], folder: folder, notify: notify)
  }

  deinit {
    kill(process, SIGTERM)
    waitpid(process, nil, 0)
    try? FileManager.default.removeItem(atPath: folder)
  }

  func ask(_ words: String...) throws -> Int32 {
    let asked = try spawn(program, words, folder: folder, notify: nil)
    var status: Int32 = 0
    waitpid(asked, &status, 0)
    return status
  }

  /// Voluntary context switches of each thread since it began: every one was a wait, so every one
  /// is a wake-up.
  func wakeUps() throws -> [(thread: String, count: Int)] {
    let tasks = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).sorted().map { task in
      let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
      let count = field("voluntary_ctxt_switches", of: status)
      let name = status.split(separator: "\n")[0].split(separator: "\t")[1]
      return (task == "\(process)" ? "control" : String(name), count)
    }
  }

  func residentKilobytes() throws -> Int {
    field("VmRSS", of: try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8))
  }

  private func field(_ name: String, of status: String) -> Int {
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line.flatMap { Int($0.filter { $0.isNumber }) } ?? -1
  }
}

private func spawn(
  _ program: String, _ words: [String], folder: String, notify: String?
) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for descriptor in Int32(0)...2 {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
  }
  var variables = [
    "XDG_STATE_HOME=\(folder)/state", "RUNTIME_DIRECTORY=\(folder)/run", "HOME=\(folder)",
    "ALSA_CONFIG_PATH=\(folder)/asound.conf",
  ]
  if let notify { variables.append("NOTIFY_SOCKET=\(notify)") }
  var argv: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
  var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
  defer { (argv + environment).forEach { free($0) } }
  var process: pid_t = 0
  guard posix_spawn(&process, program, &actions, nil, &argv, &environment) == 0 else {
    throw Failure("\(program) cannot be run")
  }
  return process
}

/// Wake-ups, memory, readiness and size of the service.
func measureService(_ program: String) throws {
  let service = try RunningService(program)
  sleep(2)
  try measureWakeUps(of: service, "idle", seconds: 15, controlMax: 0)
  let idle = try service.residentKilobytes()
  guard try service.ask("start", "20m") == 0, try service.ask("skip") == 0 else {
    throw Failure("the service does not start a sit")
  }
  sleep(2)
  try measureWakeUps(of: service, "a bell rings (keep-alive never)", seconds: 15, controlMax: 1)
  let sitting = try service.residentKilobytes()
  for (name, kilobytes) in [("idle", idle), ("in a sit", sitting)] {
    Row(
      name: "resident memory, \(name)", value: "\(fixed(Double(kilobytes) / 1_024, 1)) MB",
      aim: ("under 14", kilobytes < 14 * 1_024)
    ).write()
  }
  try measureReadiness(program)
  var status = stat()
  guard stat(program, &status) == 0 else { throw Failure("\(program) is not there") }
  let megabytes = Double(status.st_size) / 1_000_000
  Row(
    name: "size of the static binary, stripped", value: "\(fixed(megabytes, 1)) MB",
    aim: ("under 18", megabytes < 18)
  ).write()
}

private func measureWakeUps(
  of service: RunningService, _ state: String, seconds: UInt32, controlMax: Double
) throws {
  let before = try service.wakeUps()
  sleep(seconds)
  for (index, after) in try service.wakeUps().enumerated() {
    let perSecond = Double(after.count - before[index].count) / Double(seconds)
    Row(
      name: "wake-ups of \(after.thread), \(state)", value: "\(fixed(perSecond, 2)) /s",
      aim: after.thread == "control"
        ? ("at most \(fixed(controlMax, 0))", perSecond <= controlMax) : nil
    ).write()
  }
}

/// From exec to READY=1, as a service manager sees it.
private func measureReadiness(_ program: String) throws {
  let path = "/tmp/timerbox-bench-\(getpid()).notify"
  let manager = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let length = socklen_t(MemoryLayout<sockaddr_un>.size)
  let bound = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(manager, $0, length) }
  }
  guard bound == 0 else { throw Failure("no notification socket") }
  defer {
    close(manager)
    unlink(path)
  }
  var milliseconds: [Double] = []
  for _ in 0..<20 {
    let begin = Clock.monotonic()
    let service = try RunningService(program, notify: path)
    // The service before this one may still say that it stops.
    while try message(at: manager) != "READY=1" {}
    milliseconds.append(Double(Clock.monotonic() - begin) / 1_000_000)
    withExtendedLifetime(service) {}
  }
  let sorted = milliseconds.sorted()
  Row(
    name: "from exec to ready",
    value: "min \(fixed(sorted[0], 1)) ms, median \(fixed(sorted[10], 1)) ms of 20",
    aim: ("under 50", sorted[10] < 50)
  ).write()
}

private func message(at manager: Int32) throws -> String {
  var bytes = [UInt8](repeating: 0, count: 256)
  var waited = pollfd(fd: manager, events: Int16(POLLIN), revents: 0)
  guard poll(&waited, 1, 5_000) == 1 else { throw Failure("the service does not become ready") }
  let count = recv(manager, &bytes, bytes.count, 0)
  return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}
