import Controls
import EvdevStandIn
import Glibc
import InputDevices
import LinuxIO
import Settings
import Testing
import Ticks

/// Keys and axes by their numbers (linux/input-event-codes.h).
enum Code {
  static let enter: UInt16 = 28
  static let up: UInt16 = 103
  static let down: UInt16 = 108
  static let power: UInt16 = 116
  static let select: UInt16 = 353
  static let fullScreen: UInt16 = 372
  static let dial: UInt16 = 7
  static let wheel: UInt16 = 8
  static let fineWheel: UInt16 = 11
}

/// A remote that plays all there is.
let remoteWiring = InputDeviceWiring(
  name: "*Remote*",
  keys: ["KEY_UP": .up, "KEY_DOWN": .down, "KEY_ENTER": .select, "KEY_SELECT": .select],
  axis: "REL_DIAL")

/// A folder with devices of the stand-in, and the `InputDevices` that read them. Instants are
/// milliseconds after the desk was made.
final class Desk {
  let folder: String
  let folders: InputDeviceFolders
  private var input: InputDevices
  private let start = Clock.bootTime()
  private let monotonicStart = Clock.monotonic()
  private var pipes: [Int: Int32] = [:]

  init(_ wirings: [InputDeviceWiring] = [remoteWiring], hasNodes: Bool = true) throws {
    let name = try Machine.random(count: 8).map { String($0, radix: 16) }.joined()
    folder = "/tmp/timerbox-input-\(name)"
    folders = InputDeviceFolders(nodes: folder + "/input", names: folder + "/names")
    try Files.makeFolder(folders.names)
    try Files.makeFolder(folder + "/about")
    if hasNodes { try Files.makeFolder(folders.nodes) }
    input = try InputDevices.open(wirings, folders: folders)
  }

  deinit {
    for pipe in pipes.values { close(pipe) }
    empty(folder)
  }

  private func empty(_ path: String) {
    guard let list = try? Files.open(path, [.folder]), let names = try? Files.names(in: list)
    else { return }
    for name in names where unlink("\(path)/\(name)") != 0 {
      empty("\(path)/\(name)")
    }
    rmdir(path)
  }

  private func write(_ text: String, to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    close(file)
  }

  /// Says what a device has, before it is plugged in or while it is.
  func describe(
    _ number: Int, _ name: String, keys: [UInt16] = [], axes: [UInt16] = [], down: [UInt16] = [],
    more: [String] = []
  ) {
    var lines = ["name \(name)"] + keys.map { "key \($0)" } + axes.map { "rel \($0)" }
    lines += down.map { "down \($0)" } + more
    write(lines.joined(separator: "\n") + "\n", to: "\(folder)/about/event\(number)")
  }

  /// Plugs a described device in.
  func plug(_ number: Int, permissions: UInt32 = 0o644) {
    let node = "\(folders.nodes)/event\(number)"
    mkfifo(node, 0o600)
    // Open for both, as a pipe without a reader takes no writer.
    pipes[number] = open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    if permissions != 0o600 { setPermissions(number, permissions) }
  }

  /// Plugs a remote in that has keys for up, down and the middle.
  func plugRemote(_ number: Int = 0, name: String = "Remote", down: [UInt16] = []) {
    let keys = [Code.up, Code.down, Code.enter, Code.select]
    describe(number, name, keys: keys, axes: [Code.dial], down: down)
    plug(number)
  }

  func setPermissions(_ number: Int, _ permissions: UInt32) {
    chmod("\(folders.nodes)/event\(number)", mode_t(permissions))
  }

  /// Names a device for those who may not open it.
  func show(_ number: Int, as name: String) throws {
    try Files.makeFolder("\(folders.names)/event\(number)/device")
    write(name + "\n", to: "\(folders.names)/event\(number)/device/name")
  }

  func unplug(_ number: Int) {
    if let pipe = pipes.removeValue(forKey: number) {
      let witness = open("\(folders.nodes)/event\(number)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      close(pipe)
      // A process that another test is just starting holds all descriptors until its program
      // begins; only then has the last writer gone.
      var waited = pollfd(fd: witness, events: 0, revents: 0)
      #expect(poll(&waited, 1, 10_000) == 1, "the pipe of event\(number) is closed")
      close(witness)
    }
    unlink("\(folders.nodes)/event\(number)")
  }

  private func send(_ number: Int, _ kind: UInt16, _ code: UInt16, _ value: Int32, _ at: Int) {
    let stamp = monotonicStart + Int64(at) * 1_000_000
    let isIn = standin_write(pipes[number] ?? -1, kind, code, value, stamp)
    #expect(isIn == 1, "an event of event\(number) went in")
  }

  /// A key's event and the report's end; 1 is down, 0 is up, 2 is a repeat.
  func key(_ number: Int, _ code: UInt16, _ value: Int32, at: Int) {
    send(number, 1, code, value, at)
    send(number, 0, 0, 0, at)
  }

  func turn(_ number: Int, _ axis: UInt16, _ value: Int32, at: Int) {
    send(number, 2, axis, value, at)
    send(number, 0, 0, 0, at)
  }

  /// The kernel's queue ran over.
  func overrun(_ number: Int, at: Int) { send(number, 0, 3, 0, at) }

  /// What was asked of a device.
  func asked(_ number: Int) -> [String] {
    let path = "\(folder)/about/event\(number).asked"
    let bytes = (try? Files.readWhole(path, limit: 4_096)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  func instant(_ at: Int) -> Instant { start + .milliseconds(Int64(at)) }

  private func when(_ at: Instant) -> String {
    // Stamps are cut to microseconds and moved between clocks: whole milliseconds are exact.
    "\((at - start + .microseconds(500)) / .milliseconds(1))"
  }

  /// One turn of the loop: its news as short texts, `U0 5` for up pressed at 5 ms.
  func read(at: Int) -> [String] {
    input.read(at: instant(at)).map { news in
      switch news {
      case .edge(let edge): "\(letter(edge.line))\(edge.level.rawValue) \(when(edge.at))"
      case .turned(let detents, let at): "\(detents) \(when(at))"
      case .found(let name, let lines): "found \(name) \(letters(lines))"
      case .lost(let name, let released): "lost \(name) \(letters(released))"
      }
    }
  }

  /// What is wrong now.
  var faults: [String] { input.faults.map(\.description) }

  func levels(of lines: LineSet) -> String {
    let reading = input.levels(of: lines)
    let levels = reading.lines.lines.map { "\(letter($0))\(reading.levels[$0].rawValue)" }
    return levels.joined() + " " + when(reading.at)
  }

  /// Whether the loop would turn.
  var isReadable: Bool {
    (try? input.descriptor.waitReadable(timeoutMilliseconds: 0)) ?? false
  }

  var lines: String { letters(input.lines) }
}

private func letter(_ line: Line) -> String { String(UnicodeScalar(line.letter)) }

func letters(_ lines: LineSet) -> String { lines.lines.map { letter($0) }.joined() }

/// Runs a body as a user who is not root, as far as files go.
func asNobody<Result>(_ body: () throws -> Result) rethrows -> Result {
  let before = standin_set_file_user(65_534)
  defer { _ = standin_set_file_user(before) }
  return try body()
}
