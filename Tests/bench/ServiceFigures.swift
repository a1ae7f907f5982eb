import FoundationEssentials
import Glibc
import LinuxIO

/// The service as a process of its own: the static release binary, without a terminal, on an output
/// that takes sound in real time and writes it nowhere.
final class RunningService {
  let process: pid_t
  let folder: String
  /// When it was started, on CLOCK_MONOTONIC.
  let begun: Int64
  private let program: String
  private let environment: [String]

  /// - Parameters:
  ///   - chip: what its board is wired to; nil for the simulated board.
  ///   - card: what it plays on; nil for ALSA's null output.
  init(
    _ program: String, configuration: String = "", notify: String? = nil,
    chip: StandInChip? = nil, card: PlayedCard? = nil
  ) throws {
    self.program = program
    folder = try temporaryFolder()
    mkdir(folder + "/run", 0o700)
    let sound =
      try card?.install(in: folder) ?? "pcm.null { type null }\npcm.!default { type null }\n"
    try sound.write(toFile: folder + "/asound.conf", atomically: false, encoding: .utf8)
    let file = folder + "/timerbox.conf"
    try configuration.write(toFile: file, atomically: false, encoding: .utf8)
    environment = [
      "XDG_STATE_HOME=\(folder)/state", "RUNTIME_DIRECTORY=\(folder)/run", "HOME=\(folder)",
      "ALSA_CONFIG_PATH=\(folder)/asound.conf",
    ]
    let told = notify.map { ["NOTIFY_SOCKET=\($0)"] } ?? []
    let board = try chip?.install(in: folder)
    begun = Clock.monotonic()
    process = try spawn(
      program, ["run", "--config", file, "--board", board?.file ?? "simulated"],
      environment: environment + told + (board?.environment ?? []))
  }

  deinit {
    kill(process, SIGTERM)
    _ = exitStatus(of: process)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Begins a sit, at once.
  func sit() throws {
    for words in [["start", "20m"], ["skip"]] { try command(words) }
  }

  /// Asks something of it.
  func command(_ words: [String]) throws {
    guard exitStatus(of: try spawn(program, words, environment: environment)) == 0 else {
      throw Failure("the service refuses \(words)")
    }
  }

  /// What it shows, in JSON.
  func status() throws -> String {
    try Child(program, ["status", "--json"], environment: environment).output()
  }

  /// Its threads, each with its folder in /proc.
  func tasks() throws -> [(name: String, folder: String)] {
    let tasks = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).map { task in
      let name = try String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)
      let thread = task == "\(process)" ? "control" : String(name.prefix { $0 != "\n" })
      return (thread, "\(tasks)/\(task)")
    }
  }

  /// Voluntary context switches of each thread since it began: every one was a wait, so every one
  /// is a wake-up.
  func wakeUps() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for task in try tasks() { counts[task.name] = try timerbox_bench.wakeUps(ofTask: task.folder) }
    return counts
  }

  /// What is in RAM, and of that this process's share, in KiB.
  func memory() throws -> (resident: Int, proportional: Int) {
    let rollup = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
    return (try field("Rss", of: rollup), try field("Pss", of: rollup))
  }
}

/// The number of a line of a file in /proc.
private func field(_ name: String, of status: String) throws -> Int {
  let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
  guard let number = line.flatMap({ Int($0.filter { $0.isNumber }) }) else {
    throw Failure("no \(name) in /proc")
  }
  return number
}

/// The voluntary context switches of a thread, by its folder in /proc.
func wakeUps(ofTask folder: String) throws -> Int {
  let status = try String(contentsOfFile: folder + "/status", encoding: .utf8)
  return try field("voluntary_ctxt_switches", of: status)
}

/// Nanoseconds that a thread has run, by its folder in /proc.
func processorTime(ofTask folder: String) throws -> Int64 {
  let text = try String(contentsOfFile: folder + "/schedstat", encoding: .utf8)
  guard let time = text.split(separator: " ").first.flatMap({ Int64($0) }) else {
    throw Failure("no schedstat in /proc")
  }
  return time
}

/// Wake-ups, memory, readiness and size of the service.
func measureService(_ program: String) throws {
  let service = try RunningService(program)
  sleep(2)
  try measureWakeUps(of: service, "idle", seconds: 20, most: [0, 0, 0])
  let idle = try service.memory()
  try service.sit()
  sleep(2)
  try measureWakeUps(of: service, "in a sit, a bell rings", seconds: 20, most: [1, nil, nil])
  let sitting = try service.memory()
  for (name, memory) in [("idle", idle), ("in a sit, a bell rings", sitting)] {
    let megabytes = Double(memory.resident) * 1_024 / 1_000_000
    let proportional = Double(memory.proportional) * 1_024 / 1_000_000
    Row(
      name: "resident memory, \(name)",
      value: "\(fixed(megabytes, 1)) MB (proportional: \(fixed(proportional, 1)) MB)",
      aim: ("under 14", megabytes < 14)
    ).write()
  }
  try measureSilentSit(program)
  try measureReadiness(program)
}

/// A sit whose start bell is silent: the output stays closed until the end bell comes near.
private func measureSilentSit(_ program: String) throws {
  let service = try RunningService(program, configuration: "[bell start]\nsound = none\n")
  sleep(1)
  try service.sit()
  sleep(2)
  try measureWakeUps(of: service, "in a sit, no bell rings", seconds: 20, most: [1, 0, 0])
}

/// - Parameter most: the aims for control, storage and audio, in wake-ups a second.
private func measureWakeUps(
  of service: RunningService, _ state: String, seconds: UInt32, most: [Double?]
) throws {
  let before = try service.wakeUps()
  sleep(seconds)
  let after = try service.wakeUps()
  for (thread, most) in zip(["control", "storage", "audio"], most) {
    guard let first = before[thread], let last = after[thread] else {
      throw Failure("the service has no thread \(thread)")
    }
    let perSecond = Double(last - first) / Double(seconds)
    Row(
      name: "wake-ups of \(thread), \(state)", value: "\(fixed(perSecond, 2)) /s",
      aim: most.map { (text: "at most \(fixed($0, 0))", isReached: perSecond <= $0) }
    ).write()
  }
}

func measureSizes(stripped: String, unstripped: String) throws {
  try measureSize("stripped", stripped, aim: 18)
  try measureSize("not stripped", unstripped, aim: nil)
}

/// - Parameter aim: in MB; nil where there is none.
private func measureSize(_ what: String, _ program: String, aim: Double?) throws {
  var status = stat()
  guard stat(program, &status) == 0 else { throw Failure("\(program) is not there") }
  let megabytes = Double(status.st_size) / 1_000_000
  Row(
    name: "size of the static binary, \(what)", value: "\(fixed(megabytes, 1)) MB",
    aim: aim.map { (text: "under \(fixed($0, 0))", isReached: megabytes < $0) }
  ).write()
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
    let service = try RunningService(program, notify: path)
    // The service before this one may still say that it stops.
    while try message(at: manager) != "READY=1" {}
    milliseconds.append(Double(Clock.monotonic() - service.begun) / 1_000_000)
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
