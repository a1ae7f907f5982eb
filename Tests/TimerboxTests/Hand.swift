import Glibc
import Testing

/// The hand's end of a pseudo-terminal.
final class Hand {
  let window: Int32
  let terminal: String
  private(set) var seen: [UInt8] = []
  private var isOpen = true

  init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
    window = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    try #require(window >= 0)
    // TIOCSPTLCK and TIOCGPTN, which Swift's module of the C library does not have.
    var unlocked: Int32 = 0
    var number: Int32 = 0
    try #require(ioctl(window, 0x4004_5431, &unlocked) == 0)
    try #require(ioctl(window, 0x8004_5430, &number) == 0)
    terminal = "/dev/pts/\(number)"
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(window, UInt(TIOCSWINSZ), &size) == 0)
  }

  deinit { hangUp() }

  func hangUp() {
    if isOpen { close(window) }
    isOpen = false
  }

  func type(_ text: String) {
    var bytes = Array(text.utf8)
    _ = write(window, &bytes, bytes.count)
  }

  /// Reads what the box has drawn since.
  func look() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(window, &bytes, bytes.count)
      guard count > 0 else { return }
      seen += bytes.prefix(count)
    }
  }

  var text: String { String(decoding: seen, as: UTF8.self) }

  /// The modes in which the terminal is, and its control characters.
  var modes: [UInt32] {
    var modes = termios()
    tcgetattr(window, &modes)
    let flags = [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    return withUnsafeBytes(of: modes.c_cc) { flags + $0.map { UInt32($0) } }
  }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    #expect(ioctl(window, UInt(TIOCSWINSZ), &size) == 0)
  }

  /// Waits until something is drawn, after so many bytes that were seen before.
  func see(_ what: String, after count: Int = 0) throws {
    try eventually("\"\(what)\" is drawn") {
      look()
      return String(decoding: seen.dropFirst(count), as: UTF8.self).contains(what)
    }
  }
}

/// A box on a terminal, any of whose sits is kept.
func box(on hand: Hand, _ environment: String...) throws -> Service {
  let surroundings = try Surroundings()
  try surroundings.write("[sit]\npreparation = 0\nminimum = 0\n", to: "box.conf")
  return try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")],
    terminal: hand.terminal, environment: environment)
}
