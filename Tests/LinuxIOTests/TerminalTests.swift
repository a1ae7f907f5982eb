import Glibc
import Testing

@testable import LinuxIO

/// A pseudo-terminal: what a terminal window holds, and what the program in it sees.
private struct PseudoTerminal: ~Copyable {
  let window: OwnedDescriptor
  let inside: OwnedDescriptor

  init() throws {
    let window = try Files.open("/dev/ptmx", [.readWrite, .nonBlocking])
    // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h; the C library's own calls for this are not
    // in Swift's module of it.
    var (lock, index): (Int32, UInt32) = (0, 0)
    try #require(ioctl(window.number, 0x4004_5431, &lock) == 0)
    try #require(ioctl(window.number, 0x8004_5430, &index) == 0)
    let name = "/dev/pts/\(index)"
    let inside = try Files.open(name, [.readWrite])
    self.window = window
    self.inside = inside
  }

  /// Whether keys are echoed and lines are edited.
  var isCooked: Bool {
    var settings = termios()
    tcgetattr(inside.number, &settings)
    return settings.c_lflag & tcflag_t(ECHO | ICANON) == tcflag_t(ECHO | ICANON)
  }
}

// One terminal is raw at a time in a process.
@Suite(.serialized) struct TerminalTests {
  @Test func terminal_raw_isRestoredByRestore() throws {
    let terminal = try PseudoTerminal()
    check(terminal.isCooked)
    let raw = try RawTerminal(terminal.inside.lent, leave: Array("bye".utf8))
    check(!terminal.isCooked)
    raw.restore()
    check(terminal.isCooked)
    check(try terminal.window.lent.read(limit: 16), is: Array("bye".utf8))
  }

  @Test func terminal_raw_isRestoredAtItsOwnersEnd() throws {
    let terminal = try PseudoTerminal()
    func hold() throws {
      _ = try RawTerminal(terminal.inside.lent, leave: [])
    }
    try hold()
    check(terminal.isCooked)
    check(try terminal.window.lent.read(limit: 16), is: nil)
  }

  @Test func terminal_second_isRefused() throws {
    let first = try PseudoTerminal()
    let second = try PseudoTerminal()
    let raw = try RawTerminal(first.inside.lent, leave: [])
    let error = SystemError(call: "tcsetattr", errno: .busy)
    let lent = second.inside.lent
    #expect(throws: error) { _ = try RawTerminal(lent, leave: []) }
    check(!first.isCooked)
    raw.restore()
    check(first.isCooked)
  }

  @Test func terminal_size_isTheWindows() throws {
    let terminal = try PseudoTerminal()
    check(terminal.inside.lent.isTerminal)
    check(terminal.inside.lent.terminalSize(), is: nil)
    var size = winsize(ws_row: 10, ws_col: 40, ws_xpixel: 0, ws_ypixel: 0)
    check(ioctl(terminal.window.number, UInt(TIOCSWINSZ), &size) == 0)
    check(terminal.inside.lent.terminalSize(), is: TerminalSize(columns: 40, rows: 10))
    try withTemporaryFolder { path in
      let file = try Files.open("\(path)/f", [.writeOnly, .create])
      check(!file.lent.isTerminal)
      check(file.lent.terminalSize(), is: nil)
    }
  }

  @Test func terminal_thatIsNone_isRefused() throws {
    try withTemporaryFolder { path in
      let file = try Files.open("\(path)/f", [.writeOnly, .create])
      let lent = file.lent
      #expect(throws: SystemError.self) { _ = try RawTerminal(lent, leave: []) }
    }
  }
}
