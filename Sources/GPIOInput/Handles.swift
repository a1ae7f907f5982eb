import CGPIO
import LinuxIO

/// A chip that is open. Its requests keep it so after this owner's end.
struct Chip: ~Copyable {
  fileprivate let handle: OpaquePointer
  let path: String

  private init(taking handle: OpaquePointer, path: String) {
    self.handle = handle
    self.path = path
  }

  init(path: String) throws(SystemError) {
    var error: Int32 = 0
    guard let handle = cgpio_chip_open(path, &error) else {
      throw SystemError(call: "open", path: path, errno: Errno(number: -error))
    }
    self.init(taking: handle, path: path)
  }

  deinit { cgpio_chip_close(handle) }

  // Safety: the texts live as long as the chip, and are copied here.
  var name: String { String(cString: cgpio_chip_name(handle)) }
  var label: String { String(cString: cgpio_chip_label(handle)) }
  var lineCount: UInt32 { cgpio_chip_line_count(handle) }
  var identity: GPIOChip { GPIOChip(path: path, name: name, label: label, lineCount: lineCount) }

  /// A line as the kernel knows it now.
  func line(_ offset: UInt32) throws(SystemError) -> GPIOLine {
    var line = cgpio_line()
    let result = cgpio_line_look(handle, offset, &line)
    guard result == 0 else {
      throw SystemError(call: "line info", path: path, errno: Errno(number: -result))
    }
    // Safety: the texts live until the chip is next asked, and are copied here.
    return GPIOLine(
      offset: offset, name: line.name.map { String(cString: $0) } ?? "",
      consumer: line.consumer.map { String(cString: $0) } ?? "", isUsed: line.is_used != 0,
      isOutput: line.is_output != 0)
  }

  /// The names of all lines in their order; empty where a line has none or cannot be looked at.
  func lineNames() -> [String] {
    (0..<lineCount).map { offset in
      do throws(SystemError) { return try line(offset).name } catch { return "" }
    }
  }
}

/// One or two lines that were taken, until the end of this owner's life.
struct Request: ~Copyable {
  private let handle: OpaquePointer
  private let path: String

  private init(taking handle: OpaquePointer, path: String) {
    self.handle = handle
    self.path = path
  }

  init(_ chip: borrowing Chip, _ wishes: [cgpio_wish]) throws(SystemError) {
    var error: Int32 = 0
    let handle = cgpio_request_lines(chip.handle, wishes, Int32(wishes.count), &error)
    guard let handle else {
      throw SystemError(call: "request", path: chip.path, errno: Errno(number: -error))
    }
    self.init(taking: handle, path: chip.path)
  }

  deinit { cgpio_request_release(handle) }

  /// What the edges of a line come through; nil where none do. Lines may share one.
  func descriptor(_ index: Int) -> LentDescriptor? {
    let number = cgpio_request_descriptor(handle, Int32(index))
    return number < 0 ? nil : LentDescriptor(number: number)
  }

  /// The edges that wait at the descriptor of a line: how many.
  /// - Precondition: the buffer has room for a whole batch.
  func read(_ index: Int, into buffer: inout [cgpio_edge]) throws(SystemError) -> Int {
    precondition(buffer.count >= Int(cgpio_batch_limit), "room for a whole batch")
    return Int(try checked(cgpio_request_read(handle, Int32(index), &buffer), "read"))
  }

  /// One bit a line: whether it is active.
  func levels() throws(SystemError) -> UInt32 {
    var active: UInt32 = 0
    try checked(cgpio_request_levels(handle, &active), "levels")
    return active
  }

  /// Which lines raise edges from now on, one bit each. The descriptors may be others after it.
  func setEdges(_ lines: UInt32) throws(SystemError) {
    try checked(cgpio_request_set_edges(handle, lines), "edges")
  }

  func set(active: Bool) throws(SystemError) {
    try checked(cgpio_request_set_active(handle, active ? 1 : 0), "set")
  }

  @discardableResult
  private func checked(_ value: Int32, _ call: String) throws(SystemError) -> Int32 {
    if value >= 0 { return value }
    throw SystemError(call: call, path: path, errno: Errno(number: -value))
  }
}
