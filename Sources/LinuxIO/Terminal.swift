import CLinux

/// A terminal's size in cells.
public struct TerminalSize: Equatable, Sendable {
  /// Cells in a row; greater than zero.
  public let columns: Int
  /// Rows; greater than zero.
  public let rows: Int
}

extension LentDescriptor {
  /// Whether it is a terminal.
  public var isTerminal: Bool { clinux_is_terminal(number) == 1 }

  /// Whether the terminal belongs to this process now, and not to the shell that put it aside.
  public var isForeground: Bool { clinux_is_foreground(number) == 1 }

  /// The terminal's size; nil where it is no terminal or does not say.
  public func terminalSize() -> TerminalSize? {
    var columns: UInt16 = 0
    var rows: UInt16 = 0
    guard clinux_terminal_size(number, &columns, &rows) == 0, columns > 0, rows > 0 else {
      return nil
    }
    return TerminalSize(columns: Int(columns), rows: Int(rows))
  }
}

/// A terminal in raw mode, restored on every way out: by `restore()`, at the end of this owner's
/// life, and by a handler of the fatal signals when the process crashes.
///
/// One at a time in a process, since there is one handler.
public struct RawTerminal: ~Copyable {
  // Set last: an owner that was refused must not undo another's, and without a member it would
  // count as made before its first line.
  private let descriptor: Int32

  /// Makes the terminal raw: each key arrives at once, none is echoed, none raises a signal.
  /// - Parameter leave: what restoring writes first, at most 256 bytes.
  /// - Throws: also `busy` where one is raw already.
  public init(_ terminal: LentDescriptor, leave: [UInt8]) throws(SystemError) {
    let result = leave.withUnsafeBytes { buffer -> Int32 in
      // Safety: an empty array may have no address; one byte that is not read stands in for it.
      var none: UInt8 = 0
      guard let start = buffer.baseAddress else {
        return clinux_terminal_raw(terminal.number, &none, 0)
      }
      return clinux_terminal_raw(terminal.number, start, buffer.count)
    }
    try checked(result, "tcsetattr")
    descriptor = terminal.number
  }

  deinit { _ = clinux_terminal_restore() }

  /// Restores now. A terminal that has gone needs no restoring, so nothing is thrown.
  public consuming func restore() {
    discard self
    _ = clinux_terminal_restore()
  }
}
